package policy

import "slices"

const codeUntested = "untested"

// TestRun is what running one entry of tests: showed.
type TestRun struct {
	Test Test
	// Matched are the names of the set's rules that matched.
	Matched []string
	// Failed is set when the test did not come out as it expects.
	Failed bool
}

// AdviseTests returns advice about the rules of a set that no test fires, or that
// every test fires. The runner of tests calls it with what it ran.
func AdviseTests(s *Set, runs []TestRun) []Diagnostic {
	var all []Diagnostic
	for _, rule := range s.Compiled() {
		if rule.Action == Off || rule.Checked == nil || rule.flawed || slices.ContainsFunc(runs, func(r TestRun) bool { return r.concerns(rule) }) {
			continue // an error comes first
		}
		fires := slices.ContainsFunc(runs, func(r TestRun) bool { return slices.Contains(r.Matched, rule.Name) })
		passes := slices.ContainsFunc(runs, func(r TestRun) bool { return r.Test.On == rule.On && !slices.Contains(r.Matched, rule.Name) })
		with := "an entry with "
		entry := "an entry"
		if rule.On == PostToolUse {
			entry, with = with+"'changes'", with+"'changes' and "
		}
		if !fires {
			all = append(all, rule.warn(codeUntested, "no test fires the rule '"+rule.Name+"': add "+entry+" to 'tests'"))
		}
		if !passes {
			all = append(all, rule.warn(codeUntested, "no test shows a call that the rule '"+rule.Name+"' lets pass: add "+with+"'expect: allow'"))
		}
	}
	return all
}

// concerns reports whether a test failed that a rule should have decided.
func (t TestRun) concerns(r *CompiledRule) bool {
	if !t.Failed || t.Test.Rule != "" {
		return t.Failed && t.Test.Rule == r.Name
	}
	return t.Test.Expect == ExpectBlock && r.Action == Block || t.Test.Expect == ExpectAsk && r.Action == Ask || slices.Contains(t.Matched, r.Name)
}
