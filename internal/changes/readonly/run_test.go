package readonly_test

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestWhatIsReadOnlyChangesNothing runs the commands of the table that are read-only,
// where there is a bash, and looks whether a file came, went or changed.
func TestWhatIsReadOnlyChangesNothing(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil || testing.Short() {
		t.Skip("there is no bash, or no time")
	}
	dir, home := t.TempDir(), t.TempDir()
	for name, content := range map[string]string{
		"a": "x\nsystem\n", "b": "x\n", "a.go": "package a\n", "b.go": "package b\n", "in": "1\n", "in.txt": "1\r\n", "list": "a\nb\n", "list.txt": "a\n", "a.csv": "a,2\n",
		"a.json": `{"a": {"n": 4}}`, "README.md": "# x\n", "go.mod": "module x\n\ngo 1.26\n", "src/a.go": "package src\n", "src/a.txt": "x\n", "old/x": "1", "new/x": "2", "sub/x": "", "internal/x": "x",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(command string) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		cmd := exec.CommandContext(ctx, bash, "-c", command)
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "GOPROXY=off", "GOCACHE=" + home, "GOPATH=" + home}
		_ = cmd.Run() // many fail: the repository has no history, the machine not all programs
	}
	run("git init -q . && git -c user.name=x -c user.email=x@x add . && git -c user.name=x -c user.email=x@x commit -qm x")
	before := filesOf(t, dir)
	for _, c := range commandCases(t) {
		if c.want != "read" {
			continue
		}
		run(c.command)
		if diff := cmp.Diff(before, filesOf(t, dir)); diff != "" {
			t.Fatalf("%s: changed files (-before +after)\n%s", c.command, diff)
		}
	}
}

// filesOf returns the content of the files of a directory by path, .git left out.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == ".git":
			return fs.SkipDir
		case d.IsDir():
			files[path] = "directory"
			return nil
		}
		content, err := os.ReadFile(path)
		files[path] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
