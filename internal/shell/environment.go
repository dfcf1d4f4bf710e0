package shell

import (
	"cmp"
	"path"
	"strconv"

	"github.com/claudewatch/claudewatch/schema"
	"mvdan.cc/sh/v3/syntax"
)

// environment is what is known about a shell at one point of a text: where it
// is and what its variables hold.
//
// A fork is what a subshell or one branch of an if starts from. It sees its
// parent's variables and keeps its own changes, so that forking costs nothing
// and merging branches costs as much as they changed.
type environment struct {
	parent *environment
	// dir is the absolute directory, "" when it is unknown.
	dir string
	// stack holds the directories of pushd below dir, the last one on top.
	stack []string
	// switches are the branch switches so far.
	switches []schema.BranchSwitch
	// variables holds what was assigned here and not in parent.
	variables map[string]variable
	// definitions are shared by all forks: an alias or a function that is defined in
	// one branch counts from then on.
	definitions *definitions
}

// variable is what is known of a shell variable.
type variable struct {
	value    value
	known    bool
	exported bool
	// array holds the elements of an array that is known; its identity is that of
	// the assignment.
	array *[]element
	// mapped: the keys of the array are texts (declare -A).
	mapped bool
	// pattern is what the names match that it holds one of, when it is not known.
	pattern string
	// source is the substitution that it holds the output of, when that is not known.
	source string
	// unset: the text takes it away, so that it has no value.
	unset bool
	// alternatives are the values of which it has one; open says that it may also
	// have another one.
	alternatives *[]value
	open         bool
	// letters is what happens to letters in what is assigned: 'l' makes them small
	// (declare -l), 'u' capital.
	letters byte
	// names is the variable that this one stands for (declare -n).
	names string
}

// maxPositional is the number of positional parameters that are kept track of.
const maxPositional = 9

// maxVariables is the number of variables that are kept track of in one shell, since
// merging branches takes time for each. Beyond it all of them are unknown.
const maxVariables = 200

// definitions are the names a text gives to commands, and those it assigns to.
type definitions struct {
	aliases   map[string]string
	functions map[string]*function
	assigned  map[string]bool
	// written holds the texts of the files that the text writes, by path, and by number
	// behind & those of the streams that it opens.
	written map[string]*code
	// configured holds the settings that git config gives.
	configured map[string]string
	// undecided: some variable has alternatives.
	undecided bool
}

// function is a function that a text defines.
type function struct {
	changes
	// body is its body, which stands in the text of walk.
	body *syntax.Stmt
	walk *walk
	// positional: the body names its arguments.
	positional bool
}

// changes is what running a piece of shell text may do to the environment.
type changes struct {
	directory bool
	variables map[string]int // how often each is assigned
}

func newEnvironment(dir string) *environment {
	return &environment{
		dir:         dir,
		definitions: &definitions{aliases: map[string]string{}, functions: map[string]*function{}, assigned: map[string]bool{}, written: map[string]*code{}, configured: map[string]string{}},
	}
}

// fork returns a copy whose changes e does not see.
func (e *environment) fork() *environment {
	return &environment{parent: e, dir: e.dir, stack: e.stack, switches: e.switches, definitions: e.definitions}
}

// process returns the environment of a new shell process: the same directory, and
// of the variables only those that were exported, and assigned.
func (e *environment) process(assigned map[string]string) *environment {
	child := newEnvironment(e.dir)
	child.switches = e.switches
	child.definitions.written, child.definitions.configured = e.definitions.written, e.definitions.configured
	for level := e; level != nil; level = level.parent {
		for name, v := range level.variables {
			if _, seen := child.variables[name]; !seen && v.exported {
				child.set(name, v)
			}
		}
	}
	for name, text := range assigned {
		child.set(name, variable{value: literalValue(text), known: true, exported: true})
	}
	return child
}

// setPositional gives the positional parameters values. Where one of the words is not
// known, neither is what all of them are; words is nil when nothing is known.
func (e *environment) setPositional(words []field) {
	var all []value
	for i := range maxPositional {
		v := variable{unset: words != nil && i >= len(words)}
		if i < len(words) && words[i].known && !words[i].written {
			v = variable{value: words[i].replaced(), known: true}
		} else if i < len(words) {
			v.pattern = words[i].pattern
		}
		if v.unset {
			v.known = true
			v.value = literalValue("")
		}
		e.set(strconv.Itoa(i+1), v)
	}
	for _, f := range words {
		if f.known && !f.written {
			all = append(all, f.replaced())
		}
	}
	v := variable{}
	if words != nil && len(all) == len(words) && len(all) <= maxFieldsPerWord {
		v.array = listed(all)
	}
	e.set("@", v)
	e.set("*", v)
}

// follow is lookup of the variable that name stands for.
func (e *environment) follow(name string) variable {
	v := e.lookup(name)
	if v.names != "" {
		return e.lookup(v.names)
	}
	return v
}

// separators returns the characters that words are split at; none when IFS has a value
// that is not known.
func (e *environment) separators() string {
	v := e.lookup("IFS")
	if v == (variable{}) || v.unset {
		return " \t\n"
	}
	if !v.known {
		return ""
	}
	return v.value.text
}

// lookup returns what is known of a variable; the zero variable when it was not
// assigned.
func (e *environment) lookup(name string) variable {
	if len(e.definitions.assigned) > maxVariables {
		return variable{exported: true}
	}
	for level := e; level != nil; level = level.parent {
		if v, ok := level.variables[name]; ok {
			return v
		}
	}
	return variable{}
}

func (e *environment) set(name string, v variable) {
	if len(e.definitions.assigned) > maxVariables {
		return
	}
	e.definitions.assigned[name] = true
	if e.variables == nil {
		e.variables = make(map[string]variable)
	}
	e.variables[name] = v
}

// assign gives a variable a value and leaves its attributes as they were.
func (e *environment) assign(name string, v value, known bool) {
	old := e.lookup(name)
	if old.names != "" {
		name = old.names
		old = e.lookup(name)
	}
	if old.letters != 0 && known {
		v, known = v.mapped(changingCase(old.letters == 'u', true))
	}
	e.set(name, variable{value: v, known: known, exported: old.exported, letters: old.letters})
}

// describe says what is known of the value of a variable that is not known itself: a
// pattern that it matches, and the substitution that it is the output of.
func (e *environment) describe(name, pattern, source string) {
	if v := e.follow(name); (pattern != "" || source != "") && !v.known {
		v.pattern, v.source = pattern, source
		e.set(cmp.Or(e.lookup(name).names, name), v)
	}
}

// forget makes a variable unknown.
func (e *environment) forget(name string) { e.assign(name, value{}, false) }

// forgetAll makes everything unknown that c may change.
func (e *environment) forgetAll(c *changes) {
	if c.directory {
		e.dir, e.stack = "", nil
	}
	for name := range c.variables {
		e.forget(name)
	}
}

// merge makes e, from which the branches were forked, the environment after one of
// them was run, without knowing which: what they do not agree on is unknown.
func (e *environment) merge(branches ...*environment) {
	if len(branches) > 0 {
		e.become(e.union(branches...))
	}
}

// union returns what environments forked from e agree on, as a fork of e.
func (e *environment) union(branches ...*environment) *environment {
	first := branches[0]
	out := e.fork()
	out.dir, out.stack, out.switches = first.dir, first.stack, first.switches
	for _, b := range branches {
		for name := range b.since(e) {
			out.set(name, first.lookup(name))
		}
	}
	for _, b := range branches[1:] {
		out.switches = commonSwitches(out.switches, b.switches)
		if b.dir != out.dir || len(b.stack) != len(out.stack) {
			out.dir, out.stack = "", nil
		}
		for name, v := range out.variables {
			if other := b.lookup(name); other != v {
				merged := either(v, other)
				out.variables[name] = merged
				e.definitions.undecided = e.definitions.undecided || merged.alternatives != nil
			}
		}
	}
	return out
}

// become takes over what was changed in a fork.
func (e *environment) become(fork *environment) {
	for name, v := range fork.since(e) {
		e.set(name, v)
	}
	e.dir, e.stack, e.switches = fork.dir, fork.stack, fork.switches
}

// since returns the variables that were assigned in a fork of ancestor.
func (e *environment) since(ancestor *environment) map[string]variable {
	if e.parent == ancestor {
		return e.variables
	}
	assigned := make(map[string]variable)
	for level := e; level != nil && level != ancestor; level = level.parent {
		for name, v := range level.variables {
			if _, newer := assigned[name]; !newer {
				assigned[name] = v
			}
		}
	}
	return assigned
}

// maxPath is the length of the longest path that a directory can have, PATH_MAX of
// Linux: a longer one is not known.
const maxPath = 4096

// join returns the directory that name leads to from dir; "" when that cannot be known.
func join(dir, name string) string {
	switch {
	case name == "", len(dir)+len(name) >= maxPath:
		return ""
	case path.IsAbs(name):
		return path.Clean(name)
	case dir == "":
		return ""
	}
	return path.Join(dir, name)
}
