package watches_test

import (
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/ruletest"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/claudewatch/claudewatch/watches"
)

// shipped returns all shipped sets, on or off, and nothing of the machine. Diagnose
// asks for vet's advice on them.
func shipped(t *testing.T, diagnose bool) *engine.Engine {
	t.Helper()
	files, err := watches.FS.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	s := engine.Selection{Diagnose: diagnose}
	for _, f := range files {
		s.Only = append(s.Only, strings.TrimSuffix(f.Name(), ".yml"))
	}
	return engine.Open(config.Environment{Home: ruletest.DefaultHome, ClaudewatchHome: t.TempDir()}, s)
}

// TestTheShippedSetsHaveNoFindings leaves out what vet says of a rule's cost: a
// regex over the text of a whole file costs what the file's size makes it cost.
func TestTheShippedSetsHaveNoFindings(t *testing.T) {
	for _, d := range shipped(t, true).Diagnostics() {
		if d.Code != "cost" {
			t.Error(d)
		}
	}
}

func TestTheTestsOfTheShippedSetsPass(t *testing.T) {
	e := shipped(t, false)
	for _, set := range e.RuleSets() {
		if len(set.Tests) == 0 {
			t.Errorf("%s: no tests", set.Path)
		}
		for _, test := range set.Tests {
			if r := ruletest.Run(e.Policy, set, test, nil); !r.Passed() {
				t.Errorf("%s:%d: %s: %s", set.Path, test.Position.Line, test.Name, r.Problem)
			}
		}
	}
}

// TestEveryRuleFiresTwiceInItsTests asks for one test of a rule as it is written
// plainly, and at least one more: in a wrapper, a substitution, another spelling.
func TestEveryRuleFiresTwiceInItsTests(t *testing.T) {
	for _, set := range shipped(t, false).RuleSets() {
		fired := map[string]int{}
		for _, test := range set.Tests {
			fired[test.Rule]++
		}
		for _, rule := range set.Rules {
			if fired[rule.Name] < 2 {
				t.Errorf("%s: %s has %d tests that name it", set.Path, rule.Name, fired[rule.Name])
			}
		}
	}
}

// TestWhatARuleSuggestsPassesSilently judges by all shipped sets that are on with no
// settings. A suggestion that is no shell text is advice or code, and judged by nothing.
func TestWhatARuleSuggestsPassesSilently(t *testing.T) {
	e := engine.Open(config.Environment{Home: ruletest.DefaultHome, ClaudewatchHome: t.TempDir()}, engine.Selection{})
	judged := 0
	for _, set := range e.RuleSets() {
		for _, rule := range set.Rules {
			if rule.Suggest == "" {
				continue
			}
			input := e.Input(call.Call{
				Event: "PreToolUse", Tool: "Bash", Args: map[string]any{"command": rule.Suggest},
				Cwd: ruletest.DefaultCwd, ProjectDir: ruletest.DefaultCwd, Home: ruletest.DefaultHome,
			})
			if !input.Effects().Parsed {
				continue
			}
			judged++
			if _, decision := e.Judge(input, false); decision.Verdict != policy.None {
				t.Errorf("%s: %s suggests %q, which does not pass: %v", set.Path, rule.Name, rule.Suggest, decision.Matches)
			}
		}
	}
	if judged < 100 {
		t.Errorf("only %d suggestions are commands", judged)
	}
}

func TestEveryRuleSaysWhyAndWhereToReadMore(t *testing.T) {
	for _, set := range shipped(t, false).RuleSets() {
		for _, rule := range set.Rules {
			if rule.Reason == "" {
				t.Errorf("%s: %s has no reason", set.Path, rule.Name)
			}
			if !strings.HasPrefix(rule.Ref, "https://") {
				t.Errorf("%s: %s refers to %q", set.Path, rule.Name, rule.Ref)
			}
		}
	}
}
