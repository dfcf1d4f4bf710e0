package changes

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
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
	return windowInfo{Key: key, Capture: capture, Session: e.Session, Stream: e.stream(), Tool: e.ToolUseID, ToolName: e.Tool, Path: path}
}

// announce leaves a note that a file is about to be edited, so that a scan that sees the
// edit before the runtime has reported it takes it for nobody else's. Windows that the
// stream has left open are closed.
func (r *Recorder) announce(e Event) {
	at, relative, several, ok := r.placeOf(e, editedPath(e))
	if !ok || !exists(at.lockFile()) || e.ToolUseID == "" {
		return // no scan has seen the root, and what the first one sees is no change
	}
	ownStream := func(o *note) bool { return o.Session == e.Session && o.Stream == e.stream() && o.Key != keyOf(e) }
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
	n := note{windowInfo: infoOf(e, recordID(e, at, several), relative), Root: at.path, Opened: record.Time{Time: now()}}
	if err := replaceJSON(at.windowFile(n.Key, noteFile), n); err != nil {
		r.logf("%s: before %s: %v", at.path, e.ToolUseID, err)
	}
}

// edited is for an edit that the runtime has made.
func (r *Recorder) edited(e Event) []*record.Record {
	report := reportOf(e)
	at, relative, several, inRoot := r.placeOf(e, editedPath(e))
	known := inRoot && exists(at.lockFile())
	switch {
	case report == nil && known:
		r.abandon(at, e)
		return nil
	case report == nil:
		return nil
	case !known:
		id := recordID(e, at, several && inRoot)
		path := relative
		if !inRoot {
			path = filepath.ToSlash(report.path)
		}
		w := r.writtenEdit(e, report, infoOf(e, id, path), at, nil)
		if w.Record == nil {
			return nil
		}
		if !inRoot {
			w.Record.Root = nil
		}
		return r.append(e, w.Record)
	}
	info := infoOf(e, recordID(e, at, several), relative)
	records, err := r.visit(at, e, r.waitAfter, func(s *state) error {
		if s.isSettled(info.Key) {
			return nil // the hook is installed twice
		}
		w := r.writtenEdit(e, report, info, at, s.knownSide(relative))
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
	// Whoever holds the lock next puts it into journal and records.
	w := r.writtenEdit(e, report, info, at, nil)
	if err := replaceJSON(at.windowFile(w.Key, writtenFile), w); err != nil {
		r.logf("%s: the edit %s is found by a scan, as nobody's: %v", at.path, e.ToolUseID, err)
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
		s := ending{record.Time{Time: now()}, record.Outcome{State: record.Failed}}
		if err := replaceJSON(at.windowFile(keyOf(e), endingFile), s); err != nil {
			r.logf("%s: %v", at.path, err)
		}
	}
}

// writtenEdit makes the record of an edit. known is what was known of the file before,
// nil for nothing.
func (r *Recorder) writtenEdit(e Event, report *reported, info windowInfo, at root, known *record.Side) *writtenEdit {
	before, after := report.sides(known)
	w := &writtenEdit{windowInfo: info, Root: at.path, Time: record.Time{Time: now()}, Before: entryOf(before), After: entryOf(after), contents: [2][]byte{before.Content, after.Content}}
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

// knownSide returns what is known of a path, nil when nothing can be known.
func (s *state) knownSide(path string) *record.Side {
	if !s.observes(path) {
		return nil
	}
	e, ok := s.manifest.Get(path)
	if !ok {
		return &record.Side{}
	}
	if e.Kind != scan.Regular {
		return nil
	}
	side := record.Side{Present: true, Kind: record.RegularFile, Perm: fs.FileMode(e.Perm), Size: e.Size}
	if e.Known() {
		side.SHA256 = hex.EncodeToString(e.Hash[:])
		side.Content = s.contentsOf([]netChange{{path: path, before: &e}}).bytes(path, &e)
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
		c := &closing{Key: w.Key, ID: w.Capture, Time: w.Time, Outcome: record.Outcome{State: record.Returned}, Last: s.next - 1}
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
		there := false
		if doubt {
			var err error
			if there, err = record.Contains(s.Directory(), w.Session, w.Stream, w.Record.ID); err != nil {
				return fmt.Errorf("the record of %s is written later: %w", w.Capture, err)
			}
		}
		if !there {
			if err := record.Append(s.Directory(), w.Session, w.Stream, w.Record); err != nil {
				return fmt.Errorf("the record of %s is written later: %w", w.Capture, err)
			}
			if strings.HasPrefix(w.Key, keyOf(s.event)) {
				s.written = append(s.written, w.Record)
			}
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
	return !s.isNew() && s.exclusions(s.root).Observes(s.path, path)
}

// isSettled reports whether the steps of an edit that has been made are in the journal.
func (s *state) isSettled(key string) bool {
	c, ok := s.journal.closings[key]
	return ok && c.Outcome.State == record.Returned
}

// stepsOf returns the steps that an edit is in the journal.
//
// Mostly no scan has seen it, and it is one step, behind another when it found the file
// otherwise than it was known. When scans have seen the file since the edit was
// announced, what they saw of the edit is claimed for it, and the rest is others'.
func (s *state) stepsOf(w *writtenEdit) []*step {
	if !s.observes(w.Path) {
		return nil
	}
	known := s.entryAt(w.Path)
	span := record.Span{From: w.Time, To: w.Time}
	edit := &step{Kind: editStep, Span: span, Edit: &w.windowInfo}
	if !exists(s.windowFile(w.Key, noteFile)) && sameContent(known, w.After) {
		return []*step{edit} // it was not announced, and a scan was faster
	}
	seen := s.seen(w.windowInfo)
	first := slices.IndexFunc(seen, func(d seenChange) bool { return sameContent(d.Before, w.Before) })
	last := len(seen) - 1
	for last >= 0 && !sameContent(seen[last].After, w.After) {
		last--
	}
	switch {
	case sameContent(known, w.Before) && !sameContent(known, w.After) || first < 0 && last < 0 || first > last && last >= 0:
		return append(s.released(w.windowInfo, seen), s.unseenSteps(w, edit, known)...)
	case first >= 0 && last >= 0:
		others := slices.Clone(seen[:first])
		others = append(others, seen[last+1:]...)
		mode, changed := modeChange(seen[first].Before, seen[last].After)
		if changed && slices.ContainsFunc(seen[first:last+1], func(d seenChange) bool { return hasWindow(d.step) }) {
			break // as below
		}
		for _, d := range seen[first : last+1] {
			edit.Claims = append(edit.Claims, d.step.Number)
		}
		if changed {
			others = append(others, mode)
		}
		return append(s.released(w.windowInfo, others), edit)
	}
	// A scan saw the edit and somebody else's change in one. Windows that were open tell of
	// both, as shared; when there were none, the other change is told by itself.
	at, piece := last, seenChange{After: w.Before}
	if last >= 0 {
		piece.Before = seen[at].Before
	} else {
		at = first
		piece.Before, piece.After = w.After, seen[at].After
	}
	mixed := seen[at]
	others := slices.Delete(seen, at, at+1)
	if !hasWindow(mixed.step) {
		edit.Claims = []uint64{mixed.step.Number}
		others = append(others, piece)
	}
	return append(s.released(w.windowInfo, others), edit)
}

// modeChange returns what is left of a change when its content is somebody else's: an
// edit of the runtime keeps the mode.
func modeChange(before, after *scan.Entry) (seenChange, bool) {
	if before == nil || after == nil || before.Perm == after.Perm {
		return seenChange{}, false
	}
	was := *after
	was.Perm = before.Perm
	return seenChange{Before: &was, After: after}, true
}

// unseenSteps returns the steps of an edit that no scan has seen, on a file of which
// known is known.
func (s *state) unseenSteps(w *writtenEdit, edit *step, known *scan.Entry) []*step {
	var steps []*step
	var open []windowInfo
	for _, n := range s.openNotes() {
		if n.Key != w.Key && (!n.isEdit() || n.Path == w.Path) {
			open = append(open, n.windowInfo)
		}
	}
	if !sameContent(known, w.Before) {
		steps = append(steps, &step{Kind: foundStep, Span: edit.Span, Open: open, Differences: []scan.Difference{{Path: w.Path, Before: known, After: w.Before}}})
		known = w.Before
	}
	if !sameContent(known, w.After) {
		edit.Open, edit.Differences = open, []scan.Difference{{Path: w.Path, Before: known, After: s.entryNow(w)}}
	}
	return append(steps, edit)
}

// hasWindow reports whether a window was open at a step.
func hasWindow(st *step) bool {
	return slices.ContainsFunc(st.Open, func(w windowInfo) bool { return !w.isEdit() })
}

// seenChange is a change of the file of an edit that a scan saw, or a part of one.
type seenChange struct {
	Before, After *scan.Entry
	step          *step // nil for a part
}

// seen returns the changes that scans saw of the file of an edit since it was announced,
// without those that other edits have claimed.
func (s *state) seen(edit windowInfo) []seenChange {
	if !exists(s.windowFile(edit.Key, noteFile)) {
		return nil // it was not announced, or given up: what scans saw has its records
	}
	claims := s.claims()
	var list []seenChange
	for _, st := range s.journal.steps {
		if st.Kind == editStep || claims[claim{st.Number, edit.Path}] != nil {
			continue
		}
		if !slices.ContainsFunc(st.Open, func(w windowInfo) bool { return w.Key == edit.Key }) {
			continue
		}
		for _, d := range st.Differences {
			if d.Path == edit.Path {
				list = append(list, seenChange{d.Before, d.After, st})
			}
		}
	}
	return list
}

// released returns the steps of changes that were held back for an edit which has not
// made them, without those that a window has. What another edit of the file may yet turn
// out to have made is held back for that one.
func (s *state) released(edit windowInfo, list []seenChange) []*step {
	var others []windowInfo
	for _, n := range s.openNotes() {
		if n.Key != edit.Key && n.Path == edit.Path {
			others = append(others, n.windowInfo)
		}
	}
	held := func(st *step) bool {
		return slices.ContainsFunc(st.Open, func(w windowInfo) bool {
			return slices.ContainsFunc(others, func(o windowInfo) bool { return o.Key == w.Key })
		})
	}
	var steps []*step
	for _, d := range list {
		if same(d.Before, d.After) || d.step != nil && (hasWindow(d.step) || held(d.step)) {
			continue
		}
		st := &step{
			Kind: releasedStep, Span: record.Span{From: record.Time{Time: now()}, To: record.Time{Time: now()}}, Edit: &edit,
			Differences: []scan.Difference{{Path: edit.Path, Before: d.Before, After: d.After}},
		}
		if d.step == nil {
			st.Open = others
		} else {
			st.Span, st.Since, st.Tells = d.step.Span, s.journal.sinceOf(d.step), []uint64{d.step.Number}
		}
		steps = append(steps, st)
	}
	return steps
}

// release gives up an edit that was announced and not made. What scans saw of its file
// meanwhile is somebody else's.
func (s *state) release(n *note) error {
	var w writtenEdit
	if readJSON(s.windowFile(n.Key, writtenFile), &w) == nil {
		return s.settle(&w, true)
	}
	steps := s.released(n.windowInfo, s.seen(n.windowInfo))
	c := &closing{Key: n.Key, ID: n.Capture, Time: record.Time{Time: now()}, Outcome: record.Outcome{State: record.NotExecuted}, Last: s.next - 1}
	if err := s.add(c, steps...); err != nil {
		return err
	}
	for _, st := range steps {
		s.check(s.recordUncovered(st, false))
	}
	return errors.Join(removeFile(s.windowFile(n.Key, endingFile)), removeFile(s.windowFile(n.Key, noteFile)))
}

// entryAt returns what is known of a path, nil when it is not there.
func (s *state) entryAt(path string) *scan.Entry {
	if e, ok := s.manifest.Get(path); ok {
		return &e
	}
	return nil
}

// entryNow returns the entry of the file that an edit has left. When somebody has
// written to the file since, it is one that the next scan looks at again.
func (s *state) entryNow(w *writtenEdit) *scan.Entry {
	e, err := scan.Look(context.Background(), s.path, w.Path, scan.Options{SizeCap: s.Settings().SizeCap, Secret: isSecret})
	if err != nil || !sameContent(e, w.After) || e.Perm != w.After.Perm {
		return w.After
	}
	e.Kept = w.After.Kept
	return e
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

// sameContent reports whether two sides of a path have the same content.
func sameContent(a, b *scan.Entry) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Kind == b.Kind && a.Size == b.Size && a.Hash == b.Hash
}
