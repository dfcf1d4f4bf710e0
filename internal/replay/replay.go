// Package replay judges the tool calls of past sessions by the policy of today,
// and tells what it, or another policy beside it, would do differently.
//
// What a rule asks of the file system it gets from the file system of today. The
// one exception is the file behind an edit, which today holds other text than it
// did then: an edit is judged by its new text alone.
package replay

import (
	"cmp"
	"errors"
	"slices"

	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/transcript"
	"github.com/claudewatch/claudewatch/policy"
)

// Replay judges calls and counts. The zero value of its counts is ready.
type Replay struct {
	// Before is the policy that the verdicts change from; nil stands for what the
	// transcripts record.
	Before *engine.Engine
	// After is the policy that they change to.
	After *engine.Engine

	// Calls counts the calls that were judged, Changed those whose verdict changes.
	Calls, Changed int

	verdicts map[[2]policy.Verdict]int
	rules    map[string]*RuleCount
}

// Change is a call whose verdict changes.
type Change struct {
	Call          *transcript.Call
	Before, After policy.Decision
}

// VerdictCount is how many calls went from one verdict to another, or kept it.
type VerdictCount struct {
	Before, After policy.Verdict
	Calls         int
}

// RuleCount is how many calls a rule matched. Before is 0 when the calls are
// compared with the record, which does not tell rules.
type RuleCount struct {
	Set, Rule     string
	Before, After int
}

// Judge judges one call and reports whether its verdict changes.
func (r *Replay) Judge(c *transcript.Call) (Change, bool) {
	if r.verdicts == nil {
		r.verdicts, r.rules = map[[2]policy.Verdict]int{}, map[string]*RuleCount{}
	}
	change := Change{Call: c}
	if r.Before == nil {
		change.Before = recorded(c)
	} else {
		change.Before = r.decide(r.Before, c, func(n *RuleCount) { n.Before++ })
	}
	change.After = r.decide(r.After, c, func(n *RuleCount) { n.After++ })
	r.Calls++
	r.verdicts[[2]policy.Verdict{change.Before.Verdict, change.After.Verdict}]++
	changed := change.Before.Verdict != change.After.Verdict
	if changed {
		r.Changed++
	}
	return change, changed
}

// Verdicts returns the counts of verdicts, those that change first, then by number.
func (r *Replay) Verdicts() []VerdictCount {
	counts := make([]VerdictCount, 0, len(r.verdicts))
	for v, n := range r.verdicts {
		counts = append(counts, VerdictCount{v[0], v[1], n})
	}
	kept := func(v VerdictCount) int {
		if v.Before == v.After {
			return 1
		}
		return 0
	}
	slices.SortFunc(counts, func(a, b VerdictCount) int {
		return cmp.Or(kept(a)-kept(b), b.Calls-a.Calls, int(a.Before-b.Before), int(a.After-b.After))
	})
	return counts
}

// Rules returns the counts of the rules that matched a call, by set and name.
func (r *Replay) Rules() []RuleCount {
	counts := make([]RuleCount, 0, len(r.rules))
	for _, n := range r.rules {
		counts = append(counts, *n)
	}
	slices.SortFunc(counts, func(a, b RuleCount) int {
		return cmp.Or(cmp.Compare(a.Set, b.Set), cmp.Compare(a.Rule, b.Rule))
	})
	return counts
}

// decide judges a call by a policy and counts the rules that matched, each once.
func (r *Replay) decide(e *engine.Engine, c *transcript.Call, count func(*RuleCount)) policy.Decision {
	outcome, decision := e.Judge(e.Input(callOf(e, c)), false)
	for _, m := range slices.Concat(outcome.Blocks, outcome.Asks) {
		key := m.Set + "/" + m.Rule
		if r.rules[key] == nil {
			r.rules[key] = &RuleCount{Set: m.Set, Rule: m.Rule}
		}
		count(r.rules[key])
	}
	return decision
}

// errThen is why the file behind an edit is not read.
var errThen = errors.New("the file is not what it was at the call")

// callOf is the call as it was made then.
func callOf(e *engine.Engine, c *transcript.Call) call.Call {
	event := c.Event()
	return call.Call{
		Event: event.HookEventName, Tool: c.Tool, Args: c.Input,
		Cwd: c.Cwd, ProjectDir: c.ProjectDir, Home: e.Environment.Home,
		SessionID: c.Session, ToolUseID: c.ID, AgentID: c.Agent, PermissionMode: c.PermissionMode,
		ReadFile: func(string) ([]byte, error) { return nil, errThen },
	}
}

// recorded is what a transcript tells about the verdict then. Whether the user was
// asked it does not tell: a call that was not blocked counts as let through.
func recorded(c *transcript.Call) policy.Decision {
	block, ok := transcript.Blocked(c.Result)
	if !ok {
		return policy.Decision{}
	}
	return policy.Decision{Verdict: policy.Deny, Matches: []policy.Match{{Set: "recorded", Action: policy.Block, Reason: block.Text}}}
}
