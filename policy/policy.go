package policy

import "sync"

// Scope says who brings a rule file.
type Scope int

const (
	// Shipped: embedded in the binary.
	Shipped Scope = iota
	// User: from $CLAUDEWATCH_HOME/watches.
	User
	// Project: from the project's .claude/claudewatch/watches.
	Project
	// Given: named on the command line.
	Given
)

// String returns the scope's name in lower case.
func (s Scope) String() string { return [...]string{"shipped", "user", "project", "given"}[s] }

// File is one rule file for Compile.
type File struct {
	Path   string
	Scope  Scope
	Source []byte
	// Err says why the file could not be read; it makes the file a fault.
	Err error
}

// Action is what a rule does when it matches.
type Action int

const (
	// Keep leaves a rule what its file says.
	Keep Action = iota
	// Block denies the call.
	Block
	// Ask asks the user.
	Ask
	// Off switches the rule off.
	Off
)

// String returns the action as settings spell it, "" for Keep.
func (a Action) String() string { return [...]string{"", "block", "ask", "off"}[a] }

// Match is one rule that matched, or in a Decision also a fault of a rule file.
type Match struct {
	// Set and Rule name the rule. Rule is "" for a fault.
	Set, Rule string
	// Action is Block or Ask; faults are Block.
	Action Action
	Reason string
	// Suggest says what to do instead, Ref is a URL; "" when the rule has none.
	Suggest, Ref string
	// Path and Position are where the rule or the fault stands.
	Path     string
	Position Position
	// Err is set when the rule counts as matched because its evaluation failed,
	// or when its message could not be computed.
	Err error
}

// Outcome is what the rules say about one call.
type Outcome struct {
	// Over is set when the call has happened, or is none: nothing can be stopped.
	Over bool
	// Blocks and Asks are all rules that matched, in set order, then rule order.
	Blocks, Asks []Match
	// Muted are ask rules that matched as well, and that Mute has taken out of Asks.
	Muted []Match
	// Faults are the faults of the rule files that are on.
	Faults []Diagnostic
	// Compound tells whether the call's command runs more than one command. It is
	// looked up only when an ask rule matches or Trace is set.
	Compound bool
	// Trace holds every rule that was evaluated, when EvaluateOptions.Trace is set.
	Trace []RuleTrace
}

// RuleTrace is how one rule came out.
type RuleTrace struct {
	Set, Rule, Path string
	Position        Position
	Action          Action
	Matched         bool
	// Muted is set by Outcome.Mute: the rule matched, and counts for nothing.
	Muted bool
	// Skipped says why the rule cannot match the call, so that it is not evaluated
	// where no trace is wanted; "" when it can.
	Skipped string
	Parts   []PartTrace
	Err     error
}

// PartTrace is how one part of a rule came out.
type PartTrace struct {
	// Kind is guard, filter, extension, pattern, when, except, unless_regex or unless;
	// "" for a sub-expression.
	Kind string
	// Source is the part as the file spells it, or its CEL text where the file has none.
	Source   string
	Position Position
	// Value is "true", "false", "error: …", "not evaluated", or another value's short form.
	Value string
	// Children are the sub-expressions of a when or unless that were evaluated.
	Children []PartTrace
}

// Policy is a list of rule files, compiled. Evaluate may be called concurrently.
type Policy struct {
	// Sets are the rule sets in the order of the files, those that are off included.
	Sets []*Set
	// Diagnostics are all findings, those of sets that are off included.
	Diagnostics []Diagnostic

	faults, warnings []Diagnostic
}

// Faults returns what denies every call: the faults of the files, sets and rules
// that are on.
func (p *Policy) Faults() []Diagnostic { return p.faults }

// Warnings returns what the hook says on stderr: the findings of severity Error
// of the files, sets and rules that are on, but for those about tests.
func (p *Policy) Warnings() []Diagnostic { return p.warnings }

// Set is one rule set of a policy.
type Set struct {
	*RuleSet
	Scope Scope
	// Enabled is whether the set is evaluated.
	Enabled bool

	unit *Unit
	// actions are what the settings make of rules, by their place in the set.
	actions map[int]Action

	mu       sync.Mutex
	compiled map[int]*CompiledRule // those that somebody has asked for
}

// action is what rule i does, whose head is h.
func (s *Set) action(i int, h *ruleHead) Action {
	if a, ok := s.actions[i]; ok {
		return a
	}
	return h.listed
}

// Compiled returns the rules of the set in its order, those that are off or faulty included.
func (s *Set) Compiled() []*CompiledRule {
	var all []*CompiledRule
	for i, h := range s.unit.heads {
		all = append(all, s.rule(i, h))
	}
	return all
}

// rule returns rule i of the set, whose head is h.
func (s *Set) rule(i int, h *ruleHead) *CompiledRule {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.compiled == nil {
		s.compiled = map[int]*CompiledRule{}
	}
	if s.compiled[i] == nil {
		body := s.unit.body(i, h)
		s.compiled[i] = &CompiledRule{
			Rule: body.rule, Action: s.action(i, h), Expression: body.expression,
			Checked: body.checked, CheckedMessage: body.message, needs: h.needs, set: s,
		}
	}
	return s.compiled[i]
}

// CompiledRule is one rule of a policy.
type CompiledRule struct {
	*Rule
	// Action is what the rule does: what its list says, unless settings say otherwise.
	Action Action
	// Expression is the rule as CEL, "" when a fault stands in the way.
	Expression string
	// Checked is the typed expression; nil when a fault stands in the way.
	Checked *Checked
	// CheckedMessage is the typed message, nil when the rule has none.
	CheckedMessage *Checked

	needs         string // see prefilter.go
	set           *Set
	plain, traced planned
	message       planned
}

// CanMatchAnything reports that the rule has to be evaluated for every call: nothing
// follows from its condition that a call must hold for it to match.
func (r *CompiledRule) CanMatchAnything() bool { return r.needs == "" }

// Runs reports whether Evaluate looks at the rule.
func (r *CompiledRule) Runs() bool {
	return r.set.Enabled && r.Action != Off && r.Checked != nil
}
