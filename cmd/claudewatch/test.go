package main

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/report"
	"github.com/claudewatch/claudewatch/internal/ruletest"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/spf13/cobra"
)

func newTest(std streams, env config.Environment) *cobra.Command {
	var pattern string
	var verbose, asJSON bool
	cmd := &cobra.Command{
		Use:   "test [PATH…]",
		Short: "Run the tests of rule sets",
		Long: `test runs the entries of "tests:" in rule sets: those of the paths, or of every
set that the hook reads. A failure is shown with how each rule came out.`,
		RunE: func(_ *cobra.Command, paths []string) error {
			matches, err := regexp.Compile(pattern)
			if err != nil {
				return fmt.Errorf("--run: %w", err)
			}
			e := engine.Open(inProject(env), engine.Selection{Paths: paths})
			if faults := e.Faults(); len(faults) > 0 {
				if err := report.Write(std.out, "text", report.Sort(faults), ""); err != nil {
					return err
				}
				sayNamesOfSets(std, env, paths, "test", func(set string) string {
					return fmt.Sprintf("for the tests of the set: claudewatch test --run '^%s$'", regexp.QuoteMeta(set))
				})
				return exitStatus(exitFindings)
			}
			if err := noRuleFiles(e, paths); err != nil {
				return err
			}
			results := e.RunTests(func(set *policy.RuleSet, t policy.Test) bool {
				return matches.MatchString(set.Name) || matches.MatchString(t.Rule) || matches.MatchString(t.Name)
			})
			if len(results) == 0 && pattern != "" {
				fmt.Fprintf(std.err, "claudewatch: no test has a set, rule or call that --run '%s' matches\n", oneLine(pattern))
			}
			return printResults(std.out, results, verbose, asJSON)
		},
	}
	cmd.Flags().StringVar(&pattern, "run", "", "run the tests whose set, rule or call matches this regex")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "also print the tests that pass")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a test")
	return cmd
}

func printResults(w io.Writer, results []ruletest.Result, verbose, asJSON bool) error {
	failed, set := 0, ""
	for _, r := range results {
		if !r.Passed() {
			failed++
		}
		switch {
		case asJSON:
			if err := printResultJSON(w, r); err != nil {
				return err
			}
			continue
		case !r.Passed():
			printFailure(w, r)
			continue
		case !verbose:
			continue
		case set != r.Path:
			set = r.Path
			fmt.Fprintf(w, "=== %s (%s)\n", r.Set, r.Path)
		}
		fmt.Fprintf(w, "ok   %s:%d  %s  %s\n", r.Path, r.Test.Position.Line, r.Test.Expect, oneLine(r.Test.Name))
	}
	if !asJSON {
		fmt.Fprintf(w, "%d passed, %d failed\n", len(results)-failed, failed)
	}
	if failed > 0 {
		return exitStatus(exitFindings)
	}
	return nil
}

// printFailure prints a failed test and how the rules came out that decided it or
// could have.
func printFailure(w io.Writer, r ruletest.Result) {
	fmt.Fprintf(w, "FAIL %s:%d  %s\n     %s\n", r.Path, r.Test.Position.Line, oneLine(r.Test.Name), r.Problem)
	for _, t := range tracesOfFailure(r) {
		printRule(w, t, "     ")
	}
}

// maxNearest is how many rules a failure shows of which none is known to be meant.
const maxNearest = 10

// tracesOfFailure are the rules that matched, that the test names, or whose condition
// held. When there are none, all of the action that the test expects may be meant;
// of many, those with a part that held.
func tracesOfFailure(r ruletest.Result) []policy.RuleTrace {
	var shown, meant, nearest []policy.RuleTrace
	for _, t := range r.Trace {
		if t.Matched || t.Rule == r.Test.Rule || couldMatch(t) {
			shown = append(shown, t)
		}
		if t.Action.String() == r.Test.Expect.String() {
			meant = append(meant, t)
			if partlyHeld(t) {
				nearest = append(nearest, t)
			}
		}
	}
	switch {
	case len(shown) > 0:
		return shown
	case len(meant) > maxNearest:
		return nearest[:min(len(nearest), maxNearest)]
	}
	return meant
}

func printResultJSON(w io.Writer, r ruletest.Result) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(struct {
		Path    string   `json:"path"`
		Line    int      `json:"line"`
		Set     string   `json:"set"`
		Name    string   `json:"name"`
		Expect  string   `json:"expect"`
		Got     string   `json:"got"`
		Matched []string `json:"matched"`
		Passed  bool     `json:"passed"`
		Problem string   `json:"problem,omitempty"`
	}{r.Path, r.Test.Position.Line, r.Set, r.Test.Name, r.Test.Expect.String(), r.Got.String(), append([]string{}, r.Matched...), r.Passed(), r.Problem})
}
