package policy

import (
	"fmt"
	"slices"
	"strings"
)

// adviseWrapper finds conditions that take a wrapper for the program: sudo and its
// like are taken off the command that they run.
func adviseWrapper(c *Checked, wrappers []string) []Diagnostic {
	var all []Diagnostic
	for _, t := range c.comparedTexts() {
		if !t.member && c.isProgram(t.operand) && slices.Contains(wrappers, t.text) {
			all = append(all, c.advise(codeNever, t.literal, fmt.Sprintf("%s is no program when it runs a command: ask for %q in c.wrappers", t.text, t.text))...)
		}
	}
	for _, literal := range c.literalArguments("runs") {
		text, _ := stringLiteral(literal)
		words := strings.Fields(text)
		if len(words) > 1 && slices.Contains(wrappers, words[0]) {
			all = append(all, c.advise(codeNever, literal, fmt.Sprintf(
				"%s is no program when it runs a command: use c.runs(%q), and %q in c.wrappers if that matters",
				words[0], strings.Join(words[1:], " "), words[0]))...)
		}
	}
	return all
}
