package policy

import (
	"fmt"
	"maps"
	"slices"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

const codeArgs = "args"

// adviseArgs finds arguments that a condition reads without asking whether the call
// has them: for a call without one the condition fails, and a failure is a match.
func adviseArgs(r *CompiledRule) []Diagnostic {
	a := &argsAdvisor{checked: r.Checked, said: map[string]bool{}}
	var conditions []ast.Expr
	for _, root := range partRoots(r.Checked) {
		if root.part.Kind == PartWhen {
			conditions = append(conditions, root.expr)
		}
	}
	for _, x := range conditions {
		a.visit(x, nil)
	}
	return a.all
}

// argsAdvisor walks a condition. What is certain at a place is the set of the
// arguments that the call has whenever that place decides.
type argsAdvisor struct {
	checked *Checked
	said    map[string]bool
	all     []Diagnostic
}

func (a *argsAdvisor) visit(x ast.Expr, certain map[string]bool) {
	switch x.Kind() {
	case ast.SelectKind, ast.CallKind:
		if name, ok := a.argument(x); ok {
			a.read(x, name, certain)
			return
		}
	case ast.ComprehensionKind:
		c := x.AsComprehension()
		a.visit(c.IterRange(), certain)
		a.visit(c.LoopStep(), certain)
		a.visit(c.Result(), certain)
		return
	}
	if x.Kind() == ast.SelectKind {
		if !x.AsSelect().IsTestOnly() {
			a.visit(x.AsSelect().Operand(), certain)
		}
		return
	}
	operands := operandsOf(x)
	if x.Kind() == ast.CallKind {
		// In a chain of && one side that is false hides the failure of another.
		switch x.AsCall().FunctionName() {
		case operators.LogicalAnd:
			operands = conjuncts(x)
			for _, o := range operands {
				certain = with(certain, a.asked(o, false))
			}
		case operators.LogicalOr:
			for _, o := range operands {
				certain = with(certain, a.asked(o, true))
			}
		case operators.Conditional:
			a.visit(operands[0], certain)
			a.visit(operands[1], with(certain, a.asked(operands[0], false)))
			a.visit(operands[2], with(certain, a.asked(operands[0], true)))
			return
		}
	}
	for _, o := range operands {
		a.visit(o, certain)
	}
}

// read notes an argument that is read where it is not certain, once.
func (a *argsAdvisor) read(x ast.Expr, name string, certain map[string]bool) {
	if certain[name] || a.said[name] {
		return
	}
	a.said[name] = true
	ask := "has(input.args." + name + ")"
	if !isIdentifier(name) {
		ask = fmt.Sprintf("%q in input.args", name)
	}
	a.all = append(a.all, a.checked.advise(codeArgs, x, fmt.Sprintf("a call without '%s' makes this an error, which counts as a match: write %s && …", name, ask))...)
}

// argument returns the name that input.args.name and input.args["name"] read.
func (a *argsAdvisor) argument(x ast.Expr) (string, bool) {
	switch {
	case x.Kind() == ast.SelectKind && !x.AsSelect().IsTestOnly() && a.isArgs(x.AsSelect().Operand()):
		return x.AsSelect().FieldName(), true
	case x.Kind() == ast.CallKind && x.AsCall().FunctionName() == operators.Index && a.isArgs(x.AsCall().Args()[0]):
		return stringLiteral(x.AsCall().Args()[1])
	}
	return "", false
}

func (a *argsAdvisor) isArgs(x ast.Expr) bool {
	return a.checked.isField(x, schema.InputType, "args")
}

// asked returns the arguments that a call has when an expression is true, or when
// it is false.
func (a *argsAdvisor) asked(x ast.Expr, isFalse bool) []string {
	var all []string
	switch x.Kind() {
	case ast.SelectKind:
		if !isFalse && x.AsSelect().IsTestOnly() && a.isArgs(x.AsSelect().Operand()) {
			return []string{x.AsSelect().FieldName()}
		}
	case ast.CallKind:
		c := x.AsCall()
		switch {
		case c.FunctionName() == operators.LogicalNot:
			return a.asked(c.Args()[0], !isFalse)
		case c.FunctionName() == operators.LogicalAnd && !isFalse, c.FunctionName() == operators.LogicalOr && isFalse:
			for _, arg := range c.Args() {
				all = append(all, a.asked(arg, isFalse)...)
			}
		case c.FunctionName() == operators.In && !isFalse && a.isArgs(c.Args()[1]):
			if name, ok := stringLiteral(c.Args()[0]); ok {
				return []string{name}
			}
		}
	}
	return all
}

// with returns a set with more names.
func with(set map[string]bool, names []string) map[string]bool {
	if len(names) == 0 {
		return set
	}
	larger := maps.Clone(set)
	if larger == nil {
		larger = map[string]bool{}
	}
	for name := range slices.Values(names) {
		larger[name] = true
	}
	return larger
}
