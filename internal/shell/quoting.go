package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// unescape removes the backslashes of a literal outside quotes.
func unescape(s string) string { return removeBackslashes(s, "") }

// unescapeQuoted removes the backslashes of a literal between double quotes, where
// a backslash quotes only these characters and stays before others.
func unescapeQuoted(s string) string { return removeBackslashes(s, "$`\"\\\n") }

// unescapeHeredoc does the same for the body of a heredoc, where a double quote is
// a character like any other.
func unescapeHeredoc(s string) string { return removeBackslashes(s, "$`\\\n") }

// removeBackslashes removes backslashes in front of the characters of special, or of
// any character when special is empty, and line continuations whole.
func removeBackslashes(s, special string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) || special != "" && !strings.Contains(special, s[i+1:i+2]) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if s[i] != '\n' {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// unescapeANSI decodes the text of a $'…' word as bash does.
// https://www.gnu.org/software/bash/manual/html_node/ANSI_002dC-Quoting.html
func unescapeANSI(s string) string { return decodeEscapes(s, ansiEscapes) }

// escapes says which escapes a text may hold, besides the common one-letter ones.
type escapes struct {
	quotes    bool // \' \" \?
	control   bool // \cx
	octalZero bool // octal numbers begin with \0 and have up to three digits more
	stop      bool // \c ends the text
}

var (
	ansiEscapes   = escapes{quotes: true, control: true}
	printfEscapes = escapes{quotes: true}
	echoEscapes   = escapes{octalZero: true, stop: true} // echo -e and printf %b
)

var oneLetterEscapes = map[byte]byte{
	'a': '\a', 'b': '\b', 'e': 0x1b, 'E': 0x1b, 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '\\': '\\',
}

// decodeEscapes replaces the escapes of s; one that is not in the set stays as written.
func decodeEscapes(s string, set escapes) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		c, rest := s[i+1], s[i+2:]
		i += 2
		switch one, ok := oneLetterEscapes[c]; {
		case ok:
			b.WriteByte(one)
		case set.quotes && (c == '\'' || c == '"' || c == '?'):
			b.WriteByte(c)
		case c == 'c' && set.stop:
			return b.String()
		case c == 'c' && set.control && rest != "":
			b.WriteByte(rest[0] & 0x1f)
			i++
		default:
			i += writeNumber(&b, c, rest, set)
		}
	}
	return b.String()
}

// writeNumber writes the character of a numeric escape, of which c is the first
// character after the backslash, and returns how many more it took of rest. Any
// other escape is written as it is.
func writeNumber(b *strings.Builder, c byte, rest string, set escapes) int {
	digits, base, most, wide := rest, 16, 0, false
	switch {
	case c == 'x':
		most = 2
	case c == 'u':
		most, wide = 4, true
	case c == 'U':
		most, wide = 8, true
	case c == '0' && set.octalZero:
		base, most = 8, 3
	case c >= '0' && c <= '7' && !set.octalZero:
		digits, base, most = string(c)+rest, 8, 3
	}
	n := 0
	for n < most && n < len(digits) && isDigit(digits[n], base) {
		n++
	}
	if n == 0 {
		if c == '0' && set.octalZero {
			b.WriteByte(0)
			return 0
		}
		b.WriteByte('\\')
		b.WriteByte(c)
		return 0
	}
	code, _ := strconv.ParseUint(digits[:n], base, 32)
	if wide && code <= utf8.MaxRune {
		b.WriteRune(rune(code))
	} else {
		b.WriteByte(byte(code))
	}
	return n - (len(digits) - len(rest))
}

func isDigit(c byte, base int) bool {
	switch {
	case c >= '0' && c <= '7':
		return true
	case c == '8' || c == '9':
		return base > 8
	case c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F':
		return base == 16
	}
	return false
}
