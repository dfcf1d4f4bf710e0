package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// edit replaces a range of the outermost text in Effects.Command.
type edit struct {
	span
	text string
}

// applyEdits returns text with the edits made. Where two overlap the first one counts.
func applyEdits(text string, edits []edit) string {
	if len(edits) == 0 {
		return text
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		if e.from < at {
			continue
		}
		b.WriteString(text[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.WriteString(text[at:])
	return b.String()
}

// unquoteLeading unquotes a leading word of a command in Effects.Command, unless a
// shell would read the result as something else.
func (w *walk) unquoteLeading(f field) {
	if w.edits == nil || f.from == nil || f.word != f.from || !f.known || !isPlainWord(f.text) {
		return
	}
	source := w.slice(f.from.Pos(), f.from.End())
	if !strings.ContainsAny(source, `'"\`) || !isConstant(f.from.Parts) {
		return
	}
	*w.edits = append(*w.edits, edit{span{int(f.from.Pos().Offset()), int(f.from.End().Offset())}, f.text})
}

// isConstant reports whether nothing in a word has to be expanded.
func isConstant(parts []syntax.WordPart) bool {
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit, *syntax.SglQuoted:
		case *syntax.DblQuoted:
			if !isConstant(part.Parts) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// joinLines replaces the line continuations between the words of a command by a space.
func (w *walk) joinLines(nodes []syntax.Node) {
	if w.edits == nil || !strings.Contains(w.text, "\\\n") {
		return
	}
	for i := 1; i < len(nodes); i++ {
		gap := w.slice(nodes[i-1].End(), nodes[i].Pos())
		if strings.Contains(gap, "\\\n") && strings.Trim(gap, " \t\\\n") == "" {
			from := int(nodes[i-1].End().Offset())
			*w.edits = append(*w.edits, edit{span{from, from + len(gap)}, " "})
		}
	}
}
