package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/claudewatch/claudewatch/hooks"
	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/spf13/cobra"
)

func newEval(std streams, env config.Environment) *cobra.Command {
	var command, file, dir string
	cmd := &cobra.Command{
		Use:   "eval EXPRESSION",
		Short: "Type-check and evaluate one CEL expression over an input",
		Long: `eval evaluates a CEL expression the way rules are: over the input of a command,
of an event in a file (- is standard input), or of a call without either.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("eval takes one expression, in quotes: claudewatch eval 'input.tool'")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := evalCall(std, env, command, file, dir)
			if err != nil {
				return err
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
	cmd.Flags().StringVar(&dir, "cwd", "", "directory the command would run in (default: the current one)")
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
	event, err := hooks.ReadEvent(in)
	if err != nil {
		return call.Call{}, fmt.Errorf("%s: %w", file, err)
	}
	return eventCall(env, event), nil
}
