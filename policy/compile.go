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
	// Diagnose adds vet's advice. It is slow; the hook leaves it off.
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
	units := make([]*Unit, len(files))
	for i, f := range files {
		units[i] = CompileUnit(f)
	}
	return Link(units, o)
}

// Link makes a policy of compiled rule files. What settings say about sets and rules
// is applied here and nowhere else, so that a unit serves any settings.
func Link(units []*Unit, o Options) *Policy {
	c := &compilation{options: o, policy: &Policy{}, owners: map[string]*Set{}}
	for _, u := range units {
		c.unit(u)
	}
	if o.Diagnose {
		c.report(advise(c.policy, o), false)
	}
	return c.policy
}

// compilation is the state of one Link.
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

func (c *compilation) unit(u *Unit) {
	if u.set == nil {
		c.report(u.found, true)
		return
	}
	set := &Set{RuleSet: u.set, Scope: u.scope, Enabled: u.set.DefaultOn, unit: u}
	if c.options.Enabled != nil {
		set.Enabled = c.options.Enabled(u.set, u.scope)
	}
	c.report(u.found, set.Enabled)
	if first, taken := c.owners[u.set.Name]; taken {
		c.report([]Diagnostic{u.set.Diagnostic(Error, codeName, u.set.NamePosition, runeCount(u.set.Name),
			fmt.Sprintf("another rule set is named '%s' (%s): the first one counts", u.set.Name, first.Path))}, true)
		return
	}
	c.owners[u.set.Name] = set
	c.policy.Sets = append(c.policy.Sets, set)
	c.report(u.setFound, set.Enabled)
	if c.options.Action == nil && u.image != nil && !u.image.found {
		return // a hook saves itself the heads
	}
	for i, h := range u.heads {
		if c.options.Action != nil {
			if a := c.options.Action(set.Name, h.name); a != Keep {
				set.setAction(i, a)
			}
		}
		c.report(h.found, set.Enabled && set.action(i, h) != Off)
	}
}

func (s *Set) setAction(rule int, a Action) {
	if s.actions == nil {
		s.actions = map[int]Action{}
	}
	s.actions[rule] = a
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
