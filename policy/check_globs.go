package policy

import (
	"github.com/claudewatch/claudewatch/predicates"
	"github.com/google/cel-go/common/ast"
)

const codeGlob = "glob"

// checkLiterals judges the constants in the author's CEL that a function would
// refuse when the rule is evaluated.
func (e *Environment) checkLiterals(c *Checked) []Diagnostic {
	return append(e.checkRegexes(c), e.checkGlobs(c)...)
}

// checkGlobs judges the constant patterns of glob(path, pattern) and t.may_be(pattern).
func (e *Environment) checkGlobs(c *Checked) []Diagnostic {
	var diagnostics []Diagnostic
	ast.PreOrderVisit(c.AST.Expr(), ast.NewExprVisitor(func(x ast.Expr) {
		if x.Kind() != ast.CallKind {
			return
		}
		args := x.AsCall().Args()
		if name := x.AsCall().FunctionName(); (name != "glob" || len(args) != 2) && (name != "may_be" || len(args) != 1) {
			return
		}
		pattern := args[len(args)-1]
		text, ok := stringLiteral(pattern)
		if !ok {
			return
		}
		err := predicates.ValidGlob(text)
		if err == nil {
			return
		}
		part, offset := c.place(pattern.ID())
		if part == nil || !part.Verbatim {
			return // lowering writes no glob
		}
		literal := []rune(part.Scalar.Text)[offset:]
		start := literalOffset(literal, 0)
		end := literalOffset(literal, runeCount(text))
		diagnostics = append(diagnostics, part.Scalar.diagnostic(Fault, codeGlob, offset+start, end-start, err.Error()))
	}))
	return diagnostics
}
