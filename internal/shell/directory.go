package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// affect changes the environment as the shell's own commands do.
func (w *walk) affect(c *call) {
	if !c.inShell {
		return
	}
	if c.isFunction() {
		c.env.forgetAll(&c.env.definitions.functions[c.words[0].text].changes)
		return
	}
	words := c.words[1:]
	switch c.words[0].text {
	case "cd", "chdir":
		c.env.dir = w.target(c.env, words)
	case "pushd":
		w.pushd(c.env, words)
	case "popd":
		popd(c.env, words)
	case "alias":
		for _, f := range words {
			if name, text, ok := strings.Cut(f.text, "="); ok && f.known {
				c.env.definitions.aliases[name] = text
			}
		}
	case "hash":
		if len(words) == 3 && words[0].text == "-p" && words[1].known {
			c.env.definitions.aliases[words[2].text] = words[1].text
		}
	case "unalias":
		for _, f := range words {
			delete(c.env.definitions.aliases, f.text)
		}
	case "export":
		for _, f := range words {
			if v := c.env.lookup(f.text); v.known {
				v.exported = true
				c.env.set(f.text, v)
			}
		}
	case "eval":
		if code := w.join(words, c.env); len(code.walked) > 0 {
			c.env.dir, c.env.stack = "", nil
		}
	case "set":
		switch {
		case len(words) > 0 && words[0].text == "--":
			c.env.setPositional(words[1:])
		case len(words) > 0 && words[0].known && !strings.HasPrefix(words[0].text, "-") && !strings.HasPrefix(words[0].text, "+"):
			c.env.setPositional(words)
		}
	case "shopt", "setopt":
		w.dotglob = w.dotglob || setsDotglob(c.words[0].text, words)
	case "shift":
		shift(c.env, words)
	case "unset":
		for _, f := range words {
			if syntax.ValidName(f.text) {
				c.env.set(f.text, variable{unset: true})
			}
		}
	case "read", "mapfile", "readarray", "printf", "getopts":
		w.assigns(c)
	}
}

// target returns the directory that cd goes to, "" when it is not known.
func (w *walk) target(env *environment, words []field) string {
	for len(words) > 0 && len(words[0].text) > 1 && words[0].text[0] == '-' {
		dashes := words[0].text == "--"
		if !dashes && strings.Trim(words[0].text[1:], "LPe@") != "" {
			return "" // zsh's cd -2
		}
		words = words[1:]
		if dashes {
			break
		}
	}
	switch {
	case len(words) == 0:
		return w.context.Home
	case len(words) > 1 || words[0].text == "-" || env.lookup("CDPATH") != (variable{}):
		return ""
	}
	return join(env.dir, located(&words[0]))
}

func (w *walk) pushd(env *environment, words []field) {
	if len(words) == 0 { // swaps the two on top
		if n := len(env.stack); n > 0 && env.dir != "" {
			rest := env.stack[: n-1 : n-1]
			env.dir, env.stack = env.stack[n-1], append(rest, env.dir)
			return
		}
		env.dir, env.stack = "", nil
		return
	}
	if strings.HasPrefix(words[0].text, "+") || len(env.stack) > maxNesting {
		env.dir, env.stack = "", nil
		return
	}
	env.stack = append(env.stack[:len(env.stack):len(env.stack)], env.dir)
	env.dir = w.target(env, words)
}

func popd(env *environment, words []field) {
	n := len(env.stack)
	if n == 0 || len(words) > 0 {
		env.dir, env.stack = "", nil
		return
	}
	env.dir, env.stack = env.stack[n-1], env.stack[:n-1]
}

// shift takes the first positional parameters away.
func shift(env *environment, words []field) {
	n, err := 1, error(nil)
	if len(words) > 0 {
		n, err = strconv.Atoi(words[0].text)
	}
	all := env.lookup("@").array
	if all == nil || err != nil || n < 0 {
		env.setPositional(nil)
		return
	}
	if n > len(*all) {
		return
	}
	env.setPositional(fieldsOf((*all)[n:]))
}
