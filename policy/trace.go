package policy

import (
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// notEvaluated is the value of a part that an earlier one made needless.
const notEvaluated = "not evaluated"

// maxTraceDepth and maxTraceChildren bound the sub-expressions of one part.
const (
	maxTraceDepth    = 6
	maxTraceChildren = 16
)

// trace describes how the rule came out.
func (r *CompiledRule) trace(matched bool, state interpreter.EvalState, err error) RuleTrace {
	t := RuleTrace{Set: r.set.Name, Rule: r.Name, Path: r.set.Path, Position: r.Position, Action: r.Action, Matched: matched, Err: err}
	checked := r.Checked.compiled()
	if checked == nil {
		return t // the rule file is gone: there is no text to show
	}
	tracer := &tracer{checked: checked, text: []rune(checked.Lowered.Text), state: state}
	for _, root := range partRoots(checked) {
		t.Parts = append(t.Parts, tracer.part(root))
	}
	return t
}

// tracer maps recorded values back to the parts of a rule.
type tracer struct {
	checked *Checked
	text    []rune
	state   interpreter.EvalState
}

func (t *tracer) part(root partRoot) PartTrace {
	p := PartTrace{Kind: string(root.part.Kind), Value: t.value(root.expr)}
	if s := root.part.Scalar; s != nil {
		p.Source, p.Position = strings.TrimSpace(s.Text), s.Position
	} else {
		p.Source = string(t.text[root.part.Start:root.part.End])
	}
	if root.part.Verbatim {
		p.Position = root.part.Scalar.At(0)
		p.Children = t.children(root.expr, 0)
	}
	return p
}

// value returns an expression's recorded value in short form.
func (t *tracer) value(x ast.Expr) string {
	if t.state == nil {
		return notEvaluated
	}
	value, found := t.state.Value(x.ID())
	if !found {
		return notEvaluated
	}
	return shortValue(value)
}

// children lists the operands below an expression whose values explain it. What a
// macro runs for each element is left out but for its last round, the one that
// ended it.
func (t *tracer) children(x ast.Expr, depth int) []PartTrace {
	if depth >= maxTraceDepth {
		return nil
	}
	operands := traced(x)
	var children []PartTrace
	for _, o := range operands {
		if o.Kind() == ast.LiteralKind || o.Kind() == ast.IdentKind && o.AsIdent() == "input" || len(children) >= maxTraceChildren {
			continue
		}
		value := t.value(o)
		if value == notEvaluated && depth > 0 {
			continue
		}
		source, position := t.source(o)
		children = append(children, PartTrace{Source: source, Position: position, Value: value, Children: t.children(o, depth+1)})
	}
	return children
}

// traced returns the operands below an expression that a trace shows. A chain of
// one operator has them all side by side.
func traced(x ast.Expr) []ast.Expr {
	switch x.Kind() {
	case ast.CallKind:
		c := x.AsCall()
		switch c.FunctionName() {
		case operators.LogicalAnd, operators.LogicalOr:
			var all []ast.Expr
			for _, arg := range c.Args() {
				if arg.Kind() == ast.CallKind && arg.AsCall().FunctionName() == c.FunctionName() {
					all = append(all, traced(arg)...)
				} else {
					all = append(all, arg)
				}
			}
			return all
		}
		if c.IsMemberFunction() {
			return append([]ast.Expr{c.Target()}, c.Args()...)
		}
		return c.Args()
	case ast.SelectKind:
		return []ast.Expr{x.AsSelect().Operand()}
	case ast.ComprehensionKind:
		return []ast.Expr{x.AsComprehension().IterRange()}
	}
	return nil
}

// source returns the text of a sub-expression and its place in the file.
func (t *tracer) source(x ast.Expr) (string, Position) {
	text, ok := t.checked.unparse(x)
	if !ok {
		text = "…"
	}
	// An expression is recorded at its operator; it begins where its first operand does.
	part, first := t.checked.place(x.ID())
	ast.PreOrderVisit(x, ast.NewExprVisitor(func(n ast.Expr) {
		if p, offset := t.checked.place(n.ID()); p != nil && p == part {
			first = min(first, offset)
		}
	}))
	if part == nil || !part.Verbatim {
		return text, Position{}
	}
	// A qualified name is recorded at its dot.
	for written := []rune(part.Scalar.Text); first > 0 && first < len(written) && written[first] == '.' && isWordRune(written[first-1]); {
		for first--; first > 0 && isWordRune(written[first-1]); {
			first--
		}
	}
	return text, part.Scalar.At(first)
}

// shortValue formats a value for a line of a trace.
func shortValue(v ref.Val) string {
	if e, ok := v.(*types.Err); ok {
		return "error: " + e.Error()
	}
	return shorten(FormatValue(v))
}

// maxShortValue is how many runes of a value a trace shows.
const maxShortValue = 120

func shorten(s string) string {
	if r := []rune(s); len(r) > maxShortValue {
		return string(r[:maxShortValue-1]) + "…"
	}
	return s
}
