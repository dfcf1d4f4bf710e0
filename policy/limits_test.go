package policy

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/schema"
)

// A rule of a project must not switch off the guards of the others by running
// until the hook is given up on.
func TestARuleThatNeverEndsIsAMatchInTime(t *testing.T) {
	const list = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
	loops := "true"
	for _, name := range strings.Fields("a b c d e f g h i j k l") {
		loops = list + ".all(" + name + ", " + loops + ")"
	}
	slow := func(name, field, value string) File {
		return File{Path: name + ".yml", Source: []byte("name: " + name + "\n" + field + value + "\n    - {name: fast, when: 'input.tool == \"Bash\"', reason: r}\n")}
	}
	p := Compile([]File{
		slow("condition", "rules:\n  ask:\n    - {name: slow, reason: r, when: '", loops+"'}"),
		slow("variable", "variables:\n  v: '"+loops+"'\n", "rules:\n  ask:\n    - {name: slow, reason: r, when: variables.v}"),
		slow("exemption", "rules:\n  ask:\n    - {name: slow, reason: r, when: 'input.tool == \"Bash\"', unless: ['", loops+"']}"),
	}, Options{})
	if len(p.Diagnostics) > 0 {
		t.Fatal(p.Diagnostics)
	}
	start := time.Now()
	outcome := p.Evaluate(&schema.Input{Tool: "Bash"}, EvaluateOptions{})
	if took := time.Since(start); took > time.Minute {
		t.Errorf("it took %v", took)
	}
	if len(outcome.Asks) != 6 {
		t.Errorf("%d rules match, want all 6: %v", len(outcome.Asks), outcome.Asks)
	}
	for _, m := range outcome.Asks {
		if (m.Err != nil) != (m.Rule == "slow") {
			t.Errorf("%s/%s: error %v", m.Set, m.Rule, m.Err)
		}
	}
}

func TestVariablesThatDoubleEachOtherEndInAnError(t *testing.T) {
	var b strings.Builder
	b.WriteString("name: doubling\nvariables:\n  v0: '\"aaaaaaaaaaaaaaaa\"'\n")
	for i := range 40 {
		fmt.Fprintf(&b, "  v%d: variables.v%d + variables.v%d\n", i+1, i, i)
	}
	b.WriteString("rules:\n  ask:\n    - {name: last, reason: r, when: variables.v40 == \"\"}\n")
	p := Compile([]File{{Path: "doubling.yml", Source: []byte(b.String())}}, Options{})
	outcome := p.Evaluate(&schema.Input{Tool: "Bash"}, EvaluateOptions{})
	// On a busy machine the time may be up before the size is reached.
	if len(outcome.Asks) != 1 || outcome.Asks[0].Err == nil ||
		!strings.Contains(outcome.Asks[0].Err.Error(), "larger than") && !strings.Contains(outcome.Asks[0].Err.Error(), errRuleLimit.Error()) {
		t.Errorf("%v, %v", p.Diagnostics, outcome.Asks)
	}
}
