package policy

import (
	"fmt"
	"sync"

	"github.com/claudewatch/claudewatch/internal/cel"
)

// Image is what units are read from.
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
	u.image.variables = d.place()
	u.image.identities = d.place()
	u.image.count = d.int()
	u.image.found = d.bool()
	u.image.rules = d.string()
	if u.image.count > len(u.image.rules) {
		d.fail()
	}
	return u
}

func (d *imageDecoder) head(h *ruleHead) {
	h.name = d.string()
	h.listed = Action(d.choice(int(Ask)))
	h.on = Event(d.choice(int(PostToolUse)))
	h.checks = d.bool()
	h.needs = d.string()
	h.found = d.findings()
	h.body = d.string()
}

// place is where a body lies. Without a length there is none.
type place struct {
	offset, length int
	sum            uint32
}

func (d *imageDecoder) place() place {
	length := d.int()
	if length == 0 {
		return place{}
	}
	return place{length: length, offset: d.int(), sum: uint32(d.int())}
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
	image      *Image
	variables  place
	identities place
	count      int    // of the rules
	found      bool   // something, about one of the rules
	rules      string // the heads of the rules

	once     sync.Once
	compiled *Unit

	variablesOnce sync.Once
}

// heads iterates over the rules. Of heads that are damaged, which the checksum of a
// cache leaves improbable, come rules that can match anything and whose bodies cannot
// be had.
func (s *storedUnit) heads(yield func(i int, h *ruleHead) bool) {
	d := imageDecoder{reader{rest: s.rules}}
	var h ruleHead
	for i := range s.count {
		if d.head(&h); d.err != nil {
			h = ruleHead{name: "damaged", listed: Block, checks: true}
		}
		if !yield(i, &h) {
			return
		}
	}
}

// readBody returns the body of a rule.
func (s *storedUnit) readBody(h *ruleHead) (string, error) {
	d := imageDecoder{reader{rest: h.body}}
	at := d.place()
	if err := d.end(); err != nil {
		return "", err
	}
	return s.read(at)
}

// read returns a body that is as it was written.
func (s *storedUnit) read(at place) (string, error) {
	body, err := s.image.Body(at.offset, at.length)
	if err == nil && (len(body) != at.length || checksum(body)>>1 != at.sum) {
		err = errImage
	}
	return body, err
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

// storedBody reads rule i, whose head is h. One that is damaged is taken from the rule
// file; when that cannot be had its expression fails, which counts as a match.
func (u *Unit) storedBody(i int, h *ruleHead) ruleBody {
	content, err := u.image.readBody(h)
	if err == nil {
		if b, err := u.decodeBody(content, i, h); err == nil {
			return b
		}
	}
	if compiled := u.compiled(); compiled != nil && compiled.set != nil && len(compiled.rules) == u.image.count {
		return compiled.rules[i].ruleBody
	}
	b := ruleBody{rule: &Rule{Name: h.name, Listed: h.listed, On: h.on}}
	if h.checks {
		b.checked = &Checked{stored: &storedExpression{unit: u, kind: storedRule, number: i}}
	}
	return b
}

func (u *Unit) decodeBody(content string, i int, h *ruleHead) (ruleBody, error) {
	d := &imageDecoder{reader{rest: content}}
	r := &Rule{Name: h.name, Listed: h.listed, On: h.on}
	r.Position = d.position()
	r.Target = Target(d.choice(int(TargetEverything)))
	r.Reason, r.Suggest, r.Ref = d.string(), d.string(), d.string()
	b := ruleBody{rule: r, checked: d.expression(u, r.Position, storedRule, i), message: d.expression(u, r.Position, storedMessage, i)}
	err := d.end()
	if err == nil && h.checks != (b.checked != nil) {
		err = errImage
	}
	return b, err
}

// variable returns the variable of the set that a rule calls by a qualified name, nil
// when there is none.
func (u *Unit) variable(name string) *variable {
	if u.image != nil {
		u.image.variablesOnce.Do(u.readVariables)
	}
	return u.variables[name]
}

// readVariables reads the variables of the set. Those that are damaged are taken from
// the rule file; without it there are none, and the rules that use one fail.
func (u *Unit) readVariables() {
	content, err := u.image.read(u.image.variables)
	d := &imageDecoder{reader{rest: content}}
	if err != nil {
		d.fail()
	}
	n := d.count()
	u.variables = make(map[string]*variable, n)
	for i := range n {
		name, position := d.string(), d.position()
		u.variables[variablesPrefix+name] = &variable{checked: d.expression(u, position, storedVariable, i)}
	}
	if d.end() == nil {
		return
	}
	u.variables = nil
	if compiled := u.compiled(); compiled != nil {
		u.variables = compiled.variables
	}
}

// expression reads where an expression lies; nil when there is none.
func (d *imageDecoder) expression(u *Unit, position Position, kind storedKind, number int) *Checked {
	at := d.place()
	if at.length == 0 {
		return nil
	}
	return &Checked{stored: &storedExpression{unit: u, position: position, kind: kind, number: number, at: at}}
}

type storedKind int

const (
	storedRule storedKind = iota
	storedMessage
	storedVariable
)

// storedExpression is an expression of an image.
type storedExpression struct {
	unit     *Unit
	position Position // of the rule or variable
	kind     storedKind
	number   int // of the rule or variable in the unit
	at       place
}

// tree reads the expression. A body that is damaged is not used: the rule file is
// compiled in its place.
func (s *storedExpression) tree() (cel.Expression, error) {
	if body, err := s.unit.image.read(s.at); err == nil {
		if tree, err := decodeAST(body); err == nil {
			return tree, nil
		}
	}
	compiled := s.compiled()
	if compiled == nil {
		return cel.Expression{}, fmt.Errorf("the expression cannot be read: %w", errImage)
	}
	return compiled.tree()
}

// compiled returns the expression of the rule file itself, nil when that has been changed.
func (s *storedExpression) compiled() *Checked {
	u := s.unit.compiled()
	if u == nil || u.set == nil || len(u.rules) != s.unit.image.count {
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
