package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// SyntaxError says where a settings file is not what Claude Code reads.
type SyntaxError struct {
	// Line and Column are counted from 1, the column in characters.
	Line, Column int
	Message      string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message) }

// byteOrderMark stands before the text that some editors of Windows write.
const byteOrderMark = "\xef\xbb\xbf"

// document is the text of a settings file taken apart so that putting it together
// again gives every byte back.
type document struct {
	mark   []byte // the byte order mark, if there is one
	source []byte // the text behind it
	tree   hujson.Value
	style  style
}

// parse takes a settings file apart. It must be one JSON object, or nothing but white
// space, which stands for an empty one. Every error is a SyntaxError.
func parse(text []byte) (*document, error) {
	d := &document{source: text}
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		d.mark, d.source = text[:len(byteOrderMark)], text[len(byteOrderMark):]
	}
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return nil, d.errorAt(0, "not valid JSON: the file is in UTF-16; save it as UTF-8")
	}
	if len(bytes.TrimSpace(d.source)) == 0 {
		d.tree.Value = &hujson.Object{}
		d.style = styleOf(nil, d.source)
		return d, nil
	}
	// The strict reader of the two goes first: Claude Code takes no comments and no
	// comma at an end. It also bounds the depth that the other one follows.
	if err := json.Unmarshal(d.source, new(json.RawMessage)); err != nil {
		at := len(d.source)
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
			at = int(syntax.Offset) - 1
			if bytes.HasPrefix([]byte(syntax.Error()), []byte("unexpected end")) {
				at = len(d.source)
			}
		}
		return nil, d.errorAt(at, "not valid JSON: "+err.Error())
	}
	tree, err := hujson.Parse(bytes.Clone(d.source))
	if err != nil {
		return nil, d.errorAt(0, "not valid JSON: "+err.Error())
	}
	d.tree = tree
	root, ok := tree.Value.(*hujson.Object)
	if !ok {
		return nil, d.errorAt(tree.StartOffset, "settings are an object in braces, and this is "+describe(tree.Value))
	}
	d.style = styleOf(root, d.source)
	return d, nil
}

// text puts the document together.
func (d *document) text() []byte { return append(bytes.Clone(d.mark), d.tree.Pack()...) }

// root is the object that the settings are.
func (d *document) root() *hujson.Object { return d.tree.Value.(*hujson.Object) }

// errorAt returns an error about the byte of source at an offset.
func (d *document) errorAt(offset int, message string) error {
	before := d.source[:min(max(offset, 0), len(d.source))]
	return &SyntaxError{
		Line:    1 + bytes.Count(before, []byte("\n")),
		Column:  1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]),
		Message: message,
	}
}

// member returns the member of that name, nil when there is none. Of several the last
// one counts, as in JavaScript.
func member(o *hujson.Object, name string) *hujson.ObjectMember {
	for i := len(o.Members) - 1; i >= 0; i-- {
		if nameOf(&o.Members[i]) == name {
			return &o.Members[i]
		}
	}
	return nil
}

// objectOf and arrayOf return a member's value when it is of that kind, else nil.
func objectOf(m *hujson.ObjectMember) *hujson.Object {
	if m == nil {
		return nil
	}
	o, _ := m.Value.Value.(*hujson.Object)
	return o
}

func arrayOf(m *hujson.ObjectMember) *hujson.Array {
	if m == nil {
		return nil
	}
	a, _ := m.Value.Value.(*hujson.Array)
	return a
}

// stringOf returns a member's value when it is a string, else "".
func stringOf(m *hujson.ObjectMember) string {
	if m == nil {
		return ""
	}
	return text(m.Value.Value)
}

// nameOf returns the name of a member.
func nameOf(m *hujson.ObjectMember) string { return text(m.Name.Value) }

// isTrue reports whether a member's value is true.
func isTrue(m *hujson.ObjectMember) bool {
	if m == nil {
		return false
	}
	literal, ok := m.Value.Value.(hujson.Literal)
	return ok && literal.Bool()
}

// text returns the string that a value is, "" when it is something else.
func text(v hujson.ValueTrimmed) string {
	literal, ok := v.(hujson.Literal)
	if !ok || literal.Kind() != '"' {
		return ""
	}
	return literal.String()
}

// describe names the kind of a value for a message.
func describe(v hujson.ValueTrimmed) string {
	switch v.Kind() {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return "true or false"
}
