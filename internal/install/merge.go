package install

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Edit is what is made of the text of a settings file.
type Edit struct {
	Text []byte
	// Done says what was changed; nothing when nothing was.
	Done []Remark
	// Notes say what was found and left as it is.
	Notes []Remark
}

// Changed reports whether there was something to change.
func (e *Edit) Changed() bool { return len(e.Done) > 0 }

// Remark is one thing that is so for the hooks of some events.
type Remark struct {
	Events []string `json:"events"`
	Text   string   `json:"text"`
}

// String returns the remark as a line.
func (r Remark) String() string {
	if len(r.Events) == len(Events) {
		return "every event: " + r.Text
	}
	return strings.Join(r.Events, ", ") + ": " + r.Text
}

// remark adds one for an event to those that there are.
func remark(all []Remark, event, format string, args ...any) []Remark {
	text := fmt.Sprintf(format, args...)
	for i := range all {
		if all[i].Text == text {
			all[i].Events = append(all[i].Events, event)
			return all
		}
	}
	return append(all, Remark{[]string{event}, text})
}

// Merge puts the hooks of claudewatch, which is the program at that path, into the
// text of a settings file. Hooks of claudewatch that are there already are brought up
// to date where they stand. Everything else keeps every byte. Text that is not valid
// JSON, or whose hooks are of a shape that nothing can be put into, is a SyntaxError.
func Merge(text []byte, program string) (*Edit, error) {
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	m := &merger{document: d, program: program, edit: &Edit{}}
	if err := m.merge(); err != nil {
		return nil, err
	}
	m.edit.Text = text
	if m.edit.Changed() {
		m.edit.Text = d.text()
		if len(bytes.TrimSpace(d.source)) == 0 {
			m.edit.Text = append(m.edit.Text, d.style.newline...)
		}
	}
	return m.edit, nil
}

// merger merges into one document.
type merger struct {
	*document
	program string
	edit    *Edit
}

func (m *merger) done(e Event, format string, args ...any) {
	m.edit.Done = remark(m.edit.Done, e.Name, format, args...)
}

func (m *merger) note(e Event, format string, args ...any) {
	m.edit.Notes = remark(m.edit.Notes, e.Name, format, args...)
}

func (m *merger) merge() error {
	root := m.root()
	entry := member(root, "hooks")
	if entry == nil {
		m.style.appendMember(root, "", pair{"hooks", func(s style, indent string) hujson.ValueTrimmed {
			hooks := &hujson.Object{}
			for _, e := range Events {
				s.appendMember(hooks, indent, m.event(e))
				m.done(e, added)
			}
			return hooks
		}})
		return nil
	}
	hooks := objectOf(entry)
	if hooks == nil {
		return m.errorAt(entry.Value.StartOffset, `"hooks" is `+describe(entry.Value.Value)+" and must be an object; mend it, or take it out")
	}
	// All shapes are looked at before the first change: an error leaves the file alone.
	for _, e := range Events {
		if at := member(hooks, e.Name); at != nil && arrayOf(at) == nil {
			return m.errorAt(at.Value.StartOffset, fmt.Sprintf("%q is %s and must be an array; mend it, or take it out", e.Name, describe(at.Value.Value)))
		}
	}
	indent := m.style.lineOf(entry.Name.BeforeExtra, "")
	for _, e := range Events {
		at := member(hooks, e.Name)
		switch {
		case at == nil:
			m.style.appendMember(hooks, indent, m.event(e))
			m.done(e, added)
		case !m.update(e, arrayOf(at)):
			m.style.appendElement(arrayOf(at), m.style.lineOf(at.Name.BeforeExtra, indent), m.group(e))
			m.done(e, added)
		}
	}
	return nil
}

// added is the remark on a hook that was not there.
const added = "added"

// mixed is the remark on a hook that is left alone.
const mixed = "left as it is, since it does more than run claudewatch: %s"

// lineOf returns the indentation of the line of something that has extra before it.
func (s style) lineOf(extra hujson.Extra, indent string) string {
	if own, ok := indentation(extra); ok {
		return string(own)
	}
	return indent
}

// event is the member for an event with the hook of claudewatch alone.
func (m *merger) event(e Event) pair {
	return pair{e.Name, func(s style, indent string) hujson.ValueTrimmed {
		return s.array(indent, m.group(e))
	}}
}

// group is an element of an event: a matcher and the hook of claudewatch.
func (m *merger) group(e Event) func(style, string) hujson.ValueTrimmed {
	return func(s style, indent string) hujson.ValueTrimmed {
		var pairs []pair
		if e.OfTools {
			pairs = append(pairs, pair{"matcher", literal(hujson.String("*"))})
		}
		return s.object(indent, append(pairs, pair{"hooks", func(s style, indent string) hujson.ValueTrimmed {
			return s.array(indent, m.handler(e))
		}})...)
	}
}

// handler is the hook of claudewatch for an event.
func (m *merger) handler(e Event) func(style, string) hujson.ValueTrimmed {
	return func(s style, indent string) hujson.ValueTrimmed {
		pairs := []pair{
			{"type", literal(hujson.String("command"))},
			{"command", literal(hujson.String(m.program))},
			{"args", literal(arguments([]string{hookWord}, s.space))},
			{"timeout", literal(hujson.Int(Timeout))},
		}
		if e.Name == preToolUse {
			pairs = append(pairs, pair{"onFailure", literal(hujson.String(OnFailure))})
		}
		return s.object(indent, pairs...)
	}
}

// arguments is an array of strings on one line.
func arguments(args []string, space string) *hujson.Array {
	a := &hujson.Array{}
	for i, arg := range args {
		v := hujson.Value{Value: hujson.String(arg)}
		if i > 0 {
			v.BeforeExtra = hujson.Extra(space)
		}
		a.Elements = append(a.Elements, v)
	}
	return a
}

// update brings the hooks of claudewatch for an event up to date, and reports whether
// there are any.
func (m *merger) update(e Event, groups *hujson.Array) bool {
	all := entriesOf(groups)
	kept := keeper(all)
	found := false
	var gone []*hujson.Object
	for i, h := range all {
		switch kind, args := classify(h.Handler); {
		case kind == Mixed:
			found = true
			m.note(e, mixed, h)
		case kind == Custom:
			found = true
			m.bring(e, h, args)
			m.note(e, "keeps its arguments: %s", strings.Join(args, " "))
		case kind == Plain && i != kept:
			// Run twice it would decide, and record, twice.
			gone = append(gone, h.object)
			m.done(e, "took out a second hook of claudewatch")
		case kind == Plain && !m.widen(e, h):
			gone = append(gone, h.object)
		case kind == Plain:
			found = true
			m.bring(e, h, args)
		}
	}
	removeHooks(groups, gone)
	return found
}

// keeper returns which hook of an event stays: the first that runs for every tool, or
// else the first; -1 when there is none.
func keeper(all []entry) int {
	first := -1
	for i, h := range all {
		switch {
		case KindOf(h.Handler) != Plain:
		case MatchesAll(h.matcher()):
			return i
		case first < 0:
			first = i
		}
	}
	return first
}

// widen makes the group of a hook run for every tool. It reports false when others are
// in it, whose matcher is theirs.
func (m *merger) widen(e Event, h entry) bool {
	matcher := h.matcher()
	if MatchesAll(matcher) {
		return true
	}
	others := func(other entry) bool { return KindOf(other.Handler) != Plain }
	if slices.ContainsFunc(handlersIn(h.group), others) {
		m.done(e, "took the hook out of a group for %s, which others share", matcher)
		return false
	}
	m.done(e, "the hook runs for every call, not only for %s", matcher)
	member(h.group, "matcher").Value.Value = hujson.String("*")
	return true
}

// bring brings one hook up to date.
func (m *merger) bring(e Event, h entry, args []string) {
	if h.Command != m.program {
		m.done(e, "runs %s instead of %s", m.program, h)
		m.put(h.object, "command", hujson.String(m.program))
	}
	if !h.HasArgs {
		m.put(h.object, "args", arguments(args, m.style.space))
		if h.Command == m.program {
			m.done(e, "runs without a shell")
		}
	} else if !slices.Equal(h.Args, args) {
		m.put(h.object, "args", arguments(args, m.style.space))
		m.done(e, "runs with the argument %s", hookWord)
	}
	if h.Timeout < Timeout {
		m.put(h.object, "timeout", hujson.Int(Timeout))
		m.done(e, "the timeout is %d seconds", Timeout)
	}
	if e.Name == preToolUse && h.OnFailure == "" {
		m.put(h.object, "onFailure", hujson.String(OnFailure))
		m.done(e, "a hook that fails blocks the call, in versions of Claude Code that know onFailure")
	}
}

// put sets a member of a hook. A new one has the layout of those before it.
func (m *merger) put(o *hujson.Object, name string, value hujson.ValueTrimmed) {
	if at := member(o, name); at != nil {
		at.Value.Value = value
		return
	}
	last := o.Members[len(o.Members)-1]
	s := m.style
	s.space = string(last.Value.BeforeExtra)
	s.appendMember(o, "", pair{name, literal(value)})
}

// MatchesAll reports whether a matcher is one of those that match every tool.
func MatchesAll(matcher string) bool {
	return slices.Contains([]string{"", "*", ".*", "^.*$"}, matcher)
}
