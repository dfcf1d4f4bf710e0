package script

import (
	"strings"
)

// phpLexer reads PHP between its tags; text that has none is all code, as that of
// php -r.
type phpLexer struct{ scanner }

var phpOperators = []string{"<=>", "===", "!==", "**=", "...", "??=", "?->", "=>", "->", "::", "==", "!=", "<=", ">=", "&&", "||", "??", ".=", "+=", "-=", "++", "--", "<<", ">>"}

func (l *phpLexer) step() {
	switch c := l.source[l.at]; {
	case l.skipBlank():
	case l.has("?>"):
		l.emit(l.at, token{kind: symbol, text: ";"})
		l.at += 2
		l.skipToCode()
	case c == '#' && l.peek(1) != '[', c == '/' && l.peek(1) == '/':
		for !l.done() && l.source[l.at] != '\n' && !l.has("?>") {
			l.at++
		}
	case c == '/' && l.peek(1) == '*':
		l.at += 2
		l.skipPast("*/")
	case c == '\'' || c == '"' || c == '`':
		start := l.at
		l.at++
		t := token{kind: text, literal: l.quoted(c)}
		if c == '`' {
			t.kind = command
		}
		l.emit(start, t)
	case l.has("<<<") && l.emitHeredoc():
	case l.isNameStart(0), c == '$' && l.isNameStart(1):
		start := l.at
		if c == '$' {
			l.at++
		}
		l.readName()
		l.emit(start, token{kind: name, text: l.source[start:l.at]})
	case isDigit(c):
		l.emitNumber()
	default:
		l.emitSymbol(phpOperators)
	}
}

// skipToCode moves behind the next opening tag.
func (l *phpLexer) skipToCode() {
	l.skipPast("<?")
	if l.has("php") {
		l.at += len("php")
	} else if l.has("=") {
		l.at++
	}
}

// quoted reads up to the closing quote, and moves behind it. Only ' is without
// escapes and variables.
func (l *phpLexer) quoted(quote byte) literal {
	var b literalBuilder
	for !l.done() && l.source[l.at] != quote {
		if c := l.source[l.at]; quote != '\'' {
			l.content(&b)
		} else {
			if c == '\\' && (l.peek(1) == '\'' || l.peek(1) == '\\') {
				l.at++
			}
			b.addByte(l.source[l.at])
			l.at++
		}
	}
	l.advance(1)
	return b.literal()
}

// content reads one character, escape or variable of a string.
func (l *phpLexer) content(b *literalBuilder) {
	switch c := l.source[l.at]; {
	case c == '\\' && (l.peek(1) == '$' || l.peek(1) == '"' || l.peek(1) == '`' || strings.IndexByte("\\nrtvefxu01234567", l.peek(1)) >= 0 && l.at+1 < len(l.source)):
		l.escape(b, false)
	case c == '{' && l.peek(1) == '$', c == '$' && l.peek(1) == '{':
		l.at++
		if c == '$' {
			l.at++
		}
		b.add(l.interpolation(l.step))
	case c == '$' && l.isNameStart(1):
		l.at++
		variable := l.readName()
		if l.has("->") && l.isNameStart(2) {
			l.at += 2
			variable = l.readName()
		} else if l.peek(0) == '[' {
			if end := strings.IndexAny(l.source[l.at:min(l.at+256, len(l.source))], "]\"\n"); end > 0 && l.peek(end) == ']' {
				l.at += end + 1
			}
		}
		b.addUnknown(variable)
	default:
		b.addByte(c)
		l.at++
	}
}

// emitHeredoc reads <<<END or <<<'END' with its text, and reports that one is here.
func (l *phpLexer) emitHeredoc() bool {
	start := l.at
	l.at += 3
	for l.peek(0) == ' ' || l.peek(0) == '\t' {
		l.at++
	}
	quote := l.peek(0)
	if quote == '\'' || quote == '"' {
		l.at++
	}
	h := heredoc{end: l.readName(), indent: true, raw: quote == '\''}
	if h.end == "" {
		l.at = start
		return false
	}
	l.skipLine()
	l.advance(1)
	var b literalBuilder
	for !l.done() {
		if l.atLineStart() && l.atPHPHeredocEnd(h) {
			break
		}
		if h.raw {
			b.addByte(l.source[l.at])
			l.at++
		} else {
			l.content(&b)
		}
	}
	l.emit(start, token{kind: text, literal: b.literal()})
	return true
}

// atPHPHeredocEnd moves behind the word that ends a heredoc, if this line begins
// with it; code may follow it.
func (l *phpLexer) atPHPHeredocEnd(h heredoc) bool {
	rest := strings.TrimLeft(l.source[l.at:], " \t")
	after, ok := strings.CutPrefix(rest, h.end)
	if !ok || after != "" && isNameByte(after[0]) {
		return false
	}
	l.at = len(l.source) - len(after)
	return true
}

// phpLanguage is how php is read.
var phpLanguage = language{
	lex: func(code string) *scanner {
		l := &phpLexer{newScanner(code)}
		if strings.Contains(code, "<?") {
			l.skipToCode()
		}
		l.lexUntil(0, l.step)
		return &l.scanner
	},
	concat: []string{"."},
	name:   strings.ToLower,
	keywords: []string{"if", "elseif", "while", "for", "foreach", "switch", "match", "catch", "return", "throw", "and", "or", "xor", "new", "case", "else",
		"do", "use", "fn", "extends", "implements", "instanceof", "as", "clone", "yield", "declare", "static"},
	shell: phpShell,
	marks: []string{"exec", "system", "passthru", "popen", "proc_open", "`", "rocess", "EXEC", "SYSTEM", "Exec", "System"},
}

// phpShell records the shell text that a call starts.
func phpShell(c *call) {
	r := c.reader
	if c.shape == template {
		r.addCommand(c)
		return
	}
	list := c.arguments()
	switch c.name {
	case "exec", "shell_exec", "system", "passthru", "popen", "proc_open", "process.fromshellcommandline", "new process": // of symfony/process
		if len(list) > 0 {
			r.add(c.at, r.textOrArgv(r.evaluate(list[0].lo, list[0].hi)))
		}
	case "pcntl_exec":
		r.add(c.at, r.argv(r.values(list[:min(2, len(list))])...))
	}
}
