package shell

import (
	"github.com/claudewatch/claudewatch/internal/script"
	"mvdan.cc/sh/v3/syntax"
)

// maxWritten bounds the number of files whose text is kept.
const maxWritten = 100

// remember keeps the text that a statement writes to files, as far as it is known, so
// that it can be read when the same call runs them.
func (w *walk) remember(stmt *syntax.Stmt, env *environment, p place) {
	if p.remote {
		return
	}
	var text *code
	first := true
	for _, r := range stmt.Redirs {
		if !writesOutput(r) || r.Op == syntax.DplOut {
			continue
		}
		f := w.word(r.Word, env)
		name := join(env.dir, located(&f))
		if name == "" || isStream(name) {
			continue
		}
		more := r.Op == syntax.AppOut || r.Op == syntax.AppAll || r.Op == syntax.AppClob
		if first {
			text, first = w.redirected(stmt, env, p), false
		}
		w.keep(env, name, text, more)
	}
}

// redirected returns what a statement writes to its standard output, wherever that
// goes; nil when it is not known.
func (w *walk) redirected(stmt *syntax.Stmt, env *environment, p place) *code {
	bare := *stmt
	bare.Redirs = nil
	for _, r := range stmt.Redirs {
		if !writesOutput(r) {
			bare.Redirs = append(bare.Redirs, r)
		}
	}
	return w.outputOf(&bare, env.fork(), p.input)
}

// keep keeps the text of a file; with more it stands behind what is there.
func (w *walk) keep(env *environment, name string, text *code, more bool) {
	written := env.definitions.written
	old := written[name]
	switch {
	case text == nil && !more:
		delete(written, name)
	case text == nil || old == nil && len(written) >= maxWritten:
	case more && old != nil:
		if len(old.text)+len(text.text) > maxVariableBytes {
			return
		}
		whole := &code{}
		whole.append("", old)
		whole.append("", text)
		written[name] = whole
	case len(text.text) <= maxVariableBytes:
		written[name] = text
	}
}

// writtenProgram returns the text of a program that the same call wrote.
func (w *walk) writtenProgram(c *call) []nested {
	f := c.words[0]
	name := join(c.env.dir, located(&f))
	text := c.env.definitions.written[name]
	if text == nil || name == "" || programName(f) == f.text {
		return nil
	}
	language := script.LanguageOf("", text.text)
	if language == script.Shell {
		language = ""
	}
	return []nested{{code: text, language: language, positional: append([]field{}, c.words[1:]...)}}
}

// opened keeps the texts that redirections put on streams other than the standard ones.
func (w *walk) opened(redirects []*syntax.Redirect, env *environment) {
	for _, r := range redirects {
		if r.N == nil || r.N.Value == "0" || !isNumber(r.N.Value) {
			continue
		}
		input := *r
		input.N = nil
		if text, ok := w.inputOf([]*syntax.Redirect{&input}, env); ok {
			w.keep(env, "&"+r.N.Value, text, false)
		}
	}
}
