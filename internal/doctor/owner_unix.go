//go:build unix

package doctor

import (
	"io/fs"
	"os"
	"syscall"
)

// isForeign reports whether a file belongs to another user than this one and root.
// For root it never does: an administrator looks at what is somebody's own.
func isForeign(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && os.Geteuid() != 0 && int(s.Uid) != os.Geteuid() && s.Uid != 0
}
