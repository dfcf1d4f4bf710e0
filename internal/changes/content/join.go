package content

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// Packs smaller than joinSize bytes are joined when there are joinCount of them: a
// session makes one with nearly every call, and each must be opened when something is
// looked for.
const (
	joinSize  = 1 << 20
	joinCount = 16
)

// join joins the small ones of the packs that were looked at. The caller holds the mutex.
// Whatever happens, all contents stay in the store.
func (s *Store) join() error {
	var small, rest []*pack
	for _, p := range s.packs {
		if p.size < joinSize {
			small = append(small, p)
		} else {
			rest = append(rest, p)
		}
	}
	if len(small) < joinCount {
		return nil
	}
	var w writer
	if err := w.create(s.directory); err != nil {
		return err
	}
	for _, p := range small {
		if err := w.copy(p); errors.Is(err, fs.ErrNotExist) {
			continue // another process has joined it
		} else if err != nil {
			w.remove()
			return err
		}
	}
	name := w.file.Name()
	if err := w.finish(); err != nil {
		return err
	}
	if err := s.take([]string{name}); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	s.packs = rest
	var errs []error
	for _, p := range small {
		if err := os.Remove(p.path); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// copy adds the contents of a pack as they are stored.
func (w *writer) copy(p *pack) error {
	file, err := os.Open(p.path)
	if err != nil {
		return err
	}
	defer file.Close()
	for _, e := range p.entries() {
		if w.has(e.hash) {
			continue
		}
		stored := make([]byte, e.stored)
		if _, err := io.ReadFull(io.NewSectionReader(file, int64(e.offset), int64(e.stored)), stored); err != nil {
			return err
		}
		if err := w.add(e.hash, stored, int(e.size)); err != nil {
			return err
		}
	}
	return nil
}
