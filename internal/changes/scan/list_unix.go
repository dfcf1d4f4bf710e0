//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package scan

import (
	"os"

	"golang.org/x/sys/unix"
)

// list leaves the kinds open: os.File knows them from the path of a directory where
// the file system does not tell them, and a descriptor has no path.
func (d descriptor) list(l *listing) error {
	l.reset()
	fd, err := openAt(int(d), ".", unix.O_DIRECTORY)
	if err != nil {
		return err
	}
	directory := os.NewFile(uintptr(fd), ".")
	defer directory.Close()
	names, err := directory.Readdirnames(-1)
	if err != nil {
		return err
	}
	for _, name := range names {
		l.add([]byte(name), listedUnknown)
	}
	return nil
}
