//go:build !unix

package compiled

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// alwaysRacy is set where the system does not tell enough of a file to see that it
// has been changed.
const alwaysRacy = true

func stateOf(info fs.FileInfo) (state string, latest int64) {
	modified := info.ModTime().UnixNano()
	return fmt.Sprintf("%d %d %v", info.Size(), modified, info.Mode()), modified
}

// ErrForeign is the error of a file that is not a regular one.
var ErrForeign = errors.New("the file is not a regular one")

// openOwn opens a regular file. Whose it is is left to the permissions of the directory.
func openOwn(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, ErrForeign
	}
	return os.Open(path)
}
