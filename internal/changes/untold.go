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
	t := &teller{state: s, closing: c, toldBySteps: toldBySteps, claims: s.claims(), lists: make(map[string]map[string]bool), open: make(map[string]bool)}
	for _, n := range s.openNotes() {
		t.open[n.Key] = n.Key != own.Key
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
	open        map[string]bool
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
	}
	slices.Sort(st.Within)
	return st
}

func (t *teller) tells(path string, s sighting) telling {
	at := claim{s.Number, path}
	if editOf(s.step, path, t.claims) != nil || t.toldBySteps[at] || !covers(s.step, path) {
		return told
	}
	decided := hidden
	for _, w := range s.Open {
		if w.isEdit() && w.Path != path {
			continue
		}
		c, closed := t.journal.closings[w.Key]
		if w.Key == t.closing.Key {
			c, closed = t.closing, true
		}
		switch {
		case t.open[w.Key]:
			decided = pending
		case w.isEdit():
			// What it did not make was released, and what it made is claimed.
		case !closed || t.listsOf(w, c)[path]:
			return told // the closing of one that is long closed is not kept
		}
	}
	return decided
}

// listsOf returns the paths that the record of a window lists.
func (t *teller) listsOf(w windowInfo, c *closing) map[string]bool {
	if paths, ok := t.lists[w.Key]; ok {
		return paths
	}
	steps, _ := t.stepsIn(c)
	paths := make(map[string]bool)
	for _, change := range t.net(w, steps) {
		paths[change.path] = true
	}
	t.lists[w.Key] = paths
	return paths
}
