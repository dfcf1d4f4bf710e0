//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package scan

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// system is the file system of the machine, by paths.
type system struct{}

func (system) handles() int { return math.MaxInt } // none is held

func (system) openRoot(path string) (folder, error) {
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		err = fs.ErrNotExist
	}
	return directoryPath(path), err
}

// directoryPath is a directory by its path.
type directoryPath string

func (d directoryPath) close() {}

func (d directoryPath) join(name string) string { return filepath.Join(string(d), name) }

func (d directoryPath) list(l *listing) error {
	l.reset()
	entries, err := os.ReadDir(string(d))
	if err != nil {
		return err
	}
	for _, e := range entries {
		kind := listedFile
		if e.IsDir() {
			kind = listedDirectory
		}
		l.add([]byte(e.Name()), kind)
		l.states = append(l.states, e)
	}
	return nil
}

// state returns what listing the directory has told, where it tells more than names,
// as Windows does.
func (d directoryPath) state(l *listing, i int) (state, error) {
	info, err := l.states[l.entries[i].origin].(fs.DirEntry).Info()
	if err != nil {
		return state{}, err
	}
	return stateFrom(info), nil
}

func (d directoryPath) stateOf(name string) (state, error) {
	info, err := os.Lstat(d.join(name))
	if err != nil {
		return state{}, err
	}
	return stateFrom(info), nil
}

func (d directoryPath) openFolder(name string) (folder, error) {
	path := d.join(name)
	info, err := os.Lstat(path)
	if err == nil && !info.IsDir() {
		err = errReplaced
	}
	return directoryPath(path), err
}

func (d directoryPath) openFile(name string) (file, error) {
	path := d.join(name)
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errReplaced
	}
	f, err := os.Open(path)
	return openedFile{f}, err
}

func (d directoryPath) readLink(name string) (string, error) { return os.Readlink(d.join(name)) }

// openedFile is an open file.
type openedFile struct{ *os.File }

func (f openedFile) close() { f.Close() }

func (f openedFile) state() (state, error) {
	info, err := f.Stat()
	if err != nil {
		return state{}, err
	}
	return stateFrom(info), nil
}

func stateFrom(info fs.FileInfo) state {
	e := Entry{Kind: Other, Perm: uint32(info.Mode().Perm()), Size: info.Size(), ModTime: info.ModTime().UnixNano()}
	switch mode := info.Mode(); {
	case mode.IsDir():
		e.Kind = 0
		return state{directory: true, entry: e}
	case mode.IsRegular():
		e.Kind = Regular
	case mode&fs.ModeSymlink != 0:
		e.Kind = Symlink
	}
	return state{entry: e}
}
