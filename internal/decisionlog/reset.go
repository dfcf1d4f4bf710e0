package decisionlog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/ownfile"
)

// resetWait is how long a reset waits for the writers of a log.
const resetWait = 10 * time.Second

// Archive moves the log at path aside, under its lock, and returns where it is then:
// beside it, named after the time. It returns "" when there is no log.
func Archive(path string, now time.Time) (archive string, err error) {
	err = underLock(path, func() error {
		extension := filepath.Ext(path)
		stem := strings.TrimSuffix(path, extension) + now.UTC().Format("-20060102T150405Z")
		for n := 1; ; n++ {
			archive = stem + extension
			if n > 1 {
				archive = fmt.Sprintf("%s-%d%s", stem, n, extension)
			}
			if _, err := os.Lstat(archive); errors.Is(err, fs.ErrNotExist) {
				break
			}
		}
		return os.Rename(path, archive)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return archive, err
}

// Delete deletes the log at path, under its lock, and reports whether there was one.
func Delete(path string) (deleted bool, err error) {
	err = underLock(path, func() error { return os.Remove(path) })
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// underLock does something with a log that is there. What is no regular file is not the
// log, as for Append.
func underLock(path string, do func() error) error {
	if _, err := os.Lstat(path); err != nil {
		return err // and no lock file is made
	}
	unlock, err := ownfile.Lock(path+".lock", resetWait)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w; nothing was done: run this as a user who may write there", err)
	case err != nil:
		return fmt.Errorf("%w; nothing was done, try again", err)
	}
	defer unlock()
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file; it was left alone", path)
	}
	return do()
}
