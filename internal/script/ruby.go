package script

import (
	"slices"
	"strings"
)

// rubyLexer reads Ruby's literals. Where Ruby itself asks its parser whether a
// value may begin (for / % < ? and `), this asks the token before and the blanks
// around, as a reader would.
type rubyLexer struct {
	scanner
	heredocQueue
}

var rubyOperators = []string{"...", "===", "<=>", "**=", "<<=", ">>=", "&&=", "||=", "=>", "==", "!=", "=~", "!~", "<=", ">=", "&&", "||", "::", "&.", "->", "+=", "-=", "*=", "/=", "%=", "|=", "**", "..", "<<", ">>"}

func (l *rubyLexer) step() {
	switch c := l.source[l.at]; {
	case c == '\n' && len(l.pending) > 0:
		l.at++
		l.newline, l.spaced = true, true
		l.readPending(&l.scanner, l.content)
	case c == '=' && l.atLineStart() && l.has("=begin"):
		l.skipPast("\n=end")
		l.skipLine()
	case c == '_' && l.atLineStart() && (l.has("__END__\n") || l.source[l.at:] == "__END__"):
		l.at = len(l.source)
	case l.skipBlank():
	case c == '#':
		l.skipLine()
	case c == '\'', c == '"', c == '`' && !l.previous().is(":"):
		l.emitQuoted()
	case c == '%' && l.beforeValue() && l.emitPercent():
	case c == '/' && l.beforeValue():
		start := l.at
		l.at++
		l.delimited('/', '/', true)
		l.readName()
		l.emit(start, token{kind: other})
	case c == '<' && l.has("<<") && l.beforeHeredoc():
	case c == '?' && l.beforeValue() && l.isCharacter():
		l.emit(l.at, token{kind: other})
		l.at += 2
	case c == ':' && l.peek(1) != ':' && (l.isNameStart(1) || l.peek(1) == '"' || l.peek(1) == '\''):
		l.emitSymbolLiteral()
	case c == '$' && l.at+1 < len(l.source), c == '@' && l.isNameStart(1), c == '@' && l.peek(1) == '@':
		l.emitVariable()
	case l.isNameStart(0):
		l.emitName()
	case isDigit(c):
		l.emitNumber()
	default:
		l.emitSymbol(rubyOperators)
	}
}

func (l *rubyLexer) emitName() {
	start := l.at
	word := l.readName()
	if c := l.peek(0); (c == '?' || c == '!') && l.peek(1) != '=' {
		l.at++
		word += string(c)
	}
	if l.peek(0) == ':' && l.peek(1) != ':' && !l.previous().is("?") {
		l.at++
		l.emit(start, token{kind: label, text: word})
		return
	}
	l.emit(start, token{kind: name, text: word})
}

// emitVariable reads a global, instance or class variable, as $x, $', @x and @@x.
func (l *rubyLexer) emitVariable() {
	start := l.at
	for l.at++; l.peek(0) == '@'; {
		l.at++
	}
	if l.readName() == "" {
		l.advance(1)
	}
	l.emit(start, token{kind: name, text: l.source[start:l.at]})
}

// emitSymbolLiteral reads :name, :"text".
func (l *rubyLexer) emitSymbolLiteral() {
	start := l.at
	l.at++
	if q := l.source[l.at]; q == '"' || q == '\'' {
		l.at++
		l.delimited(q, q, q == '"')
	} else {
		l.readName()
	}
	l.emit(start, token{kind: other, text: l.source[start:l.at]})
}

func (l *rubyLexer) isCharacter() bool {
	next := l.peek(1)
	return next > ' ' && !(isNameByte(next) && isNameByte(l.peek(2)))
}

// rubyBeforeValue are keywords, and methods usually called without parentheses.
var rubyBeforeValue = []string{"if", "unless", "while", "until", "and", "or", "not", "return", "when", "case", "elsif", "then", "do", "else", "in", "begin", "ensure", "yield", "puts", "print", "p", "raise"}

// beforeValue reports that at this place a value begins, not an operator.
func (l *rubyLexer) beforeValue() bool {
	t := l.previous()
	if l.newline {
		return true
	}
	switch t.kind {
	case symbol:
		return t.text != ")" && t.text != "]" && t.text != "}"
	case label:
		return true
	case name: // a method's first argument stands close to its operator: puts %w(a)
		return slices.Contains(rubyBeforeValue, t.text) || l.spaced && l.peek(1) != ' ' && l.peek(1) != '='
	}
	return false
}

// emitQuoted reads '…', "…" or `…`. A string before a colon is a label.
func (l *rubyLexer) emitQuoted() {
	start, quote := l.at, l.source[l.at]
	l.at++
	t := token{kind: text, literal: l.delimited(quote, quote, quote != '\'')}
	if quote == '`' {
		t.kind = command
	}
	if key, ok := t.literal.fixedText(); ok && quote != '`' && l.peek(0) == ':' && l.peek(1) != ':' && !l.previous().is("?") {
		l.at++
		t = token{kind: label, text: key}
	}
	l.emit(start, t)
}

// emitPercent reads %q(…), %Q(…), %(…), %w[…], %x(…), %r{…} and their like.
func (l *rubyLexer) emitPercent() bool {
	start := l.at
	letter, open := byte('Q'), l.peek(1)
	if strings.IndexByte("qQwWiIxrs", open) >= 0 && open != 0 {
		letter, open = open, l.peek(2)
		l.at++
	}
	if open <= ' ' || open >= 0x7f || isNameByte(open) || open == '=' && letter == 'Q' {
		l.at = start
		return false
	}
	l.at += 2
	content := l.delimited(open, closingOf(open), strings.IndexByte("QWIxr", letter) >= 0)
	t := token{kind: text, literal: content}
	switch letter {
	case 'w', 'W', 'i', 'I':
		list := content.fields()
		t = token{kind: words, list: &list}
	case 'x':
		t.kind = command
	case 'r', 's':
		t = token{kind: other}
		l.readName()
	}
	l.emit(start, t)
	return true
}

// delimited reads up to the closing delimiter and moves behind it. Brackets nest.
// With code set, escapes are decoded and #{…} is code.
func (l *rubyLexer) delimited(open, closing byte, code bool) literal {
	return l.readDelimited(open, closing, code, l.content)
}

// content reads one character, escape or piece of code of a string.
func (l *rubyLexer) content(b *literalBuilder, closing byte, code bool) {
	switch c := l.source[l.at]; {
	case c == '\\' && code:
		l.escape(b, false)
	case c == '\\' && (l.peek(1) == closing || l.peek(1) == '\\') && closing != 0:
		b.addByte(l.peek(1))
		l.at += 2
	case code && c == '#' && l.peek(1) == '{':
		l.at += 2
		b.add(l.interpolation(l.step))
	case code && c == '#' && (l.peek(1) == '@' || l.peek(1) == '$') && l.isNameStart(2):
		l.at += 2
		b.addUnknown(l.readName())
	case closing == 0 && c != '\n': // a here-document, up to the end of its line
		l.plain(b, "\\#\n")
	default:
		b.addByte(c)
		l.at++
	}
}

// beforeHeredoc reads <<~END, <<-'END' or <<END, and reports that one is here.
func (l *rubyLexer) beforeHeredoc() bool {
	start := l.at
	i := 2
	h := heredoc{}
	if c := l.peek(i); c == '~' || c == '-' {
		h.indent = true
		i++
	} else if !l.beforeValue() {
		return false
	}
	quote := l.peek(i)
	switch {
	case quote == '\'' || quote == '"' || quote == '`':
		end := strings.IndexByte(l.source[l.at+i+1:min(l.at+i+256, len(l.source))], quote)
		if end <= 0 {
			return false
		}
		h.end = l.source[l.at+i+1 : l.at+i+1+end]
		h.raw = quote == '\''
		l.at += i + end + 2
	case l.isNameStart(i) && (h.indent || 'A' <= quote && quote <= 'Z' || quote == '_'):
		l.at += i
		h.end = l.readName()
	default:
		return false
	}
	l.begin(&l.scanner, start, quote, h)
	return true
}

// fields splits a literal at blanks, as %w and qw do.
func (l literal) fields() []literal {
	var list []literal
	var b literalBuilder
	empty := true
	for _, p := range l {
		if p.unknown != "" {
			b.add(p)
			empty = false
			continue
		}
		for _, c := range []byte(p.text) {
			if c > ' ' {
				b.addByte(c)
				empty = false
			} else if !empty {
				list = append(list, b.literal())
				b, empty = literalBuilder{}, true
			}
		}
	}
	if !empty {
		list = append(list, b.literal())
	}
	return list
}

// rubyCalls are the methods that start a process. Their string arguments are shell
// text, or a program and its words when there are several.
var rubyCalls = []string{
	"system", "exec", "spawn", "Process.spawn", "Process.exec", "sh",
	"IO.popen", "Open3.capture2", "Open3.capture2e", "Open3.capture3", "Open3.popen2", "Open3.popen2e", "Open3.popen3", "PTY.spawn", "PTY.getpty",
	"Open3.pipeline", "Open3.pipeline_r", "Open3.pipeline_w", "Open3.pipeline_rw", "Open3.pipeline_start",
}

// rubyLanguage is how ruby is read.
var rubyLanguage = language{
	lex: func(code string) *scanner {
		l := &rubyLexer{scanner: newScanner(code)}
		l.lexUntil(0, l.step)
		return &l.scanner
	},
	concat: []string{"+", "<<"},
	name:   func(path string) string { return strings.TrimPrefix(path, "Kernel.") },
	keywords: []string{"if", "unless", "while", "until", "and", "or", "not", "return", "when", "case", "elsif", "then", "do", "else", "in", "begin", "ensure",
		"yield", "end", "rescue", "self", "nil", "true", "false", "alias", "undef", "for", "next", "break", "redo", "retry", "defined?"},
	loose: true,
	shell: rubyShell,
	marks: []string{"system", "exec", "spawn", "popen", "`", "%x", "open", "Open3", "PTY", "IO.read", "sh "},
}

// rubyShell records the shell text that a call starts.
func rubyShell(c *call) {
	r, i := c.reader, c.at
	if c.shape == template {
		r.addCommand(c)
		return
	}
	piped := c.name == "open" || c.name == "IO.read" || c.name == "IO.readlines" || c.name == "URI.open" // "| command"
	if !piped && !slices.Contains(rubyCalls, c.name) {
		return
	}
	values := r.rubyValues(c.arguments())
	switch {
	case len(values) == 0:
	case piped:
		if text, ok := strings.CutPrefix(r.shell(values[0]), "|"); ok {
			r.add(i, text)
		}
	case strings.HasPrefix(c.name, "Open3.pipeline"):
		for _, v := range values {
			r.add(i, r.textOrArgv(v))
		}
	case c.name == "IO.popen":
		r.add(i, r.textOrArgv(values[0])) // the second is the mode
	case len(values) == 1 && values[0].list == nil:
		r.add(i, r.shell(values[0]))
	default:
		if first := values[0]; len(first.list) == 2 && len(values) > 1 {
			values[0] = first.list[0] // [program, name]
		}
		r.add(i, r.argv(values...))
	}
}

// addCommand records the shell text of `…` and its like.
func (r *reader) addCommand(c *call) {
	if text := r.filled(r.tokens[c.open].literal, maxDepth); text.isKnown() {
		r.add(c.at, text.shellText())
	}
}

// rubyValues works out the words of a command: not the environment in front nor
// the options behind it, which are hashes.
func (r *reader) rubyValues(list []argument) []value {
	var values []value
	for _, a := range list {
		first := r.at(a.lo)
		if a.keyword != "" || first.is("{") || first.is("**") || first.is("&") {
			continue
		}
		v := r.evaluate(a.lo, a.hi)
		if v.list != nil && first.is("[") {
			list := r.arguments(a.lo+1, min(r.closes(a.lo), len(r.tokens)))
			if len(list) > 0 && r.at(list[0].lo).is("{") && len(v.list) > 0 { // [env, "program", …]
				v.list = v.list[1:]
			}
		}
		values = append(values, v)
	}
	return values
}

// looseArguments returns the arguments of a call whose parentheses may be missing;
// nil when what stands at i begins none.
func (r *reader) looseArguments(i int) []argument {
	if t := r.at(i); t.is("(") && !t.newline {
		return r.arguments(i+1, r.closes(i))
	}
	if !r.beginsArguments(i) {
		return nil
	}
	end := r.statementEnd(i)
	if r.program.steps < 0 {
		return nil
	}
	return r.arguments(i, end)
}

// beginsArguments reports that the arguments of a call without parentheses begin at i.
func (r *reader) beginsArguments(i int) bool {
	switch t := r.at(i); {
	case t.newline, !t.spaced && t.kind == symbol, t.kind == name && r.at(i+1).is("="):
		return false
	case t.kind == symbol:
		return slices.Contains([]string{"(", "[", "*", "{", "...", "\\"}, t.text)
	case t.kind == name:
		return !slices.Contains(rubyEnds, t.text)
	}
	return true
}

// rubyEnds are keywords that end the arguments of a call without parentheses.
var rubyEnds = []string{"if", "unless", "while", "until", "and", "or", "do", "then", "end", "rescue", "foreach", "for", "x", "eq", "ne"}

// statementEnd returns where the rest of a statement ends that begins at start, as far as
// the program's steps reach.
func (r *reader) statementEnd(start int) int {
	end := start
	for end < len(r.tokens) && r.program.steps >= 0 && !r.endsStatement(start, end) {
		end = r.skip(end)
		r.program.steps--
	}
	return end
}

// endsStatement reports that the rest of a statement which begins at start ends before
// token i.
func (r *reader) endsStatement(start, i int) bool {
	t := r.tokens[i]
	before := r.at(i - 1)
	switch {
	case i == start:
		return false
	case t.newline:
		return !(before.is(",") || before.is("+") || before.is(".") || before.is("=>") || before.is("*") || before.kind == label || t.is(".") || t.is("->"))
	case t.kind == name:
		return slices.Contains(rubyEnds, t.text)
	case t.kind == symbol:
		return slices.Contains([]string{";", ")", "]", "}", "&&", "||", "?", ":"}, t.text)
	}
	return false
}
