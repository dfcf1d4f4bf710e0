package call

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/go-cmp/cmp"
)

// twoRepositories makes main (on main) and feature (on feat/x) and returns the real
// path of the directory that holds them.
func twoRepositories(t *testing.T) string {
	t.Helper()
	t.Setenv("PATH", "")
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, head := range map[string]string{"main": "ref: refs/heads/main\n", "feature": "ref: refs/heads/feat/x\n"} {
		for _, dir := range []string{".git/objects", ".git/refs", "src"} {
			if err := os.MkdirAll(filepath.Join(root, name, dir), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(root, name, ".git/HEAD"), []byte(head), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestABranchSwitchChangesItsOwnRepository(t *testing.T) {
	root := twoRepositories(t)
	main, feature := root+"/main", root+"/feature"
	type switches = []schema.BranchSwitch
	for name, c := range map[string]struct {
		dir      string
		switches switches
		want     schema.Repo
	}{
		"none":                         {main + "/src", nil, schema.Repo{Root: main, Branch: "main", Known: true}},
		"one":                          {main + "/src", switches{{Dir: main, Branch: "b"}}, schema.Repo{Root: main, Branch: "b", Known: true, Switched: true}},
		"one from a directory within":  {main, switches{{Dir: main + "/src/new", Branch: "b"}}, schema.Repo{Root: main, Branch: "b", Known: true, Switched: true}},
		"the last counts":              {main, switches{{Dir: main, Branch: "b"}, {Dir: main, Branch: "main"}}, schema.Repo{Root: main, Branch: "main", Known: true, Switched: true}},
		"onto a protected branch":      {feature, switches{{Dir: feature, Branch: "main"}}, schema.Repo{Root: feature, Branch: "main", Known: true, Switched: true}},
		"another repository":           {main, switches{{Dir: feature, Branch: "b"}}, schema.Repo{Root: main, Branch: "main", Known: true}},
		"an unknown repository":        {main, switches{{Branch: "b"}}, schema.Repo{Root: main, Branch: "main", Known: true}},
		"an unknown branch":            {main, switches{{Dir: main}}, schema.Repo{Root: main, Switched: true}},
		"a known one after an unknown": {main, switches{{Dir: main}, {Dir: main, Branch: "b"}}, schema.Repo{Root: main, Branch: "b", Known: true, Switched: true}},
		"off every branch":             {feature, switches{{Dir: feature, Detached: true}}, schema.Repo{Root: feature, Detached: true, Known: true, Switched: true}},
		"outside":                      {root, switches{{Dir: root, Branch: "b"}}, schema.Repo{Known: true}},
		"no directory":                 {"", switches{{Dir: main, Branch: "b"}}, schema.Repo{}},
	} {
		effects := Call{}.located(func() *schema.Effects {
			return &schema.Effects{
				Writes: []*schema.Target{{Lexical: c.dir, Resolved: c.dir != "", Op: "write", Switches: c.switches}},
				Reads:  []*schema.Target{{Lexical: c.dir, Resolved: c.dir != "", Op: "read", Switches: c.switches}},
				Git:    []*schema.GitOp{{Verb: "commit", Dir: c.dir, Switches: c.switches}},
			}
		})()
		for kind, got := range map[string]*schema.Repo{"write": effects.Writes[0].Repo(), "read": effects.Reads[0].Repo(), "git": effects.Git[0].Repo()} {
			if diff := cmp.Diff(&c.want, got); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", name, kind, diff)
			}
		}
	}
}

func TestASwitchDoesNotChangeWhatIsInFrontOfIt(t *testing.T) {
	root := twoRepositories(t)
	effects := Call{}.located(func() *schema.Effects {
		return &schema.Effects{Git: []*schema.GitOp{
			{Dir: root + "/main", Switches: []schema.BranchSwitch{{Dir: root + "/main", Branch: "b"}}, Pushes: []string{"HEAD"}},
			{Dir: root + "/main", Pushes: []string{"HEAD"}},
		}}
	})()
	if diff := cmp.Diff([]string{"b"}, effects.Git[0].Updates()); diff != "" {
		t.Errorf("behind the switch: %s", diff)
	}
	if diff := cmp.Diff([]string{"main"}, effects.Git[1].Updates()); diff != "" {
		t.Errorf("in front of it: %s", diff)
	}
}

func TestTargetsOfOneCallShareARepository(t *testing.T) {
	root := twoRepositories(t)
	effects := Call{}.located(func() *schema.Effects {
		return &schema.Effects{
			Writes: []*schema.Target{{Lexical: root + "/main/a", Resolved: true}, {Lexical: root + "/main/src/b", Resolved: true}},
			Git:    []*schema.GitOp{{Dir: root + "/main"}},
		}
	})()
	first := effects.Writes[0].Repo()
	if effects.Writes[1].Repo() != first || effects.Git[0].Repo() != first {
		t.Error("the same repository was read more than once")
	}
}

func TestACallMayBringItsRepositories(t *testing.T) {
	repo := &schema.Repo{Root: "/none/w", Branch: "b", Known: true}
	var asked []string
	c := Call{
		Tool: "Write", Args: map[string]any{"file_path": "/none/w/a", "content": ""},
		Repository: func(path string) *schema.Repo { asked = append(asked, path); return repo },
	}
	if got := c.Input().Effects().Writes[0].Repo(); got != repo {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff([]string{"/none/w/a"}, asked); diff != "" {
		t.Errorf("asked for (-want +got):\n%s", diff)
	}
}
