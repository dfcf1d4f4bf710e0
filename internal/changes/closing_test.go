package changes

import (
	"fmt"
	"testing"

	"github.com/claudewatch/claudewatch/internal/changes/record"
)

func TestHowACallEnded(t *testing.T) {
	response := func(key string, value any) any { return map[string]any{key: value} }
	for _, c := range []struct {
		name  string
		event Event
		want  string
	}{
		{"it returned", Event{Name: "PostToolUse", Tool: "Bash", Response: response("stdout", "")}, "returned 0"},
		{"without a response", Event{Name: "PostToolUse", Tool: "PowerShell"}, "returned 0"},
		{"in the background", Event{Name: "PostToolUse", Tool: "Bash", Args: map[string]any{"run_in_background": true}}, "returned null"},
		{"put into the background", Event{Name: "PostToolUse", Tool: "Bash", Response: response("backgroundTaskId", "b1")}, "returned null"},
		{"interrupted", Event{Name: "PostToolUse", Tool: "Bash", Response: response("interrupted", true)}, "returned null"},
		{"a tool without exit codes", Event{Name: "PostToolUse", Tool: "Monitor"}, "returned null"},
		{"it failed", Event{Name: "PostToolUseFailure", Tool: "Bash", Error: "Exit code 127\nnot found"}, "failed 127"},
		{"it failed in words", Event{Name: "PostToolUseFailure", Tool: "Bash", Error: "Command timed out"}, "failed null"},
		{"an exit code that is none", Event{Name: "PostToolUseFailure", Tool: "Bash", Error: "Exit code 99999999999999999999"}, "failed null"},
		{"it speaks of an exit code", Event{Name: "PostToolUseFailure", Tool: "Bash", Error: "see: Exit code 3"}, "failed null"},
		{"the user stopped it", Event{Name: "PostToolUseFailure", Tool: "Bash", Error: "The user doesn't want to proceed with this tool use", Interrupt: true}, "failed null"},
		{"a hook refused it", Event{Name: "PostToolUseFailure", Tool: "Bash", Error: "PreToolUse:Bash hook error: [x]: no"}, "not_executed null"},
		{"a permission refused it", Event{Name: "PostToolUseFailure", Tool: "Bash", Error: "Permission to use Bash with command make has been denied."}, "not_executed null"},
		{"what it printed speaks of a refusal", Event{Name: "PostToolUseFailure", Tool: "Bash", Error: "Exit code 1\nPermission denied: was denied"}, "failed 1"},
	} {
		if got := outcomeText(outcomeOf(c.event)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func outcomeText(o record.Outcome) string {
	if o.ExitCode == nil {
		return o.State + " null"
	}
	return fmt.Sprintf("%s %d", o.State, *o.ExitCode)
}
