package corpus

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestMain makes this test binary a hook when it is run as one: it does what the
// event's "do" says.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == hookWord {
		os.Exit(fakeHook())
	}
	os.Exit(m.Run())
}

func fakeHook() int {
	var event struct {
		Cwd string `json:"cwd"`
		Do  string `json:"do"`
	}
	payload, err := io.ReadAll(os.Stdin)
	if err != nil || json.Unmarshal(payload, &event) != nil {
		return 0
	}
	verb, text, _ := strings.Cut(event.Do, " ")
	switch verb {
	case "block":
		fmt.Fprintln(os.Stderr, text)
		return 2
	case "decide":
		fmt.Printf(`{"hookSpecificOutput":{"permissionDecision":%q,"permissionDecisionReason":"the reason"}}`, text)
	case "print":
		fmt.Println(text)
	case "fail":
		return 1
	case "sleep":
		time.Sleep(time.Minute)
	case "environment":
		directory, _ := os.Getwd()
		fmt.Fprintf(os.Stderr, "args %v cwd %s in %s\n", os.Args[1:], event.Cwd, directory)
		for _, name := range strings.Fields(text) {
			value, ok := os.LookupEnv(name)
			fmt.Fprintf(os.Stderr, "%s %t %s\n", name, ok, value)
		}
		return 2
	}
	return 0
}

func thisHook(t *testing.T) Command {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Command{Program: program, Args: []string{hookWord}}
}

func eventOf(do string) json.RawMessage {
	text, _ := json.Marshal(map[string]string{"cwd": "{work}", "do": do})
	return text
}

func TestAHookIsComparedWithItsEntry(t *testing.T) {
	const reason = "BLOCKED [s]: no"
	for _, c := range []struct {
		verdict, do string
		contains    []string
		problem     string
	}{
		{Allow, "nothing", nil, ""},
		{Allow, "block " + reason, nil, "want allow, got deny"},
		{Allow, "decide ask", nil, "want allow, got ask"},
		{Allow, "decide allow", nil, "want allow, got none: the hook prints a decision that is neither ask nor deny"},
		{Allow, "print hello", nil, "want allow, got none: the hook prints what is no JSON"},
		{Allow, "fail", nil, "want allow, got none: the hook exits with 1, which lets every call through"},
		{Block, "block " + reason, []string{"no"}, ""},
		{Block, "block " + reason, []string{"no", "more"}, `want "more" in its text`},
		{Block, "block BLOCKED [--only]: a fault", nil, `want a line on stderr that begins with "BLOCKED [s]: "`},
		{Block, "block it says " + reason, nil, `want a line on stderr that begins with "BLOCKED [s]: "`},
		{Block, "decide deny", nil, "want exit status 2, got 0"},
		{Block, "nothing", nil, "want block, got allow"},
		{Block, "fail", nil, "want block, got none: the hook exits with 1"},
		{Deny, "block " + reason, nil, ""},
		{Deny, "block another", nil, `want a line on stderr that begins with`},
		{Deny, "decide ask", nil, "want deny, got ask"},
		{Ask, "decide ask", []string{"the reason"}, ""},
		{Ask, "decide ask", []string{"another"}, `want "another" in its text`},
		{Ask, "nothing", nil, "want ask, got allow"},
		{Ask, "block " + reason, nil, "want ask, got deny"},
	} {
		runner := Runner{Command: thisHook(t)}
		corpus := &Corpus{Sandbox: Sandbox{Dirs: []string{"work"}}, Entries: []Entry{
			{ID: "a", Class: "c", Hook: "s", Verdict: c.verdict, Event: eventOf(c.do), StderrContains: c.contains},
		}}
		results, err := runner.Run(context.Background(), corpus, nil)
		if err != nil {
			t.Fatal(err)
		}
		problem := results[0].Problem
		if c.problem == "" && problem != "" || c.problem != "" && !strings.HasPrefix(problem, c.problem) {
			t.Errorf("%s on %q: got %q, want %q", c.verdict, c.do, problem, c.problem)
		}
	}
}

func TestAHookFindsTheSandboxAndNothingOfTheUser(t *testing.T) {
	for _, name := range []string{"HOME", "CLAUDE_PROJECT_DIR", "CLAUDEWATCH_HOME", "CLAUDEWATCH_LOG", "GIT_DIR", "XDG_CONFIG_HOME"} {
		t.Setenv(name, "/of/the/user")
	}
	c := &Corpus{Sandbox: Sandbox{Dirs: []string{"work"}, Home: "users/me"}, Entries: []Entry{
		{ID: "a", Class: "c", Hook: "s", Verdict: Deny, Event: eventOf("environment HOME CLAUDE_PROJECT_DIR CLAUDEWATCH_LOG GIT_DIR XDG_CONFIG_HOME")},
		{ID: "b", Class: "c", Verdict: Deny, Event: eventOf("environment CLAUDE_PROJECT_DIR A PATH"), Env: map[string]string{"CLAUDE_PROJECT_DIR": "{work}/x", "A": "${work}"}},
	}}
	runner := Runner{Command: thisHook(t), EmptyPath: true}
	results, err := runner.Run(context.Background(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(results[0].Stderr, " in ")
	root, _, _ := strings.Cut(after, "/work\n")
	want := []string{
		fmt.Sprintf("args [hook --only s] cwd %[1]s/work in %[1]s/work\nHOME true %[1]s/users/me\nCLAUDE_PROJECT_DIR false \nCLAUDEWATCH_LOG true off\nGIT_DIR false \nXDG_CONFIG_HOME false \n", root),
		fmt.Sprintf("args [hook] cwd %[1]s/work in %[1]s/work\nCLAUDE_PROJECT_DIR true %[1]s/work/x\nA true ${work}\nPATH true \n", root),
	}
	for i, r := range results {
		if diff := cmp.Diff(want[i], r.Stderr); diff != "" {
			t.Error(diff)
		}
	}
	if _, err := os.Stat(root); err == nil {
		t.Errorf("the sandbox %s is left behind", root)
	}
}

func TestAHookThatHangsIsEnded(t *testing.T) {
	runner := Runner{Command: thisHook(t), Timeout: 200 * time.Millisecond}
	c := &Corpus{Entries: []Entry{{ID: "a", Class: "c", Verdict: Allow, Event: eventOf("sleep")}}}
	results, err := runner.Run(context.Background(), c, nil)
	if err != nil || results[0].Problem != "the hook did not end within 200ms" || results[0].Took > 10*time.Second {
		t.Errorf("got %+v, %v", results, err)
	}
}

func TestAHookThatIsNotThereIsAProblemOfEachEntry(t *testing.T) {
	runner := Runner{Command: Command{Program: filepath.Join(t.TempDir(), "claudewatch")}}
	c := &Corpus{Entries: []Entry{{ID: "a", Class: "c", Verdict: Allow, Event: eventOf("x")}, {ID: "b", Class: "other", Verdict: Allow, Event: eventOf("x")}}}
	results, err := runner.Run(context.Background(), c, func(e *Entry) bool { return e.Class == "c" })
	if err != nil || len(results) != 1 || !strings.HasPrefix(results[0].Problem, "the hook cannot be run: ") || results[0].Exit != -1 {
		t.Errorf("got %+v, %v", results, err)
	}
}

func TestASandboxHasWhatItDescribes(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	t.Setenv("GIT_DIR", "/of/the/user")
	s := &Sandbox{
		Repos: map[string]Repo{
			"one":       {Branch: "main", Files: map[string]string{"d/a.txt": "{work}\n"}, Remote: true},
			"one/inner": {Branch: "dev"},
			"tree":      {WorktreeOf: "one", Branch: "feat/x", Files: map[string]string{"b.txt": "x"}},
			"loose":     {Branch: "old", Detach: true},
		},
		Dirs:     []string{"work"},
		Files:    map[string]string{"work/f": "x"},
		Symlinks: map[string]string{"work/link": "{one}/new"},
	}
	l, err := Build(context.Background(), s, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	git := func(name string, args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir = l.places[name]
		cmd.Env = without(os.Environ(), isForeign)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("git %v in %s: %v: %s", args, name, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	for name, branch := range map[string]string{"one": "main", "one/inner": "dev", "tree": "feat/x", "loose": "HEAD"} {
		if got := git(name, "rev-parse", "--abbrev-ref", "HEAD"); got != branch {
			t.Errorf("%s is on %s, want %s", name, got, branch)
		}
	}
	if got := git("one", "rev-parse", "--abbrev-ref", "@{upstream}"); got != "origin/main" {
		t.Errorf("the upstream is %s", got)
	}
	if got := git("tree", "status", "--porcelain"); got != "" {
		t.Errorf("not committed: %s", got)
	}
	if content, err := os.ReadFile(filepath.Join(l.places["one"], "d", "a.txt")); err != nil || string(content) != l.places["work"]+"\n" {
		t.Errorf("d/a.txt holds %q, %v", content, err)
	}
	if target, err := os.Readlink(filepath.Join(l.places["work"], "link")); err != nil || target != filepath.Join(l.places["one"], "new") {
		t.Errorf("the link leads to %s, %v", target, err)
	}
	if info, err := os.Stat(l.Home); err != nil || !info.IsDir() || l.Home != filepath.Join(l.Root, "home") {
		t.Errorf("home is %s, %v", l.Home, err)
	}
}
