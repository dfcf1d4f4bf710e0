package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/history"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/safetext"
	"github.com/fatih/color"
	"github.com/spf13/cobra"
)

func newChangesShow(std streams, env config.Environment) *cobra.Command {
	var f changesFlags
	cmd := &cobra.Command{
		Use:   "show [TOOL-USE-ID…]",
		Short: "Show all that is recorded of calls, with the differences",
		RunE: func(_ *cobra.Command, ids []string) error {
			h, err := loadChanges(std, env, &f, ids, false)
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
				if err := showRecord(std, r); err != nil {
					return err
				}
			}
			return nil
		},
	}
	f.add(cmd)
	return cmd
}

func showRecord(std streams, r *record.Record) error {
	printHeading(std.out, r, time.Now())
	t := &table{}
	fact := func(label, text string) {
		if text != "" {
			t.add(faint("    "+label), plain(oneLine(text)))
		}
	}
	fact("session", r.Session)
	if r.Root != nil {
		fact("root", r.Root.Path)
	}
	fact("observed", observation(r))
	for _, o := range r.Overlaps {
		fact("meanwhile", fmt.Sprintf("%s %s, %s", or(o.Tool, o.Capture), o.ToolName, map[string]string{record.Open: "still open when this was written", record.Closed: "over before this was written"}[o.State]))
	}
	t.print(std.out)
	printFiles(std.out, r)
	printRemarks(std.out, r)
	if len(r.Changes) > 0 {
		fmt.Fprintln(std.out)
	}
	for i := range r.Changes {
		if err := printPatch(std.out, &r.Changes[i]); err != nil {
			return err
		}
	}
	return nil
}

// observation says what a record rests on.
func observation(r *record.Record) string {
	switch r.Basis {
	case record.ToolWindow:
		if r.Window == nil {
			return "not from its beginning to its end"
		}
		return fmt.Sprintf("by two scans, from %s to %s", localTime(r.Window.Before.From.Time), localTime(r.Window.After.To.Time))
	case record.RuntimeReported:
		return "reported by the tool that made the edit"
	case record.Unattributed:
		return "by a scan that found it, while no call was under way"
	case record.SkippedReadOnly:
		return "" // said below
	}
	return r.Basis
}

func newChangesDiff(std streams, env config.Environment) *cobra.Command {
	var f changesFlags
	cmd := &cobra.Command{
		Use:   "diff [TOOL-USE-ID…]",
		Short: "Print the changes as a patch that git apply takes",
		Long: `diff prints what came of the changes, one patch for each file. git apply takes it in
the directory of the root, and git apply -R takes it back. Lines that begin with # say
which calls made the changes, and what a patch cannot carry: binary files, files over
the size cap, secrets.`,
		RunE: func(_ *cobra.Command, ids []string) error {
			h, err := loadChanges(std, env, &f, ids, false)
			if err != nil {
				return err
			}
			roots := h.ByRoot()
			if f.json {
				return writePatchesJSON(std.out, roots)
			}
			if len(roots) > 1 {
				fmt.Fprintf(std.err, "claudewatch: these are changes of %d roots, and git apply takes those of one: choose one with --root DIR\n", len(roots))
			}
			for _, root := range roots {
				if err := printPatches(std.out, root); err != nil {
					return err
				}
				for _, path := range root.Broken {
					fmt.Fprintf(std.err, "claudewatch: %s was changed by something else in between: the patches of it do not follow on one another\n", oneLine(path))
				}
			}
			return nil
		},
	}
	f.add(cmd)
	return cmd
}

// printPatches prints which calls there are, and one patch for each file.
func printPatches(w io.Writer, root *history.RootSteps) error {
	printComment(w, "root "+or(root.Root, "/"))
	var last *record.Record
	for _, s := range root.Steps {
		if s.Record == last {
			continue
		}
		last = s.Record
		printComment(w, strings.Join([]string{callOf(last), toolOf(last), localTime(last.Time.Time)}, " ")+optional(": ", last.XCommand))
	}
	for _, c := range root.Net() {
		for _, s := range c.Steps {
			if s.Change.Attribution == record.Shared {
				printComment(w, c.Path+": "+callOf(s.Record)+", "+attributionText(s.Record, s.Change))
			}
		}
		if err := printPatch(w, c.Change); err != nil {
			return err
		}
	}
	return nil
}

// printComment prints a line that git apply passes over.
func printComment(w io.Writer, text string) {
	fmt.Fprintln(w, color.New(color.Faint).Sprint("# "+oneLine(text)))
}

// printPatch prints the patch of a change. On a terminal it is coloured and cannot drive
// it; anywhere else it is written byte for byte.
func printPatch(w io.Writer, c *record.Change) error {
	if r, ok := underlying(w).(io.Reader); !ok || !isTerminal(r) {
		return record.WritePatch(w, c)
	}
	var patch bytes.Buffer
	if err := record.WritePatch(&patch, c); err != nil {
		return err
	}
	for line := range strings.Lines(patch.String()) {
		line = safetext.Line(line, 0)
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"), strings.HasPrefix(line, "diff "), strings.HasPrefix(line, "new file"),
			strings.HasPrefix(line, "deleted file"), strings.HasPrefix(line, "old mode"), strings.HasPrefix(line, "new mode"):
			line = color.New(color.Bold).Sprint(line)
		case strings.HasPrefix(line, "@@"):
			line = color.CyanString("%s", line)
		case strings.HasPrefix(line, "+"):
			line = color.GreenString("%s", line)
		case strings.HasPrefix(line, "-"):
			line = color.RedString("%s", line)
		case strings.HasPrefix(line, "#"), strings.HasPrefix(line, `\`):
			line = color.New(color.Faint).Sprint(line)
		}
		fmt.Fprintln(w, line)
	}
	return nil
}

// patchJSON is a change as `changes diff --json` prints it.
type patchJSON struct {
	Root  string   `json:"root"`
	Path  string   `json:"path"`
	IDs   []string `json:"ids"`
	Diff  string   `json:"diff"`
	Patch string   `json:"patch"`
}

func writePatchesJSON(w io.Writer, roots []*history.RootSteps) error {
	list := []patchJSON{}
	for _, root := range roots {
		for _, c := range root.Net() {
			var patch strings.Builder
			if err := record.WritePatch(&patch, c.Change); err != nil {
				return err
			}
			var ids []string
			for _, s := range c.Steps {
				ids = append(ids, s.Record.ID)
			}
			list = append(list, patchJSON{root.Root, c.Path, ids, c.Diff, patch.String()})
		}
	}
	return writeJSON(w, list)
}
