package policy

import "fmt"

// Unit is one rule file compiled whole, the rules that are off included. Nothing in
// it depends on settings; Link makes a policy of units. A unit is compiled from a
// file, or read from an image.
type Unit struct {
	scope Scope
	// set is nil when nothing could be read of the file; found then says why.
	set *RuleSet
	// found are the findings of Load, setFound those about what the rules of the set share.
	found, setFound []Diagnostic
	rules           []unitRule

	environment *Environment
	variables   map[string]*variable

	// transient is set when the outcome may be another one next time: the file could
	// not be read, or compiling panicked. Such a unit is not stored.
	transient bool

	// image is set when the unit was read from an image.
	image *storedUnit
}

// unitRule is one rule of a unit.
type unitRule struct {
	ruleHead
	ruleBody
	// identity is what packing.identity says, "" when the rule is faulty or has a finding.
	identity string
}

// ruleHead is what must be known of a rule to see that it does not match a call.
type ruleHead struct {
	name   string
	listed Action
	on     Event
	// checks is set when the rule has an expression: no fault stands in the way.
	checks bool
	// needs is the condition without which the rule cannot match (prefilter.go), ""
	// when it can match anything.
	needs string
	found []Diagnostic
	// body is where the rule itself lies, for one of an image: an encoded place.
	body string
}

// ruleBody is the rule itself.
type ruleBody struct {
	rule             *Rule
	expression       string
	checked, message *Checked
}

// heads iterates over the rules of the unit. Those of an image are read each time: it
// is done two or three times, and the memory for all of them would take longer.
func (u *Unit) heads(yield func(i int, h *ruleHead) bool) {
	if u.image != nil {
		u.image.heads(yield)
		return
	}
	for i := range u.rules {
		if !yield(i, &u.rules[i].ruleHead) {
			return
		}
	}
}

// body returns rule i, whose head is h.
func (u *Unit) body(i int, h *ruleHead) ruleBody {
	if u.image != nil {
		return u.storedBody(i, h)
	}
	return u.rules[i].ruleBody
}

// Path is the rule file as it was given.
func (u *Unit) Path() string {
	if u.set == nil {
		return u.found[0].Path
	}
	return u.set.Path
}

// CompileUnit reads, lowers and checks one rule file. It never fails: what is wrong
// is in the unit.
func CompileUnit(f File) *Unit { return compileUnit(f, nil, false) }

// CompileUnitToStore is CompileUnit for a unit that will be stored: its expressions are
// kept as an image holds them. What earlier has of rules whose conditions are the same
// is taken from there: a unit of an image that this very program made of another
// version of the file, nil when there is none.
func CompileUnitToStore(f File, earlier *Unit) *Unit { return compileUnit(f, earlier, true) }

func compileUnit(f File, earlier *Unit, store bool) (u *Unit) {
	defer func() {
		// A panic on one file must neither let calls through nor keep the other
		// files from being read.
		if r := recover(); r != nil {
			u = faultyUnit(f, fmt.Sprintf("the rule file cannot be compiled: %v", r))
		}
	}()
	if f.Err != nil {
		return faultyUnit(f, fmt.Sprintf("the rule file cannot be read: %v", f.Err))
	}
	u = &Unit{scope: f.Scope}
	u.set, u.found = Load(f.Path, f.Source)
	lowering := newLowering(u.set)
	environment, found := NewEnvironment(u.set)
	u.environment, u.setFound = environment, append(lowering.diagnostics, found...)
	u.variables = newVariables(environment)
	u.rules = make([]unitRule, len(u.set.Rules))
	var packing *packing
	if store && environment != nil {
		packing = newPacking(u, earlier)
	}
	inParallel(len(u.rules), func(i int) {
		r := &u.rules[i]
		r.rule = u.set.Rules[i]
		r.ruleHead = ruleHead{name: r.rule.Name, listed: r.rule.Listed, on: r.rule.On}
		r.compile(u, lowering, packing)
	})
	return u
}

func faultyUnit(f File, message string) *Unit {
	return &Unit{scope: f.Scope, transient: true, found: []Diagnostic{{
		Path: f.Path, Width: 1, Severity: Fault, Code: codeRead, Message: message,
	}}}
}

// compile lowers and checks one rule, packing nil when it will not be stored. It runs
// beside others of its set and touches nothing but its rule. A panic becomes a fault of
// the rule.
func (r *unitRule) compile(u *Unit, lowering *lowering, packing *packing) {
	defer func() {
		if p := recover(); p != nil {
			r.checked, r.checks = nil, false
			r.found = []Diagnostic{u.set.Diagnostic(Fault, codeRead, r.rule.Position, 1, fmt.Sprintf("the rule cannot be compiled: %v", p))}
		}
	}()
	lowered, found := lowering.rule(r.rule)
	r.found = found
	if lowered == nil {
		return
	}
	r.expression = lowered.Text
	if u.environment == nil {
		return
	}
	if packing != nil {
		r.identity = packing.identity(lowered, r.rule)
		if len(found) == 0 && packing.take(r, lowered, u.environment) {
			return
		}
	}
	r.check(u.environment, lowered)
	if r.checks = r.checked != nil; !r.checks || len(r.found) > 0 {
		r.identity = ""
	}
	if !r.checks {
		return
	}
	r.needs = needs(r.checked, u.variables)
	if packing != nil {
		r.pack(lowered, u.environment)
	}
}

// check checks the expressions of the rule.
func (r *unitRule) check(environment *Environment, lowered *Lowered) {
	checked, found := environment.Check(lowered)
	r.checked, r.found = checked, append(r.found, found...)
	if r.rule.Message != nil {
		r.message, found = environment.CheckMessage(r.rule.Message)
		r.found = append(r.found, found...)
		if r.message == nil {
			r.checked = nil
		}
	}
	r.found = append(r.found, environment.checkEvent(r.rule, r.checked, r.message)...)
}
