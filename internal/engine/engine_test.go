package engine_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/policy"
)

// machine is an environment on temporary folders.
func machine(t *testing.T, files map[string]string) config.Environment {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return config.Environment{
		Home: filepath.Join(root, "home"), ClaudewatchHome: filepath.Join(root, "cw"), ProjectDir: filepath.Join(root, "project"),
	}
}

func judge(env config.Environment, s engine.Selection, command string) policy.Decision {
	e := engine.Open(env, s)
	_, decision := e.Judge(e.Input(call.Call{
		Event: "PreToolUse", Tool: "Bash", Args: map[string]any{"command": command},
		Cwd: env.ProjectDir, ProjectDir: env.ProjectDir, Home: env.Home,
	}), false)
	return decision
}

func TestProjectRulesOnlyTighten(t *testing.T) {
	env := machine(t, map[string]string{
		// A set of the same name that allows everything, settings that switch off.
		"project/.claude/claudewatch/watches/watch-git.yml": "name: watch-git\nrules:\n  ask:\n    - {name: x, pattern: zzz, reason: r}\n",
		"project/.claude/claudewatch/settings.yaml":         "disable: [watch-git]\n",
		"project/.claude/claudewatch/watches/own.yml":       "name: own\nrules:\n  block:\n    - {name: make, pattern: '^make', reason: r}\n",
	})
	if d := judge(env, engine.Selection{}, "git push --force"); d.Verdict != policy.Deny {
		t.Errorf("git push --force: %v", d)
	}
	if d := judge(env, engine.Selection{}, "make"); d.Verdict != policy.Deny || d.Matches[0].Set != "own" {
		t.Errorf("make: %v", d)
	}
}

func TestProjectWatchesCanBeSwitchedOff(t *testing.T) {
	env := machine(t, map[string]string{
		"project/.claude/claudewatch/watches/own.yml": "name: own\nrules:\n  block:\n    - {name: make, pattern: '^make', reason: r}\n",
		"cw/settings.yaml":                            "project_watches: false\n",
	})
	if d := judge(env, engine.Selection{}, "make"); d.Verdict != policy.None {
		t.Errorf("%v", d)
	}
}

func TestAnUnknownNameInOnlyDenies(t *testing.T) {
	d := judge(machine(t, nil), engine.Selection{Only: []string{"watch-gti"}}, "ls")
	if d.Verdict != policy.Deny || !strings.Contains(d.Matches[0].Reason, "watch-git") {
		t.Errorf("%v", d)
	}
}

func TestSettingsChangeSetsAndRules(t *testing.T) {
	env := machine(t, map[string]string{
		"cw/settings.yaml": "disable: [watch-aws]\nrules:\n  watch-git/git commit: block\n  watch-git/git push --force: ask\n",
	})
	for command, want := range map[string]policy.Verdict{
		"aws s3 rm s3://b/k": policy.None,
		"git commit -m x":    policy.Deny,
		"git push --force":   policy.AskVerdict,
	} {
		if d := judge(env, engine.Selection{}, command); d.Verdict != want {
			t.Errorf("%s: %v, want %v", command, d, want)
		}
	}
}

func TestTheTestsOfASetAreAboutItsFileNotTheSettings(t *testing.T) {
	env := machine(t, map[string]string{
		"cw/settings.yaml":    "rules:\n  own/make: off\n  own/ship: ask\n",
		"cw/watches/own.yml":  "name: own\nrules:\n  block:\n    - {name: make, pattern: '^make', reason: r, ref: u}\n    - {name: ship, pattern: '^ship', reason: r, ref: u}\ntests:\n  - {command: make, expect: block, rule: make}\n  - {command: ship, expect: block, rule: ship}\n  - {command: ls, expect: allow}\n",
		"cw/watches/fail.yml": "name: fail\nrules:\n  block:\n    - {name: x, pattern: '^x', reason: r, ref: u}\ntests:\n  - {command: y, expect: block}\n",
	})
	e := engine.Open(env, engine.Selection{})
	failed := 0
	results := e.RunTests(func(set *policy.RuleSet, _ policy.Test) bool { return set.Name == "own" || set.Name == "fail" })
	for _, r := range results {
		if !r.Passed() {
			failed++
			if r.Set != "fail" {
				t.Errorf("%s: %s", r.Test.Name, r.Problem)
			}
		}
	}
	if len(results) != 4 || failed != 1 {
		t.Errorf("%d tests, %d failed", len(results), failed)
	}
	for _, d := range e.TestFindings() {
		if strings.Contains(d.Path, "own.yml") || strings.Contains(d.Path, "fail.yml") && d.Severity != policy.Error {
			t.Errorf("%v", d)
		}
	}
	for command, want := range map[string]policy.Verdict{"make": policy.None, "ship": policy.AskVerdict} {
		if d := judge(env, engine.Selection{}, command); d.Verdict != want {
			t.Errorf("the hook forgets the settings: %s: %v", command, d)
		}
	}
}

func TestAnUnknownNameInOnlyIsAnErrorOfTheSelection(t *testing.T) {
	env := machine(t, map[string]string{"cw/watches/deploy.yml": "name: deploy\nrules: {}\n"})
	if err := engine.Open(env, engine.Selection{Only: []string{"depoy"}}).SelectionError(); err == nil || err.Error() != "--only: there is no rule set 'depoy' (did you mean 'deploy'?)" {
		t.Errorf("%v", err)
	}
	if err := engine.Open(env, engine.Selection{Only: []string{"deploy"}}).SelectionError(); err != nil {
		t.Errorf("%v", err)
	}
	if d := judge(env, engine.Selection{Only: []string{"depoy"}}, "ls"); d.Verdict != policy.Deny || d.Matches[0].Set != "--only" || strings.Contains(d.Matches[0].Reason, "--only") {
		t.Errorf("the hook: %v", d)
	}
}

func TestABrokenRuleSetDeniesAndTheOthersStillRun(t *testing.T) {
	env := machine(t, map[string]string{"cw/watches/broken.yml": "name: broken\nrules: [\n"})
	d := judge(env, engine.Selection{}, "git push --force")
	sets := make([]string, 0, len(d.Matches))
	for _, m := range d.Matches {
		sets = append(sets, m.Set)
	}
	if d.Verdict != policy.Deny || !slices.Contains(sets, "broken") || !slices.Contains(sets, "watch-git") {
		t.Errorf("%v", d)
	}
}

func TestOrdinaryCallsAreNotInterrupted(t *testing.T) {
	e := engine.Open(machine(t, nil), engine.Selection{})
	for _, in := range engine.OrdinaryInputs() {
		if _, d := e.Judge(in, false); d.Verdict != policy.None {
			t.Errorf("%s: %v", in.Effects().Command, d)
		}
	}
}
