package policy

import (
	"bytes"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A rule file in pieces that edits put together anew.
const packedHead = "name: v\nvariables: {bash: 'input.tool == \"Bash\"', words: 'input.commands.exists(c, c.program == \"git\")'}\nrules:\n"

var packedRules = []string{
	"{name: a, when: 'variables.bash && variables.words', reason: r}",
	"{name: b, pattern: '\\bgit\\s+rm\\b', target: bash, reason: r}",
	"{name: c, when: 'input.commands.exists(c, c.runs(\"git push\"))', message: '\"no \" + input.commands[0].program', reason: r}",
	"{name: d, when: 'input.args[\"x\"] == 1', reason: r}",
	"{name: e, on: PostToolUse, when: 'input.changes.exists(c, c.path == \"x\")', reason: r}",
}

func packedSource(block, ask []string) string {
	return packedHead + "  block:\n    - " + strings.Join(block, "\n    - ") + "\n  ask:\n    - " + strings.Join(ask, "\n    - ") + "\n"
}

// What a file compiles to must not depend on what is taken from an earlier version of
// it: not a byte of what is stored, no verdict, no place of an error.
func TestWhatIsTakenFromAnEarlierVersionSaysTheSame(t *testing.T) {
	before := packedSource(packedRules[:3], packedRules[3:])
	for name, test := range map[string]struct {
		after string
		taken int // rules
	}{
		"nothing changed":            {before, 5},
		"a comment in front":         {"# new\n\n" + before, 5},
		"a reason":                   {strings.Replace(before, "reason: r}", "reason: another}", 1), 5},
		"a name":                     {strings.Replace(before, "name: a", "name: z", 1), 5},
		"rules in another order":     {packedSource([]string{packedRules[2], packedRules[0], packedRules[1]}, packedRules[3:]), 5},
		"a rule in the other list":   {packedSource(packedRules[:2], packedRules[2:]), 5},
		"another rule in front":      {packedSource(append([]string{"{name: n, when: 'input.compound', reason: r}"}, packedRules[:3]...), packedRules[3:]), 5},
		"a condition":                {strings.Replace(before, "== 1", "== 2", 1), 4},
		"a pattern":                  {strings.Replace(before, `s+rm`, `s+mv`, 1), 4},
		"a message":                  {strings.Replace(before, `"no "`, `"not "`, 1), 4},
		"no message":                 {strings.Replace(before, `message: '"no " + input.commands[0].program', `, "", 1), 4},
		"a variable":                 {strings.Replace(before, `"Bash"`, `"Read"`, 1), 0},
		"a variable of another type": {strings.Replace(before, `'input.tool == "Bash"'`, `input.tool`, 1), 0},
		"a rule with a fault":        {strings.Replace(before, "input.args", "input.arg", 1), 4},
		"an event":                   {strings.Replace(before, "on: PostToolUse, ", "", 1), 4},
		"a filter of the set":        {strings.Replace(before, "rules:", "filter: git\nrules:", 1), 4},
		"a pattern beside it":        {strings.Replace(before, "when: 'variables.bash && variables.words'", "when: 'variables.bash', pattern: git", 1), 4},
		"not readable":               {"name: [", 0},
		"a faulty variable":          {strings.Replace(before, `input.tool == "Bash"'`, `input.tol == "Bash"'`, 1), 0},
	} {
		t.Run(name, func(t *testing.T) {
			index, bodies := encoded(t, CompileUnitToStore(File{Path: "v.yml", Source: []byte(before)}, nil))
			earlier := decoded(t, File{Path: "v.yml"}, index, bodies, nil)[0]
			after := File{Path: "v.yml", Source: []byte(test.after)}
			sameAsCompiledAlone(t, after, earlier)

			if taken := rulesTaken(after, earlier); taken != test.taken {
				t.Errorf("%d rules are taken, want %d", taken, test.taken)
			}
			for i := range bodies {
				bodies[i] ^= 0x55
			}
			sameAsCompiledAlone(t, after, decoded(t, File{Path: "v.yml"}, index, bodies, nil)[0])
		})
	}
}

func rulesTaken(f File, earlier *Unit) (n int) {
	u := CompileUnit(f)
	p := newPacking(u, earlier)
	lowering := newLowering(u.set)
	for i := range u.rules {
		r := &unitRule{ruleBody: ruleBody{rule: u.rules[i].rule}}
		if lowered, _ := lowering.rule(r.rule); lowered != nil {
			r.identity = p.identity(lowered, r.rule)
			if p.take(r, lowered, u.environment) {
				n++
			}
		}
	}
	return n
}

func sameAsCompiledAlone(t *testing.T, f File, earlier *Unit) {
	t.Helper()
	plain, alone, after := CompileUnit(f), CompileUnitToStore(f, nil), CompileUnitToStore(f, earlier)
	wantIndex, wantBodies := encoded(t, alone)
	gotIndex, gotBodies := encoded(t, after)
	if !bytes.Equal(wantIndex, gotIndex) || !bytes.Equal(wantBodies, gotBodies) {
		t.Error("another image")
	}
	want, packed, got := Link([]*Unit{plain}, Options{}), Link([]*Unit{alone}, Options{}), Link([]*Unit{after}, Options{})
	if diff := cmp.Diff(want.Diagnostics, got.Diagnostics); diff != "" {
		t.Error(diff)
	}
	compare := cmp.Options{cmpopts.EquateEmpty(), cmp.Transformer("error", func(err error) string { return fmt.Sprint(err) })}
	for _, in := range []*schema.Input{
		bash("git push -f", words("git push -f")), bash("git rm x", words("git rm x")), bash("ls", words("ls")), {Tool: "Read"},
		{Event: "PostToolUse", Tool: "Bash", Changes: []*schema.Change{{Path: "x"}}},
	} {
		for _, trace := range []bool{false, true} {
			o := EvaluateOptions{Trace: trace, Unfiltered: true}
			for _, p := range []*Policy{packed, got} {
				if diff := cmp.Diff(want.Evaluate(in, o), p.Evaluate(in, o), compare); diff != "" {
					t.Error(diff)
				}
			}
		}
	}
}

// What rules share is part of their identities in a set with a fault as well.
func TestASetWithAFaultBefore(t *testing.T) {
	rule := "rules:\n  block:\n    - {name: r, when: variables.v, reason: r}\n"
	before := File{Path: "v.yml", Source: []byte("name: v\nfilter: '['\nvariables: {v: 'input.tool == \"Bash\"'}\n" + rule)}
	after := File{Path: "v.yml", Source: []byte("name: v\n" + rule)}
	index, bodies := encoded(t, CompileUnitToStore(before, nil))
	sameAsCompiledAlone(t, after, decoded(t, before, index, bodies, nil)[0])
}

// Versions of a file one after another, each taking from the image of the one before.
func TestVersionsThatFollowEachOtherSayTheSame(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	var earlier *Unit
	for range 40 {
		rules := make([]string, 0, 5)
		for _, i := range random.Perm(len(packedRules)) {
			r := strings.Replace(packedRules[i], "reason: r", fmt.Sprintf("reason: r%d", random.Intn(3)), 1)
			if random.Intn(4) == 0 {
				r = strings.Replace(r, "when: '", fmt.Sprintf("when: 'input.tool != \"T%d\" && ", random.Intn(2)), 1)
			}
			rules = append(rules, r)
		}
		cut := 1 + random.Intn(3)
		f := File{Path: "v.yml", Source: []byte(strings.Repeat("#\n", random.Intn(3)) + packedSource(rules[:cut], rules[cut:]))}
		sameAsCompiledAlone(t, f, earlier)
		index, bodies := encoded(t, CompileUnitToStore(f, earlier))
		earlier = decoded(t, f, index, bodies, nil)[0]
	}
}

// Parts of an expression that are planned by themselves see the loops around them, fail
// as the whole would, and are left alone when they are not evaluated.
func TestPartsOfAnExpressionSayTheSame(t *testing.T) {
	long := func(text string) string {
		return "(" + text + ` && input.cwd + input.home != "` + strings.Repeat("x", minPart) + `")`
	}
	for _, when := range []string{
		long(`input.tool == "Bash"`) + " && " + long(`input.commands.size() > 0`),
		long(`input.tool == "Read"`) + " || " + long(`input.commands.exists(c, c.program == "git" && `+long(`c.args.exists(a, a == "push" || a == c.subcommand)`)+")"),
		`input.commands.size() > 0 ? ` + long(`input.commands[0].program == "git"`) + " : " + long(`input.tool == "Read"`),
		`input.commands.filter(c, ` + long(`c.program != "ls"`) + `).map(c, {"name": c.program, "words": c.args.map(a, a + "/" + c.program)}).exists(m, ` + long(`m.words.exists(w, w.startsWith(m.name) || w == "push/git")`) + ")",
		`input.commands.exists(c, ` + long(`c.args[7] == "x"`) + " || " + long(`c.program == "git"`) + ")",
		`input.tool == "Bash" && ` + long(`input.args["none"] == 1`),
		`input.tool == "Bash" || ` + long(`input.args["none"] == 1`),
		`(input.command == "git" ? [1][0] : [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120][input.command.size() + 30]) == 1`,
		`(input.tool == "Read" ? 1 : input.command == "git" ? 2 : [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120][input.command.size() + 30]) == 1`,
		`[1, 2].all(n, ` + long(`[n, 3].exists(m, m * n > 5 || input.tool == "Read" && m == n)`) + ")",
		`variables.v.exists(input, variables.v.size() == 1 && (input == "Bash" && input + input != "` + strings.Repeat("x", minPart) + `"))`,
		`[2, 3].map(c, [5].map(d, ` + long(`d * c == 10`) + " ? c : d)).exists(l, l == [2])",
	} {
		source := "name: parts\nvariables: {v: '[input.tool]'}\nrules:\n  block:\n    - name: r\n      reason: r\n      when: |-\n        " + when + "\n"
		f := File{Path: "parts.yml", Source: []byte(source)}
		index, bodies := encoded(t, CompileUnitToStore(f, nil))
		whole, parts := Link([]*Unit{CompileUnit(f)}, Options{}), Link(decoded(t, f, index, bodies, nil), Options{})
		if len(whole.Diagnostics) > 0 {
			t.Fatal(whole.Diagnostics)
		}
		matched := 0
		for _, in := range []*schema.Input{bash("git push -f", words("git push -f")), bash("git push -f && ls", words("git push -f"), words("ls")), bash("ls", words("ls")), {Tool: "Read"}} {
			want := whole.Evaluate(in, EvaluateOptions{Unfiltered: true})
			for range 2 {
				got := parts.Evaluate(in, EvaluateOptions{Unfiltered: true})
				if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmp.Transformer("error", func(err error) string { return fmt.Sprint(err) })); diff != "" {
					t.Errorf("%s\n%s", when, diff)
				}
			}
			matched += len(want.Blocks)
		}
		if matched == 0 {
			t.Errorf("%s: no call matches", when)
		}
	}
}
