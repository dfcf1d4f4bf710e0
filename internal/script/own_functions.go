package script

import (
	"slices"
	"sort"
	"strings"
)

// ownFunction is a function of the program itself. Where it starts a process with what it is
// given, its calls start that process.
type ownFunction struct {
	in         *reader
	lo, hi     int // the tokens of its body
	parameters []parameter
	calls      []int // those in its body, by their place in Program.calls
	active     bool  // it is looked at
}

type parameter struct {
	name string
	rest bool // it takes all further arguments: *args, ...args
}

// maxFollowed bounds how deep functions that call each other are followed.
const maxFollowed = 3

// findOwnFunctions collects the functions that the program defines.
func (p *Program) findOwnFunctions() {
	p.functions = map[string]*ownFunction{}
	for _, r := range p.readers {
		for i, t := range r.tokens {
			if t.kind != name {
				continue
			}
			function, open := t.text, i+1
			switch before := r.at(i - 1).text; {
			case before == "def" || before == "function":
			case p.language.arrows && r.at(i+1).is("="):
				if open = i + 2; r.at(open).kind == name && r.at(open).text == "async" {
					open++
				}
			default:
				continue
			}
			if f := r.functionAt(i, open); f != nil {
				p.functions[function] = f
			}
		}
	}
	if len(p.functions) == 0 {
		return
	}
	of := map[*reader][]int{} // the calls of each reader are in the order of its tokens
	for i := range p.calls {
		of[p.calls[i].reader] = append(of[p.calls[i].reader], i)
	}
	for _, f := range p.functions {
		list := of[f.in]
		behind := func(token int) int {
			return sort.Search(len(list), func(i int) bool { return p.calls[list[i]].at >= token })
		}
		f.calls = list[behind(f.lo):max(behind(f.lo), behind(f.hi))]
	}
}

// functionAt returns the function whose name is at i and whose parameters begin at open;
// nil where none is defined.
func (r *reader) functionAt(i, open int) *ownFunction {
	f := &ownFunction{in: r}
	next := open + 1
	switch {
	case r.at(open).is("("):
		for _, a := range r.arguments(open+1, r.closes(open)) {
			f.parameters = append(f.parameters, r.parameter(a))
		}
		next = r.closes(open) + 1
	case r.at(open).kind == name && r.at(next).is("=>"):
		f.parameters = []parameter{{name: r.at(open).text}}
	default:
		return nil
	}
	const typed = 8 // tokens that the type of what is returned may have
	arrows := r.program.language.arrows
	for end := next + typed; next < end && !r.at(next).is("{") && !r.at(next).is("=>") && (arrows || !r.at(next).is(":") && !r.at(next).newline); next++ {
	}
	switch r.at(next).text {
	case "=>":
		f.lo = next + 1
		if r.at(f.lo).is("{") {
			f.hi = r.closes(f.lo)
		} else {
			f.hi = r.statementEnd(f.lo)
		}
	case "{":
		f.lo, f.hi = next, r.closes(next)
	default: // python and ruby, up to where the text is no deeper than the definition
		f.lo = min(next, len(r.tokens))
		own := r.indentation(i)
		for f.hi = f.lo; f.hi < len(r.tokens) && r.program.steps >= 0 && (!r.tokens[f.hi].newline || r.indentation(f.hi) > own); {
			f.hi = r.skip(f.hi)
			r.program.steps--
		}
	}
	return f
}

// parameter returns what a parameter is named.
func (r *reader) parameter(a argument) parameter {
	switch t := r.at(a.lo); {
	case a.keyword != "":
		return parameter{name: a.keyword}
	case t.is("*") || t.is("..."):
		return parameter{name: r.at(a.lo + 1).text, rest: true}
	default:
		return parameter{name: t.text}
	}
}

// indentation returns how far the line of token i is moved to the right.
func (r *reader) indentation(i int) int {
	source := r.program.source[:r.tokens[i].start]
	line := r.program.source[strings.LastIndexByte(source, '\n')+1:]
	return len(line) - len(strings.TrimLeft(line, " \t"))
}

// follow records the shell texts that a call of one of the program's own functions
// starts, with the values that it gives to the parameters.
func (p *Program) follow(c *call, start int32, depth int) {
	plain := strings.TrimPrefix(strings.TrimPrefix(c.name, "self."), "this.")
	f := p.functions[plain]
	if f == nil || f.active || depth == 0 || c.shape != inParentheses || p.names.isImported(plain) {
		return
	}
	if p.steps -= 1 + len(f.calls); p.steps < 0 {
		return
	}
	bound, known := p.bindings(c, f)
	if !known {
		return
	}
	outer := p.bound
	p.bound, f.active = bound, true
	for _, i := range f.calls {
		inner := &p.calls[i]
		r := inner.reader
		from := len(r.found)
		p.language.shell(inner)
		for j := range r.found[from:] {
			r.found[from+j].start = start
		}
		p.follow(inner, start, depth-1)
	}
	p.bound, f.active = outer, false
}

// bindings returns the values that a call gives to the parameters of a function, and
// whether any is known.
func (p *Program) bindings(c *call, f *ownFunction) (bound map[string]value, known bool) {
	parameters := f.parameters
	if len(parameters) > 0 && parameters[0].name == "self" {
		parameters = parameters[1:]
	}
	list := c.arguments()
	plain := positional(list)
	bound = map[string]value{}
	for i, parameter := range parameters {
		v := unknown(parameter.name)
		if parameter.rest {
			v = value{list: c.reader.values(plain[min(i, len(plain)):])}
		} else if a, given := pick(list, i, parameter.name); given {
			v = c.reader.evaluate(a.lo, a.hi)
		}
		known = known || v.isKnown()
		bound[parameter.name] = v
		if parameter.rest {
			break
		}
	}
	return bound, known
}

// addition returns what token i, the name of a variable, adds to its value: more text,
// or more items of a list. It reports false when that is not known.
func (r *reader) addition(i int, toList bool, depth int) (value, bool) {
	var v value
	switch next := r.at(i + 1); {
	case next.is("+=") || next.is(".=") || next.is("<<"):
		end := r.statementEnd(i + 2)
		v = r.evaluateWithin(i+2, end, depth)
		if toList && v.list == nil && next.is("<<") {
			v = value{list: []value{v}}
		}
		r.program.steps -= end - i
	case !r.isAccess(next) || !r.at(i+3).is("(") || !toList:
		return value{}, false
	case slices.Contains([]string{"append", "push"}, r.at(i+2).text):
		v.list = r.values(r.arguments(i+4, r.closes(i+3)))
		r.program.steps -= r.closes(i+3) - i
	case r.at(i+2).text == "extend":
		v = r.evaluateWithin(i+4, r.closes(i+3), depth)
		r.program.steps -= r.closes(i+3) - i
	}
	return v, (v.list != nil) == toList && v.isKnown() && r.program.steps >= 0
}
