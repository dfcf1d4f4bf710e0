// Package predicates is the CEL function library of rules: what a rule can ask
// about a call beyond reading the fields of its input.
//
// Every family of functions is one file, with declaration, documentation, example
// and binding together. Functions, Library and Predicates all derive from those
// declarations, so that nothing is listed twice.
//
// All functions are pure, and judge what stands in their arguments, but for
// is_recoverable, which looks at the file system and asks git, the methods of a
// repository, which read its files, and the methods of a target, which follow
// symbolic links.
package predicates

import (
	"github.com/claudewatch/claudewatch/internal/cel"
	"github.com/google/cel-go/common/types"
)

// Function describes one function for the reference.
type Function struct {
	Name string
	// Doc says what the function returns: complete sentences, no markup.
	Doc string
	// Example is an expression that type-checks with the variable "input".
	Example string
	// Overloads are the ways to call it.
	Overloads []Overload
}

// Overload is one way to call a function.
type Overload struct {
	// ID is the name of the overload in checked expressions: "command_runs_string".
	ID string
	// Signature is how a call looks, with types for the arguments: "c.runs(string) -> bool".
	Signature string
}

// declaration is a function as its file declares it.
type declaration struct {
	name, doc, example string
	overloads          []overload
}

// declarations returns every function, in the order of the reference.
func declarations() []declaration {
	return []declaration{
		runs,
		hasFlag,
		option,
		optionValues,
		callsTo,
		callsWith,
		hasImport,
		isInProjectTree,
		isEphemeralScratch,
		isRecoverable,
		glob,
		under,
		mayBe,
		repoHasPath,
		repoRead,
		repoFiles,
		shape,
	}
}

// Functions lists the functions of the library for the reference.
func Functions() []Function {
	var list []Function
	for _, d := range declarations() {
		f := Function{Name: d.name, Doc: d.doc, Example: d.example}
		for _, o := range d.overloads {
			f.Overloads = append(f.Overloads, Overload{ID: o.id, Signature: o.signature(d.name)})
		}
		list = append(list, f)
	}
	return list
}

// Library returns all functions as an environment takes them whose type provider is
// schema.Provider.
func Library() []cel.Function {
	var list []cel.Function
	for _, d := range declarations() {
		f := cel.Function{Name: d.name, Doc: d.doc}
		for _, o := range d.overloads {
			f.Overloads = append(f.Overloads, cel.Overload{ID: o.id, Member: o.member, Parameters: o.parameters, Result: o.result, Bind: o.bind})
		}
		list = append(list, f)
	}
	return list
}

// IsPredicate reports whether name is a predicate: a function that takes the input
// alone and returns a bool, so that a rule can name it without calling it
// (unless: [is_in_project_tree]).
func IsPredicate(name string) bool {
	for _, d := range declarations() {
		if d.name == name {
			return d.isPredicate()
		}
	}
	return false
}

// Predicates lists the names for which IsPredicate is true.
func Predicates() []string {
	var names []string
	for _, d := range declarations() {
		if d.isPredicate() {
			names = append(names, d.name)
		}
	}
	return names
}

func (d declaration) isPredicate() bool {
	for _, o := range d.overloads {
		if !o.member && len(o.parameters) == 1 && isInput(o.parameters[0]) && o.result == types.BoolType {
			return true
		}
	}
	return false
}
