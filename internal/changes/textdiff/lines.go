package textdiff

import (
	"slices"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// maxLines bounds the lines of both texts that are searched for what they have in
// common beyond their starts and ends; package lcs takes no more than 1<<25.
const maxLines = 1 << 23

// maxDepth bounds how often the lines between two anchors are searched for anchors again.
const maxDepth = 16

// compareLines returns the edits that turn old into new, in order; between two of them
// there is at least one line that both have.
//
// Two lines that are equal and that each text has only once are an anchor. The longest
// run of anchors that are in the same order in both texts is kept ("patience diff"),
// and the lines between two of them are compared in the same way; where there is no
// anchor, package lcs compares them, which gives up at a hundred differences. So both
// the time is bounded, and a block that was moved into a long text does not make all
// of it look changed.
func compareLines(old, new []string) []edit {
	c := comparison{}
	c.old, c.new = number(old, new)
	c.compare(edit{0, len(old), 0, len(new)}, 0)
	slide(old, new, c.edits)
	return c.edits
}

// number gives each line a number, equal lines the same one.
func number(old, new []string) (a, b []rune) {
	numbers := make(map[string]rune, len(old))
	of := func(lines []string) []rune {
		result := make([]rune, len(lines))
		for i, line := range lines {
			n, ok := numbers[line]
			if !ok {
				n = rune(len(numbers))
				numbers[line] = n
			}
			result[i] = n
		}
		return result
	}
	return of(old), of(new)
}

type comparison struct {
	old, new []rune // numbers of lines
	edits    []edit
}

// compare adds the edits of a part of the texts.
func (c *comparison) compare(part edit, depth int) {
	part = c.trim(part)
	old, new := c.old[part.oldStart:part.oldEnd], c.new[part.newStart:part.newEnd]
	switch {
	case len(old) == 0 && len(new) == 0:
		return
	case len(old) == 0 || len(new) == 0 || len(old)+len(new) > maxLines:
		c.add(part)
		return
	}
	if depth < maxDepth {
		anchors, common := anchorsOf(old, new)
		if !common {
			c.add(part)
			return
		}
		if len(anchors) > 0 {
			c.between(part, anchors, depth+1)
			return
		}
	}
	for _, d := range lcs.DiffRunes(old, new) {
		c.add(edit{part.oldStart + d.Start, part.oldStart + d.End, part.newStart + d.ReplStart, part.newStart + d.ReplEnd})
	}
}

// between adds the edits between the anchors of a part.
func (c *comparison) between(part edit, anchors []anchor, depth int) {
	at := part
	for _, a := range anchors {
		at.oldEnd, at.newEnd = part.oldStart+a.old, part.newStart+a.new
		c.compare(at, depth)
		at.oldStart, at.newStart = at.oldEnd+1, at.newEnd+1
	}
	at.oldEnd, at.newEnd = part.oldEnd, part.newEnd
	c.compare(at, depth)
}

// trim leaves out the lines that a part begins and ends with in both texts.
func (c *comparison) trim(p edit) edit {
	for p.oldStart < p.oldEnd && p.newStart < p.newEnd && c.old[p.oldStart] == c.new[p.newStart] {
		p.oldStart, p.newStart = p.oldStart+1, p.newStart+1
	}
	for p.oldStart < p.oldEnd && p.newStart < p.newEnd && c.old[p.oldEnd-1] == c.new[p.newEnd-1] {
		p.oldEnd, p.newEnd = p.oldEnd-1, p.newEnd-1
	}
	return p
}

// add adds an edit behind the others, as a part of the last one when they touch.
func (c *comparison) add(e edit) {
	if n := len(c.edits); n > 0 && c.edits[n-1].oldEnd == e.oldStart && c.edits[n-1].newEnd == e.newStart {
		c.edits[n-1].oldEnd, c.edits[n-1].newEnd = e.oldEnd, e.newEnd
		return
	}
	c.edits = append(c.edits, e)
}

// anchor is a line of both texts, by its place in each.
type anchor struct{ old, new int }

// anchorsOf returns the longest run of anchors of two texts that are in order in both,
// and whether the texts have any line in common.
func anchorsOf(old, new []rune) (anchors []anchor, common bool) {
	type places struct{ old, new, oldCount, newCount int32 }
	seen := make(map[rune]places, len(old))
	for i, n := range old {
		p := seen[n]
		p.old, p.oldCount = int32(i), p.oldCount+1
		seen[n] = p
	}
	for i, n := range new {
		if p, ok := seen[n]; ok {
			p.new, p.newCount = int32(i), p.newCount+1
			seen[n] = p
			common = true
		}
	}
	var all []anchor // in the order of old
	for _, n := range old {
		if p := seen[n]; p.oldCount == 1 && p.newCount == 1 {
			all = append(all, anchor{int(p.old), int(p.new)})
		}
	}
	return longestIncreasing(all), common
}

// longestIncreasing returns the most anchors whose places in the new text increase, of
// anchors whose places in the old one do.
func longestIncreasing(all []anchor) []anchor {
	var piles []int                 // the anchor on top of each pile, by its index in all
	before := make([]int, len(all)) // the top of the pile to the left when the anchor was put
	for i, a := range all {
		pile, _ := slices.BinarySearchFunc(piles, a.new, func(top, place int) int { return all[top].new - place })
		before[i] = -1
		if pile > 0 {
			before[i] = piles[pile-1]
		}
		if pile == len(piles) {
			piles = append(piles, i)
		} else {
			piles[pile] = i
		}
	}
	result := make([]anchor, len(piles))
	for i, at := len(piles)-1, -1; i >= 0; i-- {
		if at < 0 {
			at = piles[i]
		} else {
			at = before[at]
		}
		result[i] = all[at]
	}
	return result
}
