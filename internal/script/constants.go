package script

import "slices"

// constant is a variable that is assigned once in a program: the tokens of its
// value, and where something is added to it.
type constant struct {
	in          *reader
	lo, hi      int
	assignments int
	grown       []place // where something is added to it
	bound       bool    // also a parameter or a loop's variable: not known
}

// place is a token of a program.
type place struct {
	in *reader
	at int
}

// findConstants collects the variables of a program. A variable
// is a constant when the program assigns it in one place only and has no parameter
// of that name: run(cmd) then starts what cmd was set to, wherever that was.
func (p *Program) findConstants(readers []*reader) {
	get := func(name string) *constant {
		c := p.constants[name]
		if c == nil {
			c = &constant{}
			p.constants[name] = c
		}
		return c
	}
	for _, r := range readers {
		for i, t := range r.tokens {
			switch {
			case t.is("(") && r.holdsParameters(i):
				r.eachName(i+1, r.closes(i), func(name string) { get(name).bound = true })
			case t.kind != name || r.isAccess(r.at(i-1)):
			case r.at(i + 1).is("="):
				c := get(t.text)
				c.assignments++
				c.in, c.lo = r, i+2
				c.bound = c.bound || !r.beginsStatement(i)
			case r.growsAt(i):
				c := get(t.text)
				c.grown = append(c.grown, place{r, i})
			case r.bindsAt(i):
				get(t.text).bound = true
			}
		}
	}
}

// holdsParameters reports that the parentheses at i are of a definition, or stand
// in front of a body or an arrow.
func (r *reader) holdsParameters(i int) bool {
	after := r.at(r.closes(i) + 1)
	definition := r.at(i - 2).text
	return after.is("{") || after.is("=>") || after.is("->") || definition == "def" || definition == "function"
}

// bindsAt reports that the name at i is a loop's variable, or a parameter without
// parentheses, or is given a value inside an expression.
func (r *reader) bindsAt(i int) bool {
	before, next := r.at(i-1), r.at(i+1)
	return slices.Contains([]string{"for", "foreach", "as", "lambda", "|"}, before.text) || r.at(i-2).text == "def" ||
		slices.Contains([]string{"in", "of", "=>", ":=", "|"}, next.text)
}

// eachName calls f with the names between two tokens, not those in brackets.
func (r *reader) eachName(lo, hi int, f func(string)) {
	for i := lo; i < hi; i = r.skip(i) {
		if r.tokens[i].kind == name {
			f(r.tokens[i].text)
		}
	}
}

// beginsStatement reports that the assignment at i is a statement, and no option of
// a call.
func (r *reader) beginsStatement(i int) bool {
	before := r.at(i - 1)
	return r.tokens[i].newline && !before.is("(") && !before.is(",") || i == 0 || before.is(";") || before.is("{") || before.is("}") || before.is(":") ||
		slices.Contains([]string{"const", "let", "var", "my", "our"}, before.text)
}

// growsAt reports that something is added to the variable at i, or put into it.
func (r *reader) growsAt(i int) bool {
	next := r.at(i + 1)
	switch {
	case next.kind != symbol:
		return false
	case slices.Contains([]string{"+=", ".=", "<<", "%=", "||=", "&&=", "??="}, next.text):
		return true
	case next.text == "[":
		return r.at(r.closes(i+1) + 1).is("=")
	case r.isAccess(next):
		return slices.Contains([]string{"append", "extend", "insert", "push", "unshift", "concat", "splice"}, r.at(i+2).text)
	}
	return slices.Contains([]string{"push", "unshift"}, r.at(i-1).text) // perl
}

// constant returns the value of a variable that is a constant, with all that is added to
// it, in the order in which it is written. For what of that is not known its own name stands.
func (r *reader) constant(variable string, depth int) (value, bool) {
	if v, ok := r.program.bound[variable]; ok {
		return v, v.isKnown()
	}
	c := r.program.constants[variable]
	if r.program.steps < 0 || c == nil || c.assignments != 1 || c.bound || c.in == nil || depth <= 0 {
		return value{}, false
	}
	if c.hi == 0 {
		c.hi = c.in.statementEnd(c.lo)
	}
	v := c.in.evaluateWithin(c.lo, c.hi, depth-1)
	r.program.steps -= 1 + c.hi - c.lo + v.size()/16
	if r.program.steps < 0 || !v.isKnown() {
		return value{}, false
	}
	for _, place := range c.grown {
		more, ok := place.in.addition(place.at, v.list != nil, depth-1)
		if !ok {
			more = unknown(variable)
		}
		if v = concatenate([]value{v, more}); r.program.steps < 0 {
			break
		}
	}
	return v, true
}

func (v value) isKnown() bool {
	return v.text.isKnown() || slices.ContainsFunc(v.list, func(item value) bool { return item.text.isKnown() })
}

// size returns about how many bytes v holds.
func (v value) size() int {
	size := 0
	for _, p := range v.text {
		size += len(p.text) + len(p.unknown)
	}
	for _, item := range v.list {
		size += item.size()
	}
	return size
}
