package policy

import (
	"fmt"
	"path"
	"strings"
)

// adviseProgram finds programs that no command has: with the subcommand behind
// them, or with their directory.
func adviseProgram(c *Checked) []Diagnostic {
	var all []Diagnostic
	for _, t := range c.comparedTexts() {
		if t.member || !c.isProgram(t.operand) {
			continue
		}
		switch {
		case strings.Contains(strings.TrimSpace(t.text), " "):
			all = append(all, c.advise(codeNever, t.literal, fmt.Sprintf("a program name has no space: use c.runs(%q)", t.text))...)
		case strings.Contains(t.text, "/"):
			all = append(all, c.advise(codeNever, t.literal, fmt.Sprintf("a program has no directory here: write %q", path.Base(t.text)))...)
		}
	}
	return all
}
