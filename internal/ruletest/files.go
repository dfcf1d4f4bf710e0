package ruletest

import (
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// files are the files of a repository that a test brings: their content by their path
// from its root. The directories are those that the paths name.
type files map[string]string

// Open implements fs.FS.
func (f files) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if content, ok := f[name]; ok {
		return &file{entry{path.Base(name), int64(len(content)), fileMode}, strings.NewReader(content), nil}, nil
	}
	prefix := name + "/"
	if name == "." {
		prefix = ""
	}
	below := map[string]fs.DirEntry{}
	for other, content := range f {
		rest, within := strings.CutPrefix(other, prefix)
		if first, _, deeper := strings.Cut(rest, "/"); within && deeper {
			below[first] = entry{first, 0, directoryMode}
		} else if within {
			below[first] = entry{first, int64(len(content)), fileMode}
		}
	}
	if len(below) == 0 && name != "." {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	d := &file{entry{path.Base(name), 0, directoryMode}, strings.NewReader(""), nil}
	for _, first := range slices.Sorted(maps.Keys(below)) {
		d.below = append(d.below, below[first])
	}
	return d, nil
}

// file is an open file or directory.
type file struct {
	entry   entry
	content io.Reader
	below   []fs.DirEntry // of a directory, those that were not read
}

func (f *file) Stat() (fs.FileInfo, error) { return f.entry, nil }
func (f *file) Read(b []byte) (int, error) { return f.content.Read(b) }
func (f *file) Close() error               { return nil }

// ReadDir implements fs.ReadDirFile.
func (f *file) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(f.below)
	} else if len(f.below) == 0 {
		return nil, io.EOF
	}
	read := f.below[:min(n, len(f.below))]
	f.below = f.below[len(read):]
	return read, nil
}

const (
	fileMode      fs.FileMode = 0o444
	directoryMode             = fs.ModeDir | 0o555
)

// entry is what a directory tells of a file.
type entry struct {
	name string
	size int64
	mode fs.FileMode
}

func (e entry) Name() string               { return e.name }
func (e entry) Size() int64                { return e.size }
func (e entry) Mode() fs.FileMode          { return e.mode }
func (e entry) Type() fs.FileMode          { return e.mode.Type() }
func (e entry) IsDir() bool                { return e.mode.IsDir() }
func (e entry) ModTime() time.Time         { return time.Time{} }
func (e entry) Sys() any                   { return nil }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }
