package predicates

import (
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

var runs = declaration{
	name:    "runs",
	doc:     "The program and the words after it are these: \"rm\" is any rm, \"git push\" is git with the subcommand push, \"docker compose exec\" and \"aws s3 rm\" name the operands that follow. Options may stand anywhere between the words.",
	example: `input.commands.exists(c, c.runs("git push"))`,
	overloads: []overload{
		commandOverload("command_runs_string", []*types.Type{types.StringType}, types.BoolType,
			func(c *schema.Command, args []ref.Val) ref.Val { return types.Bool(Runs(c, text(args[0]))) }),
	},
}

// Runs reports whether c runs the program that is the first word of words, with
// the remaining words as its subcommand and the operands that follow it.
func Runs(c *schema.Command, words string) bool {
	want := strings.Fields(words)
	if len(want) == 0 || want[0] != c.Program {
		return false
	}
	want = want[1:]
	have := subcommandWords(c)
	return len(have) >= len(want) && slices.Equal(have[:len(want)], want)
}

// subcommandWords returns the operands of c from its subcommand on. What stands in
// front of a subcommand is a value of a global option or a word like cargo's +nightly.
func subcommandWords(c *schema.Command) []string {
	if c.Subcommand == "" {
		return c.Operands
	}
	if i := slices.Index(c.Operands, c.Subcommand); i >= 0 {
		return c.Operands[i:]
	}
	return append([]string{c.Subcommand}, c.Operands...)
}
