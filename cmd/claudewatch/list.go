package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/report"
	"github.com/claudewatch/claudewatch/internal/suggest"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/spf13/cobra"
)

// setJSON is a rule set as `list --json` and `show --json` print it.
type setJSON struct {
	Name        string        `json:"name"`
	Description string        `json:"description"`
	On          bool          `json:"on"`
	Why         string        `json:"why"`
	Scope       string        `json:"scope"`
	Path        string        `json:"path"`
	Blocks      int           `json:"blocks"`
	Asks        int           `json:"asks"`
	Rules       []setRuleJSON `json:"rules,omitempty"`
}

type setRuleJSON struct {
	Name    string `json:"name"`
	Action  string `json:"action"`
	On      string `json:"on,omitempty"`
	Why     string `json:"why,omitempty"`
	Line    int    `json:"line"`
	Reason  string `json:"reason"`
	Suggest string `json:"suggest,omitempty"`
	Ref     string `json:"ref,omitempty"`
}

func newList(std streams, env config.Environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [PATH…]",
		Short: "List the rule sets: where each comes from, on or off and why",
		RunE: func(_ *cobra.Command, paths []string) error {
			e := engine.Open(inProject(env), engine.Selection{Paths: paths, Stored: len(paths) == 0})
			sets := make([]setJSON, 0, len(e.Policy.Sets))
			for _, s := range e.Policy.Sets {
				sets = append(sets, describeSet(e, s))
			}
			if err := printSets(std, sets, asJSON); err != nil {
				return err
			}
			faults := e.Faults()
			if problems := slices.Concat(faults, e.Warnings()); len(problems) > 0 {
				if err := report.Write(std.err, "text", report.Sort(problems), ""); err != nil {
					return err
				}
			}
			if len(faults) > 0 {
				sayNamesOfSets(std, env, paths, "list", showSet)
				return exitStatus(exitFindings)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printSets(std streams, sets []setJSON, asJSON bool) error {
	if asJSON {
		return writeJSON(std.out, sets)
	}
	w := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	for _, s := range sets {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d block, %d ask\t%s\t%s\n", s.Name, onOff(s.On), s.Scope, s.Blocks, s.Asks, s.Path, s.Why)
	}
	return w.Flush()
}

func newShow(std streams, env config.Environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show SET[/RULE]",
		Short: "Show the rules of a set, or one of them",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("show takes one set or rule, in quotes: claudewatch show 'watch-git/git push'")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			e := engine.Open(inProject(env), engine.Selection{Stored: true})
			name, rule, single := strings.Cut(args[0], "/")
			i := slices.IndexFunc(e.Policy.Sets, func(s *policy.Set) bool { return s.Name == name })
			if i < 0 {
				var names []string
				for _, s := range e.Policy.Sets {
					names = append(names, s.Name)
				}
				fmt.Fprintf(std.err, "claudewatch: there is no rule set '%s'%s; claudewatch list prints them\n", name, suggest.Hint(name, names))
				return exitStatus(exitFindings)
			}
			set := describeSet(e, e.Policy.Sets[i])
			set.Rules = describeRules(e.Policy.Sets[i])
			if single {
				var names []string
				for _, r := range set.Rules {
					names = append(names, r.Name)
				}
				set.Rules = slices.DeleteFunc(set.Rules, func(r setRuleJSON) bool { return r.Name != rule })
				if len(set.Rules) == 0 {
					fmt.Fprintf(std.err, "claudewatch: the set '%s' has no rule '%s'%s; claudewatch show %s prints them\n", name, rule, suggest.Hint(rule, names), name)
					return exitStatus(exitFindings)
				}
			}
			if asJSON {
				return writeJSON(std.out, set)
			}
			printSet(std, set)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func describeSet(e *engine.Engine, s *policy.Set) setJSON {
	d := setJSON{
		Name: s.Name, Description: s.Description, On: s.Enabled, Scope: s.Scope.String(), Path: s.Path,
		Why: "by default",
	}
	if s.Enabled != s.DefaultOn {
		d.Why = "by " + e.Settings.Path
		if s.Scope == policy.Given {
			d.Why = "named on the command line"
		}
	}
	for _, r := range s.Compiled() {
		switch r.Action {
		case policy.Block:
			d.Blocks++
		case policy.Ask:
			d.Asks++
		}
	}
	return d
}

func describeRules(s *policy.Set) []setRuleJSON {
	var rules []setRuleJSON
	for _, r := range s.Compiled() {
		d := setRuleJSON{Name: r.Name, Action: r.Action.String(), Line: r.Position.Line, Reason: r.Reason, Suggest: r.Suggest, Ref: r.Ref}
		if r.Action != r.Listed {
			d.Why = fmt.Sprintf("%s in the file, changed by the settings", r.Listed)
		}
		if r.On != policy.PreToolUse {
			d.On = r.On.String()
		}
		rules = append(rules, d)
	}
	return rules
}

func printSet(std streams, s setJSON) {
	fmt.Fprintf(std.out, "%s (%s): %s\n%s, %s\n\n", s.Name, s.Path, s.Description, onOff(s.On), s.Why)
	for _, r := range s.Rules {
		fmt.Fprintf(std.out, "%-6s %s%s%s\n", r.Action, r.Name, optional("  on ", r.On), optional("  -- ", r.Why))
		fmt.Fprintln(std.out, indent(wrap(r.Reason, 70), "         "))
		if r.Suggest != "" {
			fmt.Fprintf(std.out, "         instead: %s\n", r.Suggest)
		}
	}
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
