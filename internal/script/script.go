// Package script tells what can be read from code in other languages than the
// shell without running it: its language, what it calls and imports, and the commands
// it would start. It is made of pure functions over text, which take time in
// proportion to its length and accept any text.
//
// Each language has a lexer, so that a call is never found in a string or a comment.
// The lexers are lenient: code that does not parse is read as far as it goes. What
// they share stands in scanner.go. A Program is the tokens of some code (program.go)
// with the calls found in them (find.go), under their full names (names.go); calls.go
// says what a call is given, and a table of each language which calls start a process.
//
// literal.go holds strings with parts that are not known and writes them as shell
// text; evaluate.go, paths.go and constants.go work out the strings that calls are
// given, and reader.go finds the calls' arguments.
package script

import "github.com/claudewatch/claudewatch/internal/trigrams"

func containsAny(code string, marks []string) bool {
	text := trigrams.Of(code)
	for _, mark := range marks {
		if text.Contains(mark) {
			return true
		}
	}
	return false
}
