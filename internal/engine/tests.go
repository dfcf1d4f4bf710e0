package engine

import (
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

// TestFindings runs all tests and returns an error for each that fails, and advice
// about rules that the tests of their set do not cover.
func (e *Engine) TestFindings() []policy.Diagnostic {
	var found []policy.Diagnostic
	for _, s := range e.Policy.Sets {
		if !s.Enabled {
			continue
		}
		var runs []policy.TestRun
		for _, t := range s.Tests {
			r := ruletest.Run(e.Policy, s.RuleSet, t, e.Settings.Wrappers)
			runs = append(runs, policy.TestRun{Test: t, Matched: r.Matched})
			if !r.Passed() {
				found = append(found, s.Diagnostic(policy.Error, codeTest, t.Position, 1, r.Problem))
			}
		}
		found = append(found, policy.AdviseTests(s, runs)...)
	}
	return found
}
