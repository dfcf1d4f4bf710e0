package policy

import (
	"reflect"
	"slices"
)

// condition is what must hold for an expression to be true. The zero condition
// always holds.
type condition struct {
	kind     conditionKind
	children []condition // of allHold and anyHolds
	// subject names the values that are looked at (prefilter_facts.go), test says how
	// they are compared with the literals: one value and one literal must fit.
	subject  string
	test     literalTest
	literals []string
}

type conditionKind int

const (
	alwaysHolds conditionKind = iota
	neverHolds
	allHold
	anyHolds
	literalHolds
)

type literalTest int

const (
	isAnything literalTest = iota // there is a value at all
	equals
	contains
	containsFold // as regexes do with (?i)
	differs      // from the literal, of which there is one
	isFlag       // the value is the literal, or begins with it and "="
)

// maxLiterals bounds a condition: one that has more always holds.
const maxLiterals = 400

// allOf holds when all conditions hold.
func allOf(conditions ...condition) condition {
	var children []condition
	for _, c := range conditions {
		switch c.kind {
		case alwaysHolds:
		case neverHolds:
			return c
		case allHold:
			children = append(children, c.children...)
		default:
			children = append(children, c)
		}
	}
	switch len(children) {
	case 0:
		return condition{}
	case 1:
		return children[0]
	}
	return condition{kind: allHold, children: children}
}

// anyOf holds when one of the conditions holds; literals about the same values become one.
func anyOf(conditions ...condition) condition {
	var children []condition
	add := func(c condition) {
		for i, o := range children {
			if c.kind == literalHolds && o.kind == literalHolds && c.subject == o.subject && c.test == o.test && c.test != differs {
				children[i].literals = union(o.literals, c.literals)
				return
			}
			if reflect.DeepEqual(c, o) {
				return
			}
		}
		children = append(children, c)
	}
	for _, c := range conditions {
		switch c.kind {
		case alwaysHolds:
			return c
		case neverHolds:
		case anyHolds:
			for _, child := range c.children {
				add(child)
			}
		default:
			add(c)
		}
	}
	switch len(children) {
	case 0:
		return condition{kind: neverHolds}
	case 1:
		return children[0]
	}
	return condition{kind: anyHolds, children: children}
}

// union returns the texts of a and those of b that are not in a.
func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, text := range b {
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// size counts the conditions and literals in c.
func (c condition) size() int {
	n := 1 + len(c.literals)
	for _, child := range c.children {
		n += child.size()
	}
	return n
}

// encodeCondition writes the kind and what the kind has, children with their length
// in front so that they can be passed over.
func encodeCondition(w *writer, c condition) {
	w.int(int(c.kind))
	switch c.kind {
	case allHold, anyHolds:
		w.int(len(c.children))
		for _, child := range c.children {
			var inner writer
			encodeCondition(&inner, child)
			w.string(string(inner.bytes))
		}
	case literalHolds:
		w.int(slices.Index(subjects[:], c.subject))
		w.int(int(c.test))
		w.int(len(c.literals))
		for _, l := range c.literals {
			w.string(l)
		}
	}
}
