package shell

import "mvdan.cc/sh/v3/syntax"

// compound reports whether a text runs more than one command. A pipe, a list, a
// subshell, a substitution outside double quotes and a process substitution do;
// loops, branches and function bodies count as lists of their commands. A heredoc
// and what stands between double quotes never make a text compound.
func compound(file *syntax.File) bool {
	commands := 0
	found := false
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.DblQuoted:
			return false
		case *syntax.Redirect:
			if node.Hdoc != nil {
				return false
			}
		case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst, *syntax.BinaryCmd:
			found = true
		case *syntax.CallExpr, *syntax.DeclClause, *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause:
			commands++
		}
		found = found || commands > 1
		return !found
	})
	return found
}
