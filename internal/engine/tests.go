package engine

import (
	"fmt"

	"github.com/claudewatch/claudewatch/internal/ruletest"
	"github.com/claudewatch/claudewatch/policy"
)

// codeTest is the code of findings about the tests: of rule sets.
const codeTest = "test"

// RunTests runs the tests of the sets that are on and that want accepts.
func (e *Engine) RunTests(want func(*policy.RuleSet, policy.Test) bool) []ruletest.Result {
	var results []ruletest.Result
	for _, s := range e.Policy.Sets {
		if !s.Enabled {
			continue
		}
		for _, t := range s.Tests {
			if want(s.RuleSet, t) {
				results = append(results, ruletest.Run(e.Policy, s.RuleSet, t, e.Settings.Wrappers))
			}
		}
	}
	return results
}

// TestFindings runs all tests and returns an error for each that fails, and
// advice for each rule that no test fires, or whose set has no test without it.
func (e *Engine) TestFindings() []policy.Diagnostic {
	results := e.RunTests(func(*policy.RuleSet, policy.Test) bool { return true })
	var found []policy.Diagnostic
	for _, s := range e.Policy.Sets {
		if !s.Enabled {
			continue
		}
		fired, total := map[string]int{}, 0
		for _, r := range results {
			if r.Path != s.Path {
				continue
			}
			total++
			for _, name := range r.Matched {
				fired[name]++
			}
			if !r.Passed() {
				found = append(found, s.Diagnostic(policy.Error, codeTest, r.Test.Position, 1, r.Problem))
			}
		}
		for _, rule := range s.Compiled {
			switch {
			case !rule.Runs(): // off, or faulty, which is reported
			case fired[rule.Name] == 0:
				found = append(found, s.Diagnostic(policy.Warning, codeTest, rule.Position, len([]rune(rule.Name)),
					fmt.Sprintf("no test fires the rule '%s': add one to tests:", rule.Name)))
			case fired[rule.Name] == total:
				found = append(found, s.Diagnostic(policy.Warning, codeTest, rule.Position, len([]rune(rule.Name)),
					fmt.Sprintf("every test fires the rule '%s': add one that does not", rule.Name)))
			}
		}
	}
	return found
}
