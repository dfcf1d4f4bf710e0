// Package docs_test keeps the documentation true: every rule set that it shows is
// compiled and its tests are run.
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

// pages are the pages that show rule sets, with the least number of them: a
// pattern that finds nothing must not pass.
var pages = map[string]int{"../README.md": 1, "writing-rules.md": 11}

func TestEveryExampleCompilesAndPassesItsTests(t *testing.T) {
	for page, minimum := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		examples := 0
		for _, block := range yamlBlock.FindAllSubmatch(text, -1) {
			name := setName.FindSubmatch(block[1])
			if name == nil {
				continue // settings, or a part of a rule set
			}
			examples++
			t.Run(string(name[1]), func(t *testing.T) { runExample(t, string(name[1])+".yml", block[1]) })
		}
		if examples < minimum {
			t.Errorf("%s: %d examples, want at least %d", page, examples, minimum)
		}
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
