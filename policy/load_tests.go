package policy

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/suggest"
	"gopkg.in/yaml.v3"
)

var (
	testKeys = []string{"command", "write", "edit", "read", "tool", "args", "cwd", "project_dir", "home", "env", "repo", "changes", "expect", "rule", "name"}
	repoKeys = []string{"root", "branch", "detached", "files"}

	changeKeys = []string{"path", "operation", "attribution"}
	// What the recorder says of a change; the first of each is that of a test which says
	// nothing of it.
	changeOperations   = []string{"modify", "create", "delete", "type_change"}
	changeAttributions = []string{"only_this_window", "shared", "outside_any_window"}
)

// tests reads the entries of tests:. The hook does not run them, so nothing that
// is wrong with them is a Fault.
func (l *loader) tests(e entry) {
	if e.value.Kind != yaml.SequenceNode {
		l.reportType(Error, e.value, "'tests'", "a list of calls")
		return
	}
	for _, n := range e.value.Content {
		n = resolve(n)
		before := l.findings
		t := &testLoader{loader: l, at: l.source.shown(n.Line, n.Column)}
		t.load(n)
		if l.findings == before {
			l.set.Tests = append(l.set.Tests, t.test)
		}
	}
}

// testedRules reports the tests that name a rule the set does not have, or one that
// does not judge the call.
func (l *loader) testedRules() {
	names := make([]string, len(l.set.Rules))
	for i, r := range l.set.Rules {
		names[i] = r.Name
	}
	for _, t := range l.set.Tests {
		if t.Rule == "" {
			continue
		}
		switch i := slices.Index(names, t.Rule); {
		case i < 0:
			l.report(Error, codeTest, t.RulePosition, runeCount(t.Rule), fmt.Sprintf("the set has no rule '%s'%s", t.Rule, suggest.Hint(t.Rule, names)))
		case l.set.Rules[i].On == t.On:
		case t.On == PostToolUse:
			l.report(Error, codeTest, t.RulePosition, runeCount(t.Rule), fmt.Sprintf("a test with 'changes' is about a call that is over, and the rule '%s' judges calls before that: leave 'changes' out, or add 'on: PostToolUse' to the rule", t.Rule))
		default:
			l.report(Error, codeTest, t.RulePosition, runeCount(t.Rule), fmt.Sprintf("the rule '%s' judges a call that is over: say in 'changes' what the call has changed, [] for nothing", t.Rule))
		}
	}
}

// testLoader reads one entry of tests:.
type testLoader struct {
	*loader
	at     Position
	test   Test
	call   string // the key that says what is called: command, write, edit, read or args
	expect bool
}

func (t *testLoader) load(n *yaml.Node) {
	entries, ok := t.mapping(n, "a test", Error, testKeys...)
	if !ok {
		return
	}
	t.test.Position = t.at
	for _, e := range entries {
		t.key(e)
	}
	if !t.expect {
		t.report(Error, codeTest, t.at, 1, "the test says nothing of what it expects: add 'expect: block', 'ask' or 'allow'")
	}
	switch {
	case (t.call == "" || t.call == "args") && t.test.Tool == "":
		t.report(Error, codeTest, t.at, 1, "the test calls nothing: add 'command', 'write', 'edit', 'read', or 'tool' and 'args'")
	case t.call == "command" && t.test.Tool == "":
		t.test.Tool = "Bash"
	}
	if t.test.Args == nil {
		t.test.Args = map[string]any{}
	}
	if t.test.Name == "" {
		t.test.Name = t.test.title()
	}
}

func (t *testLoader) key(e entry) {
	switch e.name {
	case "command":
		if command, ok := t.text(e, Error); ok {
			t.calls(e, "", map[string]any{"command": command})
		}
	case "write":
		t.fileTool(e, "Write", map[string]string{"path": "file_path", "content": "content"}, []string{"path", "content"})
	case "edit":
		t.fileTool(e, "Edit", map[string]string{"path": "file_path", "old_string": "old_string", "new_string": "new_string", "replace_all": "replace_all", "before": ""}, []string{"path", "old_string", "new_string"})
	case "read":
		t.fileTool(e, "Read", map[string]string{"path": "file_path"}, []string{"path"})
	case "tool":
		t.tool(e)
	case "args":
		t.args(e)
	case "cwd":
		t.test.Cwd = t.textPointer(e)
	case "project_dir":
		t.test.ProjectDir = t.textPointer(e)
	case "home":
		t.test.Home = t.textPointer(e)
	case "env":
		t.test.Env = t.texts(e)
	case "repo":
		t.repo(e)
	case "changes":
		t.changes(e)
	case "expect":
		t.expectation(e)
	case "rule":
		t.test.Rule, _ = t.text(e, Error)
		t.test.RulePosition = t.source.shown(e.value.Line, e.value.Column)
	case "name":
		t.test.Name, _ = t.text(e, Error)
	default:
		t.unknownKey(Error, e, "a test", testKeys)
	}
}

// calls notes what the entry calls; two of them contradict each other.
func (t *testLoader) calls(e entry, tool string, args map[string]any) {
	if t.call != "" || tool != "" && t.test.Tool != "" {
		other := t.call
		if other == "" {
			other = "tool"
		}
		t.reportNode(Error, codeTest, e.key, fmt.Sprintf("a test has one call, '%s' or '%s'", other, e.name))
		return
	}
	t.call = e.name
	t.test.Args = args
	if tool != "" {
		t.test.Tool = tool
	}
}

// fileTool reads the mapping under write, edit or read. keys maps its keys to those of tool_input.
func (t *testLoader) fileTool(e entry, tool string, keys map[string]string, required []string) {
	known := slices.Sorted(maps.Keys(keys))
	entries, ok := t.mapping(e.value, "'"+e.name+"'", Error, known...)
	if !ok {
		return
	}
	args := map[string]any{}
	for _, field := range entries {
		name, found := keys[field.name]
		switch {
		case !found:
			t.unknownKey(Error, field, "'"+e.name+"'", known)
		case field.name == "before":
			t.test.Before = t.textPointer(field)
		case field.name == "replace_all":
			var all bool
			if field.value.Decode(&all) != nil {
				t.reportType(Error, field.value, "'replace_all'", "true or false")
			}
			args[name] = all
		default:
			if text, ok := t.text(field, Error); ok {
				args[name] = text
			}
		}
	}
	for _, key := range required {
		if _, there := args[keys[key]]; !there {
			t.reportNode(Error, codeTest, e.key, fmt.Sprintf("'%s' needs '%s'", e.name, key))
			return
		}
	}
	if old, edits := args["old_string"].(string); edits && t.test.Before != nil && !strings.Contains(*t.test.Before, old) {
		// Such an edit fails, and a test of it would show nothing.
		for _, field := range entries {
			if field.name == "old_string" {
				t.reportNode(Error, codeTest, field.value, "'old_string' is not in 'before'")
			}
		}
	}
	t.calls(e, tool, args)
}

// tool reads the tool's name. With "command" it names which shell tool runs it.
func (t *testLoader) tool(e entry) {
	tool, ok := t.text(e, Error)
	switch {
	case !ok:
	case t.call != "" && t.call != "command" && t.call != "args":
		t.reportNode(Error, codeTest, e.key, fmt.Sprintf("a test has one call, '%s' or 'tool'", t.call))
	default:
		t.test.Tool = tool
	}
}

func (t *testLoader) args(e entry) {
	if e.value.Kind != yaml.MappingNode {
		t.reportType(Error, e.value, "'args'", "a mapping")
		return
	}
	var args map[string]any
	if err := e.value.Decode(&args); err != nil {
		t.reportNode(Error, codeTest, e.value, "'args' cannot be read: "+strings.TrimPrefix(err.Error(), "yaml: "))
		return
	}
	t.calls(e, "", jsonObject(args))
}

// jsonObject brings decoded YAML into the form encoding/json gives: numbers are float64.
func jsonObject(m map[string]any) map[string]any {
	for key, value := range m {
		m[key] = jsonValue(value)
	}
	return m
}

func jsonValue(v any) any {
	switch v := v.(type) {
	case int:
		return float64(v)
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	case []any:
		for i := range v {
			v[i] = jsonValue(v[i])
		}
	case map[string]any:
		return jsonObject(v)
	case nil, string, bool, float64:
	default:
		return fmt.Sprint(v)
	}
	return v
}

// texts reads a mapping of texts.
func (t *testLoader) texts(e entry) map[string]string {
	entries, ok := t.mapping(e.value, "'"+e.name+"'", Error)
	if !ok {
		return nil
	}
	texts := make(map[string]string, len(entries))
	for _, text := range entries {
		texts[text.name], _ = t.text(text, Error)
	}
	return texts
}

// repo reads the repository of a test, which is on a branch or on none.
func (t *testLoader) repo(e entry) {
	entries, ok := t.mapping(e.value, "'repo'", Error, repoKeys...)
	if !ok {
		return
	}
	repo := &TestRepo{}
	detached := false
	for _, field := range entries {
		switch field.name {
		case "root":
			repo.Root, _ = t.text(field, Error)
		case "branch":
			repo.Branch, _ = t.text(field, Error)
		case "detached":
			if field.value.Decode(&detached) != nil {
				t.reportType(Error, field.value, "'detached'", "true or false")
			}
		case "files":
			repo.Files = t.texts(field)
			for _, name := range slices.Sorted(maps.Keys(repo.Files)) {
				if !fs.ValidPath(name) || name == "." {
					t.reportNode(Error, codeTest, field.key, fmt.Sprintf("'%s' is no path from the root of the repository: write it without ., .. and a leading or doubled slash", name))
				}
			}
		default:
			t.unknownKey(Error, field, "'repo'", repoKeys)
		}
	}
	if detached == (repo.Branch != "") {
		t.reportNode(Error, codeTest, e.key, "'repo' needs either 'branch' or 'detached: true'")
	}
	t.test.Repo = repo
}

// changes reads what the call of a test has changed, and makes it one that is over.
func (t *testLoader) changes(e entry) {
	t.test.On = PostToolUse
	if e.value.Kind != yaml.SequenceNode {
		t.reportType(Error, e.value, "'changes'", "a list of changes")
		return
	}
	for _, n := range e.value.Content {
		n = resolve(n)
		entries, ok := t.mapping(n, "an entry of 'changes'", Error, changeKeys...)
		if !ok {
			continue
		}
		change := TestChange{Operation: changeOperations[0], Attribution: changeAttributions[0]}
		for _, field := range entries {
			switch field.name {
			case "path":
				change.Path, _ = t.text(field, Error)
			case "operation":
				change.Operation = t.oneOf(field, changeOperations)
			case "attribution":
				change.Attribution = t.oneOf(field, changeAttributions)
			default:
				t.unknownKey(Error, field, "an entry of 'changes'", changeKeys)
			}
		}
		if change.Path == "" {
			t.reportNode(Error, codeTest, n, "an entry of 'changes' needs 'path'")
		}
		t.test.Changes = append(t.test.Changes, change)
	}
}

// oneOf reads a text that is one of some.
func (t *testLoader) oneOf(e entry, all []string) string {
	text, ok := t.text(e, Error)
	if ok && !slices.Contains(all, text) {
		t.reportNode(Error, codeTest, e.value, fmt.Sprintf("'%s' must be %s or %s%s", e.name,
			strings.Join(all[:len(all)-1], ", "), all[len(all)-1], suggest.Hint(text, all)))
	}
	return text
}

func (t *testLoader) expectation(e entry) {
	t.expect = true
	for _, expectation := range []Expectation{ExpectAllow, ExpectAsk, ExpectBlock} {
		if e.value.Kind == yaml.ScalarNode && e.value.Value == expectation.String() {
			t.test.Expect = expectation
			return
		}
	}
	t.reportNode(Error, codeTest, e.value, fmt.Sprintf("'expect' must be block, ask or allow%s", suggest.Hint(e.value.Value, []string{"block", "ask", "allow"})))
}

func (t *testLoader) textPointer(e entry) *string {
	text, ok := t.text(e, Error)
	if !ok {
		return nil
	}
	return &text
}

// title names a test after its call.
func (t Test) title() string {
	if command, ok := t.Args["command"].(string); ok {
		return command
	}
	if file, ok := t.Args["file_path"].(string); ok {
		return t.Tool + " " + path.Clean(file)
	}
	return t.Tool
}
