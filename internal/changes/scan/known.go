package scan

import "bytes"

// knownDirectory is what a manifest knows of one directory. The zero value knows
// nothing.
type knownDirectory struct {
	manifest *Manifest
	// index is the place of the directory in the image, plus one; 0 when it has none.
	index uint32
	over  *overlay
}

// isKnown reports whether a scan has been in the directory.
func (d knownDirectory) isKnown() bool { return d.index > 0 || d.over != nil }

// block returns the entries of the directory before those of the overlay.
func (d knownDirectory) block() block {
	switch {
	case d.over != nil && d.over.first != nil:
		return *d.over.first
	case d.index > 0:
		image := d.manifest.image
		at := image.directories[d.index-1].hashes
		return block{image.block(d.index - 1), image, at, image.hashesEnd(d.index-1) - at, d.manifest.forgotten}
	default:
		return block{}
	}
}

// isBlock reports whether the entries of the directory are those of its block.
func (d knownDirectory) isBlock() bool { return d.over == nil || len(d.over.entries) == 0 }

// root returns the directory that everything is below.
func (m *Manifest) root() knownDirectory {
	d := knownDirectory{manifest: m, over: &m.over}
	if m.image != nil {
		d.index = 1
	}
	return d
}

// child returns what is known of a directory in this one.
func (d knownDirectory) child(name []byte) knownDirectory {
	c := d.children()
	for c.next() && bytes.Compare(c.name, name) < 0 {
	}
	if c.ok && bytes.Equal(c.name, name) {
		return c.child
	}
	return knownDirectory{}
}

// knownEntry is an entry whose hashes may still be in the file of the image.
type knownEntry struct {
	name             []byte
	entry            Entry // without its hashes when lazy
	hasHash, hasBlob bool
	lazy             bool
	source           hashSource // where the hashes are when lazy
	hashes           uint32
}

// load reads the hashes of an entry.
func (k *knownEntry) load() error {
	if !k.lazy {
		return nil
	}
	var b [32 + 20]byte
	size := k.hashSize()
	if err := k.source.readHashes(b[:size], k.hashes); err != nil {
		return err
	}
	at := 0
	if k.hasHash {
		at = copy(k.entry.Hash[:], b[:])
	}
	if k.hasBlob {
		copy(k.entry.Blob[:], b[at:])
	}
	k.lazy = false
	return nil
}

func (k *knownEntry) hashSize() (size int) {
	if k.hasHash {
		size += len(k.entry.Hash)
	}
	if k.hasBlob {
		size += len(k.entry.Blob)
	}
	return size
}

// entryCursor goes through the entries of a directory by name. It must not be copied
// while it is in use.
type entryCursor struct {
	current *knownEntry // nil at the end
	err     error       // ErrDamaged, which ends it

	block    block // what is left of it
	coder    coder
	base     knownEntry // the next of the block
	hasBase  bool
	fromBase bool // current is base
	over     []overlayEntry
	overlaid knownEntry
}

// entries returns a cursor before the first entry.
func (d knownDirectory) entries() entryCursor {
	c := entryCursor{block: d.block()}
	if d.over != nil {
		c.over = d.over.entries
	}
	return c
}

// next goes to the next entry. It returns false at the end.
func (c *entryCursor) next() bool {
	if c.fromBase {
		c.hasBase, c.fromBase = false, false
	}
	for {
		if !c.hasBase && len(c.block.entries) > 0 {
			c.decode()
		}
		order := 1 // of the block's entry against that of the overlay
		switch {
		case !c.hasBase && len(c.over) == 0:
			c.current = nil
			return false
		case len(c.over) == 0:
			order = -1
		case c.hasBase:
			order = bytes.Compare(c.base.name, c.over[0].name)
		}
		if order < 0 {
			c.current, c.fromBase = &c.base, true
			return true
		}
		if order == 0 {
			c.hasBase = false
		}
		o := &c.over[0]
		c.over = c.over[1:]
		if o.present {
			c.overlaid = knownEntry{name: o.name, entry: o.entry, hasHash: o.entry.Known(), hasBlob: o.entry.hasBlob()}
			c.current = &c.overlaid
			return true
		}
	}
}

// decode reads the next entry of the block.
func (c *entryCursor) decode() {
	k := &c.base
	previous := k.name
	rest, ok := c.coder.next(c.block.entries, k)
	if !ok || bytes.Compare(previous, k.name) >= 0 {
		c.block, c.err = block{}, ErrDamaged
		return
	}
	k.lazy, k.source, k.hashes = k.hasHash || k.hasBlob, c.block.source, c.block.at
	k.entry.Hash, k.entry.Blob = [32]byte{}, [20]byte{}
	if c.block.forgotten {
		k.entry.Kept = false
	}
	c.block.entries, c.hasBase = rest, true
	c.block.at += uint32(k.hashSize())
}

// childCursor goes through the directories in a directory by name.
type childCursor struct {
	ok    bool // false at the end
	name  []byte
	child knownDirectory

	manifest  *Manifest
	base, end uint32 // in the image
	over      []overlayChild
}

// children returns a cursor before the first directory.
func (d knownDirectory) children() childCursor {
	c := childCursor{manifest: d.manifest}
	if d.index > 0 {
		c.base, c.end = d.index, d.manifest.image.directories[d.index-1].end
	}
	if d.over != nil {
		c.over = d.over.children
	}
	return c
}

// next goes to the next directory. It returns false at the end.
func (c *childCursor) next() bool {
	c.ok = c.base < c.end || len(c.over) > 0
	if !c.ok {
		return false
	}
	order := 1 // of the image's directory against that of the overlay
	if c.base < c.end {
		order = -1
		if len(c.over) > 0 {
			order = bytes.Compare(c.manifest.image.name(c.base), c.over[0].name)
		}
	}
	c.child = knownDirectory{manifest: c.manifest}
	if order >= 0 {
		c.name, c.child.over = c.over[0].name, c.over[0].over
		c.over = c.over[1:]
	}
	if order <= 0 {
		c.name, c.child.index = c.manifest.image.name(c.base), c.base+1
		c.base = c.manifest.image.directories[c.base].end
	}
	return true
}
