package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/changes"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/report"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/spf13/cobra"
)

func newVet(std streams, env config.Environment) *cobra.Command {
	var strict, printCEL bool
	var format string
	cmd := &cobra.Command{
		Use:   "vet [PATH…]",
		Short: "Check rule files and settings, and run the tests of the rules",
		Long: `vet checks rule files (those of the paths, or all that the hook reads, and then
the settings too) and runs their tests. It exits with 1 when there are errors;
with --strict also when there is advice.`,
		RunE: func(_ *cobra.Command, paths []string) error {
			if !slices.Contains(report.Formats, format) {
				return fmt.Errorf("unknown format %q: use one of %s", format, strings.Join(report.Formats, ", "))
			}
			e := engine.Open(inProject(env), engine.Selection{Paths: paths, Diagnose: true})
			if err := noRuleFiles(e, paths); err != nil {
				return err
			}
			if printCEL {
				printExpressions(std.out, e.Policy)
			}
			findings := slices.Concat(e.Diagnostics(), e.TestFindings())
			if len(paths) == 0 {
				findings = append(findings, changes.LoadSettings(env.Changes(), e.Settings, env).Diagnostics...)
			} else {
				findings = slices.DeleteFunc(findings, func(d policy.Diagnostic) bool { return d.Path == e.Settings.Path })
			}
			findings = report.Sort(findings)
			if err := report.Write(std.out, format, findings, buildVersion()); err != nil {
				return err
			}
			errors, advice := count(findings)
			if format == "text" {
				fmt.Fprintln(std.out, summary(errors, advice, len(e.Policy.Sets)))
			}
			sayNamesOfSets(std, env, paths, "vet", showSet)
			if errors > 0 || strict && advice > 0 {
				return exitStatus(exitFindings)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "fail on advice too")
	cmd.Flags().BoolVar(&printCEL, "print-cel", false, "print the CEL expression that each rule becomes")
	cmd.Flags().StringVar(&format, "format", report.Formats[0], "format of the findings: "+strings.Join(report.Formats, ", "))
	return cmd
}

func count(findings []policy.Diagnostic) (errors, advice int) {
	for _, d := range findings {
		if d.Severity == policy.Warning {
			advice++
		} else {
			errors++
		}
	}
	return errors, advice
}

// summary is the last line of vet: "1 error and 2 pieces of advice in 3 rule sets".
func summary(errors, advice, sets int) string {
	var parts []string
	if errors > 0 {
		parts = append(parts, plural(errors, "error"))
	}
	switch {
	case advice == 1:
		parts = append(parts, "1 piece of advice")
	case advice > 1:
		parts = append(parts, fmt.Sprintf("%d pieces of advice", advice))
	}
	if len(parts) == 0 {
		parts = []string{"no findings"}
	}
	return strings.Join(parts, " and ") + " in " + plural(sets, "rule set")
}

// printExpressions prints the expression of every rule, as comments with its place
// and the CEL text.
func printExpressions(w io.Writer, p *policy.Policy) {
	for _, s := range p.Sets {
		for _, r := range s.Compiled() {
			fmt.Fprintf(w, "// %s:%s %s/%s (%s)\n%s\n\n", s.Path, r.Position, s.Name, r.Name, r.Action, strings.TrimSpace(r.Expression))
		}
	}
}
