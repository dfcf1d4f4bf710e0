package shell

import "mvdan.cc/sh/v3/syntax"

// changesOf returns what running a piece of syntax may do to the environment,
// without walking it. What runs in a subshell changes nothing.
func changesOf(node syntax.Node, d *definitions) *changes {
	c := &changes{variables: make(map[string]int)}
	syntax.Walk(node, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst:
			return false
		case *syntax.Assign:
			if n.Name != nil {
				c.variables[n.Name.Value]++
			}
		case *syntax.WordIter:
			c.variables[n.Name.Value] += 2
		case *syntax.ParamExp:
			if n.Exp != nil && n.Param != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
				c.variables[n.Param.Value]++
			}
		case *syntax.BinaryArithm:
			c.arithmetic(n.X, n.Op >= syntax.Assgn && n.Op <= syntax.ShrAssgn)
		case *syntax.UnaryArithm:
			c.arithmetic(n.X, n.Op == syntax.Inc || n.Op == syntax.Dec)
		case *syntax.CallExpr:
			c.call(n, d)
		}
		return true
	})
	return c
}

// arithmetic counts the assignment to a variable in an arithmetic expression.
func (c *changes) arithmetic(x syntax.ArithmExpr, assigns bool) {
	if word, ok := x.(*syntax.Word); ok && assigns && syntax.ValidName(word.Lit()) {
		c.variables[word.Lit()]++
	}
}

// call counts what the shell's own commands change.
func (c *changes) call(call *syntax.CallExpr, d *definitions) {
	words := make([]string, 0, len(call.Args))
	for _, word := range call.Args {
		words = append(words, word.Lit())
	}
	for len(words) > 1 && (words[0] == "builtin" || words[0] == "command") {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	switch words[0] {
	case "cd", "pushd", "popd", "eval":
		c.directory = true
	case "shift", "set":
		for _, name := range []string{"@", "*", "1", "2", "3", "4", "5", "6", "7", "8", "9"} {
			c.variables[name] += 2
		}
	}
	for _, name := range assignedNames(words) {
		c.variables[name] += 2
	}
	if called := d.functions[words[0]]; called != nil {
		c.directory = c.directory || called.directory
		for name, times := range called.variables {
			c.variables[name] += times
		}
	}
}

// assignedNames returns the variables that a builtin gives a value from elsewhere.
func assignedNames(words []string) []string {
	switch words[0] {
	case "read", "mapfile", "readarray", "getopts", "unset":
	case "printf":
		if len(words) > 2 && words[1] == "-v" {
			return words[2:3]
		}
		return nil
	default:
		return nil
	}
	var names []string
	for _, word := range words[1:] {
		if syntax.ValidName(word) {
			names = append(names, word)
		}
	}
	return names
}
