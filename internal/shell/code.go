package shell

import (
	"cmp"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// code is text that a command runs: shell text, or a script in another language.
//
// Expansions that cannot be known stay in it as written. The substitutions among
// them run before the text does, and were walked as part of the outer text; they
// are kept in walked so that they are not walked twice.
type code struct {
	text   string
	walked []span
	// heredoc: the text is the body of a heredoc.
	heredoc bool
}

// span is a range of bytes in a text.
type span struct{ from, to int }

func (c *code) add(text string) { c.text += text }

// append puts another code behind c.
func (c *code) append(separator string, other *code) {
	c.text += separator
	for _, s := range other.walked {
		c.walked = append(c.walked, span{s.from + len(c.text), s.to + len(c.text)})
	}
	c.text += other.text
	c.heredoc = c.heredoc || other.heredoc
}

// trimPrefix removes the first n bytes.
func (c *code) trimPrefix(n int) {
	if n > len(c.text) {
		n = len(c.text)
	}
	c.text = c.text[n:]
	for i := range c.walked {
		c.walked[i].from -= n
		c.walked[i].to -= n
	}
}

// covers reports whether the text at offset was walked already.
func covers(walked []span, offset uint) bool {
	for _, s := range walked {
		if int(offset) >= s.from && int(offset) < s.to {
			return true
		}
	}
	return false
}

// codeBuilder puts a code together from the parts of a word.
type codeBuilder struct {
	strings.Builder
	walked []span
}

// code returns the text that a word gives to a shell or an interpreter.
func (w *walk) code(f field, env *environment) *code {
	if f.known && f.literal || f.word == nil {
		return &code{text: f.text}
	}
	var b codeBuilder
	w.writeCode(&b, f.word.Parts, env, unescape)
	c := &code{text: b.String(), walked: b.walked}
	c.trimPrefix(f.attached)
	return c
}

// join returns the text of words that a program joins with spaces.
func (w *walk) join(words []field, env *environment) *code {
	var b codeBuilder
	for i, f := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		c := w.code(f, env)
		for _, s := range c.walked {
			b.walked = append(b.walked, span{s.from + b.Len(), s.to + b.Len()})
		}
		b.WriteString(c.text)
	}
	return &code{text: b.String(), walked: b.walked}
}

// writeCode writes the parts of a word, whose literals unquote unquotes.
func (w *walk) writeCode(b *codeBuilder, parts []syntax.WordPart, env *environment, unquote func(string) string) {
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			b.WriteString(unquote(part.Value))
			continue
		case *syntax.DblQuoted:
			w.writeCode(b, part.Parts, env, unescapeQuoted)
			continue
		case *syntax.CmdSubst:
			if out := w.outputOfAll(part.Stmts, env, w.stdin); out != nil && len(out.walked) == 0 {
				b.WriteString(strings.TrimRight(out.text, "\n"))
				continue
			}
		}
		if v, known := w.part(part, env, false); known {
			b.WriteString(v.text)
			continue
		}
		from := b.Len()
		b.WriteString(cmp.Or(w.sourceIn(part, env), w.sourceOf(part)))
		b.walked = append(b.walked, span{from, b.Len()})
	}
}

// sourceIn returns the substitution whose output a variable holds, "" for another part.
func (w *walk) sourceIn(part syntax.WordPart, env *environment) string {
	p, ok := part.(*syntax.ParamExp)
	if !ok || !isBashParameter(p) || !isPlainExpansion(p) || p.Param == nil {
		return ""
	}
	return env.follow(p.Param.Value).source
}

// substitutionIn returns the substitution that a word is the output of, also by way of a
// variable; "" for another word.
func (w *walk) substitutionIn(f field, env *environment) string {
	c := w.code(f, env)
	if len(c.walked) != 1 || c.walked[0] != (span{0, len(c.text)}) || len(c.text) > maxVariableBytes {
		return ""
	}
	if strings.HasPrefix(c.text, "$(") || strings.HasPrefix(c.text, "`") {
		return c.text
	}
	return ""
}

// heredoc returns the body of a heredoc.
func (w *walk) heredoc(r *syntax.Redirect, env *environment) *code {
	if r.Hdoc == nil {
		return &code{heredoc: true}
	}
	var b codeBuilder
	unquote := unescapeHeredoc
	if isQuotedWord(r.Word) {
		unquote = func(s string) string { return s }
	}
	w.writeCode(&b, r.Hdoc.Parts, env, unquote)
	c := &code{text: b.String(), walked: b.walked, heredoc: true}
	if r.Op == syntax.DashHdoc && len(c.walked) == 0 {
		c.text = strings.ReplaceAll("\n"+c.text, "\n\t", "\n")
		for strings.Contains(c.text, "\n\t") {
			c.text = strings.ReplaceAll(c.text, "\n\t", "\n")
		}
		c.text = c.text[1:]
	}
	return c
}

// isQuotedWord reports whether a part of the word is quoted.
func isQuotedWord(word *syntax.Word) bool {
	for _, part := range word.Parts {
		if isQuoted(part) {
			return true
		}
	}
	return false
}
