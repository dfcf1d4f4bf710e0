package changes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const reference = `roots: [/work, ~/other]
exclude: {defaults: none, add: [data, /gen/], remove: []}
read_only: {enabled: false}
tools: {scope: [Bash]}
edits: subagents
retention: {idle: 90s, ttl: 24h}
scan_timeout: 5s
size_cap: 4096
`

func TestSettingsOfTheRecorder(t *testing.T) {
	b := newBench(t)
	want := &Settings{
		Roots: []string{"/work", filepath.Join(b.env.Home, "other")}, Exclusions: Exclusions{Defaults: "none", Add: []string{"data", "/gen/"}},
		Scope: []string{"Bash"}, SubagentEdits: true, Idle: 90 * time.Second, TTL: 24 * time.Hour, ScanTimeout: 5 * time.Second, SizeCap: 4096,
	}
	ignorePath := cmpopts.IgnoreFields(Settings{}, "Path")
	b.settings(reference)
	own := config.ParseSettings("settings.yaml", []byte("changes: {size_cap: 1}\n"))
	got := LoadSettings(b.data, own, b.env)
	if diff := cmp.Diff(want, got, ignorePath); diff != "" || got.Path != filepath.Join(b.data, "settings.yaml") {
		t.Errorf("the file beside the records: %s, %s", got.Path, diff)
	}
	indented := "changes:\n  " + strings.ReplaceAll(reference, "\n", "\n  ")
	got = LoadSettings(filepath.Join(b.data, "none"), config.ParseSettings("settings.yaml", []byte(indented)), b.env)
	if diff := cmp.Diff(want, got, ignorePath); diff != "" || got.Path != "settings.yaml" {
		t.Errorf("claudewatch's own settings: %s, %s", got.Path, diff)
	}
	for _, own := range []*config.Settings{nil, config.DefaultSettings(), config.ParseSettings("s", []byte("changes: {}")), config.ParseSettings("s", []byte("changes:"))} {
		if diff := cmp.Diff(DefaultSettings(), LoadSettings(filepath.Join(b.data, "none"), own, b.env), ignorePath); diff != "" {
			t.Error(diff)
		}
	}
}

func TestABadEntryIsLeftOutAndReportedWithItsLine(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
		// same is a text that says the same without the bad entry.
		same string
	}{
		{"size_cap: many\nedits: subagents\n", []string{"1:11: 'size_cap' must be a number of bytes, 0 to 67108864, not 'many'"}, "edits: subagents"},
		{"size_cap: -1\n", []string{"1:11: 'size_cap' must be a number of bytes, 0 to 67108864, not '-1'"}, ""},
		{"scan_timeout: 30\n", []string{"1:15: 'scan_timeout' must be a time with its unit, such as 90s, 30m or 720h, not '30'"}, ""},
		{"retention: {idle: 0s, ttl: 1h, other: 1}\n", []string{
			"1:19: 'idle' must be a time with its unit, such as 90s, 30m or 720h, not '0s'",
			"1:32: unknown key 'other' in 'retention'"}, "retention: {ttl: 1h}"},
		{"edits: none\n", []string{"1:8: 'edits' must be all or subagents, not 'none'"}, ""},
		{"read_only: {enabled: maybe}\n", []string{"1:22: 'enabled' must be true, false, on, off, yes or no, not 'maybe'"}, ""},
		{"read_only: false\n", []string{"1:12: 'read_only' must be a mapping of keys to values, not 'false'"}, ""},
		{"tools: {scope: {Bash: true}}\n", []string{"1:16: 'scope' takes names of tools, not a mapping"}, ""},
		{"tools: {scope: [Bash, [x]]}\n", []string{"1:23: 'scope' takes names of tools, not a list"}, "tools: {scope: Bash}"},
		{"roots: [relative, /a, {}, /a/]\n", []string{
			"1:9: 'roots' takes absolute paths, and paths that begin with ~/, not 'relative'",
			"1:23: 'roots' takes paths of directories, not a mapping"}, "roots: /a"},
		{"exclude: {defaults: all, add: [ok, '..', 'a[']}\n", []string{
			"1:21: 'defaults' must be standard-v1 or none, not 'all'",
			"1:36: exclusion \"..\": no name of a directory; write a name such as node_modules, /data or vendor/bundle",
			"1:42: exclusion \"a[\": the pattern is broken; close its brackets and braces"}, "exclude: {add: [ok]}"},
		{"exclude: {remove: [node_module]}\n", []string{"1:20: exclusion \"node_module\": no rule of standard-v1 has that name; take it out of remove"}, ""},
		{"sizecap: 1\n\nedits: subagents\n", []string{"1:1: unknown key 'sizecap' in the settings of the change recorder (did you mean 'size_cap'?)"}, "edits: subagents"},
		{"roots: [/a\nedits: subagents\n", []string{"1:8: not YAML, and left out: the bracket [ is never closed"}, "edits: subagents"},
		{"- list\n", []string{"1:1: settings of the change recorder must be a mapping of keys to values, not a list"}, ""},
	} {
		b := newBench(t)
		b.settings(c.text)
		got := LoadSettings(b.data, nil, b.env)
		var problems []string
		for _, d := range got.Diagnostics {
			text := strings.TrimPrefix(d.String(), got.Path+":")
			problems = append(problems, text[:strings.LastIndex(text, " [")])
			if d.SourceLine == "" {
				t.Errorf("%q: %s is without its line", c.text, d)
			}
		}
		if diff := cmp.Diff(c.want, problems); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
		b.settings(c.same)
		if diff := cmp.Diff(LoadSettings(b.data, nil, b.env), got, cmpopts.IgnoreFields(Settings{}, "Diagnostics")); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

func TestABadSettingIsInTheLog(t *testing.T) {
	b := newBench(t)
	b.settings("size_cap: many\n")
	b.pre("a")
	b.post("a")
	if strings.Count(b.log(), "settings.yaml:1:11: 'size_cap' must be a number") != 1 || len(b.records()) != 1 {
		t.Errorf("the log says %q", b.log())
	}
}

func TestWhichCallsAreObserved(t *testing.T) {
	b := newBench(t)
	call := func(tool, id, command string) []*record.Record {
		e := Event{Name: "PreToolUse", Tool: tool, ToolUseID: id, Args: map[string]any{"command": command}, Effects: effects(command)}
		b.hook(e)
		e.Name = "PostToolUse"
		return b.hook(e)
	}
	for _, c := range []struct{ settings, tool, command, want string }{
		{"", "Bash", "make", "tool_window"},
		{"", "PowerShell", "make", "tool_window"},
		{"", "Monitor", "make", "tool_window"},
		{"", "Bash", "ls", "skipped_read_only"},
		{"", "Read", "", ""},
		{"", "mcp__server__tool", "", ""},
		{"read_only: {enabled: false}", "Bash", "ls", "tool_window"},
		{"tools: {scope: [PowerShell]}", "Bash", "make", ""},
		{"tools: {scope: [mcp__server__tool]}", "mcp__server__tool", "", "tool_window"},
		{"tools: {scope: []}", "Bash", "make", ""},
	} {
		b.settings(c.settings)
		got := ""
		for _, r := range call(c.tool, c.tool+c.command+c.settings, c.command) {
			got += r.Basis
			if r.Policy == nil || r.Policy.ReadOnly != "readonly-v1" || len(r.Policy.Expanded) < 10 || r.Root == nil {
				t.Errorf("%+v: %+v", c, r)
			}
		}
		if got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	b.quiet()
}

func TestOurOwnFilesAreNotObserved(t *testing.T) {
	b := newBench(t)
	// Claude Code was started in the home directory.
	b.env.PluginData = ""
	b.env.Home = b.root
	b.data = filepath.Join(b.root, ".claude", "claudewatch", "changes")
	b.settings("roots: [" + b.root + "]")
	b.pre("a")
	b.write("x", "1")
	b.post("a")
	b.event("Stop")
	if diff := cmp.Diff([]string{"a: returned +x"}, b.lines()); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(strings.Join(b.record("a").Policy.Expanded, " "), "/.claude/claudewatch") {
		t.Errorf("%q", b.record("a").Policy.Expanded)
	}
	b.quiet()
}

func TestADirectoryIsOneRootHoweverItIsReached(t *testing.T) {
	b := newBench(t)
	b.pre("a")
	link := b.root + "-link"
	if err := os.Symlink(b.root, link); err != nil {
		t.Skip(err)
	}
	b.env.ProjectDir = link
	b.write("x", "1")
	b.post("a")
	if r := b.record("a"); line(r) != "a: returned +x" || r.Root.Path != b.root {
		t.Errorf("%s %+v", line(r), r.Root)
	}
}
