package scan

import "math"

// Intercept has before called ahead of what a scan asks of the file system: what
// ("list", "state", "directory", "file", "link", "read") and the name; "." for
// listing the root. An error takes the place of the answer.
func (o *Options) Intercept(before func(what, name string) error) {
	o.system = intercepted{system{}, before, 0}
}

// LimitHandles bounds how many folders are open at once.
func (o *Options) LimitHandles(handles int) {
	o.system = intercepted{system{}, func(string, string) error { return nil }, handles}
}

type intercepted struct {
	fileSystem
	before func(what, name string) error
	limit  int
}

func (s intercepted) handles() int {
	if s.limit == 0 {
		return math.MaxInt
	}
	return s.limit
}

func (s intercepted) openRoot(path string) (folder, error) {
	f, err := s.fileSystem.openRoot(path)
	return interceptedFolder{f, ".", s.before}, err
}

type interceptedFolder struct {
	folder
	name   string
	before func(what, name string) error
}

func (f interceptedFolder) list(l *listing) error {
	if err := f.before("list", f.name); err != nil {
		return err
	}
	return f.folder.list(l)
}

func (f interceptedFolder) state(l *listing, i int) (state, error) {
	if err := f.before("state", string(l.name(i))); err != nil {
		return state{}, err
	}
	return f.folder.state(l, i)
}

func (f interceptedFolder) stateOf(name string) (state, error) {
	if err := f.before("state", name); err != nil {
		return state{}, err
	}
	return f.folder.stateOf(name)
}

func (f interceptedFolder) openFolder(name string) (folder, error) {
	if err := f.before("directory", name); err != nil {
		return nil, err
	}
	sub, err := f.folder.openFolder(name)
	return interceptedFolder{sub, name, f.before}, err
}

func (f interceptedFolder) openFile(name string) (file, error) {
	if err := f.before("file", name); err != nil {
		return nil, err
	}
	opened, err := f.folder.openFile(name)
	return interceptedFile{opened, name, f.before}, err
}

func (f interceptedFolder) readLink(name string) (string, error) {
	if err := f.before("link", name); err != nil {
		return "", err
	}
	return f.folder.readLink(name)
}

type interceptedFile struct {
	file
	name   string
	before func(what, name string) error
}

func (f interceptedFile) Read(b []byte) (int, error) {
	if err := f.before("read", f.name); err != nil {
		return 0, err
	}
	return f.file.Read(b)
}
