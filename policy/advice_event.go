package policy

import (
	"fmt"

	"github.com/claudewatch/claudewatch/schema"
)

// adviseEvent finds names of events that a rule never sees: it judges calls before
// they happen, or after.
func adviseEvent(r *CompiledRule) []Diagnostic {
	var all []Diagnostic
	for _, t := range r.Checked.comparedTexts() {
		if t.member || t.text == "" || !r.Checked.isField(t.operand, schema.InputType, "event") {
			continue
		}
		event, judged := eventOf(t.text)
		if judged && event == r.On {
			continue
		}
		message := fmt.Sprintf("a rule on %s never sees the event %q", r.On, t.text)
		if judged {
			message += fmt.Sprintf(": add 'on: %s' to the rule, or leave the comparison out", event)
		}
		all = append(all, r.Checked.advise(codeNever, t.literal, message)...)
	}
	return all
}
