package changes

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/readonly"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/changes/scan"
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

// windowRecord is the record of a window that is closed, without its changes, which are
// described when it is written.
func (s *state) windowRecord(n *note, c *closing) (*record.Record, []netChange) {
	rec := s.newRecord(c.ID, n.Session, n.Stream, record.ToolWindow)
	rec.Tool, rec.ToolName, rec.XCommand = n.Tool, n.ToolName, n.Command
	rec.Time, rec.Outcome = c.Time, &c.Outcome

	steps, whole := s.stepsIn(c)
	changes := s.net(n.windowInfo, steps)
	s.prepare(rec, changes)
	for _, w := range overlaps(n.windowInfo, steps, changes) {
		rec.Overlaps = append(rec.Overlaps, w.overlap(slices.Contains(c.Open, w.Key)))
	}

	rec.Coverage = record.Complete
	if n.Before == nil {
		isPartial(rec, n.Gap)
	} else if n.Before.Partial {
		isPartial(rec, n.Before.Gaps...)
	}
	if c.After == nil {
		isPartial(rec, c.Gap)
	} else if c.After.Partial {
		isPartial(rec, c.After.Gaps...)
	}
	if gap := missedGap(changes); gap != "" {
		isPartial(rec, gap)
	}
	if !whole {
		isPartial(rec, "a part of what was seen during this call has been lost")
	}
	rec.Gaps = slices.Compact(slices.Sorted(slices.Values(rec.Gaps)))
	if n.Before != nil && c.After != nil {
		rec.Window = &record.Window{Before: n.Before.Span, After: c.After.Span}
		if whole {
			count := len(changes)
			rec.ChangedFiles = &count
		}
	}
	return rec, changes
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
// stream that found them, without these changes.
func (s *state) uncoveredRecord(st *step) (*record.Record, []netChange) {
	rec := s.newRecord(gapID(s.id, st.Number), st.Session, st.Stream, record.Unattributed)
	rec.Time = st.Span.To
	var changes []netChange
	for _, d := range uncovered(st) {
		c := netChange{path: d.Path, before: d.Before, after: d.After, others: slices.Clone(st.Within)}
		for _, w := range st.Open {
			if w.concerns(d.Path) { // and was not seen to begin
				c.add(w.Capture)
				c.earlier = append(c.earlier, w)
			}
		}
		s.doubt(&c, st, windowInfo{}, true)
		changes = append(changes, c)
	}
	s.prepare(rec, changes)
	for _, w := range overlaps(windowInfo{}, nil, changes) {
		rec.Overlaps = append(rec.Overlaps, w.overlap(false))
	}
	count := len(changes)
	rec.ChangedFiles = &count
	rec.Coverage = record.Complete
	if st.Partial {
		isPartial(rec, st.Gaps...)
	}
	if gap := missedGap(changes); gap != "" {
		isPartial(rec, gap)
	}
	before := s.journal.sinceOf(st)
	if st.Kind == releasedStep {
		before = st.Since
	}
	if before != nil { // else there were no scans that saw both sides
		rec.Window = &record.Window{Before: *before, After: st.Span}
	}
	return rec, changes
}

// isPartial says in a record why it does not cover all.
func isPartial(rec *record.Record, gaps ...string) {
	rec.Coverage = record.Partial
	rec.Gaps = append(rec.Gaps, gaps...)
}

// prepare finds out of the changes of a record what shows only in all of them together:
// which were renamed, and which are not compared.
func (s *state) prepare(rec *record.Record, list []netChange) {
	nameRenames(list)
	compared, leftOut := int64(0), 0
	for i := range list {
		c := &list[i]
		size := s.compared(c)
		if c.leftOut = size > 0 && compared+size > maxCompared; c.leftOut {
			leftOut++
		} else {
			compared += size
		}
	}
	if leftOut > 0 {
		rec.Gaps = append(rec.Gaps, fmt.Sprintf("%d files are not compared: with them the record would be too long", leftOut))
	}
}

// compared returns how many bytes of a change are wanted.
func (s *state) compared(c *netChange) (size int64) {
	for _, e := range []*scan.Entry{c.before, c.after} {
		if s.compares(c, e) {
			size += e.Size
		}
	}
	return size
}

// described returns changes that were prepared as a record has them, one by one: there may
// be many, and each is only needed to be written.
func (s *state) described(rec *record.Record, list []netChange) iter.Seq[record.Change] {
	return func(yield func(record.Change) bool) {
		for rest := list; len(rest) > 0; {
			n, size := 0, int64(0)
			for n < len(rest) && (n == 0 || size < maxBlobs) {
				size += s.compared(&rest[n])
				n++
			}
			bytes := s.contentsOf(rest[:n])
			for i := range rest[:n] {
				c := &rest[i]
				change := outline(rec, c)
				change.Describe(bytes.side(c, c.before), bytes.side(c, c.after), s.Settings().SizeCap)
				if !yield(change) {
					return
				}
			}
			rest = rest[n:]
		}
	}
}

// outlines returns what rules are told of changes.
func outlines(rec *record.Record, list []netChange) []record.Change {
	changes := make([]record.Change, len(list))
	for i := range list {
		changes[i] = outline(rec, &list[i])
		changes[i].Operation = record.Operation(entrySide(list[i].before), entrySide(list[i].after))
	}
	return changes
}

// outline returns a change as a record has it, but for what became of the file.
func outline(rec *record.Record, c *netChange) record.Change {
	attribution := record.OnlyThisWindow
	switch {
	case len(c.others) > 0:
		attribution = record.Shared
	case rec.Basis == record.Unattributed:
		attribution = record.OutsideAnyWindow
	}
	return record.Change{
		Path: c.path, Attribution: attribution, Windows: append([]string{rec.ID}, c.others...),
		XRenamedFrom: c.renamedFrom, XSecret: isSecret(c.path),
	}
}

// nameRenames says of files that were created where they were before: where a file of
// the same content was deleted, and there is no other one of either.
func nameRenames(list []netChange) {
	type pair struct{ deleted, created []int }
	pairs := make(map[[sha256.Size]byte]*pair)
	for i := range list {
		c := &list[i]
		e := cmp.Or(c.before, c.after)
		if c.before != nil && c.after != nil || e.Kind != scan.Regular || e.Size == 0 || !e.Known() {
			continue
		}
		p := pairs[e.Hash]
		if p == nil {
			p = &pair{}
			pairs[e.Hash] = p
		}
		if c.after == nil {
			p.deleted = append(p.deleted, i)
		} else {
			p.created = append(p.created, i)
		}
	}
	for _, p := range pairs {
		if len(p.deleted) == 1 && len(p.created) == 1 {
			list[p.created[0]].renamedFrom = list[p.deleted[0]].path
		}
	}
}
