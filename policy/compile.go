package policy

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/claudewatch/claudewatch/schema"
)

// Options are what Compile is told besides the files.
type Options struct {
	// Enabled says whether a set is on; nil: what the set's "default" says.
	Enabled func(s *RuleSet, scope Scope) bool
	// Action is what settings make of a rule; nil, and Keep, leave it what it is.
	Action func(set, rule string) Action
	// Diagnose adds vet's advice, and checks the sets and rules that are off. It is
	// slow; the hook leaves it off.
	Diagnose bool
	// Ordinary are everyday calls for the advice about rules that fire on nearly
	// every call; without them it is not given.
	Ordinary []*schema.Input
	// Wrappers are the programs that are taken off the command they run, for the
	// advice about rules that ask for one as if it were the program.
	Wrappers []string
}

// Compile reads, lowers and checks rule files. It never fails: what is wrong with
// a file is in the policy, and what is right with it, and with the others, runs.
func Compile(files []File, o Options) *Policy {
	c := &compilation{options: o, policy: &Policy{}, owners: map[string]*Set{}}
	for _, f := range files {
		c.file(f)
	}
	if o.Diagnose {
		c.report(advise(c.policy, o), false)
	}
	return c.policy
}

// compilation is the state of one Compile.
type compilation struct {
	options Options
	policy  *Policy
	owners  map[string]*Set // the set that has a name
}

// report adds findings; active says whether they concern something that is on.
func (c *compilation) report(found []Diagnostic, active bool) {
	p := c.policy
	p.Diagnostics = append(p.Diagnostics, found...)
	if !active {
		return
	}
	for _, d := range found {
		switch d.Severity {
		case Fault:
			p.faults = append(p.faults, d)
		case Error:
			if d.Code != codeTest { // the hook does not run tests
				p.warnings = append(p.warnings, d)
			}
		}
	}
}

func (c *compilation) file(f File) {
	defer func() {
		// A panic on one file must neither let calls through nor keep the other
		// files from being read.
		if r := recover(); r != nil {
			c.report([]Diagnostic{{
				Path: f.Path, Width: 1, Severity: Fault, Code: codeRead,
				Message: fmt.Sprintf("the rule file cannot be compiled: %v", r),
			}}, true)
		}
	}()
	if f.Err != nil {
		c.report([]Diagnostic{{
			Path: f.Path, Width: 1, Severity: Fault, Code: codeRead,
			Message: fmt.Sprintf("the rule file cannot be read: %v", f.Err),
		}}, true)
		return
	}
	ruleSet, found := Load(f.Path, f.Source)
	set := &Set{RuleSet: ruleSet, Scope: f.Scope, Enabled: ruleSet.DefaultOn}
	if c.options.Enabled != nil {
		set.Enabled = c.options.Enabled(ruleSet, f.Scope)
	}
	c.report(found, set.Enabled)
	if first, taken := c.owners[ruleSet.Name]; taken {
		c.report([]Diagnostic{ruleSet.source.diagnostic(Error, codeName, ruleSet.NamePosition, runeCount(ruleSet.Name),
			fmt.Sprintf("another rule set is named '%s' (%s): the first one counts", ruleSet.Name, first.Path))}, true)
		return
	}
	c.owners[ruleSet.Name] = set
	c.policy.Sets = append(c.policy.Sets, set)
	c.set(set)
}

// set lowers and checks the rules of a set.
func (c *compilation) set(set *Set) {
	check := set.Enabled || c.options.Diagnose
	lowering := newLowering(set.RuleSet)
	c.report(lowering.diagnostics, set.Enabled)
	if check {
		var found []Diagnostic
		set.environment, found = NewEnvironment(set.RuleSet)
		c.report(found, set.Enabled)
		set.variables = newVariables(set)
	}
	found := make([][]Diagnostic, len(set.Rules))
	for _, r := range set.Rules {
		rule := &CompiledRule{Rule: r, Action: r.Listed, set: set}
		if c.options.Action != nil {
			if a := c.options.Action(set.Name, r.Name); a != Keep {
				rule.Action = a
			}
		}
		set.Compiled = append(set.Compiled, rule)
	}
	inParallel(len(set.Rules), func(i int) {
		rule := set.Compiled[i]
		found[i] = c.rule(lowering, rule, check && (rule.Action != Off || c.options.Diagnose))
	})
	for i, rule := range set.Compiled {
		c.report(found[i], set.Enabled && rule.Action != Off)
	}
}

// inParallel calls do with 0 … n-1, on all processors: checking is most of the time
// that a first call after a change of the rules takes.
func inParallel(n int, do func(i int)) {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wait.Wait()
}

// rule lowers one rule and, when asked to, checks it. It runs beside others of its
// set and touches nothing but its rule. A panic becomes a fault of the rule.
func (c *compilation) rule(lowering *lowering, rule *CompiledRule, check bool) (found []Diagnostic) {
	defer func() {
		if r := recover(); r != nil {
			rule.Checked = nil
			found = []Diagnostic{rule.set.source.diagnostic(Fault, codeRead, rule.Position, 1, fmt.Sprintf("the rule cannot be compiled: %v", r))}
		}
	}()
	lowered, found := lowering.rule(rule.Rule)
	if lowered == nil {
		return found
	}
	rule.Expression = lowered.Text
	if check && rule.set.environment != nil {
		found = append(found, c.check(rule, lowered)...)
	}
	return found
}

// check fills in the typed expressions of a rule.
func (c *compilation) check(rule *CompiledRule, lowered *Lowered) []Diagnostic {
	checked, diagnostics := rule.set.environment.Check(lowered)
	rule.Checked = checked
	if rule.Message != nil {
		message, found := rule.set.environment.CheckMessage(rule.Message)
		rule.CheckedMessage = message
		diagnostics = append(diagnostics, found...)
		if message == nil {
			rule.Checked = nil
		}
	}
	return diagnostics
}
