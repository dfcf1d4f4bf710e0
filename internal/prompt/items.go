package prompt

import (
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/cel"
	"github.com/claudewatch/claudewatch/internal/lazyregexp"
	"github.com/claudewatch/claudewatch/predicates"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
)

// function is a function of the language or of the library of rules.
type function struct {
	name, doc string
	overloads []overload
}

type overload struct {
	member     bool // the first parameter is what it is called on
	parameters []*types.Type
	result     *types.Type
}

// callable is the name of a function that is called by it: operators have others.
var callable = lazyregexp.New(`^[a-z][a-zA-Z0-9_]*(?:\.[a-zA-Z0-9_]+)*$`)

// functionsOf returns the functions that an expression can call by name: those of
// package predicates in their order, then the others.
func functionsOf(environment *cel.Environment) []function {
	var names []string
	for _, f := range predicates.Functions() {
		names = append(names, f.Name)
	}
	for _, n := range environment.Functions() {
		if n != "in" && callable().MatchString(n) && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	var list []function
	for _, n := range names {
		declared, ok := environment.Function(n)
		if !ok {
			continue
		}
		f := function{name: n, doc: declared.Description()}
		for _, o := range declared.OverloadDecls() {
			f.overloads = append(f.overloads, overload{o.IsMemberFunction(), o.ArgTypes(), o.ResultType()})
		}
		list = append(list, f)
	}
	return list
}

// item returns the function with those of its overloads that fit, and whether any does.
func (f function) item(fits func(overload) bool) (Item, bool) {
	item := Item{Name: f.name, Text: f.name + "(", Doc: f.doc}
	arguments := false
	for _, o := range f.overloads {
		if !fits(o) {
			continue
		}
		parameters := o.parameters
		if o.member {
			parameters = parameters[1:]
		}
		arguments = arguments || len(parameters) > 0
		item.Signatures = append(item.Signatures, f.name+"("+typeNames(parameters)+") -> "+typeName(o.result))
	}
	if !arguments {
		item.Text += ")"
	}
	return item, len(item.Signatures) > 0
}

// functionsBelow returns the functions that are called on nothing and whose name begins
// with a prefix, which their items leave out: "contains(" for sets.contains below "sets.".
func (c *Completer) functionsBelow(prefix string) []Item {
	var items []Item
	for _, f := range c.functions {
		if !strings.HasPrefix(f.name, prefix) {
			continue
		}
		if item, ok := f.item(func(o overload) bool { return !o.member }); ok {
			item.Text = strings.TrimPrefix(item.Text, prefix)
			items = append(items, item)
		}
	}
	if prefix == "" {
		items = append(items, hasMacro)
	}
	return items
}

// methodsOf returns the functions and macros that can be called on a value of type t.
func (c *Completer) methodsOf(t *types.Type) []Item {
	var items []Item
	if elementType(t) != nil {
		items = slices.Clone(listMacros)
	}
	for _, f := range c.functions {
		if item, ok := f.item(func(o overload) bool { return o.member && accepts(o.parameters[0], t) }); ok {
			items = append(items, item)
		}
	}
	return items
}

// accepts reports whether a value of type t can stand where a parameter is wanted; a
// type that is not known ahead of time can stand anywhere.
func accepts(parameter, t *types.Type) bool {
	for _, anything := range []types.Kind{types.DynKind, types.TypeParamKind} {
		if parameter.Kind() == anything || t.Kind() == anything {
			return true
		}
	}
	if parameter.Kind() != t.Kind() || parameter.TypeName() != t.TypeName() || len(parameter.Parameters()) != len(t.Parameters()) {
		return false
	}
	for i, p := range parameter.Parameters() {
		if !accepts(p, t.Parameters()[i]) {
			return false
		}
	}
	return true
}

// fieldsOf returns the fields of an object type, none for other types.
func fieldsOf(t *types.Type) []Item {
	object := objectNamed(t.TypeName())
	if object == nil {
		return nil
	}
	var items []Item
	for _, f := range object.Fields {
		items = append(items, Item{Name: f.Name, Text: f.Name, Signatures: []string{typeName(f.Type)}, Doc: f.Doc})
	}
	return items
}

// fieldName is a key of a map that can stand behind a dot.
var fieldName = lazyregexp.New(`^[_a-zA-Z][_a-zA-Z0-9]*$`)

func argumentItems(keys []string) []Item {
	var items []Item
	for _, key := range slices.Sorted(slices.Values(keys)) {
		if fieldName().MatchString(key) {
			items = append(items, Item{Name: key, Text: key, Signatures: []string{"dyn"}, Doc: "an argument of the current call; a rule asks has(input.args." + key + ") first"})
		}
	}
	return items
}

func docOfType(t *types.Type) string {
	if object := objectNamed(t.TypeName()); object != nil {
		return object.Doc
	}
	return ""
}

// objectNamed returns the object type of a name, nil when there is none.
func objectNamed(name string) *schema.ObjectType {
	for _, object := range schema.ObjectTypes() {
		if object.Type.TypeName() == name {
			return object
		}
	}
	return nil
}

func typeName(t *types.Type) string { return checker.FormatCELType(t) }

func typeNames(list []*types.Type) string {
	names := make([]string, len(list))
	for i, t := range list {
		names[i] = typeName(t)
	}
	return strings.Join(names, ", ")
}

// hasMacro and listMacros are the macros, which the environment does not list: those of
// the language, and sortBy of its extension for lists.
var (
	hasMacro = Item{Name: "has", Text: "has(", Signatures: []string{"has(x.field) -> bool"}, Doc: "whether a map has a key, or a field is not empty"}

	listMacros = []Item{
		{"exists", "exists(", []string{"exists(x, condition) -> bool"}, "whether the condition is true of an element"},
		{"all", "all(", []string{"all(x, condition) -> bool"}, "whether the condition is true of every element, as it is of none"},
		{"exists_one", "exists_one(", []string{"exists_one(x, condition) -> bool"}, "whether the condition is true of exactly one element"},
		{"filter", "filter(", []string{"filter(x, condition) -> list"}, "the elements that the condition is true of"},
		{"map", "map(", []string{"map(x, value) -> list", "map(x, condition, value) -> list"}, "the value for each element, or for those that the condition is true of"},
		{"sortBy", "sortBy(", []string{"sortBy(x, key) -> list"}, "the elements in the order of their keys"},
	}
)

// declaresVariable reports whether the first argument of a macro is a variable.
func declaresVariable(macro string) bool {
	return slices.ContainsFunc(listMacros, func(i Item) bool { return i.Name == macro })
}
