package scan

import (
	"bytes"
	"errors"
	"slices"
)

// A fileSystem is where a root is. The tests put one in its place that fails.
type fileSystem interface {
	// openRoot opens the directory that a path leads to, links followed.
	openRoot(path string) (folder, error)
	// handles is how many folders may be open at once.
	handles() int
}

// A folder is an open directory. Names are single segments; links are not followed.
// All methods but close may be called from several goroutines at once. Errors satisfy
// errors.Is with those of io/fs.
type folder interface {
	// list puts what is in the directory into l.
	list(l *listing) error
	// state returns the state of the i-th name of a listing of this folder.
	state(l *listing, i int) (state, error)
	// stateOf returns the state of a name.
	stateOf(name string) (state, error)
	openFolder(name string) (folder, error)
	// openFile opens a regular file to be read. It does not wait for the other end of what
	// is a pipe by now.
	openFile(name string) (file, error)
	readLink(name string) (string, error)
	close()
}

// A file is an open file.
type file interface {
	Read(buffer []byte) (int, error)
	state() (state, error)
	close()
}

// A state is what the system tells of a path without reading it.
type state struct {
	directory bool
	entry     Entry // without what reading tells; without a kind for a directory
}

// errReplaced is the error of a path that is of another kind when it is opened than it
// was a moment before.
var errReplaced = errors.New("it was replaced while the scan looked at it")

// A listing holds the names in a directory. It is used again and again.
type listing struct {
	names   []byte // one after the other, a zero byte after each
	entries []listed
	buffer  []byte // for whoever fills it
	states  []any  // for whoever fills it: what is known of each name
}

// listed is one name of a listing.
type listed struct {
	offset, length uint32
	origin         uint32 // its place when the names were listed
	kind           listedKind
}

type listedKind uint8

// The kinds that listing a directory tells apart.
const (
	listedUnknown listedKind = iota
	listedDirectory
	listedFile // no directory
)

func (l *listing) reset() {
	l.names, l.entries, l.states = l.names[:0], l.entries[:0], l.states[:0]
}

func (l *listing) add(name []byte, kind listedKind) {
	l.entries = append(l.entries, listed{uint32(len(l.names)), uint32(len(name)), uint32(len(l.entries)), kind})
	l.names = append(l.names, name...)
	l.names = append(l.names, 0)
}

// name returns the i-th name. It is valid until the listing is reset.
func (l *listing) name(i int) []byte {
	e := &l.entries[i]
	return l.names[e.offset : e.offset+e.length : e.offset+e.length]
}

// sort puts the names in the order of their bytes.
func (l *listing) sort() {
	slices.SortFunc(l.entries, func(a, b listed) int {
		return bytes.Compare(l.names[a.offset:a.offset+a.length], l.names[b.offset:b.offset+b.length])
	})
}
