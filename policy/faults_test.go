package policy

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// goodSet is a second rule file beside a faulty one: its rule must still run.
const goodSet = `name: good
rules:
  block:
    - {name: shred, when: 'input.commands.exists(c, c.runs("shred"))', reason: cannot be undone, ref: 'https://x'}
`

// TestFaultsInRuleFiles holds every row of the fault table against what the hook
// does (deny, or warn and work on), what vet says, and where it points.
func TestFaultsInRuleFiles(t *testing.T) {
	rule := func(fields string) string {
		return "name: bad\nrules:\n  ask:\n    - name: first\n      reason: r\n" + fields + "    - {name: other, pattern: 'mkfs', reason: r}\n"
	}
	for _, test := range []struct {
		name, source string
		severity     Severity
		code         string
		culprit      string // what the diagnostic points at
		message      string
		lost         bool // the file's other rules do not run
	}{
		// not YAML
		{"not YAML", "name: bad\nrules: [\n", Fault, codeYAML, "", "not YAML", true},
		{"bad indentation", "name: bad\n  rules: x\n", Fault, codeYAML, "", "not YAML", true},
		{"a tab as indentation", "name: bad\nrules:\n\task: []\n", Fault, codeYAML, "\task", "tab", true},
		{"an unknown alias", "name: bad\nrules: *nothing\n", Fault, codeYAML, "*nothing", "&nothing", true},
		{"a control character", "name: bad\ndescription: \"a\x01b\"\n", Fault, codeYAML, "\x01", "U+0001", true},
		{"not UTF-8", "name: bad\ndescription: a\xff\n", Fault, codeYAML, "", "UTF-8", true},
		{"UTF-16", "\xff\xfen\x00a\x00", Fault, codeYAML, "", "UTF-8", true},
		{"an empty file", "", Fault, codeYAML, "", "empty", true},
		{"only a comment", "# nothing\n", Fault, codeYAML, "# nothing", "empty", true},
		{"two documents", "name: bad\nrules: {}\n---\nname: b\n", Fault, codeYAML, "", "second document", true},
		{"too large", "name: bad\n#" + strings.Repeat("x", MaxFileSize), Fault, codeRead, "", "bytes", true},
		// wrong type
		{"a list for a set", "- a\n", Fault, codeType, "- a", "must be a mapping", true},
		{"a string for rules", "name: bad\nrules: none\n", Fault, codeType, "none", "'rules' must be a mapping", true},
		{"no rules", "name: bad\nruls: {}\n", Fault, codeType, "name", "no rules", true},
		{"a misspelt list of rules", "name: bad\nrules:\n  blok: []\n", Fault, codeKey, "blok", "did you mean 'block'", true},
		{"a list of an unknown action", "name: bad\nrules:\n  deny: []\n", Fault, codeKey, "deny", "unknown key 'deny' in 'rules': the rules stand in 'block' or 'ask'", true},
		{"a list of rules beside 'rules'", "name: bad\nrules:\nask:\n  - {name: x, pattern: x, reason: r}\n", Fault, codeKey, "ask", "'ask' belongs to 'rules': write 'rules:' and, indented below it, 'ask:'", true},
		{"a list for rules", "name: bad\nrules:\n- {name: x, pattern: x, reason: r}\n", Fault, codeType, "- {name", "write 'block:' or 'ask:' below 'rules:'", true},
		{"a mapping for a list of rules", "name: bad\nrules:\n  ask: {name: x}\n", Fault, codeType, "{name", "must be a list", true},
		{"a number for a pattern", rule("      pattern: 12\n"), Fault, codeType, "12", "put it in quotes", false},
		{"a list for a pattern", rule("      pattern: [a]\n"), Fault, codeType, "[a]", "must be a string", false},
		{"a string for a rule", "name: bad\nrules:\n  ask:\n    - first\n    - {name: other, pattern: 'mkfs', reason: r}\n", Fault, codeType, "first", "a rule must be a mapping", false},
		{"a mapping in unless", rule("      pattern: x\n      unless: [{a: b}]\n"), Fault, codeType, "{a: b}", "must be a string", false},
		{"a bad default", "default: maybe\nname: bad\nrules: {ask: [{name: other, pattern: 'mkfs', reason: r}]}\n", Fault, codeType, "maybe", "on or off", false},
		{"a repeated key", rule("      pattern: a\n      pattern: b\n"), Fault, codeKey, "pattern", "twice", false},
		{"a bad name of a variable", "variables: {a-b: 'true'}\nname: bad\nrules: {ask: [{name: other, pattern: 'mkfs', reason: r}]}\n", Fault, codeName, "a-b", "cannot be named", false},
		// rules that cannot work
		{"neither pattern nor when", rule("      ref: x\n"), Fault, codePattern, "first", "neither", false},
		{"an empty pattern and no when", rule("      pattern: ''\n"), Fault, codePattern, "first", "neither", false},
		{"a bad regex", rule("      pattern: 'a[b'\n"), Fault, codeRegex, "[b", "missing closing ]", false},
		{"lookaround without an equal", rule("      pattern: 'git (?!log)x'\n"), Fault, codeRegex, "(?!log)", "negative lookahead", false},
		{"a bad regex in except", rule("      pattern: 'a'\n      except: 'a('\n"), Fault, codeRegex, "(", "missing closing )", false},
		{"a bad regex in unless_regex", rule("      pattern: 'a'\n      unless_regex: ['x', 'y(?<=z)']\n"), Fault, codeRegex, "(?<=z)", "lookbehind", false},
		{"a bad filter", "filter: '[x'\n" + rule("      when: 'true'\n"), Fault, codeRegex, "[x", "missing closing ]", true},
		{"a bad target", rule("      pattern: a\n      target: bsh\n"), Fault, codeTarget, "bsh", "did you mean 'bash'", false},
		{"an unknown event", rule("      pattern: a\n      on: PostToolUze\n"), Fault, codeEvent, "PostToolUze", "unknown event 'PostToolUze' (did you mean 'PostToolUse'?)", false},
		{"an event that no rule judges", rule("      pattern: a\n      on: Stop\n"), Fault, codeEvent, "Stop", "a rule is on PreToolUse, before the call, or on PostToolUse", false},
		{"an event that is a list", rule("      pattern: a\n      on: [PostToolUse]\n"), Fault, codeType, "[PostToolUse]", "'on' must be a string", false},
		{"an unknown field", rule("      when: input.comand == ''\n"), Fault, codeCEL, "comand", "did you mean 'command'", false},
		{"a when that is no bool", rule("      when: input.command\n"), Fault, codeCEL, "input.command", "must be of type bool, not string", false},
		{"an unless that is no bool", rule("      pattern: a\n      unless: ['input.cwd + \"x\"']\n"), Fault, codeCEL, "input.cwd", "must be of type bool", false},
		{"a message that is no string", rule("      pattern: a\n      message: 'input.commands'\n"), Fault, codeCEL, "input.commands", "must be of type string", false},
		{"a regex in CEL", rule("      when: input.command.matches(\"a\\\\s(b\")\n"), Fault, codeRegex, "(b", "missing closing )", false},
		{"a syntax error", rule("      when: input.tool == 'x' and true\n"), Fault, codeCEL, "and", "write &&", false},
		{"a closing parenthesis too many", rule("      when: 'true) || (true'\n"), Fault, codeCEL, ")", "closes nothing", false},
		{"an unknown predicate", rule("      pattern: a\n      unless: [is_in_projct_tree]\n"), Fault, codePredicate, "is_in_projct_tree", "did you mean 'is_in_project_tree'", false},
		{"an unknown predicate, older spelling", rule("      pattern: a\n      unless_condition: [nothing]\n"), Fault, codePredicate, "nothing", "unknown predicate", false},
		{"an expression in unless_condition", rule("      pattern: a\n      unless_condition: ['input.cwd == \"\"']\n"), Fault, codePredicate, "input.cwd", "names of predicates only", false},
		{"a faulty variable", "variables: {v: input.x}\n" + rule("      when: variables.v\n"), Fault, codeCEL, "x}", "undefined field 'x'", false},
		// the rule still works
		{"changes before a call", rule("      when: 'input.changes.size() > 0'\n"), Error, codeEvent, "changes", "add 'on: PostToolUse' to the rule", false},
		{"changes before a call, in an exemption", rule("      pattern: a\n      unless: ['input.changes.exists(c, c.path == \"/\")']\n"), Error, codeEvent, "changes", "always empty before a call", false},
		{"changes before a call, in a message", rule("      pattern: a\n      message: '\"n\" + string(input.changes.size())'\n"), Error, codeEvent, "changes", "always empty before a call", false},
		{"changes before a call, of a variable", "variables: {v: input.changes, w: variables.v}\n" + rule("      when: variables.w.size() > 0\n"), Error, codeEvent, "w.size", "'variables.w' looks at 'input.changes'", false},
		{"an unknown key of a set", "descripton: x\n" + rule("      pattern: a\n"), Error, codeKey, "descripton", "did you mean 'description'", false},
		{"an unknown key of a rule", rule("      pattern: a\n      patern: b\n"), Error, codeKey, "patern", "did you mean 'pattern'", false},
		{"the key of another tool", rule("      pattern: a\n      condition: a\n"), Error, codeKey, "condition", "did you mean 'when'", false},
		{"what other tools say in a rule", rule("      pattern: a\n      severity: high\n"), Error, codeKey, "severity", "the list that a rule stands in", false},
		{"an unknown key without a value", rule("      pattern: a\n      patern:\n"), Error, codeKey, "patern", "did you mean 'pattern'", false},
		{"except on a block rule", strings.Replace(rule("      pattern: a\n      except: 'x('\n"), "ask:", "block:", 1), Error, codeExemption, "except", "no effect", false},
		{"unless on a block rule", strings.Replace(rule("      pattern: a\n      unless: [x]\n"), "ask:", "block:", 1), Error, codeExemption, "unless", "no effect", false},
		{"unless_condition on a block rule", strings.Replace(rule("      pattern: a\n      unless_condition: [x]\n"), "ask:", "block:", 1), Error, codeExemption, "unless_condition", "no effect", false},
		{"unless_regex on a block rule", strings.Replace(rule("      pattern: a\n      unless_regex: [x]\n"), "ask:", "block:", 1), Error, codeExemption, "unless_regex", "no effect", false},
		{"a set without a name", strings.TrimPrefix(rule("      pattern: a\n"), "name: bad\n"), Error, codeName, "rules", "name: bad", false},
		{"a rule without a name", strings.Replace(rule("      pattern: a\n"), "name: first", "suggest: x", 1), Error, codeName, "suggest", "no name", false},
		{"a rule without a reason", strings.Replace(rule("      pattern: a\n"), "reason: r", "suggest: x", 1), Error, codeReason, "first", "no reason", false},
		{"a duplicate rule", rule("      pattern: a\n") + "    - {name: other, pattern: b, reason: r}\n", Error, codeName, "other", "first one counts", false},
		{"a test that expects nothing", rule("      pattern: a\n") + "tests:\n  - {command: x}\n", Error, codeTest, "{command", "expect", false},
		{"a test of a rule that is not there", rule("      pattern: a\n") + "tests:\n  - {command: a, expect: ask, rule: frist}\n", Error, codeTest, "frist", "did you mean 'first'", false},
		{"a test of an edit that fails", rule("      pattern: a\n") + "tests:\n  - {edit: {path: x, old_string: 'abc', new_string: 'd', before: 'ab'}, expect: allow}\n", Error, codeTest, "'abc'", "'old_string' is not in 'before'", false},
		{"an unknown key of a test", rule("      pattern: a\n") + "tests:\n  - {comand: x, expect: ask}\n", Error, codeKey, "comand", "did you mean 'command'", false},
		// advice
		{"an extension without a dot", "extensions: [sh]\n" + rule("      pattern: a\n"), Warning, codeExtension, "sh]", "'.sh'", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := []File{{Path: "watches/bad.yml", Scope: User, Source: []byte(test.source)}, {Path: "watches/good.yml", Scope: User, Source: []byte(goodSet)}}
			p := Compile(files, Options{})
			var found *Diagnostic
			for i, d := range p.Diagnostics {
				if d.Code == test.code && strings.Contains(d.Message, test.message) {
					found = &p.Diagnostics[i]
					break
				}
			}
			if found == nil {
				t.Fatalf("not found: %v", p.Diagnostics)
			}
			if found.Severity != test.severity || found.Path != "watches/bad.yml" {
				t.Errorf("%v is a %v", found, found.Severity)
			}
			checkPlaceOf(t, test.source, *found, test.culprit)
			checkHook(t, p, test.severity, *found)
			if other := decideMatches(p, "mkfs /dev/sda"); !test.lost && !strings.Contains(other, "bad/other") {
				t.Errorf("the file's other rule does not run: %s", other)
			}
			if other := decideMatches(p, "shred x"); !strings.Contains(other, "good/shred") {
				t.Errorf("the other set does not run: %s", other)
			}
		})
	}
}

// checkHook holds a policy with one finding against what the hook makes of it.
func checkHook(t *testing.T, p *Policy, severity Severity, d Diagnostic) {
	t.Helper()
	decision := Decide(p.Evaluate(bash("ls", words("ls")), EvaluateOptions{}), Deny)
	switch severity {
	case Fault:
		place := fmt.Sprintf("%s:%d:%d: %s", d.Path, d.Line, d.Column, d.Message)
		if decision.Verdict != Deny || !strings.Contains(decision.Matches[0].Reason, place) {
			t.Errorf("a harmless call: %v; want a deny that names %s", decision, place)
		}
	case Error:
		if decision.Verdict != None || (len(p.Warnings()) == 0) != (d.Code == codeTest) {
			t.Errorf("a harmless call: %v, warnings %v", decision, p.Warnings())
		}
	case Warning:
		if decision.Verdict != None || len(p.Warnings()) != 0 {
			t.Errorf("a harmless call: %v, warnings %v", decision, p.Warnings())
		}
	}
}

// decideMatches lists the rules that match a command.
func decideMatches(p *Policy, command string) string {
	o := p.Evaluate(bash(command, words(command)), EvaluateOptions{})
	var names []string
	for _, m := range append(o.Blocks, o.Asks...) {
		names = append(names, m.Set+"/"+m.Rule)
	}
	return strings.Join(names, " ")
}

func TestAFileThatCannotBeReadDeniesAndNamesThePath(t *testing.T) {
	p := Compile([]File{{Path: "/no/such/rules", Scope: Given, Err: errors.New("no such file or directory")}}, Options{})
	d := Decide(p.Evaluate(bash("ls"), EvaluateOptions{}), Deny)
	if d.Verdict != Deny || !strings.Contains(d.Matches[0].Reason, "/no/such/rules: ") {
		t.Errorf("%v", d)
	}
}

func TestOfTwoSetsWithOneNameTheFirstCounts(t *testing.T) {
	file := func(path, pattern string) File {
		return File{Path: path, Source: []byte("name: twice\nrules:\n  block:\n    - {name: r, pattern: " + pattern + ", reason: r}\n")}
	}
	p := Compile([]File{file("a.yml", "one"), file("b.yml", "two")}, Options{})
	if len(p.Warnings()) != 1 || p.Warnings()[0].Path != "b.yml" || len(p.Faults()) != 0 {
		t.Errorf("%v", p.Diagnostics)
	}
	if decide(p, bash("one")) != Deny || decide(p, bash("two")) != None {
		t.Error("the second set runs, or the first does not")
	}
}

func TestFaultsOfWhatIsOffDoNotDeny(t *testing.T) {
	source := "name: s\ndefault: off\nrules:\n  block:\n    - {name: bad, when: input.x, reason: r}\n    - {name: fine, pattern: ls, reason: r}\n"
	files := []File{{Path: "s.yml", Source: []byte(source)}}
	if p := Compile(files, Options{}); decide(p, bash("ls")) != None {
		t.Errorf("a set that is off: %v", p.Faults())
	}
	if p := Compile(files, Options{Diagnose: true}); len(p.Faults()) != 0 || !hasFault(p.Diagnostics) {
		t.Errorf("vet must see what the hook does not: %v", p.Diagnostics)
	}
	on := func(*RuleSet, Scope) bool { return true }
	off := func(_, rule string) Action {
		if rule == "bad" {
			return Off
		}
		return Keep
	}
	if p := Compile(files, Options{Enabled: on, Action: off}); len(p.Faults()) != 0 || decide(p, bash("ls")) != Deny || decide(p, bash("x")) != None {
		t.Errorf("a rule that is off: %v", p.Faults())
	}
	if p := Compile(files, Options{Enabled: on}); decide(p, bash("x")) != Deny {
		t.Error("the same rule on must deny")
	}
}
