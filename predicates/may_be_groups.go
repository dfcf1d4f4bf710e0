package predicates

import "strings"

// maxGroups bounds the patterns that the groups of one stand for; beyond it a group is
// any run of characters.
const maxGroups = 64

// withoutChoices writes the choices {a,b} of a valid pattern out.
func withoutChoices(pattern string) []string {
	open := indexOutside(pattern, func(i int) bool { return pattern[i] == '{' })
	if open < 0 {
		return []string{pattern}
	}
	alternatives, end := splitGroup(pattern, open+1, '{', ',', '}')
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
		at := indexOutside(p, func(i int) bool { return i+1 < len(p) && p[i+1] == '(' && strings.IndexByte("@?*+!", p[i]) >= 0 })
		if at < 0 {
			n++
			continue
		}
		alternatives, end := splitGroup(p, at+2, '(', '|', ')')
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
func indexOutside(pattern string, is func(int) bool) int {
	for i := 0; i < len(pattern); i++ {
		switch {
		case is(i):
			return i
		case pattern[i] == '\\':
			i++
		case pattern[i] == '[':
			if end := strings.IndexByte(pattern[i+1:], ']'); end >= 0 {
				i += end + 1
			}
		}
	}
	return -1
}

// splitGroup returns the alternatives of a group that begins at from, and where it
// ends, -1 when it does not.
func splitGroup(pattern string, from int, open, separator, closing byte) (alternatives []string, end int) {
	depth := 0
	start := from
	for i := from; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == open:
			depth++
		case c == closing && depth > 0:
			depth--
		case c == closing:
			return append(alternatives, pattern[start:i]), i
		case c == separator && depth == 0:
			alternatives = append(alternatives, pattern[start:i])
			start = i + 1
		}
	}
	return nil, -1
}
