package transcript

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// File is a transcript on disk.
type File struct {
	Path string
	Size int64
}

// Files returns the transcripts that paths name: files as they are, folders with
// every transcript in and below them, in the order of the paths and then of
// names, each file once. The error joins what could not be read; the rest is
// returned with it.
func Files(paths []string) ([]File, error) {
	var files []File
	var problems []error
	for _, path := range paths {
		found, err := filesAt(path)
		files = append(files, found...)
		if err != nil {
			problems = append(problems, err)
		}
	}
	seen := make(map[string]bool, len(files))
	files = slices.DeleteFunc(files, func(f File) bool {
		again := seen[f.Path]
		seen[f.Path] = true
		return again
	})
	return files, errors.Join(problems...)
}

func filesAt(path string) ([]File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	switch {
	case info.Mode().IsRegular():
		return []File{{filepath.Clean(path), info.Size()}}, nil
	case !info.IsDir():
		return nil, fmt.Errorf("%s: neither a file nor a folder", path)
	}
	root, err := filepath.EvalSymlinks(path) // WalkDir does not enter a link
	if err != nil {
		return nil, err
	}
	var files []File
	var problems []error
	// The function never returns an error, so neither does WalkDir.
	_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			problems = append(problems, err)
			return nil
		}
		if entry.Type().IsRegular() && filepath.Ext(path) == Extension {
			var size int64
			if info, err := entry.Info(); err == nil {
				size = info.Size()
			}
			files = append(files, File{path, size})
		}
		return nil
	})
	return files, errors.Join(problems...)
}

// Walk calls each for every call of the transcripts, file by file, until it
// returns an error, which it then returns. A call that a resumed session copied
// from another transcript comes once.
//
// advance, which may be nil, is told how many bytes were read since it was last
// called. skipped are the lines that could not be read. A file that cannot be read
// is among the errors that the error joins, and the others are read nevertheless.
func Walk(files []File, advance func(bytes int64), each func(*Call) error) (skipped Skipped, err error) {
	seen := map[identity]bool{}
	var problems []error
	for _, file := range files {
		n, stop, err := walkFile(file.Path, advance, func(c *Call) error {
			id := identityOf(c)
			if seen[id] {
				return nil
			}
			seen[id] = true
			return each(c)
		})
		skipped.add(n)
		if stop != nil {
			return skipped, stop
		}
		if err != nil {
			problems = append(problems, err)
		}
	}
	return skipped, errors.Join(problems...)
}

// walkFile tells what went wrong with the file apart from the error of each, which
// ends the walk.
func walkFile(path string, advance func(int64), each func(*Call) error) (skipped Skipped, stop, err error) {
	file, err := os.Open(path)
	if err != nil {
		return skipped, nil, err
	}
	defer file.Close()
	reader := NewReader(&countingReader{file, advance}, path)
	for {
		call, err := reader.Next()
		if err == io.EOF {
			return reader.Skipped(), nil, nil
		}
		if err != nil {
			return reader.Skipped(), nil, err
		}
		if err := each(call); err != nil {
			return reader.Skipped(), err, nil
		}
	}
}

// countingReader tells advance, which may be nil, what is read through it.
type countingReader struct {
	io.Reader
	advance func(int64)
}

// Read implements io.Reader.
func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if c.advance != nil {
		c.advance(int64(n))
	}
	return n, err
}
