//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory returns the largest resident size of an ended process in bytes.
func peakMemory(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" { // getrusage(2): bytes there, kilobytes elsewhere
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) * 1024
}
