package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/claudewatch/claudewatch/internal/changes"
	"github.com/claudewatch/claudewatch/internal/changes/history"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/realpath"
	"github.com/claudewatch/claudewatch/internal/safetext"
	"github.com/claudewatch/claudewatch/internal/since"
	"github.com/spf13/cobra"
)

func newChanges(std streams, env config.Environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "changes",
		Short: "Read what the calls of a session changed, and take it back",
		Long: `changes reads the records of the change recorder: which files each call really
changed, how, and who else could have changed them. "undo" takes a call back and
"restore" makes a file what it was, wholly or not at all.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newChangesList(std, env),
		newChangesLog(std, env),
		newChangesShow(std, env),
		newChangesDiff(std, env),
		newChangesStat(std, env),
		newChangesBlame(std, env),
		newChangesUndo(std, env),
		newChangesRestore(std, env),
		newChangesStatus(std, env),
		newChangesPrune(std, env),
	)
	return cmd
}

// changesFlags are the flags that choose records.
type changesFlags struct {
	session, path, since, root string
	tools                      []string
	json                       bool
}

// add adds the flags to a subcommand, whose arguments are ids of calls as well.
func (f *changesFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.session, "session", "", "only those of the session with this `ID`")
	flags.StringSliceVar(&f.tools, "tool", nil, "only those of the call with this tool-use `ID`")
	flags.StringVar(&f.path, "path", "", "only changes of files that match `GLOB`: *.go in any directory, src/** below src")
	flags.StringVar(&f.since, "since", "", "only those since a `TIME`: 2h, 3d, 2026-11-30, '2026-11-30 14:00'")
	flags.StringVar(&f.root, "root", "", "only those of the root at `DIR`, or that DIR lies in")
	flags.BoolVar(&f.json, "json", false, "print JSON")
}

// filter returns what the flags and the arguments of the command choose.
func (f *changesFlags) filter(ids []string, now time.Time) (history.Filter, error) {
	filter := history.Filter{Session: f.session, Tools: slices.Concat(f.tools, ids), Paths: realPatterns(filepath.ToSlash(f.path))}
	if f.since != "" {
		from, err := since.Parse(f.since, now)
		if err != nil {
			return filter, fmt.Errorf("--since: %w", err)
		}
		filter.Since = from
	}
	if f.root != "" {
		written, err := filepath.Abs(f.root)
		if err != nil {
			return filter, fmt.Errorf("--root: %w", err)
		}
		real, _, err := realpath.Follow(written)
		if err != nil {
			return filter, fmt.Errorf("--root: %w", err)
		}
		// What is a link now may have been the root itself when the record was written.
		filter.Roots = slices.Compact([]string{real, written})
	}
	return filter, nil
}

// realPatterns returns a pattern of --path, and when it is absolute also what it is with
// the symbolic links followed in front of its first sign: the records name no links. ""
// is no pattern.
func realPatterns(pattern string) []string {
	if pattern == "" {
		return nil
	}
	patterns := []string{pattern}
	fixed, rest := doublestar.SplitPattern(strings.TrimSuffix(pattern, "/"))
	if !filepath.IsAbs(filepath.FromSlash(fixed)) {
		return patterns
	}
	real, _, err := realpath.Follow(filepath.FromSlash(fixed))
	if err != nil {
		return patterns // it leads nowhere
	}
	patterns = append(patterns, path.Join(literalPattern.Replace(filepath.ToSlash(real)), rest))
	// What the last name stands for may be a directory that is reached through a link.
	if real, _, err = realpath.Follow(filepath.FromSlash(path.Join(fixed, rest))); err == nil {
		patterns = append(patterns, literalPattern.Replace(filepath.ToSlash(real)))
	}
	return patterns
}

// literalPattern makes a name mean itself in a pattern.
var literalPattern = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `]`, `\]`, `{`, `\{`, `}`, `\}`)

// realFile returns the absolute path of a file or directory as the records name it: the
// symbolic links of its directory followed, and those of its name when they lead to a
// directory. It need not exist.
func realFile(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(absolute); err == nil && info.IsDir() {
		directory, _, err := realpath.Follow(absolute)
		return directory, err
	}
	directory, _, err := realpath.Follow(filepath.Dir(absolute))
	if err != nil {
		return "", err
	}
	return filepath.Join(directory, filepath.Base(absolute)), nil
}

// changesData returns the directory of the records.
func changesData(env config.Environment) (string, error) {
	data := env.Changes()
	if data == "" {
		return "", errors.New("it is not known where the change records are: set HOME, CLAUDEWATCH_HOME or CLAUDE_PLUGIN_DATA")
	}
	return data, nil
}

// loadChanges reads the records that the flags choose. Without hunks when lean. That
// there are none is said on stderr, and when calls are named it is a finding.
func loadChanges(std streams, env config.Environment, f *changesFlags, ids []string, lean bool) (*history.History, error) {
	data, err := changesData(env)
	if err != nil {
		return nil, err
	}
	filter, err := f.filter(ids, time.Now())
	if err != nil {
		return nil, err
	}
	filter.Lean = lean
	h, err := readChanges(std, data, filter)
	if err != nil {
		return nil, err
	}
	for _, r := range h.Records {
		hideSecrets(r)
	}
	if len(h.Records) == 0 {
		if len(filter.Tools) > 0 {
			return nil, noRecordOf(std, data, filter.Tools)
		}
		fmt.Fprintf(std.err, "claudewatch: no change record %s; claudewatch changes status says what is observed\n", whichOf(filter, data))
	}
	return h, nil
}

// hideSecrets takes the lines of files that hold secrets by their names off a record. The
// recorder writes none; other writers of the format may.
func hideSecrets(r *record.Record) {
	for i := range r.Changes {
		c := &r.Changes[i]
		if c.XSecret || changes.IsSecret(c.Path) || changes.IsSecret(c.XRenamedFrom) {
			c.XSecret, c.Hunks = true, nil
			if c.Diff == record.Available {
				c.Diff = record.Unavailable
			}
		}
	}
}

func whichOf(f history.Filter, data string) string {
	if f.Session == "" && len(f.Paths) == 0 && len(f.Roots) == 0 && f.Since.IsZero() {
		return "in " + oneLine(data)
	}
	return "matches"
}

// readChanges reads the records that a filter lets through.
func readChanges(std streams, data string, filter history.Filter) (*history.History, error) {
	return readWithBar(std, history.Size(data, filter), func(read func(int64)) (*history.History, error) {
		return history.Load(data, filter, read)
	})
}

// readWithBar reads records with a bar, of about so many bytes, and says on stderr what
// could not be read.
func readWithBar(std streams, bytes int64, load func(read func(int64)) (*history.History, error)) (*history.History, error) {
	bar := barOn(std.err, "reading records")
	bar.Start(bytes)
	h, err := load(bar.Advance)
	bar.Clear()
	if err != nil {
		return nil, err
	}
	warnOfProblems(std, h)
	return h, nil
}

// maxProblems is how many problems of the records are printed.
const maxProblems = 5

func warnOfProblems(std streams, h *history.History) {
	for i, problem := range h.Problems {
		if i == maxProblems {
			fmt.Fprintf(std.err, "claudewatch: and %s more\n", plural(len(h.Problems)-i, "problem"))
			break
		}
		fmt.Fprintf(std.err, "claudewatch: %s\n", safetext.Line(problem.Error(), 0))
	}
}

// noRecordOf says that calls have no record, and ends with the status of a finding.
func noRecordOf(std streams, data string, tools []string) error {
	fmt.Fprintf(std.err, "claudewatch: there is no change record of %s%s; claudewatch changes list prints them\n", oneLine(tools[0]), hintOfCall(data, tools[0]))
	return exitStatus(exitFindings)
}

// encodeRecords returns records as they stand in their files, for --json.
func encodeRecords(records []*record.Record) ([]json.RawMessage, error) {
	list := make([]json.RawMessage, 0, len(records))
	for _, r := range records {
		line, err := record.Encode(r)
		if err != nil {
			return nil, err
		}
		list = append(list, line)
	}
	return list, nil
}
