package history

import (
	"bytes"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/changes/textdiff"
)

// Origin says how much is known of where a line comes from.
type Origin int

// The origins of a line. Only the first two have a Step.
const (
	// ByCall: the line came with the change of a call.
	ByCall Origin = iota
	// ByNobody: it came while no call was under way that was observed.
	ByNobody
	// Unrecorded: it came after the last record, or between two records that do not
	// follow on one another.
	Unrecorded
	// Older: it was there before the records begin.
	Older
	// Unknown: the records do not tell, see Line.Note.
	Unknown
)

// Line is one line of a file and where it comes from.
type Line struct {
	// Number counts from 1, Text is without its line feed.
	Number int
	Text   string
	Origin Origin
	// Step is the change that the line came with.
	Step *Step
	// Note says more, as a clause for people; it may be "".
	Note string
}

// Blame says for each line of a text file with which change it came. file is its
// absolute path and content what it holds now.
func (h *History) Blame(file string, content []byte) []Line {
	lines := splitLines(content)
	b := &blame{
		history: h, bytes: newBytes(h.Data), content: content, steps: ofContent(h.Steps(file)),
		lines: make([]Line, len(lines)), of: make([]int, len(lines)), open: len(lines),
	}
	for i, text := range lines {
		b.lines[i] = Line{Number: i + 1, Text: text, Origin: -1}
		b.of[i] = i
	}
	b.run()
	return b.lines
}

// ofContent leaves out the changes that leave the content as it was, of the mode alone.
func ofContent(steps []Step) []Step {
	return slices.DeleteFunc(steps, func(s Step) bool {
		return s.Change.Before.Present && s.Change.After.Present && s.Change.Before.SHA256 == s.Change.After.SHA256
	})
}

// splitLines returns the lines of a text without their line feeds.
func splitLines(content []byte) []string {
	if len(content) == 0 {
		return nil
	}
	return strings.Split(string(bytes.TrimSuffix(content, []byte("\n"))), "\n")
}

// blame goes back through the changes of a file, from what it holds now.
type blame struct {
	history *History
	bytes   *bytesOf
	steps   []Step // those that are still to be looked at, the oldest first
	// content is the file at the point that was reached, and of the line of the result
	// that each of its lines is, -1 for none.
	content []byte
	of      []int
	lines   []Line
	open    int // how many lines of the result have no origin yet
}

func (b *blame) run() {
	note := "written after the last record"
	for b.open > 0 {
		i := b.leadingHere()
		if i >= 0 {
			step := b.steps[i]
			b.steps = b.steps[:i]
			if !b.back(step) {
				return
			}
			note = "written between two records"
			continue
		}
		if len(b.steps) == 0 {
			b.rest(Line{Origin: Older})
			return
		}
		// Nothing leads here: the nearest state that is recorded, when its bytes are known.
		last := b.steps[len(b.steps)-1]
		content := b.bytes.find(last, last.Change.After)
		if content == nil || hashOf(content) == hashOf(b.content) {
			b.rest(Line{Origin: Unknown, Note: "the file was changed by something that is not recorded, and what it held before that is no longer kept"})
			return
		}
		hunks, _, _ := textdiff.Compare(content, b.content)
		b.step(hunks, content, Line{Origin: Unrecorded, Note: note})
	}
}

// leadingHere returns the index of the latest change that led to the content, -1 when
// there is none. When several windows saw that change it is the one that was closed first.
func (b *blame) leadingHere() int {
	hash := hashOf(b.content)
	found := -1
	for i := len(b.steps) - 1; i >= 0; i-- {
		c := b.steps[i].Change
		if !c.After.Present || c.After.SHA256 != hash {
			continue
		}
		if found < 0 || isSeenTwice(b.steps[i], b.steps[found]) {
			found = i
		}
	}
	return found
}

// back goes over one change, and reports whether there is more to be found before it.
func (b *blame) back(step Step) bool {
	by := Line{Origin: ByCall, Step: &step}
	if step.Record.Basis == record.Unattributed {
		by.Origin = ByNobody
	}
	c := step.Change
	if !c.Before.Present {
		if c.XRenamedFrom == "" {
			b.rest(by)
			return false
		}
		b.renamed(step)
		return true
	}
	before := b.bytes.before(step, b.content)
	if before == nil {
		b.rest(Line{Origin: Unknown, Step: &step, Note: "it came with this change or before it: what the file held before is no longer kept"})
		return false
	}
	hunks := c.Hunks
	if c.Diff != record.Available {
		hunks, _, _ = textdiff.Compare(before, b.content)
	}
	b.step(hunks, before, by)
	return true
}

// renamed goes on with the changes of the file that this one was before.
func (b *blame) renamed(step Step) {
	from := Absolute(step.Record, step.Change.XRenamedFrom)
	b.steps = slices.DeleteFunc(ofContent(b.history.Steps(from)), func(s Step) bool {
		return s.Record == step.Record || s.Record.Time.After(step.Record.Time.Time)
	})
}

// step goes back over hunks, whose added lines get their origin.
func (b *blame) step(hunks []textdiff.Hunk, before []byte, by Line) {
	of := make([]int, 0, len(b.of))
	next := 0 // the first line that is not gone over yet
	for _, h := range hunks {
		start := h.NewStart - 1
		if h.NewLines == 0 {
			start = h.NewStart
		}
		for ; next < start && next < len(b.of); next++ {
			of = append(of, b.of[next])
		}
		for _, line := range h.Lines {
			switch {
			case line == "":
			case line[0] == ' ' && next < len(b.of):
				of = append(of, b.of[next])
				next++
			case line[0] == '-':
				of = append(of, -1)
			case line[0] == '+' && next < len(b.of):
				b.settle(b.of[next], by)
				next++
			}
		}
	}
	of = append(of, b.of[next:]...)
	b.of, b.content = of, before
}

// settle gives a line of the result its origin.
func (b *blame) settle(line int, by Line) {
	if line < 0 || b.lines[line].Origin >= 0 {
		return
	}
	l := &b.lines[line]
	l.Origin, l.Step, l.Note = by.Origin, by.Step, by.Note
	b.open--
}

// rest gives all lines that have none the same origin.
func (b *blame) rest(by Line) {
	for i := range b.lines {
		b.settle(i, by)
	}
}
