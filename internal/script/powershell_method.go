package script

import "strings"

// method is the call of a .NET method in a PowerShell text.
type method struct {
	name, receiver string
	source         string
	at             int // of the name in source
	open, end      int // its arguments: the opening parenthesis, and where they end
}

// method reads the arguments of the method whose name begins at start and whose
// parenthesis stands here.
func (p *powershellReader) method(start int) {
	m := method{source: p.source, at: start, open: p.at}
	name := strings.ToLower(p.source[start:p.at])
	before := p.source[max(0, start-maxTypeName):start]
	switch {
	case strings.HasSuffix(before, "]::"):
		before = before[:len(before)-len("]::")]
		m.receiver = strings.TrimSpace(before[strings.LastIndexByte(before, '[')+1:])
		m.name = strings.ToLower(m.receiver) + "." + name
	case strings.HasSuffix(before, "."):
		before = before[:len(before)-1]
		variable := strings.LastIndexFunc(before, func(r rune) bool { return r >= 0x80 || !isNameByte(byte(r)) && r != '.' && r != ':' })
		if variable >= 0 && before[variable] == '$' {
			m.receiver = before[variable:]
		}
		m.name = strings.ToLower(m.receiver) + "." + name
	}
	index := len(p.methods)
	if m.name != "" {
		p.methods = append(p.methods, m)
	}
	p.enterAs(expressionsInside)
	if m.name == "" {
		return
	}
	p.methods[index].end = p.at
	if p.source[p.at-1] == ')' {
		p.methods[index].end--
	}
}

// maxTypeName bounds the length of a type's or variable's name in front of a method.
const maxTypeName = 160

// powershellCalls returns the calls of .NET methods in a PowerShell text.
func powershellCalls(code string) []Call {
	var calls []Call
	for _, m := range readPowerShell(code).methods {
		calls = append(calls, Call{Name: m.name, Offset: m.at, method: &m})
	}
	return calls
}

// arguments returns what the method is given, as written; text in single quotes, and
// in double quotes without variables, is literal.
func (m *method) arguments() []Argument {
	var list []Argument
	depth, start := 0, m.open+1
	quote := byte(0)
	add := func(end int) {
		if source := strings.TrimSpace(m.source[start:max(start, end)]); source != "" {
			list = append(list, powershellArgument(source))
		}
		start = end + 1
	}
	end := max(m.open+1, m.end)
	for i := start; i < end; i++ {
		switch c := m.source[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == ',' && depth == 0:
			add(i)
		}
	}
	add(end)
	return list
}

func powershellArgument(source string) Argument {
	a := Argument{Value: source, Source: source}
	if n := len(source); n > 1 && (source[0] == '\'' || source[0] == '"') && strings.IndexByte(source[1:], source[0]) == n-2 {
		if text := source[1 : n-1]; source[0] == '\'' || !strings.ContainsAny(text, "$`") {
			a.Value, a.Literal = text, true
		}
	}
	return a
}
