//go:build unix

package record

import "syscall"

// openFlags make an open fail when the path is a symbolic link, and not wait for the other
// end of a pipe. With appendFlag every write is one at the end; but then the system does not
// copy from another file.
const (
	openFlags  = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
	appendFlag = syscall.O_APPEND
)
