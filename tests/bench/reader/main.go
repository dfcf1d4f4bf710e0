// Command reader is what the hook's times are compared with: a Go program that
// reads standard input to its end and exits.
package main

import (
	"io"
	"os"
)

func main() {
	if _, err := io.ReadAll(os.Stdin); err != nil {
		os.Exit(1)
	}
}
