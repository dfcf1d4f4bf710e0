// Package script tells what can be read from code in other languages than the
// shell without running it: its language, and the commands it would start. It is
// made of pure functions over text.
package script

// ShellTexts returns the shell text that code starts through the calls of its
// language that start a process, in source order. No language is read yet.
func ShellTexts(language, code string) []string { return nil }

// Statement is one simple command of a PowerShell text.
type Statement struct {
	// Words are the command's name and arguments, unquoted; a word with a variable
	// keeps it as written.
	Words []string
	// Source is the command as written.
	Source string
	// Redirects are the redirections, each as operator, a space and the word.
	Redirects []string
	// Expands names the variables in Words, once each, without the dollar sign.
	Expands []string
	// PipedFrom and PipedTo are the indexes of the statements on the other ends of
	// its pipes; -1 where there is none.
	PipedFrom, PipedTo int
}

// Statements returns the simple commands of a PowerShell text in source order.
// No text is read yet.
func Statements(powershell string) []Statement { return nil }
