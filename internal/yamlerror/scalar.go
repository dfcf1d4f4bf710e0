package yamlerror

import (
	"fmt"
	"strings"
)

// quoted reads a quoted scalar, from its opening quote on. A line that is not
// indented deeper than parent shows that the quote was forgotten.
func (r *reader) quoted(parent int) {
	open, quote := r.at, r.text[r.at]
	r.at++
	for r.cause == nil {
		switch c := r.peek(0); {
		case r.done():
			r.fail(open, 1, "the quote is never closed")
		case isBreak(c):
			r.skipLine()
			if spaces := r.indentation(); spaces >= 0 && spaces <= parent && r.peek(spaces) != quote {
				r.fail(open, 1, "the quote is never closed")
			}
		case c == '\'' && quote == '\'' && r.peek(1) == '\'':
			r.at += 2
		case c == quote:
			r.at++
			return
		case c == '\\' && quote == '"':
			r.escape()
		default:
			r.at++
		}
	}
}

// indentation returns how many spaces begin the line at the cursor, -1 for a line
// that is empty or at the end of the text.
func (r *reader) indentation() int {
	n := 0
	for r.peek(n) == ' ' {
		n++
	}
	if isBlankOrEnd(r.peek(n)) {
		return -1
	}
	return n
}

// escape reads one escape of a double-quoted scalar.
func (r *reader) escape() {
	c := r.peek(1)
	digits := map[rune]int{'x': 2, 'u': 4, 'U': 8}[c]
	if digits == 0 && !isBreak(c) && !strings.ContainsRune("0abt\tnvfre \"'/\\N_LP", c) {
		r.fail(r.at, 2, "in double quotes a backslash starts an escape: write the regex in '…'")
		return
	}
	for i := range digits {
		if d := r.peek(2 + i); d == 0 || !strings.ContainsRune("0123456789abcdefABCDEF", d) {
			r.fail(r.at, 2, fmt.Sprintf("in double quotes \\%c starts an escape with %d hexadecimal digits: write the regex in '…'", c, digits))
			return
		}
	}
	r.at += 2 + digits
	if c == '\r' && r.peek(0) == '\n' {
		r.at++
	}
}

// blockScalar reads a text behind | or > with its lines.
func (r *reader) blockScalar(parent int) {
	start := r.at
	r.at++
	indent := 0
	for strings.ContainsRune("+-123456789", r.peek(0)) && r.peek(0) != 0 {
		if c := r.peek(0); c >= '1' && c <= '9' {
			indent = max(parent, 0) + int(c-'0')
		}
		r.at++
	}
	if r.skip(" \t"); !r.atEnd() {
		r.fail(start, 1, mustQuote(r.text[start]))
		return
	}
	for r.skipLine(); !r.done(); r.skipLine() {
		spaces := 0
		for r.peek(spaces) == ' ' && (indent == 0 || spaces < indent) {
			spaces++
		}
		switch c := r.peek(spaces); {
		case c == '\t' && (indent == 0 || spaces < indent):
			r.fail(r.at+spaces, 1, tabMessage)
			return
		case isBreak(c) || c == 0:
		case spaces <= parent || spaces < indent:
			return
		case indent == 0:
			indent = spaces
		}
	}
}

// level is one open bracket of a flow collection.
type level struct {
	open   int  // its offset
	colon  bool // the entry has had its colon
	filled bool // the entry has a key or value that is complete
	plain  bool // that was without quotes, and may go on on the next line
}

const bracketMessage = "between brackets a value with one of , [ ] { } ? in it must be quoted"

// flow reads a collection between brackets. A line that is not indented deeper
// than parent shows that the closing bracket was forgotten.
func (r *reader) flow(parent int) {
	var levels []level
	for r.cause == nil {
		var top *level
		if len(levels) > 0 {
			top = &levels[len(levels)-1]
		}
		switch c := r.peek(0); {
		case r.done():
			r.unclosed(*top)
		case isBreak(c):
			r.skipLine()
			if spaces := r.indentation(); spaces >= 0 && spaces <= parent && !strings.ContainsRune("]},#", r.peek(spaces)) {
				r.unclosed(*top)
			}
		case c == '#' && r.atEnd():
			for !r.done() && !isBreak(r.peek(0)) {
				r.at++
			}
		case c == ' ' || c == '\t':
			r.at++
		case c == '[' || c == '{':
			if top != nil && top.filled {
				r.fail(r.at, 1, bracketMessage)
				return
			}
			levels = append(levels, level{open: r.at})
			r.at++
		case c == ']' || c == '}':
			if r.text[top.open] != map[rune]rune{']': '[', '}': '{'}[c] {
				r.unclosed(*top)
				return
			}
			r.at++
			if levels = levels[:len(levels)-1]; len(levels) == 0 {
				return
			}
			levels[len(levels)-1].filled, levels[len(levels)-1].plain = true, false
		default:
			r.flowEntry(top, parent)
		}
	}
}

func (r *reader) unclosed(l level) {
	r.fail(l.open, 1, fmt.Sprintf("the bracket %c is never closed", r.text[l.open]))
}

// flowEntry reads a piece of an entry between brackets.
func (r *reader) flowEntry(top *level, parent int) {
	switch c := r.peek(0); {
	case c == ',':
		*top = level{open: top.open}
		r.at++
	case c == ':' && (isFlowEnd(r.peek(1)) || top.filled && !top.plain):
		if top.colon {
			r.fail(r.at, 1, colonMessage)
			return
		}
		top.colon, top.filled = true, false
		r.at++
	case top.filled && !top.plain:
		r.fail(r.at, r.word(), "text stands behind the closing quote: put the whole expression in '…' or use |")
	case (c == '"' || c == '\'') && !top.filled:
		r.quoted(parent)
		top.filled, top.plain = true, false
		if next := r.peek(0); r.cause == nil && c == '\'' && isAnchorRune(next) && next != '-' {
			r.behindQuote(c)
		}
	case cannotBegin(c) && !top.filled:
		r.fail(r.at, 1, mustQuote(c))
	case c == '&' || c == '!':
		for !isFlowEnd(r.peek(0)) {
			r.at++
		}
	default:
		r.flowPlain()
		top.filled, top.plain = true, true
	}
}

// flowPlain reads a scalar without quotes between brackets, up to the end of its line.
func (r *reader) flowPlain() {
	for !r.atEnd() {
		switch c := r.peek(0); {
		case strings.ContainsRune(",[]{}", c) || c == ':' && isFlowEnd(r.peek(1)):
			return
		case c == '?':
			r.fail(r.at, 1, bracketMessage)
			return
		}
		r.at++
	}
}

// isFlowEnd reports whether a rune ends a scalar without quotes between brackets.
func isFlowEnd(c rune) bool { return isBlankOrEnd(c) || strings.ContainsRune(",[]{}", c) }
