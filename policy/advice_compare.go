package policy

import (
	"slices"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// comparedText is a string literal with the expression that it is compared with.
type comparedText struct {
	// operand is the other side; the list for "x" in list, and for x in an exists
	// over the list.
	operand ast.Expr
	// member is set when the operand is a list that would hold the text.
	member  bool
	literal ast.Expr
	text    string
}

// comparedTexts returns the string literals of an expression that are compared by
// ==, != and in.
func (c *Checked) comparedTexts() []comparedText {
	var all []comparedText
	ranges := map[string]ast.Expr{} // of the names that macros bind
	add := func(operand, literal ast.Expr, member bool) {
		text, ok := stringLiteral(literal)
		if !ok {
			return
		}
		if operand.Kind() == ast.IdentKind && ranges[operand.AsIdent()] != nil {
			operand, member = ranges[operand.AsIdent()], true
		}
		all = append(all, comparedText{operand, member, literal, text})
	}
	ast.PreOrderVisit(c.AST.Expr(), ast.NewExprVisitor(func(x ast.Expr) {
		if x.Kind() == ast.ComprehensionKind {
			ranges[x.AsComprehension().IterVar()] = x.AsComprehension().IterRange()
		}
		if x.Kind() != ast.CallKind || len(x.AsCall().Args()) != 2 {
			return
		}
		left, right := x.AsCall().Args()[0], x.AsCall().Args()[1]
		switch x.AsCall().FunctionName() {
		case operators.Equals, operators.NotEquals:
			add(left, right, false)
			add(right, left, false)
		case operators.In:
			add(right, left, true)
			if right.Kind() == ast.ListKind {
				for _, element := range right.AsList().Elements() {
					add(left, element, false)
				}
			}
		}
	}))
	return all
}

// literalArguments returns the string literals in calls of some functions, those
// in a list of arguments included.
func (c *Checked) literalArguments(functions ...string) []ast.Expr {
	var all []ast.Expr
	ast.PreOrderVisit(c.AST.Expr(), ast.NewExprVisitor(func(x ast.Expr) {
		if x.Kind() != ast.CallKind || !slices.Contains(functions, x.AsCall().FunctionName()) {
			return
		}
		arguments := x.AsCall().Args()
		if len(arguments) == 1 && arguments[0].Kind() == ast.ListKind {
			arguments = arguments[0].AsList().Elements()
		}
		for _, a := range arguments {
			if _, ok := stringLiteral(a); ok {
				all = append(all, a)
			}
		}
	}))
	return all
}

// isField reports whether an expression is a field of an object of a type.
func (c *Checked) isField(x ast.Expr, of *types.Type, name string) bool {
	return x.Kind() == ast.SelectKind && x.AsSelect().FieldName() == name &&
		c.AST.GetType(x.AsSelect().Operand().ID()).IsExactType(of)
}

func (c *Checked) isProgram(x ast.Expr) bool { return c.isField(x, schema.CommandType, "program") }

// advise makes a piece of advice at a word or string of the author's CEL; none
// about what lowering has written.
func (c *Checked) advise(code string, x ast.Expr, message string) []Diagnostic {
	return c.finding(Warning, code, x, message)
}

// finding is advise with a severity.
func (c *Checked) finding(severity Severity, code string, x ast.Expr, message string) []Diagnostic {
	part, offset := c.place(x.ID())
	if part == nil || !part.Verbatim {
		return nil
	}
	e := &explainer{text: []rune(part.Scalar.Text)}
	offset = e.afterDot(offset)
	return []Diagnostic{part.Scalar.diagnostic(severity, code, offset, e.width(offset), message)}
}
