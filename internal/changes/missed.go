package changes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/changes/scan"
)

// A scan that does not reach a path leaves it as it is known. What a later one finds there
// may have come about at any time since the last scan that did reach it: it is of all the
// windows that were open meanwhile, and when there was none at some time, of nobody as well.

// missed returns the scans before a step that did not reach a path, back to one that did.
// With forgotten the journal does not go back so far.
func (j *journal) missed(st *step, path string) (missed []*step, forgotten bool) {
	i, found := slices.BinarySearchFunc(j.steps, st.Number, func(s *step, number uint64) int { return cmp.Compare(s.Number, number) })
	if !found || !st.moves() || st.Rebuilt {
		return nil, false
	}
	for _, before := range slices.Backward(j.steps[:i]) {
		switch {
		case before.Kind == scanStep && (scan.Observed(before.Unobserved, path) || before.Rebuilt), before.moves() && before.changes(path):
			return missed, false
		case before.Kind == scanStep:
			missed = append(missed, before)
		}
	}
	return missed, !scan.Observed(j.head.Unobserved, path)
}

// changes reports whether a path is among the differences of a step.
func (s *step) changes(path string) bool {
	return slices.ContainsFunc(s.Differences, func(d scan.Difference) bool { return d.Path == path })
}

// unobservedAt returns the paths that the last scan up to a step did not reach.
func (j *journal) unobservedAt(upTo uint64) []string {
	if s := j.lastScan(upTo); s != nil {
		return s.Unobserved
	}
	return j.head.Unobserved
}

// doubt adds to a change that a step found who else can have made it, because scans
// before had not reached the path. With outside, that nobody has is known already.
func (s *state) doubt(c *netChange, st *step, own windowInfo, outside bool) {
	missed, forgotten := s.journal.missed(st, c.path)
	for _, m := range missed {
		c.missed = true
		for _, w := range m.Open {
			if w.Key != own.Key && w.concerns(c.path) {
				c.add(w.Capture)
				c.earlier = append(c.earlier, w)
			}
		}
		if !outside && !covers(m, c.path) {
			c.add(gapID(s.id, m.Number))
		}
	}
	if forgotten {
		c.missed = true
		c.add(gapID(s.id, s.journal.head.Last))
	}
}

// earlier returns the ids of the records of windows that can have made a change which a
// step found, and were not open at it.
func (s *state) earlier(st *step, path string) []string {
	c := &netChange{path: path}
	s.doubt(c, st, windowInfo{}, true)
	return c.others
}

// maxNamed is how many paths a gap names.
const maxNamed = 5

// missedGap says which changes rest on scans that did not reach their paths, "" for none.
func missedGap(changes []netChange) string {
	var names []string
	more := 0
	for _, c := range changes {
		switch {
		case !c.missed:
		case len(names) < maxNamed:
			names = append(names, fmt.Sprintf("%q", c.path))
		default:
			more++
		}
	}
	if len(names) == 0 {
		return ""
	}
	text := "a scan before did not reach these, which may have been changed earlier than between the two scans: " + strings.Join(names, ", ")
	if more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
