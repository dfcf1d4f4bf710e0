package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/claudewatch/claudewatch/hooks"
	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/prompt"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/spf13/cobra"
)

func newEval(std streams, env config.Environment) *cobra.Command {
	var command, file, dir string
	cmd := &cobra.Command{
		Use:   "eval [EXPRESSION]",
		Short: "Type-check and evaluate CEL expressions over an input",
		Long: `eval evaluates a CEL expression the way rules are: over the input of a command,
of an event in a file (- is standard input), or of a call without either.

Without an expression it is a prompt, on which Tab completes and :help says what
else there is. What is no terminal is read line by line, and each value is printed
on a line of its own; the exit status is 1 when a line could not be evaluated.`,
		Example: `  claudewatch eval 'input.commands.map(c, c.program)' --command 'ls | xargs rm -rf'
  claudewatch eval --command 'git push -f'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return errors.New("eval takes one expression, in quotes: claudewatch eval 'input.tool'")
			}
			if len(args) == 0 && file == "-" {
				return errors.New("standard input cannot be both the event and the expressions; give an expression, or the event in a file")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := evalCall(std, env, command, file, dir)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return runPrompt(std, env, c)
			}
			value, diagnostics := policy.EvaluateExpression(args[0], c.Input())
			if value == nil {
				for _, d := range diagnostics {
					fmt.Fprintf(std.err, "%s: %s\n%s\n", d.Position, d.Message, d.Snippet())
				}
				return exitStatus(exitFindings)
			}
			_, err = fmt.Fprintln(std.out, policy.FormatValue(value.Value))
			return err
		},
	}
	cmd.Flags().StringVar(&command, "command", "", "shell text of the call")
	cmd.Flags().StringVar(&file, "json", "", "file with a hook event, - for standard input")
	cmd.Flags().StringVar(&dir, "cwd", "", "directory the call would be made in (default: the event's, or the current one)")
	cmd.MarkFlagsMutuallyExclusive("command", "json")
	return cmd
}

// evalCall is the call that an expression is evaluated over.
func evalCall(std streams, env config.Environment, command, file, dir string) (call.Call, error) {
	if file == "" {
		return commandCall(env, "Bash", command, dir)
	}
	in := std.in
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return call.Call{}, err
		}
		defer f.Close()
		in = f
	}
	var payload bytes.Buffer
	event, err := hooks.ReadEvent(io.TeeReader(in, &payload))
	if err != nil {
		return call.Call{}, fmt.Errorf("%s: %w", file, err)
	}
	return explainedCall(env, event, payload.Bytes(), dir)
}

// runPrompt evaluates what is entered on a terminal, or the lines of standard input.
func runPrompt(std streams, env config.Environment, c call.Call) error {
	load := func(path string) (call.Call, error) { return evalCall(std, env, "", path, "") }
	session, err := prompt.New(c, load, std.out, std.err)
	if err != nil {
		return err
	}
	if std.in == os.Stdin && underlying(std.out) == os.Stdout && prompt.Interactive() {
		return session.Terminal(prompt.History{Path: evalHistory(env)})
	}
	fine, err := session.Lines(std.in)
	if err == nil && !fine {
		err = exitStatus(exitFindings)
	}
	return err
}

// evalHistory is the file of what was entered, "" when there is no place for it.
func evalHistory(env config.Environment) string {
	if env.Directory() == "" {
		return ""
	}
	return filepath.Join(env.Directory(), "eval_history")
}
