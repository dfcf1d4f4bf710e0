package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/claudewatch/claudewatch/internal/suggest"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// refuseSlips makes a command and those below it say what is wrong with their words
// and options, and what was probably meant.
func refuseSlips(cmd *cobra.Command) {
	if cmd.Name() == "help" {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || !about.HasSubCommands() {
				return err
			}
			return knownCommand(about, rest)
		}
	} else if cmd.HasSubCommands() {
		cmd.Args = knownCommand
		if !cmd.Runnable() {
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	} else if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error { return argumentError(cmd, args, check(cmd, args)) }
	}
	for _, c := range cmd.Commands() {
		refuseSlips(c)
	}
}

// knownCommand refuses the name of a command that there is not.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unknown command %q for %q%s; %s --help lists them", args[0], cmd.CommandPath(), suggest.Hint(args[0], commandNames(cmd)), cmd.CommandPath())
}

func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return names
}

// argumentError says in this program's words what cobra says of the number of
// arguments; other errors are those of the command.
func argumentError(cmd *cobra.Command, args []string, err error) error {
	if err == nil {
		return nil
	}
	_, name, _ := strings.Cut(cmd.CommandPath(), " ")
	switch text := err.Error(); {
	case strings.HasPrefix(text, "unknown command "):
		return fmt.Errorf("%s takes no arguments, and '%s' is one; %s --help shows how it is used", name, args[0], cmd.CommandPath())
	case strings.HasPrefix(text, "accepts "), strings.HasPrefix(text, "requires "):
		return fmt.Errorf("%s is used as: %s", name, strings.TrimSuffix(cmd.UseLine(), " [flags]"))
	}
	return err
}

// optionError says in this program's words what is wrong with an option.
func optionError(cmd *cobra.Command, err error) error {
	return fmt.Errorf("%w; %s --help lists the options", optionProblem(cmd, err), cmd.CommandPath())
}

// orQuote makes the errors about options end with how the command is used: a command or
// the name of a rule may stand there without its quotes.
func orQuote(use error) func(*cobra.Command, error) error {
	return func(cmd *cobra.Command, err error) error { return fmt.Errorf("%w; %w", optionProblem(cmd, err), use) }
}

func optionProblem(cmd *cobra.Command, err error) error {
	var missing *pflag.NotExistError
	var without *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	var malformed *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &missing):
		written := "--" + missing.GetSpecifiedName()
		if letters := missing.GetSpecifiedShortnames(); letters != "" {
			written = "-" + letters
		}
		return fmt.Errorf("unknown option %s for %q%s", written, cmd.CommandPath(), optionHint(cmd, strings.TrimLeft(written, "-")))
	case errors.As(err, &without) && without.GetSpecifiedShortnames() != "":
		return fmt.Errorf("-%s needs a value", without.GetSpecifiedName())
	case errors.As(err, &without):
		return fmt.Errorf("--%s needs a value", without.GetSpecifiedName())
	case errors.As(err, &invalid):
		return invalidValue(invalid)
	case errors.As(err, &malformed):
		return fmt.Errorf("'%s' is no option", malformed.GetSpecifiedFlag())
	}
	return err
}

// optionHint names the option that was probably meant, or the command.
func optionHint(cmd *cobra.Command, name string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if len([]rune(name)) > 1 {
		if nearest := suggest.Nearest(name, names); nearest != "" {
			return " (did you mean '--" + nearest + "'?)"
		}
		if nearest := suggest.Nearest(name, commandNames(cmd)); nearest != "" {
			return " (did you mean '" + cmd.CommandPath() + " " + nearest + "'?)"
		}
	}
	return ""
}

func invalidValue(err *pflag.InvalidValueError) error {
	flag := err.GetFlag()
	name := "--" + flag.Name
	if flag.Shorthand != "" {
		name = "-" + flag.Shorthand
	}
	wants := map[string]string{
		"int":      "takes a number, not",
		"duration": "takes a duration such as 10s, not",
		"bool":     "is given alone, or as " + name + "=false, not with",
	}[flag.Value.Type()]
	if wants == "" {
		return fmt.Errorf("%s: %w", name, err.Unwrap())
	}
	return fmt.Errorf("%s %s '%s'", name, wants, err.GetValue())
}

// refuseEmptyOptions refuses options of text that are given without any, as of a
// variable that is not set: they would mean everything.
func refuseEmptyOptions(cmd *cobra.Command, _ []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && f.Value.Type() == "string" && f.Value.String() == "" {
			err = fmt.Errorf("--%s: the value is empty; give one, or leave --%s out", f.Name, f.Name)
		}
	})
	return err
}
