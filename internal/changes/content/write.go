package content

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/claudewatch/claudewatch/internal/ownfile"
)

// Pack is what is being kept: a pack file that is being written, and others before it when
// there is much. Commit or Abort ends it.
type Pack struct {
	store *Store
	mutex sync.Mutex
	err   error    // of the first thing that went wrong
	full  []string // files that are whole and have no names of packs yet
	writer
}

// maxContents is how many contents a file has at most: what is known of each is in memory
// until the file is whole. The index of a full one alone is larger than joinSize.
const maxContents = 1 << 15

// writer writes a pack file. The zero writer has no file yet.
type writer struct {
	file    *os.File
	buffer  *bufio.Writer
	offset  uint64
	entries []entry
	kept    map[uint64]int32 // indexes of entries, by the first bytes of their hashes
}

// NewPack returns a new pack of the store. There is no file before something is kept.
func (s *Store) NewPack() *Pack { return &Pack{store: s} }

// compressors are reused: each has more than a megabyte of tables.
var compressors = sync.Pool{New: func() any {
	w, err := flate.NewWriter(io.Discard, flate.BestSpeed)
	if err != nil {
		panic(err) // of a level that does not exist
	}
	return &compressor{writer: w}
}}

type compressor struct {
	writer *flate.Writer
	result bytes.Buffer
}

// compress returns content in fewer bytes, or content when they are not fewer. The
// result is valid until the next call.
func (c *compressor) compress(content []byte) []byte {
	c.result.Reset()
	c.writer.Reset(&c.result)
	_, err := c.writer.Write(content)
	if err := errors.Join(err, c.writer.Close()); err != nil || c.result.Len() >= len(content) {
		return content
	}
	return c.result.Bytes()
}

// Keep adds a content to the pack, unless the store has it. The hash must be its
// SHA-256. Keep may be called at the same time for many contents. After an error
// nothing more can be kept in the pack.
func (p *Pack) Keep(hash Hash, content []byte) error {
	if len(content) > math.MaxInt32 {
		return fmt.Errorf("content %x: %d bytes are more than can be kept", hash[:8], len(content))
	}
	if p.has(hash) || p.store.Has(hash) {
		return p.failure()
	}
	c := compressors.Get().(*compressor)
	defer compressors.Put(c)
	stored := c.compress(content)

	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.err != nil || p.writer.has(hash) {
		return p.err
	}
	if p.file == nil {
		p.err = p.writer.create(p.store.directory)
		_ = p.store.removeParts()
	}
	if p.err == nil {
		p.err = p.writer.add(hash, stored, len(content))
	}
	if p.err == nil && len(p.entries) == maxContents {
		p.err = p.endFile()
	}
	return p.err
}

// endFile ends the file that is being written. The next content begins another one.
func (p *Pack) endFile() error {
	p.full = append(p.full, p.file.Name())
	return p.writer.finish()
}

func (p *Pack) has(hash Hash) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.writer.has(hash)
}

func (p *Pack) failure() error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.err
}

// Commit puts the pack into the store: when it returns nil, all that was kept is on the
// disk. When it returns an error, nothing that was kept in this pack is.
func (p *Pack) Commit() error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.err == nil && p.file != nil {
		p.err = p.endFile()
	}
	if p.err == nil && len(p.full) > 0 {
		p.store.mutex.Lock()
		defer p.store.mutex.Unlock()
		p.store.list()
		if p.err = p.store.take(p.full); p.err == nil {
			p.full = nil
			p.store.problem(p.store.join()) // what was kept is kept
		}
	}
	if p.err != nil {
		p.remove()
	}
	return p.err
}

// Abort drops the pack, and does nothing after Commit.
func (p *Pack) Abort() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.remove()
	if p.err == nil {
		p.err = errors.New("the pack was given up")
	}
}

func (p *Pack) remove() {
	p.writer.remove()
	for _, path := range p.full {
		_ = os.Remove(path)
	}
	p.full = nil
}

func (w *writer) has(hash Hash) bool {
	i, ok := w.kept[first(hash)]
	return ok && w.entries[i].hash == hash
}

func first(hash Hash) uint64 { return binary.BigEndian.Uint64(hash[:]) }

func (w *writer) create(directory string) error {
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(directory, "*"+partExtension) // mode 0600
	if err != nil {
		return err
	}
	*w = writer{file: file, buffer: bufio.NewWriterSize(file, 256<<10), kept: make(map[uint64]int32)}
	_, err = w.buffer.WriteString(magic)
	w.offset = uint64(len(magic))
	return err
}

func (w *writer) add(hash Hash, stored []byte, size int) error {
	if len(w.entries) == math.MaxInt32 {
		return errors.New("a pack cannot hold more contents")
	}
	if _, err := w.buffer.Write(stored); err != nil {
		return err
	}
	w.kept[first(hash)] = int32(len(w.entries))
	w.entries = append(w.entries, entry{hash, w.offset, uint32(len(stored)), uint32(size)})
	w.offset += uint64(len(stored))
	return nil
}

// finish ends the file, which is on the disk then under the name that it was made with.
// There is no file when it fails.
func (w *writer) finish() error {
	slices.SortFunc(w.entries, func(a, b entry) int { return bytes.Compare(a.hash[:], b.hash[:]) })
	entries := slices.CompactFunc(w.entries, func(a, b entry) bool { return a.hash == b.hash })
	sum := uint32(0)
	for _, e := range entries {
		b := e.append(w.buffer.AvailableBuffer())
		sum = crc32.Update(sum, crc32.IEEETable, b)
		if _, err := w.buffer.Write(b); err != nil {
			w.remove()
			return err
		}
	}
	_, err := w.buffer.Write(footer(w.offset, len(entries), sum))
	if err := errors.Join(err, w.buffer.Flush(), w.file.Sync()); err != nil {
		w.remove()
		return err
	}
	err = w.file.Close()
	*w = writer{}
	return err
}

// remove removes the file, when there is one.
func (w *writer) remove() {
	if w.file != nil {
		_ = w.file.Close()
		_ = os.Remove(w.file.Name())
	}
	*w = writer{}
}

// take gives files that are whole the names of packs, all or none. The caller holds the
// mutex.
func (s *Store) take(files []string) error {
	var named []string
	for _, file := range files {
		name := fmt.Sprintf("%016x-%016x%s", time.Now().UnixNano(), rand.Uint64(), packExtension)
		path := filepath.Join(s.directory, name)
		if err := os.Rename(file, path); err != nil {
			for _, path := range named {
				_ = os.Remove(path)
			}
			return err
		}
		named = append(named, path)
	}
	ownfile.SyncDirectory(s.directory)
	s.unread = true
	return nil
}
