package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/claudewatch/claudewatch/hooks"
	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/decisionlog"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/install"
	"github.com/claudewatch/claudewatch/internal/learn"
	"github.com/claudewatch/claudewatch/internal/regular"
	"github.com/claudewatch/claudewatch/internal/since"
	"github.com/claudewatch/claudewatch/internal/transcript"
	"github.com/claudewatch/claudewatch/predicates"
	"github.com/fatih/color"
	"github.com/spf13/cobra"
)

func newLearn(std streams, env config.Environment) *cobra.Command {
	var sinceText, projects string
	var minimum int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "learn",
		Short: "Propose permissions and exemptions from the decision log",
		Long: `learn reads the decision log and proposes

  - permission rules of Claude Code for commands that are used all the time and that
    no rule has ever stopped; claudewatch goes on judging them,
  - exemptions for asks that were approved each time,

and lists the rules that deny most often. Whether an ask was approved stands in the
change records and in the transcripts of Claude Code, not in the log. Nothing is
written: what is proposed is printed as text to put into a file.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			options := learn.DefaultOptions()
			if cmd.Flags().Changed("min") {
				if minimum < 1 {
					return errors.New("--min: write a number above 0")
				}
				options.MinCalls, options.MinApproved, options.MinBlocks = minimum, minimum, minimum
			}
			if sinceText != "" {
				var err error
				if options.Since, err = since.Parse(sinceText, time.Now()); err != nil {
					return fmt.Errorf("--since: %w", err)
				}
			}
			if projects != "" {
				if info, err := os.Stat(projects); err != nil || !info.IsDir() {
					return fmt.Errorf("--transcripts: there is no folder %s", whole(projects))
				}
			} else {
				projects = filepath.Join(claudeDirectory(env), "projects")
			}
			path, err := logPath(env)
			if err != nil {
				return failure{err}
			}
			report, err := study(std, env, path, projects, options)
			if err != nil {
				return failure{err}
			}
			if asJSON {
				return writeJSON(std.out, report)
			}
			printReport(std.out, env, path, options, report)
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&sinceText, "since", "", "only what was decided since then: 2h, 30d, 2026-11-30")
	flags.IntVar(&minimum, "min", 0, "propose from so many calls, approvals or denials on (default: 20 calls, 10 approvals, 5 denials)")
	flags.StringVar(&projects, "transcripts", "", "folder of the transcripts (default: that of Claude Code)")
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// claudeDirectory is where Claude Code keeps what is the user's.
func claudeDirectory(env config.Environment) string {
	return or(install.Machine{Environment: env}.Configuration(), ".claude")
}

// study reads the log, and looks for the answers to its asks.
func study(std streams, env config.Environment, path, projects string, options learn.Options) (*learn.Report, error) {
	s := learn.NewStudy(options)
	if err := addLog(std, path, s); err != nil {
		return nil, err
	}
	if err := s.ReadRecords(env.Changes()); err != nil {
		fmt.Fprintf(std.err, "claudewatch: of the change records, not all could be read: %v\n", err)
	}
	e := engine.Open(inProject(env), engine.Selection{Stored: true})
	bar := barOn(std.err, "transcripts")
	err := s.ReadTranscripts(projects, func(c *transcript.Call) string { return loggedOf(e, c) }, bar.Start, bar.Advance)
	bar.Clear()
	if err != nil {
		fmt.Fprintf(std.err, "claudewatch: of the transcripts, not all could be read: %v\n", err)
	}
	claudeSettings := filepath.Join(claudeDirectory(env), "settings.json")
	return s.Report(learn.Known{
		Sets: e.Policy.Sets, Permissions: permissionsOf(claudeSettings),
		Settings: env.SettingsFile(), Watches: env.Watches(), ClaudeSettings: claudeSettings,
	}), nil
}

// addLog adds the records of the log to a study. A log that is not there has none.
func addLog(std streams, path string, s *learn.Study) error {
	reader, err := decisionlog.NewReader(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer reader.Close()
	for record, err := range reader.Records() {
		if err != nil {
			return err
		}
		s.Add(record)
	}
	sayDamage(std, reader, path)
	return nil
}

// loggedOf is what the log has of a call: its path, or the shape of its command.
func loggedOf(e *engine.Engine, c *transcript.Call) string {
	in := e.Input(call.Call{
		Event: hooks.PreToolUse, Tool: c.Tool, Args: c.Input, Cwd: c.Cwd, ProjectDir: c.ProjectDir, Home: e.Environment.Home,
	})
	if in.Path != "" {
		return in.Path
	}
	return predicates.Shape(in.Effects().Commands)
}

// permissionsOf returns the permission rules that allow, none when the file cannot be
// read: then one may be proposed that is there.
func permissionsOf(path string) []string {
	var settings struct {
		Permissions struct {
			Allow []string `json:"allow"`
		} `json:"permissions"`
	}
	if source, err := regular.ReadFile(path, install.MaxSize); err == nil {
		_ = json.Unmarshal(source, &settings)
	}
	return settings.Permissions.Allow
}

func printReport(w io.Writer, env config.Environment, path string, o learn.Options, r *learn.Report) {
	log := r.Log
	if log.Calls == 0 {
		fmt.Fprintf(w, "The decision log has nothing to learn from yet: %s\n", whole(path))
		return
	}
	title := color.New(color.Bold, color.Underline)
	fmt.Fprintf(w, "%s in %s on %s, %s to %s: %s allowed, %s asked, %s denied\n",
		counted(log.Calls, "call"), counted(log.Sessions, "session"), counted(log.Days, "day"),
		log.First.In(o.Location).Format(time.DateOnly), log.Last.In(o.Location).Format(time.DateOnly),
		thousands(log.Allowed), thousands(log.Asked), thousands(log.Denied))
	if log.Asked > 0 {
		fmt.Fprintf(w, "answers to asks, by change records and transcripts: %s approved, %s refused, %s not known\n",
			thousands(log.Approved), thousands(log.Refused), thousands(max(0, log.Asked-log.Approved-log.Refused)))
	}
	printAllow(w, title, r.Allow)
	printExemptions(w, title, r.Exemptions)
	for _, s := range r.Snippets {
		title.Fprintf(w, "\n%s", whole(shortPath(env, s.File)))
		fmt.Fprintf(w, ": %s\n", whole(s.Place))
		fmt.Fprintln(w, indent(safeLines(s.Text), "  "))
	}
	printNoisy(w, title, r.Noisy)
	printUnanswered(w, title, r.Unanswered)
	if len(r.Allow)+len(r.Exemptions) == 0 {
		fmt.Fprintf(w, "\nNothing to propose: a command must be used %d times, an ask approved %d times, in %d sessions on %d days; --min sets the numbers.\n",
			o.MinCalls, o.MinApproved, o.MinSessions, o.MinDays)
	}
}

func printAllow(w io.Writer, title *color.Color, patterns []learn.AllowPattern) {
	if len(patterns) == 0 {
		return
	}
	title.Fprintln(w, "\nallow patterns")
	fmt.Fprintln(w, "No rule has ever stopped these. Claude Code asks about them all the same unless its own\npermissions allow them; claudewatch goes on judging them.")
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, p := range patterns {
		fmt.Fprintf(table, "  %s\t%s\n", whole(p.Pattern), evidence(p.Evidence))
	}
	_ = table.Flush()
}

func printExemptions(w io.Writer, title *color.Color, exemptions []learn.Exemption) {
	if len(exemptions) == 0 {
		return
	}
	title.Fprintln(w, "\nexemptions")
	fmt.Fprintln(w, "These asks were approved each time.")
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, e := range exemptions {
		name := e.Rule
		if e.Kind == "what" {
			name += ", for " + e.What + " alone"
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\n", whole(name), evidence(e.Evidence), answersText(e.Asked))
	}
	_ = table.Flush()
}

func printNoisy(w io.Writer, title *color.Color, noisy []learn.NoisyRule) {
	if len(noisy) == 0 {
		return
	}
	title.Fprintln(w, "\nnoisy blocks")
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	compound := false
	for _, n := range noisy {
		note := ""
		if n.Compound {
			note, compound = " (compound)", true
		}
		fmt.Fprintf(table, "  %s%s\t%s\t%s tried again\t%s\n", whole(n.Rule), note, evidence(n.Evidence), thousands(n.Again), whole(strings.Join(n.Shapes, ", ")))
	}
	_ = table.Flush()
	fmt.Fprintln(w, "\"Tried again\" is within ten minutes of the last time in the same session.")
	if compound {
		fmt.Fprintln(w, "(compound): the rule asks, and denies commands that run more than one; 'compound_ask: ask' in settings.yaml asks about them, too.")
	}
}

func printUnanswered(w io.Writer, title *color.Color, asked []learn.Asked) {
	if len(asked) == 0 {
		return
	}
	title.Fprintln(w, "\nasks without a known answer")
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, a := range asked {
		fmt.Fprintf(table, "  %s\t%s\t%s\n", whole(a.Rule), evidence(a.Evidence), answersText(a))
	}
	_ = table.Flush()
	fmt.Fprintln(w, "There are neither change records nor transcripts of most of these calls; --transcripts names a folder.")
}

func evidence(e learn.Evidence) string {
	return fmt.Sprintf("%s in %s on %s", counted(e.Calls, "call"), counted(e.Sessions, "session"), counted(e.Days, "day"))
}

func answersText(a learn.Asked) string {
	text := fmt.Sprintf("%s approved, %s refused", thousands(a.Approved), thousands(a.Refused))
	if a.Unknown > 0 {
		text += fmt.Sprintf(", %s not known", thousands(a.Unknown))
	}
	return text
}

// counted is a number with its noun.
func counted(n int, noun string) string {
	return strings.Replace(plural(n, noun), fmt.Sprint(n), thousands(n), 1)
}

// thousands writes a number with commas.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// safeLines makes text of several lines fit for a terminal.
func safeLines(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := range lines {
		lines[i] = whole(lines[i])
	}
	return strings.Join(lines, "\n")
}
