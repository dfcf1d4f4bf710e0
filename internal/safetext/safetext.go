// Package safetext makes text that somebody else wrote (a command, a rule file)
// fit to be shown: it must not drive the terminal or change what is read around it.
package safetext

import (
	"strings"
	"unicode"
)

// Unsafe reports whether a rune must not be shown as it is: control characters,
// among them the ones that begin terminal sequences, and invisible format
// characters, among them those that turn the direction of text. The joiners that
// scripts and pictographs are written with are safe.
func Unsafe(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != nonJoiner && r != joiner
}

// Rune returns r, a space for a tab, and U+FFFD for a rune that is Unsafe.
func Rune(r rune) rune {
	switch {
	case r == '\t':
		return ' '
	case Unsafe(r):
		return unicode.ReplacementChar
	}
	return r
}

// Line returns text on one line: line breaks within it are shown as ⏎, those at its
// end are dropped, and every other rune goes through Rune. What is longer than
// limit runes is cut, with … at its end; a limit of 0 is none.
func Line(text string, limit int) string {
	text = strings.ToValidUTF8(strings.TrimRight(text, "\r\n"), string(unicode.ReplacementChar))
	var b strings.Builder
	n := 0
	for _, r := range strings.ReplaceAll(text, "\r\n", "\n") {
		if n++; limit > 0 && n > limit {
			return cut(b.String())
		}
		if r == '\n' {
			b.WriteRune('⏎')
			continue
		}
		b.WriteRune(Rune(r))
	}
	return b.String()
}

// cut replaces the last rune by an ellipsis.
func cut(text string) string {
	runes := []rune(text)
	return string(runes[:max(0, len(runes)-1)]) + "…"
}

// Wrap breaks text into lines of at most width runes, between words.
func Wrap(text string, width int) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case column == 0:
		case column+1+n > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}
