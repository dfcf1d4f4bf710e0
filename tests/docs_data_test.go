package tests

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"sync"

	"github.com/claudewatch/claudewatch/hooks"
	"github.com/claudewatch/claudewatch/internal/changes"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/ruletest"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

// yaml finds out what a block of YAML is by its keys, and lets the program read it.
func (r *pageRunner) yaml(b block) {
	var document any
	if err := yaml.Unmarshal([]byte(b.text), &document); err != nil {
		r.t.Errorf("%s: %v", b, err)
		return
	}
	keys, _ := document.(map[string]any)
	rules, _ := keys["rules"].(map[string]any)
	_, isChanges := keys["roots"]
	switch {
	case b.markers[markerUnfinished] != "":
		r.data++ // what vet says of it stands below it
	case keys["name"] != nil || rules["block"] != nil || rules["ask"] != nil:
		r.ruleSets++
		r.ruleSet(b, keys)
	case isChanges:
		r.settings++
		directory := r.t.TempDir()
		writeFile(r.t, filepath.Join(directory, "settings.yaml"), b.text)
		r.noProblem(b, changes.LoadSettings(directory, nil, config.Environment{}).Diagnostics)
	case len(keys) > 0:
		r.settings++
		r.settingsOfClaudewatch(b)
	default:
		r.t.Errorf("%s: neither a rule set nor settings", b)
	}
}

func (r *pageRunner) noProblem(b block, diagnostics []policy.Diagnostic) {
	r.t.Helper()
	for _, d := range diagnostics {
		r.t.Errorf("%s: %s\n%s", b, d, d.Snippet())
	}
}

// ruleSet holds an example to what vet --strict asks, and runs its tests.
func (r *pageRunner) ruleSet(b block, document map[string]any) {
	if err := schemaOfRules().Validate(document); err != nil {
		r.t.Errorf("%s: %v", b, err)
	}
	name, _ := document["name"].(string)
	file := policy.File{Path: name + ".yml", Scope: policy.Given, Source: []byte(b.text)}
	p := policy.Compile([]policy.File{file}, policy.Options{Diagnose: true})
	r.noProblem(b, p.Diagnostics)
	if len(p.Sets) != 1 || len(p.Sets[0].Tests) == 0 {
		r.t.Errorf("%s: an example is one rule set with tests", b)
		return
	}
	set := p.Sets[0].RuleSet
	for _, test := range set.Tests {
		if result := ruletest.Run(p, set, test, nil); !result.Passed() {
			r.t.Errorf("%s:%d: %s: %s", b.page, b.line-1+test.Position.Line, test.Name, result.Problem)
		}
	}
}

// schemaOfRules is the JSON Schema that editors use.
var schemaOfRules = sync.OnceValue(func() *jsonschema.Schema {
	return jsonschema.NewCompiler().MustCompile(filepath.Join("..", "schema", "watch.schema.json"))
})

// settingsOfClaudewatch reads settings as the program does: also the names of sets and
// rules in them must be there.
func (r *pageRunner) settingsOfClaudewatch(b block) {
	home := r.t.TempDir()
	writeFile(r.t, filepath.Join(home, "settings.yaml"), b.text)
	e := engine.Open(config.Environment{ClaudewatchHome: home}, engine.Selection{})
	r.noProblem(b, e.Diagnostics())
}

// json parses a block, and an event also as the hook does.
func (r *pageRunner) json(b block) {
	r.data++
	var document any
	if err := json.Unmarshal([]byte(b.text), &document); err != nil {
		r.t.Errorf("%s: %v", b, err)
		return
	}
	if strings.Contains(b.text, `"hook_event_name"`) {
		if _, err := hooks.Decode([]byte(b.text)); err != nil {
			r.t.Errorf("%s: %v", b, err)
		}
	}
}

// cel evaluates an expression over an empty call.
func (r *pageRunner) cel(b block) {
	r.expressions++
	value, diagnostics := policy.EvaluateExpression(b.text, &schema.Input{})
	r.noProblem(b, diagnostics)
	if value == nil && len(diagnostics) == 0 {
		r.t.Errorf("%s: no value", b)
	}
}
