package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/claudewatch/claudewatch/internal/changes/textdiff"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/install"
	"github.com/claudewatch/claudewatch/internal/safetext"
	"github.com/fatih/color"
	"github.com/spf13/cobra"
)

// installJSON is what install and uninstall say with --json.
type installJSON struct {
	Path    string           `json:"path"`
	Scope   install.Scope    `json:"scope"`
	Program string           `json:"program,omitempty"`
	DryRun  bool             `json:"dry_run"`
	Changed bool             `json:"changed"`
	Deleted bool             `json:"deleted,omitempty"`
	Done    []install.Remark `json:"done"`
	Notes   []install.Remark `json:"notes"`
	Advice  []string         `json:"advice,omitempty"`
	Backup  string           `json:"backup,omitempty"`
	Diff    string           `json:"diff,omitempty"`
	// Kept is the directory that stays behind when the hooks are taken out.
	Kept string `json:"kept,omitempty"`
}

func newInstall(std streams, env config.Environment) *cobra.Command {
	return newSettingsCommand(std, env, &cobra.Command{
		Use:   "install",
		Short: "Put the hooks into the settings of Claude Code",
		Long: `install puts the hooks that run this binary into a settings.json of Claude Code:
yours, or with a flag that of the project, yours for the project, or the managed one.
Hooks of claudewatch that are there already are brought up to date. Nothing else in
the file is touched, and the file as it was is kept as a backup. A file that is not
valid JSON is left alone.`,
	}, func(f *install.File, dry bool) (*install.Result, string, error) {
		program, err := install.Program(os.Args[0])
		if err != nil {
			return nil, "", err
		}
		result, err := f.Install(program, dry)
		return result, program, err
	})
}

// newSettingsCommand makes a command that edits a settings file.
func newSettingsCommand(std streams, env config.Environment, cmd *cobra.Command,
	edit func(f *install.File, dry bool) (result *install.Result, program string, err error)) *cobra.Command {
	var dry, asJSON bool
	chosen := map[install.Scope]*bool{}
	cmd.Args = cobra.NoArgs
	cmd.RunE = func(*cobra.Command, []string) error {
		scope := install.User
		for _, s := range install.Scopes {
			if *chosen[s] {
				scope = s
			}
		}
		directory, err := os.Getwd()
		if err != nil {
			directory = ""
		}
		file, err := install.Machine{Environment: env, Directory: directory}.File(scope)
		if err != nil {
			return failure{err}
		}
		result, program, err := edit(file, dry)
		if err != nil {
			return failure{err}
		}
		r := installJSON{
			Path: file.Path, Scope: scope, Program: program, DryRun: dry, Changed: result.Changed(), Deleted: result.Changed() && result.Text == nil,
			Done: append([]install.Remark{}, result.Done...), Notes: append([]install.Remark{}, result.Notes...),
			Backup: result.Backup, Diff: diffText(result.Before, result.Text), Advice: adviceOn(scope, program),
		}
		if info, err := os.Stat(env.Directory()); program == "" && err == nil && info.IsDir() {
			r.Kept = env.Directory()
		}
		if asJSON {
			return writeJSON(std.out, r)
		}
		printInstall(std.out, r)
		return nil
	}
	flags := cmd.Flags()
	var names []string
	for _, s := range install.Scopes {
		chosen[s] = flags.Bool(string(s), false, scopeHelp(s))
		names = append(names, string(s))
	}
	cmd.MarkFlagsMutuallyExclusive(names...)
	flags.BoolVar(&dry, "dry-run", false, "show what would change and write nothing")
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// scopeHelp says whose settings those of a scope are.
func scopeHelp(s install.Scope) string {
	switch s {
	case install.Project:
		return "the project's settings, for everybody who works in it"
	case install.Local:
		return "your own settings for the project (settings.local.json)"
	case install.Managed:
		return "the settings that an administrator gives all users of the machine"
	}
	return "your settings, for every project (the default)"
}

// adviceOn says what to think of when a program is put into the settings of a scope.
func adviceOn(scope install.Scope, program string) []string {
	var advice []string
	if program == "" {
		return nil
	}
	if scope == install.Project {
		advice = append(advice, "others who work in the project need claudewatch at this very path, or their calls are blocked; --local is for you alone")
	}
	if below, err := filepath.Rel(os.TempDir(), program); err == nil && filepath.IsLocal(below) {
		advice = append(advice, "the program lies among temporary files: when it is deleted no hook runs, and newer versions of Claude Code block every call; put it into a lasting place and install again")
	}
	return advice
}

func printInstall(w io.Writer, r installJSON) {
	switch {
	case !r.Changed && r.Program == "":
		fmt.Fprintf(w, "%s: there is no hook of claudewatch to take out\n", r.Path)
	case !r.Changed:
		fmt.Fprintf(w, "%s: claudewatch is installed, and nothing is to be changed\n", r.Path)
	default:
		fmt.Fprintln(w, r.Path)
		printDiff(w, r.Diff)
		for _, d := range r.Done {
			fmt.Fprintln(w, safetext.Line(d.String(), 0))
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "note: %s\n", safetext.Line(n.String(), 0))
	}
	for _, a := range r.Advice {
		fmt.Fprintf(w, "note: %s\n", a)
	}
	switch {
	case !r.Changed:
	case r.DryRun:
		fmt.Fprintln(w, "This is a dry run: nothing was written.")
	default:
		if r.Deleted {
			fmt.Fprintln(w, "The file held nothing else and was deleted.")
		}
		if r.Backup != "" {
			fmt.Fprintf(w, "The file as it was: %s\n", r.Backup)
		}
		if r.Kept != "" {
			fmt.Fprintf(w, "What claudewatch kept stays: settings, rules, the log, and change records, which hold what was in files. To remove it, delete %s%s\n",
				r.Kept, optional(" and ", r.Backup))
		}
		if r.Program != "" {
			fmt.Fprintln(w, "Sessions that are open read the hooks when they are started anew. To check them: claudewatch doctor")
		}
	}
}

// diffText returns the difference of two texts as a unified diff without its heading.
func diffText(before, after []byte) string {
	hunks, _, _ := textdiff.Compare(before, after)
	var b strings.Builder
	for _, h := range hunks {
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", h.OldStart, h.OldLines, h.NewStart, h.NewLines)
		for _, line := range h.Lines {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// diffWidth is how many runes of a line are shown: a whole file may be on one.
const diffWidth = 500

func printDiff(w io.Writer, diff string) {
	for line := range strings.Lines(diff) {
		paint := fmt.Sprint
		switch line[0] {
		case '+':
			paint = color.New(color.FgGreen).Sprint
		case '-':
			paint = color.New(color.FgRed).Sprint
		case '@':
			paint = color.New(color.FgCyan).Sprint
		}
		fmt.Fprintln(w, paint(safetext.Line(line, diffWidth)))
	}
}
