package script

import (
	"slices"
	"strings"
)

// command reads a command's name, arguments and redirections.
func (p *powershellReader) command() stage {
	index := len(p.statements)
	start := p.at
	p.statements = append(p.statements, Statement{PipedFrom: -1, PipedTo: -1})
	s := Statement{PipedFrom: -1, PipedTo: -1}
	var codes []string // literal text given to Invoke-Expression
	end := p.at
	for !p.done() && !p.atCommandEnd() {
		if p.skipSpace(false) {
			continue
		}
		if p.peek(0) == ',' {
			p.at++
			p.skipSpaces(true)
			continue
		}
		if redirect, ok := p.redirection(); ok {
			if redirect != "" {
				s.Redirects = append(s.Redirects, redirect)
			}
			end = p.at
			continue
		}
		before := p.at
		w := p.word()
		if p.at == before {
			p.at++ // a bracket that nothing opened
			continue
		}
		end = p.at
		s.Words = append(s.Words, w.text)
		for _, variable := range w.expands {
			if !slices.Contains(s.Expands, variable) && len(s.Expands) < 64 {
				s.Expands = append(s.Expands, variable)
			}
		}
		if w.quoted {
			codes = append(codes, w.text)
		}
		if w.text == "--%" {
			s.Words = append(s.Words, p.verbatim()...)
			end = p.at
		}
	}
	if p.peek(0) == '&' && p.peek(1) != '&' {
		p.at++ // a job in the background
	}
	if len(s.Words) == 0 {
		p.dropEmpty(index)
		return stage{statement: -1}
	}
	s.Source = strings.TrimSpace(p.source[start:end])
	p.statements[index] = s
	p.follow(index, codes)
	return stage{statement: index}
}

// dropEmpty takes back a statement without words, if nothing was read inside it.
func (p *powershellReader) dropEmpty(index int) {
	if index == len(p.statements)-1 {
		p.statements = p.statements[:index]
		return
	}
	p.statements[index].Words = []string{""}
}

func (p *powershellReader) atCommandEnd() bool {
	switch p.source[p.at] {
	case '\n', ';', '|', ')', '}':
		return true
	case '&':
		return true
	}
	return false
}

// follow adds what a statement runs: the literal text of Invoke-Expression, the
// program of Start-Process.
func (p *powershellReader) follow(index int, codes []string) {
	s := p.statements[index]
	switch {
	case isInvokeExpression(s.Words[0]):
		if inner := index + 1; inner < len(p.statements) && p.statements[inner].PipedTo < 0 {
			p.statements[inner].PipedTo, p.statements[index].PipedFrom = index, inner
		}
		for _, code := range codes {
			p.inherit(code)
		}
	case slices.ContainsFunc([]string{"Start-Process", "saps", "start"}, func(n string) bool { return strings.EqualFold(n, s.Words[0]) }):
		if started := startedProgram(s.Words[1:]); len(started) > 0 {
			p.statements = append(p.statements, Statement{Words: started, Source: s.Source, Expands: s.Expands, PipedFrom: -1, PipedTo: -1})
		}
	}
}

// startedProgram returns the program and arguments that Start-Process is given. A
// single argument holds all words, as the program's command line would.
func startedProgram(words []string) []string {
	var program string
	var arguments []string
	for i := 0; i < len(words); i++ {
		parameter := strings.ToLower(words[i])
		switch {
		case isParameter(parameter, "-filepath", 2):
			if i+1 < len(words) {
				i++
				program = words[i]
			}
		case isParameter(parameter, "-argumentlist", 2) || parameter == "-args":
			arguments = append(arguments, words[i+1:]...)
			i = len(words)
		case slices.ContainsFunc([]string{"-workingdirectory", "-verb", "-windowstyle", "-credential"}, func(n string) bool { return isParameter(parameter, n, 3) }),
			strings.HasPrefix(parameter, "-redirectstandard"):
			i++
		case strings.HasPrefix(parameter, "-") && program == "":
		case program == "":
			program = words[i]
		default:
			arguments = append(arguments, words[i])
		}
	}
	if program == "" {
		return nil
	}
	switches := []string{"-wait", "-nonewwindow", "-passthru", "-loaduserprofile", "-usenewenvironment"}
	arguments = slices.DeleteFunc(arguments, func(a string) bool { return slices.Contains(switches, strings.ToLower(a)) })
	if len(arguments) == 1 {
		arguments = strings.Fields(arguments[0])
	}
	return append([]string{program}, arguments...)
}

// isParameter reports that word is the parameter or a beginning of it, of at least n bytes.
func isParameter(word, parameter string, n int) bool {
	return len(word) >= n && strings.HasPrefix(parameter, word)
}

// redirection reads a redirection, if one stands here. It is "" for one between
// streams, as 2>&1.
func (p *powershellReader) redirection() (redirect string, ok bool) {
	start := p.at
	i := p.at
	if c := p.source[i]; isDigit(c) || c == '*' {
		i++
	}
	if i >= len(p.source) || p.source[i] != '>' {
		return "", false
	}
	if i++; i < len(p.source) && p.source[i] == '>' {
		i++
	}
	p.at = i
	if p.peek(0) == '&' {
		p.advance(2)
		return "", true
	}
	p.skipSpaces(false)
	if p.done() {
		return "", true
	}
	return p.source[start:i] + " " + p.word().text, true
}

// verbatim reads what follows --%: words up to the end of the line or a pipe, as
// they are written.
func (p *powershellReader) verbatim() []string {
	start := p.at
	for !p.done() && p.source[p.at] != '\n' && p.source[p.at] != '|' {
		p.at++
	}
	return strings.Fields(p.source[start:p.at])
}

// powershellWord is one word of a command.
type powershellWord struct {
	text    string
	quoted  bool // a string and nothing else
	expands []string
}

// word reads the word that stands here; an empty one where none can begin.
func (p *powershellReader) word() powershellWord {
	var w powershellWord
	var out literalBuilder
	parts, quotes := 0, 0
	for !p.done() {
		c := p.source[p.at]
		switch {
		case strings.IndexByte(" \t\r\f\v\n;|)},", c) >= 0, c == '&' && parts > 0 || p.has("&&"):
			w.text, w.quoted = out.string(), quotes == 1 && parts == 1
			return w
		case (c == '>' || c == '<' && p.peek(1) == '#') && parts > 0:
			w.text = out.string()
			return w
		case p.startsString():
			quotes++
			out.addText(p.string(&w.expands))
		case c == '(' || c == '{':
			start := p.at
			p.enter()
			out.addText(p.source[start:p.at])
		case c == '$':
			out.addText(p.variable(&w.expands))
		case c == '`' && p.peek(1) != '\n' && p.at+1 < len(p.source):
			p.at++
			out.addByte(p.source[p.at])
			p.at++
		case c == '`':
			w.text = out.string()
			return w
		default:
			out.addByte(c)
			p.at++
		}
		parts++
	}
	w.text, w.quoted = out.string(), quotes == 1 && parts == 1
	return w
}

// startsString reports that a string or here-string begins here.
func (p *powershellReader) startsString() bool {
	c := p.source[p.at]
	return quoteOf(p.source[p.at:]) != 0 || c == '@' && quoteOf(p.source[p.at+1:]) != 0
}

// quoteOf returns the quote that s begins with: ' or ". Typographic quotes are
// quotes in PowerShell too.
func quoteOf(s string) byte {
	switch {
	case s == "":
	case s[0] == '\'' || s[0] == '"':
		return s[0]
	case strings.HasPrefix(s, "‘"), strings.HasPrefix(s, "’"), strings.HasPrefix(s, "‚"), strings.HasPrefix(s, "‛"):
		return '\''
	case strings.HasPrefix(s, "“"), strings.HasPrefix(s, "”"), strings.HasPrefix(s, "„"):
		return '"'
	}
	return 0
}

// quoteLength returns the number of bytes of the quote that stands here.
func (p *powershellReader) quoteLength() int {
	if c := p.source[p.at]; c == '\'' || c == '"' {
		return 1
	}
	return len("‘")
}

// string reads the string or here-string that stands here and returns its text.
// Variables in it stay as written and are added to expands; code in $(…) is read.
func (p *powershellReader) string(expands *[]string) string {
	here := p.source[p.at] == '@'
	if here {
		p.at++
	}
	quote := quoteOf(p.source[p.at:])
	p.at += p.quoteLength()
	if here {
		p.skipLine()
		p.advance(1)
	}
	var out strings.Builder
	for !p.done() {
		c := p.source[p.at]
		switch {
		case here && c == '\n' && quoteOf(p.source[p.at+1:]) == quote && p.hereStringEnds():
			return strings.TrimSuffix(out.String(), "\r")
		case !here && quoteOf(p.source[p.at:]) == quote:
			p.at += p.quoteLength()
			if p.done() || quoteOf(p.source[p.at:]) != quote {
				return out.String()
			}
			out.WriteByte(quote) // doubled
			p.at += p.quoteLength()
		case quote == '"' && c == '`' && p.at+1 < len(p.source):
			p.at++
			out.WriteString(backtickEscape(p.source[p.at]))
			p.at++
		case quote == '"' && c == '$':
			out.WriteString(p.variable(expands))
		default:
			out.WriteByte(c)
			p.at++
		}
	}
	return out.String()
}

// hereStringEnds moves behind the line that ends a here-string, which begins after
// this line break, if it does.
func (p *powershellReader) hereStringEnds() bool {
	p.at++
	if n := p.quoteLength(); p.peek(n) == '@' {
		p.at += n + 1
		return true
	}
	p.at--
	return false
}

func backtickEscape(c byte) string {
	if i := strings.IndexByte("0abefnrtv", c); i >= 0 {
		return "\x00\a\b\x1b\f\n\r\t\v"[i : i+1]
	}
	return string([]byte{c})
}

// variable reads what a dollar sign begins, a variable or $(…), and returns it as
// written. A variable's name is added to expands.
func (p *powershellReader) variable(expands *[]string) string {
	start := p.at
	p.at++
	variable := ""
	switch c := p.peek(0); {
	case p.done():
	case c == '(':
		p.enter()
	case c == '{':
		p.at++
		from := p.at
		for !p.done() && p.source[p.at] != '}' && p.source[p.at] != '\n' {
			p.at++
		}
		variable = p.source[from:p.at]
		p.advance(1)
	case isNameByte(c) || c >= 0x80:
		variable = p.readName()
		if p.peek(0) == ':' && p.isNameStart(1) { // $env:PATH, $script:x
			p.at++
			variable += ":" + p.readName()
		}
	case c == '?' || c == '$' || c == '^':
		p.at++
	}
	if variable != "" && expands != nil && len(*expands) < 64 {
		*expands = append(*expands, variable)
	}
	return p.source[start:p.at]
}
