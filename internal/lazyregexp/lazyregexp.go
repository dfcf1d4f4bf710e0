// Package lazyregexp compiles regular expressions at their first use. The hook starts
// for every tool call and needs none of them: at package level each would cost its
// start some ten microseconds.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that returns the regular expression. A pattern that is none
// is a panic at the first use, as it is one of regexp.MustCompile at the start.
func New(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// Pattern is a regular expression that is compiled at its first use. A variable or a
// field of this type is a constant of the binary, where New takes memory at the start:
// it is for tables.
type Pattern string

var compiled sync.Map // of *regexp.Regexp by Pattern

// Compiled returns the regular expression. A pattern that is none is a panic.
func (p Pattern) Compiled() *regexp.Regexp {
	if re, ok := compiled.Load(p); ok {
		return re.(*regexp.Regexp)
	}
	re, _ := compiled.LoadOrStore(p, regexp.MustCompile(string(p)))
	return re.(*regexp.Regexp)
}
