//go:build unix

package git

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/git/gittest"
	"github.com/claudewatch/claudewatch/internal/testpipe"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/go-cmp/cmp"
)

// find asks a new Locator.
func find(path string) schema.Repo { return *new(Locator).Find(path) }

func TestARepositoryThatGitMade(t *testing.T) {
	r := gittest.New(t)
	r.Commit("src/a.txt", "a\n")
	r.AddSubmodule("lib/sub")
	beside := filepath.Dir(r.Dir)
	linked, detached, bare, layout := filepath.Join(beside, "linked"), filepath.Join(beside, "detached"), filepath.Join(beside, "bare.git"), filepath.Join(beside, "layout")
	r.Git("worktree", "add", "--quiet", "-b", "feat/x", linked)
	r.Git("worktree", "add", "--quiet", "--detach", detached)
	r.Git("clone", "--quiet", "--bare", r.Dir, bare)
	r.Git("clone", "--quiet", "--bare", r.Dir, filepath.Join(layout, ".bare"))
	writeFile(t, filepath.Join(layout, ".git"), "gitdir: ./.bare\n")
	r.Git("-C", layout, "worktree", "add", "--quiet", "-b", "feat/y", "y")
	r.Git("init", "--quiet", "--initial-branch=inner", "inner")
	r.Git("init", "--quiet", "--initial-branch=apart", "--separate-git-dir", filepath.Join(beside, "files"), filepath.Join(beside, "apart"))
	r.Git("-C", "lib/sub", "switch", "--quiet", "-c", "feat/sub")
	os.Symlink(r.Path("src"), filepath.Join(beside, "link"))
	os.Symlink(r.Path("src/new.txt"), filepath.Join(beside, "dangling"))
	t.Setenv("PATH", "")
	t.Setenv("GIT_DIR", linked)
	t.Setenv("GIT_CEILING_DIRECTORIES", beside+":"+r.Dir)

	main := schema.Repo{Root: r.Dir, Branch: "main", Known: true}
	worktree := schema.Repo{Root: linked, Branch: "feat/x", LinkedWorktree: true, Worktrees: []string{r.Dir, detached, linked}, Known: true}
	sub := schema.Repo{Root: r.Path("lib/sub"), Branch: "feat/sub", Known: true}
	for path, want := range map[string]schema.Repo{
		r.Dir:                                   main,
		r.Path("src/a.txt"):                     main,
		r.Path("src/not/there/yet"):             main,
		r.Path("lib/new.txt"):                   main,
		r.Path(".git"):                          main,
		r.Path(".git/hooks/pre-commit"):         main,
		r.Path("lib/sub/library.txt"):           sub,
		r.Path("lib/sub/.git"):                  sub,
		r.Path(".git/modules/lib/sub/config"):   sub,
		r.Path("inner/x"):                       {Root: r.Path("inner"), Branch: "inner", Known: true},
		linked:                                  worktree,
		linked + "/src/deep/x":                  worktree,
		r.Path(".git/worktrees/linked/HEAD"):    worktree,
		detached + "/src":                       {Root: detached, Detached: true, LinkedWorktree: true, Worktrees: worktree.Worktrees, Known: true},
		bare + "/refs/heads/main":               {Root: bare, Branch: "main", Known: true},
		layout + "/notes.txt":                   {Branch: "main", Known: true},
		layout + "/.bare/config":                {Root: layout + "/.bare", Branch: "main", Known: true},
		layout + "/y/src/a.txt":                 {Root: layout + "/y", Branch: "feat/y", LinkedWorktree: true, Worktrees: []string{layout + "/y"}, Known: true},
		layout + "/.bare/worktrees/y/index":     {Root: layout + "/y", Branch: "feat/y", LinkedWorktree: true, Worktrees: []string{layout + "/y"}, Known: true},
		filepath.Join(beside, "apart/x"):        {Root: filepath.Join(beside, "apart"), Branch: "apart", Known: true},
		filepath.Join(beside, "link/a.txt"):     main,
		filepath.Join(beside, "dangling"):       main,
		filepath.Join(beside, "link/../none"):   {Known: true},
		beside:                                  {Known: true},
		filepath.Join(beside, "not/there/.git"): {Known: true},
		"/":                                     {Known: true},
	} {
		if diff := cmp.Diff(want, find(path)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

// layout makes the files of a hand-made repository: names that end in / are
// directories, other names have content. It returns the real path above them.
func layout(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		path := filepath.Join(dir, name)
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		writeFile(t, path, strings.ReplaceAll(content, "{dir}", dir))
	}
	return dir
}

func writeFile(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// withHEAD are the files of a repository r.
func withHEAD(head string) map[string]string {
	return map[string]string{"r/.git/HEAD": head, "r/.git/objects/": "", "r/.git/refs/heads/": "", "r/src/": ""}
}

func TestHEADSaysTheBranch(t *testing.T) {
	t.Setenv("PATH", "")
	id := strings.Repeat("0123456789abcdef0123", 2)
	for name, c := range map[string]struct {
		head string
		more map[string]string
		want schema.Repo
	}{
		"a branch":                      {"ref: refs/heads/main\n", nil, schema.Repo{Branch: "main", Known: true}},
		"a branch with slashes":         {"ref: refs/heads/feat/ü/1\n", nil, schema.Repo{Branch: "feat/ü/1", Known: true}},
		"other white space":             {"ref:\trefs/heads/main \r\n", nil, schema.Repo{Branch: "main", Known: true}},
		"no end of line":                {"ref: refs/heads/main", nil, schema.Repo{Branch: "main", Known: true}},
		"a commit":                      {id + "\n", nil, schema.Repo{Detached: true, Known: true}},
		"a commit of SHA-256":           {id + id[:24] + "\n", nil, schema.Repo{Detached: true, Known: true}},
		"a reference that is no branch": {"ref: refs/remotes/origin/main\n", nil, schema.Repo{Detached: true, Known: true}},
		"a branch that names another": {"ref: refs/heads/alias\n", map[string]string{
			"r/.git/refs/heads/alias": "ref: refs/heads/main\n"}, schema.Repo{Branch: "main", Known: true}},
		"branches in a circle": {"ref: refs/heads/a\n", map[string]string{
			"r/.git/refs/heads/a": "ref: refs/heads/b\n", "r/.git/refs/heads/b": "ref: refs/heads/a\n"}, schema.Repo{}},
		"a branch that names nonsense": {"ref: refs/heads/a\n", map[string]string{
			"r/.git/refs/heads/a": "ref: nonsense\n"}, schema.Repo{}},
		"references that are not in files": {"ref: refs/heads/.invalid\n", nil, schema.Repo{}},
		"nothing":                          {"", nil, schema.Repo{}},
		"a short commit":                   {id[:39] + "\n", nil, schema.Repo{}},
		"a commit and more":                {id + "x\n", nil, schema.Repo{}},
		"no reference":                     {"ref: main\n", nil, schema.Repo{}},
		"a way out":                        {"ref: refs/heads/../../../x\n", nil, schema.Repo{}},
		"two lines":                        {"ref: refs/heads/a\nb\n", nil, schema.Repo{}},
		"too much":                         {"ref: refs/heads/" + strings.Repeat("a", 1<<20), nil, schema.Repo{}},
	} {
		files := withHEAD(c.head)
		for name, content := range c.more {
			files[name] = content
		}
		dir := layout(t, files)
		c.want.Root = dir + "/r"
		if diff := cmp.Diff(c.want, find(dir+"/r/src/x")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestHEADAsASymbolicLink(t *testing.T) {
	for target, want := range map[string]schema.Repo{
		"refs/heads/main":      {Branch: "main", Known: true},
		"refs/heads/.git/x":    {},
		"../elsewhere/HEAD":    {},
		"/dev/zero":            {},
		"HEAD":                 {},
		"refs/remotes/o/main":  {Detached: true, Known: true},
		"refs/heads/unborn/it": {Branch: "unborn/it", Known: true},
	} {
		dir := layout(t, withHEAD(""))
		os.Remove(dir + "/r/.git/HEAD")
		if err := os.Symlink(target, dir+"/r/.git/HEAD"); err != nil {
			t.Fatal(err)
		}
		want.Root = dir + "/r"
		if diff := cmp.Diff(want, find(dir+"/r")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", target, diff)
		}
	}
}

func TestWhatGitPassesOverDoesNotHideTheRepositoryAbove(t *testing.T) {
	for name, arrange := range map[string]func(inner string) error{
		"an empty directory": func(inner string) error { return os.MkdirAll(inner+"/.git", 0o755) },
		"a HEAD without objects": func(inner string) error {
			return os.WriteFile(mkdir(inner+"/.git")+"/HEAD", []byte("ref: refs/heads/x\n"), 0o644)
		},
		"a pipe":                func(inner string) error { testpipe.Make(t, mkdir(inner)+"/.git"); return nil },
		"a HEAD that is a pipe": func(inner string) error { testpipe.Make(t, mkdir(inner+"/.git")+"/HEAD"); return nil },
		"a device":              func(inner string) error { return os.Symlink("/dev/zero", mkdir(inner)+"/.git") },
		"a link to itself":      func(inner string) error { return os.Symlink(".git", mkdir(inner)+"/.git") },
		"a link to nothing":     func(inner string) error { return os.Symlink("nothing", mkdir(inner)+"/.git") },
	} {
		dir := layout(t, withHEAD("ref: refs/heads/main\n"))
		if err := arrange(dir + "/r/inner"); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(schema.Repo{Root: dir + "/r", Branch: "main", Known: true}, find(dir+"/r/inner/x")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if err := os.Rename(dir+"/r/inner", dir+"/alone"); err != nil {
			t.Fatal(err)
		}
		if got := find(dir + "/alone/x"); got.Known && name != "a link to nothing" {
			t.Errorf("%s, alone: %+v is known", name, got)
		}
	}
}

func mkdir(dir string) string {
	os.MkdirAll(dir, 0o755)
	return dir
}

func TestAFileGitEndsTheWalk(t *testing.T) {
	for content, want := range map[string]schema.Repo{
		"gitdir: {dir}/other/.git\n":   {Branch: "feat", Known: true},
		"gitdir: ../../other/.git\r\n": {Branch: "feat", Known: true},
		"gitdir: {dir}/r/.git/x\n":     {},
		"gitdir: \n":                   {},
		"gitdir:../../other/.git\n":    {},
		"":                             {},
		"nonsense":                     {},
		strings.Repeat("x", 1<<20):     {},
	} {
		files := withHEAD("ref: refs/heads/main\n")
		files["r/inner/.git"] = content
		files["other/.git/HEAD"], files["other/.git/objects/"], files["other/.git/refs/"] = "ref: refs/heads/feat\n", "", ""
		dir := layout(t, files)
		want.Root = dir + "/r/inner"
		if diff := cmp.Diff(want, find(dir+"/r/inner/deep")); diff != "" {
			t.Errorf("%.40q (-want +got):\n%s", content, diff)
		}
	}
}

func TestADirectoryThatCannotBeReadIsNotKnown(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads every directory")
	}
	for _, shut := range []string{"r/.git", "r"} {
		dir := layout(t, withHEAD("ref: refs/heads/main\n"))
		os.Chmod(filepath.Join(dir, shut), 0)
		t.Cleanup(func() { os.Chmod(filepath.Join(dir, shut), 0o755) })
		if got := find(dir + "/r/src"); got.Known {
			t.Errorf("%s: %+v is known", shut, got)
		}
	}
}

func TestABrokenRepositoryIsItsOwnProblem(t *testing.T) {
	dir := layout(t, map[string]string{"a/broken/.git/": "", "a/x/": ""})
	var l Locator
	if got := l.Find(dir + "/a/broken/x"); got.Known || got.Root != dir+"/a/broken" {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff(&schema.Repo{Known: true}, l.Find(dir+"/a/x")); diff != "" {
		t.Errorf("its neighbour (-want +got):\n%s", diff)
	}
}

func TestAPathThatCannotBeIsNotKnown(t *testing.T) {
	for _, path := range []string{"", "relative", "/" + strings.Repeat("a/", 1<<20)} {
		if diff := cmp.Diff(schema.Repo{}, find(path)); diff != "" {
			t.Errorf("%.20q (-want +got):\n%s", path, diff)
		}
	}
}

// fakeGit puts a program git with this shell script in PATH.
func fakeGit(t *testing.T, script string) {
	t.Helper()
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
}

func TestGitIsAskedWhereHEADCannotTell(t *testing.T) {
	dir := layout(t, withHEAD("ref: refs/heads/.invalid\n"))
	// What git is asked, where, and without what would point it elsewhere.
	const asked = `test "$PWD" = "` + "%s" + `" && test -z "$GIT_DIR" || exit 9
while test "$1" != symbolic-ref; do shift; done
test "$*" = "symbolic-ref --quiet HEAD" || exit 8
`
	t.Setenv("GIT_DIR", "/elsewhere")
	for script, want := range map[string]schema.Repo{
		"echo refs/heads/feat/x":         {Branch: "feat/x", Known: true},
		"exit 1":                         {Detached: true, Known: true},
		"echo refs/remotes/origin/x":     {Detached: true, Known: true},
		"echo refs/heads/.invalid":       {},
		"exit 128":                       {},
		"echo 'refs/heads/a b'":          {},
		"printf 'refs/heads/a\\nrefs/b'": {},
	} {
		fakeGit(t, fmt.Sprintf(asked, dir+"/r")+script+"\n")
		want.Root = dir + "/r"
		if diff := cmp.Diff(want, find(dir+"/r/src")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", script, diff)
		}
	}
}

func TestAGitThatHangsLeavesTheBranchUnknown(t *testing.T) {
	dir := layout(t, withHEAD("ref: refs/heads/.invalid\n"))
	fakeGit(t, "/bin/sleep 20\n")
	start := time.Now()
	var l Locator
	for range 3 {
		if diff := cmp.Diff(&schema.Repo{Root: dir + "/r"}, l.Find(dir+"/r/src")); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if took := time.Since(start); took > 15*time.Second {
		t.Errorf("gave up after %v", took)
	}
}

func TestARepositoryIsReadOnce(t *testing.T) {
	dir := layout(t, withHEAD("ref: refs/heads/main\n"))
	var l Locator
	first := l.Find(dir + "/r/src/x")
	writeFile(t, dir+"/r/.git/HEAD", "ref: refs/heads/other\n")
	var group sync.WaitGroup
	for _, path := range []string{"/r", "/r/src", "/r/new/x"} {
		group.Add(1)
		go func() {
			defer group.Done()
			if got := l.Find(dir + path); got != first {
				t.Errorf("%s: %+v, want what was found first", path, got)
			}
		}()
	}
	group.Wait()
}

func TestParseCore(t *testing.T) {
	for text, want := range map[string]map[string]string{
		"[core]\n\tbare = true\n": {"bare": "true"},
		"[CORE]bare\n":            {"bare": "true"},
		"[core]\nBare=false # no\nbare = yes ; really\n":           {"bare": "yes"},
		"[core \"x\"]\nbare = true\n":                              {},
		"[remote \"core\"]\nbare = true\n[core]\n#bare = true\n":   {},
		"[core]\nworktree = \"../a b\" ;x\n[user]\nworktree = y\n": {"worktree": "../a b"},
		"[core]\nworktree = a\\\\b\n":                              {"worktree": "a\\b"},
		"bare = true\n[core\nbare = true":                          {},
	} {
		if diff := cmp.Diff(want, parseCore(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func FuzzHEAD(f *testing.F) {
	for _, seed := range []string{"ref: refs/heads/main\n", "ref: refs/heads/.invalid", strings.Repeat("a", 40), "ref: refs/x", "ref:\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		h, err := parseHEAD(content)
		if err != nil {
			if h != (head{}) {
				t.Errorf("%+v beside an error", h)
			}
			return
		}
		if h.reference != "" && (!strings.HasPrefix(h.reference, "refs/") || !filepath.IsLocal(h.reference) || strings.ContainsAny(h.reference, "\n\x00")) {
			t.Errorf("reference %q", h.reference)
		}
		if b := h.branch(); b != "" && !strings.Contains(content, b) {
			t.Errorf("branch %q", b)
		}
	})
}

func FuzzGitFile(f *testing.F) {
	for _, seed := range []string{"gitdir: ../x\n", "gitdir: /a/b\r\n", "gitdir: ", "gitdir: a\nb\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		path, err := parseGitFile(content)
		if err != nil {
			return
		}
		if path == "" || strings.ContainsAny(path, "\n\x00") || !strings.HasPrefix(content, "gitdir: "+path) {
			t.Errorf("path %q", path)
		}
	})
}

func FuzzParseCore(f *testing.F) {
	f.Add("[core]\nbare = true\nworktree = \"x\\\"y\" # z\n[user]\n")
	f.Fuzz(func(t *testing.T, text string) {
		for key, value := range parseCore(text) {
			if key != strings.ToLower(key) || strings.Contains(value, "\n") {
				t.Errorf("%q = %q", key, value)
			}
		}
	})
}

// BenchmarkFind is the lookup of a new file 20 directories below the root.
func BenchmarkFind(b *testing.B) {
	dir := layout(b, withHEAD("ref: refs/heads/main\n"))
	path := dir + "/r/src" + strings.Repeat("/d", 20-strings.Count(dir+"/r/src", "/"))
	if err := os.MkdirAll(path, 0o755); err != nil {
		b.Fatal(err)
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			new(Locator).Find(path + "/new.txt")
		}
	})
	b.Run("again", func(b *testing.B) {
		var l Locator
		for b.Loop() {
			l.Find(path + "/new.txt")
		}
	})
}
