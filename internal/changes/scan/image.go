package scan

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
)

// The file of a manifest is a header, then three sections:
//
//	entries      for each directory its entries without hashes, sorted by name
//	hashes       for each directory the hashes and blobs of its entries, in the same order
//	directories  for each directory, parents before children and these sorted by name:
//	             its depth, its name, and how long its parts of the other sections are
//
// Numbers of the sections are varints, those of the header little endian. Each section
// has a CRC-32 in the header, and the header has one of its own: to make the tables of
// CRC-32C alone would take a hook 0.2 ms. The hashes, which are half of the file, stay in
// it: a scan that finds nothing needs none.
const (
	imageMagic = "cwscan2\n"
	headerSize = len(imageMagic) + 8 + 4 + 4 + 3*8 + 3*4 + 4
)

// ErrDamaged is the error of a file that is not a whole manifest of this format.
var ErrDamaged = errors.New("the manifest is damaged or of another format; start a new one with the next scan of the root")

// image is a manifest as it is in its file. It never changes.
type image struct {
	directories []imageDirectory
	// names and entries are the sections of the same name; the last of the directories
	// has the end of each.
	names, entries []byte
	hashes         io.ReaderAt
}

// imageDirectory is where the parts of a directory begin. They end where those of the
// next one do.
type imageDirectory struct {
	name, nameEnd uint32
	entries       uint32
	hashes        uint32
	end           uint32 // the first directory that is not below this one
}

// header is what a file begins with.
type header struct {
	step                                  uint64
	flags                                 uint32
	count                                 uint32 // of directories
	entries, hashes, directories          uint64 // the lengths of the sections
	entriesSum, hashesSum, directoriesSum uint32
}

const flagUnseen = 1 // the root has not been read to its end

func (h *header) append(b []byte) []byte {
	b = append(b, imageMagic...)
	b = binary.LittleEndian.AppendUint64(b, h.step)
	b = binary.LittleEndian.AppendUint32(b, h.flags)
	b = binary.LittleEndian.AppendUint32(b, h.count)
	for _, length := range []uint64{h.entries, h.hashes, h.directories} {
		b = binary.LittleEndian.AppendUint64(b, length)
	}
	for _, sum := range []uint32{h.entriesSum, h.hashesSum, h.directoriesSum} {
		b = binary.LittleEndian.AppendUint32(b, sum)
	}
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

func parseHeader(b []byte) (*header, error) {
	if len(b) != headerSize || string(b[:len(imageMagic)]) != imageMagic ||
		crc32.ChecksumIEEE(b[:headerSize-4]) != binary.LittleEndian.Uint32(b[headerSize-4:]) {
		return nil, ErrDamaged
	}
	b = b[len(imageMagic):]
	number := func(size int) uint64 {
		part := make([]byte, 8)
		copy(part, b[:size])
		b = b[size:]
		return binary.LittleEndian.Uint64(part)
	}
	h := &header{
		step: number(8), flags: uint32(number(4)), count: uint32(number(4)),
		entries: number(8), hashes: number(8), directories: number(8),
		entriesSum: uint32(number(4)), hashesSum: uint32(number(4)), directoriesSum: uint32(number(4)),
	}
	if max(h.entries, h.hashes, h.directories) > math.MaxUint32 {
		return nil, ErrDamaged
	}
	return h, nil
}

// readImage reads and checks a file of size bytes. The image reads hashes from the
// file later on.
func readImage(file io.ReaderAt, size int64) (*image, *header, error) {
	b := make([]byte, headerSize)
	if size < int64(headerSize) {
		return nil, nil, ErrDamaged
	}
	if _, err := file.ReadAt(b, 0); err != nil {
		return nil, nil, err
	}
	h, err := parseHeader(b)
	if err != nil {
		return nil, nil, err
	}
	if uint64(size) != uint64(headerSize)+h.entries+h.hashes+h.directories {
		return nil, nil, ErrDamaged
	}
	section := func(offset, length uint64, sum uint32) ([]byte, error) {
		b := make([]byte, length)
		if n, err := file.ReadAt(b, int64(offset)); n < len(b) && err != io.EOF {
			return nil, err
		}
		if crc32.ChecksumIEEE(b) != sum {
			return nil, ErrDamaged
		}
		return b, nil
	}
	at := uint64(headerSize)
	entries, err := section(at, h.entries, h.entriesSum)
	if err != nil {
		return nil, nil, err
	}
	hashes := io.NewSectionReader(file, int64(at+h.entries), int64(h.hashes))
	if err := checkSum(hashes, h.hashesSum); err != nil {
		return nil, nil, err
	}
	directories, err := section(at+h.entries+h.hashes, h.directories, h.directoriesSum)
	if err != nil {
		return nil, nil, err
	}
	m := &image{entries: entries, hashes: hashes}
	if err := m.readDirectories(directories, h); err != nil {
		return nil, nil, err
	}
	return m, h, nil
}

func checkSum(section *io.SectionReader, want uint32) error {
	sum := crc32.NewIEEE()
	if _, err := io.CopyBuffer(struct{ io.Writer }{sum}, section, make([]byte, 128<<10)); err != nil {
		return err
	}
	if sum.Sum32() != want {
		return ErrDamaged
	}
	return nil
}

// readDirectories reads the section of directories.
func (m *image) readDirectories(section []byte, h *header) error {
	if h.count == 0 || uint64(h.count) > h.directories {
		return ErrDamaged
	}
	m.names = section
	m.directories = make([]imageDirectory, 0, h.count+1)
	var open []uint32 // the directories whose ends are not known yet: those above the next one
	var at, entries, hashes uint64
	for i := range h.count {
		depth, length := uint64(0), uint64(0)
		var ok [4]bool
		depth, at, ok[0] = uvarint(section, at)
		length, at, ok[1] = uvarint(section, at)
		if !ok[0] || !ok[1] || length > uint64(len(section))-at || depth > uint64(len(open)) || (depth == 0) != (i == 0) {
			return ErrDamaged
		}
		d := imageDirectory{name: uint32(at), nameEnd: uint32(at + length), entries: uint32(entries), hashes: uint32(hashes)}
		at += length
		for uint64(len(open)) > depth {
			m.directories[open[len(open)-1]].end = i
			if uint64(len(open)) == depth+1 { // the sibling before
				before := m.directories[open[len(open)-1]]
				if bytes.Compare(section[before.name:before.nameEnd], section[d.name:d.nameEnd]) >= 0 {
					return ErrDamaged
				}
			}
			open = open[:len(open)-1]
		}
		if name := section[d.name:d.nameEnd]; i > 0 && !isName(name) {
			return ErrDamaged
		}
		var more, moreHashes uint64
		more, at, ok[2] = uvarint(section, at)
		moreHashes, at, ok[3] = uvarint(section, at)
		if !ok[2] || !ok[3] || more > h.entries-entries || moreHashes > h.hashes-hashes {
			return ErrDamaged
		}
		entries += more
		hashes += moreHashes
		open = append(open, i)
		m.directories = append(m.directories, d)
	}
	if at != uint64(len(section)) || entries != h.entries || hashes != h.hashes {
		return ErrDamaged
	}
	for _, i := range open {
		m.directories[i].end = h.count
	}
	m.directories = append(m.directories, imageDirectory{entries: uint32(entries), hashes: uint32(hashes)})
	return nil
}

// isName reports whether a name can be that of a file.
func isName(name []byte) bool {
	return len(name) > 0 && bytes.IndexByte(name, '/') < 0 && bytes.IndexByte(name, 0) < 0 && string(name) != "." && string(name) != ".."
}

func uvarint(b []byte, at uint64) (value, next uint64, ok bool) {
	value, n := binary.Uvarint(b[at:])
	if n <= 0 {
		return 0, at, false
	}
	return value, at + uint64(n), true
}

// name returns the name of the i-th directory.
func (m *image) name(i uint32) []byte {
	d := &m.directories[i]
	return m.names[d.name:d.nameEnd]
}

// block returns the entries of the i-th directory.
func (m *image) block(i uint32) []byte {
	return m.entries[m.directories[i].entries:m.directories[i+1].entries]
}

// readHashes reads a part of the section of hashes. A file that somebody has cut short
// is damaged.
func (m *image) readHashes(b []byte, at uint32) error {
	n, err := m.hashes.ReadAt(b, int64(at))
	if n == len(b) {
		return nil
	}
	if err == io.EOF {
		return ErrDamaged
	}
	return err
}

// hashesEnd returns where the hashes of the i-th directory end.
func (m *image) hashesEnd(i uint32) uint32 { return m.directories[i+1].hashes }
