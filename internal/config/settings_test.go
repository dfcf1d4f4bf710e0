package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gopkg.in/yaml.v3"
)

func TestSettingsOfTheReference(t *testing.T) {
	got := config.ParseSettings("settings.yaml", []byte(`
enable: [guard-main, require-plan]     # shipped sets that are off by default
disable: [watch-dotnet]                # sets to leave out (user scope only)
rules:                                 # per rule: block | ask | off (user scope only)
  watch-git/git commit: off
compound_ask: ask                      # deny | ask
deny_exit: 0                           # 2 | 0
wrappers: {rtk: 0, "run2": 2}
project_watches: false
log: ~/cw.jsonl
changes: {edits: all}
`))
	want := &config.Settings{
		Document:    config.Document{Path: "settings.yaml"},
		Enable:      []config.Name{{Position: policy.Position{Line: 2, Column: 10}, Name: "guard-main"}, {Position: policy.Position{Line: 2, Column: 22}, Name: "require-plan"}},
		Disable:     []config.Name{{Position: policy.Position{Line: 3, Column: 11}, Name: "watch-dotnet"}},
		Rules:       []config.RuleSetting{{Position: policy.Position{Line: 5, Column: 3}, Set: "watch-git", Rule: "git commit", Action: policy.Off}},
		CompoundAsk: policy.AskVerdict, DenyExit: 0, Wrappers: map[string]int{"rtk": 0, "run2": 2}, ProjectWatches: false, Log: "~/cw.jsonl",
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(config.Document{}, config.Settings{}), cmpopts.IgnoreFields(config.Settings{}, "Changes")); diff != "" {
		t.Error(diff)
	}
	if got.Changes == nil || got.Changes.Kind != yaml.MappingNode || got.Changes.Line != 11 {
		t.Errorf("changes: %+v", got.Changes)
	}
}

// values leaves out of settings what is not a value.
var values = cmp.Options{
	cmpopts.IgnoreUnexported(config.Document{}, config.Settings{}),
	cmpopts.IgnoreFields(config.Settings{}, "Document", "Changes"),
	ignorePositions,
}

func TestSettingsThatSayNothingAreTheDefaults(t *testing.T) {
	for _, source := range []string{"", "\n", "# only a comment\n", "---\n", "null\n", "{}", "\xef\xbb\xbf", "enable:\nrules:\nlog:\ndeny_exit: ~\n", "deny_exit: 2\nlog: on\nproject_watches: yes\n"} {
		got := config.ParseSettings("settings.yaml", []byte(source))
		if diff := cmp.Diff(config.DefaultSettings(), got, values); diff != "" || got.Diagnostics != nil {
			t.Errorf("%q: %s%v", source, diff, got.Diagnostics)
		}
	}
}

func TestABadEntryIsLeftOutAndReported(t *testing.T) {
	enabled := []config.Name{{Name: "guard-main"}}
	for _, c := range []struct {
		name, source string
		change       func(*config.Settings)
		want         []string
	}{
		{"an unknown key", "enabled: [x]\nenable: guard-main\n", func(s *config.Settings) { s.Enable = enabled },
			[]string{"settings.yaml:1:1: unknown key 'enabled' in the settings (did you mean 'enable'?) [settings-key]"}},
		{"a value that is no choice", "compound_ask: dney\ndeny_exit: 3\nproject_watches: maybe\nenable: [guard-main]\n", func(s *config.Settings) { s.Enable = enabled },
			[]string{
				"settings.yaml:1:15: 'compound_ask' must be deny or ask, not 'dney' (did you mean 'deny'?) [settings-value]",
				"settings.yaml:2:12: 'deny_exit' must be 2 or 0, not '3' [settings-value]",
				"settings.yaml:3:18: 'project_watches' must be true, false, on, off, yes or no, not 'maybe' [settings-value]",
			}},
		{"a list entry", "disable: [watch-git, {a: b}, '', ~]\nenable: {guard-main: yes}\n",
			func(s *config.Settings) { s.Disable = []config.Name{{Name: "watch-git"}} },
			[]string{
				"settings.yaml:1:22: 'disable' takes names of sets, not a mapping [settings-value]",
				"settings.yaml:1:30: 'disable' takes names of sets, not nothing [settings-value]",
				"settings.yaml:1:34: 'disable' takes names of sets, not nothing [settings-value]",
				"settings.yaml:2:9: 'enable' takes names of sets, not a mapping [settings-value]",
			}},
		{"rules", "rules:\n  git commit: off\n  a/b: bock\n  a/c: block\n  /d: off\n  [x]: off\n  a/e: [off]\n",
			func(s *config.Settings) { s.Rules = []config.RuleSetting{{Set: "a", Rule: "c", Action: policy.Block}} },
			[]string{
				"settings.yaml:6:3: a key of 'rules' must be a string, not a list [settings-key]",
				"settings.yaml:2:3: 'git commit' must name a rule as SET/RULE [settings-value]",
				"settings.yaml:3:8: 'a/b' must be block, ask or off, not 'bock' (did you mean 'block'?) [settings-value]",
				"settings.yaml:5:3: '/d' must name a rule as SET/RULE [settings-value]",
				"settings.yaml:7:8: 'a/e' must be block, ask or off, not a list [settings-value]",
			}},
		{"rules of another type", "rules: [a/b]\n", nil, []string{"settings.yaml:1:8: 'rules' must be a mapping of SET/RULE to block, ask or off, not a list [settings-value]"}},
		{"wrappers", "wrappers: {a: 1, b: x, c: -1, d: 999, /bin/e: 0, f: [0]}\n", func(s *config.Settings) { s.Wrappers = map[string]int{"a": 1} },
			[]string{
				"settings.yaml:1:21: 'b' must be the number of operands that come before the command, 0 to 20, not 'x' [settings-value]",
				"settings.yaml:1:27: 'c' must be the number of operands that come before the command, 0 to 20, not '-1' [settings-value]",
				"settings.yaml:1:34: 'd' must be the number of operands that come before the command, 0 to 20, not '999' [settings-value]",
				"settings.yaml:1:39: '/bin/e' must be the name of a program, without a directory [settings-value]",
				"settings.yaml:1:53: 'f' must be the number of operands that come before the command, 0 to 20, not a list [settings-value]",
			}},
		{"wrappers of another type", "wrappers: rtk\n", nil, []string{"settings.yaml:1:11: 'wrappers' must be a mapping of a program to its number of operands, not 'rtk' [settings-value]"}},
		{"log", "log: [a]\n", nil, []string{"settings.yaml:1:6: 'log' must be on, off or a path, not a list [settings-value]"}},
		{"a key twice", "log: off\nlog: on\n", func(s *config.Settings) { s.Log = "off" },
			[]string{"settings.yaml:2:1: 'log' stands twice in the settings: the first counts [settings-key]"}},
		{"not a mapping", "- enable\n", nil, []string{"settings.yaml:1:1: settings must be a mapping of keys to values, not a list [settings-yaml]"}},
		{"not YAML in one entry", "enable: [guard-main]\nrules:\n  a/b: off\n  a/c: {off\nlog: off\n",
			func(s *config.Settings) { s.Enable = enabled; s.Log = "off" },
			[]string{"settings.yaml:4:8: not YAML, and left out: the bracket { is never closed [settings-yaml]"}},
		{"an end that is missing", "# sets\ndisable: [watch-git\n\n# more\nenable: [guard-main]\n", func(s *config.Settings) { s.Enable = enabled },
			[]string{"settings.yaml:2:10: not YAML, and left out: the bracket [ is never closed [settings-yaml]"}},
		{"two documents", "enable: [guard-main]\n---\nlog: off\n", func(s *config.Settings) { s.Enable = enabled; s.Log = "off" }, nil},
		{"not YAML at all", "{{{{", nil, []string{"settings.yaml:1:4: not YAML, and left out: the bracket { is never closed [settings-yaml]"}},
		{"a tab in the indentation", "enable: [guard-main]\nwrappers:\n\ttimeout: 1\n", func(s *config.Settings) { s.Enable = enabled },
			[]string{"settings.yaml:3:1: not YAML, and left out: a tab in the indentation, where only spaces may stand [settings-yaml]"}},
		{"a tab in front of a key", "enable: [guard-main]\n\tlog: off\n", nil,
			[]string{"settings.yaml:2:1: not YAML, and left out: a tab in the indentation, where only spaces may stand [settings-yaml]"}},
		{"an unknown alias", "enable: *sets\ndisable: [watch-git]\n", func(s *config.Settings) { s.Disable = []config.Name{{Name: "watch-git"}} },
			[]string{"settings.yaml:1:1: not YAML, and left out: unknown anchor 'sets' referenced [settings-yaml]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := config.DefaultSettings()
			if c.change != nil {
				c.change(want)
			}
			got := config.ParseSettings("settings.yaml", []byte(c.source))
			if diff := cmp.Diff(want, got, values); diff != "" {
				t.Error(diff)
			}
			var texts []string
			for _, d := range got.Diagnostics {
				texts = append(texts, d.String())
				if d.Severity != policy.Error || d.SourceLine != strings.Split(c.source, "\n")[d.Line-1] {
					t.Errorf("severity %s, source line %q", d.Severity, d.SourceLine)
				}
			}
			if diff := cmp.Diff(c.want, texts); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLoadSettings(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "settings.yaml")
	for _, missing := range []string{"", path} {
		if s := config.LoadSettings(missing); s.Diagnostics != nil || s.DenyExit != 2 {
			t.Errorf("%q: %+v", missing, s)
		}
	}
	if err := os.WriteFile(path, []byte("deny_exit: 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s := config.LoadSettings(path); s.DenyExit != 0 || s.Diagnostics != nil {
		t.Errorf("%+v", s)
	}
	dangling := filepath.Join(dir, "dangling")
	if err := os.Symlink(filepath.Join(dir, "missing"), dangling); err != nil {
		t.Fatal(err)
	}
	for _, unreadable := range []string{dir, dangling, "/dev/zero"} {
		s := config.LoadSettings(unreadable)
		if diff := cmp.Diff(config.DefaultSettings(), s, values); diff != "" {
			t.Errorf("%s: %s", unreadable, diff)
		}
		if len(s.Diagnostics) != 1 || s.Diagnostics[0].Severity != policy.Error || s.Diagnostics[0].Path != unreadable {
			t.Errorf("%s: %v", unreadable, s.Diagnostics)
		}
	}
}

func FuzzParseSettings(f *testing.F) {
	for _, s := range []string{"enable: [a]\n", "a: &a [*a]\n", "rules:\n  a/b: off\n---\n? [x]\n: y\n", "wrappers: {<<: *x}", "\"a\": {", "enable: &x [*x]\ndisable: *x", "a: !!binary x\nlog: \xff"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		s := config.ParseSettings("settings.yaml", source)
		if s.DenyExit != 0 && s.DenyExit != 2 || s.CompoundAsk != policy.Deny && s.CompoundAsk != policy.AskVerdict || s.Log == "" {
			t.Errorf("%+v", s)
		}
		for _, d := range s.Diagnostics {
			if d.Severity != policy.Error || d.Message == "" || d.Line < 1 || d.Column < 1 {
				t.Errorf("%+v", d)
			}
		}
	})
}
