package policy

import (
	"errors"
	"fmt"
	"strings"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

const codeFails = "fails"

// tried evaluates a rule on a call.
func (r *CompiledRule) tried(in *schema.Input) (matched bool, failure *EvaluationError) {
	matched, _, err := r.matches(&activation{input: schema.InputValue(in), set: r.set}, false)
	errors.As(err, &failure)
	return matched, failure
}

// failure is a place at which a rule fails.
type failure struct {
	rule *CompiledRule
	err  *EvaluationError
	// in is the expression that holds the place, of the rule or of a variable; it and
	// culprit are nil when the place says nothing.
	in             *Checked
	chain, culprit ast.Expr
	kind           PartKind
}

// failureOf finds what an error at run time is about.
func (r *CompiledRule) failureOf(err *EvaluationError) *failure {
	f := &failure{rule: r, err: err}
	if f.in, f.chain, f.kind = r.failed(err.Position); f.chain != nil {
		f.culprit = culprit(f.chain, err.Message)
	}
	return f
}

// advise speaks of the failure on a call, of which what says what it is.
func (f *failure) advise(what string, call *schema.Input) Diagnostic {
	at, width, hint := f.err.Position, 1, "ask first, with && in front, whether it can be computed"
	source := f.rule.set.source
	if f.culprit != nil {
		if guard := f.in.guard(f.culprit, f.err.Message); guard != "" {
			hint = "write " + guard
			if f.chain.ID() == f.in.AST.Expr().ID() && !f.in.outputType().IsExactType(types.BoolType) {
				hint = "write " + strings.TrimSuffix(guard, "&& …") + "? … : …" // a value of a variable
			}
		}
		// A chain begins with the culprit's text.
		chain, _ := f.in.unparse(f.chain)
		if column := columnAround(source.line(at.Line), at.Column, chain); column > 0 {
			text, _ := f.in.unparse(f.culprit)
			at.Column, width = column, runeCount(text)
		}
	}
	counts := "counts as a match"
	if f.kind == PartUnless {
		counts = "exempts nothing"
	}
	name := "of " + call.Tool
	if command := call.Effects().Command; command != "" {
		name = "'" + command + "'"
	}
	return source.diagnostic(Warning, codeFails, at, width, fmt.Sprintf("the %s %s makes this an error (%s), which %s: %s", what, name, f.err.Message, counts, hint))
}

// columnAround returns where a text begins that reaches over a column of a line, 0
// when the line has it otherwise.
func columnAround(line string, column int, text string) int {
	runes := []rune(line)
	for begin := min(column, len(runes)); begin > max(0, column-runeCount(text)); begin-- {
		if strings.HasPrefix(string(runes[begin-1:]), text) {
			return begin
		}
	}
	return 0
}

// failed finds the expression that an error at run time names by its place: in the
// rule, or in a variable of its set.
func (r *CompiledRule) failed(at Position) (in *Checked, x ast.Expr, kind PartKind) {
	for _, c := range r.parts() {
		ast.PreOrderVisit(c.AST.Expr(), ast.NewExprVisitor(func(n ast.Expr) {
			part, offset := c.place(n.ID())
			if x != nil || part == nil || !part.Verbatim || n.Kind() != ast.CallKind && n.Kind() != ast.SelectKind {
				return
			}
			if part.Scalar.At(afterDot([]rune(part.Scalar.Text), offset)) == at {
				in, x, kind = c, n, part.Kind
			}
		}))
	}
	return in, x, kind
}

// parts returns the expression of a rule and those of the variables of its set.
func (r *CompiledRule) parts() []*Checked {
	all := []*Checked{r.Checked}
	for _, v := range r.set.unit.environment.Variables {
		all = append(all, v.Checked)
	}
	return all
}

// culprit finds in a chain of fields and indexes, which fails as a whole, the one
// that an error is about: the last that its message can mean.
func culprit(chain ast.Expr, message string) ast.Expr {
	_, missing, _ := strings.Cut(message, ": ")
	for x := chain; ; {
		switch {
		case x.Kind() == ast.SelectKind && x.AsSelect().FieldName() != missing:
			x = x.AsSelect().Operand()
		case isIndex(x) && x.AsCall().Args()[1].Kind() == ast.LiteralKind && fmt.Sprint(x.AsCall().Args()[1].AsLiteral().Value()) != missing:
			x = x.AsCall().Args()[0]
		case x.Kind() == ast.SelectKind || isIndex(x):
			return x
		default:
			return chain
		}
	}
}

func isIndex(x ast.Expr) bool {
	return x.Kind() == ast.CallKind && x.AsCall().FunctionName() == operators.Index
}

// guard returns what to write so that an expression does not fail, mostly a condition
// in front of it; "" where nothing is known.
func (c *Checked) guard(x ast.Expr, message string) string {
	if x.Kind() == ast.SelectKind {
		text, _ := c.unparse(x)
		return "has(" + text + ") && …"
	}
	if !isIndex(x) {
		return ""
	}
	list, _ := c.unparse(x.AsCall().Args()[0])
	index, _ := c.unparse(x.AsCall().Args()[1])
	switch {
	case strings.HasPrefix(message, "no such key"):
		return index + " in " + list + " && …"
	case strings.HasPrefix(index, "-"):
		return fmt.Sprintf("size(%s) >= %s && %[1]s[size(%[1]s) - %[2]s]", list, index[1:])
	case strings.HasSuffix(message, ": -1"):
		return "size(" + list + ") > 0 && …"
	}
	return "size(" + list + ") > " + index + " && …"
}
