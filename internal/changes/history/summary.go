package history

import (
	"cmp"
	"slices"

	"github.com/claudewatch/claudewatch/internal/changes/record"
)

// RootSteps are changes of the files of one root.
type RootSteps struct {
	// Root is the absolute path of the root; "" for files outside of all roots, whose
	// paths are absolute.
	Root string
	// Steps are in the order of their times. What several windows saw of one change is
	// there once.
	Steps []Step
	// Broken are the absolute paths of files whose changes do not follow on one another:
	// something that is not among the steps changed the file in between.
	Broken []string
}

// ByRoot returns the changes of the records by their roots, in the order in which the
// roots come up.
func (h *History) ByRoot() []*RootSteps {
	counts := make(map[*record.Change]bool)
	for _, steps := range h.stepsByFile() {
		for _, s := range once(steps) {
			counts[s.Change] = true
		}
	}
	var roots []*RootSteps
	byPath := make(map[string]*RootSteps)
	last := make(map[string]*record.Change)
	for _, r := range h.Records {
		root := ""
		if r.Root != nil {
			root = r.Root.Path
		}
		for i := range r.Changes {
			c := &r.Changes[i]
			if !counts[c] {
				continue
			}
			to := byPath[root]
			if to == nil {
				to = &RootSteps{Root: root}
				byPath[root] = to
				roots = append(roots, to)
			}
			file := Absolute(r, c.Path)
			if before := last[file]; before != nil && !follows(before.After, c.Before) && !slices.Contains(to.Broken, file) {
				to.Broken = append(to.Broken, file)
			}
			last[file] = c
			to.Steps = append(to.Steps, Step{r, c})
		}
	}
	return roots
}

// FileStat sums up the changes of one file.
type FileStat struct {
	// Root and Path are those of the records.
	Root string `json:"root"`
	Path string `json:"path"`
	// Operation is what came of all changes together: that of record.Change, or ""
	// when the file is as it was before.
	Operation string `json:"operation"`
	// Changes is how many there were, Calls how many different calls made them.
	Changes int `json:"changes"`
	Calls   int `json:"calls"`
	// Additions and Deletions are summed up over all changes whose lines are known.
	Additions int `json:"additions"`
	Deletions int `json:"deletions"`
	// Before and After are the sizes in bytes at the two ends.
	Before int64 `json:"bytes_before"`
	After  int64 `json:"bytes_after"`
	// Uncounted is set when the lines of some change are not known.
	Uncounted bool `json:"uncounted"`
	// Shared is set when some change may be of more than one call, Unattributed when
	// some change is of none.
	Shared       bool `json:"shared"`
	Unattributed bool `json:"unattributed"`
}

// Stat sums up the changes of each file, in the order of roots and paths.
func (h *History) Stat() []FileStat {
	type key struct{ root, path string }
	ends := make(map[key][2]Step)
	stats := make(map[key]*FileStat)
	calls := make(map[key]map[string]bool)
	for _, root := range h.ByRoot() {
		for _, s := range root.Steps {
			c, k := s.Change, key{root.Root, s.Change.Path}
			f := stats[k]
			if f == nil {
				f = &FileStat{Root: k.root, Path: k.path}
				stats[k], calls[k] = f, make(map[string]bool)
				ends[k] = [2]Step{s, s}
			}
			ends[k] = [2]Step{ends[k][0], s}
			f.Changes++
			calls[k][cmp.Or(s.Record.Tool, s.Record.ID)] = true
			f.Additions += c.Additions
			f.Deletions += c.Deletions
			f.Uncounted = f.Uncounted || c.Diff != record.Available
			f.Shared = f.Shared || c.Attribution == record.Shared
			f.Unattributed = f.Unattributed || s.Record.Basis == record.Unattributed
		}
	}
	list := make([]FileStat, 0, len(stats))
	for k, f := range stats {
		first, last := ends[k][0].Change, ends[k][1].Change
		f.Calls = len(calls[k])
		f.Before, f.After = first.Before.Bytes, last.After.Bytes
		f.Operation = net(first, last)
		list = append(list, *f)
	}
	slices.SortFunc(list, func(a, b FileStat) int { return cmp.Or(cmp.Compare(a.Root, b.Root), cmp.Compare(a.Path, b.Path)) })
	return list
}

// net returns what came of changes of a file of which these are the first and the last.
func net(first, last *record.Change) string {
	switch {
	case first == last:
		return first.Operation
	case !first.Before.Present && !last.After.Present:
		return ""
	case !first.Before.Present:
		return record.Create
	case !last.After.Present:
		return record.Delete
	case kindOf(first, true) != kindOf(last, false):
		return record.TypeChange
	case first.Before.SHA256 != "" && first.Before.SHA256 == last.After.SHA256:
		return ""
	}
	return record.Modify
}
