package shell

import (
	"slices"

	"github.com/claudewatch/claudewatch/schema"
	"mvdan.cc/sh/v3/syntax"
)

// pipeline walks the stages of a pipe, each in a shell of its own.
func (w *walk) pipeline(cmd *syntax.BinaryCmd, env *environment, p place) {
	stages := stagesOf(cmd)
	for i, stage := range stages {
		at := p
		if i > 0 {
			at.pipedFrom = w.lastProgram(stages[i-1], env)
		}
		if i < len(stages)-1 {
			at.pipedTo = w.firstProgram(stages[i+1], env)
		}
		w.apart([]*syntax.Stmt{stage}, env, at)
		p.input = w.outputOf(stage, env, p.input)
		p.found = w.foundBy(stage, env, p.found)
	}
}

// stagesOf returns the statements that a pipe joins. The parser makes a tree of them
// that is as deep as the pipe is long.
func stagesOf(cmd *syntax.BinaryCmd) []*syntax.Stmt {
	var stages []*syntax.Stmt
	for {
		stages = append(stages, cmd.Y)
		left, ok := cmd.X.Cmd.(*syntax.BinaryCmd)
		if !ok || !isPipe(left.Op) || len(cmd.X.Redirs) > 0 || cmd.X.Negated {
			stages = append(stages, cmd.X)
			slices.Reverse(stages)
			return stages
		}
		cmd = left
	}
}

func isPipe(op syntax.BinCmdOperator) bool { return op == syntax.Pipe || op == syntax.PipeAll }

// firstProgram returns the program of the first command in a statement, the one
// that reads its input; "" when it is not known.
func (w *walk) firstProgram(stmt *syntax.Stmt, env *environment) string {
	return w.programAt(stmt, env, func(list []*syntax.Stmt) *syntax.Stmt { return list[0] })
}

// lastProgram returns the program of the last command in a statement.
func (w *walk) lastProgram(stmt *syntax.Stmt, env *environment) string {
	return w.programAt(stmt, env, func(list []*syntax.Stmt) *syntax.Stmt { return list[len(list)-1] })
}

func (w *walk) programAt(stmt *syntax.Stmt, env *environment, pick func([]*syntax.Stmt) *syntax.Stmt) string {
	for stmt != nil {
		var list []*syntax.Stmt
		switch cmd := stmt.Cmd.(type) {
		case *syntax.CallExpr:
			return w.programOf(w.fields(cmd.Args, env), env)
		case *syntax.DeclClause:
			return cmd.Variant.Value
		case *syntax.BinaryCmd:
			list = []*syntax.Stmt{cmd.X, cmd.Y}
		case *syntax.Block:
			list = cmd.Stmts
		case *syntax.Subshell:
			list = cmd.Stmts
		case *syntax.IfClause:
			list = cmd.Then
		case *syntax.WhileClause:
			list = append(cmd.Cond[:len(cmd.Cond):len(cmd.Cond)], cmd.Do...)
		case *syntax.ForClause:
			list = cmd.Do
		case *syntax.TimeClause:
			list = []*syntax.Stmt{cmd.Stmt}
		}
		if len(list) == 0 {
			return ""
		}
		stmt = pick(list)
	}
	return ""
}

// programOf returns the program of a command after wrappers.
func (w *walk) programOf(words []field, env *environment) string {
	if words = w.unwrapped(words, env); len(words) == 0 {
		return ""
	}
	return programName(words[0])
}

// unwrapped returns the words of a command without wrappers; none when there are too
// many of them.
func (w *walk) unwrapped(words []field, env *environment) []field {
	for range maxNesting {
		if len(words) == 0 {
			return nil
		}
		l := w.launch(words, env)
		if l == nil || l.listed || len(l.command) == 0 {
			return words
		}
		words = l.command
	}
	return nil
}

// pipes sets PipedFrom of a command that runs the output of a substitution.
func (w *walk) pipes(c *call, cmd *schema.Command, inner []nested) {
	for i := range inner {
		for _, f := range inner[i].words {
			if f.word == nil || cmd.PipedFrom != "" {
				continue
			}
			cmd.PipedFrom = w.writerIn(f.word, c.env)
		}
	}
	if cmd.PipedTo == "" {
		cmd.PipedTo = w.readerIn(c.pending, c.env)
	}
}

// writerIn returns the program whose output the first substitution in a word is.
func (w *walk) writerIn(word *syntax.Word, env *environment) (program string) {
	syntax.Walk(word, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			if len(n.Stmts) > 0 && program == "" {
				program = w.lastProgram(n.Stmts[len(n.Stmts)-1], env)
			}
			return false
		case *syntax.ProcSubst:
			if len(n.Stmts) > 0 && n.Op != syntax.CmdOut && program == "" {
				program = w.lastProgram(n.Stmts[len(n.Stmts)-1], env)
			}
			return false
		}
		return true
	})
	return program
}

// readerIn returns the program behind a >(…) among words.
func (w *walk) readerIn(words []*syntax.Word, env *environment) string {
	for _, word := range words {
		for _, part := range word.Parts {
			if p, ok := part.(*syntax.ProcSubst); ok && p.Op == syntax.CmdOut && len(p.Stmts) > 0 {
				return w.firstProgram(p.Stmts[0], env)
			}
		}
	}
	return ""
}

// feeds returns the program whose output a redirection puts on standard input:
// < <(curl …) and <<< "$(curl …)".
func (w *walk) feeds(r *syntax.Redirect, env *environment) string {
	if r.Word == nil || r.Op != syntax.RdrIn && r.Op != syntax.WordHdoc {
		return ""
	}
	return w.writerIn(r.Word, env)
}
