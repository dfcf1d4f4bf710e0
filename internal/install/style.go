package install

import (
	"bytes"

	"github.com/tailscale/hujson"
)

// style is how a settings file is laid out, so that what is put in looks like the rest.
type style struct {
	newline string // "\n" or "\r\n"; "" for a file on one line
	unit    string // one step of indentation
	space   string // behind a colon, and on one line behind a comma
}

// standard is the layout of a new file, the one that Claude Code writes.
var standard = style{newline: "\n", unit: "  ", space: " "}

// styleOf returns the layout of settings. root is nil when there are none yet.
func styleOf(root *hujson.Object, source []byte) style {
	s := standard
	if bytes.Contains(source, []byte("\r\n")) {
		s.newline = "\r\n"
	}
	if root == nil || len(root.Members) == 0 {
		return s
	}
	first := root.Members[0]
	if len(first.Value.BeforeExtra) == 0 {
		s.space = ""
	}
	indent, ok := indentation(first.Name.BeforeExtra)
	switch {
	case ok:
		s.unit = string(indent)
	case !bytes.Contains(source[:root.Members[len(root.Members)-1].Value.EndOffset], []byte("\n")):
		s.newline = ""
	}
	return s
}

// indentation returns the white space behind the last line break of extra; ok is
// false when there is none.
func indentation(extra hujson.Extra) (indent hujson.Extra, ok bool) {
	at := bytes.LastIndexByte(extra, '\n')
	return extra[at+1:], at >= 0
}

// pair is a name with its value.
type pair struct {
	name  string
	value func(s style, indent string) hujson.ValueTrimmed
}

// literal is a value that looks the same in every layout.
func literal(v hujson.ValueTrimmed) func(style, string) hujson.ValueTrimmed {
	return func(style, string) hujson.ValueTrimmed { return v }
}

// object returns an object; indent is that of the line that it begins on.
func (s style) object(indent string, pairs ...pair) *hujson.Object {
	o := &hujson.Object{}
	for _, p := range pairs {
		s.appendMember(o, indent, p)
	}
	return o
}

// array returns an array of one element.
func (s style) array(indent string, element func(style, string) hujson.ValueTrimmed) *hujson.Array {
	a := &hujson.Array{}
	s.appendElement(a, indent, element)
	return a
}

// appendMember puts a member behind those of an object whose line has that indentation.
func (s style) appendMember(o *hujson.Object, indent string, p pair) {
	var before []hujson.Extra
	for i := range o.Members {
		before = append(before, o.Members[i].Name.BeforeExtra)
	}
	extra, inner, inside := s.next(before, indent, &o.AfterExtra)
	o.Members = append(o.Members, hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: extra, Value: hujson.String(p.name)},
		Value: hujson.Value{BeforeExtra: hujson.Extra(s.space), Value: p.value(inside, inner)},
	})
}

// appendElement puts an element behind those of an array whose line has that indentation.
func (s style) appendElement(a *hujson.Array, indent string, element func(style, string) hujson.ValueTrimmed) {
	var before []hujson.Extra
	for i := range a.Elements {
		before = append(before, a.Elements[i].BeforeExtra)
	}
	extra, inner, inside := s.next(before, indent, &a.AfterExtra)
	a.Elements = append(a.Elements, hujson.Value{BeforeExtra: extra, Value: element(inside, inner)})
}

// next returns the white space before one more element of a container, given that
// before each element which it has, and the indentation and layout of what is in the
// new one. What stands before the closing bracket is changed only where the
// container was empty.
func (s style) next(before []hujson.Extra, indent string, after *hujson.Extra) (extra hujson.Extra, inner string, inside style) {
	if len(before) == 0 {
		if s.newline == "" {
			return nil, indent, s
		}
		inner = indent + s.unit
		*after = hujson.Extra(s.newline + indent)
		return hujson.Extra(s.newline + inner), inner, s
	}
	last := before[len(before)-1]
	if own, ok := indentation(last); ok && s.newline != "" {
		return hujson.Extra(s.newline + string(own)), string(own), s
	}
	inside = s
	inside.newline = ""
	if len(before) > 1 {
		return last, indent, inside
	}
	return hujson.Extra(s.space), indent, inside
}
