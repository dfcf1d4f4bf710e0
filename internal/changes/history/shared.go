package history

import (
	"slices"

	"github.com/claudewatch/claudewatch/internal/changes/record"
)

// A window that was given up as unfinished is not open to the windows after it, and one
// of them says that a change is its own alone, or a record that it is nobody's. When the
// call comes to its end after all, its late record names the other beside itself: then both
// have the change, also in the record that was written first. It is the same with a call
// that was not seen to begin.

// sharedChange is a change of a path in a root as the record of an id tells it.
type sharedChange struct{ root, path, id string }

// sharers are the ids of the records that name another's change as shared.
type sharers map[sharedChange][]string

// add takes over what a record says of others.
func (s sharers) add(r *record.Record) {
	if r.Root == nil {
		return
	}
	for _, c := range r.Changes {
		if c.Attribution != record.Shared {
			continue
		}
		for _, id := range c.Windows {
			if at := (sharedChange{r.Root.Path, c.Path, id}); id != r.ID && !slices.Contains(s[at], r.ID) {
				s[at] = append(s[at], r.ID)
			}
		}
	}
}

// tell makes the changes of windows, and those of nobody, shared that others name so. What
// an edit of the runtime reports stays its own: that it made the change is known.
func (s sharers) tell(records []*record.Record) {
	for _, r := range records {
		if r.Root == nil || r.Basis == record.RuntimeReported {
			continue
		}
		for i := range r.Changes {
			c := &r.Changes[i]
			with := s[sharedChange{r.Root.Path, c.Path, r.ID}]
			if len(with) == 0 || c.Attribution == record.Shared {
				continue
			}
			c.Attribution = record.Shared
			for _, id := range with {
				if !slices.Contains(c.Windows, id) {
					c.Windows = append(c.Windows, id)
				}
			}
		}
	}
}
