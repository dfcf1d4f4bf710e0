package policy

import (
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clause is a choice of texts of which one must occur in whatever a regex matches.
type clause struct {
	literals []string
	// fold says that letter case does not count; the literals are then folded.
	fold bool
}

// requiredLiterals returns clauses that hold of every text that an RE2 regex matches;
// none when nothing can be said.
func requiredLiterals(pattern string) []clause {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	return matched(re.Simplify()).required()
}

// language is what is known of the texts that a regex matches.
type language struct {
	// exact are all of them, when there are few; nil when there are not.
	exact []string
	fold  bool // the exact texts may be in any letter case
	// clauses hold of a text besides.
	clauses []clause
}

// maxExact is how many texts are told one by one.
const maxExact = 32

// required returns the language as clauses.
func (l language) required() []clause {
	return append(l.clauses, toClause(l.exact, l.fold)...)
}

func toClause(texts []string, fold bool) []clause {
	if len(texts) == 0 {
		return nil
	}
	c := clause{fold: fold}
	for _, text := range texts {
		if strings.ContainsRune(text, utf8.RuneError) {
			return nil // U+FFFD also matches a byte that is not UTF-8
		}
		if strings.TrimSpace(text) == "" {
			return nil // nearly every text has that
		}
		if fold {
			text = foldCase(text)
		}
		c.literals = append(c.literals, text)
	}
	return []clause{c}
}

func matched(re *syntax.Regexp) language {
	switch re.Op {
	case syntax.OpLiteral:
		return language{exact: []string{string(re.Rune)}, fold: re.Flags&syntax.FoldCase != 0}
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return language{exact: []string{""}}
	case syntax.OpCharClass:
		return ofClass(re)
	case syntax.OpCapture:
		return matched(re.Sub[0])
	case syntax.OpQuest:
		if l := matched(re.Sub[0]); l.exact != nil && len(l.clauses) == 0 && len(l.exact) < maxExact {
			l.exact = append([]string{""}, l.exact...)
			return l
		}
	case syntax.OpPlus:
		return language{clauses: matched(re.Sub[0]).required()}
	case syntax.OpRepeat:
		if re.Min >= 1 {
			return language{clauses: matched(re.Sub[0]).required()}
		}
	case syntax.OpConcat:
		return concatenated(re.Sub)
	case syntax.OpAlternate:
		return alternatives(re.Sub)
	}
	return language{}
}

func ofClass(re *syntax.Regexp) language {
	var texts []string
	for i := 0; i+1 < len(re.Rune); i += 2 {
		for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
			if len(texts) == maxExact/4 {
				return language{}
			}
			texts = append(texts, string(r))
		}
	}
	return language{exact: texts}
}

// concatenated follows the parts of a sequence: as long as their texts are known they
// are joined.
func concatenated(parts []*syntax.Regexp) language {
	var l language
	run, fold, whole := []string{""}, false, true
	for _, part := range parts {
		next := matched(part)
		l.clauses = append(l.clauses, next.clauses...)
		if next.exact != nil && len(next.exact)*len(run) <= maxExact {
			run, fold = product(run, next.exact), fold || next.fold
			continue
		}
		whole = false
		l.clauses = append(l.clauses, toClause(run, fold)...)
		run, fold = []string{""}, false
		if next.exact != nil {
			run, fold = next.exact, next.fold
		}
	}
	if whole {
		l.exact, l.fold = run, fold
		return l
	}
	l.clauses = append(l.clauses, toClause(run, fold)...)
	return l
}

func product(a, b []string) []string {
	texts := make([]string, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			texts = append(texts, x+y)
		}
	}
	return texts
}

func alternatives(parts []*syntax.Regexp) language {
	languages := make([]language, len(parts))
	known := language{}
	exact := true
	for i, part := range parts {
		l := matched(part)
		languages[i] = l
		if l.exact == nil || len(l.clauses) > 0 || len(known.exact)+len(l.exact) > maxExact {
			exact = false
		}
		known.exact, known.fold = append(known.exact, l.exact...), known.fold || l.fold
	}
	if exact {
		return known
	}
	// One clause of each.
	var c clause
	for _, l := range languages {
		best := strongest(l.required())
		if best == nil {
			return language{}
		}
		if best.fold && !c.fold {
			c.literals, c.fold = folded(c.literals), true
		}
		literals := best.literals
		if c.fold {
			literals = folded(literals)
		}
		c.literals = append(c.literals, literals...)
	}
	if len(c.literals) > 4*maxExact {
		return language{}
	}
	return language{clauses: []clause{c}}
}

func folded(texts []string) []string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = foldCase(text)
	}
	return all
}

// strongest is the clause whose shortest text is longest, nil when there is none.
func strongest(clauses []clause) *clause {
	var best *clause
	score := 0
	for i := range clauses {
		shortest := len(clauses[i].literals[0])
		for _, text := range clauses[i].literals {
			shortest = min(shortest, len(text))
		}
		if s := 4*shortest - len(clauses[i].literals); best == nil || s > score {
			best, score = &clauses[i], s
		}
	}
	return best
}

// foldCase maps what is equal to (?i) to one text.
func foldCase(s string) string {
	ascii := true
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return strings.ToLower(s)
	}
	return strings.Map(foldRune, s)
}

// foldRune returns the least of the runes that are equal to (?i), in lower case when
// it is an ASCII letter: s for the long s, U+017F.
func foldRune(r rune) rune {
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	if 'A' <= least && least <= 'Z' {
		return least + 'a' - 'A'
	}
	return least
}
