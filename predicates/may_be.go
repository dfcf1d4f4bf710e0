package predicates

import (
	"slices"
	"unicode"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

var mayBe = declaration{
	name:    "may_be",
	doc:     "The target may be a file whose path the pattern matches: by its name, where it really is, or, when it is written as a pattern of the shell, by one of the names that this can stand for, whether there is such a file or not: .cl* may be .claude. As in the shell, *, ? and [a-z] at the beginning of a name match no name that begins with a point. The pattern is that of glob, but that letter case does not count. Of a target that is not resolved, what is written behind the last unknown part counts. A malformed pattern is an error.",
	example: `input.writes.exists(t, t.may_be("**/deploy/*.key"))`,
	overloads: []overload{{
		id:         "target_may_be_string",
		member:     true,
		parameters: []*types.Type{schema.TargetType, types.StringType},
		result:     types.BoolType,
		bind: func(args ...ref.Val) ref.Val {
			t, ok := schema.TargetOf(args[0])
			if !ok {
				return types.MaybeNoSuchOverloadErr(args[0])
			}
			wanted, err := globs.read(text(args[1]))
			if err != nil {
				return types.WrapErr(err)
			}
			return types.Bool(targetMayBe(t, wanted))
		},
	}},
}

// targetMayBe compares the names of a target with the choices of a pattern.
func targetMayBe(t *schema.Target, wanted choices) bool {
	var names [][]segment
	if t.Lexical != "" {
		names = append(names, literalSegments(t.Lexical))
		if real := t.Path(); real != t.Lexical {
			names = append(names, literalSegments(real))
		}
	}
	if len(t.Pattern) <= maxGlobPath {
		for _, p := range withoutGroups(t.Pattern) {
			names = append(names, readSegments(p, ofShell))
		}
	}
	for _, choice := range wanted {
		if slices.ContainsFunc(names, func(name []segment) bool { return canMeet(name, choice) }) {
			return true
		}
	}
	return false
}

// canMeet reports whether a path can match both. The points at the beginning of names
// are hidden from what is written, not from what is wanted.
func canMeet(written, wanted []segment) bool {
	// next[j] is the answer for what is behind written[i] and from wanted[j] on.
	next, row := make([]bool, len(wanted)+1), make([]bool, len(wanted)+1)
	for i := len(written); i >= 0; i-- {
		for j := len(wanted); j >= 0; j-- {
			more, left := i < len(written), j < len(wanted)
			switch {
			case !more && !left:
				row[j] = true
			case left && wanted[j].deep:
				row[j] = row[j+1] || more && next[j]
			case more && written[i].deep:
				row[j] = next[j] || left && !wanted[j].isHidden() && row[j+1]
			default:
				row[j] = more && left && next[j+1] && namesMeet(written[i], wanted[j])
			}
		}
		next, row = row, next
	}
	return next[0]
}

func (s segment) isHidden() bool {
	return len(s.tokens) > 0 && s.tokens[0].kind == 'c' && s.tokens[0].r == '.'
}

// namesMeet reports whether a name can match both.
func namesMeet(written, wanted segment) bool {
	a, b := written.tokens, wanted.tokens
	if len(a) > 0 && a[0].kind != 'c' && wanted.isHidden() {
		return false
	}
	next, row := make([]bool, len(b)+1), make([]bool, len(b)+1)
	for i := len(a); i >= 0; i-- {
		for j := len(b); j >= 0; j-- {
			more, left := i < len(a), j < len(b)
			switch {
			case !more && !left:
				row[j] = true
			case more && a[i].kind == '*':
				row[j] = next[j] || left && row[j+1]
			case left && b[j].kind == '*':
				row[j] = row[j+1] || more && next[j]
			default:
				row[j] = more && left && next[j+1] && a[i].overlaps(b[j])
			}
		}
		next, row = row, next
	}
	return next[0]
}

// overlaps reports whether one character can be both. Of two classes it may be.
func (t token) overlaps(o token) bool {
	switch {
	case t.kind == '?' || o.kind == '?' || t.kind == '[' && o.kind == '[':
		return true
	case t.kind == '[':
		return t.has(o.r)
	case o.kind == '[':
		return o.has(t.r)
	}
	return unicode.ToLower(t.r) == unicode.ToLower(o.r)
}

// has reports whether a character, in either case, is of a class; in its own case of
// one that says what it is not.
func (t token) has(r rune) bool {
	if t.not {
		return !t.spans(r)
	}
	return t.spans(unicode.ToLower(r)) || t.spans(unicode.ToUpper(r))
}

func (t token) spans(r rune) bool {
	for i := 0; i < len(t.ranges); i += 2 {
		if t.ranges[i] <= r && r <= t.ranges[i+1] {
			return true
		}
	}
	return false
}
