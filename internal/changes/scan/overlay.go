package scan

import (
	"bytes"
	"slices"
)

// An overlay is what is known of a directory since the image was written.
type overlay struct {
	first    *block         // what was first seen of it, in the place of what the image has
	entries  []overlayEntry // sorted by name
	children []overlayChild // sorted by name
}

type overlayEntry struct {
	name    []byte
	present bool // false: the entry of the image is gone
	entry   Entry
}

type overlayChild struct {
	name []byte
	over *overlay
}

// set puts an entry in the place of another, nil for none. When both a file and a
// directory that is not wholly seen come and go under a name in one step, what comes
// stays, in whatever order they are told.
func (o *overlay) set(name []byte, before, after *Entry) {
	i := len(o.entries)
	if i > 0 && bytes.Compare(o.entries[i-1].name, name) >= 0 { // else at the end, as lists are sorted
		var found bool
		i, found = slices.BinarySearchFunc(o.entries, name, func(o overlayEntry, name []byte) int { return bytes.Compare(o.name, name) })
		if found {
			if e := &o.entries[i]; after != nil || !e.present || before == nil || (e.entry.Kind == Unseen) == (before.Kind == Unseen) {
				e.put(after)
			}
			return
		}
	}
	o.entries = slices.Insert(o.entries, i, overlayEntry{name: bytes.Clone(name)})
	o.entries[i].put(after)
}

func (o *overlayEntry) put(e *Entry) {
	o.present, o.entry = e != nil, Entry{}
	if e != nil {
		o.entry = *e
	}
}

// child returns the overlay of a directory below, which it makes when there is none.
func (o *overlay) child(name []byte) *overlay {
	i, found := slices.BinarySearchFunc(o.children, name, func(c overlayChild, name []byte) int { return bytes.Compare(c.name, name) })
	if found {
		return o.children[i].over
	}
	o.children = slices.Insert(o.children, i, overlayChild{bytes.Clone(name), &overlay{}})
	return o.children[i].over
}

// forgetKept makes the overlay say of no file that its bytes are kept.
func (o *overlay) forgetKept() {
	if o.first != nil {
		o.first.forgotten = true
	}
	for i := range o.entries {
		o.entries[i].entry.Kept = false
	}
	for _, c := range o.children {
		c.over.forgetKept()
	}
}
