package script

import (
	"slices"
	"strings"
)

// Call is one call of a function or method in a program.
type Call struct {
	// Name is the full name of what is called, its parts joined by points. What an
	// import or an assignment renames has its own name: "shutil.rmtree" after "from
	// shutil import rmtree as rm", "fs.rmSync" after "const {rmSync} =
	// require('node:fs')". A method of something that is no name begins with a
	// point: ".unlink"; of a pathlib.Path that the code makes it is
	// "pathlib.Path.unlink". "new " stands before a class that is made. The name of
	// `…`, %x(…) and qx(…) is "`". Names of PHP and PowerShell, which know no case, are in
	// lower case.
	Name string
	// Offset is the byte of the source at which the call's name begins.
	Offset int

	call   *call
	method *method // in powershell
}

// Argument is what a call is given, or what a method is called on.
type Argument struct {
	// Name is the keyword of a keyword argument, or of an entry of an object that is
	// an argument; "" for another.
	Name string
	// Value is the string that is given. Its parts that are only known at run time
	// are written $name, and the home directory is written ~. A name is its full
	// name, and anything else stands as in Source.
	Value string
	// Literal reports that all of Value is known: a string, a number or a constant
	// of the language. A list is literal when its items are.
	Literal bool
	// Source is the argument as written.
	Source string
	// Items are the items of a list; nil for anything else.
	Items []Argument
}

// Calls returns the calls of a program in python, node, ruby, perl or php, and those of
// .NET methods in powershell, in the order of their names in the source. Definitions, and
// what stands in comments and strings, are none; code inside a string, as in an f-string,
// is code.
func (p *Program) Calls() []Call {
	if p.language != nil && p.language.calls != nil {
		return p.language.calls(p.source)
	}
	p.read()
	calls := make([]Call, len(p.calls))
	for i := range p.calls {
		c := &p.calls[i]
		calls[i] = Call{Name: c.name, Offset: int(c.reader.tokens[c.at].start), call: c}
	}
	slices.SortStableFunc(calls, func(a, b Call) int { return a.Offset - b.Offset })
	return calls
}

// Arguments returns what the call is given, in order, and after it the entries of
// an object that is given. It is worked out at each call.
func (c Call) Arguments() []Argument {
	if c.method != nil {
		return c.method.arguments()
	}
	p := c.call.reader.program
	p.mu.Lock()
	defer p.mu.Unlock()
	return c.call.given()
}

// Keywords returns the names of the keyword arguments, and of the entries of an
// object that is given. It costs less than Arguments.
func (c Call) Keywords() []string {
	if c.method != nil {
		return nil
	}
	p := c.call.reader.program
	p.mu.Lock()
	defer p.mu.Unlock()
	var names []string
	for _, a := range c.call.arguments() {
		if a.keyword != "" {
			names = append(names, a.keyword)
		}
		_, _, entries := c.call.object(a)
		for _, of := range entries {
			names = append(names, of.keyword)
		}
	}
	return names
}

// Receiver returns what stands before the point of a method: Path('x') of
// Path('x').unlink(). It reports false for a plain function.
func (c Call) Receiver() (Argument, bool) {
	if c.method != nil {
		return Argument{Value: c.method.receiver, Source: c.method.receiver}, c.method.receiver != ""
	}
	p := c.call.reader.program
	p.mu.Lock()
	defer p.mu.Unlock()
	lo, hi := c.call.receiver()
	if lo >= hi {
		return Argument{}, false
	}
	return c.call.reader.workedOut(argument{lo: lo, hi: hi}), true
}

// call is one call in a program's tokens.
type call struct {
	reader *reader
	name   string
	at     int // the token its path of names begins at
	last   int // the token of its last name
	open   int // the bracket, or the first token of the arguments
	shape  shape
	skip   int // arguments that are part of the name: send(:name, …)
}

// shape is how a call is given its arguments.
type shape uint8

const (
	inParentheses shape = iota
	loose               // f a, b
	template            // f`…`, or the text of a command
	bare                // x.f, new F
)

// arguments returns the tokens of the call's arguments.
func (c *call) arguments() []argument {
	r := c.reader
	var list []argument
	switch c.shape {
	case inParentheses:
		list = r.arguments(c.open+1, r.closes(c.open))
	case loose:
		list = r.looseArguments(c.open)
	case template:
		return []argument{{lo: c.open, hi: c.open + 1}}
	}
	return list[min(c.skip, len(list)):]
}

// object returns an object that is given, also by the name of a variable that is set
// once, with the reader that it stands in, and its entries; nil for anything else.
// Braces in other languages than node hold a block or a hash.
func (c *call) object(a argument) (r *reader, object argument, entries []argument) {
	r = c.reader
	if !r.program.language.arrows {
		return r, a, nil
	}
	if a.hi == a.lo+1 && r.tokens[a.lo].kind == name {
		constant := r.program.constants[r.tokens[a.lo].text]
		if constant == nil || constant.assignments != 1 || constant.bound || constant.in == nil || !constant.in.at(constant.lo).is("{") {
			return r, a, nil
		}
		r = constant.in
		a = argument{lo: constant.lo, hi: r.closes(constant.lo) + 1}
		if r.program.steps -= a.hi - a.lo; r.program.steps < 0 {
			return r, a, nil
		}
	}
	return r, a, r.object(a)
}

// given works out the call's arguments.
func (c *call) given() []Argument {
	if c.shape == template {
		text := c.reader.filled(c.reader.tokens[c.open].literal, maxDepth)
		return []Argument{givenValue(Argument{Source: c.reader.sourceOf(c.open, c.open+1)}, value{text: text})}
	}
	var list, entries []Argument
	for _, a := range c.arguments() {
		given := c.reader.given(a)
		if r, object, of := c.object(a); of != nil {
			given.Literal, given.Value = true, r.sourceOf(object.lo, object.hi)
			for _, entry := range of {
				value := r.given(entry)
				given.Literal = given.Literal && value.Literal
				entries = append(entries, value)
			}
		}
		list = append(list, given)
	}
	return append(list, entries...)
}

// given works out one argument.
func (r *reader) given(a argument) Argument {
	out := r.workedOut(a)
	if out.Literal || out.Value != out.Source || a.lo >= a.hi || r.tokens[a.lo].kind != name {
		return out
	}
	if path, next := r.program.path(r, a.lo); next == a.hi && path != "" {
		out.Value = r.program.fullName(path)
	}
	return out
}

// workedOut returns an argument with the names in it as they are written.
func (r *reader) workedOut(a argument) Argument {
	out := givenValue(Argument{Name: a.keyword, Source: r.sourceOf(a.lo, a.hi)}, r.evaluate(a.lo, a.hi))
	if !out.Literal && a.hi == a.lo+1 && r.isConstantToken(a.lo) {
		out.Literal = true
	}
	return out
}

// givenValue fills in what a value tells.
func givenValue(a Argument, v value) Argument {
	a.Value = a.Source
	if v.list != nil {
		a.Literal, a.Items = true, []Argument{}
		for _, item := range v.list {
			given := givenValue(Argument{}, item)
			a.Literal = a.Literal && given.Literal
			a.Items = append(a.Items, given)
		}
		return a
	}
	if a.Literal = !v.spread && v.text.isFixed() || len(v.text) == 0; !a.Literal && !v.text.isKnown() && !v.text.startsWithHome() && a.Source != "" {
		return a
	}
	var text strings.Builder
	for _, p := range v.text {
		switch p.unknown {
		case "":
			text.WriteString(p.text)
		case home:
			text.WriteString(home)
		default:
			text.WriteString("$" + p.unknown)
		}
	}
	a.Value = text.String()
	return a
}

// isConstantToken reports that token i is a number, a symbol or a constant of the
// language.
func (r *reader) isConstantToken(i int) bool {
	t := r.tokens[i]
	if t.kind == other {
		source := r.program.source[t.start:]
		return source != "" && (isDigit(source[0]) || source[0] == ':')
	}
	return t.kind == name && slices.Contains([]string{"True", "False", "None", "true", "false", "null", "undefined", "nil"}, t.text)
}

// sourceOf returns the source of tokens lo to hi, hi excluded.
func (r *reader) sourceOf(lo, hi int) string {
	if lo >= hi || hi > len(r.tokens) {
		return ""
	}
	source := r.program.source
	start, end := int(r.tokens[lo].start), len(source)
	switch last := r.tokens[hi-1]; {
	case last.kind == name || last.kind == symbol:
		end = int(last.start) + len(last.text)
	case hi < len(r.tokens):
		end = int(r.tokens[hi].start)
	case r != r.program.readers[0]:
		end = start + len(last.text)
	}
	return strings.TrimSpace(source[start:max(start, min(end, len(source)))])
}

// receiver returns the tokens of what a method is called on; none for a function.
func (c *call) receiver() (lo, hi int) {
	access := c.last - 1
	if access <= 0 || c.reader.tokens[c.last].kind != name || !c.reader.isAccess(c.reader.tokens[access]) {
		return 0, 0
	}
	return c.reader.chain(access), access
}

// maxChain bounds how many parts of a chain of methods are read backwards.
const maxChain = 16

// chain returns the first token of the chain of names, calls and indices that ends
// before token end.
func (r *reader) chain(end int) int {
	behind := end
	for range maxChain {
		start := behind
		for opener, ok := r.opens(start - 1); ok; opener, ok = r.opens(start - 1) {
			start = opener
		}
		switch t := r.at(start - 1); {
		case t.kind == name && !r.program.isKeyword(t),
			start == behind && (t.kind == text || t.kind == words || t.kind == command || t.kind == other):
			start--
		}
		switch {
		case start == behind:
			return min(behind+1, end)
		case !r.isAccess(r.at(start - 1)):
			return start
		}
		behind = start - 1
	}
	return min(behind+1, end)
}
