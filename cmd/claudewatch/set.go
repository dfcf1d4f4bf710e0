package main

import (
	"errors"
	"strings"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/settingsedit"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/spf13/cobra"
)

func newSet(std streams, env config.Environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "set SET/RULE block|ask|off|default",
		Short: "Set what a rule does",
		Long: `set says in settings.yaml what a rule does. "default", or the action that the rule's
file gives it, takes the entry of the rule out again. Everything else in the file stays
as it is, comments included.`,
		Example: `  claudewatch set 'watch-git/git commit' off
  claudewatch set 'watch-git/git commit' default`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return errQuoteRule
			}
			return nil
		},
		ValidArgsFunction: completeRules(env, func(*policy.CompiledRule) bool { return true }, settingsedit.Actions...),
	}
	cmd.SetFlagErrorFunc(orQuote(errQuoteRule))
	return editSettings(std, env, cmd, func(f settingsedit.File, args []string) (settingsedit.Outcome, error) {
		last := len(args) - 1
		return f.SetRule(ruleName(args[:last]), args[last])
	})
}

// errQuoteRule tells how a rule is named on the command line.
var errQuoteRule = errors.New("set takes a rule, in quotes, and what it does: claudewatch set 'watch-git/git push' block|ask|off|default")

// ruleName is the name of a rule, also where its quotes were forgotten.
func ruleName(words []string) string { return strings.Join(words, " ") }
