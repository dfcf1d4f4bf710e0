package shell

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A part of a text whose variables have one of several values is walked once for each
// of them, in a round of its own.
const (
	maxRounds       = 16        // for one loop or command
	maxRoundBytes   = 256 << 10 // of text in all rounds but the first ones
	maxAlternatives = 4         // that are kept of one variable
)

// mark is where the lists of a result end.
type mark struct{ commands, reads, writes, git, scripts int }

func (r *reader) mark() mark {
	e := r.effects
	return mark{len(e.Commands), len(e.Reads), len(e.Writes), len(e.Git), len(e.Scripts)}
}

// distinct drops what was listed since a mark more than once, as rounds do that have
// no use for the variable.
func (r *reader) distinct(from mark) {
	e := r.effects
	e.Commands = withoutRepeats(e.Commands, from.commands, func(i int) string {
		c := e.Commands[i]
		return fmt.Sprint(c.Text, "\x00", c.Dir, "\x00", c.Source, c.Wrappers, c.Env, c.PipedFrom, "|", c.PipedTo, c.Redirects, c.Remote)
	})
	e.Reads = withoutRepeats(e.Reads, from.reads, func(i int) string {
		t := e.Reads[i]
		return fmt.Sprint(t.Lexical, "\x00", t.Raw, "\x00", t.Pattern, "\x00", t.Op, t.Via, t.Recursive, t.Switches)
	})
	e.Writes = withoutRepeats(e.Writes, from.writes, func(i int) string {
		t := e.Writes[i]
		return fmt.Sprint(t.Lexical, "\x00", t.Raw, "\x00", t.Pattern, "\x00", t.Op, t.Via, t.Recursive, t.Switches)
	})
	e.Git = withoutRepeats(e.Git, from.git, func(i int) string {
		g := e.Git[i]
		return fmt.Sprint(g.Verb, "\x00", strings.Join(g.Args, "\x00"), "\x00", g.Dir, g.Switches)
	})
	e.Scripts = withoutRepeats(e.Scripts, from.scripts, func(i int) string {
		return e.Scripts[i].Language + "\x00" + e.Scripts[i].Content
	})
}

// withoutRepeats returns list without the items from an index on whose key stands in
// front of them.
func withoutRepeats[T any](list []T, from int, key func(int) string) []T {
	if from >= len(list)-1 {
		return list
	}
	seen := make(map[string]bool, len(list)-from)
	kept := list[:from]
	for i := from; i < len(list); i++ {
		if k := key(i); !seen[k] {
			seen[k] = true
			kept = append(kept, list[i])
		}
	}
	return kept
}

// mayRepeat takes n more rounds of a node from what may still be walked.
func (w *walk) mayRepeat(node syntax.Node, n int) bool {
	cost := n * (int(node.End().Offset()) - int(node.Pos().Offset()) + textBytes)
	if cost > w.roundBytes {
		return false
	}
	w.roundBytes -= cost
	return true
}

// forLoop walks a for loop once for each value of its variable that the text tells,
// and once for those that it does not.
func (w *walk) forLoop(cmd *syntax.ForClause, env *environment, p place) {
	body := func(env *environment) { w.statements(cmd.Do, env, p) }
	words, ok := cmd.Loop.(*syntax.WordIter)
	if !ok {
		w.loop(cmd, env, body)
		return
	}
	values, patterns, all := w.valuesOf(words, env)
	n := len(values) + len(patterns)
	if n == 0 || !w.mayRepeat(cmd, n) {
		w.loop(cmd, env, body)
		return
	}
	w.repeat(cmd, env, n, all, func(i int, round *environment) {
		switch {
		case i < len(values):
			round.assign(words.Name.Value, values[i], true)
		case i < n:
			round.set(words.Name.Value, variable{pattern: patterns[i-len(values)]})
		}
		body(round)
	})
}

// repeat walks a loop in n rounds, and in one more unless these are all there are.
func (w *walk) repeat(cmd syntax.Command, env *environment, n int, all bool, body func(int, *environment)) {
	c := changesOf(cmd, env.definitions)
	if !all {
		n++
	}
	from := w.mark()
	after := []*environment{env.fork()}
	for i := range n {
		round := env.fork()
		round.forgetAll(c)
		body(i, round)
		after = append(after, round)
	}
	w.distinct(from)
	env.merge(after...)
	if c.directory {
		env.dir, env.stack = "", nil
	}
}

// valuesOf returns the first values that a loop gives its variable, and patterns of
// others; all is false when there may be more.
func (w *walk) valuesOf(words *syntax.WordIter, env *environment) (values []value, patterns []string, all bool) {
	if len(words.Items) == 0 && !words.InPos.IsValid() { // for x; do
		v := env.lookup("@")
		if v.array == nil {
			return nil, nil, false
		}
		for _, e := range *v.array {
			values = append(values, e.value)
		}
		return values[:min(len(values), maxRounds)], nil, len(values) <= maxRounds
	}
	all = true
	for _, f := range w.fields(words.Items, env) {
		if f.known && f.located && globIn(f.path, f) >= 0 && len(values)+len(patterns) < maxRounds {
			patterns = append(patterns, f.path)
			continue
		}
		if !f.known && f.pattern != "" && len(values)+len(patterns) < maxRounds {
			patterns = append(patterns, f.pattern)
			continue
		}
		if !f.known || globIn(f.path, f) >= 0 || len(values)+len(patterns) == maxRounds {
			all = false
			continue
		}
		f.written = false
		values = append(values, f.value)
	}
	return values, patterns, all
}

// whileLoop walks a while or until. One whose condition reads lines of a known text is
// walked once for each line.
func (w *walk) whileLoop(cmd *syntax.WhileClause, env *environment, p place) {
	body := func(env *environment) {
		w.statements(cmd.Cond, env, p)
		w.statements(cmd.Do, env, p)
	}
	lines := 0
	if p.input != nil && len(p.input.walked) == 0 && readsLine(cmd.Cond) {
		lines = strings.Count(strings.TrimRight(p.input.text, "\n"), "\n") + 1
	}
	n := min(lines, maxRounds)
	if n == 0 || !w.mayRepeat(cmd, n) {
		w.loop(cmd, env, body)
		return
	}
	rest := p.input
	w.repeat(cmd, env, n, lines <= maxRounds, func(i int, round *environment) {
		p.input = rest
		if i == n {
			p.input = nil
		}
		body(round)
		if rest != nil {
			_, after, _ := strings.Cut(rest.text, "\n")
			rest = &code{text: after, heredoc: rest.heredoc}
		}
	})
}

// readsLine reports whether a condition is a read.
func readsLine(condition []*syntax.Stmt) bool {
	if len(condition) == 0 {
		return false
	}
	stmt := condition[0]
	if binary, ok := stmt.Cmd.(*syntax.BinaryCmd); ok {
		stmt = binary.X
	}
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	return ok && len(call.Args) > 0 && call.Args[0].Lit() == "read"
}

// undecided walks a statement once for each value of a variable in it that has one of
// several. It reports whether it did.
func (w *walk) undecided(stmt *syntax.Stmt, env *environment, p place) (done, ends bool) {
	if !env.definitions.undecided || stmt.Background {
		return false, false
	}
	switch cmd := stmt.Cmd.(type) {
	case *syntax.CallExpr, *syntax.DeclClause:
	case *syntax.BinaryCmd:
		if !isPipe(cmd.Op) {
			return false, false
		}
	default:
		return false, false
	}
	for _, name := range expansions(stmt) {
		v := env.lookup(name)
		if v.alternatives == nil || !w.mayRepeat(stmt, len(*v.alternatives)) {
			continue
		}
		from := w.mark()
		var after []*environment
		for _, alternative := range append([]variable{}, v.decided()...) {
			round := env.fork()
			round.set(name, alternative)
			ends = w.statement(stmt, round, p)
			after = append(after, round)
		}
		w.distinct(from)
		env.merge(after...)
		return true, ends
	}
	return false, false
}

// decided returns the variables that v may be.
func (v variable) decided() []variable {
	var list []variable
	for _, value := range *v.alternatives {
		list = append(list, variable{value: value, known: true, exported: v.exported, letters: v.letters})
	}
	if v.open {
		list = append(list, variable{exported: v.exported, letters: v.letters, unset: v.unset})
	}
	return list
}

// either returns what is known of a variable that is one of two.
func either(v, other variable) variable {
	if v == other {
		return v
	}
	out := variable{exported: v.exported, open: v.open || other.open}
	var values []value
	for _, one := range []variable{v, other} {
		switch {
		case one.alternatives != nil:
			for _, alternative := range *one.alternatives {
				values = withValue(values, alternative)
			}
		case one.known && one.array == nil:
			values = withValue(values, one.value)
		default:
			out.open = true
		}
	}
	if len(values) == 0 || v.names != "" || other.names != "" {
		return variable{exported: v.exported}
	}
	if len(values) > maxAlternatives {
		values, out.open = values[:maxAlternatives], true
	}
	out.alternatives = &values
	return out
}

func withValue(values []value, v value) []value {
	for _, old := range values {
		if old == v {
			return values
		}
	}
	return append(values[:len(values):len(values)], v)
}
