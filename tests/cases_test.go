package tests

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/hooks"
	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/git/gittest"
	"github.com/claudewatch/claudewatch/policy"
)

// casesDir holds the case files, which are no part of the project: a test that
// needs them is skipped where they are absent. Their README says what they mean.
var casesDir = filepath.Join("..", "..", "shared", "cases")

// The user of the cases. What they own exists on no machine, so that nothing of
// the machine a test runs on counts.
const (
	caseHome    = "/home/dev"
	caseProject = "/home/dev/proj"
)

// difference is one line of differences.jsonl: a case whose verdict the reference
// of the rule sets asks to be another one.
type difference struct {
	ID       string `json:"id"`
	Expected string `json:"expected"`
	Got      string `json:"got"`
	Reason   string `json:"reason"`
}

// recordedCase is one line of claudewatch.jsonl.
type recordedCase struct {
	ID     string            `json:"id"`
	Watch  string            `json:"watch"`
	Event  json.RawMessage   `json:"event"`
	Env    map[string]string `json:"env"`
	Expect string            `json:"expect"`
	Setup  struct {
		RulesFile    *struct{ Name, Content string } `json:"rules_file"`
		RulesMissing bool                            `json:"rules_missing"`
		Files        map[string]string               `json:"files"`
		FixtureTree  string                          `json:"fixture_tree"`
	} `json:"setup"`
}

// probe is one line of probes.jsonl.
type probe struct {
	ID      string `json:"id"`
	Class   string `json:"class"`
	Command string `json:"command"`
	Expect  string `json:"expect"`
}

func TestRecordedCallsKeepTheirVerdicts(t *testing.T) {
	raw := readCases(t, "claudewatch.jsonl")
	sandbox := newSandbox(t)
	verdicts := newVerdicts(t)
	engines := map[string]*engine.Engine{}
	for _, line := range raw {
		var c recordedCase
		if err := json.Unmarshal(sandbox.place(line), &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		for name, content := range c.Setup.Files {
			writeFile(t, name, content)
		}
		environment := config.Environment{Home: caseHome, ClaudewatchHome: sandbox.claudewatch, ProjectDir: c.Env["CLAUDE_PROJECT_DIR"]}
		key := c.Watch + "\x00" + environment.ProjectDir
		if engines[key] == nil {
			engines[key] = engine.Open(environment, c.selection(t, sandbox))
		}
		event, err := hooks.Decode(c.Event)
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		got := judge(engines[key], call.FromEvent(event, environment.Home, environment.ProjectDir))
		verdicts.note(c.ID, c.Expect, got, got == c.Expect)
	}
	verdicts.report(0.97)
}

func TestProbes(t *testing.T) {
	raw := readCases(t, "probes.jsonl")
	verdicts := newVerdicts(t)
	e := engine.Open(config.Environment{Home: caseHome, ClaudewatchHome: t.TempDir(), ProjectDir: caseProject}, engine.Selection{})
	for _, line := range raw {
		var p probe
		if err := json.Unmarshal(line, &p); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		got := judgeCommand(e, p.Command)
		accepted := map[string][]string{"bad": {"ask", "deny"}, "ok": {"allow"}, "no-deny": {"allow", "ask"}}[p.Expect]
		verdicts.note(p.ID, p.Expect, got, got == p.Expect || slices.Contains(accepted, got))
	}
	verdicts.report(0.95)
}

// TestVerdictsOfCommands judges the commands of commands.tsv by the shipped sets.
func TestVerdictsOfCommands(t *testing.T) {
	content, err := os.ReadFile("commands.tsv")
	if err != nil {
		t.Fatal(err)
	}
	e := engine.Open(config.Environment{Home: caseHome, ClaudewatchHome: t.TempDir()}, engine.Selection{})
	seen := map[string]bool{}
	for _, line := range linesOf(t, content) {
		if line[0] == '#' {
			continue
		}
		want, command, ok := strings.Cut(string(line), "\t")
		if !ok || seen[command] {
			t.Errorf("%s: no tab, or the same command as before", line)
			continue
		}
		seen[command] = true
		if got := judgeCommand(e, command); got != want {
			t.Errorf("%s: want %s, got %s", command, want, got)
		}
	}
	t.Logf("%d commands", len(seen))
}

func TestDifferencesNameCases(t *testing.T) {
	known := map[string]bool{}
	for _, line := range append(readCases(t, "claudewatch.jsonl"), readCases(t, "probes.jsonl")...) {
		var c struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		known[c.ID] = true
	}
	for id := range newVerdicts(t).listed {
		if !known[id] {
			t.Errorf("differences.jsonl: there is no case %s", id)
		}
	}
}

// judge returns the verdict that the hook would give on a call.
func judge(e *engine.Engine, c call.Call) string {
	_, decision := e.Judge(e.Input(c), false)
	switch decision.Verdict {
	case policy.Deny:
		return "deny"
	case policy.AskVerdict:
		return "ask"
	}
	return "allow"
}

// judgeCommand judges a Bash call in the project of the cases.
func judgeCommand(e *engine.Engine, command string) string {
	return judge(e, call.Call{
		Event: hooks.PreToolUse, Tool: "Bash", Args: map[string]any{"command": command},
		Cwd: caseProject, ProjectDir: caseProject, Home: caseHome,
	})
}

// selection says which rule sets judge a case.
func (c *recordedCase) selection(t *testing.T, s *sandbox) engine.Selection {
	t.Helper()
	switch {
	case c.Setup.RulesMissing:
		_, name, _ := strings.Cut(c.Watch, ":")
		return engine.Selection{Paths: []string{filepath.Join(s.rules, name)}}
	case c.Setup.RulesFile != nil:
		path := filepath.Join(s.rules, c.Setup.RulesFile.Name)
		writeFile(t, path, c.Setup.RulesFile.Content)
		return engine.Selection{Paths: []string{path}}
	case c.Watch == "*":
		return engine.Selection{}
	}
	return engine.Selection{Only: []string{c.Watch}}
}

// sandbox is what the placeholders of the cases stand for.
type sandbox struct {
	claudewatch, rules string
	replacer           *strings.Replacer
}

// newSandbox makes the directories of the cases: a scratch directory, a git
// repository with what git can and cannot bring back, and one outside of it.
func newSandbox(t *testing.T) *sandbox {
	t.Helper()
	r := gittest.New(t)
	r.Commit(
		"tracked/keep.txt", "x\n", "tracked/nested/keep.txt", "x\n", "edited/f.txt", "x\n",
		"mixed/keep.txt", "x\n", ".gitignore", "ignored-dir/\n",
	)
	r.AddSubmodule("vendor")
	r.Write("vendor/uncommitted.txt", "x\n")
	r.Write("edited/f.txt", "changed\n")
	r.Write("mixed/stray.txt", "x\n")
	r.Write("ignored-dir/f.txt", "x\n")
	r.Write("untracked/scratch.txt", "x\n")
	outside := filepath.Join(t.TempDir(), "outside")
	writeFile(t, filepath.Join(outside, "project", "notes.txt"), "x\n")
	return &sandbox{
		claudewatch: t.TempDir(), rules: t.TempDir(),
		replacer: strings.NewReplacer("${TMP}", filepath.ToSlash(t.TempDir()), "${NON_REPO}", filepath.ToSlash(outside), "${REPO}", filepath.ToSlash(r.Dir)),
	}
}

// place puts the sandbox's paths into a line of a case file.
func (s *sandbox) place(line []byte) []byte { return []byte(s.replacer.Replace(string(line))) }

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// readCases returns the lines of a case file, and skips the test when it is absent.
func readCases(t *testing.T, name string) [][]byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(casesDir, name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the case files are not here: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return linesOf(t, content)
}

func linesOf(t *testing.T, content []byte) [][]byte {
	t.Helper()
	var found [][]byte
	scanner := bufio.NewScanner(bytes.NewReader(content))
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		if line := bytes.TrimSpace(scanner.Bytes()); len(line) > 0 {
			found = append(found, bytes.Clone(line))
		}
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return found
}

// verdicts compares verdicts with what a case file expects. The two must agree but
// for the listed differences, each of which must be one.
type verdicts struct {
	t           *testing.T
	listed      map[string]difference
	total, kept int
}

func newVerdicts(t *testing.T) *verdicts {
	t.Helper()
	content, err := os.ReadFile("differences.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	v := &verdicts{t: t, listed: map[string]difference{}}
	for _, line := range linesOf(t, content) {
		var d difference
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&d); err != nil {
			t.Fatalf("differences.jsonl: %s: %v", line, err)
		}
		if _, again := v.listed[d.ID]; again {
			t.Errorf("differences.jsonl: %s is listed twice", d.ID)
		}
		if d.Reason == "" {
			t.Errorf("differences.jsonl: %s has no reason", d.ID)
		}
		v.listed[d.ID] = d
	}
	return v
}

// note takes in the verdict on one case.
func (v *verdicts) note(id, expected, got string, asExpected bool) {
	v.t.Helper()
	v.total++
	if asExpected {
		v.kept++
	}
	d, listed := v.listed[id]
	switch {
	case listed && asExpected:
		v.t.Errorf("%s: the verdict is %s as expected: take it out of differences.jsonl", id, got)
	case listed && (d.Expected != expected || d.Got != got):
		v.t.Errorf("%s: want %s, got %s; differences.jsonl says want %s, got %s", id, expected, got, d.Expected, d.Got)
	case !listed && !asExpected:
		v.t.Errorf("%s: want %s, got %s", id, expected, got)
	}
}

// report fails when fewer than this share of the cases kept their verdict.
func (v *verdicts) report(share float64) {
	v.t.Helper()
	v.t.Logf("%d of %d verdicts are as expected (%.1f %%)", v.kept, v.total, 100*float64(v.kept)/float64(v.total))
	if float64(v.kept) < share*float64(v.total) {
		v.t.Errorf("%d of %d verdicts are as expected: want %.0f %%", v.kept, v.total, 100*share)
	}
}
