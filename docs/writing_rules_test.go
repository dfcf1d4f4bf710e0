// Package docs_test keeps the documentation true: every rule set that
// writing-rules.md shows is compiled and its tests are run.
package docs_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/claudewatch/claudewatch/internal/ruletest"
	"github.com/claudewatch/claudewatch/policy"
)

var (
	yamlBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")
	setName   = regexp.MustCompile(`(?m)^name: (\S+)$`)
)

// minimumExamples guards against a pattern that finds nothing.
const minimumExamples = 10

func TestEveryExampleCompilesAndPassesItsTests(t *testing.T) {
	text, err := os.ReadFile("writing-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := yamlBlock.FindAllSubmatch(text, -1)
	if len(blocks) < minimumExamples {
		t.Fatalf("%d examples, want at least %d", len(blocks), minimumExamples)
	}
	for _, block := range blocks {
		name := setName.FindSubmatch(block[1])
		if name == nil {
			t.Errorf("an example without a name:\n%s", block[1])
			continue
		}
		t.Run(string(name[1]), func(t *testing.T) { runExample(t, string(name[1])+".yml", block[1]) })
	}
}

func runExample(t *testing.T, path string, source []byte) {
	p := policy.Compile([]policy.File{{Path: path, Scope: policy.Given, Source: source}}, policy.Options{Diagnose: true})
	for _, d := range p.Diagnostics {
		t.Errorf("%s\n%s", d, d.Snippet())
	}
	if len(p.Sets) != 1 || len(p.Sets[0].Tests) == 0 {
		t.Fatal("an example is one rule set with tests")
	}
	set := p.Sets[0].RuleSet
	for _, test := range set.Tests {
		if r := ruletest.Run(p, set, test, nil); !r.Passed() {
			t.Errorf("%s:%d %s: %s", path, test.Position.Line, test.Name, r.Problem)
		}
	}
}
