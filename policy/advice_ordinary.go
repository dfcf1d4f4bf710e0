package policy

import (
	"fmt"
	"strings"

	"github.com/claudewatch/claudewatch/schema"
)

const (
	codeOrdinary = "noisy"

	// fewestOrdinary is how many calls of a kind it takes to speak of nearly all.
	fewestOrdinary = 8
	// noisyShare is what share of the everyday calls of a kind is nearly all of them.
	noisyShare = 0.75
)

// adviseOrdinary finds rules that fire on nearly every call of a kind: on calls
// with a command, or on the others.
func adviseOrdinary(r *CompiledRule, ordinary []*schema.Input) []Diagnostic {
	var matched, total [2]int
	for _, in := range ordinary {
		kind := 0
		if in.Effects().Command == "" {
			kind = 1
		}
		total[kind]++
		a := &activation{input: schema.InputValue(in), set: r.set}
		m, _, err := r.matches(a, false)
		if err != nil && strings.HasSuffix(err.Error(), errRuleLimit.Error()) {
			return nil // the advice about its cost says so
		}
		if m {
			matched[kind]++
		}
	}
	for kind, what := range []string{"commands", "calls without a command"} {
		if total[kind] >= fewestOrdinary && float64(matched[kind]) >= noisyShare*float64(total[kind]) {
			return []Diagnostic{r.warn(codeOrdinary, fmt.Sprintf("the rule '%s' fires on %d of %d everyday %s: narrow it", r.Name, matched[kind], total[kind], what))}
		}
	}
	return nil
}
