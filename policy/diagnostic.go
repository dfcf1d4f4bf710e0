package policy

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/claudewatch/claudewatch/internal/safetext"
)

// Position is a place in a file: line and column count from 1, the column in
// runes. The zero Position stands for a whole file.
type Position struct{ Line, Column int }

// IsZero reports whether the position names no line.
func (p Position) IsZero() bool { return p.Line == 0 }

// String returns "line:column", "" for the zero Position.
func (p Position) String() string {
	if p.IsZero() {
		return ""
	}
	return fmt.Sprintf("%d:%d", p.Line, p.Column)
}

// Severity says what a diagnostic means for the hook and for vet.
type Severity int

const (
	// Fault: the hook denies every call and names the place; vet fails.
	Fault Severity = iota
	// Error: the hook warns on stderr and works on; vet fails.
	Error
	// Warning is vet's advice; the hook does not mention it.
	Warning
)

// String returns the severity's name in lower case.
func (s Severity) String() string {
	switch s {
	case Fault:
		return "fault"
	case Error:
		return "error"
	}
	return "warning"
}

// Diagnostic is one finding about a rule file.
type Diagnostic struct {
	// Path is the file as it was given.
	Path string
	Position
	// Width is the number of runes the finding is about, at least 1.
	Width    int
	Severity Severity
	// Code names the check: yaml, type, key, name, regex, cel, …
	Code    string
	Message string
	// SourceLine is the line of Position without its line break.
	SourceLine string
}

// String returns "path:line:column: message [code]".
func (d Diagnostic) String() string {
	if d.IsZero() {
		return fmt.Sprintf("%s: %s [%s]", safetext.Line(d.Path, 0), safetext.Line(d.Message, 0), d.Code)
	}
	return fmt.Sprintf("%s:%d:%d: %s [%s]", safetext.Line(d.Path, 0), d.Line, d.Column, safetext.Line(d.Message, 0), d.Code)
}

// snippetWidth is how many columns of a source line Snippet shows.
const snippetWidth = 160

// Snippet returns the source line and, under it, a caret below the first rune of
// the finding and tildes below the others, both indented by two spaces and
// without a line break at the end. It returns "" when there is no line to show.
//
// Tabs are printed as one space and runes that a terminal draws two columns wide
// are counted as two, so that the caret stands below its rune. Control characters
// are printed as U+FFFD: a rule file must not drive the terminal. Long lines are
// cut around the finding.
func (d Diagnostic) Snippet() string {
	if d.IsZero() || d.Column < 1 {
		return ""
	}
	line := []rune(d.SourceLine)
	at := min(d.Column-1, len(line))
	end := min(at+max(d.Width, 1), len(line))
	start := 0
	prefix, suffix := "", ""
	if len(line) > snippetWidth {
		start = max(0, at-snippetWidth/3)
		if stop := start + snippetWidth; stop < len(line) {
			line, suffix = line[:stop], "…"
			end = min(end, stop)
		}
		if start > 0 {
			prefix = "…"
		}
	}
	var text, caret strings.Builder
	text.WriteString("  " + prefix)
	caret.WriteString("  " + strings.Repeat(" ", len([]rune(prefix))))
	for i := start; i < len(line); i++ {
		r := safetext.Rune(line[i])
		text.WriteRune(r)
		mark := " "
		switch {
		case i == at:
			mark = "^"
		case i > at && i < end:
			mark = "~"
		case i >= end:
			continue
		}
		caret.WriteString(mark)
		if width := columns(r); width == 0 && i != at {
			s := caret.String()
			caret.Reset()
			caret.WriteString(s[:len(s)-1])
		} else if width == 2 {
			caret.WriteString(map[string]string{" ": " ", "^": "~", "~": "~"}[mark])
		}
	}
	if at >= len(line) {
		caret.WriteString("^")
	}
	return text.String() + suffix + "\n" + caret.String()
}

// columns returns how many columns a terminal gives a rune: 0 for combining
// marks, 2 for the wide scripts and pictographs, else 1.
func columns(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r >= 0x1100 && r <= 0x115F, // Hangul initials
		r >= 0x2E80 && r <= 0xA4CF && r != 0x303F, // CJK
		r >= 0xAC00 && r <= 0xD7A3,                // Hangul syllables
		r >= 0xF900 && r <= 0xFAFF,                // CJK compatibility
		r >= 0xFE30 && r <= 0xFE6F,                // CJK compatibility forms
		r >= 0xFF00 && r <= 0xFF60,                // full-width forms
		r >= 0xFFE0 && r <= 0xFFE6,
		r >= 0x1F300 && r <= 0x1FAFF, // pictographs
		r >= 0x20000 && r <= 0x3FFFD:
		return 2
	}
	return 1
}

// hasFault reports whether any of the diagnostics is a Fault.
func hasFault(diagnostics []Diagnostic) bool {
	for _, d := range diagnostics {
		if d.Severity == Fault {
			return true
		}
	}
	return false
}
