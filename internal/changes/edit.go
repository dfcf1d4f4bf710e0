package changes

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/changes/scan"
	"github.com/claudewatch/claudewatch/internal/ownfile"
)

// writtenEdit is an edit of the runtime that has been made and is still to be put into
// the journal and the records. It is on the disk before either, so that both get it.
type writtenEdit struct {
	windowInfo
	Root   string      `json:"root"`
	Time   record.Time `json:"time"`
	Before *scan.Entry `json:"before"` // nil: not there
	After  *scan.Entry `json:"after"`
	// Record is nil when the settings want none.
	Record *record.Record `json:"record,omitempty"`

	// contents are the sides' bytes, nil when they are not known any more.
	contents [2][]byte
}

// placeOf returns the innermost observed root that a path lies in, and the path in it.
func (r *Recorder) placeOf(e Event, path string) (at root, relative string, several, ok bool) {
	roots := r.observed(e)
	for _, candidate := range roots {
		if p, in := candidate.relative(path); in && (!ok || len(candidate.path) > len(at.path)) {
			at, relative, ok = candidate, p, true
		}
	}
	return at, relative, len(roots) > 1, ok
}

func infoOf(e Event, capture, path string) windowInfo {
	key := keyOf(e)
	if e.ToolUseID == "" {
		key += fmt.Sprintf("-%d", time.Now().UnixNano()) // another one may look the same
	}
	w := windowOf(e, key, capture)
	w.Path = path
	return w
}

// announce leaves a note that a file is about to be edited, so that a scan that sees the
// edit before the runtime has reported it takes it for nobody else's. Windows that the
// stream has left open are closed.
func (r *Recorder) announce(e Event) {
	at, relative, several, ok := r.placeOf(e, editedPath(e))
	if !ok || !exists(at.lockFile()) || e.ToolUseID == "" {
		return // no scan has seen the root, and what the first one sees is no change
	}
	ownStream := func(o *note) bool { return o.isOf(e) && o.Key != keyOf(e) }
	if notes, _ := at.notes(); slices.ContainsFunc(notes, ownStream) {
		_, err := r.visit(at, e, r.waitBefore, func(s *state) error {
			if slices.ContainsFunc(notes, func(o *note) bool { return ownStream(o) && !o.isEdit() }) {
				return s.scanAndClose(ownStream)
			}
			var problems []error
			for _, n := range s.openNotes() {
				if ownStream(n) {
					problems = append(problems, s.release(n))
				}
			}
			return errors.Join(problems...)
		})
		if err != nil {
			r.logf("%s: before %s: %v", at.path, e.ToolUseID, err)
		}
	}
	n := note{windowInfo: infoOf(e, recordID(e, at, several), relative), Root: at.path, Opened: now()}
	if err := replaceJSON(at.windowFile(n.Key, noteFile), n); err != nil {
		r.logf("%s: before %s: %v", at.path, e.ToolUseID, err)
	}
}

// edited is for an edit that the runtime has made, or has failed to make.
func (r *Recorder) edited(e Event) []*record.Record {
	path := editedPath(e)
	report := reportOf(e, path)
	at, relative, several, inRoot := r.placeOf(e, path)
	known := inRoot && exists(at.lockFile())
	switch {
	case report == nil && known:
		r.abandon(at, e)
		return nil
	case report == nil:
		return nil
	case !inRoot:
		return r.unplaced(e, report, infoOf(e, recordID(e, root{}, false), filepath.ToSlash(report.path)), root{})
	case !known:
		return r.unplaced(e, report, infoOf(e, recordID(e, at, several), relative), at)
	}
	info := infoOf(e, recordID(e, at, several), relative)
	records, err := r.visit(at, e, r.waitAfter, func(s *state) error {
		if s.isSettled(info.Key) {
			return nil // the hook is installed twice
		}
		w := r.writtenEdit(e, report, info, at, s.knownSide(report, info))
		if err := replaceJSON(s.windowFile(w.Key, writtenFile), w); err != nil {
			return err
		}
		return s.settle(w, false)
	})
	if err == nil {
		return records
	}
	r.logf("%s: after %s: %v", at.path, e.ToolUseID, err)
	if !errors.Is(err, ownfile.ErrHeld) {
		return records
	}
	return r.leave(at, r.writtenEdit(e, report, info, at, nil))
}

// unplaced records an edit of a file that no manifest knows of: it lies outside of all
// roots, which at is zero for, or in one that was never scanned.
func (r *Recorder) unplaced(e Event, report *reported, info windowInfo, at root) []*record.Record {
	w := r.writtenEdit(e, report, info, at, nil)
	if w.Record == nil {
		return nil
	}
	if at.path == "" {
		w.Record.Root = nil
	}
	return r.append(e, w.Record)
}

// leave leaves an edit to whoever holds the lock next, who puts it into journal and
// records.
func (r *Recorder) leave(at root, w *writtenEdit) []*record.Record {
	if err := replaceJSON(at.windowFile(w.Key, writtenFile), w); err != nil {
		r.logf("%s: the edit %s is found by a scan, as nobody's: %v", at.path, w.Capture, err)
		return nil
	}
	if w.Record == nil {
		return nil
	}
	return []*record.Record{w.Record}
}

// abandon is for an edit that failed.
func (r *Recorder) abandon(at root, e Event) {
	if !exists(at.windowFile(keyOf(e), noteFile)) {
		return
	}
	_, err := r.visit(at, e, r.waitAfter, func(s *state) error {
		for _, n := range s.openNotes() {
			if n.Key == keyOf(e) {
				return s.release(n)
			}
		}
		return nil
	})
	if err != nil {
		r.logf("%s: after %s: %v", at.path, e.ToolUseID, err)
		s := ending{now(), record.Outcome{State: record.Failed}}
		if err := replaceJSON(at.windowFile(keyOf(e), endingFile), s); err != nil {
			r.logf("%s: %v", at.path, err)
		}
	}
}

// writtenEdit makes the record of an edit. known is what was known of the file before,
// nil for nothing.
func (r *Recorder) writtenEdit(e Event, report *reported, info windowInfo, at root, known *record.Side) *writtenEdit {
	before, after := report.sides(known)
	w := &writtenEdit{windowInfo: info, Root: at.path, Time: now(), Before: entryOf(before), After: entryOf(after), contents: [2][]byte{before.Content, after.Content}}
	if r.Settings().SubagentEdits && e.Agent == "" {
		return w
	}
	here := at.record()
	outcome := record.Outcome{State: record.Returned}
	w.Record = &record.Record{
		ID: info.Capture, Session: info.Session, Stream: info.Stream, Tool: info.Tool, ToolName: info.ToolName,
		Time: w.Time, Basis: record.RuntimeReported, Root: &here, Policy: r.policyOf(at), Outcome: &outcome,
		Changes: []record.Change{},
	}
	count := 0
	if !before.Present || before.SHA256 == "" || before.SHA256 != after.SHA256 {
		count = 1
		change := record.Change{Path: info.Path, Attribution: record.OnlyThisWindow, Windows: []string{info.Capture}, XSecret: isSecret(info.Path)}
		change.Describe(before, after, r.Settings().SizeCap)
		w.Record.Changes = append(w.Record.Changes, change)
	}
	w.Record.ChangedFiles = &count
	return w
}

func entryOf(side record.Side) *scan.Entry {
	if !side.Present {
		return nil
	}
	e := &scan.Entry{Kind: scan.Regular, Perm: uint32(side.Perm.Perm()), Size: side.Size, Young: true}
	if hash, err := hex.DecodeString(side.SHA256); err == nil && len(hash) == sha256.Size {
		e.Hash = [sha256.Size]byte(hash)
	}
	return e
}

// knownSide returns what was known of the file of an edit before it, nil when nothing can
// be: what the manifest says, or where scans have seen the file since the edit was
// announced, what they saw and the edit found.
func (s *state) knownSide(report *reported, edit windowInfo) *record.Side {
	if !s.observes(edit.Path) {
		return nil
	}
	for _, d := range s.seen(edit) {
		if side := s.sideAt(edit.Path, d.Before); side != nil && report.found(side) {
			return side
		}
	}
	return s.sideAt(edit.Path, s.entryAt(edit.Path))
}

// sideAt returns an entry with its bytes, nil when it is no regular file.
func (s *state) sideAt(path string, e *scan.Entry) *record.Side {
	if e == nil {
		return &record.Side{}
	}
	if e.Kind != scan.Regular {
		return nil
	}
	side := entrySide(e)
	if e.Known() {
		side.Content = s.contentsOf([]netChange{{path: path, before: e}}).bytes(path, e)
	}
	return &side
}

// settle puts an edit into the journal and the records, and removes its files. With
// doubt a process may have begun to.
func (s *state) settle(w *writtenEdit, doubt bool) error {
	if !s.isSettled(w.Key) {
		if s.observes(w.Path) {
			s.keep(w)
		}
		steps := s.stepsOf(w)
		c := &closing{Key: w.Key, ID: w.Capture, Time: w.Time, Outcome: record.Outcome{State: record.Returned}, Last: s.next - 1, Edit: true}
		if err := s.add(c, steps...); err != nil {
			return err
		}
		for _, st := range steps {
			if st.moves() {
				s.manifest.Apply(st.Differences)
			}
			s.check(s.recordUncovered(st, false))
		}
	}
	if w.Record != nil {
		added, err := s.writeRecord(w.Record, slices.Values(w.Record.Changes), doubt)
		if err != nil {
			return fmt.Errorf("the record of %s is written later: %w", w.Capture, err)
		}
		if added && strings.HasPrefix(w.Key, keyOf(s.event)) {
			s.written = append(s.written, w.Record)
		}
	}
	var problems []error
	for _, kind := range []string{noteFile, endingFile, writtenFile} {
		problems = append(problems, removeFile(s.windowFile(w.Key, kind)))
	}
	return errors.Join(problems...)
}

// observes reports whether the manifest knows what stands at a path.
func (s *state) observes(path string) bool {
	return !s.isNew && s.exclusions(s.root).Observes(s.path, path)
}

// isSettled reports whether the steps of an edit that has been made are in the journal.
func (s *state) isSettled(key string) bool {
	c, ok := s.journal.closings[key]
	return ok && c.Outcome.State == record.Returned
}

// keep keeps the bytes of both sides of an edit, for the scans and edits that come.
func (s *state) keep(w *writtenEdit) {
	pack := s.store.NewPack()
	defer pack.Abort()
	sides := []*scan.Entry{w.Before, w.After}
	for i, e := range sides {
		if s.comparable(w.Path, e) && int64(len(w.contents[i])) == e.Size {
			e.Kept = pack.Keep(e.Hash, w.contents[i]) == nil
		}
	}
	if err := pack.Commit(); err != nil {
		s.logf("%s: the bytes of %s could not be kept: %v", s.path, w.Path, err)
		for _, e := range sides {
			if e != nil {
				e.Kept = false
			}
		}
	}
}
