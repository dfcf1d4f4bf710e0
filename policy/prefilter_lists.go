package policy

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// notEmpty returns what must hold for a list not to be empty. When it does not hold
// the list is empty and no error.
func (d *derivation) notEmpty(x ast.Expr) condition {
	if !d.spend() {
		return condition{}
	}
	switch x.Kind() {
	case ast.ListKind:
		if x.AsList().Size() == 0 {
			return condition{kind: neverHolds}
		}
	case ast.IdentKind, ast.SelectKind:
		if c, ok := through(d, x, d.known.notEmpty, d.notEmpty); ok {
			return c
		}
		if of := d.elementsOf(x); of.object != "" {
			return condition{kind: literalHolds, subject: objectSubject + of.object, test: isAnything}
		} else if of.subject != "" {
			return condition{kind: literalHolds, subject: of.subject, test: isAnything}
		}
	case ast.ComprehensionKind:
		if step := listStep(x.AsComprehension()); step != nil {
			return d.someKept(x.AsComprehension(), step)
		}
	case ast.CallKind:
		return d.notEmptyCall(x.AsCall())
	}
	return condition{}
}

func (d *derivation) notEmptyCall(c ast.CallExpr) condition {
	switch c.FunctionName() {
	case operators.Add:
		return anyOf(d.notEmpty(c.Args()[0]), d.notEmpty(c.Args()[1]))
	case operators.Conditional:
		return d.choice(c.Args(), d.notEmpty)
	case "distinct":
		if c.IsMemberFunction() {
			return d.notEmpty(c.Target())
		}
	case "flatten":
		if c.IsMemberFunction() && len(c.Args()) == 0 {
			return d.someListNotEmpty(c.Target())
		}
	}
	return condition{}
}

// someKept is the condition of filter() and map(): a list that is not empty, and an
// element that is kept.
func (d *derivation) someKept(c ast.ComprehensionExpr, step *loopStep) condition {
	list := d.notEmpty(c.IterRange())
	if step.condition == nil || !d.safe(c.IterRange()) {
		return list
	}
	defer d.bind(c)()
	return allOf(list, d.isTrue(step.condition))
}

// someListNotEmpty is the condition that a list of lists, made by map() and +, holds
// one that is not empty.
func (d *derivation) someListNotEmpty(x ast.Expr) condition {
	if args := callArgs(x, operators.Add, 2); args != nil {
		return anyOf(d.someListNotEmpty(args[0]), d.someListNotEmpty(args[1]))
	}
	if c, ok := through(d, x, d.known.lists, d.someListNotEmpty); ok {
		return c
	}
	outer := d.notEmpty(x)
	if x.Kind() != ast.ComprehensionKind {
		return outer
	}
	c := x.AsComprehension()
	step := listStep(c)
	if step == nil || !d.safe(c.IterRange()) {
		return outer
	}
	defer d.bind(c)()
	if step.condition != nil && !d.safe(step.condition) {
		return outer
	}
	if d.tree.GetType(step.element.ID()).Kind() != types.ListKind {
		return outer
	}
	return allOf(outer, d.notEmpty(step.element))
}

// loopStep is what map() and filter() do with each element: keep what element says
// when the condition, if there is one, is true.
type loopStep struct{ condition, element ast.Expr }

// listStep recognizes the loops of filter() and map(). parser.MakeFilter and MakeMap
// of cel-go make them.
func listStep(c ast.ComprehensionExpr) *loopStep {
	if c.IterVar2() != "" || c.AccuInit().Kind() != ast.ListKind || c.AccuInit().AsList().Size() != 0 ||
		!isIdent(c.Result(), c.AccuVar()) || c.LoopCondition().Kind() != ast.LiteralKind || c.LoopCondition().AsLiteral() != types.True {
		return nil
	}
	step := &loopStep{}
	add := c.LoopStep()
	if args := callArgs(add, operators.Conditional, 3); args != nil {
		if !isIdent(args[2], c.AccuVar()) {
			return nil
		}
		step.condition, add = args[0], args[1]
	}
	args := callArgs(add, operators.Add, 2)
	if args == nil || !isIdent(args[0], c.AccuVar()) || args[1].Kind() != ast.ListKind || args[1].AsList().Size() != 1 {
		return nil
	}
	step.element = args[1].AsList().Elements()[0]
	return step
}

// existsPredicate recognizes the loop of exists() and returns what it asks of each
// element, nil for another loop.
func existsPredicate(c ast.ComprehensionExpr) ast.Expr {
	if c.IterVar2() != "" || c.AccuInit().Kind() != ast.LiteralKind || c.AccuInit().AsLiteral() != types.False || !isIdent(c.Result(), c.AccuVar()) {
		return nil
	}
	args := callArgs(c.LoopStep(), operators.LogicalOr, 2)
	if args == nil || !isIdent(args[0], c.AccuVar()) {
		return nil
	}
	return args[1]
}

func isIdent(x ast.Expr, name string) bool { return x.Kind() == ast.IdentKind && x.AsIdent() == name }

// callArgs returns the arguments of a call of a global function, nil for another expression.
func callArgs(x ast.Expr, function string, count int) []ast.Expr {
	if x.Kind() != ast.CallKind || x.AsCall().FunctionName() != function || x.AsCall().IsMemberFunction() || len(x.AsCall().Args()) != count {
		return nil
	}
	return x.AsCall().Args()
}

// valuesOf says what an expression is; nothing for what the derivation does not know.
func (d *derivation) valuesOf(x ast.Expr) values {
	if !d.spend() {
		return values{}
	}
	switch x.Kind() {
	case ast.LiteralKind:
		if s, ok := stringLiteral(x); ok {
			return values{constants: []string{s}}
		}
	case ast.IdentKind:
		for i := len(d.scope) - 1; i >= 0; i-- {
			if d.scope[i].name == x.AsIdent() {
				return d.scope[i].element
			}
		}
		if x.AsIdent() == "input" {
			return values{object: "input"}
		}
		// The checker makes one name of "variables.x".
		v, _ := through(d, x, d.known.values, d.valuesOf)
		return v
	case ast.SelectKind:
		s := x.AsSelect()
		if s.IsTestOnly() {
			return values{}
		}
		if of := d.valuesOf(s.Operand()); of.object == "input" {
			return d.subject(s.FieldName())
		} else if of.object != "" {
			return d.subject(of.object + "." + s.FieldName())
		}
	}
	return values{}
}

// subject is a field as a value, when the facts know it.
func (d *derivation) subject(name string) values {
	if isSubject(name) {
		return values{subject: name}
	}
	return values{}
}

// objectOf names the objects in a list of the input, "" for another field.
func objectOf(field string) string {
	switch field {
	case "commands", "scripts", "reads", "writes", "changes":
		return strings.TrimSuffix(field, "s")
	case "git":
		return field
	}
	return ""
}

// elementsOf says what the elements of a list are.
func (d *derivation) elementsOf(x ast.Expr) (v values) {
	if !d.spend() {
		return values{}
	}
	switch x.Kind() {
	case ast.ListKind:
		for _, element := range x.AsList().Elements() {
			constants := d.valuesOf(element).constants
			if len(constants) == 0 {
				return values{}
			}
			v.constants = append(v.constants, constants...)
		}
		return v
	case ast.IdentKind, ast.SelectKind:
		if v, ok := through(d, x, d.known.elements, d.elementsOf); ok {
			return v
		}
		if x.Kind() != ast.SelectKind || x.AsSelect().IsTestOnly() || d.typeOf(x) != types.ListKind && d.typeOf(x) != types.MapKind {
			return values{} // the elements of a map are its keys
		}
		s := x.AsSelect()
		of := d.valuesOf(s.Operand())
		if of.object == "input" {
			return values{object: objectOf(s.FieldName())}
		}
		if of.object != "" {
			return d.subject(of.object + "." + s.FieldName())
		}
	case ast.ComprehensionKind:
		c := x.AsComprehension()
		if step := listStep(c); step != nil {
			defer d.bind(c)()
			return d.valuesOf(step.element)
		}
	case ast.CallKind:
		c := x.AsCall()
		switch {
		case c.FunctionName() == operators.Add:
			return joined(d.elementsOf(c.Args()[0]), d.elementsOf(c.Args()[1]))
		case c.FunctionName() == "distinct" && c.IsMemberFunction():
			return d.elementsOf(c.Target())
		}
	}
	return values{}
}

// joined says what the elements of two lists together are.
func joined(a, b values) values {
	switch {
	case len(a.constants) > 0 && len(b.constants) > 0:
		return values{constants: append(append([]string{}, a.constants...), b.constants...)}
	case a.object != "" && a.object == b.object:
		return values{object: a.object}
	case a.subject != "" && a.subject == b.subject:
		return values{subject: a.subject}
	}
	return values{}
}

func (d *derivation) typeOf(x ast.Expr) types.Kind { return d.tree.GetType(x.ID()).Kind() }

// safeFunctions never fail on arguments of the types the checker gave them.
var safeFunctions = []string{
	operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot, operators.Conditional,
	operators.Equals, operators.NotEquals, operators.In, operators.OldIn, operators.NotStrictlyFalse,
	"size", "contains", "startsWith", "endsWith", "runs", "option", "distinct", "option_values", "calls_with",
}

// safe reports that an expression has a value whatever the call, and never an error.
// What is of type dyn may be anything, and is not safe to do anything with.
func (d *derivation) safe(x ast.Expr) bool {
	if !d.spend() {
		return false
	}
	switch x.Kind() {
	case ast.LiteralKind:
		return true
	case ast.IdentKind, ast.SelectKind:
		if safe, ok := through(d, x, d.known.safe, d.safe); ok {
			return safe
		}
		if x.Kind() == ast.IdentKind {
			return true
		}
		operand := x.AsSelect().Operand()
		return d.typeOf(operand) == types.StructKind && d.safe(operand)
	case ast.ListKind:
		return len(x.AsList().OptionalIndices()) == 0 && d.allSafe(x.AsList().Elements())
	case ast.ComprehensionKind:
		c := x.AsComprehension()
		if listStep(c) == nil && existsPredicate(c) == nil || d.typeOf(c.IterRange()) == types.DynKind || !d.safe(c.IterRange()) {
			return false
		}
		defer d.bind(c)()
		return d.safe(c.LoopStep())
	case ast.CallKind:
		return d.safeCall(x.AsCall())
	}
	return false
}

func (d *derivation) safeCall(c ast.CallExpr) bool {
	operands := c.Args()
	if c.IsMemberFunction() {
		operands = append([]ast.Expr{c.Target()}, operands...)
	}
	for _, x := range operands {
		if d.typeOf(x) == types.DynKind {
			return false
		}
	}
	switch {
	case c.FunctionName() == operators.Add:
		// Numbers overflow; texts and lists do not.
		if kind := d.typeOf(operands[0]); kind != types.StringKind && kind != types.ListKind {
			return false
		}
	case c.FunctionName() == "has_flag" || c.FunctionName() == "calls_to" || c.FunctionName() == "has_import":
		for _, x := range c.Args() {
			if t := d.tree.GetType(x.ID()); t.Kind() == types.ListKind && (len(t.Parameters()) != 1 || t.Parameters()[0].Kind() != types.StringKind) {
				return false
			}
		}
	case c.FunctionName() == "matches":
		if _, constant := stringLiteral(operands[len(operands)-1]); !constant {
			return false
		}
	case !slices.Contains(safeFunctions, c.FunctionName()):
		return false
	}
	return d.allSafe(operands)
}

func (d *derivation) allSafe(list []ast.Expr) bool {
	for _, x := range list {
		if !d.safe(x) {
			return false
		}
	}
	return true
}
