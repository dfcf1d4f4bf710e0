package doctor

import (
	"context"
	"fmt"
	"os"

	"github.com/claudewatch/claudewatch/internal/changes"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/policy"
)

// maxDetails bounds how many lines a finding has.
const maxDetails = 20

// settings says whether claudewatch's own settings are right, and those of the change
// recorder.
func settings(_ context.Context, m *Machine) []Finding {
	e := m.engine()
	path := e.Settings.Path
	var own []policy.Diagnostic
	for _, d := range e.Diagnostics() {
		if d.Path == path && d.Severity != policy.Warning {
			own = append(own, d)
		}
	}
	const remedy = "an entry that cannot be read is ignored: mend it; claudewatch vet shows the place"
	fine := path + ": valid"
	if _, err := os.Lstat(path); err != nil {
		fine = "there are none, and the defaults count"
	}
	findings := []Finding{judged(own, fine, remedy)}
	recorder := changes.LoadSettings(m.Environment.Changes(), e.Settings, m.Environment)
	if recorder.Path != "" && recorder.Path != path || len(recorder.Diagnostics) > 0 {
		findings = append(findings, judged(recorder.Diagnostics, recorder.Path+": valid", remedy))
	}
	return findings
}

// ruleSets says whether the rule sets are valid that the hook reads.
func ruleSets(_ context.Context, m *Machine) []Finding {
	e := m.engine()
	var wrong []policy.Diagnostic
	for _, d := range e.Diagnostics() {
		if d.Path != e.Settings.Path && d.Severity != policy.Warning {
			wrong = append(wrong, d)
		}
	}
	on := 0
	for _, s := range e.Policy.Sets {
		if s.Enabled {
			on++
		}
	}
	return []Finding{judged(wrong, fmt.Sprintf("%d rule sets, %d of them on, are valid", len(e.Policy.Sets), on), "a rule that cannot be used blocks every call: mend it; claudewatch vet shows the place")}
}

// engine returns the policy in force, compiled anew: nothing is read from or written
// to the cache.
func (m *Machine) engine() *engine.Engine {
	if m.policy == nil {
		m.policy = engine.Open(m.project(), engine.Selection{})
	}
	return m.policy
}

// judged is the finding of diagnostics.
func judged(wrong []policy.Diagnostic, fine, remedy string) Finding {
	if len(wrong) == 0 {
		return Finding{Status: OK, Message: fine}
	}
	f := Finding{Status: Fail, Message: wrong[0].String(), Remedy: remedy}
	for _, d := range wrong[1:min(len(wrong), maxDetails)] {
		f.Details = append(f.Details, d.String())
	}
	if more := len(wrong) - maxDetails; more > 0 {
		f.Details = append(f.Details, fmt.Sprintf("and %d more", more))
	}
	return f
}

// sources are where the rule sets of the user and the project are.
func (m *Machine) sources() *config.Sources {
	return &config.Sources{Environment: m.project(), Settings: m.engine().Settings}
}
