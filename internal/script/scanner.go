package script

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// kind tells tokens apart as far as finding calls needs it.
type kind uint8

const (
	other   kind = iota // a number, a regular expression, …: a value that is no string
	name                // an identifier; in perl and php also a variable with its sigil
	symbol              // an operator or a bracket
	text                // a string literal
	words               // a list of words: %w(…), qw(…)
	command             // `…`, %x(…), qx(…): a string that is run
	label               // name: in front of a value, the key of an option
)

// token is one token of a program. A large program has many: it is kept small.
type token struct {
	kind    kind
	newline bool       // a line break stands before it
	spaced  bool       // a blank or a line break stands before it
	start   int32      // where it begins in the source
	text    string     // of a name, label or symbol
	literal literal    // of a text or a command
	list    *[]literal // of words
}

func (t token) is(s string) bool { return t.kind == symbol && t.text == s }

// maxDepth bounds how deep code inside strings inside code is read.
const maxDepth = 16

// scanner is what the lexers of all languages share: a place in the source that
// only moves forward, and the tokens so far. Every byte is looked at a bounded
// number of times, so reading takes linear time.
type scanner struct {
	source string
	at     int
	tokens []token
	// nested holds the tokens of each piece of code inside a string.
	nested [][]token
	depth  int

	newline, spaced bool // what stands before the next token
}

// newScanner makes room for the tokens of ordinary code, which have six bytes or more.
func newScanner(source string) scanner {
	return scanner{source: source, tokens: make([]token, 0, len(source)/6)}
}

func (s *scanner) done() bool { return s.at >= len(s.source) }

// peek returns the byte n places ahead, 0 beyond either end.
func (s *scanner) peek(n int) byte {
	if i := s.at + n; 0 <= i && i < len(s.source) {
		return s.source[i]
	}
	return 0
}

func (s *scanner) has(prefix string) bool { return strings.HasPrefix(s.source[s.at:], prefix) }

func (s *scanner) atLineStart() bool { return s.at == 0 || s.source[s.at-1] == '\n' }

func (s *scanner) advance(n int) { s.at = min(s.at+n, len(s.source)) }

// skipLine moves to the end of the line, before its line break.
func (s *scanner) skipLine() {
	if i := strings.IndexByte(s.source[s.at:], '\n'); i >= 0 {
		s.at += i
		return
	}
	s.at = len(s.source)
}

// skipPast moves behind the next end, or to the end of the source.
func (s *scanner) skipPast(end string) {
	if i := strings.Index(s.source[s.at:], end); i >= 0 {
		s.at += i + len(end)
		return
	}
	s.at = len(s.source)
}

// skipBlank moves over one blank, line break or continued line, if one is here.
func (s *scanner) skipBlank() bool {
	switch c := s.source[s.at]; {
	case c == '\n':
		s.newline, s.spaced = true, true
		s.at++
	case c == ' ', c == '\t', c == '\r', c == '\f', c == '\v':
		s.spaced = true
		s.at++
	case c == '\\' && s.peek(1) == '\n':
		s.spaced = true
		s.at += 2
	case c == '\\' && s.peek(1) == '\r' && s.peek(2) == '\n':
		s.spaced = true
		s.at += 3
	default:
		return false
	}
	return true
}

// emit adds a token that begins at start.
func (s *scanner) emit(start int, t token) {
	t.start, t.newline, t.spaced = int32(start), s.newline, s.spaced
	s.newline, s.spaced = false, false
	s.tokens = append(s.tokens, t)
}

// previous returns the last token; a line break symbol when there is none.
func (s *scanner) previous() token {
	if len(s.tokens) == 0 {
		return token{kind: symbol, text: "\n"}
	}
	return s.tokens[len(s.tokens)-1]
}

// isNameStart reports that a name begins n bytes ahead.
func (s *scanner) isNameStart(n int) bool {
	c := s.peek(n)
	return c >= 0x80 || isNameByte(c) && (c < '0' || c > '9')
}

// readName reads the name that begins here.
func (s *scanner) readName() string {
	start := s.at
	for !s.done() && (isNameByte(s.source[s.at]) || s.source[s.at] >= 0x80) {
		s.at++
	}
	return s.source[start:s.at]
}

// emitNumber reads a number, loosely: digits, letters, points, underscores. A
// point belongs to it only before a digit, so that 1..2 and 1.to_s stay apart.
func (s *scanner) emitNumber() {
	start := s.at
	for !s.done() && (isNameByte(s.source[s.at]) || s.source[s.at] == '.' && isDigit(s.peek(1))) {
		s.at++
	}
	s.emit(start, token{kind: other})
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// emitSymbol reads the first of the operators that stands here, else one byte.
func (s *scanner) emitSymbol(operators []string) {
	for _, op := range operators {
		if s.has(op) {
			s.emit(s.at, token{kind: symbol, text: op})
			s.at += len(op)
			return
		}
	}
	s.emit(s.at, token{kind: symbol, text: s.source[s.at : s.at+1]})
	s.at++
}

// lexUntil calls step until the source ends, or until stop stands where a token
// would begin and all brackets opened since are closed; it moves behind stop. A
// stop of 0 reads everything. step must move forward.
func (s *scanner) lexUntil(stop byte, step func()) {
	open := 0
	for !s.done() {
		c := s.source[s.at]
		if stop != 0 && c == stop && open == 0 {
			s.at++
			return
		}
		before := len(s.tokens)
		step()
		if len(s.tokens) != before+1 || s.tokens[before].kind != symbol {
			continue
		}
		switch s.tokens[before].text {
		case "{":
			open++
		case "}":
			open--
		}
	}
}

// interpolation reads the code inside a string up to its closing brace, keeps its
// tokens in nested, and returns the part of the string that it is.
func (s *scanner) interpolation(step func()) piece {
	if s.depth >= maxDepth {
		s.skipBraces()
		return piece{unknown: anonymous}
	}
	outer, newline, spaced := s.tokens, s.newline, s.spaced
	s.tokens = nil
	s.depth++
	s.lexUntil('}', step)
	s.depth--
	inner := s.tokens
	s.tokens, s.newline, s.spaced = outer, newline, spaced
	s.nested = append(s.nested, inner)
	return piece{unknown: cleanName(nameOfValue(inner)), code: int32(len(s.nested))}
}

// skipBraces moves behind the brace that closes the one before the place.
func (s *scanner) skipBraces() {
	for open := 1; !s.done() && open > 0; s.at++ {
		switch s.source[s.at] {
		case '{':
			open++
		case '}':
			open--
		}
	}
}

// nameOfValue returns the last name of a path of names, as self.path, else anonymous.
func nameOfValue(tokens []token) string {
	last := anonymous
	for i, t := range tokens {
		switch {
		case t.kind == name && i%2 == 0:
			last = t.text
		case i%2 == 1 && (t.is(".") || t.is("->") || t.is("::") || t.is("?.")):
		case i%2 == 1 && (t.is("!") || t.is(":") || t.is("[")):
			return last // a conversion or format of an f-string, or an index
		default:
			return anonymous
		}
	}
	return last
}

// escape reads the escape sequence whose backslash stands here, as C and most
// languages after it have them, and adds what it means. An unknown one is kept
// with its backslash if keep is set, else without.
func (s *scanner) escape(b *literalBuilder, keep bool) {
	s.at++
	if s.done() {
		b.addByte('\\')
		return
	}
	c := s.source[s.at]
	s.at++
	if i := strings.IndexByte("abefnrtv", c); i >= 0 && (c != 'e' || !keep) {
		b.addByte("\a\b\x1b\f\n\r\t\v"[i])
		return
	}
	switch {
	case c == '\n':
	case c == '\r' && s.peek(0) == '\n':
		s.at++
	case c == 'x' && s.peek(0) == '{', c == 'u' && s.peek(0) == '{':
		s.at++
		b.addRune(s.hexadecimal(8))
		if s.peek(0) == '}' {
			s.at++
		}
	case c == 'x':
		b.addRune(s.hexadecimal(2))
	case c == 'u':
		b.addRune(s.hexadecimal(4))
	case c == 'U' && keep:
		b.addRune(s.hexadecimal(8))
	case '0' <= c && c <= '7':
		value := rune(c - '0')
		for n := 0; n < 2 && '0' <= s.peek(0) && s.peek(0) <= '7'; n++ {
			value = value*8 + rune(s.peek(0)-'0')
			s.at++
		}
		b.addRune(value)
	case keep && isNameByte(c):
		b.addByte('\\')
		b.addByte(c)
	default:
		b.addByte(c)
	}
}

// plain adds the byte that stands here and those up to the next of stops.
func (s *scanner) plain(b *literalBuilder, stops string) {
	start := s.at
	for s.at++; !s.done() && strings.IndexByte(stops, s.source[s.at]) < 0; {
		s.at++
	}
	b.addText(s.source[start:s.at])
}

// hexadecimal reads up to n hexadecimal digits.
func (s *scanner) hexadecimal(n int) rune {
	start := s.at
	for s.at-start < n && strings.IndexByte("0123456789abcdefABCDEF", s.peek(0)) >= 0 && s.peek(0) != 0 {
		s.at++
	}
	value, err := strconv.ParseUint(s.source[start:s.at], 16, 32)
	if err != nil || value > utf8.MaxRune {
		return utf8.RuneError
	}
	return rune(value)
}

// closingOf returns the delimiter that ends a literal begun with open.
func closingOf(open byte) byte {
	if i := strings.IndexByte("([{<", open); i >= 0 {
		return ")]}>"[i]
	}
	return open
}

// contentReader reads one step of a string: a character, an escape or, with code,
// a piece of code or a variable. closing is the delimiter that may be escaped, 0 for none.
type contentReader func(b *literalBuilder, closing byte, code bool)

// readDelimited reads up to the closing delimiter and moves behind it. Brackets nest.
func (s *scanner) readDelimited(open, closing byte, code bool, content contentReader) literal {
	var b literalBuilder
	for nesting := 0; !s.done(); {
		c := s.source[s.at]
		switch {
		case c == closing && nesting == 0:
			s.at++
			return b.literal()
		case c == closing:
			nesting--
		case c == open:
			nesting++
		}
		content(&b, closing, code)
	}
	return b.literal()
}
