package shell

import (
	"github.com/claudewatch/claudewatch/schema"
	"mvdan.cc/sh/v3/syntax"
)

// walk goes through the statements of one text: the outermost one, or one that a
// command in it would run as shell.
type walk struct {
	*reader
	text string
	file *syntax.File
	// all is what running the whole text may change; nil until it is asked for.
	all *changes
	// walked are the parts of text that were walked as part of the text around it.
	walked []span
	// depth is the number of texts around this one, nesting that of statements
	// around the current one.
	depth, nesting int
	// expanding holds the aliases and functions that this is a part of.
	expanding []string
	// edits collects what changes in Effects.Command; nil below the outermost text.
	edits *[]edit
}

// place says where a command stands: what its input and output are tied to, and
// what it inherits from the commands around it.
type place struct {
	// pipedFrom and pipedTo are the programs on the other ends of its pipes.
	pipedFrom, pipedTo string
	// input is the text on its standard input, nil when it is not known.
	input *code
	// found are patterns of the files whose names are on its standard input.
	found []string
	// wrappers were taken off a command around it.
	wrappers []string
	// redirects are those of the group it stands in.
	redirects []string
	// remote: it runs elsewhere.
	remote bool
	// quoted: it stands between double quotes or in a heredoc, where a list does not
	// make the call compound.
	quoted bool
}

// statements walks a list. It reports whether the list never gets to its end,
// because of an exit or a return in it.
func (w *walk) statements(list []*syntax.Stmt, env *environment, p place) (ends bool) {
	for _, stmt := range list {
		if w.statement(stmt, env, p) {
			ends = true
		}
	}
	return ends
}

// statement walks one statement and reports whether nothing after it is reached.
func (w *walk) statement(stmt *syntax.Stmt, env *environment, p place) (ends bool) {
	if stmt == nil {
		return false
	}
	if w.nesting >= maxNesting || len(w.effects.Commands) >= maxCommands {
		w.effects.Parsed = false
		return false
	}
	w.nesting++
	defer func() { w.nesting-- }()

	if done, ends := w.undecided(stmt, env, p); done {
		return ends
	}
	if stmt.Background || stmt.Coprocess || stmt.Disown {
		env = env.fork()
	}
	own := w.redirects(stmt.Redirs, env)
	w.opened(stmt.Redirs, env)
	if input, redirected := w.inputOf(stmt.Redirs, env); redirected {
		p.input = input
		p.found = w.foundIn(stmt.Redirs, env)
	}
	for _, r := range stmt.Redirs {
		if from := w.feeds(r, env); from != "" {
			p.pipedFrom = from
		}
		if to := w.readerIn([]*syntax.Word{r.Word}, env); to != "" {
			p.pipedTo = to
		}
	}
	w.redirectTargets(stmt.Redirs, env, p)
	w.writtenScript(stmt, own, env, p)
	if len(stmt.Redirs) > 0 {
		w.remember(stmt, env, p)
	}
	switch cmd := stmt.Cmd.(type) {
	case nil:
		if len(own) > 0 {
			w.add(&schema.Command{Source: w.sourceOf(stmt), Dir: dirAt(env, p), Redirects: own, Remote: p.remote})
		}
	case *syntax.CallExpr:
		ends = w.simple(cmd, stmt, own, env, p)
	case *syntax.DeclClause:
		w.declaration(cmd, stmt, own, env, p)
	default:
		p.redirects = append(p.redirects[:len(p.redirects):len(p.redirects)], own...)
		ends = w.clause(stmt.Cmd, env, p)
	}
	w.redirectWords(stmt, env, p)
	return ends && !stmt.Background
}

// clause walks a command that is made of others.
func (w *walk) clause(cmd syntax.Command, env *environment, p place) (ends bool) {
	switch cmd := cmd.(type) {
	case *syntax.Block:
		return w.statements(cmd.Stmts, env, p)
	case *syntax.Subshell:
		w.apart(cmd.Stmts, env, p)
	case *syntax.BinaryCmd:
		if cmd.Op == syntax.Pipe || cmd.Op == syntax.PipeAll {
			w.pipeline(cmd, env, p)
			return false
		}
		return w.list(cmd, env, p)
	case *syntax.IfClause:
		return w.branches(cmd, env, p)
	case *syntax.WhileClause:
		w.whileLoop(cmd, env, p)
	case *syntax.ForClause:
		w.substitutions(cmd.Loop, env, p)
		w.forLoop(cmd, env, p)
	case *syntax.CaseClause:
		w.cases(cmd, env, p)
	case *syntax.FuncDecl:
		w.function(cmd, env, p)
	case *syntax.TimeClause:
		p.wrappers = appended(p.wrappers, "time")
		return w.statement(cmd.Stmt, env, p)
	case *syntax.CoprocClause:
		p.wrappers = appended(p.wrappers, "coproc")
		w.statement(cmd.Stmt, env.fork(), p)
	case *syntax.TestDecl:
		w.statement(cmd.Body, env.fork(), p)
	default: // TestClause, ArithmCmd, LetClause: no program, but words
		w.substitutions(cmd, env, p)
		w.evaluated(cmd, env, p)
		env.forgetAll(changesOf(cmd, env.definitions))
	}
	return false
}

// list walks a chain of && and ||, which the parser makes a tree as deep as the
// chain is long, from the left.
//
// Three environments go along: the one after the chain so far succeeded, the one
// after it failed, which is where || goes on, and the one after it stopped. In the
// last one, commands that only set things up (cd, assignments) are taken to have
// succeeded: cd a && x leaves the shell in a, whatever x does. Behind cd a || x it
// may be in either directory, unless x is an exit.
func (w *walk) list(cmd *syntax.BinaryCmd, env *environment, p place) (ends bool) {
	var chain []*syntax.BinaryCmd
	left := &syntax.Stmt{Cmd: cmd}
	for {
		binary, ok := left.Cmd.(*syntax.BinaryCmd)
		if !ok || isPipe(binary.Op) || len(left.Redirs) > 0 || left.Background || left.Negated {
			break
		}
		chain = append(chain, binary)
		left = binary.X
	}
	passed, failed := env.fork(), env.fork()
	var stopped []*environment
	ends = w.statement(left, passed, p)
	if !isSetup(left) {
		failed, passed = passed, passed.fork()
		stopped = append(stopped, failed)
	}
	for i := len(chain) - 1; i >= 0; i-- {
		right := chain[i].Y
		if chain[i].Op == syntax.OrStmt {
			failed = failed.fork()
			stopped = nil
			if !w.statement(right, failed, p) {
				passed = env.union(passed, failed)
			}
			failed = env.union(failed) // keeps the layers few
			continue
		}
		before := passed
		passed = passed.fork()
		ends = w.statement(right, passed, p) && len(stopped) == 0 || ends
		if isSetup(right) {
			failed = env.union(failed, before)
			passed = env.union(passed)
			continue
		}
		passed = env.union(passed) // keeps the layers few
		failed = env.union(failed, passed)
		if len(stopped) > 0 {
			stopped = []*environment{env.union(stopped[0], passed)}
		} else {
			stopped = append(stopped, passed)
		}
		passed = passed.fork()
	}
	env.merge(append(stopped, passed)...)
	return ends
}

// isSetup reports whether a statement only prepares the environment for others, so
// that a list after it counts on its success.
func isSetup(stmt *syntax.Stmt) bool {
	switch cmd := stmt.Cmd.(type) {
	case *syntax.DeclClause:
		return true
	case *syntax.CallExpr:
		if len(cmd.Args) == 0 {
			return true
		}
		switch cmd.Args[0].Lit() {
		case "cd", "pushd", "popd", "true", ":", "export", "unset", "set", "shopt", "alias", "umask":
			return true
		}
		return isBranchSwitch(cmd)
	}
	return false
}

// branches walks an if. Afterwards is known what all branches agree on.
func (w *walk) branches(cmd *syntax.IfClause, env *environment, p place) (ends bool) {
	var after []*environment
	for clause := cmd; clause != nil; clause = clause.Else {
		if len(clause.Cond) == 0 { // else
			branch := env.fork()
			if !w.statements(clause.Then, branch, p) {
				after = append(after, branch)
			}
			env.merge(after...)
			return len(after) == 0
		}
		before := env.dir
		w.statements(clause.Cond, env, p)
		branch := env.fork()
		if !w.statements(clause.Then, branch, p) {
			after = append(after, branch)
		}
		if env.dir != before { // the condition was a cd, which failed here
			env.dir = before
		}
	}
	env.merge(append(after, env.fork())...)
	return false
}

// loop walks a loop whose body may run any number of times, also none. What the
// body changes is unknown in it and after it.
func (w *walk) loop(cmd syntax.Command, env *environment, body func(*environment)) {
	c := changesOf(cmd, env.definitions)
	round := env.fork()
	round.forgetAll(c)
	body(round)
	env.forgetAll(c)
	env.switches = commonSwitches(env.switches, round.switches)
}

// cases walks a case, of which one branch or none is run.
func (w *walk) cases(cmd *syntax.CaseClause, env *environment, p place) {
	w.substitutions(cmd.Word, env, p)
	after := []*environment{env.fork()}
	for _, item := range cmd.Items {
		for _, pattern := range item.Patterns {
			w.substitutions(pattern, env, p)
		}
		branch := env.fork()
		if !w.statements(item.Stmts, branch, p) {
			after = append(after, branch)
		}
	}
	env.merge(after...)
}

// function walks the body of a function where it is defined. It may be called from
// anywhere in the text: of the variables only those count that are assigned once,
// and the directory only when the text never leaves it.
func (w *walk) function(cmd *syntax.FuncDecl, env *environment, p place) {
	names := cmd.Names
	if cmd.Name != nil {
		names = []*syntax.Lit{cmd.Name}
	}
	f := &function{
		changes: *changesOf(cmd.Body, env.definitions), body: cmd.Body, walk: w, positional: namesPositional(cmd.Body),
	}
	for _, name := range names {
		env.definitions.functions[name.Value] = f
	}
	inner := env.fork()
	inner.setPositional(nil)
	if len(names) > 0 { // an anonymous function of zsh runs here and now
		all := w.changes(env.definitions)
		if all.directory {
			inner.dir, inner.stack = "", nil
		}
		for name, times := range all.variables {
			if times > 1 {
				inner.forget(name)
			}
		}
	}
	outer := w.expanding
	for _, name := range names {
		w.expanding = appended(w.expanding, name.Value)
	}
	w.statement(cmd.Body, inner, place{wrappers: p.wrappers, remote: p.remote, quoted: p.quoted})
	w.expanding = outer
}

// callFunction walks the body of a function that names its arguments once more, with
// the arguments and the input of a call, which may be what makes its commands dangerous.
func (w *walk) callFunction(c *call) {
	name := c.words[0].text
	f := c.env.definitions.functions[name]
	if (!f.positional || len(c.words) == 1) && c.place.input == nil || contains(w.expanding, name) {
		return
	}
	if w.depth >= maxDepth {
		w.effects.Parsed = false
		return
	}
	inner := *f.walk
	inner.depth, inner.nesting, inner.edits = w.depth+1, w.nesting, nil
	inner.expanding = appended(w.expanding, name)
	env := c.env.fork()
	env.setPositional(c.words[1:])
	inner.statement(f.body, env, c.place)
	c.env.keepSwitches(env)
}

// namesPositional reports whether a function's body expands its arguments.
func namesPositional(body *syntax.Stmt) (found bool) {
	syntax.Walk(body, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.ParamExp); ok && p.Param != nil {
			name := p.Param.Value
			found = found || name == "@" || name == "*" || len(name) == 1 && name[0] >= '1' && name[0] <= '9'
		}
		return !found
	})
	return found
}

// changes returns what running the whole text may change.
func (w *walk) changes(d *definitions) *changes {
	if w.all == nil {
		w.all = changesOf(w.file, d)
	}
	return w.all
}
