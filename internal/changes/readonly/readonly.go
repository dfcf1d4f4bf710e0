// Package readonly tells the shell commands that only look from those that may
// change a file, so that the change recorder need not scan for the former.
//
// It is a list of programs, not a sandbox: a call passes when every command in it is
// on the list, is written in a way that is known to change nothing, and the text has no
// form in it that hides a command. Whatever is in doubt does not pass: a scan too many
// costs a moment, a scan too few loses a change.
//
// text.go looks at the form of the text, words.go at its wrappers and assignments,
// programs.go, git.go, golang.go, sed.go and awk.go at the words of each command.
package readonly

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/schema"
)

// Name names the list in the records, which say by what a call was judged.
const Name = "readonly-v1"

// Verdict says whether a call only reads.
type Verdict struct {
	// ReadOnly is true when nothing of the call can change a file that is observed.
	ReadOnly bool
	// Reason says what speaks against it, as a clause for people: "make is not on the
	// list". It is "" when ReadOnly is true.
	Reason string
}

// Classify judges a call by what its shell text would run. A call without shell text,
// and one in another language than a POSIX shell's, is not read-only.
func Classify(e *schema.Effects) Verdict {
	if reason := objection(e); reason != "" {
		return Verdict{Reason: reason}
	}
	return Verdict{ReadOnly: true}
}

// objection returns why a call may change something, "" when it cannot.
func objection(e *schema.Effects) string {
	switch {
	case e == nil || !e.Parsed:
		return "the text cannot be read"
	case len(e.Writes) > 0:
		return fmt.Sprintf("%s names a file to write", e.Writes[0].Via)
	case len(e.Scripts) > 0:
		return "it runs a script"
	case len(e.Commands) == 0:
		return "there is no command in it"
	}
	for _, c := range e.Commands {
		if reason := objectionToCommand(c); reason != "" {
			return reason
		}
	}
	calls, reason := readText(e.Command)
	if reason != "" {
		return reason
	}
	printsText := false
	for _, c := range e.Commands {
		printsText = printsText || c.Program == "find" && hasPrefix(c.Args, "-printf")
	}
	for _, c := range e.Commands {
		w := words{list: c.Args, given: map[string]int{}, expands: len(c.Expands) > 0, written: calls[c.Source]}
		for _, word := range c.Args {
			w.given[word]++
		}
		if slices.Contains(c.Wrappers, "xargs") {
			w.fed, w.fedPaths = true, c.PipedFrom == "find" && !printsText
		}
		if reason := objectionToWords(c.Program, w); reason != "" {
			return reason
		}
	}
	return ""
}

// objectionToCommand judges what a simple command runs, its arguments left out.
func objectionToCommand(c *schema.Command) string {
	switch {
	case c.Program == "":
		return "a command's program is not known"
	case c.Function:
		return c.Program + " is a function of the text"
	case c.Remote:
		return c.Program + " runs elsewhere"
	case !isListed(c.Program):
		return c.Program + " is not on the list"
	}
	for _, wrapper := range c.Wrappers {
		if !isWrapper(wrapper) {
			return wrapper + " is not on the list"
		}
	}
	return ""
}

// hasPrefix reports whether one of the words begins with prefix.
func hasPrefix(list []string, prefix string) bool {
	for _, word := range list {
		if strings.HasPrefix(word, prefix) {
			return true
		}
	}
	return false
}
