package policy

import (
	"fmt"
	"sync"

	"github.com/google/cel-go/common/ast"
)

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
	d := &imageDecoder{reader: reader{rest: index}}
	units := make([]*Unit, d.count())
	for i := range units {
		units[i] = d.unit(image)
	}
	if err := d.end(); err != nil {
		return nil, err
	}
	return units, nil
}

type imageDecoder struct{ reader }

// end returns the error of reading; it is one that something is left.
func (d *imageDecoder) end() error {
	if d.err == nil && d.rest != "" {
		d.fail()
	}
	return d.err
}

func (d *imageDecoder) unit(image *Image) *Unit {
	u := &Unit{scope: Scope(d.choice(int(Given))), image: &storedUnit{image: image}}
	s := &RuleSet{Path: d.string(), Name: d.string(), unit: u}
	u.set = s
	s.NamePosition = d.position()
	s.Description = d.string()
	s.DefaultOn = d.bool()
	u.found, u.setFound = d.findings(), d.findings()
	u.image.variables = d.string()
	u.rules = make([]unitRule, d.count())
	for i := range u.rules {
		r := &u.rules[i]
		r.name = d.string()
		r.listed = Action(d.choice(int(Ask)))
		r.on = Event(d.choice(int(PostToolUse)))
		r.checks = d.bool()
		r.needs = d.string()
		r.found = d.findings()
		r.stored = d.string()
	}
	return u
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

// storedUnit is what a unit of an image knows of where it came from.
type storedUnit struct {
	image     *Image
	variables string // as they are stored

	once     sync.Once
	compiled *Unit

	variablesOnce sync.Once
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

// storedBody reads the body of rule i. What cannot be read is an expression that fails,
// which counts as a match.
func (u *Unit) storedBody(i int) ruleBody {
	head := &u.rules[i].ruleHead
	d := &imageDecoder{reader{rest: u.rules[i].stored}}
	r := &Rule{Name: head.name, Listed: head.listed, On: head.on}
	r.Position = d.position()
	r.Target = Target(d.choice(int(TargetEverything)))
	r.Reason, r.Suggest, r.Ref = d.string(), d.string(), d.string()
	b := ruleBody{rule: r, checked: d.body(u, r.Position, storedRule, i), message: d.body(u, r.Position, storedMessage, i)}
	if (d.end() != nil || b.checked == nil) && head.checks {
		b.checked = &Checked{stored: &storedExpression{unit: u, position: r.Position, kind: storedRule, number: i}}
	}
	return b
}

// variable returns the variable of the set that a rule calls by a qualified name, nil
// when there is none.
func (u *Unit) variable(name string) *variable {
	if u.image != nil {
		u.image.variablesOnce.Do(u.readVariables)
	}
	return u.variables[name]
}

func (u *Unit) readVariables() {
	d := &imageDecoder{reader{rest: u.image.variables}}
	n := d.count()
	u.variables = make(map[string]*variable, n)
	for i := range n {
		name, position := d.string(), d.position()
		u.variables[variablesPrefix+name] = &variable{checked: d.body(u, position, storedVariable, i)}
	}
}

// body reads where an expression lies; nil when there is none.
func (d *imageDecoder) body(u *Unit, position Position, kind storedKind, number int) *Checked {
	length := d.int()
	if length == 0 {
		return nil
	}
	return &Checked{stored: &storedExpression{
		unit: u, position: position, kind: kind, number: number,
		length: length, offset: d.int(), sum: uint32(d.int()),
	}}
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
