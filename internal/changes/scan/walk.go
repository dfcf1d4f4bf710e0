package scan

import (
	"context"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// walk is one scan under way.
type walk struct {
	ctx     context.Context
	path    string // of the root
	o       Options
	young   int64 // a file with a time from then on is Young
	root    *node
	queue   queue
	handles atomic.Int64 // folders that are open
	limit   int64        // of handles
	files   atomic.Int64 // seen so far
	stopped atomic.Bool  // the context has ended, or something failed
	from    time.Time    // when it began
	large   largeFiles

	mutex sync.Mutex
	err   error // what ends the scan
}

// resolution is how far the times of a file may lie behind the clock: FAT counts in
// steps of two seconds, and the clock of a file system lags by up to a tick. Together
// with the second that the scan begins in, it makes two.
const resolution = time.Second

func newWalk(ctx context.Context, path string, known *Manifest, o Options, from time.Time) (*walk, error) {
	w := &walk{ctx: ctx, path: path, o: o, limit: int64(o.system.handles()), from: from}
	w.young = from.Truncate(time.Second).Add(-resolution).UnixNano()
	w.root = &node{known: known.root(), marked: known.unseen, unseen: known.unseen}
	w.root.repository = &repository{walk: w, node: w.root, above: true}
	folder, err := o.system.openRoot(path)
	if isAbsent(err) {
		return nil, fmt.Errorf("%s: %w", path, ErrNoRoot)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	w.root.folder = folder
	w.handles.Add(1)
	w.root.uses.Store(1) // until the end, for directories that are opened from the root
	w.queue.init(w.root)
	return w, nil
}

// close closes what is still open after the workers have ended.
func (w *walk) close() {
	for _, n := range w.queue.left() {
		if n.parent != nil {
			n.parent.close(w)
		}
	}
	w.root.close(w)
}

// stop makes the workers end where they are.
func (w *walk) stop() {
	w.stopped.Store(true)
	w.queue.stop()
	if w.o.stopped != nil {
		w.o.stopped()
	}
}

// fail ends the scan with an error. The first one counts.
func (w *walk) fail(err error) {
	w.mutex.Lock()
	if w.err == nil {
		w.err = err
	}
	w.mutex.Unlock()
	w.stop()
}

// A node is a directory of the walk.
type node struct {
	parent *node // nil for the root
	base   string
	known  knownDirectory
	marked bool // the manifest has it as Unseen
	unseen bool // what is not known in it is seen for the first time
	// repository is the git repository whose working tree it is in, nil for none.
	repository *repository
	// folder is open from the visit of the directory until those below have been opened
	// too; nil when it was closed earlier, or later.
	folder folder
	uses   atomic.Int32 // who still needs folder
	// listing is what is in the directory, during its visit; markers are the names of
	// files in it that exclude directories further down, from then on.
	listing *listing
	markers []string
	prefix  string // the path with a slash at its end, during the visit once it was asked for
}

// up implements place.
func (n *node) up() place {
	if n.parent == nil {
		return nil
	}
	return n.parent
}

// name implements place.
func (n *node) name() string { return n.base }

// holds implements place.
func (n *node) holds(fits func(name string) bool) bool {
	if n.listing == nil {
		return slices.ContainsFunc(n.markers, fits)
	}
	for i, e := range n.listing.entries {
		if e.kind == listedDirectory || !fits(string(n.listing.name(i))) {
			continue
		}
		if e.kind == listedFile {
			return true
		}
		if s, err := n.folder.state(n.listing, i); err == nil && !s.directory {
			return true
		}
	}
	return false
}

// segments returns the names on the way from the root.
func (n *node) segments() []string {
	var names []string
	for ; n.parent != nil; n = n.parent {
		names = append(names, n.base)
	}
	slices.Reverse(names)
	return names
}

// join returns the path of a name in the directory.
func (n *node) join(name string) string {
	switch {
	case n.parent == nil:
		return name
	case n.listing == nil:
		return strings.Join(append(n.segments(), name), "/")
	case n.prefix == "":
		n.prefix = strings.Join(n.segments(), "/") + "/"
	}
	return n.prefix + name
}

// display returns the path of the directory, "." for the root.
func (n *node) display() string {
	if n.parent == nil {
		return "."
	}
	return n.parent.join(n.base)
}

// release says that one of those who need the folder does not any more.
func (n *node) release(w *walk) {
	if n.uses.Add(-1) == 0 {
		n.close(w)
	}
}

func (n *node) close(w *walk) {
	if n.folder != nil {
		n.folder.close()
		n.folder = nil
		w.handles.Add(-1)
	}
}

// open opens the folder of a node from that of its parent, or when that was closed to
// spare handles, from the root.
func (w *walk) open(n *node) (folder, error) {
	parent := n.parent
	if parent == nil {
		return n.folder, nil
	}
	if parent.folder != nil {
		folder, err := parent.folder.openFolder(n.base)
		parent.release(w)
		if err != nil {
			return nil, err
		}
		w.handles.Add(1)
		return folder, nil
	}
	folder, err := w.openFromRoot(n)
	if err == nil {
		w.handles.Add(1)
	}
	return folder, err
}

// openFromRoot opens the folder of a node that is not the root.
func (w *walk) openFromRoot(n *node) (folder, error) {
	current := w.root.folder
	for i, name := range n.segments() {
		next, err := current.openFolder(name)
		if i > 0 {
			current.close()
		}
		if err != nil {
			return nil, err
		}
		current = next
	}
	return current, nil
}

// queue holds the directories that are still to be visited. The one that came last is
// next, so that few are open and waiting.
type queue struct {
	mutex   sync.Mutex
	changed sync.Cond
	waiting []*node
	busy    int // visits under way
	stopped bool
}

func (q *queue) init(first *node) {
	q.changed.L = &q.mutex
	q.waiting = []*node{first}
}

// next waits for a directory to visit. It returns nil when there will be none.
func (q *queue) next() *node {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	for len(q.waiting) == 0 && q.busy > 0 && !q.stopped {
		q.changed.Wait()
	}
	if len(q.waiting) == 0 || q.stopped {
		return nil
	}
	last := len(q.waiting) - 1
	n := q.waiting[last]
	q.waiting[last] = nil
	q.waiting = q.waiting[:last]
	q.busy++
	return n
}

// done ends a visit, and adds the directories that it found.
func (q *queue) done(found []*node) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.busy--
	for _, n := range slices.Backward(found) {
		q.waiting = append(q.waiting, n)
	}
	if len(found) > 1 || q.busy == 0 {
		q.changed.Broadcast()
	}
}

func (q *queue) stop() {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.stopped = true
	q.changed.Broadcast()
}

// left returns the directories that were not visited.
func (q *queue) left() []*node {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	return q.waiting
}

// A worker is one goroutine of a walk, with what it has found.
type worker struct {
	*walk
	differences, refreshed []Difference
	baseline               []firstSeen
	cut                    []string // directories that were not read to their ends
	gaps, notKept          []string
	unobserved             int // paths that could not be observed
	notObserved            []string
	unread                 []string // files that were not read to their ends
	files                  int
	first                  int // entries that were seen for the first time

	// During a visit:
	listing listing
	builder blockBuilder // of what is seen for the first time
	below   []*node
	buffer  []byte    // for content
	sum     hash.Hash // SHA-256
}

// work visits directories until there are no more.
func (w *worker) work() {
	defer func() {
		if r := recover(); r != nil {
			w.fail(fmt.Errorf("the scan broke down, which is a fault of claudewatch: %v\n%s", r, debug.Stack()))
		}
	}()
	for {
		n := w.queue.next()
		if n == nil {
			w.readLarge()
			return
		}
		w.below = w.below[:0]
		w.visit(n)
		w.queue.done(w.below)
	}
}

// gap says that a path could not be observed.
func (w *worker) gap(path string, err error) {
	w.unobserved++
	if utf8.ValidString(path) { // what has another name is in no list
		w.notObserved = append(w.notObserved, path)
	}
	if len(w.gaps) <= maxGaps {
		w.gaps = append(w.gaps, fmt.Sprintf("%s: %v", quote(path), cause(err)))
	}
}

// cause is an error without the path that os puts in front.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

func (w *worker) differ(path string, before, after *Entry) {
	w.differences = append(w.differences, Difference{path, before, after})
}

func (w *worker) refresh(path string, before, after *Entry) {
	w.refreshed = append(w.refreshed, Difference{path, before, after})
}

// incomplete says that a directory has not been read to its end. One of which all was
// known stays known: what the next scan finds is otherwise than then.
func (w *worker) incomplete(n *node) {
	if !n.marked && (n.unseen || !n.known.isKnown()) {
		w.refresh(n.display(), nil, &Entry{Kind: Unseen})
	}
}

func (w *worker) unreached(n *node) {
	w.cut = append(w.cut, n.display())
	w.incomplete(n)
}

// loaded returns a copy of an entry with its hashes.
func (w *worker) loaded(k *knownEntry) *Entry {
	if err := k.load(); err != nil {
		w.fail(fmt.Errorf("reading the manifest: %w", err))
	}
	e := k.entry
	return &e
}
