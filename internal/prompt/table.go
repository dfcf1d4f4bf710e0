package prompt

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/claudewatch/claudewatch/internal/safetext"
)

// maxSignature is how wide the column of signatures may become.
const maxSignature = 44

// table writes items with their types and documentation for a terminal of so many
// columns and lines: one line each, and how many did not fit.
func table(items []Item, columns, lines int) string {
	hidden := 0
	if room := max(lines-3, 5); len(items) > room {
		items, hidden = items[:room], len(items)-room
	}
	width := 0
	for _, i := range items {
		width = max(width, utf8.RuneCountInString(i.line()))
	}
	width = min(width, maxSignature)
	var b strings.Builder
	for _, i := range items {
		line := fmt.Sprintf("  %-*s  %s", width, i.line(), i.Doc)
		fmt.Fprintln(&b, strings.TrimRight(safetext.Line(line, max(columns-1, 20)), " "))
	}
	if hidden > 0 {
		fmt.Fprintf(&b, "  … and %d more: type a letter\n", hidden)
	}
	return b.String()
}

// line is an item and its type: "commands: list(Command)", "runs(string) -> bool".
func (i Item) line() string {
	first := i.Signatures[0]
	if strings.HasSuffix(i.Text, "(") || strings.HasSuffix(i.Text, "()") {
		if more := len(i.Signatures) - 1; more > 0 {
			first += fmt.Sprintf(" (+%d)", more)
		}
		return first
	}
	if strings.HasPrefix(first, i.Name) {
		return first
	}
	return i.Name + ": " + first
}

// details writes every way to call a function, and its documentation.
func details(i Item, columns int) string {
	var b strings.Builder
	for _, s := range i.Signatures {
		fmt.Fprintf(&b, "  %s\n", s)
	}
	if i.Doc != "" {
		text := safetext.Wrap(i.Doc, max(min(columns, 100)-5, 20))
		fmt.Fprintf(&b, "    %s\n", strings.ReplaceAll(text, "\n", "\n    "))
	}
	return b.String()
}

// commonPrefix returns what the texts of all items begin with.
func commonPrefix(items []Item) string {
	prefix := items[0].Text
	for _, i := range items[1:] {
		for !strings.HasPrefix(i.Text, prefix) {
			_, size := utf8.DecodeLastRuneInString(prefix)
			prefix = prefix[:len(prefix)-size]
		}
	}
	return prefix
}
