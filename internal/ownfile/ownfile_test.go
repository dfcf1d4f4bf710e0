package ownfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/ownfile"
	"github.com/claudewatch/claudewatch/internal/testpipe"
)

func TestAFileIsReplacedForItsOwnerAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "home", "settings.yaml")
	for _, content := range []string{"log: on\n", ""} {
		if err := ownfile.Replace(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != content {
			t.Errorf("got %q, %v, want %q", got, err, content)
		}
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := ownfile.Replace(path, nil); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
			if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: mode %v, %v, want %v", name, info.Mode(), err, want)
			}
		}
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestAFileThatCannotBeReplacedStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "directory")
	if err := os.MkdirAll(filepath.Join(path, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := ownfile.Replace(path, []byte("x")); err == nil {
		t.Error("a directory was replaced by a file")
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestALockIsWaitedForAndNotForEver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "locks", "settings.lock")
	unlock, err := ownfile.Lock(path, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ownfile.Lock(path, time.Millisecond); !errors.Is(err, ownfile.ErrHeld) {
		t.Errorf("the second lock: %v", err)
	}
	unlock()
	unlock, err = ownfile.Lock(path, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}

func TestALockThatIsAPipeIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	testpipe.Make(t, path)
	if _, err := ownfile.Lock(path, time.Minute); err == nil {
		t.Error("locked")
	}
}
