package policy

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// example is the rule file of the rule reference.
const example = `name: watch-git
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
      ref: https://git-scm.com/docs/git-push#Documentation/git-push.txt--f
    - name: delete everything
      pattern: 'rm -rf /(?=\s|$)'
      target: file-content
      reason: deletes the disk
  ask:
    - name: git rm -r
      pattern: '\brm\s+(?:-\S+\s+)*-[a-zA-Z]*r'
      except: '^git rm -r /tmp/'
      unless: ['input.cwd.startsWith("/scratch/")']
      unless_regex: ['\s/var/tmp/']
      reason: recursively deletes directories
tests:
  - {command: 'git push -f origin main', expect: block, rule: git push --force}
  - {command: 'git commit -m "never git push --force"', expect: allow}
  - {write: {path: deploy.sh, content: 'rm -rf /'}, expect: block}
`

func TestTheExampleOfTheReference(t *testing.T) {
	p := mustCompile(t, example)
	scratch := bash("git rm -r x", words("git rm -r x"))
	scratch.Cwd = "/scratch/a"
	monitor := bash("git push -f", words("git push -f"))
	monitor.Tool = "Monitor"
	powershell := bash("git rm -r x", words("git rm -r x"))
	powershell.Tool = "PowerShell"
	for name, test := range map[string]struct {
		in   *schema.Input
		want Verdict
	}{
		"a forced push":                        {bash("git push -f", words("git push -f")), Deny},
		"a forced push of Monitor":             {monitor, Deny},
		"a push":                               {bash("git push", words("git push")), None},
		"the words of it":                      {bash("git commit -m 'git push -f'", words("git commit -m x")), None},
		"a script that deletes":                {writes("a.sh", "set -e\nrm -rf /\n"), Deny},
		"an extension in capitals":             {writes("a.BASH", "rm -rf /"), Deny},
		"another extension":                    {writes("a.txt", "rm -rf /"), None},
		"a pattern":                            {bash("git rm -r x", words("git rm -r x")), AskVerdict},
		"a pattern, the filter does not match": {bash("rm -r x", words("rm -r x")), None},
		"a pattern, another tool's text":       {powershell, None},
		"except":                               {bash("git rm -r /tmp/x", words("git rm -r /tmp/x")), None},
		"unless_regex":                         {bash("git rm -r /var/tmp/", words("git rm -r /var/tmp/")), None},
		"unless":                               {scratch, None},
	} {
		if got := decide(p, test.in); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func TestEachScriptIsJudgedByItself(t *testing.T) {
	p := mustCompile(t, `name: s
extensions: ['.py']
rules:
  ask:
    - {name: eval, pattern: 'eval', target: file-content, except: 'noqa', reason: r}
`)
	in := writes("a.py", "")
	effects := &schema.Effects{Parsed: true, Scripts: []*schema.Script{{Content: "eval() # noqa", Extension: ".py"}, {Content: "eval()", Extension: ".py"}}}
	in.ReadEffects = func() *schema.Effects { return effects }
	if decide(p, in) != AskVerdict {
		t.Error("an exempt script exempts its neighbour")
	}
	effects.Scripts[1] = &schema.Script{Content: "noqa", Extension: ".py"}
	if decide(p, in) != None {
		t.Error("the exemption of one script does not hold for it")
	}
}

func TestARunTimeErrorIsAMatchAndNeverAnExemption(t *testing.T) {
	p := mustCompile(t, `name: s
variables:
  broken: input.commands[7].program == "x"
  unused: input.args.nothing == 1
rules:
  block:
    - {name: condition, when: 'input.tool == "Bash" && input.args.nothing == 1', reason: r}
    - {name: absorbed, when: 'input.tool == "Read" && input.args.nothing == 1', reason: r}
    - {name: variable, when: 'variables.broken', reason: r}
    - {name: again, when: 'variables.broken', reason: r}
  ask:
    - {name: exemption, when: 'true', unless: ['input.args.nothing == 1'], reason: r}
    - {name: another exemption holds, when: 'true', unless: ['input.args.nothing == 1', 'input.tool == "Bash"'], reason: r}
    - name: folded
      when: >-
        input.tool == "Bash"
        && input.args["none"] == 1
      reason: r
`)
	o := p.Evaluate(bash("x"), EvaluateOptions{})
	got := map[string]string{}
	for _, m := range append(o.Blocks, o.Asks...) {
		got[m.Rule] = fmt.Sprint(m.Err)
	}
	want := map[string]string{
		"condition": "watches/my.yml:7:67: no such key: nothing",
		"variable":  "watches/my.yml:3:29: index out of bounds: 7",
		"again":     "watches/my.yml:3:29: index out of bounds: 7",
		"exemption": "watches/my.yml:12:60: no such key: nothing",
		"folded":    "watches/my.yml:17:22: no such key: none",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMatchesAreInOrderOfSetsThenRulesBlocksFirst(t *testing.T) {
	set := func(name string) File {
		return File{Path: name + ".yml", Source: []byte("name: " + name + `
rules:
  ask:
    - {name: a1, when: 'true', reason: r}
    - {name: a2, when: 'true', reason: r}
  block:
    - {name: b1, when: 'true', reason: r}
    - {name: off, when: 'true', reason: r}
    - {name: eased, when: 'true', reason: r}
`)}
	}
	p := Compile([]File{set("two"), set("one")}, Options{Action: func(_, rule string) Action {
		return map[string]Action{"off": Off, "eased": Ask, "a2": Block}[rule]
	}})
	o := p.Evaluate(bash("x"), EvaluateOptions{})
	var got []string
	for _, m := range append(o.Blocks, o.Asks...) {
		got = append(got, m.Set+"/"+m.Rule+" "+m.Action.String())
	}
	want := []string{"two/b1 block", "two/a2 block", "one/b1 block", "one/a2 block", "two/eased ask", "two/a1 ask", "one/eased ask", "one/a1 ask"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMessageReplacesTheReason(t *testing.T) {
	p := mustCompile(t, `name: s
rules:
  block:
    - {name: named, when: 'true', message: '"runs " + input.commands[0].program', reason: plain}
    - {name: failing, when: 'true', message: 'input.commands[3].program', reason: plain}
    - {name: empty, when: 'true', message: '""'}
    - {name: unmatched, when: 'false', message: 'input.commands[3].program'}
`)
	o := p.Evaluate(bash("ls", words("ls")), EvaluateOptions{})
	want := []Match{
		{Set: "s", Rule: "named", Action: Block, Reason: "runs ls", Path: "watches/my.yml", Position: Position{4, 14}},
		{Set: "s", Rule: "failing", Action: Block, Reason: "plain", Path: "watches/my.yml", Position: Position{5, 14}, Err: errors.New("")},
		{Set: "s", Rule: "empty", Action: Block, Reason: "the rule 'empty' matches", Path: "watches/my.yml", Position: Position{6, 14}, Err: errors.New("")},
	}
	sameErr := cmp.Comparer(func(a, b error) bool { return (a == nil) == (b == nil) })
	if diff := cmp.Diff(want, o.Blocks, sameErr); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.Contains(fmt.Sprint(o.Blocks[1].Err), "message could not be computed: watches/my.yml:5:65") {
		t.Error(o.Blocks[1].Err)
	}
}

func TestAVariableIsEvaluatedOnceAndOnlyWhenNeeded(t *testing.T) {
	p := mustCompile(t, `name: s
variables:
  used: input.content.size() > 0
  derived: variables.used || input.path == "x"
  unused: input.content == "never"
rules:
  block:
    - {name: a, when: 'variables.derived', reason: r}
    - {name: b, when: 'variables.used && variables.derived', reason: r}
    - {name: c, when: 'false && variables.unused', reason: r}
`)
	a := &activation{input: schema.InputValue(writes("a", "text")), set: p.Sets[0]}
	for _, r := range p.Sets[0].Compiled() {
		if _, _, err := r.matches(a, false); err != nil {
			t.Fatal(err)
		}
	}
	if len(a.values) != 2 || a.values["variables.unused"] != nil {
		t.Errorf("evaluated: %v", a.values)
	}
	before := a.values["variables.derived"]
	a.input = nil // a second evaluation would fail
	if got, ok := a.ResolveName("variables.derived"); !ok || got != before {
		t.Errorf("evaluated again: %v", got)
	}
}

func TestTraceShowsWhatWasEvaluatedAndChangesNothing(t *testing.T) {
	p := mustCompile(t, example)
	for _, in := range []*schema.Input{bash("git push -f", words("git push -f")), bash("git rm -r /tmp/x", words("git rm -r /tmp/x")), writes("a.sh", "rm -rf /"), bash("ls", words("ls"))} {
		plain, traced := p.Evaluate(in, EvaluateOptions{}), p.Evaluate(in, EvaluateOptions{Trace: true})
		if diff := cmp.Diff(plain, traced, cmpopts.IgnoreFields(Outcome{}, "Trace", "Compound")); diff != "" {
			t.Errorf("the trace changes the outcome:\n%s", diff)
		}
		if len(traced.Trace) != 3 {
			t.Errorf("%d rules in the trace", len(traced.Trace))
		}
	}
	summary := func(in *schema.Input, rule int) (lines []string) {
		for _, part := range p.Evaluate(in, EvaluateOptions{Trace: true}).Trace[rule].Parts {
			lines = append(lines, fmt.Sprintf("%s %s %s = %s", part.Position, part.Kind, part.Source, part.Value))
			for _, c := range part.Children {
				lines = append(lines, fmt.Sprintf("  %s %s = %s", c.Position, c.Source, c.Value))
			}
		}
		return lines
	}
	want := []string{
		` guard input.tool in ["Bash", "Monitor"] = true`,
		`4:9 filter \bgit\b = true`,
		`21:16 pattern \brm\s+(?:-\S+\s+)*-[a-zA-Z]*r = true`,
		`22:15 except ^git rm -r /tmp/ = true`,
		`24:22 unless_regex \s/var/tmp/ = not evaluated`,
		`23:17 unless input.cwd.startsWith("/scratch/") = not evaluated`,
		`  23:17 input.cwd = not evaluated`,
	}
	if diff := cmp.Diff(want, summary(bash("git rm -r /tmp/x", words("git rm -r /tmp/x")), 2)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want = []string{
		`11:13 when variables.pushes.exists(c, c.has_flag("--force", "-f")) = true`,
		`  11:13 variables.pushes = [Command{"git push -f"}]`,
	}
	if diff := cmp.Diff(want, summary(bash("git push -f", words("git push -f")), 0)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want = []string{
		` extension s.extension in [".sh", ".bash"] = true`,
		`16:16 pattern rm -rf /(?=\s|$) = false`,
	}
	if diff := cmp.Diff(want, summary(writes("a.sh", "rm -rf /x"), 1)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAPolicyMayBeEvaluatedConcurrently(t *testing.T) {
	p := mustCompile(t, example)
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			in := bash("git push -f", words("git push -f"))
			for range 20 {
				if o := p.Evaluate(in, EvaluateOptions{Trace: i%2 == 0}); len(o.Blocks) != 1 {
					t.Errorf("%v", o.Blocks)
				}
			}
		})
	}
	wait.Wait()
}

func TestDecisions(t *testing.T) {
	block, ask := Match{Rule: "b", Action: Block}, Match{Rule: "a", Action: Ask}
	fault := Diagnostic{Path: "x.yml", Position: Position{1, 2}, Code: "yaml", Message: "m"}
	for name, test := range map[string]struct {
		outcome     Outcome
		compoundAsk Verdict
		want        Verdict
		matches     int
		note        bool
	}{
		"nothing":                         {Outcome{Compound: true}, Deny, None, 0, false},
		"a block":                         {Outcome{Blocks: []Match{block}}, Deny, Deny, 1, false},
		"blocks outrank asks":             {Outcome{Blocks: []Match{block, block}, Asks: []Match{ask}}, AskVerdict, Deny, 2, false},
		"an ask":                          {Outcome{Asks: []Match{ask}}, Deny, AskVerdict, 1, false},
		"an ask on a compound command":    {Outcome{Asks: []Match{ask, ask}, Compound: true}, Deny, Deny, 2, true},
		"the same where settings say ask": {Outcome{Asks: []Match{ask}, Compound: true}, AskVerdict, AskVerdict, 1, false},
		"a fault":                         {Outcome{Faults: []Diagnostic{fault}}, Deny, Deny, 1, false},
		"a fault and a block":             {Outcome{Faults: []Diagnostic{fault}, Blocks: []Match{block}}, Deny, Deny, 2, false},
	} {
		d := Decide(&test.outcome, test.compoundAsk)
		if d.Verdict != test.want || len(d.Matches) != test.matches || (d.Note != "") != test.note {
			t.Errorf("%s: %+v", name, d)
		}
	}
}
