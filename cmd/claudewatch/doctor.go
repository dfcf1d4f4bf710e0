package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/doctor"
	"github.com/claudewatch/claudewatch/internal/safetext"
	"github.com/fatih/color"
	"github.com/spf13/cobra"
)

func newDoctor(std streams, env config.Environment) *cobra.Command {
	var asJSON, trust bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the installation",
		Long: `doctor finds the hooks in the settings of Claude Code (managed, of the user, of the
project) and in plugins, and checks what they run, for which events, and with what
time; it runs the installed command on calls with known answers and on the corpus of
the guards; and it checks settings, rule sets, logs and records. Each line begins with
ok, warn or fail, and says what to do. It exits with 1 when a check fails. Nothing is
written outside of temporary folders.`,
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
			executable, err := os.Executable()
			if err != nil {
				executable = ""
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			findings := doctor.Run(ctx, &doctor.Machine{
				Environment: env, Directory: directory, Executable: executable, Version: buildVersion(), TrustProject: trust,
				Corpora: corpora, Progress: barOn(std.err, "hook corpus"),
			})
			if asJSON {
				if err := writeJSON(std.out, findings); err != nil {
					return err
				}
			} else {
				printFindings(std.out, findings)
			}
			for _, f := range findings {
				if f.Status == doctor.Fail {
					return exitStatus(exitFindings)
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&trust, "trust-project", false, "also run hook commands that the project itself brings")
	return cmd
}

func printFindings(w io.Writer, findings []doctor.Finding) {
	paint := map[doctor.Status]func(format string, a ...any) string{
		doctor.OK: color.GreenString, doctor.Warn: color.YellowString, doctor.Fail: color.RedString,
	}
	count := map[doctor.Status]int{}
	for _, f := range findings {
		count[f.Status]++
		fmt.Fprintf(w, "%s %s: %s\n", paint[f.Status]("%-4s", f.Status), f.Check, safetext.Line(f.Message, 0))
		for _, d := range f.Details {
			fmt.Fprintln(w, indent(wrap(safetext.Line(d, 0), 100), "       "))
		}
		if f.Remedy != "" {
			fmt.Fprintf(w, "     → %s\n", safetext.Line(f.Remedy, 0))
		}
	}
	fmt.Fprintf(w, "%d ok, %s, %s\n", count[doctor.OK], plural(count[doctor.Warn], "warning"), plural(count[doctor.Fail], "failure"))
}
