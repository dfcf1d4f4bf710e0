package textdiff

import (
	"bytes"
	"strings"
)

// Compare returns the hunks that turn one text into the other, in order, and how many
// lines they add and delete. Equal texts have none. The hunks are right for all texts,
// and for texts that have much in common they are short; what Compare does not do is
// to search for the shortest ones at any price: its time grows with the number of
// lines, however unlike the texts are.
//
// Texts that are not IsText are compared too, by their bytes.
func Compare(before, after []byte) (hunks []Hunk, additions, deletions int) {
	if bytes.Equal(before, after) {
		return nil, 0, 0
	}
	old, new := splitLines(string(before)), splitLines(string(after))
	edits := compareLines(old, new)
	for _, e := range edits {
		deletions += e.oldEnd - e.oldStart
		additions += e.newEnd - e.newStart
	}
	return hunksOf(old, new, edits), additions, deletions
}

// edit replaces lines oldStart to oldEnd of one text by lines newStart to newEnd of the
// other, counted from 0, the ends excluded.
type edit struct{ oldStart, oldEnd, newStart, newEnd int }

// hunksOf puts edits with their context into hunks. Edits whose contexts touch share one.
func hunksOf(old, new []string, edits []edit) []Hunk {
	var hunks []Hunk
	for len(edits) > 0 {
		n := 1
		for n < len(edits) && edits[n].oldStart-edits[n-1].oldEnd <= 2*context {
			n++
		}
		hunks = append(hunks, hunkOf(old, new, edits[:n]))
		edits = edits[n:]
	}
	return hunks
}

func hunkOf(old, new []string, edits []edit) Hunk {
	first, last := edits[0], edits[len(edits)-1]
	lead := min(context, first.oldStart)
	trail := min(context, len(old)-last.oldEnd)
	h := Hunk{
		OldStart: first.oldStart - lead, OldLines: last.oldEnd + trail - (first.oldStart - lead),
		NewStart: first.newStart - lead, NewLines: last.newEnd + trail - (first.newStart - lead),
	}
	at := h.OldStart
	for _, e := range edits {
		h.Lines = appendLines(h.Lines, " ", old[at:e.oldStart])
		h.Lines = appendLines(h.Lines, "-", old[e.oldStart:e.oldEnd])
		h.Lines = appendLines(h.Lines, "+", new[e.newStart:e.newEnd])
		at = e.oldEnd
	}
	h.Lines = appendLines(h.Lines, " ", old[at:at+trail])
	if h.OldLines > 0 {
		h.OldStart++ // counted from 1; a side without lines starts one lower
	}
	if h.NewLines > 0 {
		h.NewStart++
	}
	return h
}

func appendLines(to []string, sign string, lines []string) []string {
	for _, line := range lines {
		text, ended := strings.CutSuffix(line, "\n")
		to = append(to, sign+text)
		if !ended {
			to = append(to, NoNewline)
		}
	}
	return to
}
