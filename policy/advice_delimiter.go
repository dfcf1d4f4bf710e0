package policy

import (
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/lazyregexp"
)

// delimited is a regex as other languages write it in code, with the letters behind it
// that say how it is matched.
var delimited = lazyregexp.New(`^/((?:[^/\\]|\\.)+)/([gimsuy]{1,3})$`)

// adviseDelimiters finds regexes between slashes, which are part of what is searched.
func adviseDelimiters(r *CompiledRule) []Diagnostic {
	var all []Diagnostic
	for _, s := range slices.Concat([]*Scalar{r.Pattern, r.Except}, r.UnlessRegex) {
		if s == nil {
			continue
		}
		if m := delimited().FindStringSubmatch(s.Text); m != nil {
			flags := ""
			for _, letter := range m[2] {
				if strings.ContainsRune("ims", letter) {
					flags += string(letter)
				}
			}
			if flags != "" {
				flags = "(?" + flags + ")"
			}
			all = append(all, s.diagnostic(Warning, codeNever, 0, runeCount(s.Text), "a regex has no slashes around it: write '"+flags+m[1]+"'"))
		}
	}
	return all
}
