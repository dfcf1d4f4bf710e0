package install

import "github.com/tailscale/hujson"

// Settings is what settings of Claude Code say about hooks.
type Settings struct {
	// Hooks are in the order of the file.
	Hooks []Hook
	// DisableAllHooks is set where hooks are switched off.
	DisableAllHooks bool
	// ManagedHooksOnly is allowManagedHooksOnly: in managed settings it leaves the hooks
	// of all others out.
	ManagedHooksOnly bool
	// Env are the environment variables that Claude Code gives to hooks.
	Env map[string]string
	// Plugins says of plugins, by NAME@MARKETPLACE, whether they are on.
	Plugins map[string]bool
}

// Hook is one hook with what it is for.
type Hook struct {
	Event   string
	Matcher string
	Handler
}

// Read reads the text of a settings file, or of the hooks.json of a plugin. What it
// does not know, and what is not of its shape, it passes over, as Claude Code does.
// Text that is not valid JSON is a SyntaxError.
func Read(text []byte) (*Settings, error) {
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	root := d.root()
	s := &Settings{
		DisableAllHooks:  isTrue(member(root, "disableAllHooks")),
		ManagedHooksOnly: isTrue(member(root, "allowManagedHooksOnly")),
		Env:              map[string]string{},
		Plugins:          map[string]bool{},
	}
	if env := objectOf(member(root, "env")); env != nil {
		for i := range env.Members {
			s.Env[nameOf(&env.Members[i])] = stringOf(&env.Members[i])
		}
	}
	if plugins := objectOf(member(root, "enabledPlugins")); plugins != nil {
		for i := range plugins.Members {
			s.Plugins[nameOf(&plugins.Members[i])] = isTrue(&plugins.Members[i])
		}
	}
	hooks := objectOf(member(root, "hooks"))
	if hooks == nil {
		return s, nil
	}
	last := make(map[string]int, len(hooks.Members))
	for i := range hooks.Members {
		last[nameOf(&hooks.Members[i])] = i
	}
	for i := range hooks.Members {
		if name := nameOf(&hooks.Members[i]); last[name] == i {
			s.Hooks = append(s.Hooks, hooksOf(name, arrayOf(&hooks.Members[i]))...)
		}
	}
	return s, nil
}

// hooksOf returns the hooks of an event.
func hooksOf(event string, groups *hujson.Array) []Hook {
	if groups == nil {
		return nil
	}
	var all []Hook
	for _, h := range entriesOf(groups) {
		all = append(all, Hook{event, h.matcher(), h.Handler})
	}
	return all
}

// entry is a hook as it stands in a document.
type entry struct {
	Handler
	object *hujson.Object
	group  *hujson.Object // which has its matcher
}

// matcher returns the matcher of the hook, "" when it has none.
func (h entry) matcher() string { return stringOf(member(h.group, "matcher")) }

// entriesOf returns the hooks in the groups of an event, in their order.
func entriesOf(groups *hujson.Array) []entry {
	var all []entry
	for i := range groups.Elements {
		if group, ok := groups.Elements[i].Value.(*hujson.Object); ok {
			all = append(all, handlersIn(group)...)
		}
	}
	return all
}

// handlersIn returns the hooks of a group.
func handlersIn(group *hujson.Object) []entry {
	handlers := handlersOf(group)
	if handlers == nil {
		return nil
	}
	var all []entry
	for i := range handlers.Elements {
		if h, ok := handlerOf(handlers.Elements[i].Value); ok {
			all = append(all, entry{h, handlers.Elements[i].Value.(*hujson.Object), group})
		}
	}
	return all
}

// handlersOf returns the array of the hooks of a group, nil when there is none.
func handlersOf(group hujson.ValueTrimmed) *hujson.Array {
	o, ok := group.(*hujson.Object)
	if !ok {
		return nil
	}
	return arrayOf(member(o, "hooks"))
}

// handlerOf reads one hook; ok is false when it is no object.
func handlerOf(v hujson.ValueTrimmed) (h Handler, ok bool) {
	o, ok := v.(*hujson.Object)
	if !ok {
		return Handler{}, false
	}
	h = Handler{
		Type:      stringOf(member(o, "type")),
		Command:   stringOf(member(o, "command")),
		OnFailure: stringOf(member(o, "onFailure")),
		Async:     isTrue(member(o, "async")),
		If:        stringOf(member(o, "if")),
	}
	if args := arrayOf(member(o, "args")); args != nil {
		h.HasArgs = true
		for i := range args.Elements {
			h.Args = append(h.Args, text(args.Elements[i].Value))
		}
	}
	if m := member(o, "timeout"); m != nil {
		if number, ok := m.Value.Value.(hujson.Literal); ok {
			h.Timeout = number.Float()
		}
	}
	return h, true
}
