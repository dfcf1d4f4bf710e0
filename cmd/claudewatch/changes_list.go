package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/history"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/fatih/color"
	"github.com/spf13/cobra"
)

// recordJSON is a record as `changes list --json` sums it up.
type recordJSON struct {
	ID           string          `json:"id"`
	Session      string          `json:"session"`
	Stream       string          `json:"stream"`
	Tool         string          `json:"tool"`
	ToolName     string          `json:"tool_name"`
	Time         record.Time     `json:"time"`
	Basis        string          `json:"basis"`
	Root         string          `json:"root"`
	Outcome      *record.Outcome `json:"outcome"`
	Coverage     string          `json:"coverage"`
	ChangedFiles *int            `json:"changed_files"`
	Additions    int             `json:"additions"`
	Deletions    int             `json:"deletions"`
	Paths        []string        `json:"paths"`
	Command      string          `json:"command"`
}

func newChangesList(std streams, env config.Environment) *cobra.Command {
	var f changesFlags
	cmd := &cobra.Command{
		Use:   "list [TOOL-USE-ID…]",
		Short: "List the calls and what they changed, one line each",
		Long: `list prints one line for each record, the oldest first: when, which call, how many
files and lines, and the command. "not observed" is a call that was classified as
one that only reads; that is not "nothing changed".`,
		RunE: func(_ *cobra.Command, ids []string) error {
			h, err := loadChanges(std, env, &f, ids, true)
			if err != nil {
				return err
			}
			if f.json {
				return writeJSON(std.out, summaries(h.Records))
			}
			printList(std.out, h.Records)
			return nil
		},
	}
	f.add(cmd)
	return cmd
}

func summaries(records []*record.Record) []recordJSON {
	list := make([]recordJSON, 0, len(records))
	for _, r := range records {
		s := recordJSON{
			ID: r.ID, Session: r.Session, Stream: r.Stream, Tool: r.Tool, ToolName: r.ToolName, Time: r.Time, Basis: r.Basis,
			Outcome: r.Outcome, Coverage: r.Coverage, ChangedFiles: r.ChangedFiles, Paths: []string{}, Command: r.XCommand,
		}
		if r.Root != nil {
			s.Root = r.Root.Path
		}
		for _, c := range r.Changes {
			s.Additions += c.Additions
			s.Deletions += c.Deletions
			s.Paths = append(s.Paths, c.Path)
		}
		list = append(list, s)
	}
	return list
}

func printList(w io.Writer, records []*record.Record) {
	t := &table{right: []bool{4: true}}
	for _, r := range records {
		files, lines := "-", ""
		if r.ChangedFiles != nil {
			files = plural(len(r.Changes), "file")
			additions, deletions := 0, 0
			for _, c := range r.Changes {
				additions += c.Additions
				deletions += c.Deletions
			}
			lines = plusMinus(additions, deletions)
		}
		t.add(
			faint(localTime(r.Time.Time)), cell{oneLine(callOf(r)), colored(color.FgYellow)}, plain(oneLine(streamOf(r))), plain(oneLine(toolOf(r))),
			plain(files), cell{lines, paintCounts}, cell{strings.Join(marks(r), ", "), colored(color.FgMagenta)}, plain(what(r)),
		)
	}
	t.print(w)
}

func colored(attributes ...color.Attribute) func(string) string {
	return func(text string) string { return color.New(attributes...).Sprint(text) }
}

// what is the command of a call, or the files when it has none.
func what(r *record.Record) string {
	if r.XCommand != "" || len(r.Changes) == 0 {
		return oneLine(r.XCommand)
	}
	paths := make([]string, 0, 3)
	for i, c := range r.Changes {
		if i == cap(paths) {
			return oneLine(strings.Join(paths, " ")) + fmt.Sprintf(" and %d more", len(r.Changes)-i)
		}
		paths = append(paths, c.Path)
	}
	return oneLine(strings.Join(paths, " "))
}

func newChangesLog(std streams, env config.Environment) *cobra.Command {
	var f changesFlags
	cmd := &cobra.Command{
		Use:   "log [TOOL-USE-ID…]",
		Short: "Print the calls with the files that each changed",
		RunE: func(_ *cobra.Command, ids []string) error {
			h, err := loadChanges(std, env, &f, ids, !f.json)
			if err != nil {
				return err
			}
			if f.json {
				return writeRecords(std.out, h.Records)
			}
			for i, r := range h.Records {
				if i > 0 {
					fmt.Fprintln(std.out)
				}
				printHeading(std.out, r, time.Now())
				printFiles(std.out, r)
				printRemarks(std.out, r)
			}
			return nil
		},
	}
	f.add(cmd)
	return cmd
}

func writeRecords(w io.Writer, records []*record.Record) error {
	lines, err := encodeRecords(records)
	if err != nil {
		return err
	}
	return writeJSON(w, lines)
}

// printHeading prints which call a record is of.
func printHeading(w io.Writer, r *record.Record, now time.Time) {
	facts := []string{toolOf(r), localTime(r.Time.Time) + " (" + ago(now.Sub(r.Time.Time)) + ")"}
	if outcome := outcomeText(r.Outcome); outcome != "" {
		facts = append(facts, outcome)
	}
	if stream := streamOf(r); stream != "" && stream != record.MainStream {
		facts = append(facts, "agent "+r.Stream)
	}
	fmt.Fprintf(w, "%s  %s\n", color.New(color.FgYellow, color.Bold).Sprint(oneLine(callOf(r))), oneLine(strings.Join(facts, " · ")))
	if r.XCommand != "" {
		fmt.Fprintf(w, "    %s\n", color.New(color.Bold).Sprint(oneLine(r.XCommand)))
	}
}

// printFiles prints the files of a record, with who can have changed them.
func printFiles(w io.Writer, r *record.Record) {
	t := &table{}
	for i := range r.Changes {
		c := &r.Changes[i]
		t.add(plain("  "+letterOf(c.Operation)), plain(oneLine(c.Path)), cell{counts(c), paintCounts}, cell{oneLine(attributionText(r, c)), paintAttribution(c)}, faint(modeText(c)))
	}
	t.print(w)
}

func paintAttribution(c *record.Change) func(string) string {
	if c.Attribution == record.OnlyThisWindow {
		return colored(color.Faint)
	}
	return colored(color.FgMagenta)
}

// printRemarks prints what must be known to read a record right.
func printRemarks(w io.Writer, r *record.Record) {
	switch {
	case r.Basis == record.SkippedReadOnly:
		fmt.Fprintln(w, "    not observed: the call was classified as one that only reads")
	case r.ChangedFiles == nil:
		fmt.Fprintln(w, "    what it changed is not known")
	case len(r.Changes) == 0:
		fmt.Fprintln(w, "    no file changed")
	}
	if r.Coverage == record.Partial && len(r.Gaps) == 0 {
		fmt.Fprintln(w, "    partial: not everything was observed")
	}
	for _, gap := range r.Gaps {
		fmt.Fprintf(w, "    %s %s\n", color.MagentaString("gap:"), oneLine(gap))
	}
}

func newChangesStat(std streams, env config.Environment) *cobra.Command {
	var f changesFlags
	cmd := &cobra.Command{
		Use:   "stat [TOOL-USE-ID…]",
		Short: "Sum up what changed, one line for each file",
		RunE: func(_ *cobra.Command, ids []string) error {
			h, err := loadChanges(std, env, &f, ids, true)
			if err != nil {
				return err
			}
			stats := h.Stat()
			if f.json {
				return writeJSON(std.out, stats)
			}
			printStats(std.out, stats)
			return nil
		},
	}
	f.add(cmd)
	return cmd
}

// barWidth is how many + and - the longest bar of stat has.
const barWidth = 40

func printStats(w io.Writer, stats []history.FileStat) {
	most, additions, deletions := 1, 0, 0
	for _, s := range stats {
		most = max(most, s.Additions+s.Deletions)
		additions += s.Additions
		deletions += s.Deletions
	}
	t, root := &table{right: []bool{1: true}}, ""
	for i, s := range stats {
		if i == 0 || s.Root != root {
			t.print(w)
			t, root = &table{right: []bool{1: true}}, s.Root
			if root != "" {
				fmt.Fprintln(w, color.New(color.Bold).Sprint(oneLine(root)))
			}
		}
		var notes []string
		notes = append(notes, plural(s.Calls, "call"))
		if s.Unattributed {
			notes = append(notes, "some of it by no call")
		}
		if s.Shared {
			notes = append(notes, "shared")
		}
		if s.Uncounted {
			notes = append(notes, byteCount(s.Before)+" to "+byteCount(s.After))
		}
		t.add(plain(" "+or(letterOf(s.Operation), "=")+" "+oneLine(s.Path)), plain(fmt.Sprint(s.Additions+s.Deletions)), bar(s, most), faint(strings.Join(notes, ", ")))
	}
	t.print(w)
	if len(stats) > 0 {
		fmt.Fprintf(w, "%s changed, %s, %s\n", plural(len(stats), "file"), plural(additions, "addition"), plural(deletions, "deletion"))
	}
}

// bar draws additions and deletions as git does.
func bar(s history.FileStat, most int) cell {
	width := func(n int) int {
		if most > barWidth && n > 0 {
			return max(1, n*barWidth/most)
		}
		return n
	}
	plus, minus := strings.Repeat("+", width(s.Additions)), strings.Repeat("-", width(s.Deletions))
	return cell{plus + minus, func(string) string { return color.GreenString("%s", plus) + color.RedString("%s", minus) }}
}
