package shell

import (
	"strings"

	"github.com/claudewatch/claudewatch/internal/script"
)

// scriptTargets lists the files that a script which a command runs would use, as far
// as its calls name them.
func (w *walk) scriptTargets(c *call, n *nested, env *environment) {
	if n.code == nil || c.place.remote {
		return
	}
	for _, use := range script.FileUses(n.language, n.code.text) {
		f := w.scriptField(use, len(n.code.walked) > 0, env)
		w.addTarget(target{
			op: use.Op, via: programName(c.words[0]), dir: env.dir, field: f, recursive: use.Recursive, switches: env.switches,
		})
	}
}

// scriptField returns the path that a call in a script is given as a word. expanded
// says that the shell puts something into the script that is not known.
func (w *walk) scriptField(use script.FileUse, expanded bool, env *environment) field {
	name := use.Path
	unknown := field{value: value{text: use.Source}, quoted: true}
	switch {
	case name == "", expanded && strings.ContainsAny(name, "$`"):
		return unknown
	case name == "~" || strings.HasPrefix(name, "~/"):
		name = "$HOME" + name[1:]
	}
	for variable, path := range map[string]string{"$HOME": w.context.Home, "${HOME}": w.context.Home, "$PWD": env.dir, "${PWD}": env.dir} {
		if rest, ok := strings.CutPrefix(name, variable); ok && (rest == "" || rest[0] == '/') {
			if path == "" {
				return unknown
			}
			name = path + rest
		}
	}
	if use.Moved && !strings.HasPrefix(name, "/") {
		return unknown
	}
	f := literalField(name)
	f.text = use.Path
	f.quoted, f.word = true, noGlob
	return f
}
