//go:build unix

package decisionlog_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestTheLogIsForItsOwnerAlone(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	path := logPath(t)
	mustAppend(t, path, record("a", 0))
	for name, want := range map[string]fs.FileMode{
		path: 0o600, path + ".lock": 0o600, filepath.Dir(path): 0o700,
	} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s: mode %o, want %o", name, got, want)
		}
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, path, record("a", 1))
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("after a chmod to 644 and a record: mode %o", info.Mode().Perm())
	}
}
