package doctor

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/compiled"
	"github.com/claudewatch/claudewatch/internal/decisionlog"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/install"
)

const ruleSet = "name: mine\nrules:\n  ask:\n    - {name: deploy, when: 'input.commands.exists(c, c.runs(\"deploy\"))', reason: goes live}\n"

func TestTheSettingsAndRuleSetsAreChecked(t *testing.T) {
	m := machine(t)
	contains(t, m, settings, "ok there are none")
	contains(t, m, ruleSets, " are valid")

	m = machine(t)
	env := m.Environment
	write(t, env.SettingsFile(), "deny_exit: 2\ncompound_ask: maybe\nchanges: {size_cap: none}\n", 0o600)
	write(t, filepath.Join(env.Watches(), "mine.yml"), strings.Replace(ruleSet, "c.runs", "c.rnus", 1), 0o600)
	contains(t, m, settings, "fail HOME/.claude/claudewatch/settings.yaml:2:15: ", "settings.yaml:3:", "→ an entry that cannot be read is ignored")
	contains(t, m, ruleSets, "fail HOME/.claude/claudewatch/watches/mine.yml:4:", "→ a rule that cannot be used blocks every call")

	m = machine(t)
	env = m.Environment
	write(t, filepath.Join(env.Changes(), "settings.yaml"), "size_cap: none\n", 0o600)
	write(t, filepath.Join(env.ProjectDir, ".claude", "claudewatch", "watches", "theirs.yml"), "rules: [", 0o600)
	contains(t, m, settings, "fail HOME/.claude/claudewatch/changes/settings.yaml:1:")
	contains(t, m, ruleSets, "fail PROJECT/.claude/claudewatch/watches/theirs.yml:1:")
}

func TestTheEnvironmentIsChecked(t *testing.T) {
	m := machine(t)
	contains(t, m, environment, "ok settings, rule sets and records are in HOME/.claude/claudewatch")
	m.Environment.ClaudewatchHome = "watch"
	contains(t, m, environment, `fail CLAUDEWATCH_HOME is "watch", a relative path`)
	m.Environment.ClaudewatchHome, m.Environment.Home = "", ""
	contains(t, m, environment, "fail neither HOME nor CLAUDEWATCH_HOME is set")

	m = machine(t)
	write(t, m.file(t, install.User), `{"env": {"CLAUDEWATCH_LOG": "/var/log/x", "PATH": "/bin"}}`, 0o600)
	contains(t, m, environment, "warn the settings of Claude Code give the hook another environment", "CLAUDEWATCH_LOG=/var/log/x (HOME/.claude/settings.json)", "→ run doctor with the same: CLAUDEWATCH_LOG=/var/log/x claudewatch doctor")
	log := "/var/log/x"
	m.Environment.Log = &log
	if got := lines(m, environment); strings.Contains(got, "warn") {
		t.Error(got)
	}

	m = machine(t)
	t.Setenv("PATH", t.TempDir())
	contains(t, m, gitProgram, "warn git is not found by PATH", "→ install git")
}

func TestTheCacheIsChecked(t *testing.T) {
	m := machine(t)
	contains(t, m, cache, "ok nothing to keep")
	file := write(t, filepath.Join(m.Environment.Watches(), "mine.yml"), ruleSet, 0o600)
	contains(t, m, cache, "ok none yet of HOME/.claude/claudewatch/watches")
	engine.Open(m.Environment, engine.Selection{Stored: true}) // as the hook does
	contains(t, m, cache, "ok fresh: HOME/.claude/claudewatch/watches")
	write(t, file, ruleSet+"# changed\n", 0o600)
	contains(t, m, cache, "ok of HOME/.claude/claudewatch/watches: the rule files have been changed since they were compiled")
	stored, err := filepath.Glob(filepath.Join(m.Environment.Cache(), "*"))
	if err != nil || len(stored) != 1 {
		t.Fatal(stored, err)
	}
	write(t, stored[0], "no cache", 0o600)
	contains(t, m, cache, "the next call compiles it anew")
	if runtime.GOOS != "windows" {
		write(t, stored[0], "x", 0o622)
		contains(t, m, cache, "fail of HOME/.claude/claudewatch/watches: "+compiled.ErrForeign.Error(), "→ delete HOME/.claude/claudewatch/cache")
	}
}

func TestTheDecisionLogIsChecked(t *testing.T) {
	m := machine(t)
	path := filepath.Join(m.Environment.Directory(), "decisions.jsonl")
	contains(t, m, decisionLog, "ok HOME/.claude/claudewatch/decisions.jsonl: nothing is logged yet")
	if err := decisionlog.Append(path, decisionlog.Record{Tool: "Bash"}); err != nil {
		t.Fatal(err)
	}
	contains(t, m, decisionLog, "ok HOME/.claude/claudewatch/decisions.jsonl: 0.0 MB")
	if err := os.Truncate(path, maxLog+1); err != nil {
		t.Fatal(err)
	}
	contains(t, m, decisionLog, "warn HOME/.claude/claudewatch/decisions.jsonl: 104.9 MB", "→ claudewatch log reset")
	write(t, path, `{"schema":1}`+"\n", 0o600)
	contains(t, m, decisionLog, "warn HOME/.claude/claudewatch/decisions.jsonl is a decision log of schema 1", "→ to keep it under a name of its own: claudewatch log reset")
	os.Remove(path)
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	contains(t, m, decisionLog, "fail HOME/.claude/claudewatch/decisions.jsonl is not a regular file")
	off := "off"
	m.Environment.Log = &off
	contains(t, m, decisionLog, "ok switched off")
}

func TestTheChangeRecordsAreChecked(t *testing.T) {
	m := machine(t)
	contains(t, m, changeRecords, "ok HOME/.claude/claudewatch/changes: nothing is recorded yet")
	write(t, filepath.Join(m.Environment.Changes(), "log", "plugin.log"), "what went wrong\n", 0o600)
	contains(t, m, changeRecords, "ok HOME/.claude/claudewatch/changes\n  what went wrong is in HOME/.claude/claudewatch/changes/log/plugin.log")
	m = machine(t)
	write(t, m.Environment.Changes(), "a file", 0o600)
	contains(t, m, changeRecords, "fail HOME/.claude/claudewatch/changes is not a directory")
}

func TestThePermissionsOfFilesAreChecked(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permissions as on Unix")
	}
	m := machine(t)
	env := m.Environment
	for path, mode := range map[string]os.FileMode{
		env.SettingsFile():                                        0o646,
		filepath.Join(env.Watches(), "mine.yml"):                  0o664,
		filepath.Join(env.Watches(), "fine.yml"):                  0o644,
		filepath.Join(env.Directory(), "decisions.jsonl"):         0o644,
		filepath.Join(env.Changes(), "output", "s", "main.jsonl"): 0o640,
	} {
		write(t, path, "", mode)
	}
	for _, directory := range []string{filepath.Dir(env.Directory()), env.Directory(), env.Watches(), env.Changes(), filepath.Join(env.Changes(), "output"), filepath.Join(env.Changes(), "output", "s")} {
		if err := os.Chmod(directory, 0o711); err != nil {
			t.Fatal(err)
		}
	}
	got := lines(m, fileModes)
	want := `fail 1 file can be written by everybody on this machine, who so decide what is judged and recorded
  HOME/.claude/claudewatch/settings.yaml
  → chmod o-w FILE
warn 1 file can be written by your group
  HOME/.claude/claudewatch/watches/mine.yml
  → chmod g-w FILE, unless the group is you alone
warn 2 files of what was recorded can be read by others
  HOME/.claude/claudewatch/changes/output/s/main.jsonl
  HOME/.claude/claudewatch/decisions.jsonl
  → chmod go= FILE
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	// Whoever cannot get into a directory cannot get at its files.
	if err := os.Chmod(env.Directory(), 0o700); err != nil {
		t.Fatal(err)
	}
	contains(t, m, fileModes, "ok nobody else can write")
	if err := os.Chmod(filepath.Dir(m.file(t, install.User)), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, m.file(t, install.User), "{}", 0o666)
	m.found = nil
	contains(t, m, fileModes, "fail 2 files can be written by everybody", "HOME/.claude\n", "HOME/.claude/settings.json")
}

func TestTheChecksWriteNothing(t *testing.T) {
	m := machine(t)
	write(t, filepath.Join(m.Environment.Watches(), "mine.yml"), ruleSet, 0o600)
	write(t, m.file(t, install.User), hookSettings(map[string]any{"command": script(t, m.Environment.Home, say), "args": []string{"hook"}}), 0o600)
	tree := func() string {
		var b strings.Builder
		for _, root := range []string{m.Environment.Home, m.Environment.ProjectDir} {
			_ = filepath.WalkDir(root, func(path string, entry os.DirEntry, _ error) error {
				info, err := entry.Info()
				if err != nil {
					t.Error(err)
					return nil
				}
				b.WriteString(path + " " + info.Mode().String() + " " + info.ModTime().String() + "\n")
				return nil
			})
		}
		return b.String()
	}
	before := tree()
	Run(context.Background(), m)
	if after := tree(); after != before {
		t.Errorf("before\n%safter\n%s", before, after)
	}
}
