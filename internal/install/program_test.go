package install

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestThePathByWhichTheProgramIsCalledIsTheOneThatStays(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links")
	}
	root := t.TempDir()
	cellar := filepath.Join(root, "Cellar", "1.2", "claudewatch")
	write(t, cellar, "x")
	os.Chmod(cellar, 0o755)
	bin := filepath.Join(root, "bin", "claudewatch")
	if err := os.MkdirAll(filepath.Dir(bin), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(cellar, bin); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(bin))
	t.Chdir(root)
	for name, want := range map[string]string{
		"claudewatch":       bin, // found by PATH
		"bin/claudewatch":   bin,
		bin:                 bin,
		"elsewhere/program": cellar, // the name tells nothing
		"":                  cellar,
	} {
		if got, err := programAt(name, cellar); err != nil || got != want {
			t.Errorf("called %q: %s, %v, want %s", name, got, err, want)
		}
	}
}

func TestAProgramThatWillBeGoneOrIsNamedOtherwiseIsRefused(t *testing.T) {
	root := t.TempDir()
	for path, want := range map[string]string{
		"go-build123/b001/exe/claudewatch":                        "go install ./cmd/claudewatch",
		"cache/ab/" + strings.Repeat("0f", 32) + "-d/claudewatch": "go install ./cmd/claudewatch",
		"bin/watcher":      "rename it",
		"gone/claudewatch": "run the installed one",
		filepath.Join("go-build-cache-of-mine", "claudewatch", "x", "cw"): "go install ./cmd/claudewatch",
	} {
		full := filepath.Join(root, filepath.FromSlash(path))
		if !strings.HasPrefix(path, "gone") {
			write(t, full, "x")
		}
		if got, err := programAt("", full); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %s, %v", path, got, err)
		}
	}
}
