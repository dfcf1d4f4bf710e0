package scan

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"sync"
)

// Large files, whose lines no record has, are read when all else has been seen, the
// smallest first: one that takes longer than the scan may hides nothing but itself.

// largeFile is a file that is still to be read.
type largeFile struct {
	directory *node
	name      string
	now       Entry       // its state
	known     *knownEntry // nil for nothing
}

// largeFiles are the files that are read last.
type largeFiles struct {
	mutex  sync.Mutex
	list   []*largeFile
	sorted bool
	slow   bool // one of them took most of the scan's time: larger ones would too
}

func (l *largeFiles) add(f *largeFile) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.list = append(l.list, f)
}

// next takes the smallest file. It returns nil when there is none left.
func (l *largeFiles) next() *largeFile {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if len(l.list) == 0 {
		return nil
	}
	if !l.sorted {
		slices.SortStableFunc(l.list, func(a, b *largeFile) int { return cmp.Compare(a.now.Size, b.now.Size) })
		l.sorted = true
	}
	first := l.list[0]
	l.list = l.list[1:]
	return first
}

// isSlow reports whether what is left is slow, which it is from when is was true on.
func (l *largeFiles) isSlow(is bool) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.slow = l.slow || is
	return l.slow
}

func (w *worker) isLarge(e *Entry) bool {
	return e.Kind == Regular && e.Size > max(w.o.SizeCap, minBuffer)
}

// later puts a file off. One that was too slow before, and is no smaller now, is not
// read at all.
func (w *worker) later(n *node, name string, now *Entry, k *knownEntry) {
	f := &largeFile{directory: n, name: name, now: *now}
	if k != nil {
		known := *k // the cursor goes on
		known.name = bytes.Clone(k.name)
		f.known = &known
	}
	if k != nil && k.entry.Slow && k.entry.Size <= now.Size {
		w.files++
		w.notRead(f, true)
		return
	}
	w.large.add(f)
}

// readLarge reads the files that were put off.
func (w *worker) readLarge() {
	for f := w.large.next(); f != nil; f = w.large.next() {
		began, started := w.o.Now(), !w.stopped.Load()
		after := f.now
		present, err := w.readOne(f, &after)
		if w.stopped.Load() && err != nil {
			now := w.o.Now()
			w.files++
			w.notRead(f, w.large.isSlow(started && 2*now.Sub(began) >= now.Sub(w.from)))
			continue
		}
		path := f.directory.join(f.name)
		if err != nil {
			w.gap(path, err)
		}
		before := w.before(f)
		switch {
		case !present && err == nil:
			if before != nil {
				w.differ(path, before, nil)
			}
			continue
		case err == nil && before != nil && !differs(before, &after):
			if *before != after {
				w.refresh(path, before, &after)
			}
		case err == nil || before == nil && present:
			w.tell(f, before, &after)
		}
		w.files++
	}
}

// readOne reads a file that was put off, whose directory is closed by now.
func (w *worker) readOne(f *largeFile, after *Entry) (present bool, err error) {
	if w.stopped.Load() {
		return true, errStopped
	}
	n := f.directory
	if n.parent == nil {
		return w.read(n, f.name, after, f.known)
	}
	folder, err := w.openFromRoot(n)
	if isAbsent(err) || errors.Is(err, errReplaced) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer folder.close()
	return w.read(&node{parent: n.parent, base: n.base, repository: n.repository, folder: folder}, f.name, after, f.known)
}

func (w *worker) before(f *largeFile) *Entry {
	if f.known == nil {
		return nil
	}
	return w.loaded(f.known)
}

// tell says what became of a file that was put off.
func (w *worker) tell(f *largeFile, before, after *Entry) {
	if before == nil && f.directory.unseen {
		w.refresh(f.directory.join(f.name), nil, after)
	} else {
		w.differ(f.directory.join(f.name), before, after)
	}
}

// notRead is for a file that was not read to its end. When it is slow, its state is what
// there is to observe of it; else what is known of it stays.
func (w *worker) notRead(f *largeFile, slow bool) {
	path := f.directory.join(f.name)
	w.unread = append(w.unread, path)
	before, after := w.before(f), f.now
	after.Slow = slow
	switch {
	case before == nil:
		w.tell(f, nil, &after)
	case !slow:
		w.notObserved = append(w.notObserved, path)
	case before.Kind != after.Kind || before.Perm != after.Perm || before.Size != after.Size || before.ModTime != after.ModTime:
		w.differ(path, before, &after)
	case *before != after:
		w.refresh(path, before, &after)
	}
}
