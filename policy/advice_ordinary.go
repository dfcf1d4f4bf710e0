package policy

import (
	"fmt"

	"github.com/claudewatch/claudewatch/schema"
)

const (
	codeOrdinary = "noisy"

	// fewestOrdinary is how many calls of a kind it takes to speak of nearly all.
	fewestOrdinary = 8
	// noisyShare is what share of the everyday calls of a kind is nearly all of them.
	noisyShare = 0.75
)

// adviseOrdinary finds rules that fire on nearly every call of a kind, on calls
// with a command or on the others, and the places at which they fail, each once: said
// are those that advice has spoken of.
func adviseOrdinary(r *CompiledRule, ordinary []*schema.Input, said map[Position]bool) []Diagnostic {
	var all []Diagnostic
	var matched, total [2]int
	for _, in := range ordinary {
		kind := 0
		if in.Effects().Command == "" {
			kind = 1
		}
		total[kind]++
		m, failure := r.tried(in)
		switch {
		case failure != nil && failure.Message == errRuleLimit.Error():
			return nil // the advice about its cost says so
		case failure != nil:
			if !said[failure.Position] {
				said[failure.Position] = true
				all = append(all, r.failureOf(failure).advise("everyday call", in))
			}
		case m:
			matched[kind]++
		}
	}
	for kind, what := range []string{"commands", "calls without a command"} {
		if total[kind] >= fewestOrdinary && float64(matched[kind]) >= noisyShare*float64(total[kind]) {
			return append(all, r.warn(codeOrdinary, fmt.Sprintf("the rule '%s' fires on %d of %d everyday %s: narrow it", r.Name, matched[kind], total[kind], what)))
		}
	}
	return all
}
