package policy

import (
	"bytes"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// source is the text of a rule file. Offsets into it count runes.
//
// Two ideas of a line meet here. YAML 1.1 ends a line also at U+0085, U+2028 and
// U+2029; editors and terminals do not. The places yaml.v3 reports are of the
// first kind, the places a Diagnostic shows are of the second.
type source struct {
	path string
	text string // valid UTF-8, without byte order mark

	// plainLines is set when both kinds of line are the same in this file.
	plainLines bool

	once       sync.Once
	runes      []rune
	yamlLines  []int // offset of each line's start, as YAML counts lines
	shownLines []int // the same as editors count them
	shownBytes []int // the same in bytes
}

func newSource(path string, text string) *source {
	return &source{path: path, text: text, plainLines: !strings.ContainsAny(text, "\u0085\u2028\u2029")}
}

var byteOrderMark = []byte("\uFEFF")

// trimByteOrderMark takes off the mark that some editors put in front of UTF-8.
func trimByteOrderMark(b []byte) []byte { return bytes.TrimPrefix(b, byteOrderMark) }

// split computes the runes and the starts of lines at the first use: a file
// without findings never needs them.
func (s *source) split() {
	s.once.Do(func() {
		s.runes = []rune(s.text)
		s.yamlLines, s.shownLines, s.shownBytes = []int{0}, []int{0}, []int{0}
		bytes := 0
		for i, r := range s.runes {
			bytes += utf8.RuneLen(r)
			switch r {
			case '\r':
				if i+1 < len(s.runes) && s.runes[i+1] == '\n' {
					continue
				}
				fallthrough
			case '\n':
				s.shownLines, s.shownBytes = append(s.shownLines, i+1), append(s.shownBytes, bytes)
				fallthrough
			case '\u0085', '\u2028', '\u2029':
				s.yamlLines = append(s.yamlLines, i+1)
			}
		}
	})
}

// offsetOf returns the offset of a place that yaml.v3 reported.
func (s *source) offsetOf(line, column int) int {
	s.split()
	if line < 1 {
		return 0
	}
	if line > len(s.yamlLines) {
		return len(s.runes)
	}
	return min(s.yamlLines[line-1]+max(column-1, 0), len(s.runes))
}

// positionAt returns the shown place of an offset.
func (s *source) positionAt(offset int) Position {
	s.split()
	offset = max(0, min(offset, len(s.runes)))
	line := sort.Search(len(s.shownLines), func(i int) bool { return s.shownLines[i] > offset })
	return Position{line, offset - s.shownLines[line-1] + 1}
}

// shown turns a place that yaml.v3 reported into the place a Diagnostic shows.
func (s *source) shown(line, column int) Position {
	if s.plainLines {
		return Position{line, column}
	}
	return s.positionAt(s.offsetOf(line, column))
}

// line returns the text of a shown line without its line break, "" when there is none.
func (s *source) line(number int) string {
	s.split()
	if number < 1 || number > len(s.shownLines) {
		return ""
	}
	end := len(s.text)
	if number < len(s.shownBytes) {
		end = s.shownBytes[number]
	}
	return strings.TrimRight(s.text[s.shownBytes[number-1]:end], "\r\n")
}

// diagnostic makes a finding about a place in the file.
func (s *source) diagnostic(severity Severity, code string, at Position, width int, message string) Diagnostic {
	return Diagnostic{
		Path: s.path, Position: at, Width: max(width, 1), Severity: severity,
		Code: code, Message: message, SourceLine: s.line(at.Line),
	}
}

// runeCount is utf8.RuneCountInString under the name this package thinks in.
func runeCount(s string) int { return utf8.RuneCountInString(s) }
