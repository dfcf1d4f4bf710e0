package history

import (
	"slices"

	"github.com/claudewatch/claudewatch/internal/changes/record"
)

// once returns the changes of a file, in the order of their times, without those that
// others tell too: what several windows saw of one change, a window whose change is made
// of those of others that were open in it, and a part of a longer one.
func once(steps []Step) []Step {
	var list []Step
	for _, s := range steps {
		if !slices.ContainsFunc(list, func(o Step) bool { return isSeenTwice(o, s) }) {
			list = append(list, s)
		}
	}
	for _, isTold := range []func(s Step, others []Step) bool{isMadeOf, isPartOf} {
		for i := 0; i < len(list); {
			s := list[i]
			if s.Change.Attribution == record.Shared && s.Change.XMode == nil && isTold(s, sharing(list, s)) {
				list = slices.Delete(list, i, i+1)
			} else {
				i++
			}
		}
	}
	return list
}

// sharing returns those of some changes that share another.
func sharing(list []Step, s Step) []Step {
	return slices.DeleteFunc(slices.Clone(list), func(o Step) bool { return o == s || !share(o, s) })
}

// isMadeOf reports whether others lead, one after the other, from what a change found to
// what it left.
func isMadeOf(s Step, others []Step) bool {
	at := s.Change.Before
	for _, o := range others {
		if isSameState(o.Change.Before, at) && !isSameState(at, s.Change.After) {
			at = o.Change.After
		}
	}
	return isSameState(at, s.Change.After)
}

// isPartOf reports whether one of some others found the same and ended later, or left the
// same and began earlier.
func isPartOf(s Step, others []Step) bool {
	return slices.ContainsFunc(others, func(o Step) bool {
		return isSameState(o.Change.Before, s.Change.Before) && s.Record.Time.Before(o.Record.Time.Time) ||
			isSameState(o.Change.After, s.Change.After) && s.Record.Window != nil && o.Record.Window != nil &&
				o.Record.Window.Before.From.Before(s.Record.Window.Before.From.Time)
	})
}

// isSeenTwice reports whether two records have one change: that of windows that were
// open at the same time, or of one window on two roots that have the file both.
func isSeenTwice(a, b Step) bool {
	if a.Record == b.Record || !isSameState(a.Change.Before, b.Change.Before) || !isSameState(a.Change.After, b.Change.After) {
		return false
	}
	if a.Record.Tool != "" && a.Record.Tool == b.Record.Tool {
		return a.Record.Root != nil && b.Record.Root != nil && *a.Record.Root != *b.Record.Root
	}
	return share(a, b)
}

// share reports whether one of two changes names the record of the other.
func share(a, b Step) bool {
	return slices.Contains(a.Change.Windows, b.Record.ID) || slices.Contains(b.Change.Windows, a.Record.ID)
}

func isSameState(a, b record.State) bool { return a.Present == b.Present && a.SHA256 == b.SHA256 }
