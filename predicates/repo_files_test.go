package predicates

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/claudewatch/claudewatch/internal/testpipe"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/go-cmp/cmp"
)

// repositoryTree makes the repository that these tests ask about and returns its root.
func repositoryTree(t testing.TB) string {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(top, "repository")
	for name, content := range map[string]string{
		"a.txt": "a\n", ".hidden": "h", "plans/2.md": "two", "plans/1.md": "one", "plans/deep/3.md": "three", "empty": "",
		"latin1": "caf\xe9", "large": strings.Repeat("x", maxRepositoryFile), "too large": strings.Repeat("x", maxRepositoryFile+1),
		"plans/name\xff": "x", "../outside.txt": "secret", "../repository2/a.txt": "secret",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Skipf("a file %q: %v", name, err)
		}
	}
	for link, target := range map[string]string{
		"out": "../outside.txt", "beside": "../repository2", "up": "..", "dangling": "nothing", "loop": "loop", "top": ".",
		"in": "plans/1.md", "absolute": root + "/plans", "plans/out.md": "../../outside.txt", "plans/in.md": "../a.txt", "plans/dir.md": "deep",
		"device": "/dev/zero",
	} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	testpipe.Make(t, filepath.Join(root, "plans/pipe.md"))
	return root
}

func evaluateIn(t testing.TB, root, expression string) ref.Val {
	t.Helper()
	v, err := evaluate(t, expression, writeIn(root))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return v
}

func TestFilesOfARepository(t *testing.T) {
	root := repositoryTree(t)
	large := strings.Repeat("x", maxRepositoryFile)
	plans := []string{"plans/1.md", "plans/2.md", "plans/in.md"}
	for _, c := range []struct {
		path   string
		exists bool
		read   string
		files  []string
	}{
		{"a.txt", true, "a\n", nil},
		{"./a.txt", true, "a\n", nil},
		{"plans/1.md", true, "one", nil},
		{"plans/1.md/x", false, "", nil},
		{"none", false, "", nil},
		{"empty", true, "", nil},
		{"latin1", true, "", nil},
		{"large", true, large, nil},
		{"too large", true, "", nil},
		{"plans", true, "", plans},
		{"plans/", true, "", plans},
		{"plans/pipe.md", true, "", nil},
		{"in", true, "one", nil},
		{"absolute", true, "", []string{"absolute/1.md", "absolute/2.md", "absolute/in.md"}},
		{"absolute/2.md", true, "two", nil},
		{"top/top/plans/deep", true, "", []string{"top/top/plans/deep/3.md"}},
		// Nothing leads out.
		{"out", false, "", nil},
		{"plans/out.md", false, "", nil},
		{"beside", false, "", nil},
		{"beside/a.txt", false, "", nil},
		{"up", false, "", nil},
		{"up/repository/a.txt", true, "a\n", nil},
		{"device", false, "", nil},
		{"dangling", false, "", nil},
		{"loop", false, "", nil},
		{"..", false, "", nil},
		{"../outside.txt", false, "", nil},
		{"../repository/a.txt", false, "", nil},
		{"plans/../a.txt", false, "", nil},
		{"", false, "", nil},
		{"/", false, "", nil},
		{root + "/a.txt", false, "", nil},
		{"a.txt\x00", false, "", nil},
	} {
		argument := fmt.Sprintf("(%+q)", c.path)
		if got := evaluateIn(t, root, "input.writes[0].repo.has_path"+argument).Value(); got != c.exists {
			t.Errorf("has_path%s = %v", argument, got)
		}
		if got := evaluateIn(t, root, "input.writes[0].repo.read"+argument).Value(); got != c.read {
			t.Errorf("read%s = %.40q", argument, got)
		}
		if diff := cmp.Diff(c.files, filesIn(t, root, argument)); diff != "" {
			t.Errorf("files%s (-want +got):\n%s", argument, diff)
		}
	}
	if got := filesIn(t, root, `(".")`); !slices.Contains(got, ".hidden") || slices.Contains(got, "plans") || slices.Contains(got, "out") {
		t.Errorf("the files of the root: %q", got)
	}
}

func filesIn(t testing.TB, root, argument string) []string {
	t.Helper()
	files, ok := evaluateIn(t, root, "input.writes[0].repo.files"+argument).Value().([]string)
	if !ok {
		t.Fatalf("files%s is no list of strings", argument)
	}
	return files
}

func TestOutsideARepositoryThereIsNoFile(t *testing.T) {
	in := writeTo(&schema.Target{Lexical: "/etc/passwd", Resolved: true}, &schema.Target{
		Resolved: true, ReadRepo: func() *schema.Repo { return &schema.Repo{Root: "relative", Known: true} },
	}, &schema.Target{
		Resolved: true, ReadRepo: func() *schema.Repo { return &schema.Repo{Root: "/no/such/root", Known: true} },
	})
	for _, expression := range []string{
		`input.writes.exists(t, t.repo.has_path("etc") || t.repo.has_path(".") || t.repo.has_path("repo_files.go"))`,
		`input.writes.exists(t, t.repo.read("etc/passwd") != "" || t.repo.read("repo_files.go") != "")`,
		`input.writes.exists(t, t.repo.files(".").size() > 0 || t.repo.files("etc").size() > 0)`,
	} {
		if isTrue(t, expression, in) {
			t.Errorf("%s is true", expression)
		}
	}
}

func TestARootThatIsALinkIsItsTarget(t *testing.T) {
	root := repositoryTree(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	if got := evaluateIn(t, link, `input.writes[0].repo.read("a.txt")`).Value(); got != "a\n" {
		t.Errorf("%q", got)
	}
	if got := evaluateIn(t, link, `input.writes[0].repo.has_path("out")`).Value(); got != false {
		t.Error("a link out of it exists")
	}
}

func TestARepositoryMayBringItsFiles(t *testing.T) {
	in := writeTo(&schema.Target{Resolved: true, ReadRepo: func() *schema.Repo {
		return &schema.Repo{Root: "/", Known: true, Files: fstest.MapFS{
			"plans/2.md": {Data: []byte("two")}, "plans/1.md": {Data: []byte("one")}, "plans/deep/3.md": {},
		}}
	}})
	for _, expression := range []string{
		`input.writes.all(t, t.repo.has_path("plans") && t.repo.has_path("./plans/1.md") && t.repo.has_path("."))`,
		`input.writes.all(t, !t.repo.has_path("etc") && !t.repo.has_path("/plans") && !t.repo.has_path("../plans") && !t.repo.has_path("plans/../plans") && !t.repo.has_path(""))`,
		`input.writes.all(t, t.repo.read("plans/2.md") == "two" && t.repo.read("plans") == "" && t.repo.read("etc/passwd") == "")`,
		`input.writes.all(t, t.repo.files("plans/") == ["plans/1.md", "plans/2.md"] && t.repo.files("etc") == [] && t.repo.files(".") == [])`,
	} {
		if !isTrue(t, expression, in) {
			t.Errorf("%s is false", expression)
		}
	}
}

func TestALargeDirectoryIsCut(t *testing.T) {
	root := t.TempDir()
	for i := range maxRepositoryEntries + 10 {
		if err := os.WriteFile(filepath.Join(root, fmt.Sprint(i)), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files := filesIn(t, root, `(".")`)
	if len(files) != maxRepositoryEntries || !slices.IsSorted(files) {
		t.Errorf("%d files", len(files))
	}
}

func FuzzWithin(f *testing.F) {
	root := repositoryTree(f)
	for _, seed := range []string{"up/repository/../outside.txt", "top/../../outside.txt", "beside/../outside.txt", "plans//1.md", "../repository2"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		real, ok := within(root, name)
		if ok && real != root && !strings.HasPrefix(real, root+"/") {
			t.Errorf("%q is %q", name, real)
		}
		if strings.Contains(readWithin(root, name), "secret") {
			t.Errorf("%q reads what is outside", name)
		}
	})
}
