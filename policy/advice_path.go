package policy

import (
	"fmt"
	"strings"

	"github.com/claudewatch/claudewatch/internal/lazyregexp"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
)

// drive is how an absolute path begins on Windows.
var drive = lazyregexp.New(`^[A-Za-z]:`)

// classInGlob is a class of characters by its name, which glob does not know.
var classInGlob = lazyregexp.New(`\[:[a-z]+:\]`)

// advisePath finds paths and patterns that no path matches, since all are absolute:
// relative ones, and those in the home directory as the shell writes them.
func advisePath(c *Checked) []Diagnostic {
	var all []Diagnostic
	never := func(literal ast.Expr, message string) {
		all = append(all, c.advise(codeNever, literal, message)...)
	}
	for _, t := range c.comparedTexts() {
		if !t.member && c.isPath(t.operand) && isRelative(t.text) {
			never(t.literal, absolutely(t.text, "text.endsWith(%q)", "/"+t.text))
		}
	}
	ast.PreOrderVisit(c.AST.Expr(), ast.NewExprVisitor(func(x ast.Expr) {
		operands := operandsOf(x)
		if x.Kind() != ast.CallKind || len(operands) != 2 {
			return
		}
		first, _ := stringLiteral(operands[0])
		second, _ := stringLiteral(operands[1])
		function := x.AsCall().FunctionName()
		switch {
		case function == "glob" && first != "" && second == "":
			never(operands[0], "glob takes the path first, then the pattern")
		case (function == "glob" || function == "may_be") && classInGlob().MatchString(second):
			never(operands[1], "a class has no names in this pattern: write its characters, as [a-z0-9]")
		case function == "glob" && c.isPath(operands[0]) && isRelative(second):
			never(operands[1], absolutely(second, "glob(path, %q)", "**/"+second))
		case function == "startsWith" && c.isPath(operands[0]) && isRelative(second):
			never(operands[1], absolutely(second, "path.contains(%q)", "/"+second))
		case function == "under" && isRelative(second):
			never(operands[1], absolutely(second, "input.project_dir + %q", "/"+second))
		}
	}))
	return all
}

// absolutely says how a path is written that is compared with absolute ones.
func absolutely(text, instead, with string) string {
	if rest, ok := strings.CutPrefix(text, "~/"); ok {
		return fmt.Sprintf("paths are absolute here, and ~ is none: write input.home + %q", "/"+rest)
	}
	return fmt.Sprintf("paths are absolute here: write "+instead, with)
}

// isRelative reports whether a text begins neither as an absolute path nor as a
// pattern of one.
func isRelative(text string) bool {
	return text != "" && !strings.ContainsRune(`/\*?[{`, rune(text[0])) && !drive().MatchString(text)
}

// isPath reports whether an expression is a field that holds an absolute path.
func (c *Checked) isPath(x ast.Expr) bool {
	for _, object := range []struct {
		of     *types.Type
		fields []string
	}{
		{schema.InputType, []string{"path", "cwd", "project_dir", "home"}},
		{schema.CommandType, []string{"dir"}},
		{schema.GitOpType, []string{"dir"}},
		{schema.TargetType, []string{"path", "lexical"}},
		{schema.ChangeType, []string{"path"}},
		{schema.RepoType, []string{"root"}},
	} {
		for _, name := range object.fields {
			if c.isField(x, object.of, name) {
				return true
			}
		}
	}
	return false
}
