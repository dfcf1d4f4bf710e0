package readonly

import "strings"

// objectionToAwk passes awk whose program stands on the command line, has no system(,
// no pipe and no output redirection.
// https://www.gnu.org/software/gawk/manual/gawk.html
func objectionToAwk(w words) string {
	for i := 0; i < len(w.list); i++ {
		word := w.list[i]
		switch {
		case contains("-F -v --field-separator --assign", word):
			i++
			if i < len(w.list) && w.splits(w.list[i]) {
				return "awk is given words that are not known"
			}
			continue
		case word == "--":
			if i++; i == len(w.list) {
				return "awk has no program"
			}
			word = w.list[i]
		case len(word) > 2 && hasAnyPrefix(word, "-F", "-v", "--field-separator=", "--assign="):
			if w.splits(word) {
				return "awk is given words that are not known"
			}
			continue
		case strings.HasPrefix(word, "-"):
			return "awk " + word + " is not known to change nothing"
		}
		switch {
		case w.isUnknown(word):
			return "the program of awk is not known"
		case w.fed && !w.fedPaths:
			return "awk is given the words of another program"
		case !isHarmlessAwk(word):
			return "the program of awk may write a file or run a program"
		}
		return ""
	}
	return "awk has no program"
}

// isHarmlessAwk reports whether an awk program has nothing in it that writes a file or
// runs a program. It is false for what it cannot tell apart.
func isHarmlessAwk(program string) bool {
	s := awkProgram{text: program}
	for s.at < len(s.text) {
		if !s.token() {
			return false
		}
	}
	return true
}

// awkProgram goes through the tokens of a program.
type awkProgram struct {
	text string
	at   int
	// operand: the last token was a value, so that a slash divides. printed: the
	// statement is a print, where > redirects.
	operand, printed bool
}

func (s *awkProgram) token() bool {
	c := s.text[s.at]
	switch {
	case c == ' ' || c == '\t' || c == '\r':
		s.at++
	case c == '#':
		end := strings.IndexByte(s.text[s.at:], '\n')
		if end < 0 {
			end = len(s.text) - s.at
		}
		s.at += end
	case c == '"':
		s.operand = true
		return s.until('"')
	case c == '/' && !s.operand:
		s.operand = true
		return s.until('/')
	case isWordByte(c):
		return s.word()
	default:
		return s.symbol(c)
	}
	return true
}

// until moves behind the next delimiter. A regular expression with a slash in brackets
// ends at different places in different awks, and is not read.
func (s *awkProgram) until(delimiter byte) bool {
	brackets := false
	for s.at++; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '\\':
			s.at++
		case '[':
			brackets = true
		case ']':
			brackets = false
		case '\n':
			return false
		case delimiter:
			s.at++
			return delimiter == '"' || !brackets
		}
	}
	return false
}

func (s *awkProgram) word() bool {
	from := s.at
	for s.at < len(s.text) && (isWordByte(s.text[s.at]) || s.text[s.at] == '.') {
		s.at++
	}
	s.operand = true
	switch s.text[from:s.at] {
	case "system":
		return false
	case "print", "printf":
		s.printed, s.operand = true, false
	case "return", "in", "case", "else", "do", "getline", "exit", "delete":
		s.operand = false
	}
	return true
}

func (s *awkProgram) symbol(c byte) bool {
	s.at++
	next := byte(0)
	if s.at < len(s.text) {
		next = s.text[s.at]
	}
	s.operand = c == ')' || c == ']'
	switch c {
	case ';', '{', '}', '\n':
		s.printed = false
	case '>':
		return !s.printed && next != '>'
	case '|':
		if next != '|' {
			return false
		}
		s.at++
	case '+', '-':
		if next == c { // a++ / b divides, ++a does not matter
			s.at++
			s.operand = true
		}
	case '(', ')', '[', ']', '$', ',', '!', '~', '<', '=', '&', '*', '/', '%', '^', '?', ':':
	default: // @ calls by name, a backslash continues a line
		return false
	}
	return true
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}
