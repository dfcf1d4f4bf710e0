package textdiff

import "strings"

// maxSlide bounds how far an edit is moved, in lines.
const maxSlide = 100

// slide moves edits that only add or only delete lines to where they read best. When
// the line above such a block is equal to its last line, the block may as well begin
// there: of a function that was added among others, all begins in the lines before a
// closing brace say nothing to a reader.
func slide(old, new []string, edits []edit) {
	for i := range edits {
		e := &edits[i]
		// The place of the edit in the text that has its lines, and how far it may move:
		// one line must remain between it and its neighbours.
		lines, start, end := new, e.newStart, e.newEnd
		switch {
		case start == end:
			lines, start, end = old, e.oldStart, e.oldEnd
		case e.oldStart != e.oldEnd:
			continue
		}
		up, down := start, len(lines)-end
		if i > 0 {
			up = e.oldStart - edits[i-1].oldEnd - 1
		}
		if i+1 < len(edits) {
			down = edits[i+1].oldStart - e.oldEnd - 1
		}
		by := bestSlide(lines, start, end, min(up, maxSlide), min(down, maxSlide))
		*e = edit{e.oldStart + by, e.oldEnd + by, e.newStart + by, e.newEnd + by}
	}
}

// bestSlide returns how many lines a block is to be moved, at most up lines up (then it
// is negative) and down lines down.
func bestSlide(lines []string, start, end, up, down int) int {
	lowest := 0
	for -lowest < up && lines[start+lowest-1] == lines[end+lowest-1] {
		lowest--
	}
	highest := 0
	for highest < down && lines[start+highest] == lines[end+highest] {
		highest++
	}
	best, cost := highest, splitCost(lines, start+highest)+splitCost(lines, end+highest)
	for by := highest - 1; by >= lowest; by-- {
		if c := splitCost(lines, start+by) + splitCost(lines, end+by); c < cost {
			best, cost = by, c
		}
	}
	return best
}

// splitCost says how bad it is to begin or end a block before a line. Behind an empty
// line is best, then before one; otherwise, the less the line is indented, the better.
func splitCost(lines []string, at int) int {
	switch {
	case at == 0 || at == len(lines) || isBlank(lines[at-1]):
		return 0
	case isBlank(lines[at]):
		return 1
	}
	line := lines[at]
	return 2 + min(len(line)-len(strings.TrimLeft(line, " \t")), maxSlide)
}

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }
