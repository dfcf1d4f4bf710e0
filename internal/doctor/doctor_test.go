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
	"github.com/google/go-cmp/cmp"
)

func write(t *testing.T, path, content string, mode os.FileMode) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// settings returns Claude Code's settings with one hook before tool calls.
func settings(hook map[string]any) string {
	hook["type"] = "command"
	text, _ := json.Marshal(map[string]any{
		"model": "x",
		"hooks": map[string]any{"PreToolUse": []any{map[string]any{"matcher": "*", "hooks": []any{hook}}}},
	})
	return string(text)
}

// machine has a home, a project and a corpus of one entry for each guard and one
// of another set.
func machine(t *testing.T) *Machine {
	t.Helper()
	event := json.RawMessage(`{"tool_name":"Bash"}`)
	return &Machine{
		Environment: config.Environment{Home: t.TempDir(), ProjectDir: t.TempDir()},
		Corpora: []*corpus.Corpus{{Path: "c.jsonl", Entries: []corpus.Entry{
			{ID: "pass", Class: "c", Hook: "guard-main", Verdict: corpus.Allow, Event: event},
			{ID: "stop", Class: "c", Hook: "guard-main", Verdict: corpus.Block, Event: event},
			{ID: "plan", Class: "c", Hook: "require-plan", Verdict: corpus.Allow, Event: event},
			{ID: "other", Class: "c", Hook: "watch-git", Verdict: corpus.Ask, Event: event},
		}}},
	}
}

func (m *Machine) userSettings() string {
	return filepath.Join(m.Environment.Home, ".claude", "settings.json")
}

func TestNothingInstalledIsSaidWithWhatToDo(t *testing.T) {
	m := machine(t)
	write(t, m.userSettings(), settings(map[string]any{"command": "prettier --check"}), 0o600)
	findings := Run(context.Background(), m)
	if len(findings) != 1 || findings[0].OK || findings[0].Remedy == "" || findings[0].Check != "hook corpus" ||
		!strings.Contains(findings[0].Message, m.userSettings()) {
		t.Errorf("got %+v", findings)
	}
}

func TestTheInstalledCommandIsTestedAsItStands(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs of this test are shell scripts")
	}
	for name, c := range map[string]struct {
		hook    func(program string) map[string]any
		message string
		details []string
	}{
		"arguments": {
			func(p string) map[string]any { return map[string]any{"command": p, "args": []string{"hook"}} },
			"2/3", []string{"want block, got allow: stop"},
		},
		"shell text": {
			func(p string) map[string]any { return map[string]any{"command": "'" + p + "' hook"} },
			"2/3", []string{"want block, got allow: stop"},
		},
		"home": {
			func(string) map[string]any { return map[string]any{"command": "~/claudewatch hook"} },
			"2/3", []string{"want block, got allow: stop"},
		},
		"one set": {
			func(p string) map[string]any {
				return map[string]any{"command": p, "args": []string{"hook", "--only", "require-plan"}}
			},
			"1/1", nil,
		},
		"a program that is gone": {
			func(p string) map[string]any { return map[string]any{"command": p + "-gone hook; exit 2"} },
			"0/3", []string{"want allow, got deny: pass plan", `want a line on stderr that begins with "BLOCKED [guard-main]: ": stop`},
		},
	} {
		m := machine(t)
		program := write(t, filepath.Join(m.Environment.Home, "claudewatch"), "#!/bin/sh\nexit 0\n", 0o755)
		write(t, m.userSettings(), settings(c.hook(program)), 0o600)
		findings := Run(context.Background(), m)
		if len(findings) != 1 || !strings.HasPrefix(findings[0].Message, c.message+"  ") || findings[0].OK != (c.details == nil) || findings[0].OK != (findings[0].Remedy == "") {
			t.Errorf("%s: got %+v", name, findings)
			continue
		}
		if diff := cmp.Diff(c.details, findings[0].Details); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestEachInstalledCommandIsFoundOnce(t *testing.T) {
	m := machine(t)
	write(t, m.userSettings(), settings(map[string]any{"command": "/b/claudewatch", "args": []string{"hook"}}), 0o600)
	project := filepath.Join(m.Environment.ProjectDir, ".claude")
	write(t, filepath.Join(project, "settings.json"), settings(map[string]any{"command": "/b/claudewatch hook"}), 0o600)
	write(t, filepath.Join(project, "settings.local.json"), settings(map[string]any{"command": "sh guard-main.sh"}), 0o600)
	commands, problems := m.installedCommands()
	var got []string
	for _, c := range commands {
		got = append(got, filepath.Base(c.path)+": "+c.command.String())
	}
	if diff := cmp.Diff([]string{"settings.json: /b/claudewatch hook", "settings.local.json: sh guard-main.sh"}, got); diff != "" || problems != nil {
		t.Error(diff, problems)
	}
}

func TestASettingsFileThatIsNoJSONIsAFinding(t *testing.T) {
	m := machine(t)
	write(t, m.userSettings(), "{", 0o600)
	findings := Run(context.Background(), m)
	if len(findings) != 2 || findings[0].OK || !strings.Contains(findings[0].Message, m.userSettings()) || findings[0].Remedy == "" {
		t.Errorf("got %+v", findings)
	}
}

func TestHooksOfOtherShapesAreNoCommands(t *testing.T) {
	for _, source := range []string{
		`{}`, `{"hooks":null}`, `{"hooks":{"PreToolUse":[{"matcher":"Bash"}]}}`, `{"hooks":{"PostToolUse":[{"hooks":[{"type":"command","command":"claudewatch hook"}]}]}}`,
		`{"hooks":{"PreToolUse":[{"hooks":[{"type":"prompt","prompt":"claudewatch"},{"type":"command"}]}]}}`,
	} {
		if commands, err := hookCommands([]byte(source)); err != nil || commands != nil {
			t.Errorf("%s: %v, %v", source, commands, err)
		}
	}
}
