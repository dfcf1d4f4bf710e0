package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// element is one of an array: its key is a number for all but those that are
// declared with -A.
type element struct {
	key   string
	value value
}

// listed returns values as the elements of an array.
func listed(values []value) *[]element {
	elements := make([]element, len(values))
	for i, v := range values {
		elements[i] = element{strconv.Itoa(i), v}
	}
	return &elements
}

// elementOf returns the element of an array as a variable.
func elementOf(v variable, key string) variable {
	for _, e := range *v.array {
		if e.key == key {
			return variable{value: e.value, known: true}
		}
	}
	return variable{unset: true}
}

// indexed returns what ${name[index]} and $@ are when they are one word: an element,
// or all of them with blanks between.
func (w *walk) indexed(v variable, p *syntax.ParamExp, env *environment) variable {
	if v.array == nil {
		if key, ok := w.key(p.Index, v, env); ok && key == "0" && p.Index != nil {
			return v
		}
		return variable{}
	}
	if !namesAll(p) {
		key, ok := w.key(p.Index, v, env)
		if !ok {
			return variable{}
		}
		return elementOf(v, key)
	}
	var b builder
	b.add(literalValue(""))
	for i, e := range *v.array {
		if !w.spend(len(e.value.text)) {
			return variable{}
		}
		if i > 0 {
			b.add(literalValue(" "))
		}
		b.add(e.value)
	}
	return variable{value: b.fields()[0].value, known: true}
}

// namesAll reports whether p stands for all elements, or all positional parameters.
func namesAll(p *syntax.ParamExp) bool {
	index, ok := p.Index.(*syntax.Word)
	if ok {
		return index.Lit() == "@" || index.Lit() == "*"
	}
	return p.Index == nil && (p.Param.Value == "@" || p.Param.Value == "*")
}

// key returns the key that an index is.
func (w *walk) key(index syntax.ArithmExpr, v variable, env *environment) (string, bool) {
	word, ok := index.(*syntax.Word)
	if v.mapped {
		if !ok {
			return "", false
		}
		f := w.assigned(word, env)
		return f.text, f.known
	}
	if index == nil {
		return "", false
	}
	n, ok := w.number(index, env)
	if n < 0 && v.array != nil {
		n += len(*v.array)
	}
	return strconv.Itoa(n), ok
}

// elementsOf returns the elements that part expands to, each a word of its own, when
// it is "${name[@]}" of a known array or "$@".
func (w *walk) elementsOf(part syntax.WordPart, env *environment) (elements []element, ok bool) {
	if quoted, isQuoted := part.(*syntax.DblQuoted); isQuoted && len(quoted.Parts) == 1 {
		part = quoted.Parts[0]
	}
	p, ok := part.(*syntax.ParamExp)
	if !ok || !isBashParameter(p) || p.Excl || !namesAll(p) {
		return nil, false
	}
	v := env.follow(p.Param.Value)
	if v.array == nil {
		return nil, false
	}
	elements = *v.array
	if isPlainExpansion(p) {
		return elements, true
	}
	if p.Slice != nil {
		if p.Index == nil { // positional parameters count from 1, 0 being the shell
			elements = append([]element{{value: literalValue("bash")}}, elements...)
		}
		from, to, ok := w.bounds(p.Slice, len(elements), env)
		return elements[from:to], ok
	}
	operator := w.operator(p, env)
	if operator == nil {
		return nil, false
	}
	changed := make([]element, len(elements))
	for i, e := range elements {
		out, known := e.value.mapped(operator)
		if !known || !w.spend(len(out.text)) {
			return nil, false
		}
		changed[i] = element{e.key, out}
	}
	return changed, true
}

// arrayOf returns the elements of name after name=(a b c), name+=(a b c) or
// name[index]=a, when all of them are known.
func (w *walk) arrayOf(a *syntax.Assign, env *environment) (*[]element, bool) {
	old := env.follow(a.Name.Value)
	if old.array == nil && !old.mapped && !old.unset && old != (variable{exported: old.exported}) && (a.Append || a.Index != nil) {
		return nil, false
	}
	var elements []element
	if old.array != nil && (a.Append || a.Array == nil) {
		elements = slices.Clone(*old.array)
	}
	if a.Array == nil {
		key, ok := w.key(a.Index, old, env)
		f := w.assigned(a.Value, env)
		if !ok || !f.known || len(elements) >= maxFieldsPerWord {
			return nil, false
		}
		elements = withElement(elements, key, f.value, a.Append)
		return &elements, true
	}
	next := len(elements)
	for _, e := range a.Array.Elems {
		if e.Value == nil || len(elements) > maxFieldsPerWord {
			return nil, false
		}
		if e.Index != nil {
			key, ok := w.key(e.Index, old, env)
			f := w.assigned(e.Value, env)
			if !ok || !f.known {
				return nil, false
			}
			elements = withElement(elements, key, f.value, false)
			if n, err := strconv.Atoi(key); err == nil {
				next = n + 1
			}
			continue
		}
		for _, f := range w.fields([]*syntax.Word{e.Value}, env) {
			if !f.known || f.written {
				return nil, false
			}
			elements = withElement(elements, strconv.Itoa(next), f.replaced(), false)
			next++
		}
	}
	return &elements, len(elements) <= maxFieldsPerWord
}

// withElement sets the element of a key; with more, its value goes behind the old one.
func withElement(elements []element, key string, v value, more bool) []element {
	v.written = false
	for i := range elements {
		if elements[i].key == key {
			if more {
				v = elements[i].value.and(v)
			}
			elements[i].value = v
			return elements
		}
	}
	return append(elements, element{key, v})
}

// and returns v with another value behind it.
func (v value) and(other value) value {
	return value{
		text: v.text + other.text, path: v.path + other.path,
		literal: v.literal && other.literal, located: v.located && other.located, globbed: v.globbed || other.globbed,
	}
}

// fieldsOf returns elements as the words that they are when quoted.
func fieldsOf(elements []element) []field {
	words := make([]field, len(elements))
	for i, e := range elements {
		words[i] = field{value: e.value, known: true, quoted: strings.ContainsAny(e.value.text, "*?[")}
	}
	return words
}
