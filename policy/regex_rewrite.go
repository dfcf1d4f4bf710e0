package policy

import (
	"slices"
	"strings"
)

// Only whether a regex matches can be seen from outside, not where. That is what
// makes lookaround at the end of a regex the same as consuming, and conditions on
// one stretch of text the same as several regexes.

// maxConjuncts bounds the product of alternatives that need several regexes each.
const maxConjuncts = 16

// rewrite returns the regexes that stand for the alternatives of a whole regex.
func (p *regexParser) rewrite(alternatives []regexSequence) ([]string, *regexError) {
	if p.looks && p.flagged != nil {
		return nil, p.fail(p.flagged.start, p.flagged.end-p.flagged.start, "flags %s inside a regex with lookaround: put them at its start", string(p.text[p.flagged.start:p.flagged.end]))
	}
	prefix := ""
	if first := alternatives[0]; len(first) > 0 && first[0].kind == itemFlags {
		prefix = p.span(first[0])
		alternatives = slices.Clone(alternatives)
		alternatives[0] = first[1:]
	}
	// Each alternative is a conjunction. (a1 and a2) or b is (a1 or b) and (a2 or b).
	conjuncts := [][]string{nil}
	for _, sequence := range alternatives {
		all, err := p.alternative(sequence)
		if err != nil {
			return nil, err
		}
		if len(all) == 1 {
			for i := range conjuncts {
				conjuncts[i] = append(conjuncts[i], all[0])
			}
			continue
		}
		var product [][]string
		for _, c := range conjuncts {
			for _, one := range all {
				product = append(product, append(slices.Clone(c), one))
			}
		}
		if len(product) > maxConjuncts {
			return nil, p.lookError(p.firstLook(sequence))
		}
		conjuncts = product
	}
	texts := make([]string, len(conjuncts))
	for i, c := range conjuncts {
		texts[i] = prefix + strings.Join(c, "|")
	}
	return texts, nil
}

// alternative rewrites one alternative of the whole regex to a conjunction.
func (p *regexParser) alternative(sequence regexSequence) ([]string, *regexError) {
	first := slices.IndexFunc(sequence, func(i *regexItem) bool { return i.kind == itemLook && !i.behind })
	if first >= 0 {
		after := first + 1
		for after < len(sequence) && sequence[after].kind == itemLook && !sequence[after].behind {
			after++
		}
		looks := sequence[first:after]
		if after < len(sequence) || len(looks) > 1 && !allNegative(looks) {
			return p.conjunction(sequence[:first], looks, sequence[after:])
		}
	}
	text, err := p.tail(sequence, true)
	return []string{text}, err
}

func allNegative(looks regexSequence) bool {
	return !slices.ContainsFunc(looks, func(i *regexItem) bool { return !i.negative })
}

// tail rewrites a sequence with whose end the regex ends. top says that the
// sequence is an alternative of the whole regex, so that it may begin anywhere.
func (p *regexParser) tail(sequence regexSequence, top bool) (string, *regexError) {
	var b strings.Builder
	for i := 0; i < len(sequence); i++ {
		item := sequence[i]
		last := i == len(sequence)-1
		switch {
		case item.kind == itemLook && !item.behind && allAhead(sequence[i:]):
			text, err := p.finalLook(sequence[i:])
			return b.String() + text, err
		case i+1 < len(sequence) && sequence[i+1].kind == itemLook && sequence[i+1].behind:
			text, ok := p.lookbehind(sequence[:i], item, sequence[i+1], top)
			if !ok {
				return "", p.lookError(sequence[i+1])
			}
			b.Reset()
			b.WriteString(text)
			i++
		case last && item.kind == itemGroup && p.firstLook(regexSequence{item}) != nil:
			text, err := p.finalGroup(item)
			return b.String() + text, err
		case p.firstLook(regexSequence{item}) != nil:
			return "", p.lookError(p.firstLook(regexSequence{item}))
		default:
			b.WriteString(p.span(item))
		}
	}
	return b.String(), nil
}

func allAhead(sequence regexSequence) bool {
	return !slices.ContainsFunc(sequence, func(i *regexItem) bool { return i.kind != itemLook || i.behind })
}

// finalGroup rewrites a group at the end of the regex: its alternatives end there too.
func (p *regexParser) finalGroup(group *regexItem) (string, *regexError) {
	if !p.plainGroup(group) {
		return "", p.lookError(p.firstLook(regexSequence{group}))
	}
	var texts []string
	for _, sequence := range group.alternatives {
		text, err := p.tail(sequence, false)
		if err != nil {
			return "", err
		}
		texts = append(texts, text)
	}
	return string(p.text[group.start:group.open]) + strings.Join(texts, "|") + ")", nil
}

// finalLook rewrites lookaheads at the end of the regex: a positive one may
// consume what it sees, and negative ones of single characters see another
// character or the end.
func (p *regexParser) finalLook(looks regexSequence) (string, *regexError) {
	if len(looks) == 1 && !looks[0].negative {
		if inner := p.firstLookIn(looks[0].alternatives); inner != nil {
			return "", p.lookError(inner)
		}
		return "(?:" + p.between(looks[0].open, looks[0].end-1) + ")", nil
	}
	var set runeSet
	var only *regexItem
	characters, ends := 0, false
	for _, look := range looks {
		if !look.negative {
			return "", p.lookError(look)
		}
		for _, sequence := range look.alternatives {
			if len(sequence) != 1 {
				return "", p.lookError(look)
			}
			if p.isEnd(sequence[0]) {
				ends = true
				continue
			}
			s, ok := p.setOf(sequence[0])
			if !ok {
				return "", p.lookError(look)
			}
			set, only = set.union(s), sequence[0]
			characters++
		}
	}
	if characters == 0 {
		return "", p.lookError(looks[0])
	}
	other := set.complement().class()
	if characters == 1 {
		other = p.negated(only, other)
	}
	switch {
	case ends:
		return other, nil
	case p.multiline || p.trailing:
		return "(?:" + other + `|\z)`, nil
	}
	return "(?:" + other + "|$)", nil
}

// isEnd reports whether an item is $ in the sense of the end of the text.
func (p *regexParser) isEnd(item *regexItem) bool {
	return item.kind == itemAnchor && p.text[item.start] == '$' && !p.multiline && !p.trailing
}

// negated writes the class of all runes but those of an item, close to how the
// item is written; otherwise is what to write for the others.
func (p *regexParser) negated(item *regexItem, otherwise string) string {
	text := string(p.text[item.start:item.end])
	switch {
	case strings.HasPrefix(text, "[^"):
		return "[" + text[2:]
	case strings.HasPrefix(text, "["):
		return "[^" + text[1:]
	case len(text) == 2 && strings.ContainsAny(text, "dws") && text[0] == '\\':
		return strings.ToUpper(text)
	case len(text) == 2 && strings.ContainsAny(text, "DWS") && text[0] == '\\':
		return strings.ToLower(text)
	}
	return otherwise
}

// lookbehind rewrites before, item, (?<=K) where item is .* or the like: some
// characters D, of which the last must be a K. When before already ends with a K,
// item may be empty. It returns the text from the beginning of the sequence.
func (p *regexParser) lookbehind(before regexSequence, item, look *regexItem, top bool) (string, bool) {
	if look.negative || len(look.alternatives) != 1 || len(look.alternatives[0]) != 1 || p.firstLook(before) != nil ||
		item.kind != itemRepeat || item.max != -1 || item.min > 1 {
		return "", false
	}
	wanted, ok := p.setOf(look.alternatives[0][0])
	repeated, okay := p.setOf(item.sub)
	if !ok || !okay || wanted.disjoint(repeated) {
		return "", false
	}
	// D* and the one character that is both.
	some := p.span(item.sub) + "*" + p.narrowed(look.alternatives[0][0], wanted, repeated)
	if item.min == 1 {
		return p.spans(before) + some, true
	}
	if len(before) == 0 {
		return p.span(look.alternatives[0][0]), top // a search may begin at that character
	}
	if set, empty, ok := p.lastRunes(before); ok && !empty {
		switch {
		case set.within(wanted):
			return p.spans(before) + "(?:" + some + ")?", true
		case set.disjoint(wanted):
			return p.spans(before) + some, true
		}
	}
	// before may end with optional Ks of its own: \s*.*(?<=\s)
	optional := before[len(before)-1]
	if optional.kind != itemRepeat || optional.min != 0 || optional.max != -1 {
		return "", false
	}
	ks, ok := p.setOf(optional.sub)
	set, empty, okay := p.lastRunes(before[:len(before)-1])
	if !ok || !okay || empty || !ks.within(wanted) {
		return "", false
	}
	switch {
	case set.within(wanted):
		return p.spans(before) + "(?:" + some + ")?", true
	case set.disjoint(wanted):
		return p.spans(before[:len(before)-1]) + "(?:" + p.span(optional) + some + "|" + p.span(optional.sub) + "+)", true
	}
	return "", false
}

// narrowed writes the class of the runes that are wanted and repeated.
func (p *regexParser) narrowed(item *regexItem, wanted, repeated runeSet) string {
	if wanted.within(repeated) {
		return p.span(item)
	}
	return wanted.intersect(repeated).class()
}

// span returns the text of an item, with $ made to look past trailing newlines
// where the text may have them.
func (p *regexParser) span(item *regexItem) string { return p.between(item.start, item.end) }

func (p *regexParser) spans(sequence regexSequence) string {
	var b strings.Builder
	for _, item := range sequence {
		b.WriteString(p.span(item))
	}
	return b.String()
}

func (p *regexParser) between(start, end int) string {
	if !p.trailing || p.multiline {
		return string(p.text[start:end])
	}
	var b strings.Builder
	for _, dollar := range p.ends {
		if dollar.start >= start && dollar.end <= end {
			b.WriteString(string(p.text[start:dollar.start]) + `\n*$`)
			start = dollar.end
		}
	}
	b.WriteString(string(p.text[start:end]))
	return b.String()
}

// firstLook returns the first lookaround in a sequence at any depth, or nil.
func (p *regexParser) firstLook(sequence regexSequence) *regexItem {
	for _, item := range sequence {
		if item.kind == itemLook {
			return item
		}
		if item.sub != nil {
			if look := p.firstLook(regexSequence{item.sub}); look != nil {
				return look
			}
		}
		if look := p.firstLookIn(item.alternatives); look != nil {
			return look
		}
	}
	return nil
}

func (p *regexParser) firstLookIn(alternatives []regexSequence) *regexItem {
	for _, a := range alternatives {
		if look := p.firstLook(a); look != nil {
			return look
		}
	}
	return nil
}

// lookError says that a lookaround cannot be rewritten, and what to write instead.
func (p *regexParser) lookError(look *regexItem) *regexError {
	if look == nil {
		return &regexError{0, len(p.text), "a lookaround that RE2 has no form for"}
	}
	inner := string(p.text[look.open : look.end-1])
	construct := map[[2]bool]string{
		{false, false}: "lookahead (?=…)", {false, true}: "negative lookahead (?!…)",
		{true, false}: "lookbehind (?<=…)", {true, true}: "negative lookbehind (?<!…)",
	}[[2]bool{look.behind, look.negative}]
	advice := "say it in a 'when': input.command.matches(" + celString(inner) + ")"
	switch {
	case look.behind && look.negative:
		advice = "write what may stand before, like (?:^|[^…]), or use a 'when'"
	case look.behind:
		advice = "write what stands before as part of the pattern, like (?:" + inner + "), or use a 'when'"
	case look.negative:
		advice = "say it in a 'when': !input.command.matches(" + celString(inner) + "), or on an ask rule in 'except'"
	}
	return p.fail(look.start, look.end-look.start, "%s: RE2 has no lookaround, and this one has no equal without it; %s", construct, advice)
}
