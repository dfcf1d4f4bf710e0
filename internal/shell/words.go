package shell

import (
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

const (
	maxFieldsPerWord = 256     // of a brace list or range; a longer one stays as written
	maxBraces        = 64      // in one word; a word with more stays as written
	maxVariableBytes = 1 << 16 // a longer value is not kept
)

// value is what is known of a word or a variable without running anything.
type value struct {
	// text is the word unquoted; $HOME, $PWD and ~ stay as written.
	text string
	// path is text with $HOME, $PWD and a leading ~ replaced by what they stand for.
	path string
	// literal: text is exactly what the program gets, up to a leading ~ and globs.
	literal bool
	// located: path is exactly what the program gets, up to globs.
	located bool
	// written: the word itself names $HOME or $PWD, so that its source text stands for it.
	written bool
	// globbed: it stands for the names that a pattern matches, which the shell has put in
	// its place; so it stays a pattern also where a variable with it stands in quotes.
	globbed bool
}

func literalValue(text string) value {
	return value{text: text, path: text, literal: true, located: true}
}

// field is one word of a command as the program would get it: quotes removed,
// brace lists and known variables written out.
type field struct {
	value
	// known is false when a part of it cannot be known; text is then its source.
	known bool
	// quoted: a part of it was quoted or escaped.
	quoted bool
	// pattern is one that the word matches, when it is not known.
	pattern string
	// attached is where the value begins in a word that is an option and its value.
	attached int
	// word is what it was expanded from, after brace lists; nil for a field that is
	// in no word of the text.
	word *syntax.Word
	// from is the word of the text, before brace lists.
	from *syntax.Word
}

// replaced returns the value of a field in a place where the shell replaces a pattern by
// the names that it matches.
func (f field) replaced() value {
	f.globbed = f.globbed || globIn(f.path, f) >= 0
	return f.value
}

func literalField(text string) field { return field{value: literalValue(text), known: true} }

// fields expands the words of a command.
func (w *walk) fields(words []*syntax.Word, env *environment) []field {
	out := make([]field, 0, len(words))
	for _, word := range words {
		for _, braced := range w.braces(word) {
			for _, f := range w.expand(braced, env, true) {
				f = w.asWritten(f)
				if !w.spendWord(f.text) {
					return out
				}
				f.from = word
				out = append(out, f)
			}
		}
	}
	return out
}

// word expands a word that is not split, such as the target of a redirection.
func (w *walk) word(word *syntax.Word, env *environment) field {
	return w.asWritten(w.assigned(word, env))
}

// assigned expands the right side of an assignment.
func (w *walk) assigned(word *syntax.Word, env *environment) field {
	if word == nil || len(word.Parts) == 0 {
		return literalField("")
	}
	return w.expand(word, env, false)[0]
}

// asWritten gives a field that names $HOME or $PWD itself its source text: a word
// that needs the shell at run time is shown as it is written.
func (w *walk) asWritten(f field) field {
	if f.written && f.word != nil {
		f.text = w.sourceOf(f.word)
	}
	return f
}

// braces writes out brace lists and ranges: a{b,c} is ab and ac.
func (w *walk) braces(word *syntax.Word) []*syntax.Word {
	open := 0
	for _, part := range word.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			open += strings.Count(lit.Value, "{")
		}
	}
	if open == 0 || open > maxBraces {
		return []*syntax.Word{word}
	}
	split := &syntax.Word{Parts: word.Parts}
	if !syntax.SplitBraces(split) {
		return []*syntax.Word{word}
	}
	var words []*syntax.Word
	for expanded, err := range expand.BracesSeq(nil, split) {
		if err != nil || len(words) == maxFieldsPerWord {
			return []*syntax.Word{word}
		}
		words = append(words, expanded)
	}
	return words
}

// expand returns the fields of a word without brace lists. With split, unquoted
// variables are split at blanks, so that there can be any number of fields; else
// there is one.
func (w *walk) expand(word *syntax.Word, env *environment, split bool) []field {
	b := builder{}
	separators := env.separators()
	for i, part := range word.Parts {
		if split {
			if elements, ok := w.elementsOf(part, env); ok {
				b.elements(elements, isQuoted(part), separators)
				continue
			}
		}
		v, known := w.part(part, env, false)
		if !known || !w.spend(len(v.text)) {
			return []field{{value: value{text: w.sourceOf(word)}, quoted: true, word: word, pattern: w.matchedBy(word.Parts, env)}}
		}
		if lit, ok := part.(*syntax.Lit); ok && i == 0 && strings.HasPrefix(lit.Value, "~") {
			v = w.tilde(v, len(word.Parts) == 1, env)
		}
		if split && isSplit(part) {
			b.split(v, separators)
			continue
		}
		b.add(v)
		b.quoted = b.quoted || isQuoted(part)
	}
	fields := b.fields()
	if len(fields) == 0 && !split {
		fields = []field{literalField("")}
	}
	for i := range fields {
		fields[i].word = word
	}
	return fields
}

// builder puts the parts of a word together to fields.
type builder struct {
	done       []field
	open       bool // a field has been begun
	text, path strings.Builder
	symbolic   bool // some part is not literal
	elsewhere  bool // some part is not located
	written    bool
	globbed    bool
	quoted     bool
}

// add appends a part to the open field.
func (b *builder) add(v value) {
	b.open = true
	b.text.WriteString(v.text)
	b.path.WriteString(v.path)
	b.symbolic = b.symbolic || !v.literal
	b.elsewhere = b.elsewhere || !v.located
	b.written = b.written || v.written
	b.globbed = b.globbed || v.globbed
}

// split appends a part that separators separate into fields. Of those that are no
// blanks each one ends a field.
func (b *builder) split(v value, separators string) {
	if !strings.ContainsAny(v.text, separators) {
		if v.text != "" {
			b.add(v)
		}
		return
	}
	isSeparator := func(r rune) bool { return strings.ContainsRune(separators, r) }
	last := len(v.text) - 1
	for i, piece := range strings.FieldsFunc(v.text, isSeparator) {
		if i > 0 || isSeparator(rune(v.text[0])) {
			b.close()
		}
		b.add(value{text: piece, path: piece, literal: v.literal, located: v.located && v.literal, globbed: v.globbed})
	}
	if isSeparator(rune(v.text[last])) {
		b.close()
	}
}

// isSplit reports whether the shell splits what a part expands to.
func isSplit(part syntax.WordPart) bool {
	switch part.(type) {
	case *syntax.ParamExp, *syntax.CmdSubst:
		return true
	}
	return false
}

// close ends the open field.
func (b *builder) close() {
	if !b.open {
		return
	}
	b.done = append(b.done, field{
		value: value{
			text: b.text.String(), path: b.path.String(),
			literal: !b.symbolic, located: !b.elsewhere, written: b.written, globbed: b.globbed,
		},
		known:  true,
		quoted: b.quoted,
	})
	done := b.done
	*b = builder{done: done}
}

func (b *builder) fields() []field {
	b.close()
	return b.done
}

// elements appends the elements of an array, each a field, and more than one when it
// is not quoted; the first and the last one join with what stands around them.
func (b *builder) elements(elements []element, quoted bool, separators string) {
	for i, e := range elements {
		if i > 0 {
			b.close()
		}
		if !quoted {
			b.split(e.value, separators)
			continue
		}
		b.add(e.value)
		b.quoted = true
	}
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }

func isQuoted(part syntax.WordPart) bool {
	switch part := part.(type) {
	case *syntax.SglQuoted, *syntax.DblQuoted:
		return true
	case *syntax.Lit:
		return strings.Contains(part.Value, `\`)
	}
	return false
}

// part returns what is known of one part of a word, and false when it is nothing.
// quoted says that the part stands between double quotes.
func (w *walk) part(part syntax.WordPart, env *environment, quoted bool) (value, bool) {
	switch part := part.(type) {
	case *syntax.Lit:
		if quoted {
			return literalValue(unescapeQuoted(part.Value)), true
		}
		return literalValue(unescape(part.Value)), true
	case *syntax.SglQuoted:
		if part.Dollar {
			return literalValue(unescapeANSI(part.Value)), true
		}
		return literalValue(part.Value), true
	case *syntax.DblQuoted:
		return w.parts(part.Parts, env)
	case *syntax.ParamExp:
		return w.parameter(part, env)
	case *syntax.CmdSubst:
		return w.output(part, env)
	case *syntax.ExtGlob, *syntax.BraceExp:
		return literalValue(w.sourceOf(part)), true
	}
	return value{}, false
}

// parts returns what is known of the parts between double quotes.
func (w *walk) parts(parts []syntax.WordPart, env *environment) (value, bool) {
	var b builder
	b.add(literalValue(""))
	for _, part := range parts {
		v, known := w.part(part, env, true)
		if !known || !w.spend(len(v.text)) {
			return value{}, false
		}
		b.add(v)
	}
	return b.fields()[0].value, true
}

// tilde gives a part that begins with an unquoted ~ its path. A ~ that a quoted
// part follows, and ~user, lead nowhere we know.
func (w *walk) tilde(v value, whole bool, env *environment) value {
	rest, home := v.text[1:], w.context.Home
	if assigned := env.lookup("HOME"); assigned != (variable{}) {
		home = ""
		if assigned.known && assigned.value.located {
			home = assigned.value.path
		}
	}
	if home == "" || rest != "" && rest[0] != '/' || rest == "" && !whole {
		v.path, v.located = "", false
		return v
	}
	v.path = home + rest
	return v
}

// sourceOf returns the text of a word or a part of one as written, without line
// continuations. The literals of a word after brace lists have no place in the
// text of their own, so that theirs is their value.
func (w *walk) sourceOf(node syntax.Node) string {
	word, ok := node.(*syntax.Word)
	if !ok {
		return strings.ReplaceAll(w.slice(node.Pos(), node.End()), "\\\n", "")
	}
	if len(word.Parts) == 1 {
		return w.partSource(word.Parts[0])
	}
	var b strings.Builder
	for _, part := range word.Parts {
		b.WriteString(w.partSource(part))
	}
	return b.String()
}

func (w *walk) partSource(part syntax.WordPart) string {
	if lit, ok := part.(*syntax.Lit); ok {
		return lit.Value
	}
	return w.sourceOf(part)
}

// slice returns the text between two positions.
func (w *walk) slice(from, to syntax.Pos) string {
	if !from.IsValid() || !to.IsValid() || to.Offset() > uint(len(w.text)) || from.Offset() > to.Offset() {
		return ""
	}
	return w.text[from.Offset():to.Offset()]
}

// expansions lists the variables that the shell expands in nodes, once each. What
// is expanded inside a substitution belongs to the command there.
func expansions(nodes ...syntax.Node) []string {
	var names []string
	for _, node := range nodes {
		syntax.Walk(node, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.CmdSubst, *syntax.ProcSubst:
				return false
			case *syntax.ParamExp:
				if n.Param != nil && syntax.ValidName(n.Param.Value) && !contains(names, n.Param.Value) {
					names = append(names, n.Param.Value)
				}
			}
			return true
		})
	}
	return names
}
