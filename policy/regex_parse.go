package policy

import (
	"fmt"
	"strings"
)

// The dialect read here is what existing rule files are written in: Python's re,
// which is RE2 and lookaround, backreferences and a few spellings more. The tree
// keeps spans of the text, so that what needs no change is copied as it is.

// regexKind is the kind of a regexItem.
type regexKind int

const (
	itemChar   regexKind = iota // a character, class, escape for a class, or dot: consumes one rune
	itemAnchor                  // consumes nothing: ^ $ \b \B \A \z
	itemFlags                   // (?i) for what follows
	itemQuote                   // \Q…\E
	itemGroup                   // ( ), (?: ), (?P<n> ), (?i: )
	itemLook                    // (?= ) (?! ) (?<= ) (?<! )
	itemRepeat                  // sub with a quantifier
)

// regexItem is one item of a sequence with its span in the text, in runes.
type regexItem struct {
	kind       regexKind
	start, end int
	// alternatives are those of a group or lookaround; open is where its content begins.
	alternatives []regexSequence
	open         int
	behind       bool // of a lookaround
	negative     bool
	// sub is what a quantifier repeats; max is -1 for no limit.
	sub      *regexItem
	min, max int
}

// regexSequence is one alternative.
type regexSequence []*regexItem

// regexParser reads a regex.
type regexParser struct {
	text  []rune
	at    int
	depth int

	multiline, dotAll, foldCase bool         // flags at the start of the regex
	looks                       bool         // there is a lookaround
	trailing                    bool         // the text may end with newlines
	flagged                     *regexItem   // flags elsewhere than at the start
	ends                        []*regexItem // the $ of the regex
}

// maxRegexDepth bounds nested groups, as regexp/syntax does.
const maxRegexDepth = 1000

// parseRegexTree reads the whole text. Constructs that RE2 lacks and that are not
// lookaround are errors; what is wrong in both dialects is left to RE2's own
// parser, which words it.
func parseRegexTree(text string) (*regexParser, []regexSequence, *regexError) {
	p := &regexParser{text: []rune(text)}
	alternatives, err := p.alternatives()
	if err == nil && p.at < len(p.text) {
		err = p.fail(p.at, 1, "bad regex: unexpected ): write \\) for the character")
	}
	return p, alternatives, err
}

func (p *regexParser) fail(offset, width int, format string, args ...any) *regexError {
	return &regexError{offset, width, fmt.Sprintf(format, args...)}
}

func (p *regexParser) has(prefix string) bool {
	r := []rune(prefix)
	return p.at+len(r) <= len(p.text) && string(p.text[p.at:p.at+len(r)]) == prefix
}

func (p *regexParser) alternatives() ([]regexSequence, *regexError) {
	if p.depth++; p.depth > maxRegexDepth {
		return nil, p.fail(p.at, 1, "bad regex: groups are nested too deeply")
	}
	defer func() { p.depth-- }()
	all := []regexSequence{nil}
	for p.at < len(p.text) && p.text[p.at] != ')' {
		if p.text[p.at] == '|' {
			p.at++
			all = append(all, nil)
			continue
		}
		item, err := p.item()
		if err != nil {
			return nil, err
		}
		if item, err = p.quantified(item); err != nil {
			return nil, err
		}
		last := len(all) - 1
		all[last] = append(all[last], item)
	}
	return all, nil
}

func (p *regexParser) item() (*regexItem, *regexError) {
	start := p.at
	item := &regexItem{kind: itemChar, start: start}
	switch r := p.text[p.at]; r {
	case '(':
		return p.group()
	case '[':
		p.class()
	case '\\':
		if err := p.escape(item); err != nil {
			return nil, err
		}
	case '^', '$':
		item.kind = itemAnchor
		p.at++
	default:
		p.at++
	}
	item.end = p.at
	if item.kind == itemAnchor && p.text[start] == '$' {
		p.ends = append(p.ends, item)
	}
	return item, nil
}

// class reads a bracket expression; an unclosed one ends with the text.
func (p *regexParser) class() {
	p.at++
	if p.has("^") {
		p.at++
	}
	for first := true; p.at < len(p.text); first = false {
		switch {
		case p.text[p.at] == ']' && !first:
			p.at++
			return
		case p.text[p.at] == '\\':
			p.at++
		case p.has("[:"):
			if end := strings.Index(string(p.text[p.at:]), ":]"); end >= 0 {
				p.at += runeCount(string(p.text[p.at:])[:end]) + 1
			}
		}
		p.at++
	}
	p.at = len(p.text)
}

func (p *regexParser) escape(item *regexItem) *regexError {
	start := p.at
	if p.at+1 >= len(p.text) {
		p.at++
		return nil
	}
	letter := p.text[p.at+1]
	p.at += 2
	switch {
	case letter >= '1' && letter <= '9':
		return p.fail(start, 2, `backreference \%c: RE2 has none; write the alternatives out, or compare the words of input.commands in a 'when'`, letter)
	case letter == 'g' && p.at < len(p.text) && p.text[p.at] == '<', letter == 'k' && p.at < len(p.text) && p.text[p.at] == '<':
		return p.fail(start, 2, `backreference \%c<…>: RE2 has none; write the alternatives out, or compare the words of input.commands in a 'when'`, letter)
	case letter == 'Z':
		return p.fail(start, 2, `\Z: RE2 spells the end of the text \z, or $`)
	case letter == 'u' || letter == 'U':
		digits := 4
		if letter == 'U' {
			digits = 8
		}
		end := min(p.at+digits, len(p.text))
		return p.fail(start, end-start, `the escape %s: RE2 spells it \x{%s}`, string(p.text[start:end]), strings.TrimLeft(string(p.text[p.at:end]), "0"))
	case letter == 'b' || letter == 'B' || letter == 'A' || letter == 'z':
		item.kind = itemAnchor
	case letter == 'Q':
		item.kind = itemQuote
		for p.at < len(p.text) && !p.has(`\E`) {
			p.at++
		}
		p.at = min(p.at+2, len(p.text))
	case letter == 'x' && p.has("{"), (letter == 'p' || letter == 'P') && p.has("{"):
		for p.at < len(p.text) && p.text[p.at] != '}' {
			p.at++
		}
		p.at = min(p.at+1, len(p.text))
	case letter == 'x':
		p.at = min(p.at+2, len(p.text))
	case letter == 'p' || letter == 'P':
		p.at = min(p.at+1, len(p.text))
	case letter == '0':
		for n := 0; n < 2 && p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '7'; n++ {
			p.at++
		}
	}
	return nil
}

// unsupportedGroups are what RE2 has no equivalent for, and what to write instead.
var unsupportedGroups = []struct{ prefix, message string }{
	{"(?>", "atomic group (?>…): RE2 never backtracks, write (?:…) if the shorter matches do not matter"},
	{"(?P=", "backreference (?P=…): RE2 has none; write the alternatives out, or compare the words of input.commands in a 'when'"},
	{"(?#", "comment (?#…): put it in a YAML comment above the rule"},
	{"(?(", "conditional (?(…)…|…): write two alternatives, or two rules"},
	{"(?R)", "recursion (?R): RE2 has none; use a 'when' over input.commands"},
	{"(?&", "recursion (?&…): RE2 has none; use a 'when' over input.commands"},
	{"(?|", "branch reset (?|…): write (?:…)"},
}

// group reads a group, a lookaround or a setting of flags.
func (p *regexParser) group() (*regexItem, *regexError) {
	start := p.at
	for _, u := range unsupportedGroups {
		if p.has(u.prefix) {
			return nil, p.fail(start, runeCount(u.prefix), "%s", u.message)
		}
	}
	item := &regexItem{kind: itemGroup, start: start}
	switch {
	case p.has("(?=") || p.has("(?!"):
		item.kind, item.negative = itemLook, p.text[p.at+2] == '!'
		p.at += 3
	case p.has("(?<=") || p.has("(?<!"):
		item.kind, item.behind, item.negative = itemLook, true, p.text[p.at+3] == '!'
		p.at += 4
	case p.has("(?P<") || p.has("(?<"):
		for p.at < len(p.text) && p.text[p.at] != '>' {
			p.at++
		}
		p.at = min(p.at+1, len(p.text))
	case p.has("(?"):
		flags, err := p.flags(item)
		if err != nil || flags {
			return item, err
		}
	default:
		p.at++
	}
	p.looks = p.looks || item.kind == itemLook
	item.open = p.at
	var err *regexError
	if item.alternatives, err = p.alternatives(); err != nil {
		return nil, err
	}
	if p.at >= len(p.text) {
		return nil, p.fail(start, 1, "bad regex: missing closing ): write \\( for the character")
	}
	p.at++
	item.end = p.at
	return item, nil
}

// flags reads "(?flags)", then it reports true, or the head of "(?flags:…)".
func (p *regexParser) flags(item *regexItem) (bool, *regexError) {
	start := p.at
	p.at += 2
	on := true
	for ; p.at < len(p.text); p.at++ {
		switch r := p.text[p.at]; r {
		case ':':
			p.at++
			return false, nil
		case ')':
			p.at++
			item.kind, item.end = itemFlags, p.at
			if start > 0 && p.flagged == nil {
				p.flagged = item
			}
			return true, nil
		case '-':
			on = false
		case 'i', 'm', 's', 'U':
			if start == 0 && on {
				p.foldCase, p.multiline, p.dotAll = p.foldCase || r == 'i', p.multiline || r == 'm', p.dotAll || r == 's'
			}
		case 'x':
			return false, p.fail(start, p.at+1-start, "the flag (?x): RE2 has no verbose form; write the regex without the extra spaces")
		case 'a', 'u', 'L':
			return false, p.fail(start, p.at+1-start, "the flag (?%c): leave it out, RE2's \\w, \\d and \\s are always ASCII", r)
		default:
			return false, p.fail(start, p.at+1-start, "unknown construct %s", string(p.text[start:p.at+1]))
		}
	}
	return false, p.fail(start, 2, "bad regex: missing closing )")
}

// quantified reads the quantifiers behind an item.
func (p *regexParser) quantified(item *regexItem) (*regexItem, *regexError) {
	for p.at < len(p.text) {
		start := p.at
		low, high, ok, err := p.quantifier()
		if err != nil {
			return nil, err
		}
		if !ok {
			return item, nil
		}
		switch {
		case p.has("+"):
			return nil, p.fail(start, p.at+1-start, "possessive quantifier %s: RE2 never backtracks, leave out the last +", string(p.text[start:p.at+1]))
		case p.has("?"):
			p.at++ // a lazy quantifier matches the same texts
		}
		if item.kind == itemLook {
			return nil, p.fail(item.start, p.at-item.start, "a lookaround with a quantifier: leave it out")
		}
		item = &regexItem{kind: itemRepeat, start: item.start, end: p.at, sub: item, min: low, max: high}
	}
	return item, nil
}

func (p *regexParser) quantifier() (low, high int, ok bool, err *regexError) {
	switch p.text[p.at] {
	case '*':
		low, high = 0, -1
	case '+':
		low, high = 1, -1
	case '?':
		low, high = 0, 1
	case '{':
		return p.counted()
	default:
		return 0, 0, false, nil
	}
	p.at++
	return low, high, true, nil
}

// counted reads {n}, {n,} or {n,m}; anything else in braces is text.
func (p *regexParser) counted() (low, high int, ok bool, err *regexError) {
	i := p.at + 1
	number := func() (int, bool) {
		n, digits := 0, 0
		for ; i < len(p.text) && p.text[i] >= '0' && p.text[i] <= '9'; i++ {
			n, digits = min(n*10+int(p.text[i]-'0'), 100_000), digits+1
		}
		return n, digits > 0
	}
	low, given := number()
	high = low
	if i < len(p.text) && p.text[i] == ',' {
		i++
		if n, bounded := number(); bounded {
			high = n
			if !given && i < len(p.text) && p.text[i] == '}' {
				return 0, 0, false, p.fail(p.at, i+1-p.at, "the repeat {,%d}: RE2 takes it as text; write {0,%d}", n, n)
			}
		} else {
			high = -1
		}
	}
	if !given || i >= len(p.text) || p.text[i] != '}' {
		return 0, 0, false, nil
	}
	p.at = i + 1
	return low, high, true, nil
}
