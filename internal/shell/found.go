package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// foundBy returns patterns of the files whose names a stage of a pipe writes: find does,
// and filters leave some of those that are on their input.
func (w *walk) foundBy(stage *syntax.Stmt, env *environment, input []string) []string {
	cmd, ok := stage.Cmd.(*syntax.CallExpr)
	if !ok || slices.ContainsFunc(stage.Redirs, writesOutput) {
		return nil
	}
	words := w.unwrapped(w.fields(cmd.Args, env), env)
	if len(words) == 0 {
		return nil
	}
	switch programName(words[0]) {
	case "grep", "egrep", "fgrep", "rg", "head", "tail", "sort", "uniq", "shuf", "tac", "tee":
		return input
	case "find", "gfind":
	default:
		return nil
	}
	for _, f := range words {
		if strings.HasPrefix(f.text, "-exec") || strings.HasPrefix(f.text, "-ok") || strings.HasPrefix(f.text, "-printf") || f.text == "-ls" {
			return nil
		}
	}
	starts := startsOf(words[1:], env.dir)
	for i := range starts {
		if starts[i] == "" {
			return nil
		}
		starts[i] = strings.TrimSuffix(starts[i], "/") + anyDepth
	}
	return starts
}

// foundByAll is foundBy of the only one of some statements, which may be a pipe.
func (w *walk) foundByAll(stmts []*syntax.Stmt, env *environment) []string {
	if len(stmts) != 1 {
		return nil
	}
	stages := stmts
	if cmd, ok := stmts[0].Cmd.(*syntax.BinaryCmd); ok && isPipe(cmd.Op) {
		stages = stagesOf(cmd)
	}
	var found []string
	for _, stage := range stages {
		found = w.foundBy(stage, env, found)
	}
	return found
}

// foundIn is foundBy of the <(…) that a redirection puts on standard input.
func (w *walk) foundIn(redirects []*syntax.Redirect, env *environment) (found []string) {
	for _, r := range redirects {
		if r.Op != syntax.RdrIn || r.N != nil && r.N.Value != "0" {
			continue
		}
		found = nil
		if p := processOf(r.Word); p != nil {
			found = w.foundByAll(p.Stmts, env)
		}
	}
	return found
}

// foundOne is foundByAll where there is one place to begin, so that one pattern stands
// for all files; else "".
func (w *walk) foundOne(stmts []*syntax.Stmt, env *environment) string {
	if found := w.foundByAll(stmts, env); len(found) == 1 {
		return found[0]
	}
	return ""
}
