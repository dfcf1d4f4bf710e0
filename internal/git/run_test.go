//go:build unix

package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/git/gittest"
)

func TestTheEnvironmentCannotPointGitElsewhere(t *testing.T) {
	r := newRepository(t)
	r.Write("new/untracked.txt", "x")
	other := gittest.New(t)
	other.Commit("new/untracked.txt", "x")
	for name, value := range map[string]string{
		"GIT_DIR":                          other.Path(".git"),
		"GIT_WORK_TREE":                    other.Dir,
		"GIT_INDEX_FILE":                   other.Path(".git/index"),
		"GIT_OBJECT_DIRECTORY":             other.Path(".git/objects"),
		"GIT_NAMESPACE":                    "x",
		"GIT_CONFIG_COUNT":                 "nonsense",
		"GIT_ALTERNATE_OBJECT_DIRECTORIES": other.Path(".git/objects"),
	} {
		t.Setenv(name, value)
	}
	if err := check(r, "src"); err != nil {
		t.Errorf("src: %v", err)
	}
	if err := check(r, "new"); err == nil {
		t.Error("new is restorable, and it is tracked elsewhere only")
	}
}

func TestNothingTheRepositoryConfiguresIsRun(t *testing.T) {
	r := newRepository(t)
	r.Commit(".gitattributes", "* filter=spy diff=spy merge=spy\n")
	marker := filepath.Join(t.TempDir(), "marker")
	spy := filepath.Join(t.TempDir(), "spy")
	if err := os.WriteFile(spy, []byte("#!/bin/sh\ntouch "+marker+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"core.fsmonitor", "core.pager", "core.sshCommand", "filter.spy.clean", "filter.spy.process", "diff.spy.textconv", "diff.external", "credential.helper"} {
		r.Git("config", key, spy)
	}
	for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "post-checkout"} {
		if err := os.Symlink(spy, r.Path(".git/hooks/"+hook)); err != nil {
			t.Fatal(err)
		}
	}
	r.Write("src/a.txt", "b\n")
	os.Remove(marker)
	if check(r, "src") == nil {
		t.Error("src is restorable")
	}
	if err := check(r, "other"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("a program that the repository names was run")
	}
}

func TestNothingIsWritten(t *testing.T) {
	r := newRepository(t)
	index, err := os.Stat(r.Path(".git/index"))
	if err != nil {
		t.Fatal(err)
	}
	os.Chtimes(r.Path("src/a.txt"), time.Unix(1, 0), time.Unix(1, 0)) // git status would refresh the index
	if err := check(r, "src"); err != nil {
		t.Error(err)
	}
	after, err := os.Stat(r.Path(".git/index"))
	if err != nil || !os.SameFile(index, after) || !after.ModTime().Equal(index.ModTime()) {
		t.Error("the index was written")
	}
}

func TestWithoutGitNothingIsRestorable(t *testing.T) {
	r := newRepository(t)
	for _, path := range []string{"", t.TempDir()} {
		t.Setenv("PATH", path)
		if err := check(r, "src"); err == nil {
			t.Errorf("restorable with PATH=%q", path)
		}
	}
}

func TestAGitThatHangsIsGivenUp(t *testing.T) {
	r := newRepository(t)
	bin := t.TempDir()
	// The child keeps the output open after its parent was killed.
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\n/bin/sleep 20 &\n/bin/sleep 20\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	if err := CheckRestorable(ctx, r.Dir, []string{r.Path("src")}); err == nil {
		t.Error("restorable")
	}
	if took := time.Since(start); took > 15*time.Second {
		t.Errorf("gave up after %v", took)
	}
}

func TestAGitThatPrintsWithoutEndIsGivenUp(t *testing.T) {
	r := newRepository(t)
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\nwhile :; do printf '%01000000d' 0; done\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	err := CheckRestorable(ctx, r.Dir, []string{r.Path("src")})
	if !errors.Is(err, errOutputTooLong) {
		t.Errorf("%v, want %v", err, errOutputTooLong)
	}
}

func TestTheRepositoryIsTheOneOfThePath(t *testing.T) {
	r := newRepository(t)
	other := newRepository(t)
	r.Git("worktree", "add", "--quiet", "--detach", filepath.Join(filepath.Dir(r.Dir), "linked"))
	linked := filepath.Join(filepath.Dir(r.Dir), "linked")
	above := filepath.Dir(r.Dir)
	for name, test := range map[string]struct {
		within string
		paths  []string
		want   string // in the error, "" for none
	}{
		"within a part of the repository": {r.Path("src"), []string{r.Path("src/deep")}, ""},
		"within a directory above":        {above, []string{r.Path("src")}, ""},
		"a linked worktree":               {linked, []string{filepath.Join(linked, "src")}, ""},
		"two repositories":                {above, []string{r.Path("src"), filepath.Join(linked, "src")}, "different repositories"},
		"a whole repository":              {above, []string{r.Dir}, "not in a git repository"},
		"outside of within":               {other.Dir, []string{r.Path("src")}, "not under"},
		"no repository":                   {above, []string{above + "/plain"}, "no such file"},
		"relative":                        {r.Dir, []string{"src"}, "not absolute"},
		"no path":                         {r.Dir, nil, "0 paths"},
		"too many paths":                  {r.Dir, make([]string, maxPaths+1), "201 paths"},
		"a within that does not exist":    {r.Path("none"), []string{r.Path("src")}, "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			err := CheckRestorable(context.Background(), test.within, test.paths)
			switch {
			case err == nil && test.want != "":
				t.Errorf("restorable, want an error about %q", test.want)
			case err != nil && (test.want == "" || !strings.Contains(err.Error(), test.want)):
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}

func TestARepositoryAboveTheProjectDoesNotCount(t *testing.T) {
	outer := gittest.New(t)
	outer.Commit("dotfile", "x\n")
	outer.Git("init", "--quiet", "--initial-branch=main", "project")
	inner := *outer
	inner.Dir = outer.Path("project")
	inner.Commit("src/a.txt", "a\n")
	if err := CheckRestorable(context.Background(), inner.Dir, []string{inner.Path("src")}); err != nil {
		t.Errorf("within the project: %v", err)
	}
	if err := CheckRestorable(context.Background(), outer.Dir, []string{inner.Path("src")}); err == nil {
		t.Error("restorable within the repository around the project")
	}
}

func TestARepositoryWithSHA256(t *testing.T) {
	r := gittest.New(t)
	if err := os.RemoveAll(r.Path(".git")); err != nil {
		t.Fatal(err)
	}
	r.Git("init", "--quiet", "--object-format=sha256")
	r.Commit("src/a.txt", "a\n")
	if err := check(r, "src"); err != nil {
		t.Error(err)
	}
	r.Write("src/a.txt", "b\n")
	if err := check(r, "src"); err == nil {
		t.Error("restorable after a change")
	}
}
