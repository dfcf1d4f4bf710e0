package doctor

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/install"
	"github.com/google/go-cmp/cmp"
)

func TestTheProgramThatRunsIsChecked(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		mode os.FileMode
		want string
	}{
		"another version":        {say, 0o755, "warn HOME/claudewatch: v9, and this program () is v1.2.3\n  → claudewatch install"},
		"that says something":    {"echo hello", 0o755, "fail HOME/claudewatch: does not say its version: it prints"},
		"that fails":             {"exit 3", 0o755, "fail HOME/claudewatch: does not say its version: exit status 3"},
		"not to be run":          {say, 0o644, "fail HOME/claudewatch: is not a program that can be run"},
		"that anybody may write": {say, 0o757, "fail HOME/claudewatch: every user of the machine can write to it"},
	} {
		t.Run(name, func(t *testing.T) {
			m := machine(t)
			program := script(t, m.Environment.Home, c.text)
			if err := os.Chmod(program, c.mode); err != nil {
				t.Fatal(err)
			}
			m.install(t, install.User, program)
			contains(t, m, programs, c.want)
		})
	}
	m := machine(t)
	program := script(t, m.Environment.Home, say)
	m.Executable = program
	write(t, m.file(t, install.User), hookSettings(map[string]any{"command": "~/claudewatch hook"}), 0o600)
	contains(t, m, programs, "ok HOME/claudewatch: v1.2.3, this program")

	m = machine(t)
	m.install(t, install.User, "/nowhere/claudewatch")
	contains(t, m, programs, "fail /nowhere/claudewatch: ", "Claude Code blocks every call (before 2.1.295 it lets them through)")
	write(t, m.file(t, install.User), hookSettings(map[string]any{"command": "/nowhere/claudewatch hook"}), 0o600)
	m.found = nil
	contains(t, m, programs, "fail /nowhere/claudewatch: ", "Claude Code lets every call through")

	m = machine(t)
	t.Setenv("PATH", t.TempDir())
	write(t, m.file(t, install.User), hookSettings(map[string]any{"command": "claudewatch hook"}), 0o600)
	contains(t, m, programs, "fail claudewatch: is not found by PATH")

	m = machine(t)
	write(t, m.file(t, install.User), hookSettings(map[string]any{"command": "claudewatch hook || true"}), 0o600)
	contains(t, m, programs, "warn which program runs cannot be told from claudewatch hook || true")
}

func TestTheCanariesShowWhatTheInstalledCommandAnswers(t *testing.T) {
	const deny = `printf '{"hookSpecificOutput":{"permissionDecision":"deny"}}'; exit 2`
	const ask = `printf '{"hookSpecificOutput":{"permissionDecision":"ask"}}'`
	for name, c := range map[string]struct{ text, want string }{
		"right":                  {`e=$(cat); case $e in *PreToolUse*force*) ` + deny + `;; *PreToolUse*commit*) ` + ask + `;; esac`, "ok HOME/claudewatch hook (HOME/.claude/settings.json): denies, asks, and is silent where it should be"},
		"silent":                 {"cat >/dev/null", "2 of 10 answers are wrong\n  git push --force: want block, got allow\n  git commit: want ask, got allow\n  → claudewatch install"},
		"denies everything":      {"echo why >&2; exit 2", "git status: want allow, got deny: why"},
		"answers other events":   {`e=$(cat); case $e in *force*) ` + deny + `;; *commit*) ` + ask + `;; *SessionEnd*) echo hello;; esac`, "an event SessionEnd: want allow, got none"},
		"writes where it should": {`test "$HOME" = "$WANT" && case $CLAUDEWATCH_HOME in "$HOME"*) exit 9;; esac; test "$CLAUDEWATCH_LOG" = off || exit 9; exit 2`, "git status: want allow, got deny"},
	} {
		t.Run(name, func(t *testing.T) {
			m := machine(t)
			t.Setenv("WANT", m.Environment.Home)
			m.install(t, install.User, script(t, m.Environment.Home, c.text))
			contains(t, m, canary, c.want)
		})
	}
	m := machine(t)
	write(t, m.file(t, install.User), hookSettings(map[string]any{"command": script(t, m.Environment.Home, "cat >/dev/null"), "args": []string{"hook", "--only", "guard-main"}}), 0o600)
	contains(t, m, canary, "ok ")
}

func TestWhatAProjectBringsIsNotRunUnlessItIsTrusted(t *testing.T) {
	m := machine(t)
	ran := filepath.Join(m.Environment.Home, "ran")
	script(t, filepath.Dir(m.Environment.ProjectDir), "touch "+ran)
	for name, hook := range map[string]map[string]any{
		"a program of the project": {"command": script(t, m.Environment.ProjectDir, "touch "+ran), "args": []string{"hook"}},
		"by a variable":            {"command": "${CLAUDE_PROJECT_DIR}/claudewatch", "args": []string{"hook"}},
		"by a relative path":       {"command": "./claudewatch hook"},
		"beside the project":       {"command": "${CLAUDE_PROJECT_DIR}/../claudewatch", "args": []string{"hook"}},
		"shell text":               {"command": "touch " + ran + "; claudewatch hook"},
		"that hides a program":     {"command": "$(touch " + ran + ")/claudewatch hook"},
	} {
		for _, scope := range []install.Scope{install.Project, install.Local} {
			m.found = nil
			write(t, m.file(t, scope), hookSettings(hook), 0o600)
			findings := Run(context.Background(), m)
			told := false
			for _, f := range findings {
				told = told || f.Check == "canary" && f.Status == Warn && strings.Contains(f.Message, "was not run")
			}
			if _, err := os.Stat(ran); err == nil || !told {
				t.Errorf("%s, %s: it was run: %v\n%+v", name, scope, err == nil, findings)
				os.Remove(ran)
			}
			os.Remove(m.file(t, scope))
		}
	}
	write(t, m.file(t, install.Project), hookSettings(map[string]any{"command": "./claudewatch hook"}), 0o600)
	m.found, m.TrustProject = nil, true
	contains(t, m, canary, "fail ")

	// The program of the user's own settings is known.
	m = machine(t)
	program := script(t, m.Environment.Home, "cat >/dev/null")
	m.install(t, install.User, program)
	m.install(t, install.Local, program)
	contains(t, m, canary, "fail HOME/claudewatch hook (PROJECT/.claude/settings.local.json): 2 of 10")
}

func TestACommandThatSetsWhereItWritesIsNotRun(t *testing.T) {
	m := machine(t)
	write(t, m.file(t, install.User), hookSettings(map[string]any{"command": "CLAUDEWATCH_LOG=/x claudewatch hook"}), 0o600)
	contains(t, m, canary, "warn CLAUDEWATCH_LOG=/x claudewatch hook", "was not run: its text sets where claudewatch reads and writes")
}

func TestTheInstalledCommandIsTestedAsItStands(t *testing.T) {
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
			func(p string) map[string]any {
				return map[string]any{"command": filepath.Dir(p) + "/gone/claudewatch hook; exit 2"}
			},
			"0/3", []string{"want allow, got deny: pass plan", `want a line on stderr that begins with "BLOCKED [guard-main]: ": stop`},
		},
	} {
		m := machine(t)
		program := script(t, m.Environment.Home, "exit 0")
		write(t, m.file(t, install.User), hookSettings(c.hook(program)), 0o600)
		findings := hookCorpus(context.Background(), m)
		if len(findings) != 1 || !strings.HasPrefix(findings[0].Message, c.message+"  ") || (findings[0].Status == OK) != (c.details == nil) {
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
	write(t, m.file(t, install.User), hookSettings(map[string]any{"command": "/b/claudewatch hook"}), 0o600)
	write(t, m.file(t, install.Project), hookSettings(map[string]any{"command": "/b/claudewatch hook"}), 0o600)
	write(t, m.file(t, install.Local), hookSettings(map[string]any{"command": "sh guard-main.sh"}), 0o600)
	var got []string
	for _, h := range m.installations().distinct() {
		got = append(got, filepath.Base(h.place.path)+": "+h.String())
	}
	if diff := cmp.Diff([]string{"settings.local.json: sh guard-main.sh", "settings.json: /b/claudewatch hook"}, got); diff != "" {
		t.Error(diff)
	}
}
