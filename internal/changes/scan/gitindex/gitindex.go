// Package gitindex reads git's index: which blob each file of a working tree is
// tracked as. The format is that of gitformat-index(5), versions 2, 3 and 4, of
// repositories whose object names are SHA-1.
package gitindex

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
)

// Index holds the tracked regular files of an index, in few bytes each: their paths are
// not among them.
type Index struct {
	seed  maphash.Seed
	files []file // sorted by path
}

// A file is what is kept of an entry.
type file struct {
	path uint64 // a hash
	Entry
}

// Entry is what the index says of a file.
type Entry struct {
	// Size is that of the file when git last looked at it, in bytes, without all but the
	// last 32 bits. It is 0 also where git doubts what it knows.
	Size uint32
	// Blob is the id of the object.
	Blob [20]byte
}

const (
	headerSize   = 12
	fixedSize    = 62 // of an entry, from its times to its flags
	checksumSize = 20
	maxPath      = 1 << 20

	flagExtended = 1 << 14
	stageMask    = 3 << 12
	intentToAdd  = 1 << 13 // of the second flags

	typeMask    = 0o170000
	typeRegular = 0o100000
)

var errFormat = errors.New("the index is damaged or of another format")

// Read reads an index of size bytes. Unmerged entries, links, submodules, directories of
// a sparse index and files that are only intended to be added are left out. It is an
// error when the index needs something else to be understood: a shared index, an
// extension that is not known. The checksum at the end is not looked at, as git itself
// does not: whoever uses an entry compares the blob with the content of the file.
func Read(source io.Reader, size int64) (*Index, error) {
	r := &reader{source: bufio.NewReaderSize(source, 64<<10), left: size - checksumSize}
	header, err := r.next(headerSize)
	if err != nil {
		return nil, err
	}
	if string(header[:4]) != "DIRC" {
		return nil, errFormat
	}
	version, count := binary.BigEndian.Uint32(header[4:]), binary.BigEndian.Uint32(header[8:])
	if version < 2 || version > 4 {
		return nil, fmt.Errorf("version %d of the index is unknown", version)
	}
	if int64(count) > r.left/(fixedSize+1) {
		return nil, errFormat
	}
	x := &Index{seed: maphash.MakeSeed(), files: make([]file, 0, count)}
	for range count {
		if err := x.readEntry(r, version); err != nil {
			return nil, err
		}
	}
	if err := r.checkExtensions(); err != nil {
		return nil, err
	}
	slices.SortFunc(x.files, func(a, b file) int { return cmp.Compare(a.path, b.path) })
	return x, nil
}

// reader reads the parts of an index.
type reader struct {
	source *bufio.Reader
	left   int64 // bytes in front of the checksum
	part   [fixedSize]byte
	path   []byte // of the last entry
	before []byte // of the one before
}

// next returns the next bytes, at most as many as an entry has before its path. They are
// valid until the next call.
func (r *reader) next(n int) ([]byte, error) {
	if r.left -= int64(n); r.left < 0 {
		return nil, errFormat
	}
	_, err := io.ReadFull(r.source, r.part[:n])
	return r.part[:n], unexpected(err)
}

// unexpected makes the end of a file that is too short what is wrong with it.
func unexpected(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errFormat
	}
	return err
}

// skip goes on by n bytes.
func (r *reader) skip(n int64) error {
	if n > r.left {
		return errFormat
	}
	r.left -= n
	_, err := io.CopyN(io.Discard, r.source, n)
	return unexpected(err)
}

// addPath reads up to a zero byte and appends that to the path.
func (r *reader) addPath() error {
	for {
		part, err := r.source.ReadSlice(0)
		if r.left -= int64(len(part)); r.left < 0 {
			return errFormat
		}
		r.path = append(r.path, part...)
		if err == nil {
			r.path = r.path[:len(r.path)-1]
			return nil
		}
		if err != bufio.ErrBufferFull || len(r.path) > maxPath {
			return unexpected(err)
		}
	}
}

// readEntry reads one entry, and keeps it when it is of a regular file.
func (x *Index) readEntry(r *reader, version uint32) error {
	fixed, err := r.next(fixedSize)
	if err != nil {
		return err
	}
	e := Entry{Size: binary.BigEndian.Uint32(fixed[36:]), Blob: [20]byte(fixed[40:60])}
	mode, flags := binary.BigEndian.Uint32(fixed[24:]), binary.BigEndian.Uint16(fixed[60:])
	wanted := mode&typeMask == typeRegular && flags&stageMask == 0
	length := fixedSize
	if flags&flagExtended != 0 {
		more, err := r.next(2)
		if err != nil || version == 2 {
			return errFormat
		}
		wanted = wanted && binary.BigEndian.Uint16(more)&intentToAdd == 0
		length += 2
	}
	r.before = append(r.before[:0], r.path...)
	if version == 4 {
		err = r.shortenedPath()
	} else {
		err = r.paddedPath(length)
	}
	if err != nil {
		return err
	}
	if len(r.path) == 0 || bytes.Compare(r.before, r.path) > 0 { // stages of one path follow each other
		return errFormat
	}
	if wanted {
		x.files = append(x.files, file{maphash.Bytes(x.seed, r.path), e})
	}
	return nil
}

// paddedPath reads the path of an entry of version 2 or 3: it ends with as many zero
// bytes, at least one, as make the entry a multiple of eight bytes.
func (r *reader) paddedPath(length int) error {
	r.path = r.path[:0]
	if err := r.addPath(); err != nil {
		return err
	}
	length += len(r.path) + 1
	return r.skip(int64(-length & 7))
}

// shortenedPath reads the path of an entry of version 4: how many bytes of the path
// before fall away, and what takes their place.
func (r *reader) shortenedPath() error {
	removed, err := r.offset()
	if err != nil || removed > len(r.path) {
		return errFormat
	}
	r.path = r.path[:len(r.path)-removed]
	return r.addPath()
}

// offset reads a number as pack files have their offsets (gitformat-pack(5)).
func (r *reader) offset() (value int, err error) {
	for range 5 {
		b, err := r.next(1)
		if err != nil {
			return 0, err
		}
		value |= int(b[0] & 0x7f)
		if b[0]&0x80 == 0 {
			return value, nil
		}
		value = (value + 1) << 7
	}
	return 0, errFormat
}

// checkExtensions looks for extensions that must be understood: their names begin with
// a lower-case letter.
func (r *reader) checkExtensions() error {
	for r.left > 0 {
		head, err := r.next(8)
		if err != nil {
			return err
		}
		name, size := string(head[:4]), int64(binary.BigEndian.Uint32(head[4:]))
		// "sdir" allows entries that are directories.
		if (name[0] < 'A' || name[0] > 'Z') && name != "sdir" {
			return fmt.Errorf("the extension %q of the index is unknown", name)
		}
		if err := r.skip(size); err != nil {
			return err
		}
	}
	return nil
}

// Lookup returns the entry of a path, which is relative to the top of the working
// tree, with slashes. Once in a very long time it is that of another path.
func (x *Index) Lookup(path string) (Entry, bool) {
	i, ok := slices.BinarySearchFunc(x.files, maphash.String(x.seed, path), func(f file, path uint64) int { return cmp.Compare(f.path, path) })
	if !ok {
		return Entry{}, false
	}
	return x.files[i].Entry, true
}

// Len returns how many files the index holds.
func (x *Index) Len() int { return len(x.files) }
