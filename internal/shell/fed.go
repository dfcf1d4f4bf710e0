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

// feed marks the words of a command that xargs adds to, when what it adds is not
// known: the word that it replaces, or else more operands behind the last one.
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
	words := c.words
	c.words = nil
	for _, f := range words {
		if f.known && strings.Contains(f.text, l.replace) {
			f.literal, f.located = false, false
		}
		c.words = append(c.words, f)
	}
}
