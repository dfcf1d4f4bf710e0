// Package content keeps the bytes of files by their SHA-256, so that what a file held
// before it was changed can be had later.
//
// A store is a directory of pack files. A pack holds the contents that one scan came
// upon, compressed; it appears whole or not at all, and is never changed. When there
// are many small packs they are joined into one. A pack that is damaged or that is of
// another program is passed over: what Get returns has the SHA-256 that was asked for.
package content

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Hash is the SHA-256 of a content.
type Hash = [32]byte

// ErrNotKept is the cause of the error of a content that the store does not have, or
// no longer has undamaged.
var ErrNotKept = errors.New("its bytes are not kept")

const (
	packExtension = ".pack"
	partExtension = ".part" // a pack that is being written
)

// partAge is the age from which a pack that was never finished is removed: its writer
// was stopped.
const partAge = time.Hour

// Store is a directory of packs. All of its methods may be called at the same time, and
// by many processes; of the processes, one at a time may write.
type Store struct {
	directory string

	mutex    sync.Mutex
	packs    []*pack
	seen     map[string]bool // names of pack files that were looked at; nil: none was
	unread   bool            // this store has written packs since
	problems []error
}

// Open returns the store in a directory, which is made when something is kept. Nothing
// is read before something is asked for.
func Open(directory string) *Store { return &Store{directory: directory} }

// Has reports whether the store has the content with a hash. The bytes are not looked
// at: Get may find them damaged, and then Has no longer reports them.
func (s *Store) Has(hash Hash) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, p := range s.list() {
		if _, ok := p.find(hash); ok {
			return true
		}
	}
	return false
}

// Get returns the content with a hash. When the store does not have it, ErrNotKept is
// the cause of the error, which also names the first pack that could not be read.
func (s *Store) Get(hash Hash) ([]byte, error) {
	s.mutex.Lock()
	packs := s.list()
	s.mutex.Unlock()
	if content, ok := s.get(packs, hash); ok {
		return content, nil
	}
	// Another process may have joined packs since they were listed, or written one.
	s.mutex.Lock()
	packs = s.refresh()
	s.mutex.Unlock()
	if content, ok := s.get(packs, hash); ok {
		return content, nil
	}
	err := fmt.Errorf("content %x: %w", hash[:8], ErrNotKept)
	if problems := s.Problems(); len(problems) > 0 {
		err = fmt.Errorf("%w; problems of the store: %d, the first: %w", err, len(problems), problems[0])
	}
	return nil, err
}

func (s *Store) get(packs []*pack, hash Hash) ([]byte, bool) {
	for _, p := range packs {
		s.mutex.Lock()
		e, ok := p.find(hash)
		s.mutex.Unlock()
		if !ok {
			continue
		}
		content, err := p.read(e)
		if err == nil {
			return content, true
		}
		s.mutex.Lock()
		p.markDamaged(hash)
		s.problem(err)
		s.mutex.Unlock()
	}
	return nil, false
}

// Problems returns what was wrong with the store so far: an error for each pack that
// is damaged or of another program, and for each damaged content that was asked for.
func (s *Store) Problems() []error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.problems)
}

// problem notes an error. A pack that is gone is none: it was joined with others.
func (s *Store) problem(err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.problems = append(s.problems, err)
	}
}

// list returns the packs, with their indexes. The caller holds the mutex.
func (s *Store) list() []*pack {
	if s.seen == nil || s.unread {
		return s.refresh()
	}
	return s.packs
}

// refresh looks for packs that were not seen before. The caller holds the mutex.
func (s *Store) refresh() []*pack {
	if s.seen == nil {
		s.seen = make(map[string]bool)
	}
	s.unread = false
	entries, err := os.ReadDir(s.directory)
	s.problem(err)
	for _, entry := range entries {
		if !isPack(entry) || s.seen[entry.Name()] {
			continue
		}
		s.seen[entry.Name()] = true
		p, err := openPack(filepath.Join(s.directory, entry.Name()))
		if err != nil {
			s.problem(err)
			continue
		}
		s.packs = append(slices.Clip(s.packs), p) // the list before can be used without the mutex
	}
	return s.packs
}

func isPack(entry fs.DirEntry) bool {
	return entry.Type().IsRegular() && strings.HasSuffix(entry.Name(), packExtension)
}

// Size returns how many bytes the store takes on the disk.
func (s *Store) Size() (int64, error) {
	entries, err := os.ReadDir(s.directory)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	var size int64
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			size += info.Size()
		}
	}
	return size, err
}

// Drop removes everything that is kept.
func (s *Store) Drop() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.packs, s.seen, s.problems = nil, nil, nil
	err := s.remove(func(entry fs.DirEntry) bool {
		return strings.HasSuffix(entry.Name(), packExtension) || strings.HasSuffix(entry.Name(), partExtension)
	})
	_ = os.Remove(s.directory) // when nothing else is in it
	return err
}

// removeParts removes what killed writers left.
func (s *Store) removeParts() error {
	return s.remove(func(entry fs.DirEntry) bool {
		info, err := entry.Info()
		return err == nil && strings.HasSuffix(entry.Name(), partExtension) && time.Since(info.ModTime()) > partAge
	})
}

func (s *Store) remove(which func(fs.DirEntry) bool) error {
	entries, err := os.ReadDir(s.directory)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	errs := []error{err}
	for _, entry := range entries {
		if !entry.IsDir() && which(entry) {
			if err := os.Remove(filepath.Join(s.directory, entry.Name())); !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}
