package scan

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"os"
	"syscall"
)

// Write writes the manifest to a file, in one step: a reader sees the old one or the
// new one. The directory must exist, and whoever writes holds a lock for it: the file
// is made as path.new, where a writer that was killed leaves it to the next one.
func (m *Manifest) Write(path string) error {
	if info, err := os.Lstat(path + ".new"); err == nil && !info.Mode().IsRegular() {
		if err := os.RemoveAll(path + ".new"); err != nil {
			return err
		}
	}
	temporary, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return err
	}
	err = m.writeTo(temporary)
	if err == nil {
		err = temporary.Sync()
	}
	if closeErr := temporary.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		os.Remove(temporary.Name())
	}
	return err
}

func (m *Manifest) writeTo(file io.WriteSeeker) error {
	w := &imageWriter{manifest: m}
	h := header{step: m.Step}
	if m.unseen {
		h.flags |= flagUnseen
	}
	if _, err := file.Write(make([]byte, headerSize)); err != nil {
		return err
	}
	w.begin(file)
	w.directory(nil, m.root(), 0)
	h.entries, h.entriesSum = w.end()
	w.begin(file)
	w.hashes(m.root())
	h.hashes, h.hashesSum = w.end()
	w.begin(file)
	w.write(w.directories)
	h.directories, h.directoriesSum = w.end()
	h.count = uint32(w.count)
	if w.err != nil {
		return w.err
	}
	if max(h.entries, h.hashes, h.directories) > math.MaxUint32 {
		return errors.New("the root has more files than a manifest can hold; exclude directories of it")
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := file.Write(h.append(nil))
	return err
}

// imageWriter writes the sections of an image. The first error stays.
type imageWriter struct {
	manifest *Manifest
	err      error

	section *bufio.Writer
	length  uint64
	sum     uint32

	block       []byte // of one directory
	directories []byte
	count       int
}

func (w *imageWriter) begin(file io.Writer) {
	w.section, w.length, w.sum = bufio.NewWriterSize(file, 128<<10), 0, 0
}

func (w *imageWriter) end() (length uint64, sum uint32) {
	w.fail(w.section.Flush())
	return w.length, w.sum
}

func (w *imageWriter) write(b []byte) {
	_, err := w.section.Write(b)
	w.fail(err)
	w.length += uint64(len(b))
	w.sum = crc32.Update(w.sum, crc32.IEEETable, b)
}

// directory writes the entries of a directory and of all below it, and adds their
// places to directories. It returns false when there are none: then it has no place.
func (w *imageWriter) directory(name []byte, d knownDirectory, depth int) bool {
	start, count := len(w.directories), w.count
	block, hashes := w.entries(d)
	empty := len(block) == 0
	w.directories = binary.AppendUvarint(w.directories, uint64(depth))
	w.directories = binary.AppendUvarint(w.directories, uint64(len(name)))
	w.directories = append(w.directories, name...)
	w.directories = binary.AppendUvarint(w.directories, uint64(len(block)))
	w.directories = binary.AppendUvarint(w.directories, uint64(hashes))
	w.count++
	w.write(block)
	children := d.children()
	for children.next() {
		if w.directory(children.name, children.child, depth+1) {
			empty = false
		}
	}
	if empty && depth > 0 {
		w.directories, w.count = w.directories[:start], count
		return false
	}
	return true
}

// entries returns the block of a directory and how many bytes its hashes are.
func (w *imageWriter) entries(d knownDirectory) (entries []byte, hashes uint32) {
	if b := d.block(); d.isBlock() && !b.forgotten {
		return b.entries, b.length
	}
	w.block = w.block[:0]
	var coder coder
	c := d.entries()
	for c.next() {
		w.block = coder.append(w.block, c.current)
		hashes += uint32(c.current.hashSize())
	}
	w.fail(c.err)
	return w.block, hashes
}

// hashes writes the hashes of a directory and of all below it, in the order of
// directory.
func (w *imageWriter) hashes(d knownDirectory) {
	w.block = w.block[:0]
	if b := d.block(); !d.isBlock() {
		c := d.entries()
		for c.next() {
			w.fail(c.current.load())
			w.block = appendHashes(w.block, &c.current.entry)
		}
	} else if b.length > 0 {
		w.block = append(w.block, make([]byte, b.length)...)
		w.fail(b.source.readHashes(w.block, b.at))
	}
	w.write(w.block)
	children := d.children()
	for children.next() {
		w.hashes(children.child)
	}
}

// fail keeps the first error.
func (w *imageWriter) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}
