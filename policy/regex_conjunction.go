package policy

import (
	"slices"
	"strings"
)

// conjunction rewrites head (?=A)(?=B)… rest. The lookaheads and the rest begin at
// one place; several regexes may stand for them only where nothing can be gained
// by beginning at several places.
func (p *regexParser) conjunction(head, looks, rest regexSequence) ([]string, *regexError) {
	var bodies []regexSequence
	for _, look := range looks {
		if look.negative || len(look.alternatives) != 1 || p.firstLook(look.alternatives[0]) != nil {
			return nil, p.lookError(look)
		}
		bodies = append(bodies, look.alternatives[0])
	}
	if look := p.firstLook(head); look != nil {
		return nil, p.lookError(look)
	}
	if text, ok := p.ordered(head, bodies, rest); ok {
		return []string{text}, nil
	}
	if p.firstLook(rest) != nil || !p.onePlace(head) && !p.oneSpan(head, append(slices.Clone(bodies), rest)) {
		return nil, p.lookError(looks[0])
	}
	var conjuncts []string
	for _, body := range append(bodies, rest) {
		if len(body) > 0 {
			conjuncts = append(conjuncts, p.spans(head)+p.spans(body))
		}
	}
	if len(conjuncts) == 0 {
		conjuncts = []string{p.spans(head)}
	}
	return slices.Compact(conjuncts), nil
}

// onePlace reports whether all matches of a sequence at the start of the text end
// at one place, so that what follows begins there in every regex.
func (p *regexParser) onePlace(head regexSequence) bool {
	if !p.anchored(head) {
		return false
	}
	for i, item := range head[1:] {
		switch item.kind {
		case itemAnchor, itemChar:
			continue
		case itemQuote:
			continue
		case itemRepeat:
			if item.min == item.max && item.sub.kind == itemChar {
				continue
			}
			// X+ ends at one place when what follows cannot be an X.
			set, ok := p.setOf(item.sub)
			if !ok || i+2 >= len(head) {
				return false
			}
			next, ok := p.setOf(head[i+2])
			if !ok || !next.disjoint(set) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// anchored reports whether a sequence matches at the start of the text only.
func (p *regexParser) anchored(sequence regexSequence) bool {
	if len(sequence) == 0 || sequence[0].kind != itemAnchor {
		return false
	}
	text := string(p.text[sequence[0].start:sequence[0].end])
	return text == `\A` || text == "^" && !p.multiline
}

// oneSpan reports whether each body is S* and something, and head can end only at
// places between which everything is an S: what holds at a later place then holds
// at an earlier one, so that there is one place where all hold. Those are the
// matches of a head at the start of the text that is made of S; or any places,
// when S is every rune.
func (p *regexParser) oneSpan(head regexSequence, bodies []regexSequence) bool {
	runes, ok := p.allRunes(head)
	if !ok || !p.anchored(head) {
		runes = runeSet{}.complement()
	}
	for _, body := range bodies {
		if len(body) == 0 {
			continue
		}
		first := body[0]
		if first.kind != itemRepeat || first.min != 0 || first.max != -1 {
			return false
		}
		span, ok := p.setOf(first.sub)
		if !ok || !runes.within(span) {
			return false
		}
	}
	return true
}

// allRunes returns every rune that a match of a sequence can hold.
func (p *regexParser) allRunes(sequence regexSequence) (set runeSet, ok bool) {
	for _, item := range sequence {
		var s runeSet
		switch item.kind {
		case itemAnchor:
			continue
		case itemChar:
			s, ok = p.setOf(item)
		case itemRepeat:
			s, ok = p.allRunes(regexSequence{item.sub})
		case itemGroup:
			ok = p.plainGroup(item)
			for _, a := range item.alternatives {
				more, fine := p.allRunes(a)
				s, ok = s.union(more), ok && fine
			}
		default:
			ok = false
		}
		if !ok {
			return nil, false
		}
		set = set.union(s)
	}
	return set, true
}

// maxOrdered is how many lookaheads are put in every order.
const maxOrdered = 4

// ordered rewrites lookaheads over one span, a D*X and a D*Y with a common
// beginning a, to a (?:D*X D*Y|D*Y D*X). That is the same when no match of X can
// overlap with one of Y; what comes first is then part of the other's span, and
// made of D. The rest must be what the lookaheads already say: a D+ or the like.
func (p *regexParser) ordered(head regexSequence, bodies []regexSequence, rest regexSequence) (string, bool) {
	bodies = p.distinct(bodies)
	common := p.commonStart(bodies)
	prefix := bodies[0][:common]
	var span *regexItem
	var set runeSet
	tails := make([]regexSequence, len(bodies))
	for i, body := range bodies {
		body = body[common:]
		if len(bodies) == 1 && (len(body) == 0 || body[0].kind != itemRepeat) {
			break // one lookahead without a span: the rest decides
		}
		if len(body) == 0 || body[0].kind != itemRepeat || body[0].min != 0 || body[0].max != -1 {
			return "", false
		}
		s, ok := p.setOf(body[0].sub)
		if !ok || span != nil && !slices.Equal(s, set) {
			return "", false
		}
		span, set, tails[i] = body[0], s, body[1:]
	}
	if !p.implied(rest, prefix, set, tails) {
		return "", false
	}
	if len(bodies) == 1 {
		return p.spans(head) + p.spans(bodies[0]), true
	}
	if len(bodies) > maxOrdered || !p.neverOverlap(tails) {
		return "", false
	}
	var orders []string
	permute(len(tails), func(order []int) {
		var b strings.Builder
		for n, i := range order {
			b.WriteString(p.span(span))
			if n == len(order)-1 {
				b.WriteString(p.spans(tails[i]))
			} else {
				b.WriteString(p.madeOf(tails[i], set))
			}
		}
		orders = append(orders, b.String())
	})
	return p.spans(head) + p.spans(prefix) + "(?:" + strings.Join(orders, "|") + ")", true
}

// distinct leaves out bodies that are written the same as an earlier one.
func (p *regexParser) distinct(bodies []regexSequence) []regexSequence {
	var out []regexSequence
	seen := map[string]bool{}
	for _, b := range bodies {
		if text := p.spans(b); !seen[text] {
			seen[text] = true
			out = append(out, b)
		}
	}
	return out
}

// commonStart returns how many characters at the start are written the same in all.
func (p *regexParser) commonStart(bodies []regexSequence) int {
	for n := 0; ; n++ {
		for _, body := range bodies {
			if n >= len(body) || body[n].kind != itemChar || p.span(body[n]) != p.span(bodies[0][n]) {
				return n
			}
		}
	}
}

// implied reports whether rest matches wherever the lookaheads do: it is empty, or
// the common beginning and after it nothing that must be there but one of the span.
func (p *regexParser) implied(rest, prefix regexSequence, span runeSet, tails []regexSequence) bool {
	i := 0
	for i < len(prefix) && i < len(rest) && p.span(rest[i]) == p.span(prefix[i]) {
		i++
	}
	optional := func(s regexSequence) bool {
		return !slices.ContainsFunc(s, func(item *regexItem) bool { return item.kind != itemRepeat || item.min != 0 })
	}
	rest = rest[i:]
	if optional(rest) {
		return true
	}
	if i < len(prefix) || rest[0].kind != itemRepeat || rest[0].min != 1 || !optional(rest[1:]) || len(span) == 0 {
		return false
	}
	set, ok := p.setOf(rest[0].sub)
	if !ok || !span.within(set) {
		return false
	}
	// One of the span must be there: the tails have at least one rune, of the span.
	for _, tail := range tails {
		forms, ok := p.forms(tail)
		for _, f := range forms {
			ok = ok && len(f) > 0 && f[0].within(set)
		}
		if !ok {
			return false
		}
	}
	return true
}

// form is a match of fixed length: what each of its runes may be.
type form []runeSet

const (
	maxForms      = 32
	maxFormLength = 64
)

// forms returns every form of a sequence; ok is false when it has not only a few.
func (p *regexParser) forms(sequence regexSequence) (forms []form, ok bool) {
	forms = []form{nil}
	for _, item := range sequence {
		next, ok := p.formsOf(item)
		if !ok {
			return nil, false
		}
		var product []form
		for _, f := range forms {
			for _, n := range next {
				product = append(product, append(slices.Clone(f), n...))
			}
		}
		if len(product) > maxForms || len(product[0]) > maxFormLength {
			return nil, false
		}
		forms = product
	}
	return forms, true
}

func (p *regexParser) formsOf(item *regexItem) (forms []form, ok bool) {
	switch item.kind {
	case itemAnchor:
		return []form{nil}, true
	case itemChar:
		set, ok := p.setOf(item)
		return []form{{set}}, ok
	case itemGroup:
		ok = p.plainGroup(item)
		for _, a := range item.alternatives {
			f, fine := p.forms(a)
			forms, ok = append(forms, f...), ok && fine
		}
		return forms, ok && len(forms) > 0
	case itemRepeat:
		if item.max < 0 || item.max > 8 {
			return nil, false
		}
		for n := item.min; n <= item.max; n++ {
			f, ok := p.forms(slices.Repeat(regexSequence{item.sub}, n))
			if !ok {
				return nil, false
			}
			forms = append(forms, f...)
		}
		return forms, len(forms) > 0
	}
	return nil, false
}

// madeOf writes a sequence that has forms so that it matches runes of a set only.
func (p *regexParser) madeOf(sequence regexSequence, set runeSet) string {
	var b strings.Builder
	for _, item := range sequence {
		switch item.kind {
		case itemChar:
			if own, ok := p.setOf(item); ok && !own.within(set) {
				b.WriteString(own.intersect(set).class())
				continue
			}
			b.WriteString(p.span(item))
		case itemRepeat:
			b.WriteString(p.madeOf(regexSequence{item.sub}, set) + p.between(item.sub.end, item.end))
		case itemGroup:
			texts := make([]string, len(item.alternatives))
			for i, a := range item.alternatives {
				texts[i] = p.madeOf(a, set)
			}
			b.WriteString(p.between(item.start, item.open) + strings.Join(texts, "|") + ")")
		default:
			b.WriteString(p.span(item))
		}
	}
	return b.String()
}

// neverOverlap reports whether matches of different tails never share a rune of
// the text.
func (p *regexParser) neverOverlap(tails []regexSequence) bool {
	all := make([][]form, len(tails))
	for i, tail := range tails {
		forms, ok := p.forms(tail)
		if !ok {
			return false
		}
		all[i] = forms
	}
	for i := range all {
		for j := range i {
			for _, f := range all[i] {
				for _, g := range all[j] {
					if overlap(f, g) {
						return false
					}
				}
			}
		}
	}
	return true
}

// overlap reports whether a match of f and one of g can share a rune.
func overlap(f, g form) bool {
	for shift := 1 - len(g); shift < len(f); shift++ {
		agree := true
		for i := range g {
			if k := shift + i; k >= 0 && k < len(f) && f[k].disjoint(g[i]) {
				agree = false
				break
			}
		}
		if agree {
			return true
		}
	}
	return false
}

// permute calls visit with every order of 0 … n-1.
func permute(n int, visit func(order []int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	var from func(k int)
	from = func(k int) {
		if k == n {
			visit(order)
			return
		}
		for i := k; i < n; i++ {
			order[k], order[i] = order[i], order[k]
			from(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	from(0)
}
