package shell

import (
	"strings"

	"github.com/claudewatch/claudewatch/schema"
	"mvdan.cc/sh/v3/syntax"
)

// call is a simple command while it is being read: its words, from which wrappers
// are taken off, and what the commands inside it inherit.
type call struct {
	// words are the program and its arguments.
	words []field
	// source is the command as written.
	source string
	// assigned holds the assignments in front of it.
	assigned map[string]string
	// assigns are the same as they stand in the text.
	assigns []*syntax.Assign
	// redirects are its own redirections.
	redirects []string
	// expands names the variables in its words.
	expands []string
	// pending are the words whose substitutions are still to be walked.
	pending []*syntax.Word
	env     *environment
	place   place
	// around are the wrappers of the text it stands in, not those taken off itself.
	around []string
	// inShell: it runs in the current shell, so that a cd has an effect.
	inShell bool
	// fed: it is given more operands that are not known.
	fed bool
	// found are patterns of those.
	found []string
	// cmdlet: it is a PowerShell command, whose options are words behind one dash.
	cmdlet bool
}

// simple walks a command of words and assignments.
func (w *walk) simple(cmd *syntax.CallExpr, stmt *syntax.Stmt, redirects []string, env *environment, p place) (ends bool) {
	outer := w.stdin
	w.stdin = p.input
	assigned := w.assignments(cmd.Assigns, env, len(cmd.Args) == 0)
	defer func() {
		w.stdin = outer
		for _, a := range cmd.Assigns {
			w.substitutions(a, env, p)
		}
	}()
	w.prompts(cmd.Assigns, env, p)
	words := w.runOutput(w.fields(cmd.Args, env), env)
	if len(words) == 0 {
		if len(redirects) > 0 {
			w.add(&schema.Command{Source: w.sourceOf(stmt), Dir: dirAt(env, p), Env: assigned, Redirects: redirects, Remote: p.remote})
		}
		w.wordsOf(cmd.Args, env, p)
		return false
	}
	if n := len(p.wrappers); n > 0 && p.wrappers[n-1] == "time" && words[0].text == "--" && len(words) > 1 {
		words = words[1:]
	}
	if w.alias(words, cmd.Args, redirects, env, p) {
		return false
	}
	nodes := make([]syntax.Node, 0, len(cmd.Assigns)+len(cmd.Args))
	for _, a := range cmd.Assigns {
		nodes = append(nodes, a)
	}
	for _, word := range cmd.Args {
		nodes = append(nodes, word)
	}
	w.joinLines(nodes)
	c := &call{
		words: words, source: w.commandSource(stmt), assigned: assigned, assigns: cmd.Assigns, redirects: redirects,
		expands: expansions(append(nodes, inputNodes(stmt.Redirs)...)...),
		pending: cmd.Args, env: env, place: p, around: p.wrappers, inShell: true,
	}
	return w.run(c)
}

// declaration walks export, declare, local, readonly and typeset.
func (w *walk) declaration(cmd *syntax.DeclClause, stmt *syntax.Stmt, redirects []string, env *environment, p place) {
	words := []field{literalField(cmd.Variant.Value)}
	var nodes []syntax.Node
	for _, a := range cmd.Args {
		nodes = append(nodes, a)
		words = append(words, w.assignmentField(a, env))
	}
	w.run(&call{
		words: words, source: w.commandSource(stmt), redirects: redirects,
		expands: expansions(nodes...), env: env, place: p, inShell: true,
	})
	var attributes string
	for _, a := range cmd.Args {
		if a.Name == nil && a.Value != nil {
			attributes += strings.TrimPrefix(a.Value.Lit(), "-")
		}
		w.declare(a, attributes, env)
		if a.Name != nil && cmd.Variant.Value == "export" {
			v := env.lookup(a.Name.Value)
			v.exported = true
			env.set(a.Name.Value, v)
		}
		w.substitutions(a, env, p)
	}
}

// declare makes one assignment of a declaration, with the attributes of its options.
func (w *walk) declare(a *syntax.Assign, attributes string, env *environment) {
	if a.Name == nil {
		return
	}
	name := a.Name.Value
	switch {
	case strings.Contains(attributes, "n"):
		if f := w.assigned(a.Value, env); f.known && syntax.ValidName(f.text) && f.text != name {
			env.set(name, variable{names: f.text})
		}
		return
	case strings.Contains(attributes, "A"):
		env.set(name, variable{mapped: true, array: &[]element{}})
	case strings.Contains(attributes, "l"), strings.Contains(attributes, "u"):
		v := env.lookup(name)
		v.letters = 'l'
		if strings.Contains(attributes, "u") {
			v.letters = 'u'
		}
		env.set(name, v)
	}
	w.assign(a, env)
}

// assignmentField returns an argument of export as the word that it is.
func (w *walk) assignmentField(a *syntax.Assign, env *environment) field {
	switch {
	case a.Name == nil:
		return w.word(a.Value, env)
	case a.Naked && a.Index == nil:
		return literalField(a.Name.Value)
	case a.Array != nil || a.Index != nil:
		return field{value: value{text: w.sourceOf(a)}}
	}
	f := w.word(a.Value, env)
	operator := "="
	if a.Append {
		operator = "+="
	}
	f.text = a.Name.Value + operator + f.text
	f.word, f.from = nil, nil
	return f
}

// assignments reads the assignments in front of a command, or, when there is no
// command, makes them.
func (w *walk) assignments(list []*syntax.Assign, env *environment, alone bool) map[string]string {
	var assigned map[string]string
	for _, a := range list {
		if a.Name == nil {
			continue
		}
		if alone {
			w.assign(a, env)
			continue
		}
		if assigned == nil {
			assigned = make(map[string]string, len(list))
		}
		f := w.assignmentField(a, env)
		_, assigned[a.Name.Value], _ = strings.Cut(f.text, "=")
	}
	return assigned
}

// assign makes an assignment in env.
func (w *walk) assign(a *syntax.Assign, env *environment) {
	if a.Name == nil || a.Naked {
		return
	}
	name := a.Name.Value
	if a.Array != nil || a.Index != nil {
		elements, ok := w.arrayOf(a, env)
		old := env.follow(name)
		env.forget(name)
		if ok {
			env.set(name, variable{array: elements, mapped: old.mapped})
		}
		return
	}
	w.assigning = true
	f := w.assigned(a.Value, env)
	w.assigning = false
	v := f.value
	v.written = false
	if a.Append {
		old := env.follow(name)
		f.known = f.known && old.known
		v = old.value.and(v)
	}
	env.assign(name, v, f.known && len(v.text) <= maxVariableBytes)
	if !f.known && !a.Append {
		env.describe(name, f.pattern, w.substitutionIn(f, env))
	}
}

// alias reads a command whose first word is an alias: the alias's text with the
// rest of the command behind it.
func (w *walk) alias(words []field, args []*syntax.Word, redirects []string, env *environment, p place) bool {
	first := args[0]
	text, ok := env.definitions.aliases[first.Lit()]
	if !ok || isQuotedWord(first) || contains(w.expanding, first.Lit()) {
		return false
	}
	rest := args[1:]
	for len(rest) > 0 && strings.HasSuffix(text, " ") { // the next word may be an alias as well
		next, ok := env.definitions.aliases[rest[0].Lit()]
		if !ok || len(text)+len(next) > maxVariableBytes {
			break
		}
		text += next
		first, rest = rest[0], rest[1:]
	}
	c := &code{text: text + " " + w.slice(first.End(), args[len(args)-1].End())}
	p.redirects = append(p.redirects[:len(p.redirects):len(p.redirects)], redirects...)
	w.read(c, env, p, args[0].Lit())
	return true
}

// commandSource returns a command as written, without the list operator behind it.
func (w *walk) commandSource(stmt *syntax.Stmt) string {
	end := stmt.Cmd.End()
	for _, r := range stmt.Redirs {
		if r.Word != nil && r.Word.End().After(end) {
			end = r.Word.End()
		}
	}
	from := stmt.Pos()
	if from.After(stmt.Cmd.Pos()) { // behind coproc
		from = stmt.Cmd.Pos()
	}
	return w.slice(from, end)
}

// runOutput replaces a first word that is the known output of other commands:
// $(echo git) push runs git.
func (w *walk) runOutput(words []field, env *environment) []field {
	if len(words) == 0 || words[0].known || words[0].word == nil {
		return words
	}
	if rest := withoutAlternate(words); rest != nil {
		return rest
	}
	c := w.code(words[0], env)
	if len(c.walked) > 0 {
		return words
	}
	texts := strings.Fields(c.text)
	if isQuotedWord(words[0].word) {
		texts = []string{c.text}
	}
	var out []field
	for _, text := range texts {
		out = append(out, literalField(text))
	}
	return append(out, words[1:]...)
}

// withoutAlternate returns the words behind a first one like ${SUDO:+sudo}, which is
// nothing unless somebody set the variable; nil when it is another one.
func withoutAlternate(words []field) []field {
	parts := words[0].word.Parts
	if len(parts) != 1 || len(words) == 1 {
		return nil
	}
	p, ok := parts[0].(*syntax.ParamExp)
	if !ok || p.Exp == nil {
		return nil
	}
	if p.Exp.Op != syntax.AlternateUnset && p.Exp.Op != syntax.AlternateUnsetOrNull {
		return nil
	}
	return words[1:]
}

// inputNodes returns the texts that redirections put on standard input, whose
// variables a command shows as much as those in its words.
func inputNodes(redirects []*syntax.Redirect) []syntax.Node {
	var nodes []syntax.Node
	for _, r := range redirects {
		switch {
		case r.Hdoc != nil:
			nodes = append(nodes, r.Hdoc)
		case r.Op == syntax.WordHdoc:
			nodes = append(nodes, r.Word)
		}
	}
	return nodes
}
