package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/decisionlog"
	"github.com/claudewatch/claudewatch/internal/safetext"
	"github.com/claudewatch/claudewatch/internal/since"
	"github.com/fatih/color"
	"github.com/spf13/cobra"
)

// logFilter says which records are shown.
type logFilter struct {
	since                                time.Time
	decisions                            []string
	session, rule, tool, sinceText, path string
	last                                 int
}

func newLog(std streams, env config.Environment) *cobra.Command {
	var filter logFilter
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Show the decision log",
		Long: `log prints the decisions of the log, the oldest first: when, what was decided, which
tool, in which directory, the shape of the command or the file, and the rules that
matched. The log holds no commands and no content. Lines that are damaged are counted.`,
		Example: `  claudewatch log --since 2h
  claudewatch log --decision deny --decision ask -n 20`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := filter.check(time.Now()); err != nil {
				return err
			}
			path, err := logPath(env)
			if err != nil {
				return failure{err}
			}
			filter.path = path
			return showLog(std, env, filter, asJSON)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&filter.sinceText, "since", "", "only what was decided since then: 2h, 3d, 2026-11-30, '2026-11-30 14:00'")
	flags.StringSliceVar(&filter.decisions, "decision", nil, "only these decisions: allow, ask, deny")
	flags.StringVar(&filter.session, "session", "", "only this session")
	flags.StringVar(&filter.rule, "rule", "", "only where this rule matched, as SET/RULE, or a rule of this set")
	flags.StringVar(&filter.tool, "tool", "", "only calls of this tool")
	flags.IntVarP(&filter.last, "last", "n", 0, "only the last so many")
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	cmd.AddCommand(newLogReset(std, env))
	return cmd
}

// check reads the flags that are text.
func (f *logFilter) check(now time.Time) error {
	for _, d := range f.decisions {
		if !slices.Contains([]string{"allow", "ask", "deny"}, d) {
			return fmt.Errorf("--decision: '%s' is no decision; write allow (where nothing was said), ask or deny", d)
		}
	}
	if f.last < 0 {
		return errors.New("-n: write a number above 0")
	}
	if f.sinceText == "" {
		return nil
	}
	var err error
	if f.since, err = since.Parse(f.sinceText, now); err != nil {
		return fmt.Errorf("--since: %w", err)
	}
	return nil
}

// shows reports whether a record is to be shown.
func (f *logFilter) shows(r *decisionlog.Record) bool {
	ofRule := func(name string) bool { return name == f.rule || strings.HasPrefix(name, f.rule+"/") }
	return !r.Time.Before(f.since) &&
		(len(f.decisions) == 0 || slices.Contains(f.decisions, r.Decision)) &&
		(f.session == "" || r.Session == f.session) &&
		(f.tool == "" || r.Tool == f.tool) &&
		(f.rule == "" || slices.ContainsFunc(r.Matched, ofRule))
}

// logPath is the path of the decision log.
func logPath(env config.Environment) (string, error) {
	if path := env.LogFile(config.LoadSettings(env.SettingsFile())); path != "" {
		return path, nil
	}
	if env.Log != nil {
		return "", errors.New("the decision log is off by CLAUDEWATCH_LOG; unset it, or name a path in it")
	}
	if env.Directory() == "" {
		return "", errors.New("neither HOME nor CLAUDEWATCH_HOME is set, so that there is no place for a decision log; set one of them")
	}
	return "", fmt.Errorf("the decision log is off; 'log: on' in %s switches it on", env.SettingsFile())
}

func showLog(std streams, env config.Environment, filter logFilter, asJSON bool) error {
	reader, err := decisionlog.NewReader(filter.path)
	if errors.Is(err, fs.ErrNotExist) {
		if asJSON {
			return writeJSON(std.out, []decisionlog.Record{})
		}
		fmt.Fprintf(std.out, "There is no decision log yet: %s\n", whole(filter.path))
		return nil
	}
	if err != nil {
		return failure{err}
	}
	defer reader.Close()
	show := tableOf(std.out, env)
	if asJSON {
		show = arrayOf(std.out)
	}
	shown, err := eachShown(reader, filter, show.record)
	if err == nil {
		err = show.end(shown)
	}
	if err != nil {
		return failure{err}
	}
	sayDamage(std, reader, filter.path)
	return nil
}

// sayDamage says on stderr how much of a log could not be read.
func sayDamage(std streams, reader *decisionlog.Reader, path string) {
	unfinished := ""
	if reader.Unfinished() {
		unfinished = ", the last of them unfinished"
	}
	if n := reader.Damaged(); n > 0 {
		fmt.Fprintf(std.err, "claudewatch: %s of %s could not be read%s; the others are whole\n", plural(n, "line"), whole(path), unfinished)
	}
}

// eachShown calls show for the records that the filter lets through and returns how
// many those are.
func eachShown(reader *decisionlog.Reader, filter logFilter, show func(*decisionlog.Record) error) (shown int, err error) {
	var ring []*decisionlog.Record // with filter.last, the last ones in a ring
	for r, err := range reader.Records() {
		if err != nil {
			return shown, err
		}
		if !filter.shows(r) {
			continue
		}
		if shown++; filter.last == 0 {
			if err := show(r); err != nil {
				return shown, err
			}
		} else if len(ring) < filter.last {
			ring = append(ring, r)
		} else {
			ring[(shown-1)%filter.last] = r
		}
	}
	for i := range ring {
		if err := show(ring[(shown+i)%len(ring)]); err != nil {
			return len(ring), err
		}
	}
	return shown, nil
}

// logView shows records one by one.
type logView struct {
	record func(*decisionlog.Record) error
	end    func(shown int) error
}

// arrayOf shows records as a JSON array, one a line.
func arrayOf(w io.Writer) logView {
	separator := "[\n"
	return logView{
		record: func(r *decisionlog.Record) error {
			line, err := json.Marshal(r)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(w, "%s%s", separator, line)
			separator = ",\n"
			return err
		},
		end: func(shown int) error {
			end := "\n]\n"
			if shown == 0 {
				end = "[]\n"
			}
			_, err := io.WriteString(w, end)
			return err
		},
	}
}

// Widths of the columns of the table, in runes. They are fixed, so that a line can be
// printed before the next is read.
const (
	toolWidth  = 12
	placeWidth = 28
	whatWidth  = 36
)

// tableOf shows records for people.
func tableOf(w io.Writer, env config.Environment) logView {
	return logView{
		record: func(r *decisionlog.Record) error {
			what := or(r.CommandShape, shortPath(env, r.Path))
			line := strings.Join([]string{
				r.Time.Local().Format("2006-01-02 15:04:05"), paintDecision(r.Decision), column(r.Tool, toolWidth),
				columnEnd(shortPath(env, r.Cwd), placeWidth), column(what, whatWidth), rulesText(r),
			}, "  ")
			_, err := fmt.Fprintln(w, strings.TrimRight(line, " "))
			return err
		},
		end: func(shown int) error {
			if shown == 0 {
				_, err := fmt.Fprintln(w, "No decision is to be shown.")
				return err
			}
			return nil
		},
	}
}

func paintDecision(decision string) string {
	padded := fmt.Sprintf("%-5s", decision)
	switch decision {
	case "deny":
		return color.RedString(padded)
	case "ask":
		return color.YellowString(padded)
	}
	return color.GreenString(padded)
}

// rulesText names the rules of a record; those that were muted say so.
func rulesText(r *decisionlog.Record) string {
	var names []string
	for _, name := range r.Matched {
		text := safetext.Line(name, shownWidth)
		if slices.Contains(r.Muted, name) {
			text += " (muted)"
		}
		names = append(names, text)
	}
	return strings.Join(names, ", ")
}

// column is text in a column of a width; what does not fit is cut at its end.
func column(text string, width int) string {
	return pad(safetext.Line(text, width), width)
}

// columnEnd is text in a column; what does not fit is cut at its beginning.
func columnEnd(text string, width int) string {
	runes := []rune(safetext.Line(text, 0))
	if len(runes) > width {
		runes = append([]rune("…"), runes[len(runes)-width+1:]...)
	}
	return pad(string(runes), width)
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

// shortPath is a path with ~ for the home directory.
func shortPath(env config.Environment, path string) string {
	if rest, ok := strings.CutPrefix(path, env.Home); ok && env.Home != "" && (rest == "" || strings.HasPrefix(rest, "/")) {
		return "~" + rest
	}
	return path
}

func newLogReset(std streams, env config.Environment) *cobra.Command {
	var hard bool
	cmd := &cobra.Command{
		Use:   "reset",
		Short: "Begin a new decision log",
		Long: `reset moves the decision log aside: beside it, named after the time. With --hard it is
deleted. The next call begins a new one.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			path, err := logPath(env)
			if err != nil {
				return failure{err}
			}
			if hard {
				deleted, err := decisionlog.Delete(path)
				switch {
				case err != nil:
					return failure{err}
				case deleted:
					fmt.Fprintf(std.out, "%s was deleted.\n", whole(path))
					return nil
				}
			} else {
				archive, err := decisionlog.Archive(path, time.Now())
				switch {
				case err != nil:
					return failure{err}
				case archive != "":
					fmt.Fprintf(std.out, "%s is now %s\n", whole(path), whole(archive))
					return nil
				}
			}
			fmt.Fprintf(std.out, "There is no decision log: %s\n", whole(path))
			return nil
		},
	}
	cmd.Flags().BoolVar(&hard, "hard", false, "delete it instead")
	return cmd
}
