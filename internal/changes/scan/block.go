package scan

import (
	"bytes"
	"encoding/binary"
)

// A block holds the entries of one directory, as they are in the section of entries.
type block struct {
	entries []byte
	// source has the hashes, length bytes from at on.
	source     hashSource
	at, length uint32
	forgotten  bool // it says of files that they are kept that are not
}

// A hashSource is where hashes are read from.
type hashSource interface {
	readHashes(b []byte, at uint32) error
}

// memory is a hashSource.
type memory []byte

func (m memory) readHashes(b []byte, at uint32) error {
	copy(b, m[at:])
	return nil
}

// A blockBuilder puts entries into a block. It can be used again after reset.
type blockBuilder struct {
	coder           coder
	entries, hashes []byte
	count           int
}

func (b *blockBuilder) reset() {
	*b = blockBuilder{entries: b.entries[:0], hashes: b.hashes[:0]}
}

// add adds an entry, which comes after those that are there by its name.
func (b *blockBuilder) add(name []byte, e *Entry) {
	k := knownEntry{name: name, entry: *e, hasHash: e.Known(), hasBlob: e.hasBlob()}
	b.entries = b.coder.append(b.entries, &k)
	b.hashes = appendHashes(b.hashes, e)
	b.count++
}

// block returns a block of its own.
func (b *blockBuilder) block() *block {
	return &block{entries: bytes.Clone(b.entries), source: memory(bytes.Clone(b.hashes)), length: uint32(len(b.hashes))}
}

// The first byte of an entry.
const (
	headKind = 0b111
	headHash = 1 << iota << 2
	headBlob
	headKept // without headHash: Slow
	headYoung
	headPerm // the permission bits are those of the entry before
)

// A coder writes or reads the entries of one directory, which are told by how they
// differ from the one before.
type coder struct {
	perm    uint32
	modTime int64
	inode   uint64
}

// append appends an entry without its hashes.
func (c *coder) append(b []byte, k *knownEntry) []byte {
	e := &k.entry
	head := byte(e.Kind)
	if k.hasHash {
		head |= headHash
	}
	if k.hasBlob {
		head |= headBlob
	}
	if k.hasHash && e.Kept || !k.hasHash && e.Slow {
		head |= headKept
	}
	if e.Young {
		head |= headYoung
	}
	if e.Perm == c.perm {
		head |= headPerm
	}
	b = append(b, head)
	b = binary.AppendUvarint(b, uint64(len(k.name)))
	b = append(b, k.name...)
	if e.Perm != c.perm {
		b = binary.AppendUvarint(b, uint64(e.Perm))
	}
	b = binary.AppendVarint(b, e.Size)
	b = binary.AppendVarint(b, e.ModTime-c.modTime)
	b = binary.AppendVarint(b, e.ChangeTime-e.ModTime)
	b = binary.AppendVarint(b, int64(e.Inode-c.inode))
	c.perm, c.modTime, c.inode = e.Perm, e.ModTime, e.Inode
	return b
}

// appendHashes appends the hashes of an entry.
func appendHashes(b []byte, e *Entry) []byte {
	if e.Known() {
		b = append(b, e.Hash[:]...)
	}
	if e.hasBlob() {
		b = append(b, e.Blob[:]...)
	}
	return b
}

// next reads an entry without its hashes and returns what is left of the block.
func (c *coder) next(b []byte, k *knownEntry) (rest []byte, ok bool) {
	head := b[0]
	length, n := binary.Uvarint(b[1:])
	if n <= 0 || length > uint64(len(b)-1-n) {
		return nil, false
	}
	name := b[1+n : 1+n+int(length)]
	at := 1 + n + int(length)
	if head&headPerm == 0 {
		perm, n := binary.Uvarint(b[at:])
		if n <= 0 {
			return nil, false
		}
		at += n
		c.perm = uint32(perm)
	}
	var numbers [4]int64
	for i := range numbers {
		value, n := binary.Varint(b[at:])
		if n <= 0 {
			return nil, false
		}
		at += n
		numbers[i] = value
	}
	c.modTime += numbers[1]
	c.inode += uint64(numbers[3])
	kind := Kind(head & headKind)
	if kind < Regular || kind > Unseen || !isName(name) {
		return nil, false
	}
	k.name = name
	k.entry.Kind, k.entry.Perm, k.entry.Size = kind, c.perm, numbers[0]
	k.entry.ModTime, k.entry.ChangeTime, k.entry.Inode = c.modTime, c.modTime+numbers[2], c.inode
	k.hasHash, k.hasBlob = head&headHash != 0, head&headBlob != 0
	k.entry.Kept, k.entry.Slow = k.hasHash && head&headKept != 0, !k.hasHash && head&headKept != 0
	k.entry.Young = head&headYoung != 0
	return b[at:], true
}
