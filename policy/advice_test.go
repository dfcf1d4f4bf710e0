package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/go-cmp/cmp"
)

// advice returns what vet advises about one rule file as "line code", faults excluded.
func advice(t *testing.T, source string, ordinary ...*schema.Input) []string {
	t.Helper()
	p := Compile([]File{{Path: "s.yml", Source: []byte(source)}}, Options{Diagnose: true, Ordinary: ordinary})
	var lines []string
	for _, d := range p.Diagnostics {
		if d.Severity != Warning {
			t.Errorf("%v is a %v", d, d.Severity)
		}
		lines = append(lines, fmt.Sprintf("%d:%d %s", d.Line, d.Column, d.Code))
	}
	if len(p.Warnings()) > 0 || len(p.Faults()) > 0 {
		t.Error("advice reaches the hook")
	}
	return lines
}

func TestAdvice(t *testing.T) {
	for name, test := range map[string]struct {
		rules string // from line 2 on
		want  []string
	}{
		"a good rule":  {"rules:\n  ask:\n    - {name: a, pattern: 'x', reason: r, ref: u}\n", nil},
		"no ref":       {"rules:\n  ask:\n    - {name: a, pattern: 'x', reason: r}\n", []string{"4:14 ref"}},
		"an empty ref": {"rules:\n  ask:\n    - {name: a, pattern: 'x', reason: r, ref: ''}\n", []string{"4:14 ref"}},
		"regexes that match nothing in particular": {
			"filter: 'git|'\nrules:\n  ask:\n    - {name: a, pattern: 'x*', except: '(y)?', unless_regex: ['z', ''' ?'], reason: r, ref: u}\n",
			[]string{"2:10 empty-match", "5:27 empty-match", "5:41 empty-match"},
		},
		"an exemption that never holds":       {"rules:\n  ask:\n    - {name: a, pattern: 'x', unless: ['1 > 2'], reason: r, ref: u}\n", []string{"4:41 constant"}},
		"an exemption that always holds":      {"rules:\n  ask:\n    - {name: a, pattern: 'x', unless: ['[1].exists(x, x == 1)'], reason: r, ref: u}\n", []string{"4:41 constant"}},
		"an exemption that repeats":           {"rules:\n  ask:\n    - {name: a, pattern: 'x', except: 'x', reason: r, ref: u}\n", []string{"4:40 constant"}},
		"a condition that never holds":        {"rules:\n  ask:\n    - {name: a, when: '\"a\".matches(\"b\")', reason: r, ref: u}\n", []string{"4:24 constant"}},
		"a condition that any call may meet":  {"rules:\n  ask:\n    - {name: a, when: 'input.args.size() > 3', reason: r, ref: u}\n", []string{"4:14 prefilter"}},
		"a condition over the call":           {"rules:\n  ask:\n    - {name: a, when: 'input.compound', reason: r, ref: u}\n", nil},
		"a condition over a variable":         {"variables: {v: input.compound}\nrules:\n  ask:\n    - {name: a, when: 'variables.v', reason: r, ref: u}\n", nil},
		"a condition over each command":       {"rules:\n  ask:\n    - {name: a, when: 'input.commands.exists(c, c.remote)', reason: r, ref: u}\n", nil},
		"the same condition twice":            {"rules:\n  ask:\n    - {name: a, when: 'input.compound', reason: r, ref: u}\n    - {name: b, when: 'input.compound', reason: r, ref: u}\n", []string{"5:14 unreachable"}},
		"an ask behind a wider block":         {"rules:\n  ask:\n    - {name: a, pattern: x, when: 'input.compound && input.parsed', reason: r, ref: u}\n  block:\n    - {name: b, when: 'input.compound', reason: r, ref: u}\n", []string{"4:14 unreachable"}},
		"a block behind an ask":               {"rules:\n  ask:\n    - {name: a, when: 'input.compound', reason: r, ref: u}\n  block:\n    - {name: b, pattern: x, when: 'input.compound', reason: r, ref: u}\n", nil},
		"the same loop twice":                 {"rules:\n  ask:\n    - {name: a, when: 'input.commands.exists(c, c.remote)', reason: r, ref: u}\n    - {name: b, when: 'input.commands.exists(c, c.remote)', reason: r, ref: u}\n", []string{"5:14 unreachable"}},
		"a wider rule behind a narrow one":    {"rules:\n  ask:\n    - {name: a, pattern: x, when: 'input.compound', reason: r, ref: u}\n    - {name: b, when: 'input.compound', reason: r, ref: u}\n", nil},
		"an exempting rule before another":    {"rules:\n  ask:\n    - {name: a, pattern: x, except: y, reason: r, ref: u}\n    - {name: b, pattern: x, reason: r, ref: u}\n", nil},
		"loops in loops in loops":             {"rules:\n  ask:\n    - {name: a, when: 'input.commands.exists(a, input.commands.exists(b, a.args.exists(x, b.args.exists(y, x == y))))', reason: r, ref: u}\n", []string{"4:24 cost"}},
		"a loop over options of all commands": {"rules:\n  ask:\n    - {name: a, when: 'input.commands.exists(c, c.args.exists(a, a.startsWith(\"+\")))', reason: r, ref: u}\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, advice(t, "name: s\n"+test.rules)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAdviceAboutRulesThatFireOnNearlyEveryCall(t *testing.T) {
	var ordinary []*schema.Input
	for i := range 10 {
		command := fmt.Sprintf("prog%d a b", i)
		ordinary = append(ordinary, bash(command, words(command)), writes("a.py", "x"))
	}
	got := advice(t, "name: s\nrules:\n  ask:\n    - {name: commands, pattern: 'prog', reason: r, ref: u}\n    - {name: writes, when: 'input.tool == \"Write\"', reason: r, ref: u}\n    - {name: one, pattern: 'prog1', reason: r, ref: u}\n", ordinary...)
	if diff := cmp.Diff([]string{"4:14 noisy", "5:14 noisy"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAdviceAboutTests(t *testing.T) {
	p := mustCompile(t, "name: s\nrules:\n  ask:\n    - {name: fired, pattern: x, reason: r}\n    - {name: never, pattern: x, reason: r}\n    - {name: always, pattern: x, reason: r}\n")
	var got []string
	for _, d := range AdviseTests(p.Sets[0], []TestRun{{Matched: []string{"fired", "always"}}, {Matched: []string{"always"}}}) {
		got = append(got, d.String())
	}
	if len(got) != 2 || !strings.Contains(got[0], "s") || !strings.Contains(got[0], "5:14: no test fires the rule 'never'") || !strings.Contains(got[1], "6:14: no test shows a call that the rule 'always' lets pass") {
		t.Error(strings.Join(got, "\n"))
	}
	if got := AdviseTests(p.Sets[0], nil); len(got) != 6 {
		t.Errorf("a set without tests: %v", got)
	}
}
