package policy

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/ast"
)

// adviseProgram finds programs that no command has: with the subcommand or options
// behind them, or with their directory; and subcommands of several words.
func adviseProgram(c *Checked) []Diagnostic {
	var all []Diagnostic
	never := func(literal ast.Expr, format string, a ...any) {
		all = append(all, c.advise(codeNever, literal, fmt.Sprintf(format, a...))...)
	}
	for _, t := range c.comparedTexts() {
		words := strings.Fields(t.text)
		if t.member || len(words) == 0 {
			continue
		}
		pipe := c.isField(t.operand, schema.CommandType, "piped_to") || c.isField(t.operand, schema.CommandType, "piped_from")
		switch {
		case c.isProgram(t.operand) && len(words) > 1:
			never(t.literal, "a program name has no space: use c.runs(%q)", t.text)
		case pipe && len(words) > 1:
			never(t.literal, "a program name has no space: write %q", words[0])
		case (pipe || c.isProgram(t.operand)) && strings.Contains(t.text, "/"):
			never(t.literal, "a program has no directory here: write %q", path.Base(t.text))
		case c.isField(t.operand, schema.CommandType, "subcommand") && len(words) > 1:
			never(t.literal, "a subcommand is one word: use c.runs(%q)", "PROGRAM "+t.text)
		case c.isField(t.operand, schema.GitOpType, "verb") && len(words) == 2 && words[0] == "git":
			never(t.literal, "a verb is one word: write %q", words[1])
		case c.isField(t.operand, schema.GitOpType, "verb") && len(words) > 1:
			never(t.literal, "a verb is one word: write %q, and ask for the others in g.args", words[0])
		}
	}
	for _, literal := range c.literalArguments("runs") {
		text, _ := stringLiteral(literal)
		words := strings.Fields(text)
		first := slices.IndexFunc(words, func(w string) bool { return len(w) > 1 && w[0] == '-' })
		switch {
		case first > 0:
			asked := []string{fmt.Sprintf("c.runs(%q)", strings.Join(words[:first], " "))}
			for _, w := range words[first:] {
				if w[0] == '-' {
					asked = append(asked, askedFlags(w)...)
				}
			}
			never(literal, "runs compares no options: use %s", strings.Join(asked, " && "))
		case len(words) > 0 && strings.Contains(words[0], "/"):
			words[0] = path.Base(words[0])
			never(literal, "a program has no directory here: write %q", strings.Join(words, " "))
		}
	}
	return all
}
