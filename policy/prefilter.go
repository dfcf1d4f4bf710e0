package policy

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// The prefilter tells, before anything is planned, that a rule cannot match a call.
//
// From a rule's checked expression it derives a condition on what the rule would
// look at: literal texts of which some must be there for the expression to be true.
// It is tested on the very values that the expression sees, the parsed command with
// its quotes, variables and wrappers resolved, so that no way of writing a command
// makes a difference between the two.
//
// The one thing that must hold, for every call:
//
//	when the condition is false, the expression is false, and not an error
//
// An error counts as a match. That is why a condition on the elements of a list is
// used only where neither the list nor what is asked of its elements can fail
// (derivation.safe), and why "a && b" needs only one operand to be certainly false:
// to CEL, false && error is false.

// needs returns the encoded condition of a checked rule; "" when it can match anything.
// Variables are those of its set.
func needs(rule *Checked, variables map[string]*variable) (encoded string) {
	defer func() {
		if r := recover(); r != nil {
			encoded = "" // a fault of the derivation costs time and no verdict
		}
	}()
	d := &derivation{variables: variables, budget: maxDerivation, known: known{
		true_: map[string]condition{}, false_: map[string]condition{}, notEmpty: map[string]condition{}, lists: map[string]condition{},
		values: map[string]values{}, elements: map[string]values{}, safe: map[string]bool{},
	}}
	d.enter(rule)
	c := d.isTrue(d.tree.Expr())
	if d.budget <= 0 || c.kind == alwaysHolds || c.size() > maxLiterals {
		return ""
	}
	var w writer
	encodeCondition(&w, c)
	return string(w.bytes)
}

// maxDerivation bounds the work on one rule.
const maxDerivation = 20_000

// derivation derives a condition from one expression.
type derivation struct {
	tree      *ast.AST
	variables map[string]*variable
	scope     []binding // the loops around an expression, innermost last
	budget    int
	known     known
}

// known keeps what has been derived of the variables of the set, which depends on
// nothing around them.
type known struct {
	true_, false_, notEmpty, lists map[string]condition
	values, elements               map[string]values
	safe                           map[string]bool
}

// binding is a variable of a loop and what it stands for.
type binding struct {
	name    string
	element values
}

// values says what an expression, or each element of a list, is.
type values struct {
	// object is "input", "command", "script", "read", "write", "git" or "change"; "" when
	// it is another thing.
	object string
	// subject names the strings it is one of.
	subject string
	// constants are the strings it is one of.
	constants []string
}

// enter looks at another expression. A variable's ids are of its own tree.
func (d *derivation) enter(c *Checked) (leave func()) {
	tree, scope := d.tree, d.scope
	d.tree, d.scope = c.AST, nil
	return func() { d.tree, d.scope = tree, scope }
}

// through looks at the variable of the set that an expression names: it returns what
// visit says of the variable's own expression, and whether there is one.
func through[T any](d *derivation, x ast.Expr, known map[string]T, visit func(ast.Expr) T) (result T, found bool) {
	reference := d.tree.ReferenceMap()[x.ID()]
	if reference == nil {
		return result, false
	}
	v, ok := d.variables[reference.Name]
	if !ok || v.checked.AST == nil {
		return result, false
	}
	if result, ok = known[reference.Name]; ok {
		return result, true
	}
	leave := d.enter(v.checked)
	defer leave()
	result = visit(d.tree.Expr())
	known[reference.Name] = result
	return result, true
}

func (d *derivation) spend() bool {
	d.budget--
	return d.budget > 0
}

// isTrue returns what must hold for an expression of type bool to be true. When it
// does not hold the expression is false and no error.
func (d *derivation) isTrue(x ast.Expr) condition {
	if !d.spend() {
		return condition{}
	}
	switch x.Kind() {
	case ast.LiteralKind:
		if x.AsLiteral() == types.False {
			return condition{kind: neverHolds}
		}
	case ast.IdentKind, ast.SelectKind:
		if c, ok := through(d, x, d.known.true_, d.isTrue); ok {
			return c
		}
		return d.hasValue(x, "true")
	case ast.ComprehensionKind:
		if predicate := existsPredicate(x.AsComprehension()); predicate != nil {
			return d.someElement(x.AsComprehension(), predicate)
		}
	case ast.CallKind:
		return d.call(x.AsCall())
	}
	return condition{}
}

// isFalse returns what must hold for an expression of type bool to be false. When it
// does not hold the expression is true and no error.
func (d *derivation) isFalse(x ast.Expr) condition {
	if !d.spend() {
		return condition{}
	}
	switch x.Kind() {
	case ast.LiteralKind:
		if x.AsLiteral() == types.True {
			return condition{kind: neverHolds}
		}
	case ast.IdentKind, ast.SelectKind:
		if c, ok := through(d, x, d.known.false_, d.isFalse); ok {
			return c
		}
		return d.hasValue(x, "false")
	case ast.CallKind:
		args := x.AsCall().Args()
		switch x.AsCall().FunctionName() {
		case operators.LogicalNot:
			return d.isTrue(args[0])
		case operators.LogicalAnd:
			return anyOf(d.isFalse(args[0]), d.isFalse(args[1]))
		case operators.LogicalOr:
			return allOf(d.isFalse(args[0]), d.isFalse(args[1]))
		case operators.Equals:
			if size := d.sizeCompared(args, func(n int64) bool { return n == 0 }); size != nil {
				return d.notEmpty(size)
			}
		}
	}
	return condition{}
}

// hasValue is the condition that a field of type bool has a value.
func (d *derivation) hasValue(x ast.Expr, value string) condition {
	if subject := d.valuesOf(x).subject; subject != "" && d.typeOf(x) == types.BoolKind {
		return condition{kind: literalHolds, subject: subject, test: equals, literals: []string{value}}
	}
	return condition{}
}

// someElement is the condition of exists(): a list that is not empty, and an element
// of which the predicate is true.
func (d *derivation) someElement(c ast.ComprehensionExpr, predicate ast.Expr) condition {
	list := d.notEmpty(c.IterRange())
	if !d.safe(c.IterRange()) {
		return list // it may be an error, whatever is asked of its elements
	}
	defer d.bind(c)()
	return allOf(list, d.isTrue(predicate))
}

// bind enters the body of a loop.
func (d *derivation) bind(c ast.ComprehensionExpr) (leave func()) {
	scope := d.scope
	d.scope = append(slices.Clip(scope), binding{c.IterVar(), d.elementsOf(c.IterRange())}, binding{name: c.AccuVar()})
	if c.IterVar2() != "" {
		d.scope = append(d.scope, binding{name: c.IterVar2()})
	}
	return func() { d.scope = scope }
}

// call is isTrue for a call.
func (d *derivation) call(c ast.CallExpr) condition {
	args := c.Args()
	switch c.FunctionName() {
	case operators.LogicalNot:
		return d.isFalse(args[0])
	case operators.LogicalAnd:
		return allOf(d.each(args)...)
	case operators.LogicalOr:
		return anyOf(d.each(args)...)
	case operators.Conditional:
		return d.choice(args, d.isTrue)
	case operators.Equals:
		if size := d.sizeCompared(args, func(n int64) bool { return n > 0 }); size != nil {
			return d.notEmpty(size)
		}
		if c := d.compared(args[0], args[1], equals); c.kind != alwaysHolds {
			return c
		}
		return d.compared(args[1], args[0], equals)
	case operators.NotEquals, operators.Greater:
		if size := d.sizeCompared(args, func(n int64) bool { return n >= 0 && (n == 0 || c.FunctionName() == operators.Greater) }); size != nil {
			return d.notEmpty(size)
		}
		if c.FunctionName() == operators.NotEquals {
			return d.compared(args[0], args[1], differs)
		}
	case operators.GreaterEquals:
		if size := d.sizeCompared(args, func(n int64) bool { return n > 0 }); size != nil {
			return d.notEmpty(size)
		}
	case operators.In, operators.OldIn:
		return d.in(args[0], args[1])
	case "contains", "startsWith", "endsWith":
		if c.IsMemberFunction() {
			return d.compared(c.Target(), args[0], contains)
		}
	case "matches":
		return d.matches(c)
	case "runs":
		return d.runs(c)
	case "has_flag":
		return d.hasFlag(c)
	}
	return condition{}
}

// choice is the condition of "c ? a : b", of which needs says what must hold for either.
func (d *derivation) choice(args []ast.Expr, needs func(ast.Expr) condition) condition {
	if !d.safe(args[0]) {
		// When c cannot be true it is false, and no error; when it can, it may be one.
		return anyOf(d.isTrue(args[0]), needs(args[2]))
	}
	return anyOf(allOf(d.isTrue(args[0]), needs(args[1])), allOf(d.isFalse(args[0]), needs(args[2])))
}

func (d *derivation) each(list []ast.Expr) []condition {
	conditions := make([]condition, len(list))
	for i, x := range list {
		conditions[i] = d.isTrue(x)
	}
	return conditions
}

// sizeCompared returns the list of size(list) compared with a number that is accepted.
func (d *derivation) sizeCompared(args []ast.Expr, accepted func(int64) bool) ast.Expr {
	if args[0].Kind() != ast.CallKind || args[0].AsCall().FunctionName() != "size" || args[1].Kind() != ast.LiteralKind {
		return nil
	}
	number, ok := args[1].AsLiteral().(types.Int)
	if !ok || !accepted(int64(number)) {
		return nil
	}
	if c := args[0].AsCall(); c.IsMemberFunction() {
		return c.Target()
	} else {
		return c.Args()[0]
	}
}

// compared is the condition that a value equals or contains one of some constants.
func (d *derivation) compared(value, constant ast.Expr, test literalTest) condition {
	subject, literals := d.valuesOf(value).subject, d.valuesOf(constant).constants
	if subject == "" || len(literals) == 0 || d.typeOf(value) != types.StringKind {
		return condition{}
	}
	if test == differs && len(literals) != 1 {
		return condition{}
	}
	return condition{kind: literalHolds, subject: subject, test: test, literals: literals}
}

func (d *derivation) in(element, list ast.Expr) condition {
	of := d.elementsOf(list)
	if subject, literals := d.valuesOf(element).subject, of.constants; subject != "" && len(literals) > 0 && d.typeOf(element) == types.StringKind {
		return condition{kind: literalHolds, subject: subject, test: equals, literals: literals}
	}
	if literals := d.valuesOf(element).constants; of.subject != "" && len(literals) > 0 {
		return condition{kind: literalHolds, subject: of.subject, test: equals, literals: literals}
	}
	return condition{}
}

// matches is the condition of text.matches(regex) and matches(text, regex).
func (d *derivation) matches(c ast.CallExpr) condition {
	operands := c.Args()
	if c.IsMemberFunction() {
		operands = append([]ast.Expr{c.Target()}, operands...)
	}
	subject, patterns := d.valuesOf(operands[0]).subject, d.valuesOf(operands[1]).constants
	if subject == "" || len(patterns) != 1 {
		return condition{}
	}
	var conditions []condition
	for _, clause := range requiredLiterals(patterns[0]) {
		test := contains
		if clause.fold {
			test = containsFold
		}
		conditions = append(conditions, condition{kind: literalHolds, subject: subject, test: test, literals: clause.literals})
	}
	return allOf(conditions...)
}

// runs is the condition of c.runs("program word …"): predicates.Runs.
func (d *derivation) runs(c ast.CallExpr) condition {
	texts := d.valuesOf(c.Args()[0]).constants
	if !c.IsMemberFunction() || d.valuesOf(c.Target()).object != "command" || len(texts) == 0 {
		return condition{}
	}
	var alternatives []condition
	for _, text := range texts {
		words := strings.Fields(text)
		if len(words) == 0 {
			continue // is false
		}
		parts := []condition{{kind: literalHolds, subject: "command.program", test: equals, literals: words[:1]}}
		for _, word := range words[1:] {
			parts = append(parts, condition{kind: literalHolds, subject: "command.word", test: equals, literals: []string{word}})
		}
		alternatives = append(alternatives, allOf(parts...))
	}
	return anyOf(alternatives...)
}

// hasFlag is the condition of c.has_flag(…).
func (d *derivation) hasFlag(c ast.CallExpr) condition {
	if !c.IsMemberFunction() || d.valuesOf(c.Target()).object != "command" {
		return condition{}
	}
	var literals []string
	for _, arg := range c.Args() {
		found := d.valuesOf(arg).constants
		if d.typeOf(arg) == types.ListKind {
			found = d.elementsOf(arg).constants
		}
		if len(found) == 0 {
			return condition{}
		}
		literals = append(literals, found...)
	}
	return condition{kind: literalHolds, subject: "command.option", test: isFlag, literals: literals}
}
