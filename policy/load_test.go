package policy

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestLoadReadsEveryFieldWithItsPlace(t *testing.T) {
	set, diagnostics := Load("watches/watch-git.yml", []byte(example))
	if len(diagnostics) != 0 {
		t.Fatal(diagnostics)
	}
	scalar := func(text string, line, column int) *Scalar {
		return &Scalar{Text: text, Position: Position{line, column}}
	}
	want := &RuleSet{
		Path: "watches/watch-git.yml", Name: "watch-git", NamePosition: Position{1, 7}, Description: "mutating git commands", DefaultOn: true,
		Filter: scalar(`\bgit\b`, 4, 9), Extensions: []string{".sh", ".bash"},
		Variables: []Variable{{"pushes", Position{7, 3}, scalar(`input.commands.filter(c, c.runs("git push"))`, 7, 11)}},
		Rules: []*Rule{
			{
				Name: "git push --force", Position: Position{10, 13}, Listed: Block, Target: TargetEverything,
				When:   scalar(`variables.pushes.exists(c, c.has_flag("--force", "-f"))`, 11, 13),
				Reason: "overwrites shared remote history", Suggest: "git push --force-with-lease",
				Ref: "https://git-scm.com/docs/git-push#Documentation/git-push.txt--f",
			},
			{
				Name: "delete everything", Position: Position{15, 13}, Listed: Block, Target: TargetFileContent,
				Pattern: scalar(`rm -rf /(?=\s|$)`, 16, 16), Reason: "deletes the disk",
			},
			{
				Name: "git rm -r", Position: Position{20, 13}, Listed: Ask, Target: TargetBash,
				Pattern: scalar(`\brm\s+(?:-\S+\s+)*-[a-zA-Z]*r`, 21, 16), Except: scalar("^git rm -r /tmp/", 22, 15),
				Unless:      []Exemption{{Scalar: scalar(`input.cwd.startsWith("/scratch/")`, 23, 16)}},
				UnlessRegex: []*Scalar{scalar(`\s/var/tmp/`, 24, 22)}, Reason: "recursively deletes directories",
			},
		},
		Tests: []Test{
			{
				Position: Position{27, 5}, Name: "git push -f origin main", Tool: "Bash", Args: map[string]any{"command": "git push -f origin main"},
				Expect: ExpectBlock, Rule: "git push --force", RulePosition: Position{27, 63},
			},
			{
				Position: Position{28, 5}, Name: `git commit -m "never git push --force"`, Tool: "Bash",
				Args: map[string]any{"command": `git commit -m "never git push --force"`},
			},
			{
				Position: Position{29, 5}, Name: "Write deploy.sh", Tool: "Write",
				Args: map[string]any{"file_path": "deploy.sh", "content": "rm -rf /"}, Expect: ExpectBlock,
			},
		},
	}
	ignore := []cmp.Option{cmpopts.IgnoreUnexported(RuleSet{}, Rule{}, Scalar{})}
	if diff := cmp.Diff(want, set, ignore...); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLoadReadsWhatYAMLAllows(t *testing.T) {
	for name, source := range map[string]string{
		"anchors and aliases": "name: s\nrules:\n  ask:\n    - {name: a, pattern: &p 'ab', reason: &r why}\n    - {name: b, pattern: *p, reason: *r}\n",
		"merge keys":          "name: s\nrules:\n  ask:\n    - &a {name: a, pattern: ab, reason: why}\n    - {<<: *a, name: b}\n",
		"a list of merges":    "name: s\nrules:\n  ask:\n    - &a {name: a, pattern: ab}\n    - {<<: [*a, {reason: why}], name: b}\n",
		"CRLF":                "name: s\r\nrules:\r\n  ask:\r\n    - name: a\r\n      pattern: ab\r\n      reason: why\r\n    - {name: b, pattern: ab, reason: why}\r\n",
		"a byte order mark":   "\uFEFFname: s\nrules: {ask: [{name: a, pattern: ab, reason: why}, {name: b, pattern: ab, reason: why}]}\n",
		"a document marker":   "---\nname: s\nrules: {ask: [{name: a, pattern: ab, reason: why}, {name: b, pattern: ab, reason: why}]}\n...\n",
		"JSON":                `{"name": "s", "rules": {"ask": [{"name": "a", "pattern": "ab", "reason": "why"}, {"name": "b", "pattern": "ab", "reason": "why"}]}}`,
		"empty values":        "name: s\nfilter:\nvariables:\ntests:\nrules:\n  block:\n  ask:\n    - {name: a, pattern: ab, reason: why, unless: , ref: }\n    - {name: b, pattern: ab, reason: why}\n",
		"one string of a list": "name: s\nextensions: .sh\nrules:\n  ask:\n    - {name: a, pattern: ab, reason: why, unless_regex: x, unless: is_recoverable, unless_condition: is_recoverable}\n" +
			"    - {name: b, pattern: ab, reason: why}\n",
		"both ways of on": "name: s\ndefault: on\nrules: {ask: [{name: a, pattern: ab, reason: why}, {name: b, pattern: ab, reason: why}]}\n",
	} {
		set, diagnostics := Load("s.yml", []byte(source))
		if hasFault(diagnostics) || set.Name != "s" || len(set.Rules) != 2 || set.Rules[1].Name != "b" || set.Rules[1].Pattern.Text != "ab" {
			t.Errorf("%s: %v %+v", name, diagnostics, set)
		}
	}
}

func TestTheBaseNameServesAsName(t *testing.T) {
	for path, want := range map[string]string{"a/watch-x.yml": "watch-x", "b.yaml": "b", "c": "c", "d.yml.yml": "d.yml", ".yml": ".yml"} {
		set, diagnostics := Load(path, []byte("rules: {}\n"))
		if set.Name != want || len(diagnostics) != 1 || diagnostics[0].Severity != Error {
			t.Errorf("%s: %s %v", path, set.Name, diagnostics)
		}
	}
}

func TestSetsAreOnUnlessTheySayOff(t *testing.T) {
	for value, want := range map[string]bool{"on": true, "off": false, "true": true, "false": false, "'off'": false, "Off": false, "": true} {
		set, _ := Load("s.yml", []byte("name: s\ndefault: "+value+"\nrules: {}\n"))
		if set.DefaultOn != want {
			t.Errorf("default: %s: %v", value, set.DefaultOn)
		}
	}
}

func TestEntriesOfTestsBecomeCalls(t *testing.T) {
	text := func(s string) *string { return &s }
	for source, want := range map[string]Test{
		`{tool: PowerShell, command: Get-Item, expect: ask, cwd: /a, project_dir: /b, home: /c, env: {A: b}}`: {
			Name: "Get-Item", Tool: "PowerShell", Args: map[string]any{"command": "Get-Item"}, Expect: ExpectAsk,
			Cwd: text("/a"), ProjectDir: text("/b"), Home: text("/c"), Env: map[string]string{"A": "b"},
		},
		`{edit: {path: a/../b.py, old_string: x, new_string: '', replace_all: true, before: xx}, expect: allow, name: own}`: {
			Name: "own", Tool: "Edit", Before: text("xx"),
			Args: map[string]any{"file_path": "a/../b.py", "old_string": "x", "new_string": "", "replace_all": true},
		},
		`{read: {path: .env}, expect: block}`: {Name: "Read .env", Tool: "Read", Args: map[string]any{"file_path": ".env"}, Expect: ExpectBlock},
		`{tool: mcp__a__b, args: {n: 3, list: [1, {x: null}]}, expect: allow}`: {
			Name: "mcp__a__b", Tool: "mcp__a__b", Args: map[string]any{"n": 3.0, "list": []any{1.0, map[string]any{"x": nil}}},
		},
		`{command: x, expect: ask, repo: {root: sub, branch: main, files: {a/b.md: x, c: ''}}}`: {
			Name: "x", Tool: "Bash", Args: map[string]any{"command": "x"}, Expect: ExpectAsk,
			Repo: &TestRepo{Root: "sub", Branch: "main", Files: map[string]string{"a/b.md": "x", "c": ""}},
		},
		`{command: x, expect: ask, repo: {detached: true}}`: {
			Name: "x", Tool: "Bash", Args: map[string]any{"command": "x"}, Expect: ExpectAsk, Repo: &TestRepo{},
		},
		`{tool: Stop, expect: allow}`: {Name: "Stop", Tool: "Stop", Args: map[string]any{}},
	} {
		set, diagnostics := Load("s.yml", []byte("name: s\nrules: {}\ntests:\n  - "+source+"\n"))
		if len(diagnostics) != 0 || len(set.Tests) != 1 {
			t.Errorf("%s: %v", source, diagnostics)
			continue
		}
		if diff := cmp.Diff(want, set.Tests[0], cmpopts.IgnoreFields(Test{}, "Position", "RulePosition")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", source, diff)
		}
	}
}

func TestFaultyEntriesOfTestsAreNamedAndLeftOut(t *testing.T) {
	for source, message := range map[string]string{
		`x`:                                           "must be a mapping",
		`{expect: allow}`:                             "calls nothing",
		`{command: x, expect: blocked}`:               "did you mean 'block'",
		`{command: 3, expect: allow}`:                 "must be a string",
		`{write: {path: x}, expect: ask}`:             "needs 'content'",
		`{write: {file: x}, expect: ask}`:             "unknown key 'file'",
		`{read: x, expect: ask}`:                      "must be a mapping",
		`{args: [1], tool: x, expect: ask}`:           "must be a mapping",
		`{command: x, read: {path: y}, expect: ask}`:  "one call",
		`{tool: Write, read: {path: y}, expect: ask}`: "one call",
		`{args: {a: b}, expect: ask}`:                 "calls nothing",
		`{edit: {path: a, old_string: b, new_string: c, replace_all: maybe}, expect: ask}`: "true or false",
		`{command: x, expect: ask, repo: main}`:                                            "must be a mapping",
		`{command: x, expect: ask, repo: {root: a}}`:                                       "either 'branch' or 'detached: true'",
		`{command: x, expect: ask, repo: {branch: a, detached: true}}`:                     "either 'branch' or 'detached: true'",
		`{command: x, expect: ask, repo: {branch: a, detached: maybe}}`:                    "true or false",
		`{command: x, expect: ask, repo: {branche: a}}`:                                    "did you mean 'branch'",
		`{command: x, expect: ask, repo: {branch: a, files: [b]}}`:                         "must be a mapping",
		`{command: x, expect: ask, repo: {branch: a, files: {../b: c}}}`:                   "no path from the root",
		`{command: x, expect: ask, repo: {branch: a, files: {b: 1}}}`:                      "must be a string",
	} {
		set, diagnostics := Load("s.yml", []byte("name: s\nrules: {}\ntests:\n  - "+source+"\n"))
		if len(diagnostics) == 0 || len(set.Tests) != 0 || hasFault(diagnostics) || !strings.Contains(diagnostics[0].Message, message) {
			t.Errorf("%s: %v %v", source, diagnostics, set.Tests)
		}
	}
}

func TestHostileFilesTakeBoundedTime(t *testing.T) {
	var b strings.Builder
	b.WriteString("name: s\na0: &a0 {a: b}\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&b, "a%d: &a%d {<<: [%s*a%d]}\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 20), i-1)
	}
	start := time.Now()
	if _, diagnostics := Load("s.yml", []byte(b.String()+"rules: *a29\n")); !hasFault(diagnostics) {
		t.Error(diagnostics)
	}
	if _, diagnostics := Load("s.yml", []byte(b.String()+"rules: *a4\n")); !hasFault(diagnostics) {
		t.Error(diagnostics)
	}
	Load("s.yml", []byte("name: s\nrules: &a {<<: *a}\n"))
	Load("s.yml", []byte("name: s\nrules: {ask: &a [*a]}\n"))
	Load("s.yml", []byte("name: s\ntests: [{tool: x, expect: ask, args: &a {b: *a}}]\nrules: {}\n"))
	many := "name: s\nrules: {ask: [" + strings.Repeat("{z: 1, zz: 2}, ", 100_000) + "{name: a, patern: x}]}\n"
	if set, diagnostics := Load("s.yml", []byte(many)); len(diagnostics) > maxFindings+2 || !hasFault(diagnostics) || !set.Rules[0].faulty {
		t.Errorf("%d findings", len(diagnostics))
	}
	if set, _ := Load("s.yml", []byte("name: s\nrules: {}\ntests: ["+strings.Repeat("{z: 1}, ", 100_000)+"]\n")); len(set.Tests) != 0 {
		t.Errorf("%d faulty tests are kept", len(set.Tests))
	}
	Load("s.yml", []byte(strings.Repeat("[", 20_000)))
	Load("s.yml", []byte(strings.Repeat("{a: ", 20_000)))
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %v", took)
	}
}

func FuzzCompile(f *testing.F) {
	f.Add(example)
	f.Add(goodSet)
	f.Add("name: s\nvariables: {a: 'input.x'}\nrules:\n  ask:\n    - {name: a, when: 'variables.b && \"', pattern: '(?=a)b', message: 3}\n")
	f.Add("name: s\nrules:\n  ask:\n    - name: a\n      when: >\n        true ||\n         false\n      unless: [x, 'y)', \"input.command.matches('(')\"]\n")
	f.Add(bothEvents + "tests:\n  - {command: make, changes: [{path: a, operation: x}, {attribution: shared}, b], expect: ask, rule: before}\n  - {command: ls, changes: {a: b}}\n")
	f.Add("name: s\nvariables: {v: input.changes}\nrules:\n  ask:\n    - {name: a, on: [Stop], when: 'variables.v.size() > 0'}\n    - {name: b, on: Post, when: true}\n    - {name: c, pattern: a, message: 'string(variables.v.size())'}\n")
	calls := []*schema.Input{bash("git push -f /tmp", words("git push -f")), over("make /tmp", changed("/r/a", "modify"))}
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 2000 {
			return
		}
		p := Compile([]File{{Path: "f.yml", Source: []byte(source)}}, Options{Diagnose: true})
		for _, d := range p.Diagnostics {
			if strings.Contains(d.Message, "cannot be compiled") || strings.Contains(d.Message, "cannot be read:") {
				t.Fatal(d)
			}
			if d.Line < 0 || d.Width < 1 {
				t.Fatalf("%+v", d)
			}
			d.Snippet()
		}
		for _, s := range p.Sets {
			s.Enabled = true
		}
		for _, in := range calls {
			plain, traced := p.Evaluate(in, EvaluateOptions{}), p.Evaluate(in, EvaluateOptions{Trace: true})
			if len(plain.Blocks) != len(traced.Blocks) || len(plain.Asks) != len(traced.Asks) {
				t.Fatalf("%s: %v\n%v", in.Event, plain, traced)
			}
		}
	})
}

func TestAnErrorOfYAMLPointsAtItsCause(t *testing.T) {
	for _, c := range []struct {
		source  string
		want    Position
		width   int
		message string
	}{
		{"name: x\nrules:\n  block:\n    - name: }\n", Position{4, 13}, 1, "a value cannot begin with }"},
		{"name: x\nrules:\n\tblock: []\n", Position{3, 1}, 1, "a tab in the indentation"},
		{"name: x\ndescription: \"a\\d\"\n", Position{2, 16}, 2, "in double quotes a backslash starts an escape: write the regex in '…'"},
		{"name: x\ndescription: bad: really\n", Position{2, 17}, 1, "a value with ': ' in it must be quoted"},
		{"name: x\ndescription: \"a\" == b\n", Position{2, 18}, 2, "put the whole expression in '…' or use |"},
		{"name: x\nvariables:\n  a: 'b'\n c: 'd'\n", Position{4, 2}, 2, "fits no line above"},
		{"name: x\u2028\nrules: [\n", Position{2, 8}, 1, "the bracket [ is never closed"},
	} {
		_, found := Load("x.yml", []byte(c.source))
		if len(found) == 0 || found[0].Position != c.want || found[0].Width != c.width || found[0].Code != codeYAML || !strings.Contains(found[0].Message, c.message) {
			t.Errorf("%q: %v, want %v", c.source, found, c.want)
		}
	}
}
