package changes

import (
	"fmt"
	"maps"
	"slices"

	"github.com/claudewatch/claudewatch/internal/changes/scan"
)

// netChange is what became of a path over the steps of a window.
type netChange struct {
	path          string
	before, after *scan.Entry // nil: not there
	// others are the ids of the records that tell of it too, sorted.
	others []string
	// missed is set when scans before had not reached the path, and earlier are the windows
	// that were open at these.
	missed  bool
	earlier []windowInfo
	// observed is set when a scan saw it move, and not only an edit of the runtime.
	observed bool
	// renamedFrom is the path that was deleted with the content that was created, "" for none.
	renamedFrom string
	// leftOut is set when the bytes are not compared, for the length of the record.
	leftOut bool
}

func (c *netChange) add(id string) {
	if i, found := slices.BinarySearch(c.others, id); !found {
		c.others = slices.Insert(c.others, i, id)
	}
}

// net returns what the steps of a window came to, by path: a path that ends as it
// began is left out, and so is one that only edits of the runtime have changed, which
// have records of their own.
func (s *state) net(own windowInfo, steps []*step) []netChange {
	claims := s.claims()
	byPath := make(map[string]*netChange)
	for _, st := range steps {
		if st.Kind == releasedStep {
			continue
		}
		for _, d := range st.Differences {
			c, ok := byPath[d.Path]
			if !ok {
				c = &netChange{path: d.Path, before: d.Before}
				byPath[d.Path] = c
			}
			c.after = d.After
			if edit := editOf(st, d.Path, claims); edit != nil {
				c.add(edit.Capture)
				continue
			}
			c.observed = true
			for _, w := range st.Open {
				if w.Key != own.Key && w.concerns(d.Path) {
					c.add(w.Capture)
				}
			}
			if !covers(st, d.Path) {
				c.add(gapID(s.id, st.Number))
			}
			s.doubt(c, st, own, false)
		}
	}
	var list []netChange
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		if c := byPath[path]; c.observed && !same(c.before, c.after) {
			list = append(list, *c)
		}
	}
	return list
}

// claim names what an edit of the runtime says that a scan saw of it.
type claim struct {
	step uint64
	path string
}

// claims returns the edits that own what scans saw.
func (s *state) claims() map[claim]*windowInfo {
	claims := make(map[claim]*windowInfo)
	for _, st := range s.journal.steps {
		if st.Kind == editStep && st.Edit != nil {
			for _, number := range st.Claims {
				claims[claim{number, st.Edit.Path}] = st.Edit
			}
		}
	}
	return claims
}

// editOf returns the edit of the runtime that a change of a step is, nil for others.
func editOf(st *step, path string, claims map[claim]*windowInfo) *windowInfo {
	if st.Kind == editStep {
		return st.Edit
	}
	return claims[claim{st.Number, path}]
}

// covers reports whether a window or an edit is known to have been open when a path changed
// in a step. One that was not seen to begin may have begun later.
func covers(st *step, path string) bool {
	return st.Kind == editStep || slices.ContainsFunc(st.Open, func(w windowInfo) bool { return w.concerns(path) && !w.Unseen })
}

// uncovered returns the changes of a step that no window is for.
func uncovered(st *step) []scan.Difference {
	if st.Kind == editStep {
		return nil
	}
	var list []scan.Difference
	for _, d := range st.Differences {
		if !covers(st, d.Path) {
			list = append(list, d)
		}
	}
	return list
}

// overlaps returns the windows that were open in the steps of another, or before these
// when they are named in its changes, and the edits that are named there.
func overlaps(own windowInfo, steps []*step, changes []netChange) []windowInfo {
	var list []windowInfo
	add := func(w windowInfo) {
		if w.Key != own.Key && !slices.ContainsFunc(list, func(o windowInfo) bool { return o.Key == w.Key }) {
			list = append(list, w)
		}
	}
	named := func(w windowInfo) bool {
		return slices.ContainsFunc(changes, func(c netChange) bool { return c.path == w.Path && slices.Contains(c.others, w.Capture) })
	}
	for _, c := range changes {
		for _, w := range c.earlier {
			add(w)
		}
	}
	for _, st := range steps {
		for _, w := range st.Open {
			if !w.isEdit() || named(w) {
				add(w)
			}
		}
		if st.Kind == editStep && named(*st.Edit) {
			add(*st.Edit)
		}
	}
	return list
}

// same reports whether two sides of a path are the same to a record.
func same(a, b *scan.Entry) bool {
	if a == nil || b == nil {
		return a == b
	}
	return sameContent(a, b) && a.Perm == b.Perm && (a.Known() || a.ModTime == b.ModTime)
}

// gapID is the id of the record of a step's changes that no window is for.
func gapID(rootID string, number uint64) string { return fmt.Sprintf("gap/%s/%d", rootID, number) }
