package policy

import (
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/go-cmp/cmp"
)

// bothEvents has a rule of each action on each event, and one whose evaluation fails.
const bothEvents = `name: s
variables:
  protected: input.changes.filter(c, c.path.under("/r") && c.attribution != "outside_any_window")
rules:
  block:
    - {name: before, when: 'input.commands.exists(c, c.program == "make")', reason: r}
    - {name: explicitly before, on: PreToolUse, when: 'input.tool == "Bash"', reason: r}
    - {name: changed, on: PostToolUse, when: 'variables.protected.size() > 0', message: '"changed " + variables.protected[0].path'}
    - {name: deleted, on: PostToolUse, when: 'input.changes.exists(c, c.operation == "delete")', reason: r}
  ask:
    - {name: after make, on: PostToolUse, pattern: '^make', except: '-n', reason: r}
    - {name: fails, on: PostToolUse, when: 'input.args["x"] == 1', reason: r}
`

// over is a call that has happened.
func over(command string, changes ...*schema.Change) *schema.Input {
	in := bash(command, words(command))
	in.Event, in.Changes = "PostToolUse", changes
	return in
}

func changed(path, operation string) *schema.Change {
	return &schema.Change{Path: path, Operation: operation, Attribution: "only_this_window"}
}

// matchedBy returns the names of the rules that a decision rests on.
func matchedBy(d Decision) []string {
	var names []string
	for _, m := range d.Matches {
		names = append(names, m.Rule)
	}
	return names
}

func TestACallIsJudgedByTheRulesOnItsEvent(t *testing.T) {
	outside := changed("/r/a", "create")
	outside.Attribution = "outside_any_window"
	named := func(event string, in *schema.Input) *schema.Input {
		in.Event = event
		return in
	}
	for name, c := range map[string]struct {
		in      *schema.Input
		verdict Verdict
		rules   []string
	}{
		"before":                         {bash("make", words("make")), Deny, []string{"before", "explicitly before"}},
		"an event without a name":        {named("", bash("ls", words("ls"))), Deny, []string{"explicitly before"}},
		"after, nothing changed":         {over("ls"), Inform, []string{"fails"}},
		"after, a file changed":          {over("ls", changed("/r/a", "modify")), Inform, []string{"changed", "fails"}},
		"after, blocks and asks":         {over("make x", changed("/r/a", "delete")), Inform, []string{"changed", "deleted", "after make", "fails"}},
		"after, exempt":                  {over("make -n"), Inform, []string{"fails"}},
		"after, changed elsewhere":       {over("ls", changed("/rr/a", "modify"), outside), Inform, []string{"fails"}},
		"after a failure":                {named("PostToolUseFailure", over("make", changed("/r/a", "modify"))), Inform, []string{"changed", "after make", "fails"}},
		"an event that is about no call": {named("Stop", over("make", changed("/r/a", "modify"))), None, nil},
	} {
		for kind, p := range map[string]*Policy{"compiled": mustCompile(t, bothEvents), "stored": Link(stored(t, bothEvents, nil), Options{})} {
			for _, o := range []EvaluateOptions{{}, {Unfiltered: true}, {Trace: true}} {
				outcome := p.Evaluate(c.in, o)
				d := Decide(outcome, Deny)
				if d.Verdict != c.verdict || d.Note != "" {
					t.Errorf("%s, %s %+v: %v %q", name, kind, o, d.Verdict, d.Note)
				}
				if diff := cmp.Diff(c.rules, matchedBy(d)); diff != "" {
					t.Errorf("%s, %s %+v: %s", name, kind, o, diff)
				}
				for _, r := range outcome.Trace {
					if before := strings.HasSuffix(r.Rule, "before"); before != (c.verdict == Deny) {
						t.Errorf("%s: the rule %q was evaluated", name, r.Rule)
					}
				}
			}
		}
	}
}

func TestAMessageAfterACallNamesWhatChanged(t *testing.T) {
	d := Decide(mustCompile(t, bothEvents).Evaluate(over("ls", changed("/b", "create"), changed("/r/a", "modify")), EvaluateOptions{}), Deny)
	if len(d.Matches) == 0 || d.Matches[0].Reason != "changed /r/a" {
		t.Errorf("%+v", d)
	}
}

func TestAFaultSaysNothingAfterACall(t *testing.T) {
	p := compileOne(bothEvents + "    - {name: faulty, on: PostToolUse, when: input.nothing, reason: r}\n")
	if len(p.Faults()) != 1 {
		t.Fatal(p.Faults())
	}
	if v := decide(p, bash("ls", words("ls"))); v != Deny {
		t.Errorf("before the call: %v", v)
	}
	d := Decide(p.Evaluate(over("make"), EvaluateOptions{}), Deny)
	if diff := cmp.Diff([]string{"after make", "fails"}, matchedBy(d)); d.Verdict != Inform || diff != "" {
		t.Errorf("after the call: %v %s", d.Verdict, diff)
	}
}

func TestACompoundCommandThatIsOverIsNotDenied(t *testing.T) {
	in := over("make")
	effects := &schema.Effects{Command: "make | tee log", Compound: true, Parsed: true}
	in.ReadEffects = func() *schema.Effects { return effects }
	for _, compoundAsk := range []Verdict{Deny, AskVerdict} {
		if d := Decide(mustCompile(t, bothEvents).Evaluate(in, EvaluateOptions{}), compoundAsk); d.Verdict != Inform || d.Note != "" {
			t.Errorf("%+v", d)
		}
	}
}

func TestWhatARuleNeedsOfTheChanges(t *testing.T) {
	in := over("make", changed("/r/a.go", "modify"))
	in.ReadEffects = func() *schema.Effects {
		t.Error("the command is read")
		return &schema.Effects{}
	}
	for when, can := range map[string]bool{
		`input.changes.size() > 0`:                                                                         true,
		`input.changes.exists(c, c.path.endsWith(".go"))`:                                                  true,
		`input.changes.exists(c, c.path.endsWith(".py"))`:                                                  false,
		`input.changes.exists(c, c.operation in ["create", "delete"])`:                                     false,
		`input.changes.exists(c, c.attribution != "only_this_window")`:                                     false,
		`input.changes.exists(c, c.repo.branch == "x")`:                                                    true,
		`input.changes.filter(c, c.attribution == "shared").size() > 0`:                                    false,
		`input.changes.map(c, c.operation).exists(o, o == "modify")`:                                       true,
		`variables.v.size() > 0`:                                                                           false,
		`input.event == "PostToolUseFailure" && input.changes.size() > 0`:                                  false,
		`input.changes.exists(c, c.path == "/x") || input.changes.exists(c, c.operation == "type_change")`: false,
	} {
		quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
		p := mustCompile(t, "name: n\nvariables: {v: 'input.changes.filter(c, c.operation == \"create\")'}\nrules:\n  block:\n    - {name: r, on: PostToolUse, reason: r, when: "+quote(when)+"}\n")
		needs := p.Sets[0].unit.rules[0].needs
		if got := newFacts(in).hold(needs); got != can {
			t.Errorf("%s: can match: %v", when, got)
		}
		if newFacts(over("make")).hold(needs) {
			t.Errorf("%s: can match a call that changed nothing", when)
		}
	}
}

func TestTestsStateWhatACallHasChanged(t *testing.T) {
	set, found := Load("s.yml", []byte(bothEvents+`tests:
  - {command: make, expect: block, rule: before}
  - {command: make, changes: [], expect: ask, rule: after make}
  - {command: ls, changes: [{path: a}, {path: /r/b, operation: create, attribution: shared}], expect: block, rule: changed}
`))
	if len(found) != 0 {
		t.Fatal(found)
	}
	want := [][]TestChange{nil, nil, {{"a", "modify", "only_this_window"}, {"/r/b", "create", "shared"}}}
	for i, test := range set.Tests {
		if diff := cmp.Diff(want[i], test.Changes); diff != "" || (test.On == PostToolUse) != (i > 0) {
			t.Errorf("%s on %v: %s", test.Name, test.On, diff)
		}
	}
}

func TestATestThatCannotBeAboutItsRuleIsAnError(t *testing.T) {
	for test, want := range map[string]string{
		`{command: make, expect: block, rule: changed}`:                                "'changed' judges a call that is over: say in 'changes'",
		`{command: make, changes: [{path: a}], expect: block, rule: before}`:           "the rule 'before' judges calls before that",
		`{command: make, changes: a, expect: allow}`:                                   "'changes' must be a list of changes",
		`{command: make, changes: [a], expect: allow}`:                                 "an entry of 'changes' must be a mapping",
		`{command: make, changes: [{operation: create}], expect: allow}`:               "needs 'path'",
		`{command: make, changes: [{path: a, operation: created}], expect: allow}`:     "'operation' must be modify, create, delete or type_change (did you mean 'create'?)",
		`{command: make, changes: [{path: a, attribution: only_this}], expect: allow}`: "'attribution' must be only_this_window, shared or outside_any_window",
		`{command: make, changes: [{path: a, attributions: shared}], expect: allow}`:   "did you mean 'attribution'",
		`{command: make, change: [{path: a}], expect: allow}`:                          "did you mean 'changes'",
	} {
		p := compileOne(bothEvents + "tests:\n  - " + test + "\n")
		if len(p.Diagnostics) != 1 || p.Diagnostics[0].Severity != Error || !strings.Contains(p.Diagnostics[0].Message, want) {
			t.Errorf("%s: %v", test, p.Diagnostics)
		}
	}
}

func TestAdviceAboutEvents(t *testing.T) {
	for name, test := range map[string]struct {
		rules string // from line 2 on
		want  []string
	}{
		"an event that the rule sees":       {"rules:\n  ask:\n    - {name: a, on: PostToolUse, when: 'input.event == \"PostToolUseFailure\"', reason: r, ref: u}\n", nil},
		"an event of other rules":           {"rules:\n  ask:\n    - {name: a, when: 'input.event == \"PostToolUse\"', reason: r, ref: u}\n", []string{"4:39 never"}},
		"one of some events":                {"rules:\n  ask:\n    - {name: a, on: PostToolUse, when: 'input.event in [\"PreToolUse\", \"PostToolUse\"]', reason: r, ref: u}\n", []string{"4:57 never"}},
		"an event that no rule sees":        {"rules:\n  ask:\n    - {name: a, when: 'input.event == \"Stop\" || input.compound', reason: r, ref: u}\n", []string{"4:39 never"}},
		"the same condition before a call":  {"rules:\n  ask:\n    - {name: a, when: 'input.compound', reason: r, ref: u}\n    - {name: b, on: PostToolUse, when: 'input.compound', reason: r, ref: u}\n", nil},
		"the same condition twice after it": {"rules:\n  ask:\n    - {name: a, on: PostToolUse, when: 'input.compound', reason: r, ref: u}\n    - {name: b, on: PostToolUse, when: 'input.compound', reason: r, ref: u}\n", []string{"5:14 unreachable"}},
	} {
		if diff := cmp.Diff(test.want, advice(t, "name: s\n"+test.rules)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestARuleIsTestedByCallsOnItsEvent(t *testing.T) {
	p := mustCompile(t, bothEvents)
	before := TestRun{Test: Test{Name: "ls"}}
	after := TestRun{Test: Test{Name: "make", On: PostToolUse}, Matched: []string{"changed", "deleted", "after make", "fails"}}
	found := AdviseTests(p.Sets[0], []TestRun{before, after})
	passes := map[string]bool{}
	for _, d := range found {
		passes[d.Message] = true
	}
	if !passes["no test shows a call that the rule 'changed' lets pass: add an entry with 'changes' and 'expect: allow'"] {
		t.Errorf("a test before the call counts: %v", found)
	}
	for _, d := range AdviseTests(p.Sets[0], []TestRun{before}) {
		if strings.HasPrefix(d.Message, "no test fires the rule 'changed'") && !strings.Contains(d.Message, "add an entry with 'changes' to 'tests'") {
			t.Error(d)
		}
	}
}
