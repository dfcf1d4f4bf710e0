// Command licenses writes the licences of the modules that the binary of any platform
// is linked with, and that of Go, whose run-time library is in every binary. Releases
// have the file with them, as those licences ask for:
//
//	go run ./packaging/licenses            # writes THIRD_PARTY_LICENSES.txt
package main

import (
	"fmt"
	"os"
)

// File is the file of licences, in the root of the repository.
const File = "THIRD_PARTY_LICENSES.txt"

func main() {
	modules, err := linked(".")
	if err == nil {
		var text []byte
		if text, err = page(modules); err == nil {
			err = os.WriteFile(File, text, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
