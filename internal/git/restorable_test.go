//go:build unix

package git

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/git/gittest"
)

// check asks about names in r, under the top of r.
func check(r *gittest.Repository, names ...string) error {
	paths := make([]string, len(names))
	for i, name := range names {
		paths[i] = r.Dir + string(filepath.Separator) + filepath.FromSlash(name)
	}
	return CheckRestorable(context.Background(), r.Dir, paths)
}

func TestWhatIsCommittedAndUnchangedIsRestorable(t *testing.T) {
	for name, test := range map[string]struct {
		arrange func(r *gittest.Repository)
		paths   []string
	}{
		"a file":                   {nil, []string{"src/a.txt"}},
		"a directory":              {nil, []string{"src"}},
		"a directory with a slash": {nil, []string{"src/"}},
		"several targets":          {nil, []string{"src/a.txt", "other", "src/deep"}},
		"one within the other":     {func(r *gittest.Repository) { r.Write("new.txt", "x") }, []string{"src/a.txt", "other"}},
		"an executable": {func(r *gittest.Repository) {
			r.Write("run.sh", "x")
			os.Chmod(r.Path("run.sh"), 0o755)
			r.Git("add", "run.sh")
			r.Commit()
		}, []string{"run.sh"}},
		"a symbolic link": {func(r *gittest.Repository) {
			os.Symlink("src", r.Path("link"))
			r.Git("add", "link")
			r.Commit()
		}, []string{"link"}},
		"a path through a symbolic link": {func(r *gittest.Repository) { os.Symlink("src", r.Path("link")) }, []string{"link/deep"}},
		"a name like a glob": {func(r *gittest.Repository) {
			r.Commit("[ab]*/x.txt", "x")
			r.Write("a/untracked.txt", "x")
		}, []string{"[ab]*"}},
		"a name like an option":   {func(r *gittest.Repository) { r.Commit("-x/--y", "x") }, []string{"-x"}},
		"a name like a pathspec":  {func(r *gittest.Repository) { r.Commit(":(top)x/y", "x") }, []string{":(top)x"}},
		"a name not in UTF-8":     {func(r *gittest.Repository) { r.Commit("d/\xff\t\n\"", "x") }, []string{"d"}},
		"an empty file":           {func(r *gittest.Repository) { r.Commit("d/empty", "") }, []string{"d"}},
		"a detached HEAD":         {func(r *gittest.Repository) { r.Git("checkout", "--quiet", "--detach") }, []string{"src"}},
		"an empty directory":      {func(r *gittest.Repository) { r.Mkdir("src/empty") }, []string{"src"}},
		"a change in a neighbour": {func(r *gittest.Repository) { r.Write("other/b.txt", "changed") }, []string{"src"}},
		"a touched file": {func(r *gittest.Repository) {
			os.Remove(r.Path("src/a.txt"))
			r.Write("src/a.txt", "a\n")
		}, []string{"src"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			if test.arrange != nil {
				test.arrange(r)
			}
			if err := check(r, test.paths...); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestWhatGitCannotBringBackIsNotRestorable(t *testing.T) {
	for name, test := range map[string]struct {
		arrange func(r *gittest.Repository)
		path    string
		want    string // in the error
	}{
		"missing":            {nil, "no-such", "no such file"},
		"missing, with path": {nil, "src/a.txt/x", "not a directory"},
		"untracked":          {func(r *gittest.Repository) { r.Write("new/a.txt", "x") }, "new", "not tracked"},
		"untracked beneath":  {func(r *gittest.Repository) { r.Write("src/deep/new.txt", "x") }, "src", "not tracked"},
		"ignored": {func(r *gittest.Repository) {
			r.Commit(".gitignore", "*.log\n")
			r.Write("src/a.log", "x")
		}, "src", "not tracked"},
		"modified":      {func(r *gittest.Repository) { r.Write("src/a.txt", "changed\n") }, "src", "modified"},
		"modified file": {func(r *gittest.Repository) { r.Write("src/a.txt", "changed\n") }, "src/a.txt", "modified"},
		"modified, hidden by assume-unchanged": {func(r *gittest.Repository) {
			r.Git("update-index", "--assume-unchanged", "src/a.txt")
			r.Write("src/a.txt", "changed\n")
		}, "src", "modified"},
		"modified, hidden by skip-worktree": {func(r *gittest.Repository) {
			r.Git("update-index", "--skip-worktree", "src/a.txt")
			r.Write("src/a.txt", "changed\n")
		}, "src", "modified"},
		"modified, same size and time": {func(r *gittest.Repository) {
			r.Git("config", "core.trustctime", "false")
			info, _ := os.Stat(r.Path("src/a.txt"))
			r.Write("src/a.txt", "b\n")
			os.Chtimes(r.Path("src/a.txt"), info.ModTime(), info.ModTime())
		}, "src", "modified"},
		"modified, undone by a filter": {func(r *gittest.Repository) {
			r.Commit(".gitattributes", "* filter=same\n")
			r.Git("config", "filter.same.clean", "echo a")
			r.Write("src/a.txt", "changed\n")
		}, "src", "modified"},
		"mode changed":   {func(r *gittest.Repository) { os.Chmod(r.Path("src/a.txt"), 0o755) }, "src", "modified"},
		"type changed":   {func(r *gittest.Repository) { os.Remove(r.Path("src/a.txt")); os.Symlink("x", r.Path("src/a.txt")) }, "src", "modified"},
		"deleted":        {func(r *gittest.Repository) { os.Remove(r.Path("src/a.txt")) }, "src", "missing"},
		"staged":         {func(r *gittest.Repository) { r.Write("src/a.txt", "b\n"); r.Git("add", "src") }, "src", "not committed"},
		"added":          {func(r *gittest.Repository) { r.Write("src/new.txt", "b\n"); r.Git("add", "src") }, "src", "not committed"},
		"intent to add":  {func(r *gittest.Repository) { r.Write("src/new.txt", "b\n"); r.Git("add", "-N", "src") }, "src", "not committed"},
		"no more staged": {func(r *gittest.Repository) { r.Git("rm", "-q", "--cached", "src/a.txt") }, "src", "no longer tracked"},
		"staged, then changed back": {func(r *gittest.Repository) {
			r.Write("src/a.txt", "b\n")
			r.Git("add", "src")
			r.Write("src/a.txt", "a\n")
		}, "src", "not committed"},
		"an unresolved merge": {conflict, "src", "merge"},
		"no commit yet": {func(r *gittest.Repository) {
			r.Git("checkout", "--quiet", "--orphan", "fresh")
		}, "src", "HEAD"},
		"a submodule":             {func(r *gittest.Repository) { r.AddSubmodule("vendor") }, "vendor", "submodule"},
		"a directory with one":    {func(r *gittest.Repository) { r.AddSubmodule("src/vendor") }, "src", "submodule"},
		"a path in a submodule":   {func(r *gittest.Repository) { r.AddSubmodule("vendor") }, "vendor/library.txt", "repository inside"},
		"a new nested repository": {func(r *gittest.Repository) { r.Git("init", "--quiet", "src/deep") }, "src", "another repository"},
		"a nested repository":     {func(r *gittest.Repository) { r.Git("init", "--quiet", "src/deep") }, "src/deep", "another repository"},
		"a path in a nested one":  {func(r *gittest.Repository) { r.Git("init", "--quiet", "src") }, "src/deep", "repository inside"},
		"a directory .GIT":        {func(r *gittest.Repository) { r.Mkdir("src/.GIT") }, "src", "another repository"},
		"the repository's own":    {nil, ".git", "another repository"},
		"a pipe":                  {func(r *gittest.Repository) { r.Pipe("src/pipe") }, "src", "not tracked"},
		"a link out": {func(r *gittest.Repository) {
			os.Symlink(filepath.Dir(r.Dir), r.Path("link"))
		}, "link/repository", "not under"},
		"a link with a slash": {func(r *gittest.Repository) {
			os.Symlink("src", r.Path("link"))
			r.Git("add", "link")
			r.Commit()
		}, "link/", "symbolic link"},
		"an object that is gone": {func(r *gittest.Repository) {
			id := strings.TrimSpace(r.Git("rev-parse", "HEAD:src/a.txt"))
			os.Remove(r.Path(".git/objects/" + id[:2] + "/" + id[2:]))
		}, "src", "objects"},
		"a damaged repository": {func(r *gittest.Repository) { os.Remove(r.Path(".git/HEAD")) }, "src", "git ls-files"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			if test.arrange != nil {
				test.arrange(r)
			}
			err := check(r, test.path)
			if err == nil {
				t.Fatal("restorable")
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want an error about %q", err, test.want)
			}
			// A neighbour that is fine does not make up for it, in either order.
			if check(r, "other", test.path) == nil || check(r, test.path, "other") == nil {
				t.Error("restorable together with a neighbour")
			}
		})
	}
}

// newRepository returns a repository with a few committed files.
func newRepository(t *testing.T) *gittest.Repository {
	r := gittest.New(t)
	r.Commit("src/a.txt", "a\n", "src/deep/c.txt", "c\n", "other/b.txt", "b\n")
	return r
}

func conflict(r *gittest.Repository) {
	r.Git("checkout", "--quiet", "-b", "side")
	r.Commit("src/a.txt", "side\n")
	r.Git("checkout", "--quiet", "main")
	r.Commit("src/a.txt", "main\n")
	r.Git("merge", "--quiet", "--no-commit", "--strategy-option=ours", "side")
	r.Git("read-tree", "-m", "main~1", "main", "side")
}
