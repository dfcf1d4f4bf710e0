package policy

import (
	"strings"
	"sync"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Scalar is a string value of a rule file that knows where each of its runes stands.
type Scalar struct {
	// Text is the value, decoded.
	Text string
	// Position is where the value starts: at the quote of a quoted one, at the
	// indicator of a block. At(0) is the place of the first rune.
	Position

	source       *source
	line, column int // as yaml.v3 reported them
	style        yaml.Style

	once    sync.Once
	offsets []int // of each rune of Text in the source, and of the end
}

func newScalar(s *source, n *yaml.Node) *Scalar {
	return &Scalar{
		Text: n.Value, Position: s.shown(n.Line, n.Column),
		source: s, line: n.Line, column: n.Column, style: n.Style,
	}
}

// At returns where the rune of Text at an offset, counted in runes, stands in the
// file. A rune that the file spells in several (an escape, a doubled quote, a
// folded line break) has the place of the first of them. Offsets beyond the end
// have the place of the end.
func (s *Scalar) At(offset int) Position {
	if s.source == nil {
		return s.Position
	}
	s.once.Do(func() {
		s.source.split()
		s.offsets = scalarOffsets(s.source.runes, s.source.offsetOf(s.line, s.column), s.style, s.Text)
	})
	return s.source.positionAt(s.offsets[max(0, min(offset, len(s.offsets)-1))])
}

// diagnostic makes a finding about width runes of the text from an offset on.
func (s *Scalar) diagnostic(severity Severity, code string, offset, width int, message string) Diagnostic {
	at := s.At(offset)
	// The width is that of the file's spelling, and ends with the line.
	if end := s.At(offset + width); end.Line == at.Line && width > 0 {
		width = end.Column - at.Column
	} else if width > 1 {
		width = runeCount(s.source.line(at.Line)) - at.Column + 1
	}
	return s.source.diagnostic(severity, code, at, width, message)
}

// scalarOffsets returns for each rune of a scalar's value, and for its end, the
// offset in the file. The file is read again by the rules yaml.v3 follows; where
// the reading departs from the value, the rest has the place of the last rune
// that agreed.
func scalarOffsets(file []rune, start int, style yaml.Style, value string) []int {
	d := &scalarDecoder{file: file, at: start, want: utf8.RuneCountInString(value)}
	d.skipProperties()
	switch {
	case style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		d.block(style&yaml.LiteralStyle != 0, value)
	case style&yaml.SingleQuotedStyle != 0:
		d.at++
		d.flow('\'')
	case style&yaml.DoubleQuotedStyle != 0:
		d.at++
		d.flow('"')
	default:
		d.flow(0)
	}
	offsets := make([]int, 0, d.want+1)
	for _, r := range value {
		i := len(offsets)
		if i >= len(d.out) || d.out[i].r != r {
			break
		}
		offsets = append(offsets, d.out[i].offset)
	}
	end := d.at
	if len(offsets) < d.want {
		end = start
		if n := len(offsets); n > 0 {
			end = offsets[n-1]
		}
	}
	for len(offsets) <= d.want {
		offsets = append(offsets, end)
	}
	return offsets
}

// decodedRune is a rune of a value and where it stands in the file.
type decodedRune struct {
	r      rune
	offset int
}

// scalarDecoder reads one scalar of a file. Its functions follow yaml.v3's
// scanner (scannerc.go), which in turn is libyaml's.
type scalarDecoder struct {
	file []rune
	at   int
	want int // how many runes the value has; a plain scalar has no other end
	out  []decodedRune
}

func (d *scalarDecoder) peek(n int) rune {
	if i := d.at + n; i < len(d.file) {
		return d.file[i]
	}
	return 0
}

func (d *scalarDecoder) done() bool { return d.at >= len(d.file) }

func (d *scalarDecoder) emit(r rune, offset int) { d.out = append(d.out, decodedRune{r, offset}) }

func isYAMLBreak(r rune) bool {
	return r == '\n' || r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' }

// lineBreak reads one line break, which YAML normalises to a newline.
func (d *scalarDecoder) lineBreak() decodedRune {
	b := decodedRune{'\n', d.at}
	switch r := d.peek(0); r {
	case '\r':
		if d.peek(1) == '\n' {
			d.at++
		}
	case '\u2028', '\u2029':
		b.r = r
	}
	d.at++
	return b
}

// skipProperties steps over an anchor and a tag, which a node's place includes.
func (d *scalarDecoder) skipProperties() {
	for d.peek(0) == '&' || d.peek(0) == '!' {
		for !d.done() && !isBlank(d.peek(0)) && !isYAMLBreak(d.peek(0)) {
			d.at++
		}
		for !d.done() {
			switch r := d.peek(0); {
			case isBlank(r) || isYAMLBreak(r):
				d.at++
				continue
			case r == '#':
				for !d.done() && !isYAMLBreak(d.peek(0)) {
					d.at++
				}
				continue
			}
			break
		}
	}
}

// flow reads a plain scalar (quote 0) or a quoted one up to its closing quote.
func (d *scalarDecoder) flow(quote rune) {
	for !d.done() && (quote != 0 || len(d.out) < d.want) {
		r := d.peek(0)
		if r == quote && quote != 0 && !(quote == '\'' && d.peek(1) == '\'') {
			return
		}
		switch {
		case isBlank(r) || isYAMLBreak(r):
			d.fold(false)
		case quote == '\'' && r == '\'':
			d.emit(r, d.at)
			d.at += 2
		case quote == '"' && r == '\\' && isYAMLBreak(d.peek(1)):
			d.at++
			d.lineBreak()
			d.fold(true)
		case quote == '"' && r == '\\':
			d.escape()
		default:
			d.emit(r, d.at)
			d.at++
		}
	}
}

// fold reads blanks and line breaks inside a flow scalar. Blanks without a break
// stand for themselves, one break is a space, and of several the first is dropped.
// After an escaped break nothing stands for the first one.
func (d *scalarDecoder) fold(escaped bool) {
	var blanks, breaks []decodedRune
	for !d.done() {
		switch r := d.peek(0); {
		case isBlank(r):
			if !escaped && len(breaks) == 0 {
				blanks = append(blanks, decodedRune{r, d.at})
			}
			d.at++
			continue
		case isYAMLBreak(r):
			breaks = append(breaks, d.lineBreak())
			continue
		}
		break
	}
	switch {
	case escaped:
		d.out = append(d.out, breaks...)
	case len(breaks) == 0:
		d.out = append(d.out, blanks...)
	case breaks[0].r != '\n':
		d.out = append(d.out, breaks...)
	case len(breaks) == 1:
		d.emit(' ', breaks[0].offset)
	default:
		d.out = append(d.out, breaks[1:]...)
	}
}

// doubleQuotedEscapes are the escapes of one letter.
var doubleQuotedEscapes = map[rune]rune{
	'0': 0, 'a': '\a', 'b': '\b', 't': '\t', '\t': '\t', 'n': '\n', 'v': '\v', 'f': '\f',
	'r': '\r', 'e': '\x1b', ' ': ' ', '"': '"', '\'': '\'', '/': '/', '\\': '\\',
	'N': '\u0085', '_': '\u00a0', 'L': '\u2028', 'P': '\u2029',
}

// escape reads one escape of a double-quoted scalar.
func (d *scalarDecoder) escape() {
	start := d.at
	letter := d.peek(1)
	d.at += 2
	digits := map[rune]int{'x': 2, 'u': 4, 'U': 8}[letter]
	if digits == 0 {
		d.emit(doubleQuotedEscapes[letter], start)
		return
	}
	var r rune
	for ; digits > 0 && !d.done(); digits-- {
		r = r<<4 | rune(strings.IndexRune("0123456789abcdef", d.peek(0)|0x20))
		d.at++
	}
	d.emit(r, start)
}

// block reads a literal or folded block scalar from its indicator on.
func (d *scalarDecoder) block(literal bool, value string) {
	for !d.done() && !isYAMLBreak(d.peek(0)) {
		d.at++
	}
	if d.done() {
		return
	}
	d.lineBreak()
	if strings.Trim(value, yamlSpace) != "" {
		d.blockLines(literal, d.blockIndent(value))
		return
	}
	// Nothing but blanks: their indentation shows only in what comes out.
	start := d.at
	for indent := 0; indent <= maxBlankIndent && len(value) <= maxBlankValue; indent++ {
		d.at, d.out = start, nil
		if d.blockLines(literal, indent); d.says(value) {
			return
		}
	}
}

// maxBlankIndent and maxBlankValue bound the search for the indentation of a block
// without text, which hardly anybody writes.
const (
	maxBlankIndent = 32
	maxBlankValue  = 1000
)

const yamlSpace = " \n\u0085\u2028\u2029"

// says reports whether what was read is a value.
func (d *scalarDecoder) says(value string) bool {
	var b strings.Builder
	for _, o := range d.out {
		b.WriteRune(o.r)
	}
	return b.String() == value
}

// blockLines reads the lines of a block that are indented by a number of columns.
func (d *scalarDecoder) blockLines(literal bool, indent int) {
	var pending *decodedRune // the break that ended the line before
	afterBlank := false
	breaks := d.blockBreaks(indent)
	for !d.done() && d.column() == indent && len(d.out) < d.want {
		blank := isBlank(d.peek(0))
		if pending != nil {
			folds := !literal && !afterBlank && !blank && pending.r == '\n'
			switch {
			case !folds:
				d.out = append(d.out, *pending)
			case len(breaks) == 0:
				d.emit(' ', pending.offset)
			}
		}
		d.out = append(d.out, breaks...)
		afterBlank = blank
		for !d.done() && !isYAMLBreak(d.peek(0)) {
			d.emit(d.peek(0), d.at)
			d.at++
		}
		pending = nil
		if !d.done() {
			b := d.lineBreak()
			pending = &b
		}
		breaks = d.blockBreaks(indent)
	}
	if pending != nil {
		d.out = append(d.out, *pending)
	}
	d.out = append(d.out, breaks...)
	d.endOfBlock()
}

// endOfBlock cuts what chomping took off and puts the end after the last rune.
func (d *scalarDecoder) endOfBlock() {
	if len(d.out) > d.want {
		d.at = d.out[d.want].offset
		d.out = d.out[:d.want]
	}
}

// blockIndent returns how many columns a block's lines are indented: the spaces in
// front of its first line with text, less the spaces with which that line's
// value begins (when the indicator names the indentation).
func (d *scalarDecoder) blockIndent(value string) int {
	spaces := 0
	for i := d.at; i < len(d.file); i++ {
		switch r := d.file[i]; {
		case r == ' ':
			spaces++
			continue
		case isYAMLBreak(r):
			spaces = 0
			continue
		}
		break
	}
	// A line of the value may also consist of spaces only; those in front of the
	// first line with text are the ones that count.
	text := strings.TrimLeft(value, yamlSpace)
	lead := value[:len(value)-len(text)]
	if i := strings.LastIndexAny(lead, yamlSpace[1:]); i >= 0 {
		_, size := utf8.DecodeRuneInString(lead[i:])
		lead = lead[i+size:]
	}
	return max(0, spaces-len(lead))
}

// blockBreaks eats the indentation of the next line with text and returns the
// line breaks in front of it.
func (d *scalarDecoder) blockBreaks(indent int) []decodedRune {
	var breaks []decodedRune
	for {
		for column := d.column(); column < indent && d.peek(0) == ' '; column++ {
			d.at++
		}
		if d.done() || !isYAMLBreak(d.peek(0)) {
			return breaks
		}
		breaks = append(breaks, d.lineBreak())
	}
}

// column returns how many runes stand before the cursor in its line.
func (d *scalarDecoder) column() int {
	n := 0
	for i := d.at - 1; i >= 0 && !isYAMLBreak(d.file[i]); i-- {
		n++
	}
	return n
}
