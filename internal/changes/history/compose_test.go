package history_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/changes/history"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/google/go-cmp/cmp"
)

// patch returns the net changes of all records as one patch.
func (p *project) patch() string {
	p.t.Helper()
	var b bytes.Buffer
	for _, root := range p.load(history.Filter{}).ByRoot() {
		for _, c := range root.Net() {
			p.check(record.WritePatch(&b, c.Change))
		}
	}
	return b.String()
}

func (p *project) git(stdin string, args ...string) {
	p.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = p.root
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(p.root), "GIT_CONFIG_NOSYSTEM=1", "HOME="+p.data)
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("git %s: %v\n%s\n%s", args, err, out, stdin)
	}
}

func TestManyChangesOfAFileAreOnePatchThatGitTakesBothWays(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	for seed := range uint64(25) {
		random := rand.New(rand.NewPCG(seed, 2))
		p := newProject(t)
		names := []string{"f", "a b", "sub/g"}
		for i, name := range names {
			if random.IntN(4) > 0 {
				var b strings.Builder
				for n := range 40 * (i + 1) {
					fmt.Fprintf(&b, "line %d\n", n)
				}
				p.write(name, b.String())
			}
		}
		before := p.tree()
		for n := range 8 {
			p.call(fmt.Sprintf("call%d", n), names, func() {
				for _, name := range names {
					p.changeAtRandom(random, name, n)
				}
			})
		}
		after := p.tree()
		patch := p.patch()
		if n := strings.Count(patch, "diff --git"); n > len(names) {
			t.Errorf("seed %d: %d patches of %d files", seed, n, len(names))
		}
		if patch == "" {
			continue
		}
		p.git(patch, "apply", "-R")
		if diff := cmp.Diff(before, p.tree()); diff != "" {
			t.Fatalf("seed %d, in reverse: (-want +got)\n%s\n%s", seed, diff, patch)
		}
		p.git(patch, "apply")
		if diff := cmp.Diff(after, p.tree()); diff != "" {
			t.Fatalf("seed %d, forward: (-want +got)\n%s\n%s", seed, diff, patch)
		}
	}
}

// changeAtRandom makes some changes in the lines of a file, or makes or removes it.
func (p *project) changeAtRandom(random *rand.Rand, name string, n int) {
	content, err := os.ReadFile(p.path(name))
	switch {
	case os.IsNotExist(err):
		if random.IntN(2) == 0 {
			p.write(name, fmt.Sprintf("new in %d\n", n))
		}
		return
	case random.IntN(10) == 0:
		p.check(os.Remove(p.path(name)))
		return
	}
	lines := strings.SplitAfter(string(content), "\n")
	for range random.IntN(4) {
		at := random.IntN(len(lines))
		switch random.IntN(3) {
		case 0:
			lines = append(lines[:at], append([]string{fmt.Sprintf("line %d\n", random.IntN(60))}, lines[at:]...)...)
		case 1:
			lines = append(lines[:at], lines[min(at+1+random.IntN(4), len(lines)):]...)
		case 2:
			lines[at] = strings.TrimSuffix(lines[at], "\n") + "x\n"
		}
		if len(lines) == 0 {
			lines = []string{"last"}
		}
	}
	p.write(name, strings.Join(lines, ""))
}

func TestAFileThatIsAsItWasHasNoPatch(t *testing.T) {
	p := newProject(t, "f", "1\n")
	p.edit("a", "f", "2\n")
	p.edit("b", "f", "1\n")
	p.edit("c", "new", "1\n")
	p.call("d", []string{"new"}, func() { p.check(os.Remove(p.path("new"))) })
	if patch := p.patch(); patch != "" {
		t.Errorf("got\n%s", patch)
	}
}

func TestChangesThatDoNotFollowOnOneAnotherStayApart(t *testing.T) {
	p := newProject(t, "f", "1\n", "bin", "\x00")
	p.edit("a", "f", "2\n")
	p.write("f", "3\n")
	p.edit("b", "f", "4\n")
	p.edit("c", "bin", "\x01\x00")
	p.edit("d", "bin", "\x02\x00")
	if n := len(p.load(history.Filter{}).ByRoot()[0].Net()); n != 4 {
		t.Errorf("%d changes", n)
	}
}

func TestTheModeOfAPatchIsThatOfBothEnds(t *testing.T) {
	p := newProject(t, "f", "1\n", "g", "1\n")
	p.call("a", []string{"f", "g"}, func() { p.check(os.Chmod(p.path("f"), 0o755)); p.check(os.Chmod(p.path("g"), 0o755)) })
	p.call("b", []string{"f", "g"}, func() { p.write("f", "2\n"); p.check(os.Chmod(p.path("g"), 0o644)) })
	if got, want := p.patch(), "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-1\n+2\n"; got != want && os.Getenv("OS") != "Windows_NT" {
		t.Errorf("got\n%s", got)
	}
}
