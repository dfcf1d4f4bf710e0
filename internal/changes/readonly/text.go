package readonly

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxText is the length in bytes of the longest text that is looked at.
const maxText = 64 << 10

// callWords is what the words of one command look like before the shell expands them,
// which the reader of shell text does not tell.
type callWords struct {
	// literals counts the words that have nothing in them to expand, unquoted.
	literals map[string]int
	// expanded has the others as they are written.
	expanded map[string]bool
}

// readText judges the form of a text: only lists, pipes, groups and the control words
// may stand around its commands, and nothing in it may run another text. It returns the
// words of its commands by the text of the command.
//
// What the reader of shell text says about the commands does not tell all of this: it
// lists the commands of a substitution like any other, and leaves heredocs out.
func readText(command string) (calls map[string]*callWords, reason string) {
	if len(command) > maxText {
		return nil, "the text is too long"
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil {
		return nil, "the text cannot be read"
	}
	calls = make(map[string]*callWords)
	syntax.Walk(file, func(node syntax.Node) bool {
		if reason == "" && node != nil {
			reason = objectionToNode(node)
		}
		if stmt, ok := node.(*syntax.Stmt); ok && reason == "" {
			if call, ok := stmt.Cmd.(*syntax.CallExpr); ok {
				calls[sourceOf(stmt, command)] = wordsOf(call, command)
			}
		}
		return reason == ""
	})
	return calls, reason
}

// sourceOf returns a simple command as it is written, redirections included.
func sourceOf(stmt *syntax.Stmt, command string) string {
	end := stmt.Cmd.End()
	for _, r := range stmt.Redirs {
		if r.Word != nil && r.Word.End().After(end) {
			end = r.Word.End()
		}
	}
	return command[stmt.Pos().Offset():end.Offset()]
}

func wordsOf(call *syntax.CallExpr, command string) *callWords {
	c := &callWords{map[string]int{}, map[string]bool{}}
	for _, word := range call.Args {
		if literal, ok := literalOf(word); ok {
			c.literals[literal]++
			continue
		}
		c.expanded[strings.ReplaceAll(command[word.Pos().Offset():word.End().Offset()], "\\\n", "")] = true
	}
	return c
}

// objectionToNode judges one node of the tree without those below it. A kind of node
// that is not named here does not pass.
func objectionToNode(node syntax.Node) string {
	switch n := node.(type) {
	case *syntax.File, *syntax.Comment, *syntax.Word, *syntax.Lit, *syntax.SglQuoted, *syntax.DblQuoted,
		*syntax.BinaryCmd, *syntax.Block, *syntax.Subshell, *syntax.IfClause, *syntax.WhileClause, *syntax.TimeClause,
		*syntax.CaseClause, *syntax.CaseItem, *syntax.ArrayExpr, *syntax.ArrayElem, *syntax.BraceExp:
		return ""
	case *syntax.Stmt:
		if n.Coprocess || n.Disown {
			return "a command is taken off the shell"
		}
		return ""
	case *syntax.CallExpr:
		return objectionToCall(n)
	case *syntax.Assign:
		if n.Index != nil && !isNumber(n.Index) {
			return "a subscript is computed"
		}
		return ""
	case *syntax.Redirect:
		return objectionToRedirect(n)
	case *syntax.ForClause:
		if n.Select {
			return "select is not on the list"
		}
		return ""
	case *syntax.WordIter:
		return objectionToVariable(n.Name.Value)
	case *syntax.ParamExp:
		return objectionToParameter(n)
	case *syntax.ArithmExp:
		if !isNumber(n.X) {
			return "a number is computed from variables"
		}
		return ""
	case *syntax.BinaryArithm, *syntax.UnaryArithm, *syntax.ParenArithm: // within one of numbers
		return ""
	case *syntax.CmdSubst, *syntax.ProcSubst:
		return "there is a substitution in it"
	case *syntax.ExtGlob: // where zsh reads one, its qualifiers may run a command
		return "there is an extended pattern in it"
	case *syntax.FuncDecl:
		return "it defines a function"
	}
	return fmt.Sprintf("there is a %s in it", strings.TrimPrefix(fmt.Sprintf("%T", node), "*syntax."))
}

// objectionToRedirect judges a redirection: of input any is good, of output that to
// the null device or to another descriptor.
func objectionToRedirect(r *syntax.Redirect) string {
	if r.N != nil && !isDigits(r.N.Value) {
		return "a redirection sets a variable"
	}
	target, literal := literalOf(r.Word)
	switch r.Op {
	case syntax.RdrIn:
		return ""
	case syntax.DplIn, syntax.DplOut:
		if literal && (target == "-" || isDigits(strings.TrimSuffix(target, "-"))) {
			return ""
		}
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return "there is a heredoc in it"
	case syntax.RdrInOut:
		return "a redirection opens a file for writing"
	}
	if literal && target == "/dev/null" {
		return ""
	}
	return "a redirection goes to a file"
}

// objectionToParameter judges the expansion of a variable: it must not make the shell
// evaluate what the variable holds, nor assign one that programs act on.
func objectionToParameter(p *syntax.ParamExp) string {
	switch {
	case p.Excl || p.Names != 0 || p.Param == nil || p.NestedParam != nil || p.Flags != nil || len(p.Modifiers) > 0:
		return "a variable names another one"
	case p.Index != nil && !isNumber(p.Index) && !isAllElements(p.Index):
		return "a subscript is computed"
	case p.Slice != nil && (p.Slice.Offset != nil && !isNumber(p.Slice.Offset) || p.Slice.Length != nil && !isNumber(p.Slice.Length)):
		return "a number is computed from variables"
	case p.Exp == nil:
		return ""
	}
	switch p.Exp.Op {
	case syntax.OtherParamOps: // @P and its like expand what the variable holds
		return "a variable is expanded twice"
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		return objectionToVariable(p.Param.Value)
	}
	return ""
}

// isNumber reports whether an arithmetic expression is of numbers alone. A name in one
// is evaluated, and what it holds may be a subscript with a command in it.
func isNumber(expression syntax.ArithmExpr) bool {
	switch x := expression.(type) {
	case *syntax.Word:
		text, literal := literalOf(x)
		return literal && isDigits(text)
	case *syntax.BinaryArithm:
		return isNumber(x.X) && isNumber(x.Y)
	case *syntax.UnaryArithm:
		return isNumber(x.X)
	case *syntax.ParenArithm:
		return isNumber(x.X)
	}
	return false
}

// isAllElements reports whether a subscript is the @ or * of all elements.
func isAllElements(index syntax.ArithmExpr) bool {
	word, ok := index.(*syntax.Word)
	if !ok {
		return false
	}
	return word.Lit() == "@" || word.Lit() == "*"
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// literalOf returns the text of a word that has nothing in it to expand: no variable, no
// pattern, no brace list, no home directory, and no $'…' either. Backslashes outside of
// quotes are left out, as a shell does. {} alone, as xargs has it, is literal.
func literalOf(word *syntax.Word) (string, bool) {
	if word == nil {
		return "", false
	}
	return literalParts(word.Parts, false)
}

func literalParts(parts []syntax.WordPart, quoted bool) (string, bool) {
	var b strings.Builder
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			if len(parts) == 1 && part.Value == "[" {
				return "[", true
			}
			if quoted && strings.Contains(part.Value, `\`) {
				return "", false
			}
			if !quoted && strings.ContainsAny(strings.ReplaceAll(part.Value, "{}", ""), "*?[{~") {
				return "", false
			}
			b.WriteString(strings.ReplaceAll(part.Value, `\`, ""))
		case *syntax.SglQuoted:
			if part.Dollar {
				return "", false
			}
			b.WriteString(part.Value)
		case *syntax.DblQuoted:
			text, literal := literalParts(part.Parts, true)
			if part.Dollar || !literal {
				return "", false
			}
			b.WriteString(text)
		default:
			return "", false
		}
	}
	return b.String(), true
}
