package tests

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An upgrade finds a cache that another build has written: its first call compiles the
// rule files again, says what they say, and leaves a cache of its own.
func TestTheFirstCallAfterAnUpgradeSaysTheSame(t *testing.T) {
	home := t.TempDir()
	watches := filepath.Join(home, ".claude", "claudewatch", "watches")
	if err := os.MkdirAll(watches, 0o700); err != nil {
		t.Fatal(err)
	}
	rules := "name: mine\nrules:\n  block:\n    - {name: no tar, when: 'input.commands.exists(c, c.program == \"tar\")', reason: use zip}\n"
	if err := os.WriteFile(filepath.Join(watches, "mine.yml"), []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	before, after := copied(t, "before"), copied(t, "after")

	want := verdict(t, before, home)
	if !strings.Contains(want, "BLOCKED [mine]: no tar: use zip") {
		t.Fatalf("%s", want)
	}
	old := caches(t, home)
	if got := verdict(t, after, home); got != want {
		t.Errorf("after the upgrade: %s, want %s", got, want)
	}
	first := caches(t, home)
	if cmp.Equal(first, old) {
		t.Error("the cache of the build before is left")
	}
	if got := verdict(t, after, home); got != want {
		t.Errorf("the second call after it: %s, want %s", got, want)
	}
	if !cmp.Equal(caches(t, home), first) {
		t.Error("the second call after the upgrade compiles again")
	}
}

// copied returns the binary as another file, which is another build to the cache.
func copied(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name+filepath.Ext(binary))
	if err := os.WriteFile(path, content, 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// verdict is what the hook says of a call of tar on stderr.
func verdict(t *testing.T, program, home string) string {
	t.Helper()
	cmd := exec.Command(program, "hook")
	cmd.Stdin = strings.NewReader(`{"hook_event_name":"PreToolUse","cwd":"/srv","tool_name":"Bash","tool_input":{"command":"tar xf a.tar"}}`)
	cmd.Env = []string{"HOME=" + home, "USERPROFILE=" + home, "PATH=" + os.Getenv("PATH"), "CLAUDEWATCH_LOG=off"}
	var said bytes.Buffer
	cmd.Stderr = &said
	_ = cmd.Run() // a deny is exit status 2
	return said.String()
}

// caches returns the caches of compiled rules by name, without their first bytes, which
// say when they were last found to be in order.
func caches(t *testing.T, home string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(home, ".claude", "claudewatch", "cache", "*.policy"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%v: %d caches", err, len(paths))
	}
	all := map[string]string{}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(path)] = string(content[min(28, len(content)):])
	}
	return all
}
