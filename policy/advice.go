package policy

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types/ref"
)

// advise returns vet's advice about a compiled policy: what is not wrong and yet
// hardly meant. Each kind stands in a file of its own, advice_*.go.
func advise(p *Policy, o Options) []Diagnostic {
	var all []Diagnostic
	for _, set := range p.Sets {
		said := map[Position]bool{}
		all = append(all, adviseSetName(set)...)
		all = append(all, adviseFilter(set)...)
		if set.unit.environment != nil {
			for _, v := range set.unit.environment.Variables {
				all = append(all, adviseConditions(v.Checked, o)...)
			}
		}
		for _, rule := range set.Compiled() {
			all = append(all, adviseRef(rule)...)
			all = append(all, adviseComments(rule)...)
			all = append(all, adviseBackspaces(rule)...)
			if rule.Checked == nil {
				continue
			}
			all = append(all, adviseNoExtensions(rule)...)
			all = append(all, adviseDelimiters(rule)...)
			all = append(all, adviseEmptyMatches(rule)...)
			all = append(all, adviseConditions(rule.Checked, o)...)
			all = append(all, adviseEvent(rule)...)
			args := adviseArgs(rule)
			for _, d := range args {
				said[d.Position] = true
			}
			all = append(all, args...)
			constants := adviseConstants(rule)
			all = append(all, constants...)
			if len(constants) == 0 {
				all = append(all, advisePrefilter(rule)...)
			}
			all = append(all, adviseCost(rule)...)
			all = append(all, adviseOrdinary(rule, o.Ordinary, said)...)
			all = append(all, adviseBare(rule, said)...)
		}
	}
	return append(all, adviseUnreachable(p)...)
}

// adviseConditions returns the advice about conditions that can never hold as they
// are written.
func adviseConditions(c *Checked, o Options) []Diagnostic {
	return slices.Concat(adviseProgram(c), adviseWrapper(c, o.Wrappers), adviseTool(c), adviseFlag(c), adviseCluster(c), adviseValue(c), advisePath(c))
}

// codeNever is the code of advice about what can never hold.
const codeNever = "never"

// warn makes a piece of advice at a rule's name.
func (r *CompiledRule) warn(code, message string) Diagnostic {
	return r.set.source.diagnostic(Warning, code, r.Position, runeCount(r.Name), message)
}

// conjuncts returns the operands of a conjunction at any depth.
func conjuncts(x ast.Expr) []ast.Expr {
	if x.Kind() != ast.CallKind || x.AsCall().FunctionName() != operators.LogicalAnd {
		return []ast.Expr{x}
	}
	var all []ast.Expr
	for _, arg := range x.AsCall().Args() {
		all = append(all, conjuncts(arg)...)
	}
	return all
}

// constant evaluates a sub-expression that neither looks at the call nor at a
// variable; ok is false for others and for those that fail.
func (r *CompiledRule) constant(x ast.Expr) (value ref.Val, ok bool) {
	ok = true
	ast.PreOrderVisit(x, ast.NewExprVisitor(func(n ast.Expr) {
		if n.Kind() != ast.IdentKind && n.Kind() != ast.SelectKind {
			return
		}
		if reference, found := r.Checked.AST.ReferenceMap()[n.ID()]; found && reference.Name != "" && reference.Value == nil {
			if _, variable := variableName(reference.Name); variable || reference.Name == "input" {
				ok = false
			}
		}
	}))
	if !ok {
		return nil, false
	}
	text, ok := r.Checked.unparse(x)
	if !ok {
		return nil, false
	}
	checked, issues := compile(r.set.unit.environment.env, text)
	if issues != nil {
		return nil, false
	}
	a := &activation{set: r.set}
	value, _, err := a.evaluate(&planned{}, &Checked{AST: checked, Lowered: &Lowered{Text: text, Parts: make([]Part, 1)}}, false)
	return value, err == nil
}
