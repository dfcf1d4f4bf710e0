package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
)

// answer is everything that the hook says about a command.
func answer(env config.Environment, s engine.Selection, command string) string {
	e := engine.Open(env, s)
	_, d := e.Judge(e.Input(call.Call{
		Event: "PreToolUse", Tool: "Bash", Args: map[string]any{"command": command},
		Cwd: env.ProjectDir, ProjectDir: env.ProjectDir, Home: env.Home,
	}), false)
	text := fmt.Sprintf("%v %v\n", d.Verdict, d.Note)
	for _, m := range d.Matches {
		text += fmt.Sprintf("%s/%s %v %q %q %q %s:%v %v\n", m.Set, m.Rule, m.Action, m.Reason, m.Suggest, m.Ref, m.Path, m.Position, m.Err)
	}
	return text + fmt.Sprint(e.Warnings())
}

func TestTheStoredPolicySaysWhatTheRuleFilesSay(t *testing.T) {
	own := "name: own\nvariables: {m: 'input.commands.filter(c, c.program == \"make\")'}\nrules:\n  block:\n" +
		"    - {name: make, when: 'variables.m.size() > 0', reason: r, message: '\"not \" + variables.m[0].text'}\n" +
		"    - {name: fails, when: 'input.args[\"x\"] == 1', reason: r}\n"
	for name, c := range map[string]struct {
		files map[string]string
		s     engine.Selection
	}{
		"the shipped sets":         {},
		"rules of the user":        {files: map[string]string{"cw/watches/own.yml": own}},
		"rules of the project":     {files: map[string]string{"project/.claude/claudewatch/watches/own.yml": own}},
		"the same name twice":      {files: map[string]string{"cw/watches/own.yml": own, "project/.claude/claudewatch/watches/own.yml": own}},
		"a shipped name":           {files: map[string]string{"cw/watches/a.yml": "name: watch-git\nrules:\n  ask:\n    - {name: x, pattern: zzz, reason: r}\n"}},
		"a broken file":            {files: map[string]string{"cw/watches/own.yml": own, "cw/watches/broken.yml": "name: broken\nrules: [\n"}},
		"a broken rule":            {files: map[string]string{"cw/watches/own.yml": "name: b\nnonsense: 1\nrules:\n  block:\n    - {name: r, when: input.nothing, reason: r}\n"}},
		"a set that is off":        {files: map[string]string{"cw/watches/own.yml": own, "cw/settings.yaml": "disable: [own]\n"}},
		"a broken set that is off": {files: map[string]string{"cw/watches/b.yml": "name: b\ndefault: off\nrules:\n  block:\n    - {name: r, when: input.nothing, reason: r}\n"}},
		"a rule that is off":       {files: map[string]string{"cw/watches/own.yml": own, "cw/settings.yaml": "rules: {own/fails: off, own/make: ask, watch-git/git commit: block}\n"}},
		"only some sets":           {s: engine.Selection{Only: []string{"watch-aws", "guard-main"}}},
		"only one that is not":     {s: engine.Selection{Only: []string{"watch-gti"}}},
		"a given path":             {files: map[string]string{"given/own.yml": own}, s: engine.Selection{Paths: []string{"given", "given/own.yml", "missing.yml"}}},
	} {
		t.Run(name, func(t *testing.T) {
			env := machine(t, c.files)
			root := filepath.Dir(env.Home)
			for i, path := range c.s.Paths {
				c.s.Paths[i] = filepath.Join(root, path)
			}
			for _, command := range []string{"ls", "make all", "git push --force", "git commit -m x && make", "aws s3 rm s3://b/k"} {
				c.s.Stored = false
				want := answer(env, c.s, command)
				c.s.Stored = true
				for _, cache := range []string{"cold", "warm"} {
					if got := answer(env, c.s, command); got != want {
						t.Errorf("%s, %s:\n%s\nwant\n%s", command, cache, got, want)
					}
				}
			}
		})
	}
}

func TestSettingsApplyWithoutCompiling(t *testing.T) {
	env := machine(t, map[string]string{"cw/watches/own.yml": "name: own\nrules:\n  block:\n    - {name: make, pattern: '^make', reason: r}\n"})
	s := engine.Selection{Stored: true}
	if got := answer(env, s, "make"); got[:4] != "deny" {
		t.Error(got)
	}
	caches, err := filepath.Glob(filepath.Join(env.Cache(), "*"))
	if err != nil || len(caches) != 1 {
		t.Fatal(caches, err)
	}
	before, err := os.Stat(caches[0])
	if err != nil {
		t.Fatal(err)
	}
	for settings, want := range map[string]string{"rules: {own/make: ask}\n": "ask ", "disable: [own]\n": "none", "{}\n": "deny"} {
		if err := os.WriteFile(env.SettingsFile(), []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := answer(env, s, "make"); got[:4] != want {
			t.Errorf("%q: %s", settings, got)
		}
	}
	if after, err := os.Stat(caches[0]); err != nil || !os.SameFile(before, after) {
		t.Error("the rules were compiled again", err)
	}
}
