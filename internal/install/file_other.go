//go:build !unix

package install

import (
	"os"

	"github.com/gofrs/flock"
)

// keepOwner does nothing: a new file has the permissions of its directory.
func keepOwner(*os.File, string) error { return nil }

// release gives a lock up and removes its file. Windows does not remove a file that
// somebody has open, and so none that somebody waits for.
func release(l *flock.Flock, path string) {
	_ = l.Unlock()
	os.Remove(path)
}
