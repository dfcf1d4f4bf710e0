package scan

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"
)

// visit compares what is in a directory with what is known of it, and finds the
// directories below.
func (w *worker) visit(n *node) {
	folder, err := w.open(n)
	if err == nil {
		n.folder = folder
		n.uses.Add(1)
		defer n.release(w.walk)
		err = folder.list(&w.listing)
	}
	switch {
	case w.stopped.Load():
		w.unreached(n)
		return
	case isAbsent(err):
		w.gone(n)
		return
	case err != nil:
		w.gap(n.display(), err)
		w.incomplete(n)
		return
	}
	w.listing.sort()
	if _, ok := slices.BinarySearchFunc(w.listing.entries, ".git", func(e listed, name string) int {
		return bytes.Compare(w.listing.names[e.offset:e.offset+e.length], []byte(name))
	}); ok {
		n.repository = w.repositoryAt(n)
	}
	before := w.files
	n.listing = &w.listing
	complete := w.compare(n)
	n.markers = w.markers(n)
	n.listing, n.prefix = nil, ""
	w.baselineOf(n)
	switch {
	case !complete:
		w.unreached(n)
	case n.marked:
		w.refresh(n.display(), &Entry{Kind: Unseen}, nil)
	}
	w.progress(w.files - before)
	w.enter(n)
}

// enter makes the directories below ready to be visited from the open folder, or from
// the root when too many are open.
func (w *worker) enter(n *node) {
	if n.parent != nil && w.handles.Load() >= w.limit {
		n.close(w.walk)
		return
	}
	n.uses.Add(int32(len(w.below)))
}

func (w *worker) baselineOf(n *node) {
	if w.builder.count > 0 {
		w.baseline = append(w.baseline, firstSeen{n, w.builder.block()})
		w.first += w.builder.count
		w.builder.reset()
	}
}

// progressStep is after how many files Progress is called.
const progressStep = 1000

func (w *worker) progress(files int) {
	now := w.walk.files.Add(int64(files))
	if w.o.Progress != nil && now/progressStep != (now-int64(files))/progressStep {
		w.mutex.Lock()
		defer w.mutex.Unlock()
		w.o.Progress(int(now))
	}
}

// knownName is all that is known under one name of a directory.
type knownName struct {
	name  []byte
	entry *knownEntry    // nil for none
	child knownDirectory // what is known below it
}

// knownNames goes through the entries and the directories in a directory together.
type knownNames struct {
	knownName
	ok       bool // false at the end
	entries  entryCursor
	children childCursor
}

// names returns all that is known in a directory, at its first name.
func (d knownDirectory) names() *knownNames {
	c := &knownNames{entries: d.entries(), children: d.children()}
	c.entries.next()
	c.children.next()
	c.settle()
	return c
}

// settle puts the cursor on the smaller name of the two.
func (c *knownNames) settle() {
	entry, child := c.entries.current, c.children.ok
	c.knownName, c.ok = knownName{}, entry != nil || child
	order := 0
	switch {
	case entry == nil:
		order = 1
	case !child:
		order = -1
	default:
		order = bytes.Compare(entry.name, c.children.name)
	}
	if c.ok && order <= 0 {
		c.name, c.entry = entry.name, entry
	}
	if c.ok && order >= 0 {
		c.name, c.child = c.children.name, c.children.child
	}
}

func (c *knownNames) next() {
	if c.entry != nil {
		c.entries.next()
	}
	if c.child.isKnown() {
		c.children.next()
	}
	c.settle()
}

// compare goes through the names of a listing and those that are known side by side.
// It returns false when the context ended before all was done.
func (w *worker) compare(n *node) bool {
	known := n.known.names()
	for i := range w.listing.entries {
		if w.stopped.Load() {
			return false
		}
		name := w.listing.name(i)
		for known.ok && bytes.Compare(known.name, name) < 0 {
			w.missing(n, &known.knownName)
			known.next()
		}
		var k knownName
		if known.ok && bytes.Equal(known.name, name) {
			k = known.knownName
		}
		if !w.present(n, i, &k) {
			return false
		}
		if k.name != nil {
			known.next()
		}
	}
	for ; known.ok && !w.stopped.Load(); known.next() {
		w.missing(n, &known.knownName)
	}
	if known.entries.err != nil {
		w.fail(known.entries.err)
	}
	return !w.stopped.Load()
}

var errNotUTF8 = errors.New("the name is not UTF-8; rename it, or exclude its directory")

// present looks at the i-th name of the listing. It returns false when the context
// ended before it was done.
func (w *worker) present(n *node, i int, k *knownName) bool {
	name := w.listing.name(i)
	if !utf8.Valid(name) {
		w.gap(n.join(string(name)), errNotUTF8)
		return true
	}
	if w.listing.entries[i].kind == listedDirectory {
		w.subdirectory(n, string(name), k)
		return true
	}
	s, err := n.folder.state(&w.listing, i)
	switch {
	case isAbsent(err):
		w.removed(n, string(name), k)
		return true
	case err != nil:
		w.gap(n.join(string(name)), err)
		return true
	}
	return w.there(n, string(name), &s, k)
}

// there looks at a name whose state is known.
func (w *worker) there(n *node, name string, s *state, k *knownName) bool {
	if s.directory {
		w.subdirectory(n, name, k)
		return true
	}
	if k.child.isKnown() {
		w.goneBelow(n, name, k.child)
	}
	return w.file(n, name, &s.entry, k.entry)
}

// missing looks at a name that is known and was not listed. A file that is replaced
// while a directory is listed may be left out of the list.
func (w *worker) missing(n *node, k *knownName) {
	name := string(k.name)
	s, err := n.folder.stateOf(name)
	switch {
	case isAbsent(err):
		w.removed(n, name, k)
	case err != nil:
		w.gap(n.join(name), err)
	case w.isOtherwiseSpelt(n, name, &s):
		w.removed(n, name, k)
	default:
		w.there(n, name, &s, k)
	}
}

// isOtherwiseSpelt reports whether a name that was not listed is there only because the
// file system does not tell small letters from capitals.
func (w *worker) isOtherwiseSpelt(n *node, name string, s *state) bool {
	for i := range w.listing.entries {
		if listed := w.listing.name(i); string(listed) != name && strings.EqualFold(string(listed), name) {
			other, err := n.folder.state(&w.listing, i)
			return err == nil && other.entry.Inode == s.entry.Inode
		}
	}
	return false
}

// removed says that nothing is there under a name.
func (w *worker) removed(n *node, name string, k *knownName) {
	if k.entry != nil {
		w.leave(n.join(name), w.loaded(k.entry))
	}
	if k.child.isKnown() {
		w.goneBelow(n, name, k.child)
	}
}

// leave says that an entry is not there any more.
func (w *worker) leave(path string, e *Entry) {
	if e.Kind == Unseen {
		w.refresh(path, e, nil)
	} else {
		w.differ(path, e, nil)
	}
}

// subdirectory looks at a directory.
func (w *worker) subdirectory(n *node, name string, k *knownName) {
	sub := &node{parent: n, base: name, known: k.child, repository: n.repository}
	if k.entry != nil && k.entry.entry.Kind == Unseen {
		sub.marked = true
	} else if k.entry != nil {
		w.differ(n.join(name), w.loaded(k.entry), nil)
	}
	if w.o.Exclusions.excludes(n, name) {
		w.eachBelow(sub.display(), sub.known, func(path string, e *Entry) { w.refresh(path, e, nil) })
		if !sub.marked {
			w.refresh(sub.display(), nil, &Entry{Kind: Unseen})
		}
		return
	}
	sub.unseen = sub.marked || n.unseen
	w.below = append(w.below, sub)
}

// gone says that a directory is not there any more.
func (w *worker) gone(n *node) {
	if n.marked {
		w.refresh(n.display(), &Entry{Kind: Unseen}, nil)
	}
	if n.parent != nil {
		w.goneBelow(n.parent, n.base, n.known)
	}
}

// goneBelow says that all is gone that was known below a directory.
func (w *worker) goneBelow(parent *node, name string, known knownDirectory) {
	w.eachBelow(parent.join(name), known, w.leave)
}

// eachBelow calls do with each entry that is known below a directory.
func (w *worker) eachBelow(path string, known knownDirectory, do func(path string, e *Entry)) {
	entries := known.entries()
	for entries.next() {
		do(path+"/"+string(entries.current.name), w.loaded(entries.current))
	}
	if entries.err != nil {
		w.fail(entries.err)
	}
	children := known.children()
	for children.next() {
		w.eachBelow(path+"/"+string(children.name), children.child, do)
	}
}

// markers returns the names of files that exclude directories which are not in this
// directory, but further down.
func (w *worker) markers(n *node) []string {
	var names []string
	for _, sub := range w.below {
		for _, r := range w.o.Exclusions.distant(sub.base) {
			for _, pattern := range r.beside {
				n.holds(func(name string) bool {
					if fits(pattern, name) {
						names = append(names, name)
					}
					return false
				})
			}
		}
	}
	return names
}
