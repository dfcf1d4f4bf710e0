package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes"
	"github.com/claudewatch/claudewatch/internal/changes/readonly"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/report"
	"github.com/fatih/color"
	"github.com/spf13/cobra"
)

// statusJSON is what `changes status --json` prints.
type statusJSON struct {
	Data       string       `json:"data"`
	Settings   settingsJSON `json:"settings"`
	Exclusions []string     `json:"exclusions"`
	Roots      []rootJSON   `json:"roots"`
	Problems   []string     `json:"problems"`
	Log        string       `json:"log"`
}

// settingsJSON has the keys of settings.yaml.
type settingsJSON struct {
	Path    string   `json:"path"`
	Roots   []string `json:"roots"`
	Exclude struct {
		Defaults string   `json:"defaults"`
		Add      []string `json:"add"`
		Remove   []string `json:"remove"`
	} `json:"exclude"`
	ReadOnly struct {
		Enabled bool   `json:"enabled"`
		Name    string `json:"name"`
	} `json:"read_only"`
	Tools struct {
		Scope []string `json:"scope"`
	} `json:"tools"`
	Edits     string `json:"edits"`
	Retention struct {
		Idle string `json:"idle"`
		TTL  string `json:"ttl"`
	} `json:"retention"`
	ScanTimeout string `json:"scan_timeout"`
	SizeCap     int64  `json:"size_cap"`
}

type rootJSON struct {
	Path     string     `json:"path"`
	ID       string     `json:"id"`
	Files    int        `json:"files"`
	Open     []string   `json:"open"`
	Steps    int        `json:"steps"`
	Kept     int64      `json:"kept_bytes"`
	LastScan *time.Time `json:"last_scan"`
	Problem  string     `json:"problem,omitempty"`
}

func newChangesStatus(std streams, env config.Environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Print the settings of the change recorder, and what is observed",
		Long: `status prints the settings in force, the exclusion rules that they expand to, and the
roots that have been observed. It exits with 1 when something is wrong with the
settings or with the state of a root.`,
		Args: cobra.NoArgs,
		RunE: func(_ *cobra.Command, _ []string) error {
			recorder, err := openRecorder(std, env)
			if err != nil {
				return err
			}
			status := statusOf(recorder)
			findings := recorder.Settings().Diagnostics
			if asJSON {
				if err := writeJSON(std.out, status); err != nil {
					return err
				}
			} else {
				printStatus(std.out, status, time.Now())
				if err := report.Write(std.out, "text", report.Sort(findings), buildVersion()); err != nil {
					return err
				}
			}
			if len(status.Problems) > 0 {
				return exitStatus(exitFindings)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// openRecorder returns the recorder with the settings of the user.
func openRecorder(std streams, env config.Environment) (*changes.Recorder, error) {
	if _, err := changesData(env); err != nil {
		return nil, err
	}
	recorder := changes.Open(env, config.LoadSettings(env.SettingsFile()))
	recorder.Warn = func(line string) { fmt.Fprintf(std.err, "claudewatch: %s\n", oneLine(line)) }
	return recorder, nil
}

func statusOf(recorder *changes.Recorder) statusJSON {
	s := recorder.Settings()
	status := statusJSON{
		Data: recorder.Directory(), Exclusions: recorder.Exclusions(), Roots: []rootJSON{}, Problems: []string{}, Log: changes.LogFile(recorder.Directory()),
	}
	out := &status.Settings
	out.Path, out.Roots = s.Path, append([]string{}, s.Roots...)
	out.Exclude.Defaults, out.Exclude.Add, out.Exclude.Remove = s.Exclusions.Defaults, append([]string{}, s.Exclusions.Add...), append([]string{}, s.Exclusions.Remove...)
	out.ReadOnly.Enabled, out.ReadOnly.Name = s.SkipReadOnly, readonly.Name
	out.Tools.Scope = append([]string{}, s.Scope...)
	out.Edits = "all"
	if s.SubagentEdits {
		out.Edits = "subagents"
	}
	out.Retention.Idle, out.Retention.TTL, out.ScanTimeout, out.SizeCap = durationText(s.Idle), durationText(s.TTL), durationText(s.ScanTimeout), s.SizeCap
	for _, d := range s.Diagnostics {
		status.Problems = append(status.Problems, d.String())
	}
	for _, r := range recorder.Status() {
		root := rootJSON{Path: r.Path, ID: r.ID, Files: r.Files, Open: append([]string{}, r.Windows...), Steps: r.Steps, Kept: r.Kept}
		if !r.LastScan.IsZero() {
			root.LastScan = &r.LastScan
		}
		if r.Problem != nil {
			root.Problem = r.Problem.Error()
			status.Problems = append(status.Problems, r.Path+": "+root.Problem)
		}
		status.Roots = append(status.Roots, root)
	}
	return status
}

// durationText is a duration as the settings have it: 30m and not 30m0s.
func durationText(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

func printStatus(w io.Writer, s statusJSON, now time.Time) {
	title := color.New(color.Bold, color.Underline)
	title.Fprintln(w, "settings")
	t := &table{}
	row := func(name, value string) { t.add(plain("  "+name), plain(oneLine(value))) }
	row("from", or(s.Settings.Path, "nowhere: the defaults count"))
	row("records", s.Data)
	row("roots", or(strings.Join(s.Settings.Roots, " "), "the project directory of the session"))
	row("exclude.defaults", s.Settings.Exclude.Defaults)
	row("exclude.add", or(strings.Join(s.Settings.Exclude.Add, " "), "-"))
	row("exclude.remove", or(strings.Join(s.Settings.Exclude.Remove, " "), "-"))
	row("read_only.enabled", fmt.Sprintf("%v (%s)", s.Settings.ReadOnly.Enabled, s.Settings.ReadOnly.Name))
	row("tools.scope", or(strings.Join(s.Settings.Tools.Scope, " "), "-"))
	row("edits", s.Settings.Edits)
	row("retention.idle", s.Settings.Retention.Idle)
	row("retention.ttl", s.Settings.Retention.TTL)
	row("scan_timeout", s.Settings.ScanTimeout)
	row("size_cap", fmt.Sprintf("%d (%s)", s.Settings.SizeCap, byteCount(s.Settings.SizeCap)))
	t.print(w)
	fmt.Fprintln(w)
	title.Fprintln(w, "excluded directories")
	printExclusions(w, s.Exclusions)
	fmt.Fprintln(w)
	title.Fprintln(w, "observed roots")
	if len(s.Roots) == 0 {
		fmt.Fprintln(w, "  none yet")
	}
	for _, r := range s.Roots {
		facts := []string{plural(r.Files, "file"), plural(r.Steps, "step"), byteCount(r.Kept) + " kept"}
		if r.LastScan != nil {
			facts = append(facts, "last scan "+ago(now.Sub(*r.LastScan)))
		}
		fmt.Fprintf(w, "  %s\n    %s\n", color.New(color.Bold).Sprint(oneLine(r.Path)), strings.Join(facts, " · "))
		if len(r.Open) > 0 {
			fmt.Fprintf(w, "    under way: %s\n", oneLine(strings.Join(r.Open, " ")))
		}
		if r.Problem != "" {
			fmt.Fprintf(w, "    %s %s\n", color.RedString("problem:"), oneLine(r.Problem))
		}
	}
}

// printExclusions prints the rules without a condition first, and those with one each on
// a line of its own.
func printExclusions(w io.Writer, rules []string) {
	var always []string
	conditional := &table{}
	for _, rule := range rules {
		name, beside, ok := strings.Cut(rule, " (beside ")
		if !ok {
			// A name may have a space, where lines must not be broken.
			always = append(always, oneLine(strings.ReplaceAll(rule, " ", "\u00a0")))
			continue
		}
		conditional.add(plain("  "+oneLine(name)), faint("beside "+oneLine(strings.TrimSuffix(beside, ")"))))
	}
	fmt.Fprintln(w, indent(wrap(or(strings.Join(always, " "), "none"), 96), "  "))
	conditional.print(w)
}

// prunedJSON is what `changes prune --json` prints.
type prunedJSON struct {
	Roots    []string `json:"roots"`
	Files    []string `json:"files"`
	Problems []string `json:"problems"`
}

func newChangesPrune(std streams, env config.Environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Remove what the settings do not keep any longer",
		Long: `prune drops the kept bytes and the steps of roots that nobody has worked in for
retention.idle, and removes files of records that nobody has written to for
retention.ttl. Sessions do the same when they begin and end.`,
		Args: cobra.NoArgs,
		RunE: func(_ *cobra.Command, _ []string) error {
			recorder, err := openRecorder(std, env)
			if err != nil {
				return err
			}
			pruned, err := recorder.Prune()
			out := prunedJSON{Roots: append([]string{}, pruned.Roots...), Files: append([]string{}, pruned.Files...), Problems: []string{}}
			if err != nil {
				out.Problems = append(out.Problems, err.Error())
				fmt.Fprintf(std.err, "claudewatch: %s; see %s\n", oneLine(err.Error()), changes.LogFile(recorder.Directory()))
			}
			if asJSON {
				if err := writeJSON(std.out, out); err != nil {
					return err
				}
			} else {
				printPruned(std.out, out)
			}
			if len(out.Problems) > 0 {
				return exitStatus(exitFindings)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printPruned(w io.Writer, p prunedJSON) {
	for _, root := range p.Roots {
		fmt.Fprintf(w, "dropped the kept bytes of %s\n", oneLine(root))
	}
	for _, file := range p.Files {
		fmt.Fprintf(w, "removed %s\n", oneLine(file))
	}
	if len(p.Roots)+len(p.Files) == 0 {
		fmt.Fprintln(w, "nothing to remove")
	}
}
