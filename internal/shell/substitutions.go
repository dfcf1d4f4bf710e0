package shell

import "mvdan.cc/sh/v3/syntax"

// visit walks the substitutions in the words of a call, once. Those in words that
// the program runs as code are on the other end of a pipe with it: sh -c "$(curl …)"
// and bash <(curl …) run a download as much as curl … | sh does.
func (w *walk) visit(c *call, program string, inner []nested) {
	pending := c.pending
	c.pending = nil
	runs := make(map[*syntax.Word]bool)
	for i := range inner {
		for _, f := range inner[i].words {
			runs[f.from] = true
		}
	}
	for _, word := range pending {
		p := c.place.inside()
		p.wrappers = c.around
		p.pipedFrom = program
		if program == "tee" {
			p.input = c.place.input
		}
		if runs[word] {
			p.pipedTo = program
		}
		w.substitutions(word, c.env, p)
	}
}

// inside returns the place of a command in a substitution at p: its pipes are its
// own, what it inherits from around is the same.
func (p place) inside() place {
	return place{wrappers: p.wrappers, remote: p.remote, quoted: p.quoted}
}

// wordsOf walks the substitutions in words.
func (w *walk) wordsOf(words []*syntax.Word, env *environment, p place) {
	for _, word := range words {
		w.substitutions(word, env, p.inside())
	}
}

// substitutions walks the commands in $(…), `…`, <(…) and >(…) below node, each in
// a shell of its own. p.pipedTo is for those whose output the node gets, p.pipedFrom
// for those that read it.
func (w *walk) substitutions(node syntax.Node, env *environment, p place) {
	if isNil(node) {
		return
	}
	syntax.Walk(node, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DblQuoted:
			if p.quoted {
				return true
			}
			quoted := p
			quoted.quoted = true
			for _, part := range n.Parts {
				w.substitutions(part, env, quoted)
			}
			return false
		case *syntax.ParamExp:
			w.prompted(n, env, p)
		case *syntax.CmdSubst:
			if !covers(w.walked, n.Pos().Offset()) {
				inner := p.inside()
				inner.pipedTo = p.pipedTo
				w.apart(n.Stmts, env, inner)
			}
			return false
		case *syntax.ProcSubst:
			if !covers(w.walked, n.Pos().Offset()) {
				inner := p.inside()
				if n.Op == syntax.CmdOut {
					inner.pipedFrom, inner.input = p.pipedFrom, p.input
				} else {
					inner.pipedTo = p.pipedTo
				}
				w.apart(n.Stmts, env, inner)
			}
			return false
		}
		return true
	})
}

// prompted walks the substitutions in the value that ${name@P} expands as a prompt.
func (w *walk) prompted(n *syntax.ParamExp, env *environment, p place) {
	if n.Exp == nil || n.Exp.Op != syntax.OtherParamOps || n.Exp.Word.Lit() != "P" || !isBashParameter(n) {
		return
	}
	if v := w.parameterValue(n, env); v.known && v.value.literal {
		w.expanded(v.value.text, env, p)
	}
}

// isNil reports whether a node is nil or an interface that holds a nil pointer.
func isNil(node syntax.Node) bool {
	switch node := node.(type) {
	case nil:
		return true
	case *syntax.Word:
		return node == nil
	}
	return false
}

// redirects returns the redirections of a statement as Command.Redirects shows them.
func (w *walk) redirects(list []*syntax.Redirect, env *environment) []string {
	var out []string
	for _, r := range list {
		if r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc {
			continue
		}
		operator := r.Op.String()
		if r.N != nil {
			operator = r.N.Value + operator
		}
		text := w.word(r.Word, env).text
		if !w.spend(len(text)) {
			break
		}
		out = append(out, operator+" "+text)
	}
	return out
}

// redirectWords walks the substitutions in the redirections of a statement.
func (w *walk) redirectWords(stmt *syntax.Stmt, env *environment, p place) {
	var output *code
	first := true
	for _, r := range stmt.Redirs {
		at := p.inside()
		switch r.Op {
		case syntax.RdrIn, syntax.WordHdoc, syntax.Hdoc, syntax.DashHdoc:
			at.pipedTo = w.firstProgram(stmt, env)
		default:
			at.pipedFrom = w.lastProgram(stmt, env)
			if writesOutput(r) && len(r.Word.Parts) == 1 && isSubstituted(r.Word.Parts[0]) {
				if first {
					output, first = w.redirected(stmt, env, p), false
				}
				at.input = output
			}
		}
		w.substitutions(r.Word, env, at)
		at.quoted = true
		w.substitutions(r.Hdoc, env, at)
	}
}

func isSubstituted(part syntax.WordPart) bool {
	_, ok := part.(*syntax.ProcSubst)
	return ok
}
