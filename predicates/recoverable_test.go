//go:build unix

package predicates

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/git/gittest"
	"github.com/claudewatch/claudewatch/schema"
)

// recoverableTree returns a repository with what git can bring back and what it
// cannot, and a directory outside of any repository.
func recoverableTree(t *testing.T) (repository *gittest.Repository, outside string) {
	t.Helper()
	r := gittest.New(t)
	r.Commit("tracked/keep.txt", "x\n", "tracked/nested/keep.txt", "x\n", "edited/f.txt", "x\n", "mixed/keep.txt", "x\n", ".gitignore", "ignored-dir/\n")
	r.AddSubmodule("vendor")
	r.Write("vendor/uncommitted.txt", "x\n")
	r.Write("edited/f.txt", "changed\n")
	r.Write("mixed/stray.txt", "x\n")
	r.Write("ignored-dir/f.txt", "x\n")
	r.Write("untracked/scratch.txt", "x\n")
	outside = filepath.Join(filepath.Dir(r.Dir), "outside")
	if err := os.MkdirAll(filepath.Join(outside, "project"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outside, "project/notes.txt"), []byte("x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return r, outside
}

func TestRecoverable(t *testing.T) {
	r, outside := recoverableTree(t)
	if err := os.Symlink("tracked", r.Path("link")); err != nil {
		t.Fatal(err)
	}
	r.Git("add", "link")
	r.Git("commit", "--quiet", "--message", "link", "link")
	for _, test := range []struct {
		cwd, project, targets string
		want                  bool
	}{
		{r.Dir, "", "tracked", true},
		{r.Dir, "", "./tracked/", true},
		{r.Dir, "", "tracked/nested", true},
		{r.Dir, "", r.Path("tracked"), true},
		{r.Dir, "", "tracked mixed/keep.txt", true},
		{r.Dir, r.Path("tracked"), "tracked/nested", true},
		{r.Path("tracked"), r.Dir, "nested " + r.Path("mixed/keep.txt"), true},
		{outside, r.Dir, r.Path("tracked"), true},
		{r.Dir, "", "link", true},
		{r.Dir, "", "link/nested", true},

		{r.Dir, "", "", false},
		{r.Dir, "", ".", false},
		{r.Dir, "", "untracked", false},
		{r.Dir, "", "tracked untracked", false},
		{r.Dir, "", "ignored-dir", false},
		{r.Dir, "", "mixed", false},
		{r.Dir, "", "edited", false},
		{r.Dir, "", "vendor", false},
		{r.Dir, "", "vendor/library.txt", false},
		{r.Dir, "", "no-such-dir", false},
		{r.Dir, "", "link/", false},
		{r.Dir, "", ".git", false},
		{r.Dir, "", "../repository/tracked", false},
		{r.Dir, "", r.Path("../outside/project"), false},
		{"", "", "tracked", false},
		{outside, "", "project", false},
		{outside, "", r.Path("tracked"), false},
		{outside, r.Dir, "project " + r.Path("tracked"), false},
		{outside, r.Dir, r.Path("tracked") + " project", false},
		{outside, r.Dir, r.Path("untracked"), false},
	} {
		in := bash(test.cwd, remove(test.cwd, strings.Fields("-r "+test.targets)...))
		in.ProjectDir = test.project
		if got := holds(t, "is_recoverable", in); got != test.want {
			t.Errorf("rm -r %s in %s: %v, want %v", test.targets, test.cwd, got, test.want)
		}
	}
	t.Setenv("PATH", "")
	if holds(t, "is_recoverable", bash(r.Dir, remove(r.Dir, "-r", "tracked"))) {
		t.Error("recoverable without git")
	}
}

func TestTheTimeIsSharedByTheCommandsOfACall(t *testing.T) {
	r, _ := recoverableTree(t)
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\nexec /bin/sleep 20\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	path := os.Getenv("PATH")
	t.Setenv("PATH", bin)
	in := bash(r.Dir, slices.Repeat([]*schema.Command{remove(r.Dir, "-r", "tracked")}, 20)...)
	start := time.Now()
	if isTrue(t, "input.commands.exists(c, c.is_recoverable(input))", in) {
		t.Error("recoverable by a git that hangs")
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %v", took)
	}
	t.Setenv("PATH", path)
	for n, want := range map[int]bool{2: true, recoverableCommands + 1: false} {
		in := bash(r.Dir, slices.Repeat([]*schema.Command{remove(r.Dir, "-r", "tracked")}, n)...)
		if got := isTrue(t, "input.commands[0].is_recoverable(input)", in); got != want {
			t.Errorf("one of %d commands: %v", n, got)
		}
	}
}

// The shared cases whose only rule is about rm with one exemption are
// allowed exactly when the predicate holds.
func TestVerdictsOfTheCases(t *testing.T) {
	file, err := os.Open("../../shared/cases/claudewatch.jsonl")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the shared cases are not there")
	} else if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, outside := recoverableTree(t)
	places := strings.NewReplacer("${REPO}", r.Dir, "${NON_REPO}", outside)
	judged := 0
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c struct {
			ID    string
			Event struct {
				Cwd  string
				Tool struct{ Command string } `json:"tool_input"`
			}
			Expect string
			Env    map[string]string
			Setup  struct {
				File struct{ Content string } `json:"rules_file"`
			}
		}
		if err := json.Unmarshal([]byte(places.Replace(lines.Text())), &c); err != nil {
			t.Fatal(err)
		}
		_, name, found := strings.Cut(c.Setup.File.Content, "unless_condition: [")
		name, _, _ = strings.Cut(name, "]")
		if !found || !IsPredicate(name) || strings.Contains(c.Setup.File.Content, "block:") {
			continue
		}
		judged++
		cwd := c.Event.Cwd
		in := bash(cwd, remove(cwd, strings.Fields(c.Event.Tool.Command)[1:]...))
		in.ProjectDir = c.Env["CLAUDE_PROJECT_DIR"]
		if got := holds(t, name, in); got != (c.Expect == "allow") {
			t.Errorf("%s: %s = %v for %s, want the verdict %s", c.ID, name, got, c.Event.Tool.Command, c.Expect)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if judged == 0 {
		t.Error("no case is about a predicate")
	}
}
