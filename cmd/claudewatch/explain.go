package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/hooks"
	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/safetext"
	"github.com/claudewatch/claudewatch/internal/suggest"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/fatih/color"
	"github.com/spf13/cobra"
)

func newExplain(std streams, env config.Environment) *cobra.Command {
	var tool, dir string
	var rules, only []string
	var all, asJSON bool
	cmd := &cobra.Command{
		Use:   "explain [COMMAND]",
		Short: "Show how a call is read and decided",
		Long: `explain judges a command, or the hook event on standard input, exactly as the hook
does, and shows what it saw: the commands and scripts, each rule whose condition
holds with what its parts came to, and the decision.

An event of a call that is over (PostToolUse, PostToolUseFailure) is judged by what
the call changed: by the records of its tool_use_id, or by what the event says in a
key of its own, "changes": [{"path": "a.go", "operation": "modify",
"attribution": "only_this_window"}].`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return errQuoteCommand
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			env := inProject(env)
			c, err := explainCall(std, env, args, tool, dir)
			if err != nil {
				return err
			}
			e := engine.Open(env, engine.Selection{Paths: rules, Only: only})
			if err := e.SelectionError(); err != nil {
				return err
			}
			in := e.Input(c)
			outcome, decision := e.Judge(in, true)
			if asJSON {
				return writeJSON(std.out, explanationOf(in, outcome, decision, all))
			}
			printExplanation(std.out, in, outcome, decision, all)
			return nil
		},
	}
	cmd.SetFlagErrorFunc(orQuote(errQuoteCommand))
	cmd.Flags().StringVar(&tool, "tool", "Bash", "tool that would run the command: Bash, Monitor or PowerShell")
	cmd.Flags().StringVar(&dir, "cwd", "", "directory the command would run in (default: the current one)")
	cmd.Flags().StringSliceVar(&rules, "rules", nil, "files or folders of rule sets to read instead of those of the hook")
	cmd.Flags().StringSliceVar(&only, "only", nil, "evaluate just these sets, on or off")
	cmd.Flags().BoolVar(&all, "all", false, "show every rule, not just those whose condition holds")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// errQuoteCommand tells how a command is given to explain.
var errQuoteCommand = errors.New("explain takes one command, in quotes: claudewatch explain 'git push -f'")

// commandTools are the tools that run a command.
var commandTools = []string{"Bash", "Monitor", "PowerShell"}

// explainCall is the call of the command line, or of the event on standard input.
func explainCall(std streams, env config.Environment, args []string, tool, dir string) (call.Call, error) {
	if len(args) == 1 {
		if !slices.Contains(commandTools, tool) {
			return call.Call{}, fmt.Errorf("--tool: '%s' runs no commands%s; write Bash, Monitor or PowerShell", tool, suggest.Hint(tool, commandTools))
		}
		return commandCall(env, tool, args[0], dir)
	}
	var payload bytes.Buffer
	event, err := hooks.ReadEvent(io.TeeReader(std.in, &payload))
	if err != nil {
		return call.Call{}, fmt.Errorf("%w; give a command, or a hook event on standard input", err)
	}
	return explainedCall(env, event, payload.Bytes(), dir)
}

func printExplanation(w io.Writer, in *schema.Input, o *policy.Outcome, d policy.Decision, all bool) {
	title := color.New(color.Bold, color.Underline)
	effects := in.Effects()
	title.Fprintln(w, "call")
	on := ""
	if in.Event != hooks.PreToolUse {
		on = in.Event
	}
	fmt.Fprintf(w, "  tool %s%s%s%s\n", oneLine(in.Tool), optional("  on ", oneLine(on)), optional("  in ", oneLine(in.Cwd)), optional("  path ", oneLine(in.Path)))
	if effects.Command != "" {
		fmt.Fprintf(w, "  parsed %t  compound %t\n", effects.Parsed, effects.Compound)
	}
	if len(effects.Commands) > 0 {
		title.Fprintln(w, "commands")
		for _, c := range effects.Commands {
			printCommand(w, c, "  ")
		}
	}
	if len(effects.Scripts) > 0 {
		title.Fprintln(w, "scripts")
		for _, s := range effects.Scripts {
			fmt.Fprintf(w, "  %s (%s): %s\n", or(s.Language, "unknown language"), s.Source, oneLine(s.Content))
			for _, c := range s.Commands() {
				printCommand(w, c, "    ")
			}
		}
	}
	printTargets(w, title, "reads", effects.Reads)
	printTargets(w, title, "writes", effects.Writes)
	printGit(w, title, effects.Git)
	printChanges(w, title, in.Changes)
	if shown := tracesToShow(o, all); len(shown) > 0 {
		title.Fprintln(w, "rules")
		for _, t := range shown {
			printRule(w, t, "  ")
		}
	}
	fmt.Fprintf(w, "%s %d evaluated, %d matched\n", title.Sprint("rules:"), len(o.Trace), len(o.Blocks)+len(o.Asks)+len(o.Muted))
	fmt.Fprintf(w, "%s %s\n", title.Sprint("decision:"), verdict(d.Verdict))
	for _, m := range d.Matches {
		fmt.Fprintf(w, "  %s: %s\n", oneLine(matchName(m)), safetext.Line(m.Reason, 0))
		if m.Suggest != "" {
			fmt.Fprintf(w, "    instead: %s\n", oneLine(m.Suggest))
		}
		if m.Ref != "" {
			fmt.Fprintf(w, "    %s\n", oneLine(m.Ref))
		}
	}
	if d.Note != "" {
		fmt.Fprintf(w, "  %s\n", d.Note)
	}
	for _, m := range d.Muted {
		fmt.Fprintf(w, "  %s: muted for this session\n", oneLine(matchName(m)))
	}
}

func printCommand(w io.Writer, c *schema.Command, prefix string) {
	fmt.Fprintf(w, "%s%s\n", prefix, color.New(color.Bold).Sprint(oneLine(or(c.Text, c.Source))))
	var facts []string
	fact := func(name, text string) {
		if text != "" {
			facts = append(facts, name+" "+oneLine(text))
		}
	}
	fact("in", or(c.Dir, "an unknown directory"))
	fact("with", assignments(c.Env))
	fact("subcommand", c.Subcommand)
	fact("flags", strings.Join(c.Flags(), " "))
	fact("wrapped by", strings.Join(c.Wrappers, " "))
	fact("reads from", c.PipedFrom)
	fact("pipes to", c.PipedTo)
	fact("expands", strings.Join(c.Expands, " "))
	fact("redirects", strings.Join(c.Redirects, " "))
	if c.Remote {
		facts = append(facts, "runs elsewhere")
	}
	fmt.Fprintf(w, "%s  %s\n", prefix, strings.Join(facts, " · "))
}

// assignments are variables in the form NAME=value, sorted.
func assignments(env map[string]string) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(env)) {
		list = append(list, name+"="+env[name])
	}
	return strings.Join(list, " ")
}

func printTargets(w io.Writer, title *color.Color, name string, targets []*schema.Target) {
	if len(targets) == 0 {
		return
	}
	title.Fprintln(w, name)
	for _, t := range targets {
		facts := []string{t.Op + " by " + t.Via}
		if t.Recursive {
			facts = append(facts, "with all beneath")
		}
		if repo := repoText(t.Repo()); repo != "" {
			facts = append(facts, repo)
		}
		path := t.Path()
		if !t.Resolved {
			path = oneLine(t.Raw) + " (known only when it runs)"
		}
		fmt.Fprintf(w, "  %s\n    %s\n", oneLine(path), oneLine(strings.Join(facts, " · ")))
	}
}

func printGit(w io.Writer, title *color.Color, operations []*schema.GitOp) {
	if len(operations) == 0 {
		return
	}
	title.Fprintln(w, "git")
	for _, g := range operations {
		var facts []string
		if g.Mutates {
			facts = append(facts, "changes the repository")
		}
		if updates := g.Updates(); len(updates) > 0 {
			facts = append(facts, "updates "+strings.Join(updates, " ")+" of the remote")
		}
		facts = append(facts, or(repoText(g.Repo()), "outside a repository"))
		fmt.Fprintf(w, "  %s\n    %s\n", oneLine(g.Source), oneLine(strings.Join(facts, " · ")))
	}
}

// repoText says which repository and branch, "" outside a repository.
func repoText(r *schema.Repo) string {
	switch {
	case r.Root == "" && r.Known:
		return ""
	case !r.Known:
		return "in a repository or on a branch that is not known"
	case r.Detached:
		return "in " + r.Root + " on no branch"
	}
	return "in " + r.Root + " on " + r.Branch
}

// tracesToShow are the rules whose condition holds, or all that were evaluated.
func tracesToShow(o *policy.Outcome, all bool) []policy.RuleTrace {
	if all {
		return o.Trace
	}
	return slices.DeleteFunc(slices.Clone(o.Trace), func(t policy.RuleTrace) bool { return !t.Matched && !couldMatch(t) })
}

func verdict(v policy.Verdict) string {
	switch v {
	case policy.Deny:
		return color.RedString(v.String())
	case policy.AskVerdict, policy.Inform:
		return color.YellowString(v.String())
	}
	return color.GreenString(v.String())
}
