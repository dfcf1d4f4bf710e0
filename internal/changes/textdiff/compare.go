package textdiff

import (
	"bytes"
	"slices"
	"strings"
)

// Compare returns the hunks that turn one text into the other, in order, and how many
// lines they add and delete. Equal texts have none. The hunks are right for all texts,
// and short for texts that have much in common; what Compare does not do is search for
// the shortest ones at any price: its time grows with the number of lines, however
// unlike the texts are.
//
// Texts that are not IsText are compared too, by their bytes.
func Compare(before, after []byte) (hunks []Hunk, additions, deletions int) {
	if bytes.Equal(before, after) {
		return nil, 0, 0
	}
	start, end := inCommon(before, after)
	above := bytes.Count(before[:start], []byte{'\n'}) // lines that are left out
	old := splitLines(string(before[start : len(before)-end]))
	new := splitLines(string(after[start : len(after)-end]))
	edits := compareLines(old, new)
	for _, e := range edits {
		deletions += e.oldEnd - e.oldStart
		additions += e.newEnd - e.newStart
	}
	return hunksOf(old, new, edits, above), additions, deletions
}

// inCommon returns how many bytes of their starts and ends two texts need not be
// compared: whole lines that both have, but for those that can be context or that an
// edit can be moved over.
func inCommon(before, after []byte) (start, end int) {
	shorter := min(len(before), len(after))
	for start < shorter && before[start] == after[start] {
		start++
	}
	for end < shorter-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	first := before[:start]
	for range context + maxSlide + 1 { // the first step leaves out what is no whole line
		first = first[:bytes.LastIndexByte(first[:max(len(first)-1, 0)], '\n')+1]
	}
	last := before[len(before)-end:]
	for range context + maxSlide + 1 {
		last = last[lineEnd(last):]
	}
	return len(first), len(last)
}

// lineEnd returns the length of the first line of a text.
func lineEnd(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

// edit replaces lines oldStart to oldEnd of one text by lines newStart to newEnd of the
// other, counted from 0, the ends excluded.
type edit struct{ oldStart, oldEnd, newStart, newEnd int }

// hunksOf puts edits with their context into hunks. Edits whose contexts touch share
// one. There are as many lines above old and new in both texts.
func hunksOf(old, new []string, edits []edit, above int) []Hunk {
	var hunks []Hunk
	for len(edits) > 0 {
		n := 1
		for n < len(edits) && edits[n].oldStart-edits[n-1].oldEnd <= 2*context {
			n++
		}
		hunks = append(hunks, hunkOf(old, new, edits[:n], above))
		edits = edits[n:]
	}
	return hunks
}

func hunkOf(old, new []string, edits []edit, above int) Hunk {
	first, last := edits[0], edits[len(edits)-1]
	lead := min(context, first.oldStart)
	trail := min(context, len(old)-last.oldEnd)
	at := first.oldStart - lead
	h := Hunk{
		OldStart: above + at, OldLines: last.oldEnd + trail - at,
		NewStart: above + first.newStart - lead, NewLines: last.newEnd + trail - (first.newStart - lead),
	}
	if h.OldLines > 0 {
		h.OldStart++ // counted from 1; a side without lines starts one lower
	}
	if h.NewLines > 0 {
		h.NewStart++
	}
	var w lineWriter
	for _, e := range edits {
		w.add(' ', old[at:e.oldStart])
		w.add('-', old[e.oldStart:e.oldEnd])
		w.add('+', new[e.newStart:e.newEnd])
		at = e.oldEnd
	}
	w.add(' ', old[at:at+trail])
	h.Lines = w.lines()
	return h
}

// lineWriter puts the lines of a hunk together, in one piece of memory.
type lineWriter struct {
	text strings.Builder
	ends []int // of the lines in text
}

func (w *lineWriter) add(sign byte, lines []string) {
	size := 0
	for _, line := range lines {
		size += len(line) + 1
	}
	w.text.Grow(size)
	w.ends = slices.Grow(w.ends, len(lines)+1)
	for _, line := range lines {
		text, ended := strings.CutSuffix(line, "\n")
		w.text.WriteByte(sign)
		w.text.WriteString(text)
		w.ends = append(w.ends, w.text.Len())
		if !ended {
			w.text.WriteString(NoNewline)
			w.ends = append(w.ends, w.text.Len())
		}
	}
}

func (w *lineWriter) lines() []string {
	lines := make([]string, len(w.ends))
	text, start := w.text.String(), 0
	for i, end := range w.ends {
		lines[i], start = text[start:end], end
	}
	return lines
}
