package policy

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
)

// adviseBackspaces finds regexes with the control character that \b stands for in
// double quotes, of YAML and of CEL alike. The other escapes of regexes are none of
// theirs and are refused.
func adviseBackspaces(r *CompiledRule) []Diagnostic {
	const message = `in double quotes \b is a backspace, which no command has: write the regex in '…'`
	var all []Diagnostic
	for _, s := range slices.Concat([]*Scalar{r.Pattern, r.When, r.Except}, r.UnlessRegex) {
		if s == nil {
			continue
		}
		if i := strings.IndexByte(s.Text, '\b'); i >= 0 {
			all = append(all, s.diagnostic(Warning, codeNever, runeCount(s.Text[:i]), 1, message))
		}
	}
	if r.Checked == nil || r.When == nil || strings.Contains(r.When.Text, "\b") {
		return all
	}
	ast.PreOrderVisit(r.Checked.AST.Expr(), ast.NewExprVisitor(func(x ast.Expr) {
		if x.Kind() != ast.CallKind || x.AsCall().FunctionName() != "matches" {
			return
		}
		re := x.AsCall().Args()[len(x.AsCall().Args())-1]
		if text, ok := stringLiteral(re); ok && strings.Contains(text, "\b") {
			all = append(all, r.Checked.advise(codeNever, re, `in this string \b is a backspace, which no command has: write the regex as r'…'`)...)
		}
	}))
	return all
}
