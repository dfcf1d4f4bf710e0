package scan

import (
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"strconv"
)

// file compares the state of what is no directory with what is known of it, nil for
// nothing. It returns false when the context ended before that was done.
func (w *worker) file(n *node, name string, now *Entry, k *knownEntry) bool {
	if k != nil && k.entry.Kind == Unseen {
		w.refresh(n.join(name), &Entry{Kind: Unseen}, nil)
		k = nil
	}
	if k != nil && w.isUnchanged(n, name, now, k) {
		w.files++
		return true
	}
	if w.isLarge(now) {
		w.later(n, name, now, k)
		return true
	}
	after := *now
	present, err := w.read(n, name, &after, k)
	if w.stopped.Load() && err != nil {
		return false
	}
	if err != nil {
		w.gap(n.join(name), err)
	}
	var before *Entry
	if k != nil {
		before = w.loaded(k)
	}
	switch {
	case !present:
		if before != nil {
			w.differ(n.join(name), before, nil)
		}
		return true
	case err == nil || before == nil:
		w.found(n, name, before, &after)
	}
	w.files++
	return true
}

// isUnchanged reports whether a file is as it is known, and nothing more is wanted of it.
func (w *worker) isUnchanged(n *node, name string, now *Entry, k *knownEntry) bool {
	e := &k.entry
	return e.SameState(now) && !e.Young && (k.hasHash || e.Kind == Other || e.Slow) &&
		(e.Perm == now.Perm || e.Kind != Regular) &&
		(e.Kept || k.hasBlob || !w.isWanted(n, name, e))
}

// isWanted reports whether the bytes of a file are to be kept.
func (w *worker) isWanted(n *node, name string, e *Entry) bool {
	return w.o.Keep != nil && e.Kind == Regular && 0 < e.Size && e.Size <= w.o.SizeCap &&
		(w.o.Secret == nil || !w.o.Secret(n.join(name)))
}

// found puts what was found where it belongs.
func (w *worker) found(n *node, name string, before, after *Entry) {
	switch {
	case before == nil && n.unseen:
		w.builder.add([]byte(name), after)
	case before == nil || differs(before, after):
		w.differ(n.join(name), before, after)
	case *before != *after:
		w.refresh(n.join(name), before, after)
	}
}

// differs reports whether a record has to tell what became of an entry.
func differs(before, after *Entry) bool {
	switch {
	case before.Kind != after.Kind, before.Kind == Regular && before.Perm != after.Perm:
		return true
	case before.Known():
		return before.Hash != after.Hash
	default: // it could not be read before
		return before.Kind == Regular && (before.Size != after.Size || before.ModTime != after.ModTime)
	}
}

// look returns what is in a directory under a name, nil for nothing or a directory.
func (w *worker) look(n *node, name string) (*Entry, error) {
	s, err := n.folder.stateOf(name)
	if isAbsent(err) || err == nil && s.directory {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	present, err := w.read(n, name, &s.entry, nil)
	if err != nil || !present {
		return nil, err
	}
	return &s.entry, nil
}

// attempts is how often a file is looked at that is replaced again and again.
const attempts = 5

// read fills in what only reading tells of what is in a directory under a name. The
// state may be a new one then. It returns whether the name is still there.
func (w *worker) read(n *node, name string, e *Entry, k *knownEntry) (present bool, err error) {
	for range attempts {
		state := *e
		switch e.Kind {
		case Regular:
			err = w.readFile(n, name, e, k)
		case Symlink:
			err = readLink(n, name, e)
		default:
			return true, nil
		}
		e.Young = e.Young || max(e.ModTime, e.ChangeTime) >= w.young
		if !errors.Is(err, errReplaced) && !isAbsent(err) {
			return true, err
		}
		now, stateErr := n.folder.stateOf(name)
		if isAbsent(stateErr) {
			return false, nil
		}
		if stateErr != nil || now.directory {
			*e = state
			return true, err
		}
		*e = now.entry
	}
	return true, err
}

func readLink(n *node, name string, e *Entry) error {
	target, err := n.folder.readLink(name)
	e.Hash, e.Size = sha256.Sum256([]byte(target)), int64(len(target))
	return err
}

// readFile hashes a file, and keeps its bytes when they are wanted.
func (w *worker) readFile(n *node, name string, e *Entry, k *knownEntry) error {
	if e.Size == 0 { // also what procfs calls a file, where a read may wait for ever
		e.Hash = sha256.Sum256(nil)
		return nil
	}
	file, err := n.folder.openFile(name)
	if err != nil {
		return err
	}
	defer file.close()
	before, err := file.state()
	if err != nil {
		return err
	}
	if before.entry.Kind != Regular {
		return errReplaced
	}
	*e = before.entry
	blob, tracked := n.repository.blob(n, name, e.Size)
	content, err := w.hash(file, e, tracked, blob)
	if err != nil {
		return err
	}
	if after, err := file.state(); err != nil || !after.entry.SameState(&before.entry) {
		e.Young = true // it was written to meanwhile
	}
	if k != nil && k.entry.Kept && w.loaded(k).Hash == e.Hash {
		e.Kept = true
	}
	if content != nil && !e.Kept && !e.hasBlob() && w.isWanted(n, name, e) {
		w.keep(n.join(name), e, content)
	}
	return nil
}

// keep offers the bytes of a file to the content store.
func (w *worker) keep(path string, e *Entry, content []byte) {
	if w.o.Has != nil && w.o.Has(e.Hash) {
		e.Kept = true
		return
	}
	if w.stopped.Load() { // the store may not expect anything any more
		return
	}
	if err := w.o.Keep(e.Hash, content); err != nil {
		w.notKept = append(w.notKept, fmt.Sprintf("%s: its bytes could not be kept: %v", quote(path), err))
		return
	}
	e.Kept = true
}

var errStopped = errors.New("the scan was stopped")

// Sizes of what is read at once.
const (
	minBuffer = 64 << 10
	maxChunk  = 256 << 10
)

// hash reads a file to its end and sets the size and the hash of what was read, and the
// blob when it is the one that git tracks. It returns the content when it is not larger
// than the cap, else nil; it is valid until the next call.
func (w *worker) hash(f io.Reader, e *Entry, tracked bool, blob [20]byte) (content []byte, err error) {
	var object hash.Hash // of git, over a header and the content (gitformat-pack(5), "object name")
	if tracked {
		object = sha1.New()
		io.WriteString(object, "blob "+strconv.FormatInt(e.Size, 10)+"\x00")
	}
	if w.buffer == nil {
		w.buffer, w.sum = make([]byte, minBuffer), sha256.New()
	}
	w.sum.Reset()
	size, start, whole := int64(0), 0, true // the content is buffer[:start], or not whole
	for {
		if start == len(w.buffer) {
			w.buffer = slices.Grow(w.buffer, len(w.buffer))
			w.buffer = w.buffer[:cap(w.buffer)]
		}
		if w.stopped.Load() {
			return nil, errStopped
		}
		part := w.buffer[start:min(len(w.buffer), start+maxChunk)]
		read, err := f.Read(part)
		part = part[:read]
		w.sum.Write(part)
		if tracked {
			object.Write(part)
		}
		if size += int64(read); size > w.o.SizeCap {
			start, whole = 0, false
		} else {
			start += read
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	w.sum.Sum(e.Hash[:0])
	if tracked && size == e.Size && [20]byte(object.Sum(nil)) == blob {
		e.Blob = blob
	}
	e.Size = size
	if !whole {
		return nil, nil
	}
	return w.buffer[:start], nil
}
