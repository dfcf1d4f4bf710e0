// Command generate compiles the rule files of the current directory to policy.bin:
//
//	go generate ./watches
package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/claudewatch/claudewatch/internal/compiled"
	"github.com/claudewatch/claudewatch/policy"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run() error {
	names, err := filepath.Glob("*.yml")
	if err != nil {
		return err
	}
	var files []policy.File
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		files = append(files, policy.File{Path: path.Join("watches", name), Scope: policy.Shipped, Source: source})
	}
	packed, err := compiled.Pack(files)
	if err != nil {
		return err
	}
	return os.WriteFile("policy.bin", packed, 0o644)
}
