package history

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/changes/textdiff"
)

// NetChange is what came of changes of one file.
type NetChange struct {
	*record.Change
	// Steps are the changes that it is made of.
	Steps []Step
}

// Net returns what came of the changes of each file, in the order of the paths: one
// change for a file, where its changes follow on one another and their lines are known,
// and nothing when the file is as it was before. The changes of other files are returned
// as they are, in the order of their times.
func (r *RootSteps) Net() []NetChange {
	var paths []string
	steps := make(map[string][]Step)
	for _, s := range r.Steps {
		if steps[s.Change.Path] == nil {
			paths = append(paths, s.Change.Path)
		}
		steps[s.Change.Path] = append(steps[s.Change.Path], s)
	}
	slices.Sort(paths)
	var list []NetChange
	for _, path := range paths {
		if c, ok := compose(steps[path]); ok {
			if c != nil {
				list = append(list, NetChange{c, steps[path]})
			}
			continue
		}
		for _, s := range steps[path] {
			list = append(list, NetChange{s.Change, []Step{s}})
		}
	}
	return list
}

// compose returns one change for changes of a file that follow on one another, nil when
// the file is as it was before. It is not ok when they cannot be put together.
func compose(steps []Step) (c *record.Change, ok bool) {
	if len(steps) == 1 {
		return steps[0].Change, true
	}
	first, last := steps[0].Change, steps[len(steps)-1].Change
	for i, s := range steps {
		if s.Change.Diff != record.Available || s.Change.XType != nil || i > 0 && !follows(steps[i-1].Change.After, s.Change.Before) {
			return nil, false
		}
	}
	t := &sparseText{}
	for _, s := range steps {
		if err := t.apply(s.Change.Hunks); err != nil {
			return nil, false
		}
	}
	c = &record.Change{Path: first.Path, Operation: net(first, last), Before: first.Before, After: last.After, Diff: record.Available}
	c.XMode = composeModes(steps)
	if c.Operation == "" && c.XMode == nil {
		return nil, true
	}
	if c.Operation == "" {
		c.Operation = record.Modify
	}
	before, after := t.text(t.first), t.text(t.now)
	c.Hunks, c.Additions, c.Deletions = textdiff.Compare(before, after)
	for _, h := range c.Hunks {
		if slices.ContainsFunc(h.Lines, func(line string) bool { return strings.Contains(line, unknownLine) }) {
			return nil, false
		}
	}
	return c, true
}

// composeModes returns the permission bits at the two ends, nil when they are the same
// or not known.
func composeModes(steps []Step) *record.Sides {
	first, last := steps[0].Change, steps[len(steps)-1].Change
	sides := record.Sides{}
	for _, s := range steps {
		if m := s.Change.XMode; m != nil && m.Before != "" && sides.Before == "" {
			sides.Before = m.Before
		}
		if m := s.Change.XMode; m != nil && m.After != "" {
			sides.After = m.After
		}
	}
	if !first.Before.Present {
		sides.Before = ""
	}
	if !last.After.Present {
		sides.After = ""
	}
	if sides.Before == sides.After {
		return nil
	}
	return &sides
}

// sparseText is a text of which only those lines are known that hunks show, in the
// version before the first of some changes and in the one that was reached. A line that
// stays the same is one line in both, so that what a later change shows of it is known
// of the earlier version too.
//
// With three lines of context on each side of every change, the lines around what
// differs between the two ends are always known.
type sparseText struct {
	first, now []*sparseLine
}

type sparseLine struct {
	text  string
	known bool
	// noEnd: the text ends with this line, without a line feed.
	noEnd bool
}

// maxLines bounds how many lines a text may have that changes are put together of.
const maxLines = 4 << 20

// reach makes sure that the version that was reached has n lines. Those that no hunk
// has shown yet were there before the first change.
func (t *sparseText) reach(n int) {
	for len(t.now) < n {
		l := &sparseLine{}
		t.now = append(t.now, l)
		t.first = append(t.first, l)
	}
}

// apply goes on to the version after a change.
func (t *sparseText) apply(hunks []textdiff.Hunk) error {
	var next []*sparseLine
	at := 0
	for _, h := range hunks {
		start := h.OldStart - 1
		if h.OldLines == 0 {
			start = h.OldStart
		}
		if start < at || start > maxLines {
			return fmt.Errorf("the hunks are out of order")
		}
		t.reach(start)
		next = append(next, t.now[at:start]...)
		at = start
		var last *sparseLine
		for _, line := range h.Lines {
			switch {
			case line == textdiff.NoNewline:
				if last != nil {
					last.noEnd = true
				}
				continue
			case line == "":
				return fmt.Errorf("a line of a hunk is empty")
			case line[0] == '+':
				last = &sparseLine{text: line[1:], known: true}
				next = append(next, last)
				continue
			}
			t.reach(at + 1)
			last = t.now[at]
			if last.known && last.text != line[1:] {
				return fmt.Errorf("the hunks do not follow on one another")
			}
			last.text, last.known = line[1:], true
			if line[0] == ' ' {
				next = append(next, last)
			}
			at++
		}
	}
	t.now = append(next, t.now[at:]...)
	return nil
}

// unknownLine begins what stands for a line that is not known. No text has it: NUL is
// in none.
const unknownLine = "\x00"

// text returns a version with something in the place of each line that is not known,
// the same in all versions.
func (t *sparseText) text(lines []*sparseLine) []byte {
	var b strings.Builder
	for i, l := range lines {
		if l.known {
			b.WriteString(l.text)
		} else {
			fmt.Fprintf(&b, "%s%p", unknownLine, l)
		}
		if !l.noEnd || i < len(lines)-1 {
			b.WriteByte('\n')
		}
	}
	return []byte(b.String())
}
