package prompt

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/claudewatch/claudewatch/internal/lazyregexp"
)

// kind is what a token is.
type kind int

const (
	name        kind = iota // an identifier, or a keyword
	literal                 // a number or a string
	punctuation             // one character of an operator or a bracket
	unfinished              // a string or a comment that has no end
)

// token is a word of an expression; start and end are offsets in bytes.
type token struct {
	kind       kind
	text       string
	start, end int
}

func (t token) is(text string) bool { return t.kind == punctuation && t.text == text }

// words are the tokens of the language whose end can be told by a regex: see
// https://github.com/google/cel-spec/blob/master/doc/langdef.md#syntax
var words = []struct {
	kind    kind
	pattern func() *regexp.Regexp
}{
	{name, lazyregexp.New("^(?:[_a-zA-Z][_a-zA-Z0-9]*|`[^`\n]*`)")},
	{literal, lazyregexp.New(`^(?:0[xX][0-9a-fA-F]+|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)[uU]?`)},
}

// stringStart is what stands before the content of a string: what kind of string it
// is, and its quotes.
var stringStart = lazyregexp.New(`^([rRbB]{0,2})("""|'''|"|')`)

// tokens splits an expression, or the beginning of one, without its spaces and
// comments. Only the last token can be unfinished.
func tokens(text string) []token {
	var list []token
	for at := 0; at < len(text); {
		rest := text[at:]
		switch {
		case strings.ContainsRune(" \t\r\n\f", rune(rest[0])):
			at++
			continue
		case strings.HasPrefix(rest, "//"):
			length := strings.IndexByte(rest, '\n')
			if length < 0 {
				return append(list, token{unfinished, rest, at, len(text)})
			}
			at += length
			continue
		}
		t := next(rest)
		t.start, t.end = at, at+len(t.text)
		list = append(list, t)
		at = t.end
	}
	return list
}

// next returns the token that text begins with.
func next(text string) token {
	if start := stringStart().FindStringSubmatch(text); start != nil {
		length := stringLength(text[len(start[0]):], start[2], strings.ContainsAny(start[1], "rR"))
		if length < 0 {
			return token{kind: unfinished, text: text}
		}
		return token{kind: literal, text: text[:len(start[0])+length]}
	}
	for _, w := range words {
		if found := w.pattern().FindString(text); found != "" {
			return token{kind: w.kind, text: found}
		}
	}
	_, size := utf8.DecodeRuneInString(text)
	return token{kind: punctuation, text: text[:size]}
}

// stringLength returns how many bytes a string has behind its opening quotes, the
// closing ones included, or -1 when it has no end.
func stringLength(text, quotes string, raw bool) int {
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], quotes):
			return i + len(quotes)
		case text[i] == '\\' && !raw:
			i++
		case text[i] == '\n' && len(quotes) == 1:
			return -1
		}
	}
	return -1
}

// closing has for each opening bracket the one that closes it.
var closing = map[string]string{"(": ")", "[": "]", "{": "}"}

// brackets returns for the index of each bracket that is closed the index of its
// partner, and the indices of those that are still open, the outermost first.
func brackets(list []token) (partner map[int]int, open []int) {
	partner = map[int]int{}
	for i, t := range list {
		switch {
		case t.kind != punctuation:
		case closing[t.text] != "":
			open = append(open, i)
		case len(open) > 0 && closing[list[open[len(open)-1]].text] == t.text:
			last := open[len(open)-1]
			open = open[:len(open)-1]
			partner[last], partner[i] = i, last
		}
	}
	return partner, open
}

// Unfinished reports whether an expression goes on: a bracket or a string is open, or
// it ends in an operator.
func Unfinished(text string) bool {
	list := tokens(text)
	if len(list) == 0 {
		return false
	}
	last := list[len(list)-1]
	if last.kind == unfinished {
		return strings.HasPrefix(strings.TrimLeft(last.text, "rRbB"), `"""`) || strings.HasPrefix(strings.TrimLeft(last.text, "rRbB"), "'''")
	}
	_, open := brackets(list)
	return len(open) > 0 || last.kind == punctuation && strings.Contains("&|=<>+-*/%?:,.!", last.text)
}
