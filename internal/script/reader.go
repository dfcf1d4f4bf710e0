package script

import (
	"slices"
	"strings"
)

// reader finds calls in the tokens of a program and works out what they are given.
type reader struct {
	tokens []token
	// closing holds for each opening bracket the index of the one that closes it,
	// len(tokens) when none does, and for one that closes another the index of that.
	closing []int32
	concat  []string // the operators that join strings
	found   []finding
	program *Program
}

// finding is shell text that code starts, and where.
type finding struct {
	start int32
	text  string
}

func newReader(p *Program, tokens []token, concat ...string) *reader {
	r := &reader{tokens: tokens, concat: concat, program: p}
	r.closing = make([]int32, len(tokens))
	var open []int
	for i, t := range tokens {
		if t.kind != symbol {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			r.closing[i] = int32(len(tokens))
			open = append(open, i)
		case ")", "]", "}":
			if n := len(open); n > 0 && closingOf(tokens[open[n-1]].text[0]) == t.text[0] {
				r.closing[open[n-1]] = int32(i)
				r.closing[i] = int32(open[n-1])
				open = open[:n-1]
			}
		}
	}
	return r
}

// at returns token i; a line break symbol outside of the program.
func (r *reader) at(i int) token {
	if 0 <= i && i < len(r.tokens) {
		return r.tokens[i]
	}
	return token{kind: symbol, text: "\n", newline: true}
}

// closes returns the index of the bracket that closes the one at i, len(r.tokens)
// when none does.
func (r *reader) closes(i int) int { return int(r.closing[i]) }

// opens returns the index of the bracket that the one at i closes. It reports false
// when token i closes none.
func (r *reader) opens(i int) (int, bool) {
	t := r.at(i)
	if t.kind != symbol || t.text != ")" && t.text != "]" && t.text != "}" {
		return 0, false
	}
	opener := int(r.closing[i])
	return opener, opener < i && r.closes(opener) == i
}

// skip returns the index after token i, or after its bracket is closed.
func (r *reader) skip(i int) int {
	if t := r.tokens[i]; t.kind == symbol && (t.text == "(" || t.text == "[" || t.text == "{") {
		return min(r.closes(i)+1, len(r.tokens))
	}
	return i + 1
}

// maxPath bounds how many names a path has.
const maxPath = 32

// path reads the path of names that begins at i: os.path.join, Process::spawn.
// Its names are joined by points. It returns the index behind it.
func (r *reader) path(i int) (string, int) {
	parts := []string{r.tokens[i].text}
	for i++; len(parts) < maxPath && r.isAccess(r.at(i)) && r.at(i+1).kind == name; i += 2 {
		parts = append(parts, r.tokens[i+1].text)
	}
	return strings.Join(parts, "."), i
}

// isAccess reports that t stands between a value and a name of it. A point does
// not, where it joins strings.
func (r *reader) isAccess(t token) bool {
	return t.is(".") && !slices.Contains(r.concat, ".") || t.is("::") || t.is("?.") || t.is("&.") || t.is("->") || t.is("?->")
}

// add records the shell text that the call at token i starts, if any of it is known.
func (r *reader) add(i int, text string) {
	if strings.TrimSpace(text) != "" {
		r.found = append(r.found, finding{r.tokens[i].start, text})
	}
}

// argument is one argument of a call: tokens lo to hi, hi excluded.
type argument struct {
	lo, hi  int
	keyword string // the name it is given by; "=>" for a pair of another kind
}

// arguments returns what stands between lo and hi, separated by commas.
func (r *reader) arguments(lo, hi int) []argument {
	var list []argument
	for start := lo; start < hi; {
		end := start
		for end < hi && !r.tokens[end].is(",") {
			end = r.skip(end)
		}
		end = min(end, hi)
		if start < end {
			list = append(list, r.argument(start, end))
		}
		start = end + 1
	}
	return list
}

func (r *reader) argument(lo, hi int) argument {
	first := r.tokens[lo]
	switch {
	case first.kind == label:
		return argument{lo + 1, hi, first.text}
	case hi-lo > 2 && first.kind == name && (r.tokens[lo+1].is("=") || r.tokens[lo+1].is(":") || r.isPair(lo+1)):
		return argument{lo + 2, hi, first.text}
	case hi-lo > 2 && first.kind == text && (r.tokens[lo+1].is(":") || r.isPair(lo+1)):
		key, _ := first.literal.fixedText()
		return argument{lo + 2, hi, key}
	}
	for i := lo; i < hi; i = r.skip(i) {
		if r.isPair(i) {
			return argument{i + 1, hi, "=>"}
		}
	}
	return argument{lo, hi, ""}
}

// isPair reports that token i is an arrow between a key and its value.
func (r *reader) isPair(i int) bool { return r.tokens[i].is("=>") && !r.program.language.arrows }

// positional returns the arguments that have no keyword.
func positional(list []argument) []argument {
	return slices.DeleteFunc(slices.Clone(list), func(a argument) bool { return a.keyword != "" })
}

// pick returns the n-th argument without a keyword, else the one of a keyword.
func pick(list []argument, n int, keywords ...string) (argument, bool) {
	if plain := positional(list); n < len(plain) {
		return plain[n], true
	}
	for _, a := range list {
		if slices.Contains(keywords, a.keyword) {
			return a, true
		}
	}
	return argument{}, false
}

// keyword returns the single token that a keyword is given as: True in shell=True.
func (r *reader) keyword(list []argument, keyword string) (token, bool) {
	for _, a := range list {
		if a.keyword == keyword && a.hi == a.lo+1 {
			return r.tokens[a.lo], true
		}
	}
	return token{}, false
}

// isTrue reports that an option is given and is not switched off.
func (r *reader) isTrue(list []argument, keyword string) bool {
	t, ok := r.keyword(list, keyword)
	return ok && !slices.Contains([]string{"False", "false", "None", "null", "undefined", "nil"}, t.text)
}

// argv returns the shell text of a command that is given word by word.
func (r *reader) argv(list ...value) string {
	var out []string
	known := false
	for _, v := range list {
		if v.list == nil {
			known = known || v.text.isKnown()
			out = append(out, v.word(len(out) == 0))
			continue
		}
		for _, item := range v.list {
			known = known || item.text.isKnown()
			out = append(out, item.word(len(out) == 0))
		}
	}
	if !known {
		return ""
	}
	return strings.Join(out, " ")
}

// textOrArgv returns the shell text of a command that is given as a string of
// shell text or as a list of words.
func (r *reader) textOrArgv(v value) string {
	if v.list != nil {
		return r.argv(v)
	}
	return r.shell(v)
}

// shell returns the shell text of a command that is given as a string.
func (r *reader) shell(v value) string {
	if v.list != nil || !v.text.isKnown() {
		return ""
	}
	return v.text.shellText()
}

// values works out several arguments.
func (r *reader) values(list []argument) []value {
	values := make([]value, len(list))
	for i, a := range list {
		values[i] = r.evaluate(a.lo, a.hi)
	}
	return values
}

// sortedTexts returns what several readers found, in source order. The texts are
// valid UTF-8, which a reader of shell text may ask for.
func sortedTexts(found []finding) []string {
	slices.SortStableFunc(found, func(a, b finding) int { return int(a.start - b.start) })
	var texts []string
	for _, f := range found {
		texts = append(texts, strings.ToValidUTF8(f.text, "\uFFFD"))
	}
	return texts
}
