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
