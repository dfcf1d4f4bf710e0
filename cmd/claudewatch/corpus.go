package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/corpus"
	shipped "github.com/claudewatch/claudewatch/tests/corpus"
	"github.com/spf13/cobra"
)

func newCorpus(std streams, env config.Environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "corpus",
		Short: "Test a hook on recorded calls",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCorpusRun(std, env))
	return cmd
}

func newCorpusRun(std streams, env config.Environment) *cobra.Command {
	var hook string
	var r corpus.Runner
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "run [FILE…]",
		Short: "Run the hook on the calls of a corpus and print what differs",
		Long: `run builds the repositories that a corpus describes in a temporary folder, runs
this claudewatch, or the command of --hook, as a hook on each of its calls, and
prints those that come out otherwise. The files are corpora or folders of them, by
default the corpus that is part of claudewatch.`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			corpora, err := loadCorpora(paths)
			if err != nil {
				return err
			}
			if r.Command, err = hookCommand(env, hook); err != nil {
				return err
			}
			bar := barOn(std.err, "running")
			r.Advance = bar.Advance
			bar.Start(countEntries(corpora))
			results, err := runCorpora(cmd.Context(), &r, corpora)
			bar.Clear()
			if err != nil {
				return err
			}
			return printCorpus(std.out, results, asJSON)
		},
	}
	cmd.Flags().StringVar(&hook, "hook", "", "shell text that runs another hook: 'claudewatch hook'")
	cmd.Flags().BoolVar(&r.EmptyPath, "empty-path", false, "run the hook with an empty PATH")
	cmd.Flags().DurationVar(&r.Timeout, "timeout", corpus.DefaultTimeout, "how long the hook may take for one call")
	cmd.Flags().IntVar(&r.Parallel, "parallel", corpus.DefaultParallel, "how many hooks run at the same time")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func loadCorpora(paths []string) ([]*corpus.Corpus, error) {
	if len(paths) == 0 {
		return corpus.LoadFS(shipped.FS, "tests/corpus")
	}
	return corpus.Load(paths)
}

// runCorpora runs the hook on all entries. An interrupt ends it, and removes the
// sandbox first.
func runCorpora(ctx context.Context, r *corpus.Runner, corpora []*corpus.Corpus) ([]corpus.Result, error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	var results []corpus.Result
	for _, c := range corpora {
		found, err := r.Run(ctx, c, nil)
		if err != nil {
			return nil, err
		}
		results = append(results, found...)
	}
	return results, nil
}

func countEntries(corpora []*corpus.Corpus) int64 {
	n := 0
	for _, c := range corpora {
		n += len(c.Entries)
	}
	return int64(n)
}

// hookCommand is the command of --hook, by default this program as a hook.
func hookCommand(env config.Environment, hook string) (corpus.Command, error) {
	if hook != "" {
		return corpus.Command{Shell: hook}.Expand(map[string]string{"HOME": env.Home}), nil
	}
	program, err := os.Executable()
	if err != nil {
		return corpus.Command{}, fmt.Errorf("this program is not found, give --hook: %w", err)
	}
	return corpus.Command{Program: program, Args: []string{"hook"}}, nil
}

func printCorpus(w io.Writer, results []corpus.Result, asJSON bool) error {
	matched := 0
	for _, r := range results {
		if r.Matched() {
			matched++
		} else if !asJSON {
			printDifference(w, r)
		}
	}
	if asJSON {
		if err := writeJSON(w, corpusOf(results, matched)); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(w, "corpus: %d/%d\n", matched, len(results))
	}
	if matched < len(results) {
		return exitStatus(exitFindings)
	}
	return nil
}

// printDifference prints an entry that came out otherwise than it should.
func printDifference(w io.Writer, r corpus.Result) {
	fmt.Fprintf(w, "FAIL %s %s  %s\n", r.Entry.ID, r.Entry.Class, r.Problem)
	fmt.Fprintf(w, "     %s:%d\n", r.Path, r.Entry.Line)
	if text := strings.TrimSpace(r.Stderr); text != "" {
		fmt.Fprintf(w, "     stderr: %s\n", oneLine(text))
	}
}

// corpusJSON is what `corpus run --json` prints.
type corpusJSON struct {
	Matched int               `json:"matched"`
	All     int               `json:"all"`
	Entries []corpusEntryJSON `json:"entries"`
}

type corpusEntryJSON struct {
	ID       string  `json:"id"`
	Class    string  `json:"class"`
	Path     string  `json:"path"`
	Line     int     `json:"line"`
	Hook     string  `json:"hook,omitempty"`
	Expected string  `json:"expected"`
	Got      string  `json:"got"`
	Exit     int     `json:"exit"`
	Stdout   string  `json:"stdout"`
	Stderr   string  `json:"stderr"`
	Seconds  float64 `json:"seconds"`
	Matched  bool    `json:"matched"`
	Problem  string  `json:"problem,omitempty"`
}

func corpusOf(results []corpus.Result, matched int) corpusJSON {
	all := corpusJSON{Matched: matched, All: len(results), Entries: []corpusEntryJSON{}}
	for _, r := range results {
		all.Entries = append(all.Entries, corpusEntryJSON{
			ID: r.Entry.ID, Class: r.Entry.Class, Path: r.Path, Line: r.Entry.Line, Hook: r.Entry.Hook,
			Expected: r.Entry.Verdict, Got: r.Got, Exit: r.Exit, Stdout: r.Stdout, Stderr: r.Stderr,
			Seconds: r.Took.Round(time.Millisecond).Seconds(), Matched: r.Matched(), Problem: r.Problem,
		})
	}
	return all
}
