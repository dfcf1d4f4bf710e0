package settingsedit

import (
	"bytes"
	"strings"

	"gopkg.in/yaml.v3"
)

// content returns where a node begins behind its anchor and tag.
func (d *document) content(n node) int {
	at := d.offset(n.Line, n.Column)
	if n.Kind == yaml.AliasNode {
		return at
	}
	for at < len(d.text) && (d.text[at] == '&' || d.text[at] == '!') {
		for at < len(d.text) && !bytes.ContainsRune([]byte(" \t\r\n,[]{}"), rune(d.text[at])) {
			at++
		}
		if isEmpty(n) {
			return at
		}
		at = d.skipBlank(at)
	}
	return at
}

// skipBlank returns where the next text is that is no blank, line break or comment.
func (d *document) skipBlank(at int) int {
	for at < len(d.text) {
		switch n := breakLength(d.text[at:]); {
		case n > 0:
			at += n
		case d.text[at] == ' ' || d.text[at] == '\t':
			at++
		case d.text[at] == '#':
			at = d.lineEnd(at)
		default:
			return at
		}
	}
	return at
}

// isEmpty reports whether a value is not written at all.
func isEmpty(n node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&^yaml.TaggedStyle == 0
}

// isFlow reports whether a list or mapping is written in brackets.
func isFlow(n node) bool { return n.Style&yaml.FlowStyle != 0 }

// span returns where the text of a node begins, without anchor and tag, and where it
// ends. ok is false for what has no end that is easily seen: a list or mapping in
// lines, and text over several lines that is not quoted.
func (d *document) span(n node) (start, end int, ok bool) {
	start = d.content(n)
	rest := d.text[start:]
	switch n.Kind {
	case yaml.AliasNode:
		return start, start + 1 + len(n.Value), bytes.HasPrefix(rest, []byte("*"+n.Value))
	case yaml.SequenceNode, yaml.MappingNode:
		if !isFlow(n) {
			return start, start, false
		}
		flow, ok := d.flow(start)
		return start, flow.close + 1, ok
	case yaml.ScalarNode:
		switch {
		case isEmpty(n):
			return start, start, true
		case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
			end, ok := quotedEnd(d.text, start)
			return start, end, ok
		case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0:
			return start, start + len(n.Value), bytes.HasPrefix(rest, []byte(n.Value)) && !strings.Contains(n.Value, "\n")
		}
	}
	return start, start, false
}

// quotedEnd returns where the quoted text ends that begins at start.
func quotedEnd(text []byte, start int) (int, bool) {
	if start >= len(text) {
		return start, false
	}
	quote := text[start]
	for at := start + 1; at < len(text); at++ {
		switch {
		case quote == '"' && text[at] == '\\':
			at++
		case text[at] != quote:
		case quote == '\'' && at+1 < len(text) && text[at+1] == '\'':
			at++
		default:
			return at + 1, true
		}
	}
	return start, false
}

// flow is a list or mapping in brackets.
type flow struct {
	open, close int // offsets of the brackets
	items       []item
}

// item is an entry of a flow: start and end bound its text, without blanks and comments
// around it, and comma is where the comma behind it is, -1 for none.
type item struct{ start, end, comma int }

// flow reads the list or mapping in brackets that begins at open. ok is false when it
// has no end.
func (d *document) flow(open int) (f flow, ok bool) {
	f = flow{open: open}
	if open >= len(d.text) || d.text[open] != '[' && d.text[open] != '{' {
		return f, false
	}
	current := item{start: -1, comma: -1}
	depth, plain := 0, false // plain: within text that is not quoted
	take := func(start, end int) {
		if current.start < 0 {
			current.start = start
		}
		current.end = end
	}
	finish := func() {
		if current.start >= 0 {
			f.items = append(f.items, current)
		}
		current = item{start: -1, comma: -1}
	}
	for at := open + 1; at < len(d.text); {
		c := d.text[at]
		blankBefore := strings.IndexByte(" \t\r\n", d.text[at-1]) >= 0
		switch {
		case c == ' ' || c == '\t' || breakLength(d.text[at:]) > 0:
			at += max(1, breakLength(d.text[at:]))
		case c == '#' && (blankBefore || !plain):
			at = d.lineEnd(at)
		case (c == '"' || c == '\'') && !plain:
			end, ok := quotedEnd(d.text, at)
			if !ok {
				return f, false
			}
			take(at, end)
			at = end
		case c == '[' || c == '{':
			depth, plain = depth+1, false
			take(at, at+1)
			at++
		case (c == ']' || c == '}') && depth == 0:
			finish()
			f.close = at
			return f, true
		case c == ']' || c == '}':
			depth, plain = depth-1, false
			take(at, at+1)
			at++
		case c == ',' && depth == 0:
			current.comma = at
			finish()
			plain = false
			at++
		case c == ',':
			plain = false
			at++
		case c == ':' && at+1 < len(d.text) && strings.IndexByte(" \t\r\n,[]{}", d.text[at+1]) >= 0:
			plain = false
			take(at, at+1)
			at++
		case (c == '&' || c == '!') && !plain:
			end := at
			for end < len(d.text) && strings.IndexByte(" \t\r\n,[]{}", d.text[end]) < 0 {
				end++
			}
			take(at, end)
			at = end
		default:
			plain = true
			take(at, at+1)
			at++
		}
	}
	return f, false
}
