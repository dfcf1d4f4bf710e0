package engine

import (
	"slices"

	"github.com/claudewatch/claudewatch/internal/ruletest"
	"github.com/claudewatch/claudewatch/policy"
)

// codeTest is the code of findings about the tests: of rule sets.
const codeTest = "test"

// asWritten returns the policy without what the settings make of single rules: the
// tests of a set are about the set as its file says.
func (e *Engine) asWritten() *policy.Policy {
	switch {
	case len(e.Settings.Rules) == 0:
		return e.Policy
	case e.written == nil:
		e.written = policy.Compile(e.sources.Files(), policy.Options{Enabled: e.sources.Enabled})
	}
	return e.written
}

// RunTests runs the tests of the sets that are on and that want accepts, whatever
// the settings make of single rules.
func (e *Engine) RunTests(want func(*policy.RuleSet, policy.Test) bool) []ruletest.Result {
	var results []ruletest.Result
	p := e.asWritten()
	for _, s := range p.Sets {
		if !s.Enabled {
			continue
		}
		for _, t := range s.Tests {
			if want(s.RuleSet, t) {
				results = append(results, ruletest.Run(p, s.RuleSet, t, e.Settings.Wrappers))
			}
		}
	}
	return results
}

// TestFindings runs all tests and returns an error for each that fails, and advice
// about rules that the tests of their set do not cover. Of a set with a fault it says
// nothing: what its tests come to tells no more than the fault.
func (e *Engine) TestFindings() []policy.Diagnostic {
	var found []policy.Diagnostic
	p := e.asWritten()
	for _, s := range p.Sets {
		if !s.Enabled || slices.ContainsFunc(p.Diagnostics, func(d policy.Diagnostic) bool { return d.Severity == policy.Fault && d.Path == s.Path }) {
			continue
		}
		var runs []policy.TestRun
		for _, t := range s.Tests {
			r := ruletest.Run(p, s.RuleSet, t, e.Settings.Wrappers)
			runs = append(runs, policy.TestRun{Test: t, Matched: r.Matched, Failed: !r.Passed()})
			if !r.Passed() {
				found = append(found, s.Diagnostic(policy.Error, codeTest, t.Position, 1, r.Problem))
			}
		}
		found = append(found, policy.AdviseTests(s, runs)...)
	}
	return found
}
