package tests

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// workInTheShop lets a script, a person and a subagent work in the project, while the
// hook records what happens.
func workInTheShop(w *world) {
	w.write("~/shop/src/list.txt", "one\ntwo\nthree\n")
	w.write("~/shop/old.txt", "one\n")
	w.call("toolu_01", "", "./generate.sh", func() {
		w.write("~/shop/src/list.txt", "one\nTWO\nthree\n")
		w.write("~/shop/src/gen.txt", "generated\n")
	})
	w.call("toolu_02", "", "git status", func() {})
	w.write("~/shop/src/list.txt", "one\nTWO\nthree\na person\n")
	w.call("toolu_03", "agent-7", "make", func() {
		w.write("~/shop/src/list.txt", "one\nTWO\nthree\na person\nan agent\n")
		if err := os.Remove(filepath.Join(w.project, "old.txt")); err != nil {
			w.t.Fatal(err)
		}
	})
}

// call tells the hook of a Bash call that does something.
func (w *world) call(id, agent, command string, do func()) {
	w.t.Helper()
	for _, event := range []string{"PreToolUse", "PostToolUse"} {
		if event == "PostToolUse" {
			do()
		}
		payload := fmt.Sprintf(`{"hook_event_name":%q,"session_id":"s1","agent_id":%q,"tool_name":"Bash","tool_use_id":%q,"tool_input":{"command":%q},"tool_response":{"stdout":""},"cwd":%q}`,
			event, agent, id, command, w.project)
		if out := w.start(payload, "hook"); out != "" {
			w.t.Fatalf("%s of %s: %s", event, id, out)
		}
	}
}

// start runs claudewatch in the project, and returns what it prints.
func (w *world) start(stdin string, args ...string) string {
	w.t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir, cmd.Env = w.project, w.environment()
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("claudewatch %s: %v\n%s", args, err, out)
	}
	return string(out)
}

// settingsBlock is the block of settings of a page.
var settingsBlock = regexp.MustCompile("(?s)```yaml\n(roots:.*?)```")

func TestTheSettingsOfTheChangesPageAreTheDefaults(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "changes.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := settingsBlock.FindSubmatch(page)
	if block == nil {
		t.Fatal("there are no settings on the page")
	}
	w := newWorld(t)
	settings := func() any {
		var status struct {
			Settings map[string]any
			Problems []string
		}
		if err := json.Unmarshal([]byte(w.start("", "changes", "status", "--json")), &status); err != nil {
			t.Fatal(err)
		}
		if len(status.Problems) > 0 {
			t.Error(status.Problems)
		}
		delete(status.Settings, "path")
		return status.Settings
	}
	defaults := settings()
	w.write("~/.claude/claudewatch/changes/settings.yaml", string(block[1]))
	if diff := cmp.Diff(defaults, settings()); diff != "" {
		t.Errorf("(-defaults +page)\n%s", diff)
	}
}
