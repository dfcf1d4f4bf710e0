package policy

import (
	"fmt"
	"slices"
)

// Verdict is the answer to a call.
type Verdict int

const (
	// None: nothing to say, the call goes its usual way.
	None Verdict = iota
	// AskVerdict: the user is asked.
	AskVerdict
	// Deny: the call does not happen.
	Deny
	// Inform: the call has happened, and the model is told what the rules say of it.
	Inform
)

// String returns the verdict as explain prints it.
func (v Verdict) String() string { return [...]string{"none", "ask", "deny", "inform"}[v] }

// Decision is the answer to a call with its grounds.
type Decision struct {
	Verdict Verdict
	// Matches are the grounds: faults and blocks of a deny, asks of an ask and of an
	// ask that became a deny, blocks and asks of what the model is told.
	Matches []Match
	// Muted are ask rules that matched and that the user has silenced: they are no grounds.
	Muted []Match
	// Note is a sentence to add, "" for none.
	Note string
}

// CompoundNote tells what to do about an ask that became a deny.
const CompoundNote = "The command runs more than one command, so it cannot be confirmed as a whole: run the guarded command alone."

// Decide combines an outcome into a decision. compoundAsk is what an ask becomes
// when the command is compound: AskVerdict, or anything else for Deny.
//
// After a call, what a rule would do makes no difference: all that match inform. Faults
// say nothing then, they have denied the call before.
func Decide(o *Outcome, compoundAsk Verdict) Decision {
	d := withoutMuted(o, compoundAsk)
	d.Muted = o.Muted
	return d
}

func withoutMuted(o *Outcome, compoundAsk Verdict) Decision {
	switch {
	case o.Over && len(o.Blocks)+len(o.Asks) == 0:
		return Decision{}
	case o.Over:
		return Decision{Verdict: Inform, Matches: slices.Concat(o.Blocks, o.Asks)}
	case len(o.Faults) > 0 || len(o.Blocks) > 0:
		d := Decision{Verdict: Deny}
		for _, fault := range o.Faults {
			d.Matches = append(d.Matches, faultMatch(fault))
		}
		d.Matches = append(d.Matches, o.Blocks...)
		return d
	case len(o.Asks) == 0:
		return Decision{}
	case o.Compound && compoundAsk != AskVerdict:
		return Decision{Verdict: Deny, Matches: o.Asks, Note: CompoundNote}
	}
	return Decision{Verdict: AskVerdict, Matches: o.Asks}
}

// faultMatch is a fault as a ground of a deny. A fault without a place is about a
// path, or about what the command line says.
func faultMatch(d Diagnostic) Match {
	m := Match{Set: baseName(d.Path), Action: Block, Reason: d.String(), Path: d.Path, Position: d.Position}
	switch {
	case d.IsZero() && d.Path == m.Set:
		m.Reason = fmt.Sprintf("%s [%s]", d.Message, d.Code) // the set says the rest
	case !d.IsZero():
		m.Reason = "the rule file has a fault: " + m.Reason
		m.Suggest = "mend it; `claudewatch vet` shows the place"
	}
	return m
}
