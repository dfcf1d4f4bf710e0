package main

import (
	"errors"
	"fmt"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/safetext"
	"github.com/claudewatch/claudewatch/internal/settingsedit"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/spf13/cobra"
)

func newEnable(std streams, env config.Environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "enable SET…",
		Short: "Switch rule sets on",
		Long: `enable switches rule sets on in settings.yaml: it takes them out of disable, and puts
those into enable that are off by default. Everything else in the file stays as it is,
comments included.`,
		ValidArgsFunction: completeSets(env),
	}
	return editSettings(std, env, cmd, settingsedit.File.Enable)
}

// editJSON is what enable, disable and set say with --json.
type editJSON struct {
	Path    string   `json:"path"`
	Changed bool     `json:"changed"`
	DryRun  bool     `json:"dry_run"`
	Said    []string `json:"said"`
	Diff    string   `json:"diff"`
}

// editSettings makes cmd, which takes names, a command that edits settings.yaml.
func editSettings(std streams, env config.Environment, cmd *cobra.Command, edit func(settingsedit.File, []string) (settingsedit.Outcome, error)) *cobra.Command {
	var dry, asJSON bool
	if cmd.Args == nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("name the rule sets: %s guard-main; claudewatch list prints them", cmd.CommandPath())
			}
			return nil
		}
	}
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		path := env.SettingsFile()
		if path == "" {
			return failure{errors.New("neither HOME nor CLAUDEWATCH_HOME is set, so that there is no place for settings; set one of them")}
		}
		outcome, err := edit(settingsedit.File{Path: path, Sets: loadedSets(env), Dry: dry}, args)
		if usage := settingsedit.UsageError(""); errors.As(err, &usage) {
			return err
		}
		if err != nil {
			status := failure{err}
			if invalid := (*settingsedit.InvalidError)(nil); errors.As(err, &invalid) {
				fmt.Fprintln(std.err, invalid.Snippet())
			}
			return status
		}
		said := editJSON{path, outcome.Changed(), dry, outcome.Said, diffText(outcome.Before, outcome.After)}
		if asJSON {
			return writeJSON(std.out, said)
		}
		printEdit(std, said)
		return nil
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "show what would change and write nothing")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printEdit(std streams, e editJSON) {
	if e.Changed {
		fmt.Fprintln(std.out, whole(e.Path))
		printDiff(std.out, e.Diff)
	}
	for _, sentence := range e.Said {
		fmt.Fprintln(std.out, whole(sentence))
	}
	switch {
	case !e.Changed:
		fmt.Fprintf(std.out, "Nothing to change in %s.\n", whole(e.Path))
	case e.DryRun:
		fmt.Fprintln(std.out, "This is a dry run: nothing was written.")
	}
}

// whole makes text fit for a terminal; it is not cut.
func whole(text string) string { return safetext.Line(text, 0) }

// loadedSets are the rule sets that the hook would load here, on or off. They have
// neither text nor tests.
func loadedSets(env config.Environment) []*policy.Set {
	return engine.Open(inProject(env), engine.Selection{Stored: true}).Policy.Sets
}

// completeSets completes names of rule sets.
func completeSets(env config.Environment) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var names []cobra.Completion
		for _, s := range loadedSets(env) {
			names = append(names, cobra.CompletionWithDesc(s.Name, s.Description))
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeRules completes the names of the rules that want accepts, and behind one the
// words.
func completeRules(env config.Environment, want func(*policy.CompiledRule) bool, words ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return words, cobra.ShellCompDirectiveNoFileComp
		}
		var names []cobra.Completion
		for _, s := range loadedSets(env) {
			for _, r := range s.Compiled() {
				if want(r) {
					names = append(names, cobra.CompletionWithDesc(s.Name+"/"+r.Name, r.Reason))
				}
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}
