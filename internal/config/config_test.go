package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/testpipe"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func text(s string) *string { return &s }

func TestEnvironmentOf(t *testing.T) {
	got := config.EnvironmentOf([]string{"HOME=/home/dev", "CLAUDEWATCH_HOME=/cw", "CLAUDE_PROJECT_DIR=/p=q", "CLAUDEWATCH_LOG=", "HOME=/second", "odd"})
	want := config.Environment{Home: "/home/dev", ClaudewatchHome: "/cw", ProjectDir: "/p=q", Log: text("")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := config.EnvironmentOf(nil); got != (config.Environment{}) {
		t.Errorf("of nothing: %+v", got)
	}
}

func TestPlacesOnTheMachine(t *testing.T) {
	for _, c := range []struct {
		name                                       string
		environment                                config.Environment
		directory, settings, watches, projectWatch string
	}{
		{"nothing is known", config.Environment{}, "", "", "", ""},
		{"by default", config.Environment{Home: "/home/dev"},
			"/home/dev/.claude/claudewatch", "/home/dev/.claude/claudewatch/settings.yaml", "/home/dev/.claude/claudewatch/watches", ""},
		{"CLAUDEWATCH_HOME", config.Environment{Home: "/home/dev", ClaudewatchHome: "/cw/", ProjectDir: "/p"},
			"/cw", "/cw/settings.yaml", "/cw/watches", "/p/.claude/claudewatch/watches"},
		{"~ in CLAUDEWATCH_HOME", config.Environment{Home: "/home/dev", ClaudewatchHome: "~/cw"},
			"/home/dev/cw", "/home/dev/cw/settings.yaml", "/home/dev/cw/watches", ""},
	} {
		e := c.environment
		want := []string{c.directory, c.settings, c.watches, c.projectWatch}
		if diff := cmp.Diff(want, []string{e.Directory(), e.SettingsFile(), e.Watches(), e.ProjectWatches()}); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestWhereTheLogIs(t *testing.T) {
	const standard = "/home/dev/.claude/claudewatch/decisions.jsonl"
	for _, c := range []struct {
		variable *string
		setting  string
		want     string
	}{
		{nil, "on", standard},
		{nil, "true", standard},
		{nil, "off", ""},
		{nil, "OFF", ""},
		{nil, "false", ""},
		{nil, "/var/log/cw.jsonl", "/var/log/cw.jsonl"},
		{nil, "~/cw.jsonl", "/home/dev/cw.jsonl"},
		{nil, "cw.jsonl", "/home/dev/.claude/claudewatch/cw.jsonl"},
		{text(""), "on", ""},
		{text(" "), "on", ""},
		{text("off"), "on", ""},
		{text("0"), "/x", ""},
		{text("False"), "on", ""},
		{text("none"), "on", ""},
		{text("/tmp/a/../b.jsonl"), "off", "/tmp/b.jsonl"},
		{text("on"), "off", standard},
	} {
		e := config.Environment{Home: "/home/dev", Log: c.variable}
		s := config.DefaultSettings()
		s.Log = c.setting
		if got := e.LogFile(s); got != c.want {
			t.Errorf("CLAUDEWATCH_LOG %v, log: %s: got %q, want %q", c.variable, c.setting, got, c.want)
		}
	}
	if got := (config.Environment{}).LogFile(config.DefaultSettings()); got != "" {
		t.Errorf("without a home: %q", got)
	}
}

// tree writes files under a new directory; a name that ends in / is a directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o700); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// found is what a test compares of a policy.File; paths are relative to a root.
type found struct {
	Path, Source, Err string
	Scope             policy.Scope
}

func foundUnder(root string, files []policy.File) []found {
	var list []found
	for _, f := range files {
		g := found{Path: strings.TrimPrefix(f.Path, root+"/"), Source: string(f.Source), Scope: f.Scope}
		if f.Err != nil {
			g.Err = f.Err.Error()
		}
		list = append(list, g)
	}
	return list
}

func TestRuleFilesAreReadInTheOrderOfTheirScopes(t *testing.T) {
	root := tree(t, map[string]string{
		"cw/watches/zeta.yml":                       "z",
		"cw/watches/alpha.yaml":                     "a",
		"cw/watches/beta.yml.disabled":              "no",
		"cw/watches/.hidden.yml":                    "no",
		"cw/watches/notes.txt":                      "no",
		"cw/watches/deeper/x.yml":                   "no",
		"p/.claude/claudewatch/watches/project.yml": "p",
	})
	s := &config.Sources{
		Environment: config.Environment{ClaudewatchHome: filepath.Join(root, "cw"), ProjectDir: filepath.Join(root, "p")},
		Settings:    config.DefaultSettings(),
		Shipped: fstest.MapFS{
			"watch-git.yml": {Data: []byte("g")}, "guard-main.yml": {Data: []byte("m")}, "embed.go": {Data: []byte("no")},
		},
	}
	user := []found{
		{"watches/guard-main.yml", "m", "", policy.Shipped},
		{"watches/watch-git.yml", "g", "", policy.Shipped},
		{"cw/watches/alpha.yaml", "a", "", policy.User},
		{"cw/watches/zeta.yml", "z", "", policy.User},
	}
	all := append(user, found{"p/.claude/claudewatch/watches/project.yml", "p", "", policy.Project})
	if diff := cmp.Diff(all, foundUnder(root, s.Files())); diff != "" {
		t.Error(diff)
	}
	s.Settings.ProjectWatches = false
	if diff := cmp.Diff(user, foundUnder(root, s.Files())); diff != "" {
		t.Errorf("project_watches: false: %s", diff)
	}
	s.Given = []string{filepath.Join(root, "p/.claude/claudewatch/watches")}
	if diff := cmp.Diff([]found{{"p/.claude/claudewatch/watches/project.yml", "p", "", policy.Given}}, foundUnder(root, s.Files())); diff != "" {
		t.Errorf("a given path: %s", diff)
	}
}

func TestASessionStartedAtHomeReadsTheUsersSetsOnce(t *testing.T) {
	root := tree(t, map[string]string{"home/.claude/claudewatch/watches/a.yml": "a"})
	link := filepath.Join(root, "link")
	if err := os.Symlink(filepath.Join(root, "home"), link); err != nil {
		t.Fatal(err)
	}
	want := []found{{"home/.claude/claudewatch/watches/a.yml", "a", "", policy.User}}
	for _, project := range []string{filepath.Join(root, "home"), link} {
		s := &config.Sources{Environment: config.Environment{Home: filepath.Join(root, "home"), ProjectDir: project}, Settings: config.DefaultSettings()}
		if diff := cmp.Diff(want, foundUnder(root, s.Files())); diff != "" {
			t.Errorf("%s: %s", project, diff)
		}
	}
}

func TestGivenPaths(t *testing.T) {
	root := tree(t, map[string]string{
		"watches/a.yml": "a", "watches/b.yml": "b", "watches/c.yml.disabled": "c", "rules.txt": "r", "empty/": "",
	})
	given := func(paths ...string) []found {
		s := &config.Sources{Settings: config.DefaultSettings(), Shipped: fstest.MapFS{"no.yml": {}}}
		for _, p := range paths {
			s.Given = append(s.Given, filepath.Join(root, p))
		}
		return foundUnder(root, s.Files())
	}
	for _, c := range []struct {
		name  string
		paths []string
		want  []found
	}{
		{"a directory", []string{"watches"}, []found{{"watches/a.yml", "a", "", policy.Given}, {"watches/b.yml", "b", "", policy.Given}}},
		{"files of any name", []string{"rules.txt", "watches/c.yml.disabled"}, []found{{"rules.txt", "r", "", policy.Given}, {"watches/c.yml.disabled", "c", "", policy.Given}}},
		{"a file twice", []string{"watches/b.yml", "watches"}, []found{{"watches/b.yml", "b", "", policy.Given}, {"watches/a.yml", "a", "", policy.Given}}},
		{"a path that is not there", []string{"missing.yml", "rules.txt"}, []found{{"missing.yml", "", "no such file or directory", policy.Given}, {"rules.txt", "r", "", policy.Given}}},
		{"a file as directory", []string{"rules.txt/x.yml"}, []found{{"rules.txt/x.yml", "", "not a directory", policy.Given}}},
		{"an empty directory", []string{"empty"}, nil},
	} {
		if diff := cmp.Diff(c.want, given(c.paths...)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	s := &config.Sources{Settings: config.DefaultSettings(), Given: []string{""}}
	if files := s.Files(); len(files) != 1 || files[0].Err == nil {
		t.Errorf("an empty path: %+v", files)
	}
}

func TestARuleFileThatCannotBeReadIsInTheListWithTheReason(t *testing.T) {
	root := tree(t, map[string]string{"watches/directory.yml/": "", "watches/fine.yml": "f", "watches/huge.yml": strings.Repeat("#", policy.MaxFileSize+1)})
	watches := filepath.Join(root, "watches")
	if err := errors.Join(
		os.Symlink(filepath.Join(root, "missing"), filepath.Join(watches, "dangling.yml")),
		os.Symlink(filepath.Join(watches, "loop.yml"), filepath.Join(watches, "loop.yml")),
		os.Symlink(filepath.Join(watches, "fine.yml"), filepath.Join(watches, "link.yml")),
	); err != nil {
		t.Fatal(err)
	}
	testpipe.Make(t, filepath.Join(watches, "pipe.yml"))
	want := []found{
		{"watches/dangling.yml", "", "a symbolic link to a file that does not exist", policy.User},
		{"watches/directory.yml", "", "is a directory", policy.User},
		{"watches/fine.yml", "f", "", policy.User},
		{"watches/huge.yml", "", "more than 4194304 bytes, which is the limit", policy.User},
		{"watches/link.yml", "f", "", policy.User},
		{"watches/loop.yml", "", "too many levels of symbolic links", policy.User},
		{"watches/pipe.yml", "", "not a regular file", policy.User},
	}
	s := &config.Sources{Environment: config.Environment{ClaudewatchHome: root}, Settings: config.DefaultSettings()}
	done := make(chan []policy.File, 1)
	go func() { done <- s.Files() }()
	select {
	case files := <-done:
		if diff := cmp.Diff(want, foundUnder(root, files)); diff != "" {
			t.Error(diff)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("still waiting")
	}
}

func TestAnUnusableWatchesDirectoryIsAFault(t *testing.T) {
	root := tree(t, map[string]string{"watches": "a file"})
	s := &config.Sources{Environment: config.Environment{ClaudewatchHome: root}, Settings: config.DefaultSettings()}
	if diff := cmp.Diff([]found{{"watches", "", "not a directory", policy.User}}, foundUnder(root, s.Files())); diff != "" {
		t.Error(diff)
	}
	s.Environment.ClaudewatchHome = filepath.Join(root, "missing")
	if files := s.Files(); files != nil {
		t.Errorf("a directory that is not there: %+v", files)
	}
}

func TestWhichSetsAreOn(t *testing.T) {
	settings := config.ParseSettings("settings.yaml", []byte("enable: [guard-main, both, user-off]\ndisable: [watch-git, both, named]\n"))
	given := []string{"dir", "rules/named.yml"}
	for _, c := range []struct {
		set   policy.RuleSet
		scope policy.Scope
		only  []string
		want  bool
	}{
		{set: policy.RuleSet{Name: "watch-files", DefaultOn: true}, want: true},
		{set: policy.RuleSet{Name: "require-plan"}, want: false},
		{set: policy.RuleSet{Name: "guard-main"}, want: true},
		{set: policy.RuleSet{Name: "watch-git", DefaultOn: true}, want: false},
		{set: policy.RuleSet{Name: "both", DefaultOn: true}, want: true},
		{set: policy.RuleSet{Name: "user-off"}, scope: policy.User, want: true},
		{set: policy.RuleSet{Name: "project", DefaultOn: true}, scope: policy.Project, want: true},
		{set: policy.RuleSet{Name: "project-off"}, scope: policy.Project, want: false},
		{set: policy.RuleSet{Name: "named", Path: "rules/./named.yml"}, scope: policy.Given, want: true},
		{set: policy.RuleSet{Name: "off", Path: "dir/off.yml"}, scope: policy.Given, want: false},
		{set: policy.RuleSet{Name: "on", Path: "dir/on.yml", DefaultOn: true}, scope: policy.Given, want: true},
		{set: policy.RuleSet{Name: "require-plan"}, only: []string{"require-plan"}, want: true},
		{set: policy.RuleSet{Name: "watch-git", DefaultOn: true}, only: []string{"x", "watch-git"}, want: true},
		{set: policy.RuleSet{Name: "watch-files", DefaultOn: true}, only: []string{"x"}, want: false},
		{set: policy.RuleSet{Name: "named", Path: "rules/named.yml", DefaultOn: true}, scope: policy.Given, only: []string{"x"}, want: false},
	} {
		s := &config.Sources{Settings: settings, Only: c.only, Given: given}
		if got := s.Enabled(&c.set, c.scope); got != c.want {
			t.Errorf("%s (%s) with only %v: on %t, want %t", c.set.Name, c.scope, c.only, got, c.want)
		}
	}
}

func TestActionOfARule(t *testing.T) {
	s := &config.Sources{Settings: config.ParseSettings("settings.yaml", []byte(
		"rules:\n  watch-git/git commit: off\n  watch-files/mv a/b: block\n  watch-git/git push: Ask\n"))}
	for _, c := range []struct {
		set, rule string
		want      policy.Action
	}{
		{"watch-git", "git commit", policy.Off},
		{"watch-files", "mv a/b", policy.Block},
		{"watch-git", "git push", policy.Ask},
		{"watch-git", "git reset", policy.Keep},
		{"watch-files", "git commit", policy.Keep},
	} {
		if got := s.Action(c.set, c.rule); got != c.want {
			t.Errorf("%s/%s: %q, want %q", c.set, c.rule, got, c.want)
		}
	}
}

func TestNamesThatStandForNothingAreReported(t *testing.T) {
	settings := config.ParseSettings("settings.yaml", []byte(`enable: [gaurd-main, guard-main]
disable: [watch-git, watch-dotnte]
rules:
  watch-git/git comit: off
  watch-git/git commit: off
  wacth-git/git commit: off
`))
	loaded := []*policy.RuleSet{
		{Name: "guard-main"}, {Name: "watch-dotnet"},
		{Name: "watch-git", Rules: []*policy.Rule{{Name: "git commit"}, {Name: "git push"}}},
	}
	s := &config.Sources{Settings: settings, Only: []string{"guard-main", "gard-main"}}
	want := []string{
		"fault --only: there is no rule set 'gard-main' (did you mean 'guard-main'?) [only]",
		"error settings.yaml:1:10: there is no rule set 'gaurd-main' (did you mean 'guard-main'?) [settings-unknown]",
		"warning settings.yaml:2:22: there is no rule set 'watch-dotnte' (did you mean 'watch-dotnet'?) [settings-unknown]",
		"error settings.yaml:4:3: the set 'watch-git' has no rule 'git comit' (did you mean 'git commit'?) [settings-unknown]",
		"warning settings.yaml:6:3: there is no rule set 'wacth-git' (did you mean 'watch-git'?) [settings-unknown]",
	}
	if diff := cmp.Diff(want, strs(s.Unknown(loaded))); diff != "" {
		t.Error(diff)
	}
	s.Given = []string{"dir"}
	if diff := cmp.Diff(want[:1], strs(s.Unknown(loaded))); diff != "" {
		t.Errorf("with given paths: %s", diff)
	}
}

func strs(diagnostics []policy.Diagnostic) []string {
	var list []string
	for _, d := range diagnostics {
		list = append(list, d.Severity.String()+" "+d.String())
	}
	return list
}

var ignorePositions = cmpopts.IgnoreTypes(policy.Position{})
