package prompt

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func history(t *testing.T) History {
	t.Helper()
	return History{Path: filepath.Join(t.TempDir(), "home", "eval_history")}
}

func linesOf(t *testing.T, h History) []string {
	t.Helper()
	lines, err := h.Lines()
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestTheHistoryHasTheLinesInTheirOrder(t *testing.T) {
	h := history(t)
	if got := linesOf(t, h); got != nil {
		t.Errorf("before the first line: %q", got)
	}
	for _, line := range []string{"input.tool", "input.tool", "é", "input.tool", ""} {
		if err := h.Add(line); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"input.tool", "é", "input.tool"}, linesOf(t, h)); diff != "" {
		t.Error(diff)
	}
}

func TestTheHistoryIsForItsOwnerAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	h := history(t)
	if err := h.Add("input.tool"); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{h.Path: 0o600, filepath.Dir(h.Path): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
}

func TestTheHistoryIsBounded(t *testing.T) {
	h := history(t)
	var lines []string
	for i := range maxHistoryLines + 10 {
		lines = append(lines, fmt.Sprint("line ", i))
	}
	if err := os.MkdirAll(filepath.Dir(h.Path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(h.Path, []byte(strings.Join(lines, "\r\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := h.Add("last"); err != nil {
		t.Fatal(err)
	}
	got := linesOf(t, h)
	if len(got) != maxHistoryLines || got[0] != "line 11" || got[len(got)-1] != "last" {
		t.Errorf("%d lines from %q to %q", len(got), got[0], got[len(got)-1])
	}
	long := strings.Repeat("x", maxHistoryLine-8)
	for i := range maxHistory/maxHistoryLine + 5 {
		if err := h.Add(fmt.Sprint(long, i)); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(h.Path); err != nil || info.Size() > maxHistory {
		t.Errorf("%d bytes, %v", info.Size(), err)
	}
}

func TestALinkAndWhatIsNoHistoryAreLeftAlone(t *testing.T) {
	h := history(t)
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, []byte("a secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(h.Path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, h.Path); err != nil {
		t.Skip(err)
	}
	if lines, err := h.Lines(); err == nil {
		t.Errorf("through a link: %q", lines)
	}
	if err := h.Add("input.tool"); err == nil {
		t.Error("added through a link")
	}
	if content, _ := os.ReadFile(outside); string(content) != "a secret\n" {
		t.Errorf("the file behind the link is %q", content)
	}
	if err := os.Remove(h.Path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(h.Path, []byte("fine\n\x1b[2J\n\xff\n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"fine"}, linesOf(t, h)); diff != "" {
		t.Errorf("lines that would drive the terminal: %s", diff)
	}
}

func TestPromptsThatRunAtATimeShareTheHistory(t *testing.T) {
	h := history(t)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for j := range 5 {
				if err := h.Add(fmt.Sprintf("%d.%d", i, j)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if got := linesOf(t, h); len(got) != 40 {
		t.Errorf("%d lines", len(got))
	}
}

func TestWhatBecomesAnEntry(t *testing.T) {
	for entered, want := range map[string]string{
		"input.tool":              "input.tool",
		" input.tool":             "",
		"f(\n  x)":                "f(   x)",
		"f( // why\nx)":           "",
		"'https://x'":             "'https://x'",
		"":                        "",
		"a\tb":                    "",
		strings.Repeat("x", 5000): "",
	} {
		if got := historyEntry(entered); got != want {
			t.Errorf("%q: %q, want %q", entered, got, want)
		}
	}
}

func TestWithoutAPlaceThereIsNoHistory(t *testing.T) {
	if err := (History{}).Add("input.tool"); err != nil {
		t.Error(err)
	}
	if lines, err := (History{}).Lines(); lines != nil || err != nil {
		t.Errorf("%q, %v", lines, err)
	}
}
