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

// feed marks a command that xargs adds to, when what it adds is not known: more
// operands behind the last one, or what it puts in the place of a word.
func (w *walk) feed(c *call, l *launch) {
	switch l.name {
	case "xargs", "gxargs":
	default:
		return
	}
	if l.replace == "" {
		c.fed = c.place.input == nil || len(c.place.input.walked) > 0
		return
	}
	if !contains(w.placeholders, l.replace) && len(w.placeholders) < maxDepth {
		w.placeholders = append(w.placeholders, l.replace)
	}
}
