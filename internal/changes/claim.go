package changes

import (
	"context"
	"errors"
	"slices"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/changes/scan"
)

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
	if !exists(s.windowFile(w.Key, noteFile)) && !sameContent(known, w.Before) && (sameContent(known, w.After) || s.hasSeen(w)) {
		return []*step{edit} // it was not announced, and a scan was faster
	}
	seen := s.seen(w.windowInfo)
	// last is the step that came to what the edit wrote, and first the one that left what it found.
	last := len(seen) - 1
	for last >= 0 && (!sameContent(seen[last].After, w.After) || sameContent(seen[last].Before, w.After)) {
		last--
	}
	first := last
	if last < 0 {
		first = len(seen) - 1
	}
	for first >= 0 && (!sameContent(seen[first].Before, w.Before) || sameContent(seen[first].After, w.Before)) {
		first--
	}
	switch {
	case last < 0 && first < 0 && len(seen) > 0 && s.stands(w.Path, seen[len(seen)-1].After):
		return s.mixedSteps(w, edit, seen, first, last) // all had happened when the scan saw it
	case last < 0 && (first < 0 || sameContent(known, w.Before)):
		return append(s.released(w.windowInfo, seen), s.unseenSteps(w, edit, known)...)
	case first >= 0 && last >= 0:
		others := slices.Clone(seen[:first])
		others = append(others, seen[last+1:]...)
		mode, changed := modeChange(seen[first].Before, seen[last].After)
		if changed && slices.ContainsFunc(seen[first:last+1], func(d seenChange) bool { return hasWindow(d.step) }) {
			return s.mixedSteps(w, edit, seen, first, last)
		}
		for _, d := range seen[first : last+1] {
			edit.Claims = append(edit.Claims, d.step.Number)
		}
		if changed {
			others = append(others, mode)
		}
		return append(s.released(w.windowInfo, others), edit)
	}
	return s.mixedSteps(w, edit, seen, first, last)
}

// hasSeen reports whether the journal has a change from what an edit found, or one to what
// it left: then the edit is a part of that change, which has its record.
func (s *state) hasSeen(w *writtenEdit) bool {
	return slices.ContainsFunc(s.journal.steps, func(st *step) bool {
		return st.moves() && slices.ContainsFunc(st.Differences, func(d scan.Difference) bool {
			leaves := sameContent(d.Before, w.Before) && !sameContent(d.After, w.Before)
			comes := sameContent(d.After, w.After) && !sameContent(d.Before, w.After)
			return d.Path == w.Path && (leaves || comes)
		})
	})
}

// mixedSteps returns the steps of an edit that a scan saw in one with somebody else's
// change, which came before the edit, after it, or both. Windows that were open tell of all,
// as shared; when there were none, the other change is told by itself.
func (s *state) mixedSteps(w *writtenEdit, edit *step, seen []seenChange, first, last int) []*step {
	at := max(first, last)
	if at < 0 {
		at = len(seen) - 1
	}
	mixed := seen[at]
	others := slices.Delete(seen, at, at+1)
	if !hasWindow(mixed.step) {
		edit.Claims = []uint64{mixed.step.Number}
		if last >= 0 || first < 0 {
			others = append(others, seenChange{Before: mixed.Before, After: w.Before})
		}
		if last < 0 {
			others = append(others, seenChange{Before: w.After, After: mixed.After})
		}
	}
	return append(s.released(w.windowInfo, others), edit)
}

// stands reports whether a file is in the very state in which a scan saw it.
func (s *state) stands(path string, e *scan.Entry) bool {
	now, err := scan.Look(context.Background(), s.path, path, scan.Options{SizeCap: s.Settings().SizeCap, Secret: isSecret})
	if err != nil || now == nil || e == nil {
		return err == nil && now == e
	}
	return sameContent(now, e) && e.SameState(now)
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
		if n.Key != w.Key && n.concerns(w.Path) {
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
		if st.Kind == editStep || claims[claim{st.Number, edit.Path}] != nil || !st.hasOpen(edit.Key) {
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
		return slices.ContainsFunc(others, func(o windowInfo) bool { return st.hasOpen(o.Key) })
	}
	var steps []*step
	for _, d := range list {
		if same(d.Before, d.After) || d.step != nil && (hasWindow(d.step) || held(d.step)) {
			continue
		}
		st := &step{
			Kind: releasedStep, Span: record.Span{From: now(), To: now()}, Edit: &edit,
			Differences: []scan.Difference{{Path: edit.Path, Before: d.Before, After: d.After}},
		}
		if d.step == nil {
			st.Open = others
		} else {
			st.Span, st.Since, st.Tells = d.step.Span, s.journal.sinceOf(d.step), []uint64{d.step.Number}
			st.Within = s.earlier(d.step, edit.Path)
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
	c := &closing{Key: n.Key, ID: n.Capture, Time: now(), Outcome: record.Outcome{State: record.NotExecuted}, Last: s.next - 1, Edit: true}
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

// sameContent reports whether two sides of a path have the same content.
func sameContent(a, b *scan.Entry) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Kind == b.Kind && a.Size == b.Size && a.Hash == b.Hash
}
