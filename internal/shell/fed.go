package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// apart walks statements in a shell of their own, of which only the branches that it
// switches are left behind.
func (w *walk) apart(list []*syntax.Stmt, env *environment, p place) {
	inner := env.fork()
	w.statements(list, inner, p)
	env.keepSwitches(inner)
}

// isPlaceheld reports whether something is put into a path before it is used: find
// and xargs do so in the words, and also in shell text that is one of them.
func (w *walk) isPlaceheld(name string) bool {
	if strings.Contains(name, "{}") {
		return true
	}
	for _, placeholder := range w.placeholders {
		if strings.Contains(name, placeholder) {
			return true
		}
	}
	return false
}

// withPatterns gives the words in which xargs -I puts the name of a file the patterns of the
// names on its input. A word that is nothing but the placeholder becomes one for each
// pattern; in any other there can be only one.
func withPatterns(words []field, replace string, found []string) []field {
	if replace == "" || len(found) == 0 {
		return words
	}
	var out []field
	for _, f := range words {
		if f.located || !strings.Contains(f.text, replace) || f.text != replace && len(found) > 1 {
			out = append(out, f)
			continue
		}
		for _, pattern := range found {
			f.known, f.pattern = false, filled(f.text, replace, pattern)
			out = append(out, f)
		}
	}
	return out
}

// operandsFed returns what stands for the operands that a command is given more.
func (c *call) operandsFed() []field {
	if len(c.found) == 0 {
		return []field{{}}
	}
	fields := make([]field, len(c.found))
	for i, pattern := range c.found {
		fields[i].pattern = pattern
	}
	return fields
}

// feed marks a command that xargs adds to, when what it adds is not known: more
// operands behind the last one, or what it puts in the place of a word.
func (w *walk) feed(c *call, l *launch, given place) {
	switch l.name {
	case "xargs", "gxargs":
	default:
		return
	}
	if l.replace == "" {
		c.fed = given.input == nil || len(given.input.walked) > 0
		c.found = given.found
		return
	}
	if !contains(w.placeholders, l.replace) && len(w.placeholders) < maxDepth {
		w.placeholders = append(w.placeholders, l.replace)
	}
}
