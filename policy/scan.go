package policy

// celShape is what a scan of a piece of CEL finds.
type celShape struct {
	// comment is set when the piece holds a comment, which would swallow what
	// follows on its line.
	comment bool
	// problem says why the piece does not stand by itself, "" when it does.
	problem string
	// offset is where, in runes.
	offset int
}

// scanCEL checks that a piece of CEL stands by itself: its brackets close and its
// strings end. Only such a piece may be put between the parentheses of a lowered
// rule, where "true) || (true" would become something else. Tokens are those of
// CEL's grammar; everything else about the piece is the parser's business.
// https://github.com/google/cel-spec/blob/master/doc/langdef.md#syntax
func scanCEL(text string) celShape {
	s := &celScanner{text: []rune(text)}
	for s.at < len(s.text) && s.shape.problem == "" {
		s.token()
	}
	if n := len(s.open); n > 0 && s.shape.problem == "" {
		last := s.open[n-1]
		s.fail("'"+string(s.text[last])+"' is never closed", last)
	}
	return s.shape
}

type celScanner struct {
	text  []rune
	at    int
	open  []int // offsets of the brackets that are open
	shape celShape
}

// opening returns the bracket that another one closes, 0 when it is none that does.
func opening(r rune) rune {
	switch r {
	case ')':
		return '('
	case ']':
		return '['
	case '}':
		return '{'
	}
	return 0
}

func (s *celScanner) fail(problem string, offset int) {
	s.shape.problem, s.shape.offset = problem, offset
}

func (s *celScanner) peek(n int) rune {
	if i := s.at + n; i < len(s.text) {
		return s.text[i]
	}
	return -1
}

func (s *celScanner) token() {
	switch r := s.text[s.at]; {
	case r == '(' || r == '[' || r == '{':
		s.open = append(s.open, s.at)
		s.at++
	case opening(r) != 0:
		n := len(s.open)
		if n == 0 || s.text[s.open[n-1]] != opening(r) {
			s.fail("'"+string(r)+"' closes nothing", s.at)
			return
		}
		s.open = s.open[:n-1]
		s.at++
	case r == '/' && s.peek(1) == '/':
		s.shape.comment = true
		for s.at < len(s.text) && s.text[s.at] != '\n' {
			s.at++
		}
	case r == '"' || r == '\'':
		s.quoted(false)
	case isWordRune(r):
		s.word()
	default:
		s.at++
	}
}

func isWordRune(r rune) bool {
	return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// word reads an identifier or number, or the prefix of a string: r, b or br.
func (s *celScanner) word() {
	start := s.at
	for s.at < len(s.text) && isWordRune(s.text[s.at]) {
		s.at++
	}
	if q := s.peek(0); q != '"' && q != '\'' {
		return
	}
	switch string(s.text[start:s.at]) {
	case "r", "R", "br", "bR", "Br", "BR":
		s.quoted(true)
	}
}

// quoted reads a string from its opening quote on.
func (s *celScanner) quoted(raw bool) {
	start, quote := s.at, s.text[s.at]
	triple := s.peek(1) == quote && s.peek(2) == quote
	s.at++
	if triple {
		s.at += 2
	}
	for s.at < len(s.text) {
		switch r := s.text[s.at]; {
		case r == '\\' && !raw:
			s.at += 2
			continue
		case !triple && (r == '\n' || r == '\r'):
			s.fail("the string is not closed on its line", start)
			return
		case r == quote && !triple:
			s.at++
			return
		case r == quote && s.peek(1) == quote && s.peek(2) == quote:
			s.at += 3
			return
		}
		s.at++
	}
	s.fail("the string is never closed", start)
}
