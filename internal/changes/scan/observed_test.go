package scan_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/claudewatch/claudewatch/internal/changes/scan"
)

func TestWhetherAScanWouldLookAtAPath(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "web"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "web", "package.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	x, problems := scan.NewExclusions(scan.StandardV1, []string{"/own"}, []string{"coverage"})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for path, want := range map[string]bool{
		"a.txt": true, "src/a.txt": true, "node_modules": true, // a file of that name
		"node_modules/a.js": false, "a/b/node_modules/c/d.js": false, "x/Carthage/Build/y": false,
		"build/a": true, "web/build/a": false, "own/a": false, "a/own/b": true, "coverage/a": true,
	} {
		if got := x.Observes(root, path); got != want {
			t.Errorf("%s: %t, want %t", path, got, want)
		}
	}
}
