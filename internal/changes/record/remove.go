package record

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Remove removes a file of lines that nobody has written to for a time, and its
// directory when it was the last one. A file that has been written to in the meantime
// stays, and that is no error: the writers of its session are kept out while it is looked at.
func Remove(data string, file File, unused time.Duration) (removed bool, err error) {
	unlock, err := lock(data, filepath.Base(filepath.Dir(file.Path)), lockWait)
	if err != nil {
		return false, err
	}
	defer unlock()
	info, err := os.Lstat(file.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case time.Since(info.ModTime()) <= unused:
		return false, nil
	}
	if err := os.Remove(file.Path); err != nil {
		return false, err
	}
	_ = os.Remove(filepath.Dir(file.Path))
	return true, nil
}
