package scan_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/claudewatch/claudewatch/internal/changes/scan"
	"github.com/google/go-cmp/cmp"
)

func TestTheFirstScanIsTheBaselineAndTheNextSaysWhatChanged(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "a"), "1")
	write(t, filepath.Join(root, "sub", "b"), "2")
	write(t, filepath.Join(root, "sub", "c"), "3")
	write(t, filepath.Join(root, "node_modules", "d"), "4")
	exclusions, problems := scan.NewExclusions(scan.StandardV1, nil, nil)
	if problems != nil {
		t.Fatal(problems)
	}
	known := scan.NewManifest()
	step := func() []string {
		t.Helper()
		r, err := scan.Scan(t.Context(), root, known, scan.Options{Exclusions: exclusions})
		if err != nil {
			t.Fatal(err)
		}
		known.Update(r)
		path := filepath.Join(t.TempDir(), "manifest")
		if err := known.Write(path); err != nil {
			t.Fatal(err)
		}
		if known, err = scan.Load(path); err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, d := range r.Differences {
			switch {
			case d.Before == nil:
				found = append(found, "create "+d.Path)
			case d.After == nil:
				found = append(found, "delete "+d.Path)
			default:
				found = append(found, "modify "+d.Path)
			}
		}
		return found
	}
	if found := step(); found != nil {
		t.Errorf("the first scan found %q", found)
	}
	write(t, filepath.Join(root, "a"), "11")
	write(t, filepath.Join(root, "new", "e"), "5")
	if err := os.Remove(filepath.Join(root, "sub", "b")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"modify a", "create new/e", "delete sub/b"}, step()); diff != "" {
		t.Error(diff)
	}
	if found := step(); found != nil {
		t.Errorf("the third scan found %q", found)
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
