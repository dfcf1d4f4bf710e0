package scan_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/scan"
)

// git runs git in a directory below the root, away from the settings of whoever runs
// the test.
func (p *place) git(dir string, args ...string) string {
	p.t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		p.t.Skip("no git here")
	}
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = p.path(dir)
	cmd.Env = append(os.Environ(), "HOME="+p.root+"-home", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// newRepository returns a root with the directory sub, a repository with a tracked file.
func newRepository(t *testing.T, options ...string) *place {
	p := standardPlace(t, nil, nil)
	p.mkdir("sub")
	p.git("sub", append([]string{"init", "-q"}, options...)...)
	p.write("sub/tracked=of git", "sub/deep/tracked=of git too")
	p.git("sub", "add", ".")
	return p
}

// blob returns what git names a content.
func (p *place) blob(dir, content string) string {
	p.t.Helper()
	p.do(os.WriteFile(p.root+"-content", []byte(content), 0o600))
	return p.git(dir, "hash-object", "--no-filters", p.root+"-content")
}

// fromGit checks which blob is known of a file: that of its content, or none.
func (p *place) fromGit(name, content string, known bool) {
	p.t.Helper()
	e, ok := p.known.Get(name)
	want := fmt.Sprintf("%040x", 0)
	if known {
		want = p.blob("sub", content)
	}
	if !ok || fmt.Sprintf("%x", e.Blob) != want || e.Hash != sha256.Sum256([]byte(content)) {
		p.t.Errorf("%s: %v %+v, want the blob %s", name, ok, e, want)
	}
	if e.Kept == known || p.hasKept(content) == known {
		p.t.Errorf("%s: kept %v", name, e.Kept)
	}
}

func TestWhatGitGivesBackIsNotKept(t *testing.T) {
	p := newRepository(t)
	p.write("sub/tracked=changed", "sub/untracked=new", "outside=none")
	p.scan()
	p.fromGit("sub/deep/tracked", "of git too", true)
	p.fromGit("sub/tracked", "changed", false)
	p.fromGit("sub/untracked", "new", false)
	p.fromGit("outside", "none", false)

	opened := p.reads()
	p.finds()
	if len(opened) > 0 {
		t.Errorf("opened: %v", opened)
	}
	p.known.ForgetKept()
	p.finds()
	if opened["tracked"] != 1 || opened["untracked"] != 1 { // deep/tracked not
		t.Errorf("opened: %v", opened)
	}
	p.git("sub", "add", "untracked")
	p.write("sub/untracked=newer")
	p.finds("modify sub/untracked")
	p.write("sub/untracked=new")
	p.finds("modify sub/untracked")
	if e, _ := p.known.Get("sub/untracked"); fmt.Sprintf("%x", e.Blob) != p.blob("sub", "new") {
		t.Errorf("known: %+v", e)
	}
}

func TestEveryVersionOfTheIndexIsUnderstood(t *testing.T) {
	for _, version := range []string{"2", "3", "4"} {
		t.Run(version, func(t *testing.T) {
			p := newRepository(t)
			p.git("sub", "update-index", "--index-version", version)
			if version == "3" {
				p.git("sub", "update-index", "--skip-worktree", "tracked")
			}
			p.scan()
			p.fromGit("sub/tracked", "of git", true)
			p.fromGit("sub/deep/tracked", "of git too", true)
		})
	}
}

func TestAnIndexThatIsNotUnderstoodGivesNothingBack(t *testing.T) {
	for name, c := range map[string]struct {
		options []string
		prepare func(p *place)
	}{
		"split":             {nil, func(p *place) { p.git("sub", "update-index", "--split-index") }},
		"SHA-256":           {[]string{"--object-format=sha256"}, func(*place) {}},
		"damaged":           {nil, func(p *place) { p.write("sub/.git/index=DIRC and more") }},
		"gone":              {nil, func(p *place) { p.remove("sub/.git/index") }},
		"a directory":       {nil, func(p *place) { p.remove("sub/.git/index"); p.mkdir("sub/.git/index") }},
		"of no repository":  {nil, func(p *place) { p.remove("sub/.git"); p.write("sub/.git=nonsense") }},
		"unknown extension": {nil, func(p *place) { p.extendIndex("zzzz") }},
	} {
		t.Run(name, func(t *testing.T) {
			p := newRepository(t, c.options...)
			c.prepare(p)
			r := p.scan()
			if !r.Complete || len(r.Gaps) > 0 {
				t.Errorf("complete: %v, gaps %q", r.Complete, r.Gaps)
			}
			for name, content := range map[string]string{"sub/tracked": "of git", "sub/deep/tracked": "of git too"} {
				if e, ok := p.known.Get(name); !ok || e.Blob != [20]byte{} || !e.Kept || !p.hasKept(content) {
					t.Errorf("%s: %+v", name, e)
				}
			}
		})
	}
}

// extendIndex adds an extension to the index of sub.
func (p *place) extendIndex(name string) {
	index := p.path("sub/.git/index")
	content, err := os.ReadFile(index)
	p.do(err)
	end := len(content) - 20
	p.do(os.WriteFile(index, []byte(string(content[:end])+name+"\x00\x00\x00\x01x"+string(content[end:])), 0o600))
}

func TestAFileThatGitOnlyThinksCleanIsKept(t *testing.T) {
	p := newRepository(t)
	// What git remembers of the file fits: its size and, as the clock stands still, its
	// times. The index is written within the same second ("racy git").
	long := time.Now().Add(-time.Hour)
	p.touch("sub/tracked", long)
	p.git("sub", "add", ".")
	p.write("sub/tracked=of lie")
	p.touch("sub/tracked", long)
	p.git("sub", "update-index", "--assume-unchanged", "tracked")
	p.scan()
	p.fromGit("sub/tracked", "of lie", false)
}

func TestWhatFiltersChangeIsKept(t *testing.T) {
	p := newRepository(t)
	p.write("sub/.gitattributes=*.txt text eol=crlf\n", "sub/a.txt=1\r\n2\r\n")
	p.git("sub", "add", ".")
	p.scan()
	p.fromGit("sub/a.txt", "1\r\n2\r\n", false)
}

func TestLinkedWorktreesSubmodulesAndNestedRepositoriesHaveTheirOwnIndex(t *testing.T) {
	p := newRepository(t)
	p.git("sub", "commit", "-q", "-m", "all")
	p.git("sub", "worktree", "add", "-q", "../linked")
	p.git("sub", "submodule", "--quiet", "add", p.path("sub"), "module")
	p.mkdir("sub/nested")
	p.git("sub/nested", "init", "-q")
	p.write("sub/nested/tracked=nested", "sub/nested/deep/tracked=deep", "sub/nested/untracked=untracked")
	p.git("sub/nested", "add", "tracked", "deep")
	p.scan()
	p.fromGit("linked/tracked", "of git", true)
	p.fromGit("linked/deep/tracked", "of git too", true)
	p.fromGit("sub/module/deep/tracked", "of git too", true)
	p.fromGit("sub/nested/tracked", "nested", true)
	p.fromGit("sub/nested/deep/tracked", "deep", true)
	p.fromGit("sub/nested/untracked", "untracked", false)
	p.fromGit("sub/tracked", "of git", true)
	if content, err := os.ReadFile(p.path("linked/.git")); err != nil || !p.hasKept(string(content)) {
		t.Errorf("the file .git, which is no directory, is not observed: %v", err)
	}
}

func TestARootWithinARepositoryKnowsItsIndex(t *testing.T) {
	p := newRepository(t)
	p.root = filepath.Join(p.root, "sub", "deep")
	p.write("untracked=2")
	p.scan()
	p.knows("tracked", "untracked")
	e, _ := p.known.Get("tracked")
	if fmt.Sprintf("%x", e.Blob) != p.blob(".", "of git too") || e.Kept {
		t.Errorf("known: %+v", e)
	}
	looked, err := scan.Look(t.Context(), p.root, "tracked", p.options)
	p.do(err)
	if *looked != e {
		t.Errorf("looked at: %+v", looked)
	}
}

func TestLookKnowsTheRepositoryOfAFile(t *testing.T) {
	p := newRepository(t)
	e, err := scan.Look(t.Context(), p.root, "sub/deep/tracked", p.options)
	p.do(err)
	if fmt.Sprintf("%x", e.Blob) != p.blob("sub", "of git too") || len(p.kept) > 0 {
		t.Errorf("looked at: %+v", e)
	}
}

func TestALargeTrackedFileIsKnownToGit(t *testing.T) {
	p := newRepository(t)
	p.options.SizeCap = 10
	content := strings.Repeat("large", 100_000)
	p.write("sub/large=" + content)
	p.git("sub", "add", ".")
	p.scan()
	p.fromGit("sub/large", content, true)
}
