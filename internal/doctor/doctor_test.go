package doctor

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/corpus"
	"github.com/claudewatch/claudewatch/internal/install"
	"github.com/google/go-cmp/cmp"
)

func write(t *testing.T, path, content string, mode os.FileMode) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil { // whatever the umask is
		t.Fatal(err)
	}
	return path
}

// hookSettings returns Claude Code's settings with one hook before tool calls.
func hookSettings(hook map[string]any) string {
	hook["type"] = "command"
	text, _ := json.Marshal(map[string]any{
		"model": "x",
		"hooks": map[string]any{"PreToolUse": []any{map[string]any{"matcher": "*", "hooks": []any{hook}}}},
	})
	return string(text)
}

// machine has a home, a project, no managed settings, and a corpus of one entry for
// each guard and one of another set.
func machine(t *testing.T) *Machine {
	t.Helper()
	event := json.RawMessage(`{"tool_name":"Bash"}`)
	home := t.TempDir()
	return &Machine{
		Environment: config.Environment{Home: home, ProjectDir: t.TempDir(), ManagedSettings: filepath.Join(home, "managed", "managed-settings.json")},
		Version:     "v1.2.3",
		Corpora: []*corpus.Corpus{{Path: "c.jsonl", Entries: []corpus.Entry{
			{ID: "pass", Class: "c", Hook: "guard-main", Verdict: corpus.Allow, Event: event},
			{ID: "stop", Class: "c", Hook: "guard-main", Verdict: corpus.Block, Event: event},
			{ID: "plan", Class: "c", Hook: "require-plan", Verdict: corpus.Allow, Event: event},
			{ID: "other", Class: "c", Hook: "watch-git", Verdict: corpus.Ask, Event: event},
		}}},
	}
}

func (m *Machine) file(t *testing.T, scope install.Scope) string {
	t.Helper()
	f, err := m.settings().File(scope)
	if err != nil {
		t.Fatal(err)
	}
	return f.Path
}

// install puts the hooks of a program into settings as the command install does.
func (m *Machine) install(t *testing.T, scope install.Scope, program string) {
	t.Helper()
	f, err := m.settings().File(scope)
	if err == nil {
		_, err = f.Install(program, false)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// script is a program named claudewatch that is a shell script.
func script(t *testing.T, directory, text string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs of this test are shell scripts")
	}
	return write(t, filepath.Join(directory, "claudewatch"), "#!/bin/sh\n"+text+"\n", 0o755)
}

// say is a program that prints a version and answers every event with silence.
const say = `case $1 in version) echo "claudewatch v9 go os/arch";; esac`

// lines returns findings as lines with their status, message, details and remedy.
func lines(m *Machine, check func(context.Context, *Machine) []Finding) string {
	var b strings.Builder
	for _, f := range check(context.Background(), m) {
		b.WriteString(string(f.Status) + " " + f.Message)
		for _, d := range f.Details {
			b.WriteString("\n  " + d)
		}
		if f.Remedy != "" {
			b.WriteString("\n  → " + f.Remedy)
		}
		b.WriteByte('\n')
	}
	text := strings.ReplaceAll(b.String(), m.Environment.ProjectDir, "PROJECT")
	if m.Environment.Home == "" {
		return text
	}
	return strings.ReplaceAll(text, m.Environment.Home, "HOME")
}

// contains checks that the findings of a check have all these texts in them.
func contains(t *testing.T, m *Machine, check func(context.Context, *Machine) []Finding, wants ...string) {
	t.Helper()
	got := lines(m, check)
	for _, want := range wants {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestEveryCheckHasAResultOnAFreshMachineAndOnlyTheInstallationFails(t *testing.T) {
	m := machine(t)
	seen := map[string]Status{}
	for _, f := range Run(context.Background(), m) {
		seen[f.Check] = f.Status
		if (f.Remedy == "") != (f.Status == OK) {
			t.Errorf("%s: %s with the remedy %q", f.Check, f.Status, f.Remedy)
		}
		if f.Status == Fail && f.Check != "installed" {
			t.Errorf("%s: %s", f.Check, f.Message)
		}
	}
	for _, c := range Checks {
		if _, ok := seen[c.Name]; !ok && !strings.Contains("program events timeout on failure canary hook corpus", c.Name) {
			t.Errorf("%s says nothing", c.Name)
		}
	}
	var left []string
	_ = filepath.WalkDir(m.Environment.Home, func(path string, _ os.DirEntry, _ error) error {
		left = append(left, path)
		return nil
	})
	if len(left) != 1 {
		t.Errorf("the checks wrote %v", left[1:])
	}
}

func TestNothingInstalledIsSaidWithWhatToDo(t *testing.T) {
	m := machine(t)
	write(t, m.file(t, install.User), hookSettings(map[string]any{"command": "prettier --check"}), 0o600)
	contains(t, m, installed, "fail no hook of claudewatch is installed", "HOME/.claude/settings.json", "PROJECT/.claude/settings.local.json", "→ claudewatch install")
	contains(t, m, otherHooks, "ok 1 of others", "PreToolUse *: prettier --check (HOME/.claude/settings.json)")
}

func TestWhereItIsInstalledIsSaid(t *testing.T) {
	m := machine(t)
	for _, scope := range install.Scopes {
		m.install(t, scope, "/opt/claudewatch")
	}
	want := `ok managed settings: HOME/managed/managed-settings.json
ok local settings: PROJECT/.claude/settings.local.json
ok project settings: PROJECT/.claude/settings.json
ok user settings: HOME/.claude/settings.json
`
	if diff := cmp.Diff(want, lines(m, installed)); diff != "" {
		t.Error(diff)
	}
	m = machine(t)
	m.install(t, install.User, "/opt/claudewatch")
	m.install(t, install.Project, "/usr/bin/claudewatch")
	contains(t, m, installed, "warn claudewatch runs more than once for PreToolUse, ", "/usr/bin/claudewatch hook", "→ take one out")
}

func TestAPluginCountsWhenItIsOn(t *testing.T) {
	hooks, err := os.ReadFile("../../hooks/hooks.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		list, settings string
		found          bool
	}{
		"version 2":                 {`{"version": 2, "plugins": {"claudewatch@team": [{"scope": "user", "installPath": "ROOT"}]}}`, `{"enabledPlugins": {"claudewatch@team": true}}`, true},
		"version 1":                 {`{"version": 1, "plugins": {"claudewatch@team": {"installPath": "ROOT"}}}`, `{"enabledPlugins": {"claudewatch@team": true}}`, true},
		"switched off":              {`{"version": 2, "plugins": {"claudewatch@team": [{"installPath": "ROOT"}]}}`, `{"enabledPlugins": {"claudewatch@team": false}}`, false},
		"not named in the settings": {`{"version": 2, "plugins": {"claudewatch@team": [{"installPath": "ROOT"}]}}`, `{}`, false},
		"another one":               {`{"version": 2, "plugins": {"other@claudewatch": [{"installPath": "ROOT"}]}}`, `{"enabledPlugins": {"other@claudewatch": true}}`, false},
		"of no known shape":         {`{"plugins": {"claudewatch@team": "ROOT", "claudewatch@x": 3}}`, `{"enabledPlugins": {"claudewatch@team": true, "claudewatch@x": true}}`, false},
	} {
		m := machine(t)
		root := filepath.Join(m.Environment.Home, "plugin")
		program := script(t, root, say)
		write(t, filepath.Join(root, "hooks", "hooks.json"), string(hooks), 0o600)
		write(t, filepath.Join(m.Environment.Home, ".claude", "plugins", "installed_plugins.json"), strings.ReplaceAll(c.list, "ROOT", root), 0o600)
		write(t, m.file(t, install.User), c.settings, 0o600)
		got := lines(m, installed)
		if want := "ok the plugin claudewatch@team: HOME/plugin/hooks/hooks.json\n"; c.found != (got == want) {
			t.Errorf("%s: %s", name, got)
		}
		if c.found {
			contains(t, m, events, "ok all 8 events")
			contains(t, m, timeouts, "ok ")
			contains(t, m, onFailure, "ok ")
			contains(t, m, programs, strings.ReplaceAll(program, m.Environment.Home, "HOME")+": v9, and this program")
			contains(t, m, changeRecords, "HOME/.claude/plugins/data/claudewatch-team")
		}
	}
}

func TestASettingsFileThatCannotBeReadIsAFinding(t *testing.T) {
	m := machine(t)
	write(t, m.file(t, install.User), "{\n", 0o600)
	if err := os.MkdirAll(m.file(t, install.Local), 0o700); err != nil {
		t.Fatal(err)
	}
	contains(t, m, installed, "fail HOME/.claude/settings.json:2:1: not valid JSON", "→ Claude Code ignores a settings file", "settings.local.json: ")
}

func TestWhatSwitchesHooksOffIsAFinding(t *testing.T) {
	m := machine(t)
	m.install(t, install.User, "/opt/claudewatch")
	contains(t, m, switchedOff, "ok ")
	m = machine(t)
	m.install(t, install.User, "/opt/claudewatch")
	write(t, m.file(t, install.Local), `{"disableAllHooks": true}`, 0o600)
	write(t, m.file(t, install.Managed), `{"allowManagedHooksOnly": true}`, 0o600)
	contains(t, m, switchedOff, "fail disableAllHooks is set in PROJECT/.claude/settings.local.json", "fail allowManagedHooksOnly is set in HOME/managed", "→ as an administrator: claudewatch install --managed")
	m = machine(t)
	write(t, m.file(t, install.Managed), `{"allowManagedHooksOnly": true}`, 0o600)
	m.install(t, install.Managed, "/opt/claudewatch")
	contains(t, m, switchedOff, "ok ")
}

func TestEventsTimesAndFailuresAreChecked(t *testing.T) {
	m := machine(t)
	m.install(t, install.Project, "/opt/claudewatch")
	contains(t, m, events, "ok all 8 events")
	contains(t, m, timeouts, "ok ")
	contains(t, m, onFailure, "ok ")

	m = machine(t)
	write(t, m.file(t, install.Project), `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "claudewatch hook", "timeout": 10}]}], "Stop": [{"hooks": [{"type": "command", "command": "claudewatch hook"}]}]}}`, 0o600)
	contains(t, m, events, "warn PostToolUse, PostToolUseFailure, SubagentStop, UserPromptSubmit, SessionStart, SessionEnd: claudewatch is not run", "fail PreToolUse: claudewatch is run for some tools only", "→ claudewatch install --project")
	contains(t, m, timeouts, "warn after 10 seconds Claude Code ends the hook", "PreToolUse: PROJECT/.claude/settings.json")
	contains(t, m, onFailure, `warn "onFailure": "block" is missing`)

	m = machine(t)
	write(t, m.file(t, install.User), `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "claudewatch", "args": ["hook"], "async": true}]}]}}`, 0o600)
	contains(t, m, events, "fail PreToolUse, ", "no call is judged")

	m = machine(t)
	write(t, m.file(t, install.User), hookSettings(map[string]any{"command": "claudewatch", "args": []string{"hook", "--only", "require-plan"}, "async": true, "onFailure": "allow"}), 0o600)
	contains(t, m, onFailure, `fail Claude Code does not wait for an "async" hook`, `→ take "async" out of the hook in HOME/.claude/settings.json`)

	m = machine(t)
	write(t, m.file(t, install.User), hookSettings(map[string]any{"command": "claudewatch", "args": []string{}, "onFailure": "allow"}), 0o600)
	contains(t, m, onFailure, `warn "onFailure" is "allow"`, `→ set it to "block" in HOME/.claude/settings.json`)
	m = machine(t)
	write(t, m.file(t, install.User), hookSettings(map[string]any{"command": "claudewatch", "args": []string{}, "if": "Bash(git *)"}), 0o600)
	contains(t, m, onFailure, `warn runs only if Bash(git *)`)
}

func TestHooksOfOthersAreNamedAndNotRun(t *testing.T) {
	m := machine(t)
	write(t, m.file(t, install.User), `{"hooks": {
		"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "touch `+m.Environment.Home+`/ran"}, {"type": "prompt", "prompt": "ok?"}]}],
		"PermissionRequest": [{"hooks": [{"type": "command", "command": "allow-all"}]}],
		"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}`, 0o600)
	contains(t, m, otherHooks, "ok 3 of others", "PreToolUse Bash: touch HOME/ran", "PreToolUse Bash: a hook of type prompt", "PermissionRequest *: allow-all")
	Run(context.Background(), m)
	if _, err := os.Stat(filepath.Join(m.Environment.Home, "ran")); err == nil {
		t.Error("a hook of somebody else was run")
	}
}

func TestHostileSettingsEndNoCheck(t *testing.T) {
	for _, source := range []string{
		"[]", "null", `{"hooks": "x"}`, `{"hooks": {"PreToolUse": "x", "Stop": [null, 3, {"hooks": "x"}, {"hooks": [null, {"type": 3, "command": ["claudewatch"]}]}]}}`,
		`{"hooks": ` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `, "env": [], "enabledPlugins": "x"}`, strings.Repeat("[", 20000), "\x00",
		`{"hooks": {"PreToolUse": [{"matcher": 7, "hooks": [{"type": "command", "command": "claudewatch", "args": [1, null]}]}]}}`,
	} {
		m := machine(t)
		write(t, m.file(t, install.User), source, 0o600)
		write(t, filepath.Join(m.Environment.Home, ".claude", "plugins", "installed_plugins.json"), source, 0o600)
		if findings := Run(context.Background(), m); len(findings) < 8 {
			t.Errorf("%.60s: %+v", source, findings)
		}
	}
}
