// Package textdiff compares texts by lines: two texts to the hunks of a unified
// diff, and hunks and a text to the other text.
package textdiff

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Hunk is one hunk of a unified diff: some lines that changed, with up to three lines
// of context before and after them.
type Hunk struct {
	// OldStart is the number of the hunk's first line in the text before, from 1; when
	// the hunk has no line of that text, the number of the line before it (0 at the start).
	OldStart int `json:"old_start"`
	// OldLines is how many lines of the text before the hunk has.
	OldLines int `json:"old_lines"`
	// NewStart and NewLines are the same for the text after.
	NewStart int `json:"new_start"`
	NewLines int `json:"new_lines"`
	// Lines are without their line feeds (a carriage return is part of the line), and
	// begin with " " (in both texts), "-" (before) or "+" (after). NoNewline follows a
	// line that ends its text without a line feed.
	Lines []string `json:"lines"`
}

// NoNewline is the line of a hunk that says that the line above it ends its text
// without a line feed.
const NoNewline = `\ No newline at end of file`

// context is how many unchanged lines a hunk has on either side.
const context = 3

// IsText reports whether content is what hunks can hold: UTF-8 without NUL bytes.
func IsText(content []byte) bool {
	return bytes.IndexByte(content, 0) < 0 && utf8.Valid(content)
}

// splitLines cuts a text after each line feed. Only the last line may have none, and
// no line is empty.
func splitLines(text string) []string {
	lines := make([]string, 0, strings.Count(text, "\n")+1)
	for len(text) > 0 {
		end := len(text)
		if i := strings.IndexByte(text, '\n'); i >= 0 {
			end = i + 1
		}
		lines = append(lines, text[:end])
		text = text[end:]
	}
	return lines
}
