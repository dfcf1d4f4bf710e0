package scan

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Intercept has before called ahead of what a scan asks of the file system: what
// ("list", "state", "directory", "file", "link", "read") and the name; "." for
// listing the root. An error takes the place of the answer.
func (o *Options) Intercept(before func(what, name string) error) {
	o.system = intercepted{fileSystem: system{}, before: before, open: new(atomic.Int64)}
}

// Open returns how many folders and files are open since one of the methods here was called.
func (o *Options) Open() int64 { return o.system.(intercepted).open.Load() }

// WhenStopped has f called when a scan stops before its end.
func (o *Options) WhenStopped(f func()) { o.stopped = f }

// BePatientFor sets how long a scan waits for the file system after its context has
// ended.
func (o *Options) BePatientFor(d time.Duration) { o.patience = d }

// Conceal leaves names out of the listings of directories.
func (o *Options) Conceal(names ...string) {
	o.system = intercepted{fileSystem: system{}, before: func(string, string) error { return nil }, concealed: names, open: new(atomic.Int64)}
}

// LimitHandles bounds how many folders are open at once.
func (o *Options) LimitHandles(handles int) {
	o.system = intercepted{fileSystem: system{}, before: func(string, string) error { return nil }, limit: handles, open: new(atomic.Int64)}
}

type intercepted struct {
	fileSystem
	before    func(what, name string) error
	concealed []string
	limit     int
	open      *atomic.Int64
}

// count counts what is opened without an error.
func (s intercepted) count(err error) {
	if err == nil {
		s.open.Add(1)
	}
}

func (s intercepted) handles() int {
	if s.limit == 0 {
		return math.MaxInt
	}
	return s.limit
}

func (s intercepted) openRoot(path string) (folder, error) {
	f, err := s.fileSystem.openRoot(path)
	s.count(err)
	return interceptedFolder{f, ".", s}, err
}

type interceptedFolder struct {
	folder
	name string
	intercepted
}

func (f interceptedFolder) list(l *listing) error {
	if err := f.before("list", f.name); err != nil {
		return err
	}
	err := f.folder.list(l)
	l.entries = slices.DeleteFunc(l.entries, func(e listed) bool {
		return slices.Contains(f.concealed, string(l.names[e.offset:e.offset+e.length]))
	})
	return err
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
	f.count(err)
	return interceptedFolder{sub, name, f.intercepted}, err
}

func (f interceptedFolder) openFile(name string) (file, error) {
	if err := f.before("file", name); err != nil {
		return nil, err
	}
	opened, err := f.folder.openFile(name)
	f.count(err)
	return interceptedFile{opened, name, f.intercepted}, err
}

func (f interceptedFolder) readLink(name string) (string, error) {
	if err := f.before("link", name); err != nil {
		return "", err
	}
	return f.folder.readLink(name)
}

func (f interceptedFolder) close() {
	f.open.Add(-1)
	f.folder.close()
}

type interceptedFile struct {
	file
	name string
	intercepted
}

func (f interceptedFile) close() {
	f.open.Add(-1)
	f.file.close()
}

func (f interceptedFile) Read(b []byte) (int, error) {
	if err := f.before("read", f.name); err != nil {
		return 0, err
	}
	return f.file.Read(b)
}

// Excludes reports whether a rule without a condition excludes a directory.
func (x *Exclusions) Excludes(path string) bool {
	n := &node{}
	segments := strings.Split(path, "/")
	last := len(segments) - 1
	for _, s := range segments[:last] {
		n = &node{parent: n, base: s}
	}
	return x.excludes(n, segments[last])
}

// Decode reads the content of a manifest's file after its checksums have been put right.
func Decode(content []byte) (*Manifest, error) {
	content = bytes.Clone(content)
	if len(content) >= headerSize {
		copy(content, imageMagic)
		put := binary.LittleEndian.PutUint32
		lengths := content[len(imageMagic)+16:]
		at, sums := headerSize, lengths[24:]
		for i := range 3 {
			end := min(at+int(binary.LittleEndian.Uint32(lengths[8*i:])), len(content))
			put(sums[4*i:], crc32.ChecksumIEEE(content[at:end]))
			at = end
		}
		put(content[headerSize-4:], crc32.ChecksumIEEE(content[:headerSize-4]))
	}
	image, h, err := readImage(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, err
	}
	return &Manifest{Step: h.step, image: image, unseen: h.flags&flagUnseen != 0}, nil
}

// Fewest is fewest.
func Fewest(paths []string) []string { return fewest(paths) }
