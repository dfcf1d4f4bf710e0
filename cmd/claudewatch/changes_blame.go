package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes"
	"github.com/claudewatch/claudewatch/internal/changes/history"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/changes/textdiff"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/realpath"
	"github.com/claudewatch/claudewatch/internal/regular"
	"github.com/claudewatch/claudewatch/internal/safetext"
	"github.com/fatih/color"
	"github.com/spf13/cobra"
)

// maxBlamed is the size in bytes of the largest file that blame takes.
const maxBlamed = 64 << 20

// blameJSON is a line as `changes blame --json` prints it.
type blameJSON struct {
	Line        int          `json:"line"`
	Text        string       `json:"text"`
	Origin      string       `json:"origin"`
	ID          string       `json:"id,omitempty"`
	Session     string       `json:"session,omitempty"`
	Stream      string       `json:"stream,omitempty"`
	Tool        string       `json:"tool,omitempty"`
	ToolName    string       `json:"tool_name,omitempty"`
	Command     string       `json:"command,omitempty"`
	Time        *record.Time `json:"time,omitempty"`
	Attribution string       `json:"attribution,omitempty"`
	Windows     []string     `json:"windows,omitempty"`
	Note        string       `json:"note,omitempty"`
}

// originName is an origin as --json has it.
func originName(o history.Origin) string {
	switch o {
	case history.ByCall:
		return "call"
	case history.ByNobody:
		return "unattributed"
	case history.Unrecorded:
		return "unrecorded"
	case history.Older:
		return "older"
	}
	return "unknown"
}

func newChangesBlame(std streams, env config.Environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "blame FILE",
		Short: "Say for each line of a file which call it came with",
		Long: `blame prints each line of a file with the call that it came with, the stream of the
call, and its command. A change that more than one call may have made is marked
"shared", one that no call covers "(no call)", and lines that were there before the
records begin "(older)".`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("blame takes one file: claudewatch changes blame src/main.go")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			lines, err := blame(std, env, args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(std.out, blameLines(lines))
			}
			printBlame(std.out, lines, time.Now())
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func blame(std streams, env config.Environment, path string) ([]history.Line, error) {
	data, err := changesData(env)
	if err != nil {
		return nil, err
	}
	file, err := realFile(path)
	if err != nil {
		return nil, err
	}
	if holdsSecrets(file) {
		fmt.Fprintf(std.err, "claudewatch: %s may hold secrets by its name, so that its lines are not printed; claudewatch changes log --path GLOB prints what changed it\n", oneLine(path))
		return nil, exitStatus(exitFindings)
	}
	content, err := regular.ReadFile(file, maxBlamed)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		fmt.Fprintf(std.err, "claudewatch: there is no file %s; claudewatch changes log --path GLOB prints what happened to files that are gone\n", oneLine(path))
		return nil, exitStatus(exitFindings)
	case err != nil:
		return nil, err
	case !textdiff.IsText(content):
		fmt.Fprintf(std.err, "claudewatch: %s is not text, and has no lines; claudewatch changes log --path GLOB prints what changed it\n", oneLine(path))
		return nil, exitStatus(exitFindings)
	}
	h, err := readWithBar(std, history.Size(data, history.Filter{}), func(read func(int64)) (*history.History, error) {
		return history.LoadFile(data, file, read)
	})
	if err != nil {
		return nil, err
	}
	if len(h.Steps(file)) == 0 {
		fmt.Fprintf(std.err, "claudewatch: there is no change record of %s\n", oneLine(path))
	}
	return h.Blame(file, content), nil
}

// holdsSecrets reports whether a file is one that holds secrets by its name, or leads to one.
func holdsSecrets(file string) bool {
	real, _, err := realpath.Follow(file)
	return changes.IsSecret(filepath.ToSlash(file)) || err == nil && changes.IsSecret(filepath.ToSlash(real))
}

func blameLines(lines []history.Line) []blameJSON {
	list := make([]blameJSON, 0, len(lines))
	for _, l := range lines {
		b := blameJSON{Line: l.Number, Text: l.Text, Origin: originName(l.Origin), Note: l.Note}
		if l.Step != nil {
			r, c := l.Step.Record, l.Step.Change
			b.ID, b.Session, b.Stream, b.Tool, b.ToolName, b.Command = r.ID, r.Session, r.Stream, r.Tool, r.ToolName, r.XCommand
			b.Time, b.Attribution, b.Windows = &r.Time, c.Attribution, c.Windows
		}
		list = append(list, b)
	}
	return list
}

// blameCommand is how many runes of a command stand in front of a line.
const blameCommand = 32

func printBlame(w io.Writer, lines []history.Line, now time.Time) {
	t := &table{right: []bool{4: true}}
	for _, l := range lines {
		call, stream, when, command := originText(l), "", "", ""
		paint := colored(color.Faint)
		if l.Step != nil {
			r := l.Step.Record
			stream, when, command = streamOf(r), ago(now.Sub(r.Time.Time)), r.XCommand
			if command == "" && r.Basis == record.RuntimeReported {
				command = r.ToolName
			}
			paint = colored(color.FgYellow)
			if l.Step.Change.Attribution != record.OnlyThisWindow {
				paint = colored(color.FgMagenta)
			}
		}
		t.add(cell{oneLine(call), paint}, plain(oneLine(stream)), faint(when), plain(safetext.Line(command, blameCommand)), faint(fmt.Sprint(l.Number)), plain(safetext.Line(l.Text, 0)))
	}
	t.print(w)
	notes := map[string]bool{}
	for _, l := range lines {
		if l.Note != "" && !notes[l.Note] {
			notes[l.Note] = true
			fmt.Fprintf(w, "%s: %s\n", originText(l), l.Note)
		}
	}
}

// originText names where a line comes from.
func originText(l history.Line) string {
	switch l.Origin {
	case history.ByNobody:
		return "(no call)"
	case history.Unrecorded:
		return "(not recorded)"
	case history.Older:
		return "(older)"
	case history.Unknown:
		if l.Step != nil {
			return callOf(l.Step.Record) + " or older"
		}
		return "(not known)"
	}
	if l.Step.Change.Attribution == record.Shared {
		return callOf(l.Step.Record) + " " + attributionText(l.Step.Record, l.Step.Change)
	}
	return callOf(l.Step.Record)
}
