// Command meter runs a command and prints its peak memory in bytes, 0 where the system
// does not tell. What the command prints is dropped.
//
// A process counts the memory of the one that started it as its own, as it shares it
// for a moment: the benchmark, which is larger than what it measures, cannot ask itself.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

func main() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin = os.Stdin
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		fmt.Fprintln(os.Stderr, "meter:", err)
		os.Exit(1)
	}
	fmt.Println(peakMemory(cmd.ProcessState))
}
