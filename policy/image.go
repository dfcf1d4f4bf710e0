package policy

import (
	"cmp"
	"fmt"
	"slices"
)

// An image holds units: rule files compiled, checked and stored. It has an index,
// which is read at every start, and bodies.
//
//	index   units with their findings, and of each rule the head (unit.go), which
//	        tells whether it can match a call
//	bodies  rules and the variables of sets, which are read for the rules that can,
//	        expressions (wire_ast.go), and the identities of rules (packed.go); where
//	        one is mentioned its place and its checksum stand
//
// Nothing here says whether an image fits its rule files and this program: who keeps
// an image stores what tells it in front of the index.

// ImageFormat is the version of the format. Whatever changes the bytes, or what
// lowering makes of a rule, makes it another one.
const ImageFormat = 5

// EncodeUnits returns the index and the bodies of units. The bytes depend on nothing
// but the units. It is an error when a unit cannot be stored.
func EncodeUnits(units []*Unit) (index, bodies []byte, err error) {
	e := &imageEncoder{}
	e.index.int(len(units))
	for _, u := range units {
		if u.transient || u.set == nil || u.image != nil {
			return nil, nil, fmt.Errorf("the unit cannot be stored: %v", u.found)
		}
		e.unit(u)
	}
	return e.index.bytes, e.bodies, e.err
}

type imageEncoder struct {
	index  writer
	bodies []byte
	err    error
}

func (e *imageEncoder) unit(u *Unit) {
	w, s := &e.index, u.set
	w.int(int(u.scope))
	w.string(s.Path)
	w.string(s.Name)
	e.position(s.NamePosition)
	w.string(s.Description)
	w.bool(s.DefaultOn)
	e.findings(u.found)
	e.findings(u.setFound)
	e.body(func() {
		var variables []CheckedVariable
		if u.environment != nil {
			variables = u.environment.Variables
		}
		e.index.int(len(variables))
		for _, v := range variables {
			e.index.string(v.Name)
			e.position(v.Position)
			e.expression(v.Checked)
		}
	})
	e.body(func() {
		for i := range u.rules {
			e.index.bytes = append(e.index.bytes, cmp.Or(u.rules[i].identity, noIdentity)...)
		}
	})
	e.index.int(len(u.rules))
	e.index.bool(slices.ContainsFunc(u.rules, func(r unitRule) bool { return len(r.found) > 0 }))
	e.index.string(string(e.apart(func() {
		for i := range u.rules {
			e.rule(&u.rules[i])
		}
	})))
}

// apart returns what write appends to the index, which stays as it is.
func (e *imageEncoder) apart(write func()) []byte {
	index := e.index
	e.index = writer{}
	write()
	written := e.index.bytes
	e.index = index
	return written
}

// body writes what write does to the bodies, and to the index where it is.
func (e *imageEncoder) body(write func()) { e.place(e.apart(write)) }

func (e *imageEncoder) rule(r *unitRule) {
	e.index.string(r.name)
	e.index.int(int(r.listed))
	e.index.int(int(r.on))
	e.index.bool(r.checks)
	e.index.string(r.needs)
	e.findings(r.found)
	e.index.string(string(e.apart(func() {
		e.body(func() {
			e.position(r.rule.Position)
			e.index.int(int(r.rule.Target))
			e.index.string(r.rule.Reason)
			e.index.string(r.rule.Suggest)
			e.index.string(r.rule.Ref)
			e.expression(r.checked)
			e.expression(r.message)
		})
	})))
}

func (e *imageEncoder) position(p Position) {
	e.index.int(p.Line)
	e.index.int(p.Column)
}

func (e *imageEncoder) findings(found []Diagnostic) {
	w := &e.index
	w.int(len(found))
	for _, d := range found {
		w.string(d.Path)
		e.position(d.Position)
		w.int(d.Width)
		w.int(int(d.Severity))
		w.string(d.Code)
		w.string(d.Message)
		w.string(d.SourceLine)
	}
}

// expression appends an expression to the bodies and says where it is; a length of 0
// stands for none.
func (e *imageEncoder) expression(c *Checked) {
	if c == nil {
		e.index.int(0)
		return
	}
	encoded, err := c.content()
	if err != nil && e.err == nil {
		e.err = err
	}
	e.place(encoded)
}

// place appends a body to the bodies and says where it is; nothing has no place.
func (e *imageEncoder) place(body []byte) {
	e.index.int(len(body))
	if len(body) == 0 {
		return
	}
	e.index.int(len(e.bodies))
	e.index.int(int(checksum(body) >> 1))
	e.bodies = append(e.bodies, body...)
}
