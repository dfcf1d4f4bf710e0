package readonly

import "strings"

// objectionToSed passes sed without -i and without a script from a file, when its
// script has no command that writes a file (w, W) or runs a program (e).
// https://www.gnu.org/software/sed/manual/sed.html
func objectionToSed(w words) string {
	var scripts []string
	hasScript := false
	for i := 0; i < len(w.list); i++ {
		word := w.list[i]
		switch {
		case word == "--":
			if !hasScript && i+1 < len(w.list) {
				scripts = append(scripts, w.list[i+1])
				if w.isUnknown(w.list[i+1]) {
					return "the script of sed is not known"
				}
			}
			return objectionToSedScript(scripts)
		case word == "-e" || word == "--expression":
			if i++; i == len(w.list) || w.isUnknown(w.list[i]) {
				return "the script of sed is not known"
			}
			scripts, hasScript = append(scripts, w.list[i]), true
		case strings.HasPrefix(word, "--expression="):
			if w.isUnknown(word) {
				return "the script of sed is not known"
			}
			scripts, hasScript = append(scripts, word[len("--expression="):]), true
		case contains("--quiet --silent --regexp-extended --null-data --separate --unbuffered --posix --sandbox --debug --zero-terminated", word):
		case len(word) > 1 && word[0] == '-':
			if strings.Trim(word[1:], "nErsuz") == "" {
				continue
			}
			if strings.Trim(word[1:], "nErsuz") == "e" && strings.HasSuffix(word, "e") && i+1 < len(w.list) && !w.isUnknown(w.list[i+1]) {
				i++
				scripts, hasScript = append(scripts, w.list[i]), true
				continue
			}
			return "sed " + word + " is not known to change nothing"
		case w.mayBeOption(word):
			return "sed is given words that are not known"
		case len(scripts) == 0 && !hasScript:
			if w.isUnknown(word) {
				return "the script of sed is not known"
			}
			scripts = append(scripts, word)
		}
	}
	if w.fed && (!w.fedPaths || len(scripts) == 0) {
		return "sed is given the words of another program"
	}
	return objectionToSedScript(scripts)
}

// isUnknown reports whether a part of a word is known only when the command runs.
func (w words) isUnknown(word string) bool {
	return !w.isLiteral(word) && (strings.ContainsAny(word, "*?[{~") || w.expands && strings.Contains(word, "$"))
}

func objectionToSedScript(scripts []string) string {
	s := sedScript{text: strings.Join(scripts, "\n")}
	for s.at < len(s.text) {
		if !s.command() {
			return "the script of sed may write a file or run a program"
		}
	}
	return ""
}

// sedScript goes through a script. It gives up on whatever it does not know.
type sedScript struct {
	text string
	at   int
}

// command moves over one command with its addresses, and reports whether it is one
// that only prints.
func (s *sedScript) command() bool {
	if !s.addresses() {
		return false
	}
	if s.at == len(s.text) {
		return true
	}
	c := s.text[s.at]
	s.at++
	switch c {
	case 'p', 'P', 'd', 'D', '=', 'n', 'N', 'g', 'G', 'h', 'H', 'x', 'F', 'z', '{', '}':
		return true
	case 'q', 'Q', 'l', 'L':
		return true // a number may follow, which addresses moves over
	case ':', 'b', 't', 'T', '#', 'r', 'R':
		s.skipLine()
		return true
	case 'a', 'i', 'c':
		for strings.HasSuffix(s.skipLine(), `\`) && s.at < len(s.text) {
		}
		return true
	case 's', 'y':
		if s.at == len(s.text) || strings.IndexByte("\\\n", s.text[s.at]) >= 0 || s.text[s.at] >= 0x80 {
			return false
		}
		delimiter := s.text[s.at]
		s.at++
		if !s.part(delimiter) {
			return false
		}
		return s.part(delimiter) && (c == 'y' || s.flags())
	}
	return false // w, W, e, M, v and what may come
}

// addresses moves to the letter of the next command.
func (s *sedScript) addresses() bool {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '/':
			s.at++
			if !s.part('/') {
				return false
			}
		case c == '\\':
			if s.at += 2; s.at > len(s.text) || s.text[s.at-1] >= 0x80 || !s.part(s.text[s.at-1]) {
				return false
			}
		case strings.IndexByte(" \t\n;,!$+~0123456789I", c) >= 0:
			s.at++
		default:
			return true
		}
	}
	return true
}

// part moves behind the next delimiter. In a class of characters some seds take one for
// the delimiter and some do not: a part in which that would make a difference is not read.
func (s *sedScript) part(delimiter byte) bool {
	class := false
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '\\':
			if class {
				return false
			}
			s.at++
		case c == delimiter:
			if class {
				return false
			}
			s.at++
			return true
		case c == '[':
			class = true
		case c == ']':
			class = false
		}
	}
	return false
}

// flags moves over the flags of s.
func (s *sedScript) flags() bool {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case strings.IndexByte("gpIi0123456789", c) >= 0:
			s.at++
		case strings.IndexByte(" \t\n;}", c) >= 0:
			return true
		default:
			return false
		}
	}
	return true
}

// skipLine moves behind the line and returns the rest of it.
func (s *sedScript) skipLine() string {
	line, _, _ := strings.Cut(s.text[s.at:], "\n")
	s.at = min(s.at+len(line)+1, len(s.text))
	return line
}
