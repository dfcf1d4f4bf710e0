// Command claudewatch is a policy engine for Claude Code hooks: it decides about
// tool calls by rules, checks rule files, and explains its decisions.
//
// This package is wiring: one file for each subcommand, flags in, text out.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/progress"
	_ "github.com/claudewatch/claudewatch/internal/stack" // before all others that it can come before
	"github.com/spf13/cobra"
)

func main() {
	os.Exit(run(os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}, config.EnvironmentOf(os.Environ())))
}

// streams are the standard streams of the process.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// The exit statuses of claudewatch; the hook uses 2 for a deny.
const (
	exitFindings = 1 // vet errors, failing tests, what does not exist
	exitUsage    = 2
)

// exitStatus is an error that ends the process with a status and prints nothing:
// what there was to say has been printed.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// failure is an error that the command line is not to blame for: exit status 1, not that
// of a slip.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// run executes one command line and returns the exit status of the process.
func run(args []string, std streams, env config.Environment) int {
	var err error
	if isPlainHook(args) {
		err = runHook(std, env, engine.Selection{})
	} else {
		err = runCommand(args, std, env)
	}
	var status exitStatus
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return int(status)
	}
	fmt.Fprintf(std.err, "claudewatch: %v\n", err)
	var found failure
	if errors.As(err, &found) {
		return exitFindings
	}
	return exitUsage
}

// runCommand executes a command line other than the plain hook. What cannot be printed
// is an error; for the hook, whose answer may be nothing, it is one of its own.
func runCommand(args []string, std streams, env config.Environment) error {
	out := &output{Writer: std.out}
	std.out = out
	root := newRoot(std, env)
	root.SetArgs(longRun(args))
	ran, err := root.ExecuteContextC(context.Background())
	var status exitStatus
	if out.err != nil && (err == nil || errors.As(err, &status) || errors.Is(err, out.err)) && len(args) > 0 && ran.Name() != "hook" {
		return out.err
	}
	return err
}

// isPlainHook reports whether the command line is the one that Claude Code starts for
// every call. Building the tree of commands would take a third of its time.
func isPlainHook(args []string) bool { return len(args) == 1 && args[0] == "hook" }

// longRun spells the flag -run of "test", which is known from go test, with the
// two dashes that the flag parser wants.
func longRun(args []string) []string {
	long := slices.Clone(args)
	for i, a := range long {
		if len(long) > 0 && long[0] == "test" && (a == "-run" || strings.HasPrefix(a, "-run=")) {
			long[i] = "-" + a
		}
	}
	return long
}

// newRoot builds the command tree.
func newRoot(std streams, env config.Environment) *cobra.Command {
	root := &cobra.Command{
		Use:   "claudewatch",
		Short: "A policy engine for Claude Code hooks",
		Long: `claudewatch decides about the tool calls of Claude Code before they run, by
rules in YAML that are compiled to type-checked CEL programs over the parsed
call. With no arguments and an event on standard input it behaves as "hook".`,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if isTerminal(std.in) {
				return cmd.Help()
			}
			return runHook(std, env, engine.Selection{})
		},
	}
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.AddCommand(
		newHook(std, env),
		newVet(std, env),
		newTest(std, env),
		newExplain(std, env),
		newEval(std, env),
		newFunctions(std),
		newInput(std),
		newDocs(std),
		newList(std, env),
		newShow(std, env),
		newEnable(std, env),
		newDisable(std, env),
		newSet(std, env),
		newMute(std, env),
		newUnmute(std, env),
		newMutes(std, env),
		newLog(std, env),
		newLearn(std, env),
		newChanges(std, env),
		newTranscripts(std, env),
		newCorpus(std, env),
		newInstall(std, env),
		newUninstall(std, env),
		newDoctor(std, env),
		newVersion(std),
	)
	root.SetFlagErrorFunc(optionError)
	root.PersistentPreRunE = refuseEmptyOptions
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	refuseSlips(root)
	return root
}

// isTerminal reports whether r is a terminal, where nobody pipes an event in.
func isTerminal(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// barOn returns a progress bar on w when that is a terminal, else nil.
func barOn(w io.Writer, label string) *progress.Bar {
	if r, ok := w.(io.Reader); ok && isTerminal(r) {
		return progress.New(w, label)
	}
	return nil
}
