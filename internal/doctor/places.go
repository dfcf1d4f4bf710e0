package doctor

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/corpus"
	"github.com/claudewatch/claudewatch/internal/install"
	"github.com/claudewatch/claudewatch/internal/lazyregexp"
	"github.com/claudewatch/claudewatch/internal/regular"
)

// place is where hooks come from: a settings file, or the hooks of a plugin.
type place struct {
	// scope is that of a settings file; plugin the name of a plugin, "" for settings.
	scope    install.Scope
	plugin   string
	path     string
	root     string // of a plugin
	settings *install.Settings
}

// remedy is the command that puts the hooks of a place right.
func (p *place) remedy() string {
	switch {
	case p.plugin != "":
		return "make the plugin anew from this version: docs/install.md says how"
	case p.scope == install.User:
		return "claudewatch install"
	}
	return "claudewatch install --" + string(p.scope)
}

// hook is a hook of claudewatch in its place.
type hook struct {
	*place
	install.Hook
	kind install.Kind
}

// remedy is what puts the hook right: install leaves text alone that does more than run
// claudewatch.
func (h *hook) remedy() string {
	if h.kind == install.Mixed || h.kind == install.Foreign {
		return "take the hook out of " + h.place.path + " and run " + h.place.remedy()
	}
	return h.place.remedy()
}

// command returns the hook as something that can be run.
func (h *hook) command() corpus.Command {
	if h.HasArgs {
		return corpus.Command{Program: h.Command, Args: h.Args}
	}
	return corpus.Command{Shell: h.Command}
}

// installations is all that was found of hooks on a machine.
type installations struct {
	places   []*place
	problems []problem
	own      []*hook // claudewatch's
	others   []*hook
}

// problem is a file that cannot be read.
type problem struct {
	path string
	err  error
}

// String names the file, and the place in it where there is one.
func (p problem) String() string {
	if errors.As(p.err, new(*fs.PathError)) {
		return p.err.Error()
	}
	return p.path + ":" + p.err.Error()
}

// installations looks for hooks, once.
func (m *Machine) installations() *installations {
	if m.found != nil {
		return m.found
	}
	m.found = &installations{}
	for _, at := range m.files() {
		m.found.read(at)
	}
	for _, at := range m.plugins() {
		m.found.read(at)
	}
	return m.found
}

// files returns where settings may be, those with the last word first.
func (m *Machine) files() []*place {
	where := m.settings()
	var all []*place
	for _, path := range where.ManagedFiles() {
		all = append(all, &place{scope: install.Managed, path: path})
	}
	for _, scope := range []install.Scope{install.Local, install.Project, install.User} {
		path := ""
		if file, err := where.File(scope); err == nil {
			path = file.Path
		} else if of := (*fs.PathError)(nil); errors.As(err, &of) {
			path = of.Path // reading it says why
		}
		if path == "" || slices.ContainsFunc(all, func(p *place) bool { return p.path == path }) {
			continue // of a project in the home directory
		}
		all = append(all, &place{scope: scope, path: path})
	}
	return all
}

// read reads the hooks of a place; one that is not there has none.
func (all *installations) read(at *place) {
	source, err := regular.ReadFile(at.path, install.MaxSize)
	if errors.Is(err, fs.ErrNotExist) && at.plugin == "" {
		return
	}
	if err == nil {
		at.settings, err = install.Read(source)
	}
	if err != nil {
		all.problems = append(all.problems, problem{at.path, err})
		return
	}
	all.places = append(all.places, at)
	for _, h := range at.settings.Hooks {
		found := &hook{at, h, install.KindOf(h.Handler)}
		if found.kind != install.Foreign || isGuard(h.Handler) {
			all.own = append(all.own, found)
		} else {
			all.others = append(all.others, found)
		}
	}
}

// guardText is shell text that runs claudewatch in a way that install does not read, or
// one of the guards by the name that it has as a script.
var guardText = lazyregexp.New(`(?i)(^|[\s"'/\\(=])claudewatch(\.exe)?["')]*\s+hook\b|(^|[\s"'/\\])(guard-main|require-plan)(\.\w+)?(["'\s;]|$)`)

func isGuard(h install.Handler) bool {
	return h.Type == "command" && guardText().MatchString(h.String())
}

// plugins returns the hooks of the plugins named claudewatch that are installed and not
// switched off. Where Claude Code keeps them is that of its versions 1 and 2 of
// plugins/installed_plugins.json.
func (m *Machine) plugins() []*place {
	directory := m.settings().Configuration()
	if directory == "" {
		return nil
	}
	source, err := regular.ReadFile(filepath.Join(directory, "plugins", "installed_plugins.json"), install.MaxSize)
	if err != nil {
		return nil
	}
	var list struct {
		Plugins map[string]json.RawMessage `json:"plugins"`
	}
	if json.Unmarshal(source, &list) != nil {
		return nil
	}
	var names []string
	for name := range list.Plugins {
		if plugin, _, _ := strings.Cut(name, "@"); plugin == "claudewatch" && m.isOn(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var all []*place
	for _, name := range names {
		for _, root := range installPaths(list.Plugins[name]) {
			all = append(all, &place{plugin: name, root: root, path: filepath.Join(root, "hooks", "hooks.json")})
		}
	}
	return all
}

// isOn reports whether settings switch a plugin on: those with the last word decide.
func (m *Machine) isOn(plugin string) bool {
	for _, p := range m.found.places {
		if on, ok := p.settings.Plugins[plugin]; ok {
			return on
		}
	}
	return false
}

// installPaths returns the folders of a plugin, of which version 1 has one.
func installPaths(entry json.RawMessage) []string {
	type installation struct {
		Path string `json:"installPath"`
	}
	var several []installation
	if json.Unmarshal(entry, &several) != nil {
		several = make([]installation, 1)
		if json.Unmarshal(entry, &several[0]) != nil {
			return nil
		}
	}
	var paths []string
	for _, one := range several {
		if one.Path != "" && !slices.Contains(paths, one.Path) {
			paths = append(paths, one.Path)
		}
	}
	return paths
}

// distinct returns the hooks of claudewatch, each command of a place once, those before
// calls first.
func (all *installations) distinct() []*hook {
	var list []*hook
	for _, before := range []bool{true, false} {
		for _, h := range all.own {
			same := func(o *hook) bool {
				return o.String() == h.String() && o.place.root == h.place.root && o.HasArgs == h.HasArgs
			}
			if (h.Event == preToolUse) == before && !slices.ContainsFunc(list, same) {
				list = append(list, h)
			}
		}
	}
	return list
}

// preToolUse is the event before a call, the one whose hook decides.
const preToolUse = "PreToolUse"

// expanded returns the command of a hook with the places of this machine written out.
func (m *Machine) expanded(h *hook) corpus.Command {
	return h.command().Expand(map[string]string{
		"HOME":               m.Environment.Home,
		"CLAUDE_PROJECT_DIR": m.settings().Project(),
		"CLAUDE_PLUGIN_ROOT": h.place.root,
	})
}
