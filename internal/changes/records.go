package changes

import (
	"fmt"
	"slices"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/readonly"
	"github.com/claudewatch/claudewatch/internal/changes/record"
)

// now is the time as records have it.
func now() record.Time { return record.Time{Time: time.Now().UTC()} }

// policyOf returns what the settings observe, as records say it.
func (r *Recorder) policyOf(at root) *record.Policy {
	return &record.Policy{
		Exclusions: r.Settings().Exclusions.Defaults,
		ReadOnly:   readonly.Name,
		Expanded:   r.exclusions(at).Expanded(),
	}
}

// newRecord returns a record of the root, with no changes.
func (s *state) newRecord(id, session, stream, basis string) *record.Record {
	at := s.root.record()
	return &record.Record{
		ID: id, Session: session, Stream: stream, Basis: basis, Time: now(),
		Root: &at, Policy: s.policyOf(s.root), Changes: []record.Change{},
	}
}

// windowRecord is the record of a window that is closed.
func (s *state) windowRecord(n *note, c *closing) *record.Record {
	rec := s.newRecord(c.ID, n.Session, n.Stream, record.ToolWindow)
	rec.Tool, rec.ToolName, rec.XCommand = n.Tool, n.ToolName, n.Command
	rec.Time, rec.Outcome = c.Time, &c.Outcome

	steps, whole := s.stepsIn(c)
	changes := s.net(n.windowInfo, steps)
	s.describe(rec, changes)
	for _, w := range overlaps(n.windowInfo, steps, changes) {
		rec.Overlaps = append(rec.Overlaps, w.overlap(slices.Contains(c.Open, w.Key)))
	}

	rec.Coverage = record.Complete
	partial := func(gaps ...string) {
		rec.Coverage = record.Partial
		rec.Gaps = append(rec.Gaps, gaps...)
	}
	if n.Before == nil {
		partial(n.Gap)
	} else if n.Before.Partial {
		partial(n.Before.Gaps...)
	}
	if c.After == nil {
		partial(c.Gap)
	} else if c.After.Partial {
		partial(c.After.Gaps...)
	}
	if gap := missedGap(changes); gap != "" {
		partial(gap)
	}
	if !whole {
		partial("a part of what was seen during this call has been lost")
	}
	rec.Gaps = slices.Compact(slices.Sorted(slices.Values(rec.Gaps)))
	if n.Before != nil && c.After != nil {
		rec.Window = &record.Window{Before: n.Before.Span, After: c.After.Span}
		if whole {
			count := len(rec.Changes)
			rec.ChangedFiles = &count
		}
	}
	return rec
}

// stepsIn returns the steps of a window that is closed; whole is false when the journal
// does not have all of them.
func (s *state) stepsIn(c *closing) (steps []*step, whole bool) {
	steps, whole = s.journal.between(c.First, c.Last)
	if c.Blind {
		// The call began after the last known step, at a time that no scan tells.
		steps = slices.DeleteFunc(slices.Clone(steps), func(st *step) bool {
			return !st.hasOpen(c.Key)
		})
	}
	return steps, whole
}

// uncoveredRecord is the record of the changes of a step that no window is for, in the
// stream that found them.
func (s *state) uncoveredRecord(st *step) *record.Record {
	rec := s.newRecord(gapID(s.id, st.Number), st.Session, st.Stream, record.Unattributed)
	rec.Time = st.Span.To
	var changes []netChange
	for _, d := range uncovered(st) {
		c := netChange{path: d.Path, before: d.Before, after: d.After, others: slices.Clone(st.Within)}
		s.doubt(&c, st, windowInfo{}, true)
		changes = append(changes, c)
	}
	s.describe(rec, changes)
	for i, c := range changes {
		if len(c.others) == 0 {
			rec.Changes[i].Attribution = record.OutsideAnyWindow
		}
	}
	for _, w := range overlaps(windowInfo{}, nil, changes) {
		rec.Overlaps = append(rec.Overlaps, w.overlap(false))
	}
	count := len(rec.Changes)
	rec.ChangedFiles = &count
	rec.Coverage = record.Complete
	if st.Partial {
		rec.Coverage, rec.Gaps = record.Partial, append(rec.Gaps, st.Gaps...)
	}
	if gap := missedGap(changes); gap != "" {
		rec.Coverage, rec.Gaps = record.Partial, append(rec.Gaps, gap)
	}
	before := s.journal.sinceOf(st)
	if st.Kind == releasedStep {
		before = st.Since
	}
	if before != nil { // else there were no scans that saw both sides
		rec.Window = &record.Window{Before: *before, After: st.Span}
	}
	return rec
}

// describe puts changes into a record.
func (s *state) describe(rec *record.Record, list []netChange) {
	bytes := s.contentsOf(list)
	for _, c := range list {
		change := record.Change{Path: c.path, Attribution: record.OnlyThisWindow, Windows: append([]string{rec.ID}, c.others...), XSecret: isSecret(c.path)}
		if len(c.others) > 0 {
			change.Attribution = record.Shared
		}
		change.Describe(bytes.side(c.path, c.before), bytes.side(c.path, c.after), s.Settings().SizeCap)
		rec.Changes = append(rec.Changes, change)
	}
	nameRenames(rec.Changes)
	if bytes.leftOut > 0 {
		rec.Gaps = append(rec.Gaps, fmt.Sprintf("%d sides of files are not compared: with them the record would be too long", bytes.leftOut))
	}
}

// nameRenames says of files that were created where they were before: where a file of
// the same content was deleted, and there is no other one of either.
func nameRenames(changes []record.Change) {
	type pair struct{ deleted, created []int }
	pairs := make(map[string]*pair)
	of := func(hash string) *pair {
		if pairs[hash] == nil {
			pairs[hash] = &pair{}
		}
		return pairs[hash]
	}
	for i, c := range changes {
		switch {
		case c.XType != nil:
		case c.Operation == record.Delete && c.Before.Bytes > 0 && c.Before.SHA256 != "":
			p := of(c.Before.SHA256)
			p.deleted = append(p.deleted, i)
		case c.Operation == record.Create && c.After.Bytes > 0 && c.After.SHA256 != "":
			p := of(c.After.SHA256)
			p.created = append(p.created, i)
		}
	}
	for _, p := range pairs {
		if len(p.deleted) == 1 && len(p.created) == 1 {
			changes[p.created[0]].XRenamedFrom = changes[p.deleted[0]].Path
		}
	}
}
