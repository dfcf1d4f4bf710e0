package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/doctor"
	"github.com/fatih/color"
	"github.com/spf13/cobra"
)

func newDoctor(std streams, env config.Environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the installation",
		Long: `doctor finds the hook command in the settings of Claude Code, those of the user
and of the project, and runs the corpus of the guards against it as it stands
there. It exits with 1 when something is wrong, and says what to do.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			corpora, err := loadCorpora(nil)
			if err != nil {
				return err
			}
			directory, err := os.Getwd()
			if err != nil {
				directory = ""
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			findings := doctor.Run(ctx, &doctor.Machine{
				Environment: env, Directory: directory, Corpora: corpora, Progress: barOn(std.err, "hook corpus"),
			})
			if asJSON {
				if err := writeJSON(std.out, findings); err != nil {
					return err
				}
			} else {
				printFindings(std.out, findings)
			}
			if slices.ContainsFunc(findings, func(f doctor.Finding) bool { return !f.OK }) {
				return exitStatus(exitFindings)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printFindings(w io.Writer, findings []doctor.Finding) {
	for _, f := range findings {
		line := color.RedString
		if f.OK {
			line = color.GreenString
		}
		fmt.Fprintf(w, "%s\n", line("%s: %s", f.Check, f.Message))
		for _, d := range f.Details {
			fmt.Fprintln(w, indent(wrap(d, 100), "  "))
		}
		if f.Remedy != "" {
			fmt.Fprintf(w, "  → %s\n", f.Remedy)
		}
	}
}
