package settingsedit_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/claudewatch/claudewatch/internal/settingsedit"
	"github.com/claudewatch/claudewatch/internal/testpipe"
)

func edits(path string, edits ...settingsedit.Edit) func([]byte) ([]byte, error) {
	return func(before []byte) ([]byte, error) { return settingsedit.Apply(path, before, edits...) }
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestTheFileIsMadeForItsOwnerAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "home", "settings.yaml")
	result, err := settingsedit.Update(path, false, edits(path, settingsedit.AddEnable("x")))
	if err != nil || !result.Changed() || result.Before != nil {
		t.Fatalf("%+v, %v", result, err)
	}
	if got := readFile(t, path); got != "enable: [x]\n" {
		t.Errorf("got %q", got)
	}
	if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestADryRunWritesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "home", "settings.yaml")
	result, err := settingsedit.Update(path, true, edits(path, settingsedit.AddEnable("x")))
	if err != nil || string(result.After) != "enable: [x]\n" {
		t.Errorf("%q, %v", result.After, err)
	}
	if _, err := os.Stat(filepath.Dir(path)); !os.IsNotExist(err) {
		t.Errorf("the directory: %v", err)
	}
}

func TestWhatNeedNotBeChangedIsNotWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.yaml")
	if err := os.WriteFile(path, []byte("enable: x"), 0o640); err != nil {
		t.Fatal(err)
	}
	result, err := settingsedit.Update(path, false, edits(path, settingsedit.AddEnable("x")))
	if err != nil || result.Changed() {
		t.Errorf("%q, %v", result.After, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("beside it: %v, %v", entries, err)
	}
}

func TestALinkStaysAndWhatItLeadsToIsWritten(t *testing.T) {
	for name, exists := range map[string]bool{"a file": true, "nothing yet": false} {
		t.Run(name, func(t *testing.T) {
			dotfiles, home := t.TempDir(), t.TempDir()
			target, path := filepath.Join(dotfiles, "claudewatch.yaml"), filepath.Join(home, "settings.yaml")
			if exists {
				if err := os.WriteFile(target, []byte("log: on\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(target, path); err != nil {
				t.Skip(err)
			}
			if _, err := settingsedit.Update(path, false, edits(path, settingsedit.AddEnable("x"))); err != nil {
				t.Fatal(err)
			}
			if got, err := os.Readlink(path); err != nil || got != target {
				t.Errorf("the link: %q, %v", got, err)
			}
			if got := readFile(t, target); !strings.HasSuffix(got, "enable: [x]\n") {
				t.Errorf("got %q", got)
			}
			if entries, err := os.ReadDir(dotfiles); err != nil || len(entries) != 1 {
				t.Errorf("beside the target: %v, %v", entries, err)
			}
		})
	}
}

func TestWhatIsRefusedStaysAsItIs(t *testing.T) {
	dir := t.TempDir()
	broken, pipe := filepath.Join(dir, "broken.yaml"), filepath.Join(dir, "pipe.yaml")
	if err := os.WriteFile(broken, []byte("enable: [\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	testpipe.Make(t, pipe)
	for _, path := range []string{broken, pipe, dir} {
		if _, err := settingsedit.Update(path, false, edits(path, settingsedit.AddEnable("x"))); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v", path, err)
		}
	}
	if got := readFile(t, broken); got != "enable: [\n" {
		t.Errorf("got %q", got)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("beside them: %v, %v", entries, err)
	}
}

func TestUpdatesAtOneTimeLoseNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.yaml")
	const updates = 20
	var group sync.WaitGroup
	for n := range updates {
		group.Go(func() {
			if _, err := settingsedit.Update(path, false, edits(path, settingsedit.AddEnable(fmt.Sprintf("set-%d", n)))); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	got := stateOf(readFile(t, path))
	if len(got.Enable) != updates {
		t.Errorf("got %v", got.Enable)
	}
}
