// Package suggest finds the name that somebody probably meant.
package suggest

import "strings"

// Nearest returns the candidate with the smallest edit distance to name, or ""
// when none is close: more than a third of the name would have to change. Of
// equally near candidates the first one wins. Case does not count.
func Nearest(name string, candidates []string) string {
	best, least := "", len([]rune(name))/3+1
	for _, c := range candidates {
		if d := distance(strings.ToLower(name), strings.ToLower(c)); d < least || d == least && best == "" {
			best, least = c, d
		}
	}
	return best
}

// Hint returns " (did you mean 'NAME'?)" for the nearest candidate, "" for none.
func Hint(name string, candidates []string) string {
	if n := Nearest(name, candidates); n != "" {
		return " (did you mean '" + n + "'?)"
	}
	return ""
}

// distance is the number of insertions, deletions, replacements and swaps of
// neighbours that turn a into b (optimal string alignment distance).
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	var before []int
	last := make([]int, len(t)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row := make([]int, len(t)+1)
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(t)]
}
