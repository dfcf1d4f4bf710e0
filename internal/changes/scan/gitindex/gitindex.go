// Package gitindex reads git's index: which blob each file of a working tree is
// tracked as. The format is that of gitformat-index(5), versions 2, 3 and 4, of
// repositories whose object names are SHA-1.
package gitindex

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"sort"
)

// Index holds the tracked regular files of an index.
type Index struct {
	// content is the index; names are in it, or for version 4, whose names are shortened,
	// in names.
	content, names []byte
	files          []file
}

// A file is where the parts of one entry are.
type file struct {
	name, length uint32 // in names
	entry        uint32 // in content
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

	flagExtended = 1 << 14
	stageMask    = 3 << 12
	intentToAdd  = 1 << 13 // of the second flags

	typeMask    = 0o170000
	typeRegular = 0o100000
)

var errFormat = errors.New("the index is damaged or of another format")

// Parse reads the content of an index, which must not change afterwards. Unmerged
// entries, links, submodules, directories of a sparse index and files that are only
// intended to be added are left out. It is an error when the index needs something else
// to be understood: a shared index, an extension that is not known. The checksum at the
// end is not looked at, as git itself does not: whoever uses an entry compares the blob
// with the content of the file.
func Parse(content []byte) (*Index, error) {
	if len(content) < headerSize+checksumSize || string(content[:4]) != "DIRC" || len(content) > 1<<31 {
		return nil, errFormat
	}
	version := binary.BigEndian.Uint32(content[4:])
	count := binary.BigEndian.Uint32(content[8:])
	if version < 2 || version > 4 {
		return nil, fmt.Errorf("version %d of the index is unknown", version)
	}
	end := len(content) - checksumSize
	if uint64(count)*(fixedSize+1) > uint64(end) {
		return nil, errFormat
	}
	x := &Index{content: content, names: content, files: make([]file, 0, count)}
	if version == 4 {
		x.names = nil
	}
	at, err := x.readEntries(version, int(count), end)
	if err != nil {
		return nil, err
	}
	if err := checkExtensions(content[at:end]); err != nil {
		return nil, err
	}
	return x, nil
}

// readEntries reads count entries and returns where what follows them begins.
func (x *Index) readEntries(version uint32, count, end int) (int, error) {
	at := headerSize
	var previous []byte
	for range count {
		entry := at
		if end-at < fixedSize {
			return 0, errFormat
		}
		mode := binary.BigEndian.Uint32(x.content[at+24:])
		flags := binary.BigEndian.Uint16(x.content[at+60:])
		at += fixedSize
		wanted := mode&typeMask == typeRegular && flags&stageMask == 0
		if flags&flagExtended != 0 {
			if version == 2 || end-at < 2 {
				return 0, errFormat
			}
			wanted = wanted && binary.BigEndian.Uint16(x.content[at:])&intentToAdd == 0
			at += 2
		}
		var name, next int
		var err error
		var length int
		if version == 4 {
			name, length, next, err = x.shortenedName(previous, at, end)
		} else {
			name, length, next, err = x.paddedName(entry, at, end)
		}
		if err != nil {
			return 0, err
		}
		at = next
		current := x.names[name : name+length]
		if length == 0 || bytes.Compare(previous, current) > 0 { // stages of one name follow each other
			return 0, errFormat
		}
		previous = current
		if wanted {
			x.files = append(x.files, file{uint32(name), uint32(length), uint32(entry)})
		}
	}
	return at, nil
}

// paddedName finds the name of an entry of version 2 or 3: it ends with as many zero
// bytes, at least one, as make the entry a multiple of eight bytes.
func (x *Index) paddedName(entry, at, end int) (name, length, next int, err error) {
	length = bytes.IndexByte(x.content[at:end], 0)
	if length < 0 {
		return 0, 0, 0, errFormat
	}
	next = entry + (at+length-entry+8)&^7
	if next > end {
		return 0, 0, 0, errFormat
	}
	return at, length, next, nil
}

// shortenedName reads the name of an entry of version 4: how many bytes of the name
// before fall away, and what takes their place.
func (x *Index) shortenedName(previous []byte, at, end int) (name, length, next int, err error) {
	removed, at, err := x.offset(at, end)
	if err != nil || removed > len(previous) {
		return 0, 0, 0, errFormat
	}
	added := bytes.IndexByte(x.content[at:end], 0)
	if added < 0 || len(x.names) > 1<<30 {
		return 0, 0, 0, errFormat
	}
	name = len(x.names)
	x.names = append(x.names, previous[:len(previous)-removed]...)
	x.names = append(x.names, x.content[at:at+added]...)
	return name, len(x.names) - name, at + added + 1, nil
}

// offset reads a number as pack files have their offsets (gitformat-pack(5)).
func (x *Index) offset(at, end int) (value, next int, err error) {
	for i := 0; at < end && i < 5; i++ {
		b := x.content[at]
		at++
		value |= int(b & 0x7f)
		if b&0x80 == 0 {
			return value, at, nil
		}
		value = (value + 1) << 7
	}
	return 0, 0, errFormat
}

// checkExtensions looks for extensions that must be understood: their names begin with
// a lower-case letter.
func checkExtensions(rest []byte) error {
	for len(rest) > 0 {
		if len(rest) < 8 {
			return errFormat
		}
		name, size := string(rest[:4]), uint64(binary.BigEndian.Uint32(rest[4:]))
		if size > uint64(len(rest)-8) {
			return errFormat
		}
		// "sdir" allows entries that are directories.
		if (name[0] < 'A' || name[0] > 'Z') && name != "sdir" {
			return fmt.Errorf("the extension %q of the index is unknown", name)
		}
		rest = rest[8+size:]
	}
	return nil
}

// Lookup returns the entry of a path, which is relative to the top of the working
// tree, with slashes.
func (x *Index) Lookup(path string) (Entry, bool) {
	i := sort.Search(len(x.files), func(i int) bool { return string(x.name(i)) >= path })
	if i == len(x.files) || string(x.name(i)) != path {
		return Entry{}, false
	}
	at := int(x.files[i].entry)
	return Entry{
		Size: binary.BigEndian.Uint32(x.content[at+36:]),
		Blob: [20]byte(x.content[at+40 : at+60]),
	}, true
}

// Len returns how many files the index holds.
func (x *Index) Len() int { return len(x.files) }

func (x *Index) name(i int) []byte {
	f := x.files[i]
	return x.names[f.name : f.name+f.length]
}
