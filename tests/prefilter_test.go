package tests

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/hooks"
	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/claudewatch/claudewatch/watches"
)

// everySet selects all shipped sets, on or off.
func everySet(t *testing.T) engine.Selection {
	t.Helper()
	files, err := watches.FS.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var s engine.Selection
	for _, f := range files {
		s.Only = append(s.Only, strings.TrimSuffix(f.Name(), ".yml"))
	}
	return s
}

// pair judges a call in two ways: as the hook does, from the stored policy and with
// the prefilter, and by evaluating every rule of the rule files.
type pair struct{ stored, compiled *engine.Engine }

func newPair(t *testing.T, s engine.Selection) pair {
	t.Helper()
	environment := config.Environment{Home: caseHome, ClaudewatchHome: t.TempDir()}
	p := pair{compiled: engine.Open(environment, s)}
	s.Stored = true
	p.stored = engine.Open(environment, s)
	return p
}

// differ returns both answers when they differ in anything that the hook prints.
func (p pair) differ(c call.Call) string {
	_, got := p.stored.Judge(p.stored.Input(c), false)
	outcome := p.compiled.Policy.Evaluate(p.compiled.Input(c), policy.EvaluateOptions{Unfiltered: true})
	outcome.Faults = p.compiled.Faults()
	want := policy.Decide(outcome, p.compiled.Settings.CompoundAsk)
	if a, b := printed(got), printed(want); a != b {
		return fmt.Sprintf("with the prefilter:\n%swithout:\n%s", a, b)
	}
	return ""
}

// printed is a decision with everything that anybody sees of it.
func printed(d policy.Decision) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v %s\n", d.Verdict, d.Note)
	for _, m := range d.Matches {
		fmt.Fprintf(&b, "%s/%s %v %q %q %q %s:%v %v\n", m.Set, m.Rule, m.Action, m.Reason, m.Suggest, m.Ref, m.Path, m.Position, m.Err)
	}
	return b.String()
}

func bashCall(command string) call.Call {
	return call.Call{
		Event: hooks.PreToolUse, Tool: "Bash", Args: map[string]any{"command": command},
		Cwd: caseProject, ProjectDir: caseProject, Home: caseHome,
	}
}

// knownCalls returns the calls of the case files, of the tests of all rules, and of
// commands.tsv.
func knownCalls(t *testing.T, sets []*policy.RuleSet) []call.Call {
	t.Helper()
	var calls []call.Call
	for _, name := range []string{"claudewatch.jsonl", "probes.jsonl"} {
		content, err := os.ReadFile(filepath.Join(casesDir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range linesOf(t, content) {
			var c struct {
				Event   json.RawMessage
				Command string
			}
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatal(err)
			}
			if c.Command != "" {
				calls = append(calls, bashCall(c.Command))
			} else if event, err := hooks.Decode(c.Event); err == nil {
				calls = append(calls, call.FromEvent(event, caseHome, caseProject))
			}
		}
	}
	for _, set := range sets {
		for _, test := range set.Tests {
			calls = append(calls, testedCall(test))
		}
	}
	content, err := os.ReadFile("commands.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range linesOf(t, content) {
		if _, command, ok := strings.Cut(string(line), "\t"); ok && line[0] != '#' {
			calls = append(calls, bashCall(command))
		}
	}
	return calls
}

// testedCall is the call of a test. One that is over has changed its files in a
// repository on main, so that rules about that have something to say.
func testedCall(test policy.Test) call.Call {
	c := call.Call{
		Event: test.On.String(), Tool: test.Tool, Args: test.Args, Cwd: caseProject, ProjectDir: caseProject, Home: caseHome,
	}
	for _, change := range test.Changes {
		c.Changes = append(c.Changes, schema.Change{Path: filepath.Join(caseProject, change.Path), Operation: change.Operation, Attribution: change.Attribution})
	}
	if test.On == policy.PostToolUse {
		repo := &schema.Repo{Root: caseProject, Branch: "main", Known: true}
		c.Repository = func(string) *schema.Repo { return repo }
	}
	return c
}

func TestThePrefilterAndTheStoredPolicyChangeNoAnswer(t *testing.T) {
	p := newPair(t, everySet(t))
	calls := knownCalls(t, p.compiled.RuleSets())
	var commands []string
	informed := 0
	for _, c := range calls {
		if difference := p.differ(c); difference != "" {
			t.Errorf("%s %v\n%s", c.Tool, c.Args, difference)
		}
		if _, d := p.stored.Judge(p.stored.Input(c), false); d.Verdict == policy.Inform {
			informed++
		}
		if command, ok := c.Args["command"].(string); ok && len(command) < 2000 {
			commands = append(commands, command)
		}
	}
	t.Logf("%d calls, %d of them over and with something to say", len(calls), informed)
	if informed == 0 {
		t.Error("no rule on PostToolUse has anything to say")
	}

	// A count that a short run can afford; CLAUDEWATCH_TEST_MUTATIONS=100000 is the full one.
	count := 3000
	if value := os.Getenv("CLAUDEWATCH_TEST_MUTATIONS"); value != "" {
		if _, err := fmt.Sscan(value, &count); err != nil {
			t.Fatal(err)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	matched := 0
	for range count {
		command := mutated(random, commands)
		c := bashCall(command)
		if random.IntN(20) == 0 {
			c.Tool = "PowerShell"
		}
		if difference := p.differ(c); difference != "" {
			t.Errorf("%q\n%s", command, difference)
		}
		if _, d := p.stored.Judge(p.stored.Input(c), false); d.Verdict != policy.None {
			matched++
		}
	}
	t.Logf("%d mutated commands, %d of them with a verdict", count, matched)
	if matched < count/10 {
		t.Error("the mutations are too far from what the rules are about")
	}
}

// mutated returns one of the commands written in another way, or made another one.
func mutated(r *rand.Rand, commands []string) string {
	pick := func() string { return commands[r.IntN(len(commands))] }
	command := pick()
	for range 1 + r.IntN(3) {
		command = mutations[r.IntN(len(mutations))](r, command, pick)
	}
	return command
}

// mutations are ways to write a command differently: quoting, letter case, white
// space, continued lines, wrapping, joining and cutting.
var mutations = []func(r *rand.Rand, command string, other func() string) string{
	inside(func(a, b string) string { return a + `''` + b }),
	inside(func(a, b string) string { return a + `""` + b }),
	inside(func(a, b string) string { return a + `\` + b }),
	inside(func(a, b string) string { return a + "\\\n" + b }),
	inside(func(a, b string) string { return a + " " + b }),
	inside(func(a, b string) string { return a + "$x" + b }),
	inside(func(a, b string) string { return a + "${x:-}" + b }),
	inside(func(a, b string) string { return a + "$(:)" + b }),
	inside(func(a, b string) string { return a + "*" + b }),
	word(func(w string) string { return `"` + w + `"` }),
	word(func(w string) string { return `'` + w + `'` }),
	word(func(w string) string { return `$'` + w + `'` }),
	word(strings.ToUpper),
	word(func(w string) string { return w[:1] + `'` + w[1:] + `'` }),
	word(func(w string) string { return "/usr/bin/" + w }),
	word(func(w string) string { return `"$(echo ` + w + `)"` }),
	word(func(w string) string { return w + "=x" }),
	word(func(w string) string { return w[:(len(w)+1)/2] }),
	word(func(w string) string { return "{" + w + ",x}" }),
	func(r *rand.Rand, c string, _ func() string) string { return strings.ReplaceAll(c, " ", "\t ") },
	func(r *rand.Rand, c string, _ func() string) string { return strings.ReplaceAll(c, " ", " \\\n ") },
	func(r *rand.Rand, c string, _ func() string) string { return "x=" + quote(c) + "; eval $x" },
	func(r *rand.Rand, c string, _ func() string) string { return "bash -c " + quote(c) },
	func(r *rand.Rand, c string, _ func() string) string { return "sudo -u root env A=1 " + c },
	func(r *rand.Rand, c string, _ func() string) string { return "timeout 5 nohup " + c + " &" },
	func(r *rand.Rand, c string, _ func() string) string { return "ssh host " + quote(c) },
	func(r *rand.Rand, c string, _ func() string) string { return "if true; then " + c + "; fi" },
	func(r *rand.Rand, c string, _ func() string) string { return "f() { " + c + "; }; f" },
	func(r *rand.Rand, c string, _ func() string) string { return "bash <<'E'\n" + c + "\nE\n" },
	func(r *rand.Rand, c string, _ func() string) string { return `echo "$(` + c + `)"` },
	func(r *rand.Rand, c string, _ func() string) string {
		return "python3 -c " + quote("import os; os.system("+fmt.Sprintf("%q", c)+")")
	},
	func(r *rand.Rand, c string, _ func() string) string { return "cat > a.py <<'E'\n" + c + "\nE" },
	func(r *rand.Rand, c string, _ func() string) string { return "echo " + quote(c) },
	func(r *rand.Rand, c string, other func() string) string { return c + " && " + other() },
	func(r *rand.Rand, c string, other func() string) string { return c + " | " + other() },
	func(r *rand.Rand, c string, other func() string) string { return "cd /tmp; " + c + "\n" + other() },
	func(r *rand.Rand, c string, other func() string) string {
		a, b := strings.Fields(c), strings.Fields(other())
		return strings.Join(append(a[:r.IntN(len(a)+1)], b[r.IntN(len(b)+1):]...), " ")
	},
}

// inside changes the text at a place of a command.
func inside(change func(before, after string) string) func(*rand.Rand, string, func() string) string {
	return func(r *rand.Rand, command string, _ func() string) string {
		i := r.IntN(len(command) + 1)
		return change(command[:i], command[i:])
	}
}

// word changes one word of a command.
func word(change func(string) string) func(*rand.Rand, string, func() string) string {
	return func(r *rand.Rand, command string, _ func() string) string {
		words := strings.Split(command, " ")
		if i := r.IntN(len(words)); words[i] != "" {
			words[i] = change(words[i])
		}
		return strings.Join(words, " ")
	}
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
