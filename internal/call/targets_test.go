//go:build unix

package call_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/go-cmp/cmp"
)

// target is what a test compares of a schema.Target.
type target struct {
	Path, Raw, Op, Via  string
	Resolved, Recursive bool
}

func targets(list []*schema.Target) []target {
	var all []target
	for _, t := range list {
		all = append(all, target{t.Path(), t.Raw, t.Op, t.Via, t.Resolved, t.Recursive})
	}
	return all
}

func TestFileToolsHaveTheirTargets(t *testing.T) {
	for _, c := range []struct {
		tool          string
		args          args
		reads, writes []target
	}{
		{"Write", args{"file_path": "/none/a/../b.go", "content": "x"}, nil, []target{{"/none/b.go", "/none/a/../b.go", "write", "Write", true, false}}},
		{"Edit", args{"file_path": "src/a.go"}, nil, []target{{"/none/w/src/a.go", "src/a.go", "write", "Edit", true, false}}},
		{"MultiEdit", args{"file_path": "~/.bashrc"}, nil, []target{{"/none/home/.bashrc", "~/.bashrc", "write", "MultiEdit", true, false}}},
		{"NotebookEdit", args{"notebook_path": "nb.ipynb"}, nil, []target{{"/none/w/nb.ipynb", "nb.ipynb", "write", "NotebookEdit", true, false}}},
		{"Read", args{"file_path": ".env"}, []target{{"/none/w/.env", ".env", "read", "Read", true, false}}, nil},
		{"NotebookRead", args{"notebook_path": "/none/x.ipynb"}, []target{{"/none/x.ipynb", "/none/x.ipynb", "read", "NotebookRead", true, false}}, nil},
		{"LS", args{"path": ".."}, []target{{"/none", "..", "read", "LS", true, false}}, nil},
		{"Grep", args{"pattern": "x", "path": "~"}, []target{{"/none/home", "~", "read", "Grep", true, true}}, nil},
		{"Grep", args{"pattern": "/none/etc/.*"}, []target{{"/none/w", "", "read", "Grep", true, true}}, nil},
		{"Glob", args{"pattern": "**/*.go"}, []target{{"/none/w", "", "read", "Glob", true, true}}, nil},
		{"Glob", args{"pattern": "**", "path": "src"}, []target{{"/none/w/src", "src", "read", "Glob", true, true}}, nil},
		{"Glob", args{"pattern": "/none/etc/**/*.conf"}, []target{{"/none/etc", "", "read", "Glob", true, true}}, nil},
		{"Glob", args{"pattern": "/none/etc/{a,b}/c", "path": "src"}, []target{{"/none/etc", "src", "read", "Glob", true, true}}, nil},
		{"Glob", args{"pattern": "~/.ssh/*"}, []target{{"/none/home/.ssh", "", "read", "Glob", true, true}}, nil},
		{"Glob", args{"pattern": "/**"}, []target{{"/", "", "read", "Glob", true, true}}, nil},
		{"WebFetch", args{"url": "file:///etc/passwd"}, nil, nil},
	} {
		effects := call.Call{Tool: c.tool, Args: c.args, Cwd: "/none/w", Home: "/none/home"}.Input().Effects()
		if diff := cmp.Diff(c.reads, targets(effects.Reads)); diff != "" {
			t.Errorf("%s %v: reads (-want +got):\n%s", c.tool, c.args, diff)
		}
		if diff := cmp.Diff(c.writes, targets(effects.Writes)); diff != "" {
			t.Errorf("%s %v: writes (-want +got):\n%s", c.tool, c.args, diff)
		}
	}
}

func TestAPathThatIsNotKnownIsAnUnresolvedTarget(t *testing.T) {
	for tool, a := range map[string]args{
		"Write": {"file_path": "a.go"}, "Read": {"file_path": ""}, "NotebookEdit": nil,
		"Grep": {"pattern": "x"}, "Glob": {"path": "src"}, "LS": {"path": 7.0},
	} {
		effects := call.Call{Tool: tool, Args: a}.Input().Effects()
		for _, got := range append(effects.Reads, effects.Writes...) {
			if got.Resolved || got.Path() != "" || got.Repo().Known || got.Under("/") {
				t.Errorf("%s: %+v at %q, in %+v", tool, got, got.Path(), got.Repo())
			}
		}
		if n := len(effects.Reads) + len(effects.Writes); n != 1 {
			t.Errorf("%s: %d targets, want 1", tool, n)
		}
	}
}

// repositories makes hand-made repositories, by name the content of HEAD, in a new
// directory and returns its real path.
func repositories(t testing.TB, heads map[string]string) string {
	t.Helper()
	t.Setenv("PATH", "")
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, head := range heads {
		for _, dir := range []string{"objects", "refs"} {
			if err := os.MkdirAll(filepath.Join(root, name, ".git", dir), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		setHEAD(t, filepath.Join(root, name), head)
	}
	return root
}

func setHEAD(t testing.TB, repository, head string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(repository, ".git", "HEAD"), []byte(head), 0o644); err != nil {
		t.Fatal(err)
	}
}

const (
	onMain    = "ref: refs/heads/main\n"
	onFeature = "ref: refs/heads/feat/x\n"
)

func TestAWriteIsJudgedWhereItsLinkLeads(t *testing.T) {
	root := repositories(t, map[string]string{"main": onMain})
	for link, to := range map[string]string{"dangling.md": root + "/main/docs/new.md", "dir": "main", "loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]struct {
		path string
		repo schema.Repo
	}{
		"dangling.md":   {root + "/main/docs/new.md", schema.Repo{Root: root + "/main", Branch: "main", Known: true}},
		"dir/src/new.c": {root + "/main/src/new.c", schema.Repo{Root: root + "/main", Branch: "main", Known: true}},
		"none/new.c":    {root + "/none/new.c", schema.Repo{Known: true}},
		"loop":          {root + "/loop", schema.Repo{}},
	} {
		writes := call.Call{Tool: "Write", Args: args{"file_path": root + "/" + path}, Cwd: "/"}.Input().Effects().Writes
		if got := writes[0].Path(); got != want.path {
			t.Errorf("%s: path %q, want %q", path, got, want.path)
		}
		if diff := cmp.Diff(&want.repo, writes[0].Repo()); diff != "" {
			t.Errorf("%s: repository (-want +got):\n%s", path, diff)
		}
	}
}

func TestNothingIsLookedUpBeforeARuleAsks(t *testing.T) {
	root := repositories(t, map[string]string{"r": onFeature})
	effects := call.Call{Tool: "Write", Args: args{"file_path": root + "/r/a"}}.Input().Effects()
	setHEAD(t, root+"/r", onMain)
	if got := effects.Writes[0].Repo().Branch; got != "main" {
		t.Errorf("branch %q, want the one at the time of the question", got)
	}
	setHEAD(t, root+"/r", onFeature)
	if got := effects.Writes[0].Repo().Branch; got != "main" {
		t.Errorf("branch %q: it was looked up twice", got)
	}
}
