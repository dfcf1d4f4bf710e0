package content

import (
	"bytes"
	"cmp"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"sort"
	"syscall"

	"github.com/claudewatch/claudewatch/internal/regular"
)

// A pack is magic, the stored bytes of the contents, the index and the footer. Numbers
// are little-endian. The index has for each content, in the order of their hashes:
//
//	hash    32 bytes
//	offset   8 bytes, of the stored bytes in the file
//	stored   4 bytes, their number
//	size     4 bytes, the length of the content; equal to stored when it is not compressed
//
// and the footer: offset of the index (8 bytes), number of contents (4), CRC-32 of the
// index (4), CRC-32 of the footer up to here (4), magic.
const (
	magic      = "cwpack2\n"
	entrySize  = 48
	footerSize = 8 + 4 + 4 + 4 + len(magic)
)

// entry is one content of a pack.
type entry struct {
	hash         Hash
	offset       uint64
	stored, size uint32
}

func (e entry) append(b []byte) []byte {
	b = append(b, e.hash[:]...)
	b = binary.LittleEndian.AppendUint64(b, e.offset)
	b = binary.LittleEndian.AppendUint32(b, e.stored)
	return binary.LittleEndian.AppendUint32(b, e.size)
}

func entryOf(b []byte) entry {
	return entry{
		Hash(b[:32]), binary.LittleEndian.Uint64(b[32:]),
		binary.LittleEndian.Uint32(b[40:]), binary.LittleEndian.Uint32(b[44:]),
	}
}

func crc(b []byte) uint32 { return crc32.ChecksumIEEE(b) }

// footer returns the footer of a pack with an index of count contents and a checksum.
func footer(indexOffset uint64, count int, sum uint32) []byte {
	b := binary.LittleEndian.AppendUint64(nil, indexOffset)
	b = binary.LittleEndian.AppendUint32(b, uint32(count))
	b = binary.LittleEndian.AppendUint32(b, sum)
	b = binary.LittleEndian.AppendUint32(b, crc(b))
	return append(b, magic...)
}

// pack is a pack file whose index was read.
type pack struct {
	path    string
	size    int64  // of the file
	index   []byte // entries in the order of their hashes
	damaged map[Hash]bool
}

var errPack = errors.New("damaged, or no pack of this version; its contents are not used")

// openPack reads the index of a pack.
func openPack(path string) (*pack, error) {
	file, info, err := regular.Open(path)
	if errors.Is(err, regular.ErrNotRegular) || errors.Is(err, syscall.EISDIR) {
		err = fmt.Errorf("pack %s: %w", path, errPack)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	index, err := readIndex(file, info.Size())
	if err != nil {
		return nil, fmt.Errorf("pack %s: %w", path, err)
	}
	return &pack{path: path, size: info.Size(), index: index}, nil
}

// readIndex reads and checks the index of a pack of size bytes.
func readIndex(file io.ReaderAt, size int64) ([]byte, error) {
	if size < int64(len(magic)+footerSize) {
		return nil, errPack
	}
	head := make([]byte, len(magic))
	foot := make([]byte, footerSize)
	if _, err := file.ReadAt(head, 0); err != nil {
		return nil, err
	}
	if _, err := file.ReadAt(foot, size-int64(footerSize)); err != nil {
		return nil, err
	}
	offset := binary.LittleEndian.Uint64(foot)
	length := uint64(binary.LittleEndian.Uint32(foot[8:])) * entrySize
	if string(head) != magic || string(foot[20:]) != magic || crc(foot[:16]) != binary.LittleEndian.Uint32(foot[16:]) ||
		offset < uint64(len(magic)) || offset > uint64(size) || offset+length != uint64(size)-uint64(footerSize) {
		return nil, errPack
	}
	index := make([]byte, length)
	if _, err := file.ReadAt(index, int64(offset)); err != nil && length > 0 {
		return nil, err
	}
	if crc(index) != binary.LittleEndian.Uint32(foot[12:]) || !isIndex(index, offset) {
		return nil, errPack
	}
	return index, nil
}

// isIndex reports whether the entries are in order and lie before the index.
func isIndex(index []byte, indexOffset uint64) bool {
	for i := 0; i < len(index); i += entrySize {
		e := entryOf(index[i:])
		if i > 0 && bytes.Compare(index[i-entrySize:i-entrySize+32], e.hash[:]) >= 0 ||
			e.offset < uint64(len(magic)) || e.offset > indexOffset || uint64(e.stored) > indexOffset-e.offset || e.stored > e.size {
			return false
		}
	}
	return true
}

// find returns the entry of a hash.
func (p *pack) find(hash Hash) (entry, bool) {
	n := len(p.index) / entrySize
	i := sort.Search(n, func(i int) bool {
		return bytes.Compare(p.index[i*entrySize:i*entrySize+32], hash[:]) >= 0
	})
	if i == n {
		return entry{}, false
	}
	e := entryOf(p.index[i*entrySize:])
	return e, e.hash == hash && !p.damaged[hash]
}

// markDamaged makes find not find a hash.
func (p *pack) markDamaged(hash Hash) {
	if p.damaged == nil {
		p.damaged = make(map[Hash]bool)
	}
	p.damaged[hash] = true
}

// entries returns all entries, in the order of their places in the file.
func (p *pack) entries() []entry {
	entries := make([]entry, 0, len(p.index)/entrySize)
	for i := 0; i < len(p.index); i += entrySize {
		if e := entryOf(p.index[i:]); !p.damaged[e.hash] {
			entries = append(entries, e)
		}
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.offset, b.offset) })
	return entries
}

// read returns the content of an entry, whose hash it is made sure to have.
func (p *pack) read(e entry) ([]byte, error) {
	file, err := os.Open(p.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := e.read(file)
	if err != nil {
		return nil, fmt.Errorf("content %x in pack %s: %w", e.hash[:8], p.path, err)
	}
	return content, nil
}

// read returns the content of an entry of a pack file.
func (e entry) read(file io.ReaderAt) ([]byte, error) {
	content := make([]byte, e.stored)
	if _, err := file.ReadAt(content, int64(e.offset)); err != nil && len(content) > 0 {
		return nil, err
	}
	if e.stored != e.size {
		var err error
		if content, err = expand(content, e.size); err != nil {
			return nil, err
		}
	}
	if sha256.Sum256(content) != e.hash {
		return nil, errors.New("the bytes are damaged")
	}
	return content, nil
}

// expand returns the content of size bytes that was compressed to stored. An index can
// say any size: the memory grows with what is there, to no more than size and the byte
// that tells that there is more.
func expand(stored []byte, size uint32) ([]byte, error) {
	reader := flate.NewReader(bytes.NewReader(stored))
	defer reader.Close()
	var content bytes.Buffer
	content.Grow(int(min(uint64(size), 64*uint64(len(stored)), 16<<20)) + bytes.MinRead)
	_, err := io.Copy(&content, io.LimitReader(reader, int64(size)+1))
	return content.Bytes(), err
}
