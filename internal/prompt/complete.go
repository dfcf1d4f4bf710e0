package prompt

import (
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/cel"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/types"
)

// Completion is how the word before the cursor can go on.
type Completion struct {
	// Start is the offset in bytes at which the word begins; the cursor ends it.
	Start int
	// Items are what can stand in the place of the word, in the order to show them.
	Items []Item
	// Call is the function or macro whose arguments the cursor stands in, for an empty
	// word; nil when there is none.
	Call *Item
}

// Item is one way to go on.
type Item struct {
	// Name is the field, function or variable, Text what is written for it: a function
	// has its opening bracket.
	Name, Text string
	// Signatures are the types: "list(Command)", or "has_flag(string) -> bool" and one
	// for each other way to call it.
	Signatures []string
	// Doc says what it is, "" when nothing is known.
	Doc string
}

// Completer completes expressions. It may be used by many goroutines.
type Completer struct {
	base      *cel.Environment
	functions []function
}

// NewCompleter returns a completer of what an expression outside of rule sets can name.
func NewCompleter() (*Completer, error) {
	base, err := policy.ExpressionEnvironment()
	if err != nil {
		return nil, err
	}
	return &Completer{base: base, functions: functionsOf(base)}, nil
}

// Complete returns how an expression can go on at its end. What stands before a dot is
// type-checked, with the variables of the macros around it. keys are the keys of
// input.args, whose values have no types ahead of time.
func (c *Completer) Complete(text string, keys []string) Completion {
	list := tokens(text)
	word := token{start: len(text), end: len(text)}
	if n := len(list); n > 0 && list[n-1].end == len(text) {
		switch last := list[n-1]; last.kind {
		case name:
			word, list = last, list[:n-1]
		case literal, unfinished:
			return Completion{Start: len(text)}
		}
	}
	if n := len(list); n > 0 && list[n-1].kind == unfinished {
		return Completion{Start: len(text)}
	}
	partner, open := brackets(list)
	e := expression{text: text, tokens: list, partner: partner}
	s := c.scope(e, open)
	completion := Completion{Start: word.start}
	switch n := len(list); {
	case n > 0 && list[n-1].is("."):
		completion.Items = s.members(e, n-1, keys)
	default:
		if word.text == "" {
			completion.Call = s.callAround(e, open)
		}
		if namesVariable(e, open) {
			return completion // the name is free
		}
		completion.Items = s.globals(completion.Call == nil)
	}
	completion.Items = beginningWith(completion.Items, word.text)
	return completion
}

// beginningWith returns the items whose text begins with a word; where case is all that
// keeps every item from that, it does not count.
func beginningWith(items []Item, word string) []Item {
	matching := func(begins func(text string) bool) []Item {
		return slices.DeleteFunc(slices.Clone(items), func(i Item) bool { return !begins(i.Text) })
	}
	if exact := matching(func(text string) bool { return strings.HasPrefix(text, word) }); len(exact) > 0 {
		return exact
	}
	return matching(func(text string) bool { return len(text) >= len(word) && strings.EqualFold(text[:len(word)], word) })
}

// expression is the text before the word that is completed.
type expression struct {
	text    string
	tokens  []token
	partner map[int]int // of each closed bracket
}

// between returns the text of the tokens from, inclusive, up to end, exclusive.
func (e expression) between(from, end int) string {
	return e.text[e.tokens[from].start:e.tokens[end-1].end]
}

// operand returns the index of the token that begins the operand which ends before the
// token end: for the dot in `a || f(x)[0].b.` that of f. It reports false when there is none.
func (e expression) operand(end int) (int, bool) {
	for i := end - 1; i >= 0; {
		switch t := e.tokens[i]; {
		case t.is(")"), t.is("]"), t.is("}"):
			opening, closed := e.partner[i]
			if !closed {
				return 0, false
			}
			if opening == 0 || !e.applies(opening) {
				return opening, true // in brackets, a list or a map
			}
			i = opening - 1
			continue
		case t.kind == literal:
			return i, true
		case t.kind != name || t.text == "in":
			return 0, false
		}
		if i == 0 || !e.tokens[i-1].is(".") {
			return i, true
		}
		if i == 1 {
			return 0, true // a leading dot
		}
		i -= 2
	}
	return 0, false
}

// applies reports whether a bracket belongs to what stands before it: the arguments of
// a function, an index, the fields of a message.
func (e expression) applies(opening int) bool {
	before := e.tokens[opening-1]
	if before.kind == name {
		return before.text != "in"
	}
	return e.tokens[opening].is("[") && (before.is(")") || before.is("]") || before.is("}") || before.kind == literal)
}

// scope is what can be named at the cursor.
type scope struct {
	*Completer
	environment *cel.Environment
	variables   []Item // of the macros around the cursor, the innermost first
}

// scope returns the names at the cursor: each macro that is open there declares its
// variable, whose type is that of the elements of what the macro is called on.
func (c *Completer) scope(e expression, open []int) scope {
	s := scope{Completer: c, environment: c.base}
	for _, opening := range open {
		if opening < 3 || !e.tokens[opening].is("(") || !e.tokens[opening-2].is(".") || !declaresVariable(e.tokens[opening-1].text) {
			continue
		}
		if opening+2 >= len(e.tokens) || e.tokens[opening+1].kind != name || !e.tokens[opening+2].is(",") {
			continue // the variable is still to be named
		}
		element := elementType(s.typeBefore(e, opening-2))
		if element == nil {
			continue
		}
		variable := e.tokens[opening+1].text
		extended, err := s.environment.With(decls.NewVariable(variable, element))
		if err != nil {
			continue
		}
		s.environment = extended
		s.variables = slices.DeleteFunc(s.variables, func(i Item) bool { return i.Name == variable })
		s.variables = slices.Insert(s.variables, 0, Item{Name: variable, Text: variable, Signatures: []string{typeName(element)}, Doc: "the element that " + e.tokens[opening-1].text + " looks at"})
	}
	return s
}

// namesVariable reports whether the cursor stands where a macro names its variable.
func namesVariable(e expression, open []int) bool {
	last := len(e.tokens) - 1
	return last >= 2 && len(open) > 0 && open[len(open)-1] == last && e.tokens[last-2].is(".") && declaresVariable(e.tokens[last-1].text)
}

// elementType returns the type of the variable of a macro that is called on a value of
// type t, nil when no macro can be.
func elementType(t *types.Type) *types.Type {
	switch {
	case t == nil:
		return nil
	case t.Kind() == types.DynKind:
		return types.DynType
	case t.Kind() == types.ListKind, t.Kind() == types.MapKind:
		return t.Parameters()[0]
	}
	return nil
}

// typeBefore returns the type of the operand that ends before a token, nil when it has none.
func (s scope) typeBefore(e expression, end int) *types.Type {
	from, ok := e.operand(end)
	if !ok {
		return nil
	}
	checked, errs := s.environment.Compile(e.between(from, end))
	if len(errs) > 0 {
		return nil
	}
	return checked.GetType(checked.Expr().ID())
}

// members are what can stand behind a dot.
func (s scope) members(e expression, dot int, keys []string) []Item {
	from, ok := e.operand(dot)
	if !ok {
		return nil
	}
	t := s.typeBefore(e, dot)
	if t == nil {
		return s.functionsBelow(e.between(from, dot) + ".")
	}
	items := fieldsOf(t)
	if e.between(from, dot) == "input.args" {
		items = append(items, argumentItems(keys)...)
	}
	return slices.Concat(items, s.methodsOf(t))
}

// globals are what an expression can begin with: variables, and with functions those
// that are called on nothing.
func (s scope) globals(functions bool) []Item {
	items := slices.Clone(s.variables)
	for _, v := range s.base.Variables() {
		items = append(items, Item{Name: v.Name(), Text: v.Name(), Signatures: []string{typeName(v.Type())}, Doc: docOfType(v.Type())})
	}
	if functions {
		items = slices.Concat(items, s.functionsBelow(""))
	}
	return items
}

// callAround returns the function or macro whose arguments the cursor stands in, with
// the signatures that fit what it is called on.
func (s scope) callAround(e expression, open []int) *Item {
	if len(open) == 0 {
		return nil
	}
	opening := open[len(open)-1]
	if opening == 0 || !e.tokens[opening].is("(") || e.tokens[opening-1].kind != name {
		return nil
	}
	called := e.tokens[opening-1].text
	if opening < 3 || !e.tokens[opening-2].is(".") {
		return itemNamed(s.functionsBelow(""), called)
	}
	if t := s.typeBefore(e, opening-2); t != nil {
		return itemNamed(s.methodsOf(t), called)
	}
	if from, ok := e.operand(opening); ok {
		return itemNamed(s.functionsBelow(""), e.between(from, opening))
	}
	return nil
}

func itemNamed(items []Item, name string) *Item {
	i := slices.IndexFunc(items, func(i Item) bool { return i.Name == name })
	if i < 0 {
		return nil
	}
	return &items[i]
}
