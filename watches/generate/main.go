// Command generate compiles the rule files of the current directory to policy.bin:
//
//	go generate ./watches
package main

import (
	"fmt"
	"os"

	"github.com/claudewatch/claudewatch/internal/compiled"
)

func main() {
	packed, err := compiled.Pack(os.DirFS("."))
	if err == nil {
		err = os.WriteFile("policy.bin", packed, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}
