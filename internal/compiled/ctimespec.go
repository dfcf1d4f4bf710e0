//go:build darwin || freebsd || netbsd

package compiled

import "syscall"

// changeTime is when the inode was last changed, in nanoseconds of Unix time.
func changeTime(s *syscall.Stat_t) int64 { return s.Ctimespec.Nano() }
