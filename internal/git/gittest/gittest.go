// Package gittest makes git repositories for tests.
package gittest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/testpipe"
)

// Repository is a git repository in a temporary directory.
type Repository struct {
	t   testing.TB
	Dir string // the top of its worktree
}

// New returns an empty repository with the branch main. It sets HOME and clears
// what else could configure git for the rest of the test, and skips the test
// where there is no git.
func New(t testing.TB) *Repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	clearEnvironment(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &Repository{t, filepath.Join(dir, "repository")}
	r.Mkdir(".")
	r.Git("init", "--quiet", "--initial-branch=main")
	return r
}

// clearEnvironment keeps the machine's own configuration of git out of a test.
func clearEnvironment(t testing.TB) {
	t.Setenv("HOME", t.TempDir())
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "GIT_") || name == "XDG_CONFIG_HOME" {
			t.Setenv(name, "") // so that it is restored afterwards
			os.Unsetenv(name)
		}
	}
}

// Git runs a git command at the top of the worktree and returns what it printed.
func (r *Repository) Git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{
		"-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgSign=false",
		"-c", "protocol.file.allow=always", "-c", "core.autocrlf=false",
	}, args...)...)
	cmd.Dir = r.Dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// Path returns the absolute path of name, which is relative to the repository.
func (r *Repository) Path(name string) string { return filepath.Join(r.Dir, filepath.FromSlash(name)) }

// Mkdir makes a directory and those above it.
func (r *Repository) Mkdir(name string) {
	r.t.Helper()
	if err := os.MkdirAll(r.Path(name), 0o755); err != nil {
		r.t.Fatal(err)
	}
}

// Write writes a file, and makes the directories above it.
func (r *Repository) Write(name, content string) {
	r.t.Helper()
	r.Mkdir(filepath.Dir(name))
	if err := os.WriteFile(r.Path(name), []byte(content), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// Commit writes files, given as name and content in turn, and commits them.
func (r *Repository) Commit(files ...string) {
	r.t.Helper()
	for i := 0; i+1 < len(files); i += 2 {
		r.Write(files[i], files[i+1])
		r.Git("--literal-pathspecs", "add", "--force", "--", files[i])
	}
	r.Git("commit", "--quiet", "--message", "test")
}

// AddSubmodule adds a new repository with one committed file as the submodule name.
func (r *Repository) AddSubmodule(name string) {
	r.t.Helper()
	origin := New(r.t)
	origin.Commit("library.txt", "x\n")
	r.Git("submodule", "--quiet", "add", origin.Dir, name)
	r.Git("commit", "--quiet", "--message", "submodule "+name)
}

// Pipe makes a named pipe in the worktree.
func (r *Repository) Pipe(name string) {
	r.t.Helper()
	testpipe.Make(r.t, r.Path(name))
}
