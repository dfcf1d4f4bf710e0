// Package regular opens and reads regular files that somebody else named: a bounded
// number of bytes, and never a wait for a pipe, a terminal or a device.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// TooLargeError is the error, in an fs.PathError, of a file of more bytes than
// the caller takes.
type TooLargeError struct{ Limit int64 }

// Error implements error.
func (e TooLargeError) Error() string {
	return fmt.Sprintf("more than %d bytes, which is the limit", e.Limit)
}

// ErrNotRegular is the error, in an fs.PathError, of what is no file and no directory.
var ErrNotRegular = errors.New("not a regular file")

// ReadFile returns the content of a file of at most limit bytes. Symbolic links
// are followed. A directory, a pipe, a socket or a device is an error, found
// without opening it. A file of size 0 is empty, and not read. Errors are an
// *fs.PathError.
func ReadFile(path string, limit int64) ([]byte, error) {
	file, info, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info.Size() > limit {
		return nil, &fs.PathError{Op: "read", Path: path, Err: TooLargeError{limit}}
	}
	if info.Size() == 0 {
		// Also what procfs and the like call regular, where a read may wait for ever.
		return []byte{}, nil
	}
	content := make([]byte, 0, info.Size()+1)
	for {
		n, err := file.Read(content[len(content):cap(content)])
		content = content[:len(content)+n]
		switch {
		case int64(len(content)) > limit:
			return nil, &fs.PathError{Op: "read", Path: path, Err: TooLargeError{limit}}
		case err == io.EOF:
			return content, nil
		case err != nil:
			return nil, err
		case len(content) == cap(content):
			content = append(content, 0)[:len(content)]
		}
	}
}

// Open opens a file for reading, and returns what is known of it. Symbolic links are
// followed. What is not a regular file is an error, found without opening it. Errors are
// an *fs.PathError.
func Open(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if err := check(path, info); err != nil {
		return nil, nil, err
	}
	// The file may be another one by now: without O_NONBLOCK the open of a pipe
	// would wait for its writer.
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err = file.Stat()
	if err == nil {
		err = check(path, info)
	}
	if err != nil {
		_ = file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

func check(path string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "read", Path: path, Err: ErrNotRegular}
	}
	return nil
}
