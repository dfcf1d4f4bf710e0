package policy

import "testing"

// backtracker searches a text the way the older dialect's engine does: an
// independent judge of what a rewritten regex must match.
type backtracker struct {
	p     *regexParser
	text  []rune
	steps int
}

// backtrackingMatch reports whether a regex matches anywhere in a text; ok is
// false when that takes too long to find out.
func backtrackingMatch(t testing.TB, pattern, text string) (matched, ok bool) {
	t.Helper()
	p, alternatives, err := parseRegexTree(pattern)
	if err != nil {
		t.Fatalf("%s: %v", pattern, err)
	}
	b := &backtracker{p: p, text: []rune(text), steps: 200_000}
	for i := 0; i <= len(b.text); i++ {
		if b.alternatives(alternatives, i, func(int) bool { return true }) {
			return b.steps > 0, b.steps > 0
		}
	}
	return false, b.steps > 0
}

func (b *backtracker) alternatives(all []regexSequence, at int, then func(int) bool) bool {
	for _, sequence := range all {
		if b.sequence(sequence, at, then) {
			return true
		}
	}
	return false
}

func (b *backtracker) sequence(s regexSequence, at int, then func(int) bool) bool {
	if b.steps--; b.steps <= 0 {
		return false
	}
	if len(s) == 0 {
		return then(at)
	}
	return b.item(s[0], at, func(end int) bool { return b.sequence(s[1:], end, then) })
}

func (b *backtracker) item(item *regexItem, at int, then func(int) bool) bool {
	switch item.kind {
	case itemChar:
		set, ok := b.p.setOf(item)
		return ok && at < len(b.text) && !set.disjoint(runeSet{b.text[at], b.text[at]}) && then(at+1)
	case itemAnchor:
		return b.anchor(string(b.p.text[item.start:item.end]), at) && then(at)
	case itemFlags:
		return then(at)
	case itemGroup:
		return b.alternatives(item.alternatives, at, then)
	case itemLook:
		return b.look(item, at) != item.negative && then(at)
	case itemRepeat:
		return b.repeat(item, at, 0, then)
	}
	return false
}

func (b *backtracker) look(item *regexItem, at int) bool {
	if !item.behind {
		return b.alternatives(item.alternatives, at, func(int) bool { return true })
	}
	for start := at; start >= 0; start-- {
		if b.alternatives(item.alternatives, start, func(end int) bool { return end == at }) {
			return true
		}
	}
	return false
}

func (b *backtracker) repeat(item *regexItem, at, done int, then func(int) bool) bool {
	if item.max < 0 || done < item.max {
		again := func(end int) bool { return (end > at || done < item.min) && b.repeat(item, end, done+1, then) }
		if b.item(item.sub, at, again) {
			return true
		}
	}
	return done >= item.min && then(at)
}

func (b *backtracker) anchor(text string, at int) bool {
	word := func(i int) bool { return i >= 0 && i < len(b.text) && isWordRune(b.text[i]) }
	switch text {
	case "^":
		return at == 0 || b.p.multiline && b.text[at-1] == '\n'
	case "$":
		return at == len(b.text) || b.p.multiline && b.text[at] == '\n'
	case `\A`:
		return at == 0
	case `\z`:
		return at == len(b.text)
	case `\b`:
		return word(at-1) != word(at)
	case `\B`:
		return word(at-1) == word(at)
	}
	return false
}
