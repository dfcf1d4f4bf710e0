//go:build unix

package decisionlog

import "syscall"

const (
	// noFollow makes an open fail when the last part of the path is a symbolic link.
	noFollow = syscall.O_NOFOLLOW
	// nonBlocking makes the open of a pipe not wait for its other end.
	nonBlocking = syscall.O_NONBLOCK
)
