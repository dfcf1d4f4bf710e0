package policy

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// runeSet is a set of runes as sorted pairs of first and last.
type runeSet []rune

// setOf returns the runes that an item matches, when it matches exactly one rune.
func (p *regexParser) setOf(item *regexItem) (runeSet, bool) {
	if item.kind != itemChar {
		return nil, false
	}
	flags := syntax.Perl
	if p.foldCase {
		flags |= syntax.FoldCase
	}
	if p.dotAll {
		flags |= syntax.DotNL
	}
	re, err := syntax.Parse(string(p.text[item.start:item.end]), flags)
	if err != nil {
		return nil, false
	}
	switch re.Op {
	case syntax.OpCharClass:
		return slices.Clone(re.Rune), true
	case syntax.OpAnyChar:
		return runeSet{0, unicode.MaxRune}, true
	case syntax.OpAnyCharNotNL:
		return runeSet{0, '\n' - 1, '\n' + 1, unicode.MaxRune}, true
	case syntax.OpLiteral:
		if len(re.Rune) != 1 {
			return nil, false
		}
		set := runeSet{re.Rune[0], re.Rune[0]}
		if re.Flags&syntax.FoldCase != 0 {
			for r := unicode.SimpleFold(re.Rune[0]); r != re.Rune[0]; r = unicode.SimpleFold(r) {
				set = append(set, r, r)
			}
		}
		return set.union(nil), true
	}
	return nil, false
}

// union returns the runes of either set, in order and joined.
func (s runeSet) union(t runeSet) runeSet {
	type pair struct{ low, high rune }
	var pairs []pair
	for _, set := range []runeSet{s, t} {
		for i := 0; i < len(set); i += 2 {
			pairs = append(pairs, pair{set[i], set[i+1]})
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int { return int(a.low - b.low) })
	var out runeSet
	for _, p := range pairs {
		if n := len(out); n > 0 && p.low <= out[n-1]+1 {
			out[n-1] = max(out[n-1], p.high)
		} else {
			out = append(out, p.low, p.high)
		}
	}
	return out
}

// intersect returns the runes of both sets.
func (s runeSet) intersect(t runeSet) runeSet {
	var out runeSet
	for i, j := 0, 0; i < len(s) && j < len(t); {
		if low, high := max(s[i], t[j]), min(s[i+1], t[j+1]); low <= high {
			out = append(out, low, high)
		}
		if s[i+1] < t[j+1] {
			i += 2
		} else {
			j += 2
		}
	}
	return out
}

// complement returns the runes that are not in the set.
func (s runeSet) complement() runeSet {
	var out runeSet
	next := rune(0)
	for i := 0; i < len(s); i += 2 {
		if s[i] > next {
			out = append(out, next, s[i]-1)
		}
		next = s[i+1] + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, next, unicode.MaxRune)
	}
	return out
}

func (s runeSet) within(t runeSet) bool { return len(s.intersect(t.complement())) == 0 }

func (s runeSet) disjoint(t runeSet) bool { return len(s.intersect(t)) == 0 }

// class writes the set as a class of RE2. A set that holds most of Unicode is
// written as what it lacks.
func (s runeSet) class() string {
	if len(s) == 0 {
		return `[^\x00-\x{10FFFF}]`
	}
	prefix, set := "[", s
	if s[len(s)-1] == unicode.MaxRune {
		if set = s.complement(); len(set) == 0 {
			return "(?s:.)"
		}
		prefix = "[^"
	}
	var b strings.Builder
	b.WriteString(prefix)
	for i := 0; i < len(set); i += 2 {
		b.WriteString(classRune(set[i]))
		if set[i+1] > set[i]+1 {
			b.WriteByte('-')
		}
		if set[i+1] > set[i] {
			b.WriteString(classRune(set[i+1]))
		}
	}
	b.WriteByte(']')
	return b.String()
}

// classRune writes one rune of a class.
func classRune(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\t':
		return `\t`
	case r == '\r':
		return `\r`
	case r == '\f':
		return `\f`
	case strings.ContainsRune(`\]^-[`, r):
		return `\` + string(r)
	case r < 0x20 || r > 0x7e:
		return fmt.Sprintf(`\x{%X}`, r)
	}
	return string(r)
}

// lastRunes returns the runes a match of a sequence can end with, and whether it
// can be empty. ok is false when they cannot be told.
func (p *regexParser) lastRunes(sequence regexSequence) (set runeSet, empty, ok bool) {
	empty = true
	for i := len(sequence) - 1; i >= 0 && empty; i-- {
		itemSet, itemEmpty, itemOK := p.lastOf(sequence[i])
		if !itemOK {
			return nil, false, false
		}
		set, empty = set.union(itemSet), itemEmpty
	}
	return set, empty, true
}

func (p *regexParser) lastOf(item *regexItem) (set runeSet, empty, ok bool) {
	switch item.kind {
	case itemAnchor, itemFlags:
		return nil, true, item.kind == itemAnchor || item.start == 0
	case itemChar:
		set, ok = p.setOf(item)
		return set, false, ok
	case itemRepeat:
		set, empty, ok = p.lastOf(item.sub)
		return set, empty || item.min == 0, ok
	case itemGroup:
		if !p.plainGroup(item) {
			return nil, false, false
		}
		for _, a := range item.alternatives {
			s, e, o := p.lastRunes(a)
			if !o {
				return nil, false, false
			}
			set, empty = set.union(s), empty || e
		}
		return set, empty, true
	}
	return nil, false, false
}

// plainGroup reports whether a group changes no flags.
func (p *regexParser) plainGroup(item *regexItem) bool {
	head := string(p.text[item.start:item.open])
	return head == "(" || head == "(?:" || strings.HasPrefix(head, "(?P<") || strings.HasPrefix(head, "(?<")
}
