package policy

import (
	"fmt"
	"sort"

	"github.com/claudewatch/claudewatch/internal/cel"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/parser"
)

// Checked is an expression with its types: all that is needed to plan it, later
// or elsewhere.
type Checked struct {
	// AST is nil for an expression of an image, which is read when it is planned, and
	// for a packed one.
	AST *ast.AST
	// Lowered is the expression's text with the map back to the file; nil for an
	// expression of an image.
	Lowered *Lowered

	packed *packedExpression
	stored *storedExpression
}

// outputType returns the type that the checker gives the whole expression, nil AST
// excluded.
func (c *Checked) outputType() *types.Type { return c.AST.GetType(c.AST.Expr().ID()) }

// tree returns the typed expression in the form that is planned.
func (c *Checked) tree() (cel.Expression, error) {
	switch {
	case c.AST != nil:
		return cel.Expression{Tree: c.AST}, nil
	case c.packed != nil:
		return decodeAST(c.packed.content)
	}
	return c.stored.tree()
}

// compiled returns the expression with its text and places. A packed one is checked
// once more, for one of an image the rule file is compiled once more; it is nil when
// that cannot be done.
func (c *Checked) compiled() *Checked {
	switch {
	case c.AST != nil:
		return c
	case c.packed != nil:
		return c.packed.check()
	}
	return c.stored.compiled()
}

// Check type-checks a lowered rule. On a fault the result is nil and the
// diagnostics point into the rule file.
//
// Each piece of the author's CEL stands by itself, so that what is wrong in one
// is found by checking it alone: its errors then speak of nothing the author did
// not write. Only a rule that fails pays for that.
func (e *Environment) Check(lowered *Lowered) (*Checked, []Diagnostic) {
	checked, issues := compile(e.env, lowered.Text)
	var diagnostics []Diagnostic
	if issues == nil {
		c := &Checked{AST: checked, Lowered: lowered}
		diagnostics = append(e.checkPartTypes(c), e.checkLiterals(c)...)
		if e.usesFaultyVariable(c) {
			return nil, diagnostics // reported where the variable stands
		}
		if !hasFault(diagnostics) {
			return c, diagnostics
		}
		return nil, diagnostics
	}
	for i := range lowered.Parts {
		if p := &lowered.Parts[i]; p.Verbatim {
			_, found := e.checkTyped(p.Scalar, types.BoolType, string(p.Kind))
			diagnostics = append(diagnostics, found...)
		}
	}
	if len(diagnostics) == 0 {
		diagnostics = e.loweredErrors(lowered, issues)
	}
	return nil, diagnostics
}

// CheckScalar type-checks a value of a rule file that is one expression.
func (e *Environment) CheckScalar(s *Scalar) (*Checked, []Diagnostic) {
	checked, issues := compile(e.env, s.Text)
	if issues != nil {
		return nil, e.scalarErrors(s, issues)
	}
	c := &Checked{AST: checked, Lowered: wholeScalar(s)}
	if e.usesFaultyVariable(c) {
		return nil, nil
	}
	diagnostics := e.checkLiterals(c)
	if hasFault(diagnostics) {
		return nil, diagnostics
	}
	return c, diagnostics
}

// wholeScalar is a value that is one expression in the form of a lowered rule.
func wholeScalar(s *Scalar) *Lowered {
	return &Lowered{Text: s.Text, Parts: []Part{{Start: 0, End: runeCount(s.Text) + 1, Scalar: s, Verbatim: true}}}
}

// checkTyped checks a value that must be of a type; what names it in the message.
func (e *Environment) checkTyped(s *Scalar, want *types.Type, what string) (*Checked, []Diagnostic) {
	c, diagnostics := e.CheckScalar(s)
	if c == nil {
		if found := prose(s, what); found != nil {
			return nil, found
		}
		return nil, diagnostics
	}
	if got := c.outputType(); !got.IsExactType(want) {
		return nil, append(diagnostics, wrongType(s, what, got, want))
	}
	return c, diagnostics
}

// wrongType says that a value of a rule file has the wrong type.
func wrongType(s *Scalar, what string, got, want *types.Type) Diagnostic {
	hint := ""
	switch {
	case want == types.BoolType && got.Kind() == types.DynKind:
		hint = ": its value is known only at run time, compare it (== true)"
	case want == types.BoolType && got.Kind() == types.ListKind:
		hint = ": " + listHint
	case want == types.BoolType:
		hint = ": compare it with something"
	}
	return s.diagnostic(Fault, codeCEL, 0, runeCount(s.Text), fmt.Sprintf("'%s' must be of type %s, not %s%s", what, typeName(want), typeName(got), hint))
}

// checkPartTypes finds the pieces of the author's CEL that are not bool. The
// checker lets them be dyn, because glue takes that too.
func (e *Environment) checkPartTypes(c *Checked) []Diagnostic {
	var diagnostics []Diagnostic
	for _, root := range partRoots(c) {
		if !root.part.Verbatim {
			continue
		}
		if got := c.AST.GetType(root.expr.ID()); !got.IsExactType(types.BoolType) {
			diagnostics = append(diagnostics, wrongType(root.part.Scalar, string(root.part.Kind), got, types.BoolType))
		}
	}
	return diagnostics
}

// checkRegexes judges the constant regexes in the author's CEL. cel-go's own
// check misses matches(s, re) and hides the reason.
func (e *Environment) checkRegexes(c *Checked) []Diagnostic {
	var diagnostics []Diagnostic
	ast.PreOrderVisit(c.AST.Expr(), ast.NewExprVisitor(func(x ast.Expr) {
		if x.Kind() != ast.CallKind || x.AsCall().FunctionName() != "matches" {
			return
		}
		args := x.AsCall().Args()
		re := args[len(args)-1]
		text, ok := stringLiteral(re)
		if !ok {
			return
		}
		part, offset := c.place(re.ID())
		if part == nil || !part.Verbatim {
			return // made by lowering, which has judged it
		}
		if bad := checkRE2(text); bad != nil {
			literal := []rune(part.Scalar.Text)[offset:]
			start := literalOffset(literal, bad.offset)
			diagnostics = append(diagnostics, part.Scalar.diagnostic(Fault, codeRegex, offset+start,
				literalOffset(literal, bad.offset+bad.width)-start, bad.message))
		}
	}))
	return diagnostics
}

func stringLiteral(x ast.Expr) (string, bool) {
	if x.Kind() != ast.LiteralKind {
		return "", false
	}
	s, ok := x.AsLiteral().(types.String)
	return string(s), ok
}

// literalOffset returns where rune n of the value of a CEL string literal stands
// in the literal.
func literalOffset(literal []rune, n int) int {
	i, raw := 0, false
	for i < len(literal) && literal[i] != '"' && literal[i] != '\'' {
		raw = raw || literal[i] == 'r' || literal[i] == 'R'
		i++
	}
	if i+2 < len(literal) && literal[i+1] == literal[i] && literal[i+2] == literal[i] {
		i += 2
	}
	i++
	for ; n > 0 && i < len(literal); n-- {
		if literal[i] != '\\' || raw || i+1 >= len(literal) {
			i++
			continue
		}
		switch r := literal[i+1]; {
		case r == 'x' || r == 'X':
			i += 4
		case r == 'u':
			i += 6
		case r == 'U':
			i += 10
		case r >= '0' && r <= '3':
			i += 4
		default:
			i += 2
		}
	}
	return min(i, len(literal))
}

// usesFaultyVariable reports whether an expression names a variable of the set
// that could not be checked.
func (e *Environment) usesFaultyVariable(c *Checked) bool {
	if len(e.faulty) == 0 {
		return false
	}
	for _, reference := range c.AST.ReferenceMap() {
		if name, ok := variableName(reference.Name); ok && e.faulty[name] {
			return true
		}
	}
	return false
}

func variableName(reference string) (string, bool) {
	if len(reference) > len(variablesPrefix) && reference[:len(variablesPrefix)] == variablesPrefix {
		return reference[len(variablesPrefix):], true
	}
	return "", false
}

// place returns the part an expression of the AST lies in and its offset in the
// part's scalar, for a verbatim part; part is nil for glue.
func (c *Checked) place(id int64) (part *Part, offset int) {
	r, ok := c.AST.SourceInfo().GetOffsetRange(id)
	if !ok {
		return nil, 0
	}
	part = c.Lowered.PartAt(int(r.Start))
	if part == nil || !part.Verbatim {
		return part, 0
	}
	return part, int(r.Start) - part.Start
}

// unparse writes a sub-expression as CEL, on one line.
func (c *Checked) unparse(x ast.Expr) (string, bool) {
	text, err := parser.Unparse(x, c.AST.SourceInfo(), parser.WrapOnColumn(1<<20))
	return text, err == nil
}

// partRoot is the expression that a whole part of a rule is.
type partRoot struct {
	part *Part
	expr ast.Expr
}

// partRoots returns the root of each part in the order of the text. Operators of
// the glue join parts; an operator in a part belongs to it with all below it.
func partRoots(c *Checked) []partRoot {
	var roots []partRoot
	var visit func(x ast.Expr)
	visit = func(x ast.Expr) {
		if part, _ := c.place(x.ID()); part != nil {
			roots = append(roots, partRoot{part, x})
			return
		}
		switch x.Kind() {
		case ast.CallKind:
			switch x.AsCall().FunctionName() {
			case operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot:
				for _, arg := range x.AsCall().Args() {
					visit(arg)
				}
			}
		case ast.ComprehensionKind:
			// exists over the scripts: the loop's step is accumulator || predicate.
			visit(x.AsComprehension().LoopStep())
		}
	}
	visit(c.AST.Expr())
	sort.SliceStable(roots, func(i, j int) bool { return roots[i].part.Start < roots[j].part.Start })
	return roots
}

// compile parses and checks an expression. cel-go has panicked on odd input
// before; a panic becomes an issue.
func compile(env *cel.Environment, text string) (checked *ast.AST, issues []*common.Error) {
	defer func() {
		if r := recover(); r != nil {
			checked, issues = nil, []*common.Error{common.NewError(0, fmt.Sprintf("the expression cannot be checked: %v", r), common.NewLocation(1, 0))}
		}
	}()
	return env.Compile(text)
}

// CheckMessage type-checks a rule's message, which must be a string.
func (e *Environment) CheckMessage(s *Scalar) (*Checked, []Diagnostic) {
	return e.checkTyped(s, types.StringType, "message")
}
