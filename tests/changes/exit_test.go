package changes_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/changes/record"
)

// sessionEvents are the events of a session in which everything happens.
func sessionEvents(root string) []map[string]any {
	event := func(name string, more map[string]any) map[string]any {
		e := map[string]any{"session_id": "s", "cwd": root, "hook_event_name": name}
		maps.Copy(e, more)
		return e
	}
	shell := shellInput("toolu_1", "make")
	after := maps.Clone(shell)
	after["tool_response"] = shellResponse
	failed := shellInput("toolu_2", "make")
	failed["error"] = "Exit code 2"
	odd := shellInput("toolu_3", "make")
	odd["tool_response"] = []any{1, "x", nil, map[string]any{}}
	write := map[string]any{"tool_name": "Write", "tool_use_id": "toolu_4", "tool_input": map[string]any{"file_path": filepath.Join(root, "a"), "content": "1"}}
	written := maps.Clone(write)
	written["tool_response"] = map[string]any{"type": "create", "filePath": filepath.Join(root, "a"), "content": "1", "structuredPatch": []any{}, "originalFile": nil}
	oddly := maps.Clone(write)
	oddly["tool_response"] = map[string]any{"filePath": 1, "structuredPatch": "x", "originalFile": []any{}}
	return []map[string]any{
		event("SessionStart", nil), event("UserPromptSubmit", nil),
		event("PreToolUse", shell), event("PostToolUse", after), event("PreToolUse", failed), event("PostToolUseFailure", failed),
		event("PreToolUse", odd), event("PostToolUse", odd),
		event("PreToolUse", write), event("PostToolUse", written), event("PostToolUse", oddly),
		event("PreToolUse", shellInput("toolu_5", "ls")), event("PostToolUse", shellInput("toolu_5", "ls")),
		event("SubagentStop", map[string]any{"agent_id": "a1"}), event("Stop", nil), event("SessionEnd", nil), event("SomethingNew", nil),
	}
}

func TestTheHookSucceedsWhateverTheRecorderMeets(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(m *machine)
		// quiet is set when nothing is wrong, and nothing is said.
		quiet bool
	}{
		{"nothing is wrong", func(*machine) {}, true},
		{"there is no environment at all", func(m *machine) {
			m.without = []string{"HOME", "USERPROFILE", "CLAUDE_PLUGIN_DATA", "CLAUDE_PROJECT_DIR"}
		}, false},
		{"there is no home", func(m *machine) { m.without = []string{"HOME", "USERPROFILE"} }, false},
		{"there is no project", func(m *machine) { m.without = []string{"CLAUDE_PROJECT_DIR"} }, true},
		{"the data directory is a file", func(m *machine) { spoil(m, m.data, "") }, false},
		{"the state is a file", func(m *machine) { spoil(m, filepath.Join(m.data, "state"), "") }, true},
		{"the settings are broken", func(m *machine) { spoil(m, filepath.Join(m.data, "settings.yaml"), "{[") }, true},
		{"the project is gone", func(m *machine) { _ = os.RemoveAll(m.root) }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			directory := t.TempDir()
			root := filepath.Join(directory, "project")
			if err := os.MkdirAll(root, 0o700); err != nil {
				t.Fatal(err)
			}
			m := newMachine(t, directory, root)
			c.spoil(m)
			for i, e := range sessionEvents(root) {
				run := m.hook(e, 0)
				if run.exit != 0 || run.stdout != "" {
					t.Errorf("event %d, %s: exit status %d, stdout %q", i, e["hook_event_name"], run.exit, run.stdout)
				}
				if strings.Contains(run.stderr, "internal fault") || strings.Contains(run.stderr, "goroutine") {
					t.Errorf("event %d, %s: %s", i, e["hook_event_name"], run.stderr)
				}
				if c.quiet && run.stderr != "" {
					t.Errorf("event %d, %s: stderr %q", i, e["hook_event_name"], run.stderr)
				}
			}
		})
	}
}

func spoil(m *machine, path, content string) {
	if err := os.RemoveAll(path); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

func TestTheRecordsOfARecordedSession(t *testing.T) {
	directory, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(directory, "project")
	if err := os.MkdirAll(root, 0o700); err != nil {
		t.Fatal(err)
	}
	m := newMachine(t, directory, root)
	for _, e := range sessionEvents(root)[:10] {
		if e["tool_use_id"] == "toolu_1" && e["hook_event_name"] == "PostToolUse" {
			if err := os.WriteFile(filepath.Join(root, "made"), []byte("1"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if e["hook_event_name"] == "PostToolUse" && e["tool_name"] == "Write" {
			if err := os.WriteFile(filepath.Join(root, "a"), []byte("1"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		m.hook(e, 0)
	}
	var got []string
	for r, err := range record.Read(record.Path(m.data, "s", "main")) {
		if err != nil {
			t.Fatal(err)
		}
		text := r.ID + " " + r.Basis
		for _, c := range r.Changes {
			text += " " + c.Operation + " " + c.Path
		}
		got = append(got, text)
	}
	want := "toolu_1 tool_window create made, toolu_2 tool_window, toolu_3 tool_window, toolu_4 runtime_reported create a"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("%s, want %s", text, want)
	}
	if _, err := os.Stat(filepath.Join(root, ".claude")); err == nil {
		t.Error("something of ours is in the project")
	}
}
