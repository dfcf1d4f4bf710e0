package shell

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/pattern"
	"mvdan.cc/sh/v3/syntax"
)

const (
	maxPatternBytes  = 256  // of a pattern in ${name#pattern}; a longer one is not known
	maxOperatedBytes = 4096 // of a value that an operator changes; a longer one is not known
)

// parameter returns what is known of $name and ${name…}.
//
// A variable that the text never assigns may be set by whoever started the shell.
// Where the expansion says what stands in its place when it is not, as in ${name:-git},
// that is taken as the text, since it is what the writer expects; it leads to no path.
func (w *walk) parameter(p *syntax.ParamExp, env *environment) (value, bool) {
	if !isBashParameter(p) {
		return value{}, false
	}
	v := w.parameterValue(p, env)
	if p.Exp != nil {
		if out, known, applies := w.substitute(p, v, env); applies {
			return out, known
		}
	}
	if !v.known {
		return value{}, false
	}
	operator := w.operator(p, env)
	if operator == nil {
		return v.value, isPlainExpansion(p)
	}
	if !w.spend(len(v.value.text) * (1 + int(p.End().Offset()-p.Pos().Offset())/8)) {
		return value{}, false
	}
	return v.value.mapped(operator)
}

// isBashParameter reports whether p has none of the forms that only zsh and mksh know,
// or that ask for something else than the value.
func isBashParameter(p *syntax.ParamExp) bool {
	return p.Param != nil && p.Flags == nil && p.NestedParam == nil && p.Names == 0 && len(p.Modifiers) == 0 &&
		!p.Length && !p.Width && !p.IsSet &&
		p.Split == syntax.OptUnset && p.GlobSubst == syntax.OptUnset && p.RcExpand == syntax.OptUnset
}

// isPlainExpansion reports whether nothing changes the value that p names.
func isPlainExpansion(p *syntax.ParamExp) bool {
	return p.Exp == nil && p.Repl == nil && p.Slice == nil
}

// parameterValue returns the variable that p is about, indirection and index
// followed. One with unset is one that the text does not set.
func (w *walk) parameterValue(p *syntax.ParamExp, env *environment) variable {
	name := p.Param.Value
	if p.Excl {
		indirect := env.follow(name)
		if !indirect.known || !syntax.ValidName(indirect.value.text) {
			return variable{}
		}
		name = indirect.value.text
	}
	v := env.follow(name)
	switch {
	case p.Index != nil || name == "@" || name == "*":
		return w.indexed(v, p, env)
	case v.array != nil:
		return elementOf(v, "0")
	case v != (variable{}):
		return v
	}
	switch name {
	case "HOME":
		v.value = value{text: "$HOME", path: w.context.Home, located: w.context.Home != "", written: true}
	case "PWD":
		v.value = value{text: "$PWD", path: env.dir, located: env.dir != "", written: true}
	case "IFS":
		v.value = literalValue(" \t\n")
	default:
		return variable{unset: true}
	}
	v.known = true
	return v
}

// substitute applies the operators that put a word in the place of a value: :- := :+
// and :?. applies is false when p has none of them.
func (w *walk) substitute(p *syntax.ParamExp, v variable, env *environment) (out value, known, applies bool) {
	op := p.Exp.Op
	set := v.known && !v.unset
	switch op {
	case syntax.DefaultUnsetOrNull, syntax.AssignUnsetOrNull, syntax.AlternateUnsetOrNull, syntax.ErrorUnsetOrNull:
		set = set && (v.value.text != "" || v.value.path != "")
	case syntax.DefaultUnset, syntax.AssignUnset, syntax.AlternateUnset, syntax.ErrorUnset:
	default:
		return value{}, false, false
	}
	if !v.known && !v.unset {
		return value{}, false, true
	}
	switch op {
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return v.value, set, true
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if !set {
			return literalValue(""), v.known, true
		}
	default:
		if set {
			return v.value, true, true
		}
	}
	f := w.assigned(p.Exp.Word, env)
	if !f.known {
		return value{}, false, true
	}
	f.written = false
	if !v.known { // it may be set all the same
		f.path, f.located = "", false
	}
	if (op == syntax.AssignUnset || op == syntax.AssignUnsetOrNull) && p.Index == nil && !p.Excl {
		env.assign(p.Param.Value, f.value, len(f.text) <= maxVariableBytes)
	}
	return f.value, true, true
}

// mapped returns v changed by f. A value that names the home directory becomes the
// path that it is, which is the text that f is about.
func (v value) mapped(f func(string) (string, bool)) (value, bool) {
	text := v.text
	if v.located {
		text = v.path
	} else if !v.literal {
		return value{}, false
	}
	if len(text) > maxOperatedBytes {
		return value{}, false
	}
	text, ok := f(text)
	if !ok {
		return value{}, false
	}
	out := literalValue(text)
	if !v.located {
		out.path, out.located = "", false
	}
	return out, true
}

// operator returns what p does to a value; nil when that is nothing, or not known.
func (w *walk) operator(p *syntax.ParamExp, env *environment) func(string) (string, bool) {
	switch {
	case p.Slice != nil:
		return w.slicing(p.Slice, env)
	case p.Repl != nil:
		return w.replacing(p.Repl, env)
	case p.Exp == nil:
		return nil
	}
	expr, known := w.pattern(p.Exp.Word, env)
	if !known {
		return nil
	}
	switch op := p.Exp.Op; op {
	case syntax.RemSmallPrefix:
		return removing(expr, pattern.Shortest, `^(?s:%)()`)
	case syntax.RemLargePrefix:
		return removing(expr, 0, `^(?s:%)()`)
	case syntax.RemSmallSuffix:
		return removing(expr, pattern.Shortest, `^((?s:.*))(?s:%)$`)
	case syntax.RemLargeSuffix:
		return removing(expr, 0, `^((?s:.*?))(?s:%)$`)
	case syntax.UpperFirst, syntax.UpperAll, syntax.LowerFirst, syntax.LowerAll:
		if expr != "" && expr != "?" {
			return nil
		}
		upper := op == syntax.UpperFirst || op == syntax.UpperAll
		return changingCase(upper, op == syntax.UpperAll || op == syntax.LowerAll)
	case syntax.OtherParamOps:
		return transformation(expr)
	}
	return nil
}

// transformation returns what ${name@letter} does.
func transformation(letter string) func(string) (string, bool) {
	switch letter {
	case "U":
		return changingCase(true, true)
	case "u":
		return changingCase(true, false)
	case "L":
		return changingCase(false, true)
	case "E":
		return func(s string) (string, bool) { return unescapeANSI(s), true }
	case "P":
		return func(s string) (string, bool) { return s, !strings.ContainsAny(s, "\\$`!") }
	}
	return nil
}

// changingCase returns the operators ^ ^^ , and ,,.
func changingCase(upper, all bool) func(string) (string, bool) {
	convert := unicode.ToLower
	if upper {
		convert = unicode.ToUpper
	}
	return func(s string) (string, bool) {
		if all {
			return strings.Map(convert, s), true
		}
		first, size := utf8.DecodeRuneInString(s)
		if size == 0 || first == utf8.RuneError {
			return s, true
		}
		return string(convert(first)) + s[size:], true
	}
}

// removing returns the operators # ## % and %%. In form, % stands for the pattern;
// what the group matches is kept, with what stands behind the match.
func removing(glob string, mode pattern.Mode, form string) func(string) (string, bool) {
	expr := compiled(glob, mode, form)
	if expr == nil {
		return nil
	}
	return func(s string) (string, bool) {
		at := expr.FindStringSubmatchIndex(s)
		if at == nil {
			return s, true
		}
		return s[at[2]:at[3]] + s[at[1]:], true
	}
}

// compiled returns the regular expression of a shell pattern, nil when it has none.
func compiled(glob string, mode pattern.Mode, form string) *regexp.Regexp {
	text, err := pattern.Regexp(glob, mode)
	if err != nil {
		return nil
	}
	text = strings.TrimPrefix(text, "(?s)")
	expr, err := regexp.Compile(strings.Replace(form, "%", text, 1))
	if err != nil {
		return nil
	}
	return expr
}

// replacing returns the operators / // /# and /%.
func (w *walk) replacing(r *syntax.Replace, env *environment) func(string) (string, bool) {
	glob, known := w.pattern(r.Orig, env)
	with := w.assigned(r.With, env)
	if !known || !with.known || !with.literal || len(with.text) > maxPatternBytes {
		return nil
	}
	form := `(?s:%)`
	switch {
	case r.All:
	case strings.HasPrefix(glob, "#"):
		glob, form = glob[1:], `^(?s:%)`
	case strings.HasPrefix(glob, "%"):
		glob, form = glob[1:], `(?s:%)$`
	}
	expr := compiled(glob, 0, form)
	if expr == nil || glob == "" {
		return nil
	}
	return func(s string) (string, bool) {
		done := false
		return expr.ReplaceAllStringFunc(s, func(match string) string {
			if done && !r.All {
				return match
			}
			done = true
			return with.text
		}), true
	}
}

// slicing returns the operator ${name:offset:length}.
func (w *walk) slicing(s *syntax.Slice, env *environment) func(string) (string, bool) {
	return func(text string) (string, bool) {
		runes := []rune(text)
		from, to, ok := w.bounds(s, len(runes), env)
		if !ok {
			return "", false
		}
		return string(runes[from:to]), true
	}
}

// bounds returns the part of n things that a slice takes.
func (w *walk) bounds(s *syntax.Slice, n int, env *environment) (from, to int, ok bool) {
	to = n
	if s.Offset != nil {
		if from, ok = w.number(s.Offset, env); !ok {
			return 0, 0, false
		}
	}
	if from < 0 {
		from += n
	}
	if from < 0 || from > n {
		return 0, 0, true
	}
	if s.Length != nil {
		length, ok := w.number(s.Length, env)
		if !ok {
			return 0, 0, false
		}
		if to = from + length; length < 0 {
			to = n + length
		}
	}
	return from, max(from, min(to, n)), true
}

// number returns the value of an arithmetic expression that is a number, a variable
// that holds one, or the opposite of such.
func (w *walk) number(x syntax.ArithmExpr, env *environment) (int, bool) {
	switch x := x.(type) {
	case *syntax.ParenArithm:
		return w.number(x.X, env)
	case *syntax.UnaryArithm:
		n, ok := w.number(x.X, env)
		return -n, ok && x.Op == syntax.Minus && !x.Post
	case *syntax.Word:
		f := w.assigned(x, env)
		if syntax.ValidName(f.text) && f.known {
			v := env.follow(f.text)
			f.known, f.text = v.known, v.value.text
		}
		n, err := strconv.Atoi(f.text)
		return n, f.known && err == nil && n < maxTextBytes && n > -maxTextBytes
	}
	return 0, false
}

// pattern returns a word as a pattern: what is quoted in it stands for itself.
func (w *walk) pattern(word *syntax.Word, env *environment) (string, bool) {
	if word == nil {
		return "", true
	}
	var b strings.Builder
	for _, part := range word.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			b.WriteString(lit.Value)
			continue
		}
		v, known := w.part(part, env, false)
		if !known || !v.literal {
			return "", false
		}
		if isQuoted(part) {
			v.text = pattern.QuoteMeta(v.text, 0)
		}
		b.WriteString(v.text)
	}
	return b.String(), b.Len() <= maxPatternBytes
}
