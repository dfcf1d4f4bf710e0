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

import "strings"

// ShellTexts returns the shell text that code starts through the calls of its
// language that start a process, in source order: os.system and subprocess in
// python, child_process in node, system, exec and backticks in ruby, perl and php.
//
// A command given as a list of words is written as shell text, each word quoted
// where it needs it. A part of a string that is only known at run time becomes a
// shell variable that nobody sets, named after what stands there and beginning with
// an underscore: f"rm -rf {path}" gives rm -rf $_path. A command of which nothing is
// fixed is left out. A variable counts as its value where the program sets it once,
// to a literal, and has no parameter of the same name.
//
// The commands of a powershell text are its own: see Statements. Its shell texts
// are what it hands to a shell. Code of an unknown language, and of the shell, has
// none.
func ShellTexts(language, code string) []string { return Read(language, code).ShellTexts() }

func containsAny(code string, marks []string) bool {
	for _, mark := range marks {
		if strings.Contains(code, mark) {
			return true
		}
	}
	return false
}
