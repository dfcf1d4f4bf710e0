package schema_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/go-cmp/cmp"
	reflected "github.com/invopop/jsonschema"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

var update = flag.Bool("update", false, "write the JSON Schema of rule files")

const schemaFile = "watch.schema.json"

// schemaURL is where the schema is published; rule files name it to editors.
const schemaURL = "https://raw.githubusercontent.com/claudewatch/claudewatch/main/schema/watch.schema.json"

func TestTheSchemaOfRuleFilesIsUpToDate(t *testing.T) {
	want := generateSchema(t)
	if *update {
		if err := os.WriteFile(schemaFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is not what rulefile.go says; run go generate (-want +got):\n%s", schemaFile, diff)
	}
}

// generateSchema returns the JSON Schema of schema.RuleFile.
func generateSchema(t *testing.T) []byte {
	t.Helper()
	reflector := &reflected.Reflector{Anonymous: true, ExpandedStruct: true, Mapper: mapType}
	if err := reflector.AddGoComments(reflect.TypeFor[schema.RuleFile]().PkgPath(), ".", reflected.WithFullComment()); err != nil {
		t.Fatal(err)
	}
	for name, comment := range reflector.CommentMap {
		reflector.CommentMap[name] = strings.ReplaceAll(comment, "\n", " ")
	}
	s := reflector.Reflect(schema.RuleFile{})
	s.ID = schemaURL
	s.Title = "claudewatch rule set"
	variables, _ := s.Properties.Get("variables")
	variables.PropertyNames = &reflected.Schema{Pattern: "^[A-Za-z_][A-Za-z0-9_]*$"}
	for _, name := range []string{"BlockRule", "AskRule"} {
		s.Definitions[name].AllOf = []*reflected.Schema{
			{AnyOf: []*reflected.Schema{requires("pattern"), requires("when")}},
			{AnyOf: []*reflected.Schema{requires("reason"), requires("message")}},
		}
	}
	constrainCalls(s.Definitions["RuleTest"])
	s.Definitions["RuleTestRepo"].OneOf = []*reflected.Schema{requires("branch"), requires("detached")}

	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(s); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// mapType gives the types that have more than one form in YAML.
func mapType(t reflect.Type) *reflected.Schema {
	switch t {
	case reflect.TypeFor[schema.Texts]():
		return &reflected.Schema{OneOf: []*reflected.Schema{
			{Type: "string"},
			{Type: "array", Items: &reflected.Schema{Type: "string"}},
		}}
	case reflect.TypeFor[schema.Switch]():
		return &reflected.Schema{Enum: []any{"on", "off", true, false}}
	}
	return nil
}

func requires(properties ...string) *reflected.Schema {
	return &reflected.Schema{Required: properties}
}

// constrainCalls says that a test has exactly one call.
func constrainCalls(test *reflected.Schema) {
	command := requires("command")
	command.Properties = reflected.NewProperties()
	command.Properties.Set("tool", &reflected.Schema{Enum: []any{"Bash", "Monitor", "PowerShell"}})
	tool := requires("tool")
	tool.Not = requires("command")
	test.OneOf = []*reflected.Schema{command, requires("write"), requires("edit"), requires("read"), tool}
	args := requires("tool")
	args.Not = requires("command")
	test.DependentSchemas = map[string]*reflected.Schema{"args": args}
}

// validate judges a rule file by the committed schema.
func validate(t *testing.T, file string) error {
	t.Helper()
	var document any
	if err := yaml.Unmarshal([]byte(file), &document); err != nil {
		t.Fatalf("%v in\n%s", err, file)
	}
	compiled, err := jsonschema.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return compiled.Validate(document)
}

const completeFile = `
name: watch-git
description: mutating git commands
default: on
filter: '\bgit\b'
extensions: ['.sh', '.bash']
variables:
  pushes: input.commands.filter(c, c.runs("git push"))
rules:
  block:
    - name: git push --force
      when: variables.pushes.exists(c, c.has_flag("--force", "-f"))
      reason: overwrites shared remote history
      suggest: git push --force-with-lease
      ref: https://git-scm.com/docs/git-push
  ask:
    - name: generated
      on: PostToolUse
      when: input.changes.size() > 0
      reason: changes generated files
    - name: rm -r
      on: PreToolUse
      pattern: '\brm\s+-r'
      target: bash
      except: '^rm -r /tmp/'
      unless: [is_in_project_tree, 'input.cwd.startsWith("/scratch/")']
      unless_condition: is_recoverable
      unless_regex: ['\s/var/tmp/']
      reason: recursively deletes directories
tests:
  - {command: 'git push -f origin main', expect: block, rule: git push --force}
  - {command: 'rm -r x', tool: PowerShell, cwd: /w, project_dir: /w, home: /home/dev, env: {A: b}, expect: ask}
  - {write: {path: deploy.sh, content: 'rm -rf /'}, expect: block}
  - {edit: {path: a.sh, old_string: a, new_string: b, replace_all: true, before: aa}, expect: allow}
  - {read: {path: a.sh}, expect: allow, name: reading}
  - {command: git commit, repo: {root: sub, branch: main, files: {src/a.go: package a}}, expect: ask}
  - {command: git commit, repo: {detached: true}, expect: ask}
  - {command: make, changes: [{path: a}, {path: b, operation: create, attribution: shared}], expect: ask, rule: generated}
  - {command: make, changes: [], expect: allow}
  - {tool: WebFetch, args: {url: 'https://example.org', n: 1}, expect: allow}
`

func TestTheSchemaAcceptsRuleFiles(t *testing.T) {
	for name, file := range map[string]string{
		"complete": completeFile,
		"smallest": "name: a\nrules: {}\n",
		"off":      "name: a\ndefault: off\nrules: {block: [{name: x, when: 'true', message: '\"text\"'}]}\n",
		"boolean":  "name: a\ndefault: false\nextensions: .py\nrules: {ask: [{name: x, pattern: x, when: 'true', reason: r}]}\n",
	} {
		if err := validate(t, file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheSchemaRefuses(t *testing.T) {
	rule := func(rule string) string { return "name: a\nrules: {ask: [" + rule + "]}\n" }
	block := func(rule string) string { return "name: a\nrules: {block: [" + rule + "]}\n" }
	test := func(test string) string { return "name: a\nrules: {}\ntests: [" + test + "]\n" }
	for name, file := range map[string]string{
		"a list":                    "- name: a\n",
		"no name":                   "rules: {}\n",
		"no rules":                  "name: a\n",
		"an unknown key":            "name: a\nrules: {}\nrulez: {}\n",
		"an unknown list":           "name: a\nrules: {deny: []}\n",
		"an unknown default":        "name: a\nrules: {}\ndefault: maybe\n",
		"a variable that is a list": "name: a\nrules: {}\nvariables: {x: [a]}\n",
		"a variable with a dash":    "name: a\nrules: {}\nvariables: {a-b: 'true'}\n",
		"a rule without name":       rule(`{pattern: x, reason: r}`),
		"a rule without pattern":    rule(`{name: x, reason: r}`),
		"a rule without reason":     rule(`{name: x, pattern: x}`),
		"a misspelt key":            rule(`{name: x, patern: x, reason: r}`),
		"an empty pattern":          rule(`{name: x, pattern: '', reason: r}`),
		"a bad target":              rule(`{name: x, pattern: x, target: file, reason: r}`),
		"an unknown event":          rule(`{name: x, on: Stop, pattern: x, reason: r}`),
		"unless of a number":        rule(`{name: x, pattern: x, reason: r, unless: 1}`),
		"unless on a block rule":    block(`{name: x, pattern: x, reason: r, unless: is_recoverable}`),
		"except on a block rule":    block(`{name: x, pattern: x, reason: r, except: y}`),
		"a test without a call":     test(`{expect: ask}`),
		"a test without expect":     test(`{command: x}`),
		"a bad expectation":         test(`{command: x, expect: deny}`),
		"two calls":                 test(`{command: x, read: {path: a}, expect: ask}`),
		"a call and a tool":         test(`{tool: Write, write: {path: a, content: b}, expect: ask}`),
		"a command of another tool": test(`{tool: Read, command: x, expect: ask}`),
		"args without a tool":       test(`{args: {}, expect: ask}`),
		"args and a command":        test(`{tool: Bash, command: x, args: {}, expect: ask}`),
		"a write without content":   test(`{write: {path: a}, expect: ask}`),
		"an edit with content":      test(`{edit: {path: a, content: b}, expect: ask}`),
		"a repository of no branch": test(`{command: x, repo: {root: a}, expect: ask}`),
		"a repository of two":       test(`{command: x, repo: {branch: a, detached: true}, expect: ask}`),
		"a change without path":     test(`{command: x, changes: [{operation: modify}], expect: ask}`),
		"an unknown operation":      test(`{command: x, changes: [{path: a, operation: write}], expect: ask}`),
		"an unknown attribution":    test(`{command: x, changes: [{path: a, attribution: mine}], expect: ask}`),
		"changes that are a path":   test(`{command: x, changes: a, expect: ask}`),
		"a repository with a url":   test(`{command: x, repo: {branch: a, url: b}, expect: ask}`),
	} {
		if validate(t, file) == nil {
			t.Errorf("%s: accepted\n%s", name, file)
		}
	}
}

func TestEveryPropertyOfTheSchemaHasHelp(t *testing.T) {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	type object struct {
		Properties map[string]struct{ Description string }
	}
	var root struct {
		object
		Definitions map[string]object `json:"$defs"`
	}
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	objects := root.Definitions
	objects["RuleFile"] = root.object
	for name, o := range objects {
		if len(o.Properties) == 0 {
			t.Errorf("%s has no properties", name)
		}
		for property, p := range o.Properties {
			if p.Description == "" {
				t.Errorf("%s.%s has no description", name, property)
			}
		}
	}
}

func TestTheSchemaAcceptsTheShippedRuleSets(t *testing.T) {
	files, err := filepath.Glob("../watches/*.yml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(t, string(text)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if first, _, _ := strings.Cut(string(text), "\n"); first != "# yaml-language-server: $schema="+schemaURL {
			t.Errorf("%s: the first line does not name the schema to editors: %q", file, first)
		}
	}
	if len(files) < 15 {
		t.Errorf("only %d rule sets", len(files))
	}
}
