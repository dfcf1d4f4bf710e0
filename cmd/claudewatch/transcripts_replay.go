package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/replay"
	"github.com/claudewatch/claudewatch/internal/report"
	"github.com/claudewatch/claudewatch/internal/transcript"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/spf13/cobra"
)

func newReplay(std streams, env config.Environment) *cobra.Command {
	var rules, only, against []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "replay [PATH…]",
		Short: "Judge past calls by today's rules and print what would change",
		Long: `replay judges the tool calls of past sessions. Without --against it compares the
decisions of the policy in force with what the transcripts record: a call was
blocked, or it was let through. With --against it compares the policy in force
with the rule files at that path. The paths are transcripts or folders of them, by
default those of Claude Code under the home directory.

Rules that ask about files and repositories see them as they are today. The file
behind an edit is not read: an edit is judged by its new text alone.`,
		RunE: func(_ *cobra.Command, paths []string) error {
			inForce := engine.Open(env, engine.Selection{Paths: rules, Only: only})
			if err := inForce.SelectionError(); err != nil {
				return err
			}
			r := &replay.Replay{After: inForce}
			if len(against) > 0 {
				r.Before, r.After = inForce, engine.Open(env, engine.Selection{Paths: against})
			}
			if faults := faultsOf(r.Before, r.After); len(faults) > 0 {
				if err := report.Write(std.out, "text", report.Sort(faults), ""); err != nil {
					return err
				}
				return exitStatus(exitFindings)
			}
			if err := cmp.Or(haveRules("--rules", rules, inForce), haveRules("--against", against, r.After)); err != nil {
				return err
			}
			return runReplay(std, env, paths, r, asJSON)
		},
	}
	cmd.Flags().StringSliceVar(&against, "against", nil, "files or folders of rule sets to compare the policy in force with")
	cmd.Flags().StringSliceVar(&rules, "rules", nil, "files or folders of rule sets to read instead of those of the hook")
	cmd.Flags().StringSliceVar(&only, "only", nil, "evaluate just these sets of the policy in force, on or off")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// haveRules returns an error when the paths of a flag have no rule file.
func haveRules(flag string, paths []string, e *engine.Engine) error {
	if len(paths) == 0 || len(e.RuleSets()) > 0 {
		return nil
	}
	return fmt.Errorf("%s: there is no rule file in %s", flag, whole(strings.Join(paths, ", ")))
}

func faultsOf(engines ...*engine.Engine) []policy.Diagnostic {
	var faults []policy.Diagnostic
	for _, e := range engines {
		if e != nil {
			faults = append(faults, e.Faults()...)
		}
	}
	return faults
}

func runReplay(std streams, env config.Environment, paths []string, r *replay.Replay, asJSON bool) error {
	changes := []changeJSON{}
	bar := barOn(std.err, "replaying")
	err := walkTranscripts(std, env, paths, bar, func(c *transcript.Call) error {
		change, changed := r.Judge(c)
		switch {
		case !changed:
		case asJSON:
			changes = append(changes, changeOf(change))
		default:
			bar.Clear()
			printChange(std.out, changeOf(change))
		}
		return nil
	})
	if err != nil && r.Calls == 0 {
		return err
	}
	if asJSON {
		return errors.Join(err, writeJSON(std.out, replayOf(r, changes)))
	}
	printReplay(std.out, r)
	return err
}

// replayJSON is what `replay --json` prints. Decisions are allow, ask and deny, as in
// the decision log.
type replayJSON struct {
	Calls     int                 `json:"calls"`
	Changed   int                 `json:"changed"`
	Changes   []changeJSON        `json:"changes"`
	Decisions []decisionCountJSON `json:"decisions"`
	Rules     []ruleCountJSON     `json:"rules"`
}

type changeJSON struct {
	Path        string           `json:"path"`
	Line        int              `json:"line"`
	Before      string           `json:"before"`
	After       string           `json:"after"`
	BeforeRules []string         `json:"before_rules"`
	AfterRules  []string         `json:"after_rules"`
	Event       transcript.Event `json:"event"`
}

type decisionCountJSON struct {
	Before string `json:"before"`
	After  string `json:"after"`
	Calls  int    `json:"calls"`
}

type ruleCountJSON struct {
	Rule   string `json:"rule"`
	Before int    `json:"before"`
	After  int    `json:"after"`
}

func changeOf(c replay.Change) changeJSON {
	names := func(d policy.Decision) []string {
		list := make([]string, 0, len(d.Matches))
		for _, m := range d.Matches {
			list = append(list, matchName(m))
		}
		return slices.Compact(list)
	}
	return changeJSON{
		Path: c.Call.Path, Line: c.Call.Line,
		Before: verdictName(c.Before.Verdict), After: verdictName(c.After.Verdict),
		BeforeRules: names(c.Before), AfterRules: names(c.After), Event: c.Call.Event(),
	}
}

func replayOf(r *replay.Replay, changes []changeJSON) replayJSON {
	all := replayJSON{Calls: r.Calls, Changed: r.Changed, Changes: changes, Decisions: []decisionCountJSON{}, Rules: []ruleCountJSON{}}
	for _, v := range r.Verdicts() {
		all.Decisions = append(all.Decisions, decisionCountJSON{verdictName(v.Before), verdictName(v.After), v.Calls})
	}
	for _, n := range r.Rules() {
		all.Rules = append(all.Rules, ruleCountJSON{n.Set + "/" + n.Rule, n.Before, n.After})
	}
	return all
}

func printChange(w io.Writer, c changeJSON) {
	fmt.Fprintf(w, "%s → %s  %s  %s\n", c.Before, c.After, c.Event.ToolName, oneLine(subject(c.Event)))
	rules := func(when string, names []string) {
		if len(names) > 0 {
			fmt.Fprintf(w, "  %s %s\n", when, strings.Join(names, ", "))
		}
	}
	rules("before:", c.BeforeRules)
	rules("after: ", c.AfterRules)
	fmt.Fprintf(w, "  %s:%d\n", c.Path, c.Line)
}

// subject is what a call is about: its command, its path, or else its input.
func subject(e transcript.Event) string {
	for _, key := range []string{"command", "file_path", "notebook_path", "path"} {
		if s, ok := e.ToolInput[key].(string); ok {
			return s
		}
	}
	text, err := json.Marshal(e.ToolInput)
	if err != nil {
		return ""
	}
	return string(text)
}

func printReplay(w io.Writer, r *replay.Replay) {
	fmt.Fprintf(w, "%s judged, %d with another decision\n", plural(r.Calls, "call"), r.Changed)
	for _, v := range r.Verdicts() {
		fmt.Fprintf(w, "  %6d  %s → %s\n", v.Calls, verdictName(v.Before), verdictName(v.After))
	}
	rules := r.Rules()
	if len(rules) == 0 {
		return
	}
	fmt.Fprintln(w, "calls that a rule matches (before, after)")
	for _, n := range rules {
		before := "-"
		if r.Before != nil {
			before = fmt.Sprint(n.Before)
		}
		fmt.Fprintf(w, "  %6s  %6d  %s/%s\n", before, n.After, n.Set, n.Rule)
	}
}
