package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// foundBy returns patterns of the files whose names a stage of a pipe writes: those that
// find and its like look for, and for a filter some of those that are on its input.
func (w *walk) foundBy(stage *syntax.Stmt, env *environment, input []string) []string {
	cmd, ok := stage.Cmd.(*syntax.CallExpr)
	if !ok || slices.ContainsFunc(stage.Redirs, writesOutput) {
		return nil
	}
	if _, redirected := w.inputOf(stage.Redirs, env); redirected {
		input = w.foundIn(stage.Redirs, env)
	}
	words := w.unwrapped(w.fields(cmd.Args, env), env)
	if len(words) == 0 {
		return nil
	}
	program := programName(words[0])
	how := grammarOf(program)
	words = words[1:]
	args := how.arguments(words)
	_, lists := args.get("-l", "-L", "--files-with-matches", "--files-without-match", "--files", "--name-only")
	filters := false // it writes some of the names that it reads
	from := 0        // where the operands begin that name places
	switch program {
	case "find", "gfind":
		return foundByFind(words, env.dir)
	case "grep", "egrep", "fgrep", "rg":
		if _, given := args.get("-e", "--regexp", "-f", "--file", "--files"); !given {
			from = 1
		}
		filters = !lists
		if _, recursive := args.get("-r", "-R", "--recursive"); recursive && filters {
			return nil // lines of files
		}
	case "head", "tail", "sort", "uniq", "shuf", "tac":
		filters = true
	case "tee":
		return input
	case "git":
		verb := args.subcommand
		if args.global > 0 || verb != "ls-files" && !(lists && (verb == "diff" || verb == "grep")) {
			return nil
		}
		return below([]string{env.dir})
	case "ls":
		if len(args.options) > 0 || len(words) == 0 {
			return nil
		}
		for _, f := range words {
			if globIn(f.path, f) < 0 { // the names in a directory, without it
				return nil
			}
		}
	default:
		return nil
	}
	operands := args.operands[min(from, len(args.operands)):]
	if filters {
		if len(operands) > 0 { // files that it reads instead
			return nil
		}
		return input
	}
	var places []string
	for _, i := range operands {
		places = append(places, locate(env.dir, words[i]).path)
	}
	if len(places) == 0 {
		places = append(places, env.dir)
	}
	return below(places)
}

// foundByFind is foundBy of find, which may write something else than names.
func foundByFind(words []field, dir string) []string {
	for _, f := range words {
		if strings.HasPrefix(f.text, "-exec") || strings.HasPrefix(f.text, "-ok") || strings.HasPrefix(f.text, "-printf") || f.text == "-ls" {
			return nil
		}
	}
	return below(startsOf(words, dir))
}

// below returns patterns of what is in places, none when one of them is not known.
func below(places []string) []string {
	for i := range places {
		if places[i] == "" {
			return nil
		}
		places[i] = strings.TrimSuffix(places[i], "/") + anyDepth
	}
	return places
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
