package predicates

import (
	"strings"
	"sync"
)

// maxGroups bounds the patterns that the groups of one stand for; beyond it a group is
// any run of characters.
const maxGroups = 64

// choices are the patterns without choices {a,b} that one of glob stands for.
type choices [][]segment

// globs are the patterns that were read last: a rule asks the same ones of each target.
var globs globCache

// globCache keeps patterns that were read.
type globCache struct {
	mu  sync.Mutex
	all map[string]choices
}

// maxGlobs bounds the patterns that are kept: those of rules are few, but some can be
// made of what the call says.
const maxGlobs = 128

// read reads a pattern of glob; the error is that of ValidGlob.
func (g *globCache) read(pattern string) (choices, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if read, ok := g.all[pattern]; ok {
		return read, nil
	}
	if err := ValidGlob(pattern); err != nil {
		return nil, err
	}
	var read choices
	for _, choice := range withoutChoices(pattern) {
		read = append(read, readSegments(choice, ofGlob))
	}
	if g.all == nil || len(g.all) >= maxGlobs {
		g.all = map[string]choices{}
	}
	g.all[pattern] = read
	return read, nil
}

// withoutChoices writes the choices {a,b} of a valid pattern out.
func withoutChoices(pattern string) []string {
	open := indexOutside(pattern, ofGlob, func(i int) bool { return pattern[i] == '{' })
	if open < 0 {
		return []string{pattern}
	}
	alternatives, end := splitGroup(pattern, open+1, ofGlob, '{', ',', '}')
	if end < 0 {
		return []string{pattern}
	}
	var list []string
	for _, alternative := range alternatives {
		list = append(list, withoutChoices(pattern[:open]+alternative+pattern[end+1:])...)
	}
	return list
}

// withoutGroups writes the groups @(a|b) of a pattern of the shell out; "" is none. What
// *(…), +(…) and !(…) stand for is taken for more than it is. What zsh has behind a
// star, *(.) and the like, says which files are picked, and is too short for a name.
func withoutGroups(pattern string) []string {
	if pattern == "" {
		return nil
	}
	list := []string{pattern}
	for n := 0; n < len(list); {
		p := list[n]
		at := indexOutside(p, ofShell, func(i int) bool { return i+1 < len(p) && p[i+1] == '(' && strings.IndexByte("@?*+!", p[i]) >= 0 })
		if at < 0 {
			n++
			continue
		}
		alternatives, end := splitGroup(p, at+2, ofShell, '(', '|', ')')
		if end < 0 {
			alternatives, end = nil, len(p)-1
		}
		var stands []string
		switch {
		case len(list)+len(alternatives) > maxGroups || p[at] == '!' || alternatives == nil:
			stands = []string{"*"}
		case p[at] == '@':
			stands = alternatives
		case p[at] == '?':
			stands = append(alternatives, "")
		default:
			for _, alternative := range alternatives {
				if len(alternative) > 4 || p[at] == '+' {
					stands = append(stands, alternative+"*")
				}
			}
			if p[at] == '*' {
				stands = append(stands, "*")
			}
		}
		for i, s := range stands {
			if s = p[:at] + s + p[end+1:]; i == 0 {
				list[n] = s
			} else {
				list = append(list, s)
			}
		}
	}
	return list
}

// indexOutside returns the first place outside of classes and escapes; -1 for none.
func indexOutside(pattern string, d dialect, is func(int) bool) int {
	for i := 0; i < len(pattern); i++ {
		if is(i) {
			return i
		}
		i = skipped(pattern, i, d)
	}
	return -1
}

// splitGroup returns the alternatives of a group that begins at from, and where it
// ends, -1 when it does not.
func splitGroup(pattern string, from int, d dialect, open, separator, closing byte) (alternatives []string, end int) {
	depth := 0
	start := from
	for i := from; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == open:
			depth++
		case c == closing && depth > 0:
			depth--
		case c == closing:
			return append(alternatives, pattern[start:i]), i
		case c == separator && depth == 0:
			alternatives = append(alternatives, pattern[start:i])
			start = i + 1
		default:
			i = skipped(pattern, i, d)
		}
	}
	return nil, -1
}
