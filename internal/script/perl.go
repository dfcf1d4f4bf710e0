package script

import (
	"slices"
	"strings"
)

// perlLexer reads Perl's literals after perlop's quote-like operators. As in
// rubyLexer, the token before decides whether a slash divides.
type perlLexer struct {
	scanner
	heredocQueue
}

var perlOperators = []string{"<=>", "**=", "||=", "&&=", "//=", "...", "=>", "->", "==", "!=", "=~", "!~", "<=", ">=", "&&", "||", "//", "::", "..", "++", "--", ".=", "+=", "-=", "*=", "/=", "**", "<<", ">>"}

func (l *perlLexer) step() {
	switch c := l.source[l.at]; {
	case c == '\n' && len(l.pending) > 0:
		l.at++
		l.readPending(&l.scanner, l.content)
	case c == '=' && l.atLineStart() && l.isNameStart(1):
		l.skipPast("\n=cut")
		l.skipLine()
	case c == '_' && l.atLineStart() && (l.has("__END__") || l.has("__DATA__")):
		l.at = len(l.source)
	case l.skipBlank():
	case c == '#':
		l.skipLine()
	case c == '\'' || c == '"' || c == '`':
		start := l.at
		l.at++
		t := token{kind: text, literal: l.delimited(c, c, c != '\'')}
		if c == '`' {
			t.kind = command
		}
		l.emit(start, t)
	case c == '/' && l.beforeValue():
		start := l.at
		l.at++
		l.delimited('/', '/', false)
		l.readName()
		l.emit(start, token{kind: other})
	case c == '<' && l.has("<<") && l.beforeHeredoc():
	case c == '$' || (c == '@' || c == '%' || c == '&') && l.beforeValue() && (l.isNameStart(1) || l.peek(1) == '$' || l.peek(1) == '{'):
		l.emitVariable()
	case l.isNameStart(0):
		l.emitWord()
	case isDigit(c):
		l.emitNumber()
	default:
		l.emitSymbol(perlOperators)
	}
}

// beforeValue reports that after the last token a value begins, not an operator.
func (l *perlLexer) beforeValue() bool {
	switch t := l.previous(); t.kind {
	case symbol:
		return t.text != ")" && t.text != "]" && t.text != "}"
	case name:
		return t.text[0] != '$' && t.text[0] != '@' && t.text[0] != '%'
	}
	return false
}

// emitVariable reads a variable with its sigil: $x, @x, $Foo::x, $1, $', $#x. A
// dereference, as @{…} and @$x, keeps the sigils as tokens of their own.
func (l *perlLexer) emitVariable() {
	start := l.at
	l.at++
	switch c := l.peek(0); {
	case c == '{' && l.source[start] == '$' || c == '{':
		l.emit(start, token{kind: symbol, text: l.source[start:l.at]})
		return
	case c == '$' && (l.isNameStart(1) || l.peek(1) == '{'):
		l.emit(start, token{kind: symbol, text: l.source[start:l.at]})
		return
	case c == '#' && (l.isNameStart(1) || l.peek(1) == '$' || l.peek(1) == '{'):
		l.at++
		l.readName()
	case isNameByte(c) || c >= 0x80:
		l.readQualified()
	default:
		l.advance(1)
	}
	l.emit(start, token{kind: name, text: l.source[start:l.at]})
}

// readQualified reads a name with its packages: A::B::c.
func (l *perlLexer) readQualified() {
	for l.readName(); l.has("::") && l.isNameStart(2); l.readName() {
		l.at += 2
	}
}

// emitWord reads a bare word, or the quote-like operator it is.
func (l *perlLexer) emitWord() {
	start := l.at
	word := l.readName()
	previous := l.previous()
	if slices.Contains([]string{"q", "qq", "qw", "qx", "m", "qr", "s", "tr", "y"}, word) &&
		!previous.is("->") && previous.text != "sub" && !(previous.is("-") && !l.spaced) { // -s is a test of a file
		blanks := 0
		for c := l.peek(blanks); c == ' ' || c == '\t' || c == '\n'; c = l.peek(blanks) {
			blanks++
		}
		delimiter := l.peek(blanks)
		fits := delimiter > ' ' && delimiter < 0x7f && !isNameByte(delimiter) && strings.IndexByte("=,;)", delimiter) < 0 &&
			!(delimiter == '}' && previous.is("{")) && !(delimiter == '#' && blanks > 0)
		if fits {
			l.at += blanks + 1
			l.emitQuoteLike(start, word, delimiter)
			return
		}
	}
	l.emit(start, token{kind: name, text: word})
}

func (l *perlLexer) emitQuoteLike(start int, word string, open byte) {
	closing := closingOf(open)
	t := token{kind: other}
	switch word {
	case "q":
		t = token{kind: text, literal: l.delimited(open, closing, false)}
	case "qq":
		t = token{kind: text, literal: l.delimited(open, closing, true)}
	case "qx":
		t = token{kind: command, literal: l.delimited(open, closing, open != '\'')}
	case "qw":
		list := l.delimited(open, closing, false).fields()
		t = token{kind: words, list: &list}
	case "m", "qr":
		l.delimited(open, closing, false)
		l.readName()
	default: // s, tr, y have two parts
		l.delimited(open, closing, false)
		if open != closing {
			for !l.done() && l.skipBlank() {
			}
			if open = l.peek(0); open != 0 {
				l.at++
			}
		}
		l.delimited(open, closingOf(open), false)
		l.readName()
	}
	l.emit(start, t)
}

// delimited reads up to the closing delimiter and moves behind it. Brackets nest.
// With variables set, escapes are decoded and variables are parts not known.
func (l *perlLexer) delimited(open, closing byte, variables bool) literal {
	return l.readDelimited(open, closing, variables, l.content)
}

// content reads one character, escape or variable of a string.
func (l *perlLexer) content(b *literalBuilder, closing byte, variables bool) {
	switch c := l.source[l.at]; {
	case c == '\\' && variables:
		l.escape(b, false)
	case c == '\\' && closing != 0 && (l.peek(1) == closing || l.peek(1) == '\\'):
		b.addByte(l.peek(1))
		l.at += 2
	case variables && (c == '$' || c == '@') && (l.isNameStart(1) || l.peek(1) == '{' || c == '$' && (isDigit(l.peek(1)) || l.peek(1) == '$' && l.isNameStart(2))):
		l.at++
		b.add(l.interpolated())
	default:
		b.addByte(c)
		l.at++
	}
}

// interpolated reads the variable whose sigil was read, with what is looked up in
// it, and returns the part that it is.
func (l *perlLexer) interpolated() piece {
	for l.peek(0) == '$' {
		l.at++
	}
	var variable piece
	if l.peek(0) == '{' {
		l.at++
		variable = l.interpolation(l.step)
		variable.code = 0 // ${name} is a name
	} else {
		start := l.at
		l.readQualified()
		variable = unknownPart(l.source[start:l.at])[0]
	}
	for {
		n := 0
		if l.has("->") {
			n = 2
		}
		open := l.peek(n)
		if open != '{' && open != '[' || open == '[' && !(isDigit(l.peek(n+1)) || l.peek(n+1) == '$' || l.peek(n+1) == '-') {
			return variable
		}
		end := strings.IndexAny(l.source[l.at+n:min(l.at+n+256, len(l.source))], "}]\"\n")
		if end < 0 || l.peek(n+end) != closingOf(open) {
			return variable
		}
		l.at += n + end + 1
	}
}

// beforeHeredoc reads <<"END", <<'END', <<END or <<~END, and reports that one is here.
func (l *perlLexer) beforeHeredoc() bool {
	start := l.at
	h := heredoc{}
	i := 2
	if l.peek(i) == '~' {
		h.indent = true
		i++
	}
	quote := l.peek(i)
	switch {
	case quote == '\'' || quote == '"' || quote == '`':
		end := strings.IndexByte(l.source[l.at+i+1:min(l.at+i+256, len(l.source))], quote)
		if end < 0 {
			return false
		}
		h.end, h.raw = l.source[l.at+i+1:l.at+i+1+end], quote == '\''
		l.at += i + end + 2
	case l.isNameStart(i) && l.beforeValue():
		l.at += i
		h.end = l.readName()
	default:
		return false
	}
	l.begin(&l.scanner, start, quote, h)
	return true
}

// perlLanguage is how perl is read.
var perlLanguage = language{
	lex: func(code string) *scanner {
		l := &perlLexer{scanner: newScanner(code)}
		l.lexUntil(0, l.step)
		return &l.scanner
	},
	concat: []string{"."},
	keywords: []string{"my", "our", "local", "state", "if", "elsif", "unless", "while", "until", "for", "foreach", "return", "and", "or", "not", "xor", "x",
		"eq", "ne", "lt", "gt", "le", "ge", "cmp", "use", "no", "package", "else", "do", "last", "next", "redo"},
	loose: true,
	shell: perlShell,
	marks: []string{"system", "exec", "`", "qx", "open", "run"},
}

// perlShell records the shell text that a call starts.
func perlShell(c *call) {
	r, i := c.reader, c.at
	if c.shape == template {
		r.addCommand(c)
		return
	}
	function := c.name[strings.LastIndexByte(c.name, '.')+1:]
	if !slices.Contains([]string{"system", "CORE.system", "CORE.GLOBAL.system", "POSIX.system", "exec", "CORE.exec", "open", "CORE.open", "run", "IPC.Run.run"}, c.name) &&
		function != "open2" && function != "open3" || r.at(c.open).is("=>") {
		return
	}
	list := c.arguments()
	values := r.values(list)
	switch {
	case len(values) == 0:
	case function == "open":
		r.perlOpen(i, values)
	case function == "run": // IPC::Run
		if values[0].list != nil && r.at(list[0].lo).is("[") {
			r.add(i, r.argv(values[0]))
		}
	case function == "open2" && len(values) > 2:
		r.perlCommand(i, values[2:])
	case function == "open3" && len(values) > 3:
		r.perlCommand(i, values[3:])
	case function == "system" || function == "exec":
		r.perlCommand(i, values)
	}
}

// perlCommand adds a command given as shell text, or as words when there are several.
func (r *reader) perlCommand(i int, values []value) {
	if len(values) == 1 {
		r.add(i, r.textOrArgv(values[0]))
		return
	}
	r.add(i, r.argv(values...))
}

// perlOpen reads open(HANDLE, "command |"), open(HANDLE, "| command") and
// open(HANDLE, "-|", command, …).
func (r *reader) perlOpen(i int, values []value) {
	if len(values) < 2 {
		return
	}
	mode, _ := values[1].text.fixedText()
	mode = strings.TrimSpace(mode)
	if len(values) > 2 {
		if strings.HasPrefix(mode, "-|") || strings.HasPrefix(mode, "|-") {
			r.perlCommand(i, values[2:])
		}
		return
	}
	shell := strings.TrimSpace(r.shell(values[1]))
	if text, ok := strings.CutPrefix(shell, "|"); ok {
		r.add(i, text)
	} else if text, ok := strings.CutSuffix(shell, "|"); ok {
		r.add(i, text)
	}
}
