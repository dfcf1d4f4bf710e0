package changes

import (
	"maps"
	"slices"

	"github.com/claudewatch/claudewatch/internal/changes/scan"
)

// A window does not list what ends as it began. When another window, or an edit of the
// runtime, has told the first half of such a change, nobody would tell the second, and
// the records of a file would not lead to what stands there. Such a half is told by a
// released step.

// sighting is a change of a path in a step.
type sighting struct {
	*step
	before, after *scan.Entry
}

// telling says whether a record tells of a sighting.
type telling int

const (
	told    telling = iota
	pending         // a window is open that may yet tell
	hidden          // the windows that were open are closed, and none lists the path
)

// untold returns, when a window is about to be closed, the steps of changes in it that no
// record would tell of.
func (s *state) untold(own windowInfo, c *closing) []*step {
	seen := 0
	for _, st := range s.journal.steps {
		if st.moves() && len(st.Differences) > 0 {
			seen++
		}
	}
	if seen < 2 { // then no path was seen twice
		return nil
	}
	steps, _ := s.stepsIn(c)
	paths := make(map[string][]sighting)
	for _, st := range steps {
		for _, d := range st.Differences {
			paths[d.Path] = nil
		}
	}
	if len(paths) == 0 {
		return nil
	}
	toldBySteps := make(map[claim]bool)
	for _, st := range s.journal.steps {
		for _, d := range st.Differences {
			if _, wanted := paths[d.Path]; wanted && st.moves() {
				paths[d.Path] = append(paths[d.Path], sighting{st, d.Before, d.After})
			}
			for _, number := range st.Tells {
				toldBySteps[claim{number, d.Path}] = true
			}
		}
	}
	t := &teller{state: s, closing: c, toldBySteps: toldBySteps, claims: s.claims(), lists: make(map[string]map[string]bool), open: make(map[string]*note)}
	for _, n := range s.openNotes() {
		if n.Key != own.Key {
			t.open[n.Key] = n
		}
	}
	var found []*step
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if sightings := paths[path]; len(sightings) > 1 {
			found = append(found, t.untold(path, sightings)...)
		}
	}
	return found
}

// teller finds out which sightings are told.
type teller struct {
	*state
	closing     *closing
	toldBySteps map[claim]bool
	claims      map[claim]*windowInfo
	lists       map[string]map[string]bool // of closed windows by key: the paths that they list
	open        map[string]*note
}

// untold returns the steps of the runs of hidden sightings of a path that do not end as
// they began.
func (t *teller) untold(path string, sightings []sighting) []*step {
	var found []*step
	for i := 0; i < len(sightings); {
		end := i
		for end < len(sightings) && t.tells(path, sightings[end]) == hidden {
			end++
		}
		if end == i {
			i++
			continue
		}
		run := sightings[i:end]
		first, last := run[0], run[len(run)-1]
		if !same(first.before, last.after) {
			found = append(found, t.release(path, run))
		}
		i = end
	}
	return found
}

func (t *teller) release(path string, run []sighting) *step {
	first, last := run[0], run[len(run)-1]
	st := &step{
		Kind: releasedStep, Span: last.Span,
		Differences: []scan.Difference{{Path: path, Before: first.before, After: last.after}},
	}
	if last.Kind == scanStep {
		st.Since = t.journal.sinceOf(first.step)
	}
	for _, s := range run {
		st.Tells = append(st.Tells, s.Number)
		for _, w := range s.Open {
			if (!w.isEdit() || w.Path == path) && !slices.Contains(st.Within, w.Capture) {
				st.Within = append(st.Within, w.Capture)
			}
		}
		for _, id := range t.earlier(s.step, path) {
			if !slices.Contains(st.Within, id) {
				st.Within = append(st.Within, id)
			}
		}
	}
	slices.Sort(st.Within)
	return st
}

func (t *teller) tells(path string, s sighting) telling {
	if editOf(s.step, path, t.claims) != nil || t.toldBySteps[claim{s.Number, path}] || !covers(s.step, path) {
		return told
	}
	decided := hidden
	for _, w := range s.Open {
		if !w.concerns(path) {
			continue
		}
		_, closed := t.journal.closings[w.Key]
		switch {
		case t.open[w.Key] != nil:
			decided = pending
		case !closed && (w.Key != t.closing.Key || s.Number <= t.closing.First) && !w.isEdit():
			return told // the closing of one that is long closed is not kept
		}
	}
	// A window of what a call did after it was given up has steps in which it was not open.
	for _, n := range t.open {
		if n.Before != nil && n.first() < s.Number {
			decided = pending
		}
	}
	for _, c := range t.journal.closings {
		if t.tellsOf(c, path, s) {
			return told
		}
	}
	if t.tellsOf(t.closing, path, s) {
		return told
	}
	return decided
}

// tellsOf reports whether the record of a window that is closed lists a sighting.
func (t *teller) tellsOf(c *closing, path string, s sighting) bool {
	if s.Number <= c.First || s.Number > c.Last || c.Edit || c.Blind && !s.hasOpen(c.Key) {
		return false
	}
	return t.listsOf(c)[path]
}

// listsOf returns the paths that the record of a window lists.
func (t *teller) listsOf(c *closing) map[string]bool {
	if paths, ok := t.lists[c.Key]; ok {
		return paths
	}
	steps, _ := t.stepsIn(c)
	paths := make(map[string]bool)
	for _, change := range t.net(windowInfo{Key: c.Key}, steps) {
		paths[change.path] = true
	}
	t.lists[c.Key] = paths
	return paths
}
