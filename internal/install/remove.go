package install

import (
	"bytes"
	"slices"

	"github.com/tailscale/hujson"
)

// Remove takes the hooks of claudewatch out of the text of a settings file, and the
// containers that this makes empty. Hooks of others stay.
//
// before is the text from before they were put in, nil when it is not known. When the
// file has not been changed since, before is what comes back, byte for byte; else
// containers that were empty in it stay. Text is nil when the file held nothing else
// and there was none before.
func Remove(text, before []byte) (*Edit, error) {
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	r := &remover{document: d, edit: &Edit{}}
	if before != nil {
		original, err := parse(before)
		if err != nil || hasHooks(before) {
			before = nil // it is no text from before
		} else {
			r.before = objectOf(member(original.root(), "hooks"))
		}
	}
	r.remove()
	switch {
	case !r.edit.Changed():
		r.edit.Text = text
	case before != nil && mergesTo(before, r.program, text):
		r.edit.Text = before
	case mergesTo(nil, r.program, text):
		r.edit.Text = nil
	default:
		r.edit.Text = d.text()
	}
	return r.edit, nil
}

// mergesTo reports whether text is what Merge makes of before.
func mergesTo(before []byte, program string, text []byte) bool {
	edit, err := Merge(before, program)
	return err == nil && bytes.Equal(edit.Text, text)
}

// remover takes hooks out of one document.
type remover struct {
	*document
	before  *hujson.Object // the hooks from before, nil when there were none
	program string         // what the first hook that is taken out runs
	edit    *Edit
}

func (r *remover) remove() {
	root := r.root()
	hooks := objectOf(member(root, "hooks"))
	if hooks == nil {
		return
	}
	for i := 0; i < len(hooks.Members); i++ {
		name, groups := nameOf(&hooks.Members[i]), arrayOf(&hooks.Members[i])
		if groups == nil || !r.fromEvent(name, groups) || len(groups.Elements) > 0 {
			continue
		}
		if r.before != nil && member(r.before, name) != nil {
			groups.AfterExtra = nil
			continue
		}
		removeMember(hooks, i)
		i--
	}
	if !r.edit.Changed() || len(hooks.Members) > 0 {
		return
	}
	hooks.AfterExtra = nil
	if r.before != nil {
		return
	}
	for i := range root.Members {
		if objectOf(&root.Members[i]) == hooks {
			removeMember(root, i)
			break
		}
	}
	if len(root.Members) == 0 {
		root.AfterExtra = nil
	}
}

// fromEvent takes the hooks out of the groups of an event, and reports whether there
// were any.
func (r *remover) fromEvent(name string, groups *hujson.Array) bool {
	var gone []*hujson.Object
	for _, h := range entriesOf(groups) {
		switch KindOf(h.Handler) {
		case Mixed:
			r.edit.Notes = remark(r.edit.Notes, name, mixed, h)
		case Plain, Custom:
			if r.program == "" {
				r.program = h.Command
			}
			gone = append(gone, h.object)
			r.edit.Done = remark(r.edit.Done, name, "took out %s", h)
		}
	}
	removeHooks(groups, gone)
	return len(gone) > 0
}

// removeHooks takes hooks out of the groups of an event, and the groups that this makes
// empty.
func removeHooks(groups *hujson.Array, gone []*hujson.Object) {
	for i := len(groups.Elements) - 1; i >= 0 && len(gone) > 0; i-- {
		handlers := handlersOf(groups.Elements[i].Value)
		if handlers == nil {
			continue
		}
		before := len(handlers.Elements)
		for j := before - 1; j >= 0; j-- {
			if h, ok := handlers.Elements[j].Value.(*hujson.Object); ok && slices.Contains(gone, h) {
				removeElement(handlers, j)
			}
		}
		if before > 0 && len(handlers.Elements) == 0 {
			removeElement(groups, i)
		}
	}
}

// removeElement takes an element out of an array. What comes first then keeps the
// white space that the first had; what comes last has none, which would stand for a
// comma behind it.
func removeElement(a *hujson.Array, i int) {
	if i == 0 && len(a.Elements) > 1 {
		a.Elements[1].BeforeExtra = a.Elements[0].BeforeExtra
	}
	a.Elements = append(a.Elements[:i], a.Elements[i+1:]...)
	if n := len(a.Elements); n > 0 {
		a.Elements[n-1].AfterExtra = nil
	}
}

// removeMember does that in an object.
func removeMember(o *hujson.Object, i int) {
	if i == 0 && len(o.Members) > 1 {
		o.Members[1].Name.BeforeExtra = o.Members[0].Name.BeforeExtra
	}
	o.Members = append(o.Members[:i], o.Members[i+1:]...)
	if n := len(o.Members); n > 0 {
		o.Members[n-1].Value.AfterExtra = nil
	}
}
