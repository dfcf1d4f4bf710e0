package yamlerror

import (
	"fmt"
	"slices"
	"strings"
)

// Cause is what keeps a text from being YAML, found by reading the text again:
// yaml.v3 names at best the line on which the construct around it begins.
type Cause struct {
	// Offset and Width are where it stands, in runes of the text.
	Offset, Width int
	// Message says what is wrong and what to write.
	Message string
}

// Find returns the first mistake in a text that yaml.v3 has refused; ok is false
// when it sees none. It knows the mistakes that people make, not all of YAML, and
// takes for one what hardly anybody means, so that it is no judge of a text that
// yaml.v3 accepts.
func Find(text string) (cause Cause, ok bool) {
	r := &reader{text: []rune(text), pending: true}
	for r.cause == nil && !r.done() {
		r.line()
	}
	if r.cause == nil {
		return Cause{}, false
	}
	return *r.cause, true
}

// reader reads a text of YAML from the start, by the rules of yaml.v3's scanner.
type reader struct {
	text   []rune
	at     int
	start  int     // of the line that the cursor is on
	blocks []block // the block collections around the cursor, outermost first
	// pending is set when a key or dash has had no value yet.
	pending bool
	cause   *Cause
}

// block is a mapping or list written in lines.
type block struct {
	column int // from 0
	list   bool
}

// fail notes the first cause and ends the reading.
func (r *reader) fail(offset, width int, message string) {
	if r.cause == nil {
		r.cause = &Cause{Offset: offset, Width: max(width, 1), Message: message}
	}
	r.at = len(r.text)
}

const tabMessage = "a tab in the indentation, where only spaces may stand"

// line reads one line, and with it the lines over which its value goes on.
func (r *reader) line() {
	r.skip(" ")
	if r.peek(0) == '\t' {
		r.fail(r.at, 1, tabMessage) // on an empty line too, says yaml.v3
		return
	}
	switch {
	case r.atEnd():
		r.skipLine()
		return
	case r.marker():
		r.blocks, r.pending = nil, true
		r.at += 3
		if r.skip(" \t"); r.atEnd() {
			r.skipLine()
			return
		}
	case r.column() == 0 && r.peek(0) == '%' && len(r.blocks) == 0:
		r.skipLine()
		return
	}
	if r.settle(r.column()); r.cause == nil {
		r.node()
	}
}

// settle closes the collections that a line at a column ends, and judges whether
// something may stand there.
func (r *reader) settle(column int) {
	ended := -1 // the column of the last collection that the line ends
	for n := len(r.blocks); n > 0 && r.blocks[n-1].column > column; n-- {
		ended, r.blocks = r.blocks[n-1].column, r.blocks[:n-1]
		r.pending = false
	}
	top, any := r.top()
	switch {
	case !any && ended < 0:
		if !r.pending {
			r.fail(r.at, r.word(), "nothing can follow the value above")
		}
	case !any || column > top.column && (ended >= 0 || !r.pending):
		r.fail(r.at, r.word(), misfit(column, top, any, ended))
	case column > top.column:
	case top.list && !r.isDash():
		if n := len(r.blocks); n > 1 && r.blocks[n-2] == (block{column, false}) {
			r.blocks, r.pending = r.blocks[:n-1], false
			return
		}
		r.fail(r.at, r.word(), "an entry of the list above begins with '- '; what belongs to the entry before is indented like it")
	case !top.list && r.isDash():
		if !r.pending {
			r.fail(r.at, 1, "a list entry where a key must stand: a list begins below its key, and the key has no value of its own")
		}
	default:
		r.pending = false
	}
}

// misfit says which indentation would fit instead of the one of a line.
func misfit(column int, top block, any bool, ended int) string {
	var fits []string
	if ended >= 0 {
		fits = append(fits, fmt.Sprint(ended))
	}
	if any && !top.list {
		fits = append(fits, fmt.Sprint(top.column))
	}
	if len(fits) == 0 {
		return fmt.Sprintf("the indentation of %d spaces fits no line above", column)
	}
	return fmt.Sprintf("the indentation of %d spaces fits no line above: %s would", column, strings.Join(fits, " or "))
}

// node reads what begins a line, or stands behind a dash.
func (r *reader) node() {
	for r.isDash() {
		r.open(r.column(), true)
		r.at++
		r.pending = true
		if r.skip(" \t"); r.atEnd() {
			r.skipLine()
			return
		}
	}
	if r.peek(0) == '?' && isBlankOrEnd(r.peek(1)) {
		r.at = len(r.text) // an explicit key: nobody writes one by mistake
		return
	}
	start, column := r.at, r.column()
	if !r.isKey(column) {
		if r.cause != nil {
			return
		}
		if top, any := r.top(); any && !top.list && top.column == column {
			r.noKey(start)
			return
		}
		r.at = start
		r.value(r.parent())
		return
	}
	r.open(column, false)
	r.at++ // the colon
	r.pending = true
	if r.skip(" \t"); r.atEnd() {
		r.skipLine()
		return
	}
	r.value(column)
}

// isKey reads a key; the cursor is then on its colon.
func (r *reader) isKey(column int) bool {
	parent := r.parent()
	if parent == column {
		parent--
	}
	r.properties()
	switch c := r.peek(0); {
	case c == '"' || c == '\'':
		r.quoted(parent)
	case c == '[' || c == '{':
		r.flow(parent)
	case c == '|' || c == '>' || cannotBegin(c):
		return false
	default:
		for !r.atEnd() && !r.isColon() {
			r.at++
		}
		return r.isColon()
	}
	r.skip(" \t")
	return r.isColon()
}

// noKey is about a line that must be a key and is none.
func (r *reader) noKey(start int) {
	r.at = start
	if colon := r.joinedKey(start); colon > 0 {
		r.fail(colon, 1, blankMessage)
		return
	}
	r.fail(start, r.word(), "this is no 'key: value': a text of several lines is indented deeper than its key")
}

const blankMessage = "a blank must stand behind the colon of a key"

// joinedKey returns the colon of a key at an offset whose value follows without a
// blank, as in name:x; 0 when there is none.
func (r *reader) joinedKey(offset int) int {
	colon := offset
	for colon < len(r.text) && isAnchorRune(r.text[colon]) {
		colon++
	}
	if colon == offset || colon >= len(r.text) || r.text[colon] != ':' {
		return 0
	}
	return colon
}

// value reads what stands behind a key or dash; parent is the column of that.
func (r *reader) value(parent int) {
	start := r.at
	r.properties()
	if r.atEnd() {
		r.skipLine()
		return
	}
	r.pending = false
	switch c := r.peek(0); {
	case r.isDash():
		r.fail(r.at, 1, "a list begins on a line of its own, below its key")
	case c == '"' || c == '\'':
		if r.quoted(parent); r.cause == nil {
			r.behindQuote(c)
		}
	case c == '[' || c == '{':
		if r.flow(parent); r.cause == nil {
			r.behind(fmt.Sprintf("text stands behind the closing bracket: a value that begins with %c and goes on so must be quoted", c))
		}
	case c == '|' || c == '>':
		r.blockScalar(parent)
	case c == '&', c == '*' && !isAnchorRune(r.peek(1)), cannotBegin(c):
		r.fail(r.at, 1, mustQuote(c))
	default:
		r.plain(parent)
	}
	// "!x && y" and "&& y" begin like a tag and an anchor.
	if c := r.text[start]; r.cause != nil && start < r.cause.Offset && (c == '&' || c == '!') && !strings.HasPrefix(string(r.text[start:min(start+2, len(r.text))]), "!!") {
		r.cause = &Cause{start, 1, mustQuote(c)}
	}
}

func mustQuote(c rune) string { return fmt.Sprintf("a value cannot begin with %c: put it in '…'", c) }

func cannotBegin(c rune) bool { return strings.ContainsRune("%@`,]}", c) && c != 0 }

// behindQuote judges what follows a quoted value on its line.
func (r *reader) behindQuote(quote rune) {
	if c := r.peek(0); quote == '\'' && (c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
		r.fail(r.at-1, 1, "the quote ends the value: inside '…' write it twice, ''")
		return
	}
	r.behind("text stands behind the closing quote: put the whole expression in '…' or use |")
}

// behind reads the rest of a line behind a value, where a comment alone may stand.
func (r *reader) behind(message string) {
	switch r.skip(" \t"); {
	case r.atEnd():
		r.skipLine()
	case r.isColon():
		r.fail(r.at, 1, colonMessage)
	default:
		r.fail(r.at, r.word(), message)
	}
}

const colonMessage = "a value with ': ' in it must be quoted"

// plain reads a value without quotes, over as many lines as it has.
func (r *reader) plain(parent int) {
	begin, colon := r.at, 0
	if strings.Trim(string(r.text[r.start:begin]), " -") == "" {
		colon = r.joinedKey(begin)
	}
	for first := true; ; first = false {
		start := r.at
		for !r.atEnd() {
			if r.isColon() && first {
				r.fail(r.at, 1, colonMessage)
			} else if r.isColon() && colon > 0 {
				r.fail(colon, 1, blankMessage)
			} else if r.isColon() {
				r.fail(start, r.at-start, fmt.Sprintf("the indentation of %d spaces makes this line a part of the value above it: mend it, or quote that value", start-r.start))
			}
			r.at++
		}
		if r.cause != nil {
			return
		}
		comment := r.peek(0) == '#'
		r.skipLine()
		if comment {
			return
		}
		// The next line goes on with the value when it is indented deeper.
		next := r.at
		for r.skip(" \t"); !r.done() && isBreak(r.peek(0)); r.skip(" \t") {
			r.skipLine()
		}
		if r.done() {
			return
		}
		spaces := 0
		for r.text[r.start+spaces] == ' ' {
			spaces++
		}
		if spaces <= parent || r.peek(0) == '#' || r.marker() {
			r.at, r.start = next, next
			return
		}
	}
}

// open notes the block collection that begins or goes on at a column.
func (r *reader) open(column int, list bool) {
	if top, any := r.top(); !any || top != (block{column, list}) {
		r.blocks = append(r.blocks, block{column, list})
	}
}

func (r *reader) top() (block, bool) {
	if len(r.blocks) == 0 {
		return block{column: -1}, false
	}
	return r.blocks[len(r.blocks)-1], true
}

// parent is the column of the collection around the cursor, -1 when there is none.
func (r *reader) parent() int {
	top, _ := r.top()
	return top.column
}

// properties steps over anchors and tags.
func (r *reader) properties() {
	for r.peek(0) == '!' || r.peek(0) == '&' && isAnchorRune(r.peek(1)) {
		for !isBlankOrEnd(r.peek(0)) {
			r.at++
		}
		r.skip(" \t")
	}
}

func isAnchorRune(c rune) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (r *reader) done() bool { return r.at >= len(r.text) }

func (r *reader) peek(n int) rune {
	if i := r.at + n; i < len(r.text) {
		return r.text[i]
	}
	return 0
}

func (r *reader) skip(blanks string) {
	for !r.done() && strings.ContainsRune(blanks, r.text[r.at]) {
		r.at++
	}
}

// skipLine moves to the beginning of the next line.
func (r *reader) skipLine() {
	for !r.done() && !isBreak(r.text[r.at]) {
		r.at++
	}
	if r.peek(0) == '\r' && r.peek(1) == '\n' {
		r.at++
	}
	if !r.done() {
		r.at++
	}
	r.start = r.at
}

// column is how many runes stand before the cursor on its line.
func (r *reader) column() int { return r.at - r.start }

// word is how many runes stand at the cursor up to the next blank.
func (r *reader) word() int {
	n := 0
	for !isBlankOrEnd(r.peek(n)) {
		n++
	}
	return n
}

// atEnd reports whether nothing but a comment follows on the line.
func (r *reader) atEnd() bool {
	c := r.peek(0)
	return r.done() || isBreak(c) || c == '#' && (r.at == 0 || isBlankOrEnd(r.text[r.at-1]))
}

func (r *reader) isDash() bool  { return r.peek(0) == '-' && isBlankOrEnd(r.peek(1)) }
func (r *reader) isColon() bool { return r.peek(0) == ':' && isBlankOrEnd(r.peek(1)) }

// marker reports whether the cursor is at --- or ... in front of a line.
func (r *reader) marker() bool {
	if r.column() != 0 || !isBlankOrEnd(r.peek(3)) {
		return false
	}
	return slices.Contains([]string{"---", "..."}, string(r.text[r.at:min(r.at+3, len(r.text))]))
}

func isBreak(c rune) bool {
	return c == '\n' || c == '\r' || c == '\u0085' || c == '\u2028' || c == '\u2029'
}

// isBlankOrEnd takes 0, which peek returns behind the end, for a blank.
func isBlankOrEnd(c rune) bool { return c == ' ' || c == '\t' || c == 0 || isBreak(c) }
