package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/history"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/safetext"
	"github.com/claudewatch/claudewatch/internal/since"
	"github.com/spf13/cobra"
)

// planJSON is what undo and restore would do or have done, as --json prints it.
type planJSON struct {
	Done     bool              `json:"done"`
	Files    []actionJSON      `json:"files"`
	Refusals []history.Refusal `json:"refusals"`
	Notes    []string          `json:"notes"`
}

type actionJSON struct {
	Path   string `json:"path"`
	Action string `json:"action"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

func newChangesUndo(std streams, env config.Environment) *cobra.Command {
	var session string
	var dryRun, asJSON bool
	cmd := &cobra.Command{
		Use:   "undo TOOL-USE-ID",
		Short: "Take back what a call changed",
		Long: `undo makes every file that a call changed what it was before, byte for byte and with
its mode: all of them, or none. It is refused, with the reason, when a file has
changed since, when others may have made the change too, and when the bytes are no
longer kept. With --dry-run it says what would be done.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("undo takes one tool-use id; claudewatch changes list prints them")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			data, err := changesData(env)
			if err != nil {
				return err
			}
			var own []*record.Record
			h, err := readWithBar(std, 2*history.Size(data, history.Filter{}), func(read func(int64)) (h *history.History, err error) {
				h, own, err = history.LoadCall(data, session, args[0], read)
				return h, err
			})
			if err != nil {
				return err
			}
			h.Own = []string{env.Directory()}
			if len(own) == 0 {
				return noRecordOf(std, data, args)
			}
			if sessions := sessionsOf(own); len(sessions) > 1 {
				return fmt.Errorf("%s is the id of calls of %d sessions: choose one with --session, %s", oneLine(args[0]), len(sessions), oneLine(strings.Join(sessions, " or ")))
			}
			return carryOut(std, h.Undo(own), planOutput{what: args[0] + " cannot be undone", dryRun: dryRun, json: asJSON})
		},
	}
	cmd.Flags().StringVar(&session, "session", "", "the session of the call, where two have calls of one id")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only say what would be done")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func sessionsOf(records []*record.Record) []string {
	var sessions []string
	for _, r := range records {
		if !slices.Contains(sessions, r.Session) {
			sessions = append(sessions, r.Session)
		}
	}
	return sessions
}

func newChangesRestore(std streams, env config.Environment) *cobra.Command {
	var at string
	var dryRun, asJSON bool
	cmd := &cobra.Command{
		Use:   "restore --at TIME PATH",
		Short: "Make a file what it was at a time",
		Long: `restore makes a file, or all recorded files below a directory, what they were at a
time: all of them, or none. It is refused, with the reason, when a file has changed
since the last record of it, when a call was changing it at that time, and when the
bytes are no longer kept.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("restore takes one path: claudewatch changes restore --at 2h src/main.go")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			data, err := changesData(env)
			if err != nil {
				return err
			}
			if at == "" {
				return errors.New("restore needs a time: --at 2h, --at '2026-11-30 14:00'")
			}
			when, err := since.Parse(at, time.Now())
			if err != nil {
				return fmt.Errorf("--at: %w", err)
			}
			file, err := realFile(args[0])
			if err != nil {
				return err
			}
			h, err := readChanges(std, data, history.Filter{Files: []string{file}})
			if err != nil {
				return err
			}
			h.Own = []string{env.Directory()}
			return carryOut(std, h.Restore(file, when), planOutput{what: args[0] + " cannot be restored", dryRun: dryRun, json: asJSON})
		},
	}
	cmd.Flags().StringVar(&at, "at", "", "the `TIME`: 2h for two hours ago, 2026-11-30, '2026-11-30 14:00'")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only say what would be done")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// planOutput is how a plan is reported.
type planOutput struct {
	// what is said when it is refused.
	what         string
	dryRun, json bool
}

// carryOut carries a plan out, unless it is refused or only to be shown.
func carryOut(std streams, p *history.Plan, o planOutput) error {
	out := planJSON{Files: []actionJSON{}, Refusals: append([]history.Refusal{}, p.Refusals...), Notes: append([]string{}, p.Notes...)}
	for _, a := range p.Actions {
		out.Files = append(out.Files, actionJSON{a.Absolute(), actionOf(a), a.Target.SHA256, a.Target.Bytes})
	}
	refused := len(p.Refusals) > 0
	if !refused && !o.dryRun {
		if err := p.Apply(); err != nil {
			fmt.Fprintf(std.err, "claudewatch: %s: %s\n", oneLine(o.what), err)
			refused = true
			out.Refusals = append(out.Refusals, history.Refusal{Reason: err.Error()})
		}
		out.Done = !refused
	}
	if o.json {
		if err := writeJSON(std.out, out); err != nil {
			return err
		}
	} else {
		printPlan(std, p, o, out.Done)
	}
	if refused {
		return exitStatus(exitFindings)
	}
	return nil
}

func printPlan(std streams, p *history.Plan, o planOutput, done bool) {
	if len(p.Refusals) > 0 {
		fmt.Fprintf(std.err, "claudewatch: %s, and nothing was changed:\n", oneLine(o.what))
		for _, r := range p.Refusals {
			where := ""
			if r.Path != "" {
				where = oneLine(pathFromHere(r.Path)) + ": "
			}
			fmt.Fprintf(std.err, "  %s%s\n", where, safetext.Line(r.Reason, 0))
		}
	}
	for _, note := range p.Notes {
		fmt.Fprintf(std.err, "claudewatch: %s\n", safetext.Line(note, 0))
	}
	if len(p.Refusals) > 0 || !done && !o.dryRun {
		return
	}
	t := &table{}
	for _, a := range p.Actions {
		t.add(plain(actionOf(a)), plain(oneLine(pathFromHere(a.Absolute()))), faint(actionFacts(a)))
	}
	t.print(std.out)
	switch {
	case len(p.Actions) == 0:
		fmt.Fprintln(std.out, "nothing to do")
	case o.dryRun:
		fmt.Fprintf(std.out, "%s would be written or removed; nothing was changed\n", plural(len(p.Actions), "file"))
	default:
		fmt.Fprintf(std.out, "%s taken back\n", plural(len(p.Actions), "file"))
	}
}

// actionOf names what is done to a file.
func actionOf(a *history.Action) string {
	switch {
	case !a.Target.Present:
		return "remove"
	case !a.Found.Present:
		return "create"
	case a.Content == nil:
		return "mode"
	}
	return "write"
}

func actionFacts(a *history.Action) string {
	var facts []string
	if a.Content != nil {
		facts = append(facts, byteCount(int64(len(a.Content))))
	}
	if a.Target.HasMode && (!a.Found.HasMode || a.Found.Mode != a.Target.Mode) {
		facts = append(facts, fmt.Sprintf("mode %04o", a.Target.Mode))
	}
	return strings.Join(facts, ", ")
}

// pathFromHere is a path from the working directory when that is shorter.
func pathFromHere(path string) string {
	here, err := filepath.Abs(".")
	if err != nil || path == "" {
		return path
	}
	if relative, err := filepath.Rel(here, path); err == nil && !strings.HasPrefix(relative, "..") {
		return relative
	}
	return path
}
