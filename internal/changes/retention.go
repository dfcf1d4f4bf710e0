package changes

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/content"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/ownfile"
)

// isIdle reports whether nobody has worked in a root for as long as the settings say.
// Each event that works in a root adds to its journal.
func (r *Recorder) isIdle(at root) bool {
	info, err := os.Stat(at.journal())
	return err == nil && time.Since(info.ModTime()) > r.Settings().Idle
}

// hasLeftovers reports whether there are bytes or steps of a root. Its lock need not be held.
func (r root) hasLeftovers() bool {
	size, err := content.Open(r.content()).Size()
	if err != nil || size > 0 {
		return true
	}
	j, err := openJournal(r.journal())
	return err != nil || len(j.steps) > 0
}

// retain drops the bytes and steps of a root that is idle; what is known of its files
// stays. It reports whether there was anything to drop.
func (s *state) retain() (dropped bool, err error) {
	if s.isNew || len(s.keys(noteFile)) > 0 || !s.isIdle(s.root) {
		return false, nil
	}
	for _, directory := range []string{s.directory, s.windows()} {
		ownfile.RemoveTemporaries(directory, time.Hour)
	}
	for _, key := range s.keys(endingFile) { // of calls whose windows are closed
		s.check(removeFile(s.windowFile(key, endingFile)))
	}
	if size, err := s.store.Size(); err != nil || size > 0 {
		if err := s.store.Drop(); err != nil {
			return false, err
		}
		dropped = true
		s.manifest.ForgetKept()
		if err := s.writeManifest(); err != nil {
			return dropped, err
		}
	}
	return dropped || len(s.journal.steps) > 0, s.fold(true)
}

// Pruned says what Prune has removed.
type Pruned struct {
	// Roots are the roots whose kept bytes and steps were dropped.
	Roots []string
	// Files are the files of records that were removed.
	Files []string
}

// Prune removes what the settings do not keep any longer: bytes and steps of idle
// roots, and files of records that nobody has written to. Windows that have been open
// for too long are closed, each with its record. What cannot be removed is in the
// error, and the rest is removed all the same.
func (r *Recorder) Prune() (Pruned, error) { return r.prune(Event{Name: "prune"}, true) }

// prune is Prune on behalf of an event. A root that somebody works in is left alone.
// Only with scans are old windows closed.
func (r *Recorder) prune(e Event, scans bool) (Pruned, error) {
	var p Pruned
	var problems []error
	wanted := func(at root) bool { return scans || r.isIdle(at) && at.hasLeftovers() }
	for _, at := range r.knownRoots(wanted) {
		_, err := r.visit(at, e, 0, func(s *state) error {
			if len(s.keys(noteFile)) > 0 {
				if !scans {
					return nil
				}
				return s.scanAndClose(nil)
			}
			dropped, err := s.retain()
			if dropped {
				p.Roots = append(p.Roots, s.path)
			}
			return err
		})
		if err != nil && !errors.Is(err, ownfile.ErrHeld) {
			problems = append(problems, fmt.Errorf("%s: %w", at.path, err))
		}
	}
	files, err := record.Files(r.Directory())
	problems = append(problems, err)
	for _, f := range files {
		if time.Since(f.ModTime) <= r.Settings().TTL {
			continue
		}
		removed, err := record.Remove(r.Directory(), f, r.Settings().TTL)
		problems = append(problems, err)
		if removed {
			p.Files = append(p.Files, f.Path)
		}
	}
	return p, errors.Join(problems...)
}

// knownRoots returns the roots that have a state, of those that wanted tells by where
// their state lies.
func (r *Recorder) knownRoots(wanted func(root) bool) []root {
	var roots []root
	for _, directory := range stateDirectories(r.Directory()) {
		at := root{id: filepath.Base(directory), directory: directory}
		if !wanted(at) {
			continue
		}
		at.path = at.notedPath()
		if at.path != "" && record.NewRoot(at.path).ID == at.id {
			roots = append(roots, at)
		}
	}
	return roots
}
