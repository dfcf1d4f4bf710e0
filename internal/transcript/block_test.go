package transcript

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatAHookBlocks(t *testing.T) {
	for name, c := range map[string]struct {
		content string
		want    Block
	}{
		"stderr of a hook":          {"PreToolUse:Bash hook error: [/home/dev/guard.sh]: BLOCKED [demo]: no\n", Block{"/home/dev/guard.sh", "BLOCKED [demo]: no"}},
		"a command with brackets":   {"PreToolUse:Bash hook error: [bash -c '[[ $a == [x] ]] && exit 2']: no", Block{"bash -c '[[ $a == [x] ]] && exit 2'", "no"}},
		"a command with a bracket":  {"PreToolUse:Bash hook error: [a [ b]: no", Block{"a [ b", "no"}},
		"a hook that says nothing":  {"PreToolUse:Bash hook error: [guard]: No stderr output", Block{"guard", "No stderr output"}},
		"an empty reason":           {"PreToolUse:Bash hook error: ", Block{}},
		"a reason":                  {"PreToolUse:Write hook error: not in this folder", Block{"", "not in this folder"}},
		"a reason in brackets":      {"PreToolUse:Write hook error: [urgent] stop", Block{"", "[urgent] stop"}},
		"another tool":              {"PreToolUse:mcp__files__write hook error: no", Block{"", "no"}},
		"the bare reason":           {"BLOCKED [watch-git]: git push --force: overwrites", Block{"", "BLOCKED [watch-git]: git push --force: overwrites"}},
		"several lines":             {"PreToolUse:Bash hook error: [g]: BLOCKED [a]: x\nBLOCKED [b]: y\n", Block{"g", "BLOCKED [a]: x\nBLOCKED [b]: y"}},
		"a reason about exit codes": {"PreToolUse:Bash hook error: Exit code 2 is not wanted", Block{"", "Exit code 2 is not wanted"}},
	} {
		got, ok := Blocked(&Result{Content: c.content, IsError: true})
		if !ok {
			t.Errorf("%s: not a block", name)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
		if _, ok := Blocked(&Result{Content: c.content}); ok {
			t.Errorf("%s: a block though it is no error", name)
		}
	}
}

func TestWhatIsNoBlock(t *testing.T) {
	for name, content := range map[string]string{
		"a hook that failed":                "PreToolUse:Bash hook error: Failed with non-blocking status code: 1",
		"a hook that failed, its command":   "PreToolUse:Bash hook error: [guard.sh]: Failed with non-blocking status code: No stderr output",
		"a hook after the call":             "PostToolUse:Bash hook error: [guard.sh]: BLOCKED [demo]: no",
		"a permission rule":                 "Permission to use Bash with command rm x has been denied.",
		"the user":                          "The user doesn't want to proceed with this tool use.",
		"a failing command":                 "Exit code 1\nBLOCKED [demo]: printed by cat",
		"a failing command with the prefix": "Exit code 2\nPreToolUse:Bash hook error: [x]: BLOCKED [demo]: no",
		"the token further on":              "see: BLOCKED [demo]: no",
		"another token":                     "BLOCKED: editing needs a plan",
		"an unknown tool":                   "<tool_use_error>Error: No such tool available: Monitor</tool_use_error>",
		"nothing":                           "",
		"no tool":                           "PreToolUse: hook error: no",
	} {
		if got, ok := Blocked(&Result{Content: content, IsError: true}); ok {
			t.Errorf("%s: a block: %+v", name, got)
		}
	}
	if _, ok := Blocked(nil); ok {
		t.Error("no answer: a block")
	}
}
