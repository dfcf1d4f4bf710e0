package replay

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/transcript"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/google/go-cmp/cmp"
)

const older = `
name: old
rules:
  block:
    - {name: drop, when: 'input.commands.exists(c, c.program == "drop")', reason: r}
  ask:
    - {name: push, when: 'input.commands.exists(c, c.runs("git push"))', reason: r}
`

const newer = `
name: new
extensions: ['.py']
rules:
  block:
    - {name: push, when: 'input.commands.exists(c, c.runs("git push"))', reason: r}
    - {name: again, when: 'input.commands.exists(c, c.runs("git push"))', reason: r}
  ask:
    - {name: code, target: file-content, pattern: 'danger', reason: r}
    - {name: root, when: 'input.project_dir == "/root" && input.agent_id == "a1" && input.permission_mode == "plan"', reason: r}
`

// open returns the engine of one rule file.
func open(t *testing.T, rules string) *engine.Engine {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rules.yml")
	if err := os.WriteFile(path, []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	e := engine.Open(config.Environment{Home: "/home/dev", ClaudewatchHome: t.TempDir()}, engine.Selection{Paths: []string{path}})
	if faults := e.Faults(); len(faults) > 0 {
		t.Fatal(faults)
	}
	return e
}

func bash(command string, result *transcript.Result) *transcript.Call {
	return &transcript.Call{Tool: "Bash", Input: map[string]any{"command": command}, Cwd: "/w", Result: result}
}

func TestTwoPoliciesAreCompared(t *testing.T) {
	r := &Replay{Before: open(t, older), After: open(t, newer)}
	changes := map[string]string{}
	for _, command := range []string{"git push", "git push origin", "drop", "ls"} {
		if c, changed := r.Judge(bash(command, nil)); changed {
			changes[command] = c.Before.Verdict.String() + " " + c.After.Verdict.String()
		}
	}
	if diff := cmp.Diff(map[string]string{"git push": "ask deny", "git push origin": "ask deny", "drop": "deny none"}, changes); diff != "" {
		t.Error(diff)
	}
	verdicts := []VerdictCount{{policy.AskVerdict, policy.Deny, 2}, {policy.Deny, policy.None, 1}, {policy.None, policy.None, 1}}
	if diff := cmp.Diff(verdicts, r.Verdicts()); diff != "" {
		t.Error(diff)
	}
	rules := []RuleCount{{"new", "again", 0, 2}, {"new", "push", 0, 2}, {"old", "drop", 1, 0}, {"old", "push", 2, 0}}
	if diff := cmp.Diff(rules, r.Rules()); diff != "" {
		t.Error(diff)
	}
	if r.Calls != 4 || r.Changed != 3 {
		t.Errorf("%d calls, %d changed", r.Calls, r.Changed)
	}
}

func TestAPolicyIsComparedWithTheRecord(t *testing.T) {
	r := &Replay{After: open(t, older)}
	blocked := &transcript.Result{Content: "PreToolUse:Bash hook error: [g]: BLOCKED [x]: no", IsError: true}
	for _, c := range []struct {
		call          *transcript.Call
		changed       bool
		before, after policy.Verdict
	}{
		{bash("ls", blocked), true, policy.Deny, policy.None},
		{bash("drop", blocked), false, policy.Deny, policy.Deny},
		{bash("drop", &transcript.Result{Content: "done"}), true, policy.None, policy.Deny},
		{bash("git push", nil), true, policy.None, policy.AskVerdict},
		{bash("ls", &transcript.Result{Content: "Exit code 1", IsError: true}), false, policy.None, policy.None},
	} {
		got, changed := r.Judge(c.call)
		if changed != c.changed || got.Before.Verdict != c.before || got.After.Verdict != c.after {
			t.Errorf("%v: %t, %v to %v", c.call.Input, changed, got.Before.Verdict, got.After.Verdict)
		}
	}
}

func TestAnEditIsJudgedByItsNewTextAndNotByTheFileOfToday(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.py")
	if err := os.WriteFile(path, []byte("danger and one"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &Replay{After: open(t, newer)}
	for text, want := range map[string]policy.Verdict{"harmless": policy.None, "a danger": policy.AskVerdict} {
		c := &transcript.Call{Tool: "Edit", Input: map[string]any{"file_path": path, "old_string": "one", "new_string": text}}
		if got, _ := r.Judge(c); got.After.Verdict != want {
			t.Errorf("%s: %v, want %v", text, got.After.Verdict, want)
		}
	}
}

func TestACallIsJudgedWithWhatItsTranscriptTells(t *testing.T) {
	r := &Replay{After: open(t, newer)}
	c := bash("ls", nil)
	c.ProjectDir, c.Agent, c.PermissionMode = "/root", "a1", "plan"
	if got, _ := r.Judge(c); got.After.Verdict != policy.AskVerdict {
		t.Errorf("got %v", got.After.Verdict)
	}
	c.Agent = ""
	if got, _ := r.Judge(c); got.After.Verdict != policy.None {
		t.Errorf("got %v", got.After.Verdict)
	}
}
