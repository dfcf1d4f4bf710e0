package policy

import (
	"fmt"
	"strings"
	"sync"

	"github.com/claudewatch/claudewatch/predicates"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/ast"
)

// An image holds units: rule files compiled, checked and stored. It has an index,
// which says of each rule what judging most calls needs, and bodies, the checked
// expressions, each of which is read when its rule is planned.
//
//	index   units with their findings, rules, and where the bodies lie
//	bodies  expressions (wire_ast.go), each with a checksum in the index
//
// Nothing here says whether an image fits its rule files and this program: who keeps
// an image stores what tells it in front of the index.

// imageFormat is the version of the format. Whatever changes the bytes, or what
// lowering makes of a rule, makes it another one.
const imageFormat = 2

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
	var variables []CheckedVariable
	if u.environment != nil {
		variables = u.environment.Variables
	}
	w.int(len(variables))
	for _, v := range variables {
		w.string(v.Name)
		e.position(v.Position)
		e.body(v.Checked)
	}
	w.int(len(u.rules))
	for i := range u.rules {
		e.rule(&u.rules[i])
	}
}

func (e *imageEncoder) rule(r *unitRule) {
	w := &e.index
	w.string(r.rule.Name)
	e.position(r.rule.Position)
	w.int(int(r.rule.Listed))
	w.int(int(r.rule.On))
	w.int(int(r.rule.Target))
	w.string(r.rule.Reason)
	w.string(r.rule.Suggest)
	w.string(r.rule.Ref)
	w.string(r.needs)
	e.findings(r.found)
	e.body(r.checked)
	e.body(r.message)
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

// body appends an expression to the bodies and says in the index where it is; a
// length of 0 stands for none.
func (e *imageEncoder) body(c *Checked) {
	if c == nil {
		e.index.int(0)
		return
	}
	encoded, err := encodeAST(c.AST)
	if err != nil && e.err == nil {
		e.err = err
	}
	e.index.int(len(encoded))
	e.index.int(len(e.bodies))
	e.index.int(int(checksum(encoded) >> 1))
	e.bodies = append(e.bodies, encoded...)
}

// Image is the place that units are read from.
type Image struct {
	// Body returns a part of the bodies.
	Body func(offset, length int) (string, error)
	// Source returns a rule file as it was when it was stored; an error when it has
	// been changed since. It is asked for when a rule's text is wanted: to show where
	// an evaluation failed.
	Source func(path string) ([]byte, error)
}

// DecodeUnits reads the index of an image. The error is about a damaged one.
func DecodeUnits(index string, image *Image) ([]*Unit, error) {
	d := &imageDecoder{reader{rest: index}, image}
	units := make([]*Unit, d.count())
	for i := range units {
		units[i] = d.unit()
	}
	if d.err == nil && d.rest != "" {
		d.fail()
	}
	if d.err != nil {
		return nil, d.err
	}
	return units, nil
}

type imageDecoder struct {
	reader
	image *Image
}

func (d *imageDecoder) unit() *Unit {
	u := &Unit{scope: Scope(d.choice(int(Given))), image: &storedUnit{image: d.image}}
	s := &RuleSet{Path: d.string(), Name: d.string(), unit: u}
	u.set = s
	s.NamePosition = d.position()
	s.Description = d.string()
	s.DefaultOn = d.bool()
	u.found, u.setFound = d.findings(), d.findings()
	if n := d.count(); n > 0 {
		u.variables = make(map[string]*variable, n)
		for i := range n {
			name, position := d.string(), d.position()
			s.Variables = append(s.Variables, Variable{Name: name, Position: position})
			u.variables[variablesPrefix+name] = &variable{checked: d.body(nil, u, position, storedVariable, i)}
		}
	}
	n := d.count()
	// One piece of memory for all rules of a kind: this runs at every start.
	rules := make([]Rule, n)
	expressions := make([]storedChecked, n)
	s.Rules, u.rules = make([]*Rule, n), make([]unitRule, n)
	for i := range rules {
		s.Rules[i] = &rules[i]
		u.rules[i].rule = &rules[i]
		d.rule(u, i, &expressions[i])
	}
	return u
}

// storedChecked is a Checked of an image.
type storedChecked struct {
	Checked
	storedExpression
}

// choice reads a value of an enumeration that ends with last.
func (d *imageDecoder) choice(last int) int {
	n := d.int()
	if n > last {
		d.fail()
		return 0
	}
	return n
}

func (d *imageDecoder) rule(u *Unit, i int, expression *storedChecked) {
	stored := &u.rules[i]
	r := stored.rule
	r.Name, r.Position = d.string(), d.position()
	r.Listed = Action(d.choice(int(Ask)))
	r.On = Event(d.choice(int(PostToolUse)))
	r.Target = Target(d.choice(int(TargetEverything)))
	r.Reason, r.Suggest, r.Ref = d.string(), d.string(), d.string()
	stored.needs = d.string()
	stored.found = d.findings()
	stored.checked = d.body(expression, u, r.Position, storedRule, i)
	stored.message = d.body(nil, u, r.Position, storedMessage, i)
}

func (d *imageDecoder) position() Position { return Position{d.int(), d.int()} }

func (d *imageDecoder) findings() []Diagnostic {
	n := d.count()
	if n == 0 {
		return nil
	}
	found := make([]Diagnostic, n)
	for i := range found {
		f := &found[i]
		f.Path, f.Position, f.Width = d.string(), d.position(), d.int()
		f.Severity = Severity(d.choice(int(Warning)))
		f.Code, f.Message, f.SourceLine = d.string(), d.string(), d.string()
	}
	return found
}

// body reads where an expression lies, into c unless it is nil.
func (d *imageDecoder) body(c *storedChecked, u *Unit, position Position, kind storedKind, number int) *Checked {
	length := d.int()
	if length == 0 {
		return nil
	}
	if c == nil {
		c = &storedChecked{}
	}
	c.storedExpression = storedExpression{
		unit: u, position: position, kind: kind, number: number,
		length: length, offset: d.int(), sum: uint32(d.int()),
	}
	c.stored = &c.storedExpression
	return &c.Checked
}

// storedUnit is what a unit of an image knows of where it came from.
type storedUnit struct {
	image    *Image
	once     sync.Once
	compiled *Unit
}

// compiled compiles the unit's rule file once more; nil when it has been changed.
func (u *Unit) compiled() *Unit {
	if u.image == nil {
		return u
	}
	u.image.once.Do(func() {
		if source, err := u.image.image.Source(u.set.Path); err == nil {
			u.image.compiled = CompileUnit(File{Path: u.set.Path, Scope: u.scope, Source: source})
		}
	})
	return u.image.compiled
}

type storedKind int

const (
	storedRule storedKind = iota
	storedMessage
	storedVariable
)

// storedExpression is an expression of an image.
type storedExpression struct {
	unit           *Unit
	position       Position // of the rule or variable
	kind           storedKind
	number         int // of the rule or variable in the unit
	offset, length int
	sum            uint32
}

// tree reads the expression. A body that is damaged is not used: the rule file is
// compiled in its place.
func (s *storedExpression) tree() (*ast.AST, error) {
	body, err := s.unit.image.image.Body(s.offset, s.length)
	if err == nil && len(body) == s.length && checksum(body)>>1 == s.sum {
		if tree, err := decodeAST(body); err == nil {
			return tree, nil
		}
	}
	compiled := s.compiled()
	if compiled == nil {
		return nil, fmt.Errorf("the expression cannot be read: %w", errImage)
	}
	return compiled.tree()
}

// compiled returns the expression of the rule file itself, nil when that has been changed.
func (s *storedExpression) compiled() *Checked {
	u := s.unit.compiled()
	if u == nil || u.set == nil || len(u.rules) != len(s.unit.rules) {
		return nil
	}
	switch s.kind {
	case storedRule:
		return u.rules[s.number].checked
	case storedMessage:
		return u.rules[s.number].message
	}
	if u.environment == nil || s.number >= len(u.environment.Variables) {
		return nil
	}
	return u.environment.Variables[s.number].Checked
}

// Fingerprint tells what rules can name and how they are stored: units that were
// stored under another one do not fit this program.
var Fingerprint = sync.OnceValue(func() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d", imageFormat)
	for _, f := range predicates.Functions() {
		for _, o := range f.Overloads {
			b.WriteString("\n" + o.ID + " " + o.Signature)
		}
	}
	for _, t := range schema.ObjectTypes() {
		b.WriteString("\n" + t.Type.TypeName())
		for _, f := range t.Fields {
			b.WriteString(" " + f.Name + ":" + f.Type.String())
		}
	}
	return fmt.Sprintf("%08x", checksum(b.String()))
})
