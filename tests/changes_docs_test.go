package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// changesPage is the page whose examples are run.
var changesPage = filepath.Join("..", "docs", "changes.md")

// consoleBlock is a block of commands with what they print, as a page shows it.
var consoleBlock = regexp.MustCompile("(?s)```console\n(.*?)```")

// TestTheExamplesOfTheChangesPagePrintWhatItShows lets a script, a person and a subagent
// work in a project, and runs the commands of the page there. UPDATE_SCRIPTS=1 writes
// what they print into the page.
func TestTheExamplesOfTheChangesPagePrintWhatItShows(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the page shows paths with slashes")
	}
	page, err := os.ReadFile(changesPage)
	if err != nil {
		t.Fatal(err)
	}
	shop := newShop(t)
	shop.work()
	examples := 0
	want := consoleBlock.ReplaceAllFunc(page, func(block []byte) []byte {
		var out strings.Builder
		for line := range strings.Lines(string(consoleBlock.FindSubmatch(block)[1])) {
			if command, ok := strings.CutPrefix(line, "$ claudewatch "); ok {
				examples++
				out.WriteString(line + shop.run(strings.Fields(command)...))
			}
		}
		return []byte("```console\n" + out.String() + "```")
	})
	if examples < 8 {
		t.Errorf("%d examples", examples)
	}
	if os.Getenv("UPDATE_SCRIPTS") != "" {
		if err := os.WriteFile(changesPage, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(page), string(want)); diff != "" {
		t.Errorf("docs/changes.md is not what is printed (-page +printed); run the test with UPDATE_SCRIPTS=1\n%s", diff)
	}
}

// settingsBlock is the block of settings of a page.
var settingsBlock = regexp.MustCompile("(?s)```yaml\n(roots:.*?)```")

func TestTheSettingsOfTheChangesPageAreTheDefaults(t *testing.T) {
	page, err := os.ReadFile(changesPage)
	if err != nil {
		t.Fatal(err)
	}
	block := settingsBlock.FindSubmatch(page)
	if block == nil {
		t.Fatal("there are no settings on the page")
	}
	s := newShop(t)
	settings := func() any {
		var status struct {
			Settings map[string]any
			Problems []string
		}
		if err := json.Unmarshal([]byte(s.start("", "changes", "status", "--json")), &status); err != nil {
			t.Fatal(err)
		}
		if len(status.Problems) > 0 {
			t.Error(status.Problems)
		}
		delete(status.Settings, "path")
		return status.Settings
	}
	defaults := settings()
	writeFile(t, filepath.Join(s.home, ".claude", "claudewatch", "changes", "settings.yaml"), string(block[1]))
	if diff := cmp.Diff(defaults, settings()); diff != "" {
		t.Errorf("(-defaults +page)\n%s", diff)
	}
}

// shop is a project in which the hook records what happens.
type shop struct {
	t         *testing.T
	dir, home string
}

func newShop(t *testing.T) *shop {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &shop{t, dir, t.TempDir()}
}

func (s *shop) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// work is what happens before the examples.
func (s *shop) work() {
	s.write("src/list.txt", "one\ntwo\nthree\n")
	s.write("old.txt", "one\n")
	s.call("toolu_01", "", "./generate.sh", func() {
		s.write("src/list.txt", "one\nTWO\nthree\n")
		s.write("src/gen.txt", "generated\n")
	})
	s.call("toolu_02", "", "git status", func() {})
	s.write("src/list.txt", "one\nTWO\nthree\na person\n")
	s.call("toolu_03", "agent-7", "make", func() {
		s.write("src/list.txt", "one\nTWO\nthree\na person\nan agent\n")
		if err := os.Remove(filepath.Join(s.dir, "old.txt")); err != nil {
			s.t.Fatal(err)
		}
	})
}

// call tells the hook of a Bash call that does something.
func (s *shop) call(id, agent, command string, do func()) {
	s.t.Helper()
	for _, event := range []string{"PreToolUse", "PostToolUse"} {
		if event == "PostToolUse" {
			do()
		}
		payload := fmt.Sprintf(`{"hook_event_name":%q,"session_id":"s1","agent_id":%q,"tool_name":"Bash","tool_use_id":%q,"tool_input":{"command":%q},"tool_response":{"stdout":""},"cwd":%q}`,
			event, agent, id, command, s.dir)
		if out := s.start(payload, "hook"); out != "" {
			s.t.Fatalf("%s of %s: %s", event, id, out)
		}
	}
}

func (s *shop) start(stdin string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir = s.dir
	cmd.Env = []string{"HOME=" + s.home, "USERPROFILE=" + s.home, "CLAUDE_PROJECT_DIR=" + s.dir, "PATH=" + os.Getenv("PATH"), "TZ=UTC", "CLAUDEWATCH_LOG=off"}
	cmd.Stdin = strings.NewReader(stdin)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 1 {
		s.t.Fatalf("claudewatch %s: %v\n%s", args, err, out.String())
	}
	return out.String()
}

// What differs from run to run, and what the page has in its place.
var (
	clock  = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`)
	gapIDs = regexp.MustCompile(`gap/[0-9a-f]{16}/\d`)
)

// run returns what a command prints, with what differs from run to run replaced.
func (s *shop) run(args ...string) string {
	out := s.start("", args...)
	out = clock.ReplaceAllString(out, "2026-11-30 14:03:12")
	out = gapIDs.ReplaceAllString(out, "gap/5d41402abc4b2a76/3")
	return strings.ReplaceAll(out, s.dir, "/home/dev/shop")
}
