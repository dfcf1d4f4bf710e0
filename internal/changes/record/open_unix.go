//go:build unix

package record

import "syscall"

// openFlags make an open fail when the path is a symbolic link, not wait for the other
// end of a pipe, and every write one at the end.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_APPEND
