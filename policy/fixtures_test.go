package policy_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/policy"
	"github.com/claudewatch/claudewatch/schema"
)

// fixtureCase is the part of a case of claudewatch.jsonl that concerns rule files.
type fixtureCase struct {
	ID    string `json:"id"`
	Event struct {
		Tool string         `json:"tool_name"`
		Args map[string]any `json:"tool_input"`
	} `json:"event"`
	Expect string `json:"expect"`
	Setup  struct {
		RulesFile *struct{ Name, Content string } `json:"rules_file"`
	} `json:"setup"`
}

// fixtureCases reads the cases with a rule file of their own, and skips the test
// when the cases are not there.
func fixtureCases(t *testing.T) []fixtureCase {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "shared", "cases", "claudewatch.jsonl"))
	if err != nil {
		t.Skip("no case files: ", err)
	}
	defer file.Close()
	var cases []fixtureCase
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c fixtureCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if c.Setup.RulesFile != nil {
			cases = append(cases, c)
		}
	}
	return cases
}

// textInput is a call as far as its text tells: what patterns see.
func textInput(tool string, args map[string]any) *schema.Input {
	in := &schema.Input{Tool: tool, Args: args}
	text := func(key string) string { s, _ := args[key].(string); return s }
	effects := &schema.Effects{Parsed: true, Command: strings.TrimRight(text("command"), "\n")}
	in.Path = text("file_path")
	in.Extension = strings.ToLower(filepath.Ext(in.Path))
	if tool == "Write" || tool == "Edit" {
		effects.Scripts = []*schema.Script{{Content: text("content") + text("new_string"), Extension: in.Extension, Source: "file"}}
	}
	in.ReadEffects = func() *schema.Effects { return effects }
	return in
}

func TestFixtureRuleFilesDecideAsTheirCasesExpect(t *testing.T) {
	verdicts := map[string]policy.Verdict{"allow": policy.None, "ask": policy.AskVerdict, "deny": policy.Deny}
	for _, c := range fixtureCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			rules := c.Setup.RulesFile
			p := policy.Compile([]policy.File{{Path: rules.Name, Scope: policy.Given, Source: []byte(rules.Content)}}, policy.Options{})
			if strings.Contains(rules.Content, "unless_condition") && c.Expect != "deny" {
				// The verdict depends on the parsed command; the rule file must be sound.
				if len(p.Faults()) > 0 {
					t.Fatal(p.Faults())
				}
				return
			}
			got := policy.Decide(p.Evaluate(textInput(c.Event.Tool, c.Event.Args), policy.EvaluateOptions{}), policy.Deny)
			if got.Verdict != verdicts[c.Expect] {
				t.Errorf("%v, want %s\n%v", got, c.Expect, p.Diagnostics)
			}
		})
	}
}
