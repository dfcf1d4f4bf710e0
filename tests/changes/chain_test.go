package changes_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/record"
)

// stretch is what a record tells of a path: that its content was once the one of the
// state from and then that of the state to.
type stretch struct {
	from, to int
	id       string
}

// chain checks that the records of a path lead from what the first scan saw to what
// stands there now, and that no change on the way is missing. What changed and changed
// back between two scans nobody has seen.
func (j *judge) chain(path string) {
	h := j.world.paths[path]
	first := 0
	for i, c := range h.states {
		if c.ended.Before(j.start) {
			first = i
		}
	}
	var told []stretch
	for _, r := range j.records {
		for _, c := range r.Changes {
			if c.Path != path {
				continue
			}
			s, ok := j.stretchOf(h, r, &c)
			if !ok {
				j.t.Errorf("%s: %s: %+v became %+v, which it did at no time that the record can mean", r.ID, path, c.Before, c.After)
				continue
			}
			told = append(told, s)
			j.nobodys(h, r, &c, s)
		}
	}
	slices.SortFunc(told, func(a, b stretch) int { return a.from - b.from })
	at := first
	last := len(h.states) - 1
	for _, s := range told {
		if s.from > at && !j.cameBack(h, at, s.from) {
			j.t.Errorf("%s: nothing tells how state %d became state %d, before %s (%d to %d); told: %v", path, at, s.from, s.id, s.from, s.to, told)
		}
		at = max(at, s.to)
	}
	if at < last && !j.cameBack(h, at, last) {
		j.t.Errorf("%s: nothing tells how state %d became state %d, the last; told: %v", path, at, last, told)
	}
}

// cameBack reports whether two states of a path are the same to the records: whether they
// are equal, or differ in a mode that nobody can have seen change. An edit of the runtime,
// which does not report modes, comes between them and the others.
func (j *judge) cameBack(h *history, from, to int) bool {
	if h.states[from].equals(h.states[to]) {
		return true
	}
	if h.states[from].hash() != h.states[to].hash() {
		return false
	}
	if to+1 < len(h.states) && h.states[to+1].edit != "" && j.modeCameBack(h, from, to) {
		return true
	}
	// Or the edit made the file, and was reported when it had another mode already.
	c := j.calls[h.states[from].edit]
	return c != nil && c.post != nil && !c.before.present && h.states[to].began.Before(c.post.ended)
}

// modeCameBack reports whether the mode that a state has came to be what it was in an
// earlier one, or went with the file, before a scan saw it.
func (j *judge) modeCameBack(h *history, from, to int) bool {
	for _, s := range h.states[to+1:] {
		if s.present && !s.link && s.mode != h.states[from].mode {
			continue
		}
		return !slices.ContainsFunc(j.records, func(r *record.Record) bool {
			return r.Window != nil && (within(r.Window.Before, h.states[to].ended, s.began) || within(r.Window.After, h.states[to].ended, s.began))
		})
	}
	return false
}

func within(span record.Span, from, to time.Time) bool {
	return span.From.After(from) && span.To.Before(to)
}

// stretchOf returns the longest stretch that a change can mean.
func (j *judge) stretchOf(h *history, r *record.Record, c *record.Change) (stretch, bool) {
	s := stretch{-1, -1, r.ID}
	if r.Basis == record.RuntimeReported {
		for i, state := range h.states {
			if state.edit == r.ID {
				s.from, s.to = i-1, i
			}
		}
		return s, s.to > 0
	}
	var before, after []int
	for i, state := range h.states {
		// What was known before a scan is what the scan before saw, and edits of the runtime since.
		known := r.Window == nil || j.stood(h, i, r.Window.Before) || r.Basis == record.Unattributed && state.edit != "" || j.unreported(h, i, r.Window.Before)
		if matches(state, c.Before) && known {
			before = append(before, i)
		}
		if matches(state, c.After) && (r.Window == nil || j.stood(h, i, r.Window.After)) {
			after = append(after, i)
		}
	}
	if len(before) == 0 || len(after) == 0 || before[0] >= after[len(after)-1] {
		return j.modeStretch(h, s, c)
	}
	return stretch{before[0], after[len(after)-1], r.ID}, true
}

// unreported reports whether a state is one that an edit of the runtime found or left, or a
// later one, when the edit had been made in a span and not been reported: then it is
// taken for one that comes later.
func (j *judge) unreported(h *history, i int, span record.Span) bool {
	for k := 1; k <= i+1 && k < len(h.states); k++ {
		c := j.calls[h.states[k].edit]
		if c != nil && c.post != nil && h.states[k].began.Before(span.To.Time) && span.From.Before(c.post.ended) {
			return true
		}
	}
	return false
}

// modeStretch returns the stretch of a change of the mode alone. The runtime does not
// report modes: when it edited the file in between, nobody can know which came first.
func (j *judge) modeStretch(h *history, s stretch, c *record.Change) (stretch, bool) {
	for i := 1; i < len(h.states); i++ {
		was, is := h.states[i-1], h.states[i]
		if c.XMode != nil && c.Before.SHA256 == c.After.SHA256 && was.hash() == is.hash() &&
			fmt.Sprintf("%04o", was.mode) == c.XMode.Before && fmt.Sprintf("%04o", is.mode) == c.XMode.After {
			return stretch{i - 1, i, s.id}, true
		}
	}
	return s, false
}

// stood reports whether a state can have been seen in a span.
func (j *judge) stood(h *history, i int, span record.Span) bool {
	if h.states[i].began.After(span.To.Time) {
		return false
	}
	return i+1 == len(h.states) || !h.states[i+1].ended.Before(span.From.Time)
}

// nobodys checks a change that is said to be nobody's: when a scan saw it, no window and
// no edit of the file was open.
func (j *judge) nobodys(h *history, r *record.Record, c *record.Change, s stretch) {
	outside := c.Attribution == record.OutsideAnyWindow
	// What one window undid and another told the first half of is told outside of both, and
	// names them.
	if outside != (r.Basis == record.Unattributed && len(c.Windows) == 1) {
		j.t.Errorf("%s: %s is %s", r.ID, c.Path, c.Attribution)
	}
	if !outside || r.Window == nil {
		return
	}
	for _, other := range j.play.calls {
		if other.kind == scanned && j.surelyOpen(other, r.Window.After.From.Time, r.Window.After.To.Time) {
			j.t.Errorf("%s: %s is said to be outside any window, and %s was open", r.ID, c.Path, other.id)
		}
	}
	// Nothing but an edit of the runtime has happened: then it is not nobody's.
	for i := s.from + 1; i <= s.to; i++ {
		if h.states[i].edit == "" || !j.reportedWell(h.states[i].edit) {
			return
		}
	}
	j.t.Errorf("%s: %s was changed by edits of the runtime alone, states %d to %d", r.ID, c.Path, s.from, s.to)
}

// reportedWell reports whether both hooks of an edit ran to their ends.
func (j *judge) reportedWell(id string) bool {
	c := j.calls[id]
	return c.pre.ok() && c.post != nil && c.post.ok()
}
