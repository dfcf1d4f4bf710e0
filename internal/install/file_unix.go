//go:build unix

package install

import (
	"fmt"
	"os"
	"syscall"

	"github.com/gofrs/flock"
)

// keepOwner gives a file the owner of what stands at a path: an administrator who
// installs for somebody else must not take their settings from them.
func keepOwner(file *os.File, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return nil // there is nothing whose owner would be kept
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(s.Uid) == os.Geteuid() {
		return nil
	}
	if err := file.Chown(int(s.Uid), int(s.Gid)); err != nil {
		return fmt.Errorf("%s belongs to another user: %w", path, err)
	}
	return nil
}

// release gives a lock up and removes its file, in the order in which nobody can hold
// a file that is gone without noticing.
func release(l *flock.Flock, path string) {
	os.Remove(path)
	_ = l.Unlock()
}
