package script

import (
	"slices"
	"strings"
)

// Statement is one simple command of a PowerShell text.
type Statement struct {
	// Words are the command's name and arguments, unquoted. A variable, and code in
	// parentheses or braces, stays as written; the items of a list are words.
	Words []string
	// Source is the command as written.
	Source string
	// Redirects are the redirections, each as operator, a space and the unquoted
	// word: "> out.txt", "2>> log". Those between streams, as 2>&1, are left out.
	Redirects []string
	// Expands names the variables in Words, once each, without the dollar sign:
	// path for $path, env:TEMP for $env:TEMP.
	Expands []string
	// PipedFrom and PipedTo are the indexes of the statements on the other ends of
	// its pipes; -1 where there is none. What stands in parentheses at the beginning
	// of a pipe, and what is given to Invoke-Expression, counts as piped.
	PipedFrom, PipedTo int
}

// Statements returns the simple commands of a PowerShell text in source order: of
// every pipeline, block, subexpression and function, of strings with $(…), of
// literal text given to Invoke-Expression, and the program that Start-Process
// starts. Expressions are no commands. It reads the grammar of PowerShell 7
// leniently, and any text as far as it goes.
func Statements(powershell string) []Statement { return readPowerShell(powershell).statements }

// powershellTexts returns the literal text that a PowerShell text pipes to a shell.
func powershellTexts(code string) []finding { return readPowerShell(code).shellTexts }

func readPowerShell(code string) *powershellReader {
	p := &powershellReader{scanner: scanner{source: strings.TrimPrefix(code, "\uFEFF")}}
	p.block(0, statementsInside)
	return p
}

// maxBlocks bounds how deep blocks and parentheses are read.
const maxBlocks = 100

// powershellReader reads statements by recursive descent, straight over the text:
// what a character means depends on whether a command or an expression is read.
type powershellReader struct {
	scanner
	statements []Statement
	shellTexts []finding
	methods    []method
	blocks     int
	// waiting counts for each closing bracket the open blocks that it ends.
	waiting [256]int
}

// inherit makes a reader of text that this one runs.
func (p *powershellReader) inherit(text string) {
	if p.depth >= 4 {
		return
	}
	inner := &powershellReader{scanner: scanner{source: text, depth: p.depth + 1}, statements: p.statements, shellTexts: p.shellTexts, methods: p.methods}
	inner.block(0, statementsInside)
	p.statements, p.shellTexts, p.methods = inner.statements, inner.shellTexts, inner.methods
}

// content tells what stands between brackets.
type content uint8

const (
	statementsInside  content = iota // statements
	entriesInside                    // statements behind "key ="
	expressionsInside                // expressions: arguments of a method, members of a class
)

// block reads what stands before the bracket that ends it, and moves behind that.
func (p *powershellReader) block(stop byte, holds content) {
	p.blocks++
	p.waiting[stop]++
	for !p.done() {
		switch c := p.source[p.at]; {
		case p.skipSpace(true):
		case c == ';' || c == ',':
			p.at++
		case stop != 0 && c == stop:
			p.at++
			p.waiting[stop]--
			p.blocks--
			return
		case c == '}' || c == ')':
			if p.waiting[c] > 0 { // ends an outer block: this one is not closed
				p.waiting[stop]--
				p.blocks--
				return
			}
			p.at++
		default:
			before := p.at
			if holds == entriesInside {
				p.skipKey()
			}
			if holds == expressionsInside {
				p.expression(false)
			} else {
				p.pipeline()
			}
			if p.at == before {
				p.at++
			}
		}
	}
	p.waiting[stop]--
	p.blocks--
}

// enter reads the block that begins here with an opening bracket.
func (p *powershellReader) enter() {
	holds := statementsInside
	if p.source[p.at] == '{' && p.peek(-1) == '@' {
		holds = entriesInside
	}
	p.enterAs(holds)
}

// enterAs reads the block that begins here. Beyond the bound of depth it only moves
// over the opening bracket.
func (p *powershellReader) enterAs(holds content) {
	open := p.source[p.at]
	p.at++
	if p.blocks < maxBlocks {
		p.block(closingOf(open), holds)
	}
}

// skipKey moves over "key =" of a hashtable, if it is here.
func (p *powershellReader) skipKey() {
	start := p.at
	if c := p.source[p.at]; c == '\'' || c == '"' {
		p.at++
		for !p.done() && p.source[p.at] != c && p.source[p.at] != '\n' {
			p.at++
		}
		p.advance(1)
	} else {
		p.readBare()
	}
	for p.peek(0) == ' ' || p.peek(0) == '\t' {
		p.at++
	}
	if p.peek(0) != '=' {
		p.at = start
		return
	}
	p.at++
}

// skipSpace moves over one blank, comment or continued line, and over one line
// break if those count as space here.
func (p *powershellReader) skipSpace(lines bool) bool {
	switch c := p.source[p.at]; {
	case c == '\n':
		if !lines {
			return false
		}
		p.at++
	case c == ' ', c == '\t', c == '\r', c == '\f', c == '\v':
		p.at++
	case p.has("\u00a0"):
		p.at += 2
	case c == '`' && p.peek(1) == '\n':
		p.at += 2
	case c == '`' && p.peek(1) == '\r' && p.peek(2) == '\n':
		p.at += 3
	case c == '#':
		p.skipLine()
	case c == '<' && p.peek(1) == '#':
		p.skipPast("#>")
	default:
		return false
	}
	return true
}

func (p *powershellReader) skipSpaces(lines bool) {
	for !p.done() && p.skipSpace(lines) {
	}
}

// stage is one part of a pipeline: the statement it is, and the last one of the
// chain in it, -1 for an expression without a command; and the text of a literal.
type stage struct {
	statement int
	literal   string
	isLiteral bool
}

// pipeline reads one pipeline and ends before what separates it from the next.
func (p *powershellReader) pipeline() {
	last := stage{statement: -1}
	for first := true; ; first = false {
		p.skipSpaces(!first)
		start := p.at
		next := p.stage(first)
		if next.statement >= 0 && !next.isLiteral && !first {
			p.connect(last, next.statement, start)
		}
		last = next
		p.skipSpaces(false)
		if p.peek(0) == '\n' {
			p.skipSpaces(true) // a line may begin with the pipe
		}
		if p.peek(0) != '|' || p.peek(1) == '|' {
			if p.has("&&") || p.has("||") {
				p.at += 2
			}
			return
		}
		p.at++
	}
}

// connect records that one stage of a pipeline feeds the statement after it. Text
// fed to Invoke-Expression, or to a shell, is code.
func (p *powershellReader) connect(from stage, to, start int) {
	if from.statement >= 0 && from.statement < to {
		p.statements[from.statement].PipedTo = to
		p.statements[to].PipedFrom = from.statement
	}
	if !from.isLiteral {
		return
	}
	program := p.statements[to].Words[0]
	switch {
	case isInvokeExpression(program):
		p.inherit(from.literal)
	case Interpreter(program) == Shell && len(p.statements[to].Words) == 1:
		p.shellTexts = append(p.shellTexts, finding{int32(start), from.literal})
	}
}

func isInvokeExpression(program string) bool {
	return strings.EqualFold(program, "iex") || strings.EqualFold(program, "Invoke-Expression")
}

// leading are keywords after which a pipeline may stand at once.
var leading = []string{"return", "throw", "exit", "else", "do", "try", "finally", "begin", "process", "end", "dynamicparam", "clean"}

// heading are keywords with a head, as a condition or a name, in front of a block.
var heading = []string{"if", "elseif", "while", "until", "for", "foreach", "switch", "catch", "trap",
	"function", "filter", "workflow", "default", "data"}

// stage reads one part of a pipeline: a command, or an expression.
func (p *powershellReader) stage(first bool) stage {
	for !p.done() {
		c := p.source[p.at]
		switch {
		case p.skipSpace(false):
			continue
		case (c == '&' && p.peek(1) != '&') || (c == '.' && strings.IndexByte(" \t'\"$(", p.peek(1)) >= 0 && p.peek(1) != 0):
			p.at++
			p.skipSpaces(false)
			if p.peek(0) == '{' || p.peek(0) == '(' {
				return p.expression(false)
			}
			return p.command()
		case strings.IndexByte("$[(@{'\"+-!,0123456789<>=*:;|)}]", c) >= 0 && !p.isCommandStart():
			return p.expression(false)
		}
		start := p.at
		word := strings.ToLower(p.readBare())
		switch {
		case first && slices.Contains(leading, word):
			if p.peek(0) == '\n' {
				return stage{statement: -1}
			}
		case first && slices.Contains(heading, word):
			return p.expression(true)
		case first && (word == "class" || word == "enum"):
			for !p.done() && p.source[p.at] != '{' && p.source[p.at] != '\n' {
				p.at++
			}
			if p.skipSpaces(true); p.peek(0) == '{' {
				p.enterAs(expressionsInside)
			}
			return stage{statement: -1}
		case first && word == "param":
			if p.skipSpaces(true); p.peek(0) == '(' {
				p.enter()
			}
			return stage{statement: -1} // a statement may stand behind it
		case first && (word == "using" || word == "break" || word == "continue"):
			p.skipLine()
			return stage{statement: -1}
		default:
			p.at = start
			return p.command()
		}
	}
	return stage{statement: -1}
}

// isCommandStart reports that what looks like the start of an expression begins a
// command's name: 7z, the alias %, a path like ~/x is none of them.
func (p *powershellReader) isCommandStart() bool {
	i := p.at
	for i < len(p.source) && i-p.at < 32 && isDigit(p.source[i]) {
		i++
	}
	if i == p.at || i == len(p.source) {
		return false
	}
	c := p.source[i] | 0x20 // 7z; but 10kb and 0x1F are numbers
	return 'a' <= c && c <= 'z' && !slices.Contains([]byte("xkmgtpdlunsb"), c)
}

// readBare reads the letters, digits, dashes and underscores that stand here.
func (p *powershellReader) readBare() string {
	start := p.at
	for !p.done() && (isNameByte(p.source[p.at]) || p.source[p.at] == '-' || p.source[p.at] >= 0x80) {
		p.at++
	}
	return p.source[start:p.at]
}

// expression reads up to the end of the pipeline's part, and the blocks in it as
// code. The head of a keyword ends behind its block. After an assignment a command
// may stand.
func (p *powershellReader) expression(head bool) stage {
	result := stage{statement: -1}
	inside := len(p.statements)
	parts := 0
	startOfName, endOfName := -1, -1 // a parenthesis right behind a name holds arguments
	for !p.done() {
		c := p.source[p.at]
		if !p.skipSpace(false) {
			parts++
		} else {
			continue
		}
		switch {
		case c == '\n' && !head, c == ';', c == '|', c == ')', c == '}', c == '&' && p.peek(1) == '&':
			if len(p.statements) > inside {
				result.statement = inside
			}
			result.isLiteral = result.isLiteral && parts == 2
			return result
		case c == '\'' || c == '"' || c == '@' && (p.peek(1) == '\'' || p.peek(1) == '"'):
			text := p.string(nil)
			result.literal, result.isLiteral = text, parts == 1
			if parts == 1 {
				p.skipSpaces(false)
			}
		case c == '(' || c == '{':
			block := c == '{' && p.peek(-1) != '@'
			if p.at == endOfName {
				p.method(startOfName)
			} else {
				p.enter()
			}
			if head && block {
				return stage{statement: -1}
			}
		case c == '=':
			p.at++
			p.skipSpaces(true)
			return p.stage(true)
		case c == '$':
			p.variable(nil)
		case p.isNameStart(0):
			startOfName = p.at
			if word := p.readBare(); strings.EqualFold(word, "in") || strings.EqualFold(word, "param") {
				if word[0]|0x20 == 'p' {
					p.at -= len(word)
				}
				return p.stage(true)
			}
			endOfName = p.at
		default:
			p.at++
		}
	}
	if len(p.statements) > inside {
		result.statement = inside
	}
	return result
}
