package tests

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// agreementStride is the distance between the commands of commands.tsv that are
// compared: each costs two processes.
const agreementStride = 60

// TestTheHookDoesWhatExplainShows runs the built binary twice for each of some
// commands: as the hook and as explain, on the same event.
func TestTheHookDoesWhatExplainShows(t *testing.T) {
	table, err := os.ReadFile("commands.tsv")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	var commands []string
	for _, line := range strings.Split(string(table), "\n") {
		if _, command, ok := strings.Cut(line, "\t"); ok && !strings.HasPrefix(line, "#") {
			commands = append(commands, command)
		}
	}
	verdicts := map[string]int{}
	for i := 0; i < len(commands); i += agreementStride {
		event, err := json.Marshal(map[string]any{
			"hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": "/home/dev/project",
			"tool_input": map[string]any{"command": commands[i]},
		})
		if err != nil {
			t.Fatal(err)
		}
		hooked, explained := hookVerdict(t, home, event), explainVerdict(t, home, event)
		if hooked != explained {
			t.Errorf("%s: the hook says %s, explain %s", commands[i], hooked, explained)
		}
		verdicts[hooked]++
	}
	for _, v := range []string{"none", "ask", "deny"} {
		if verdicts[v] == 0 {
			t.Errorf("no command with the verdict %s was compared", v)
		}
	}
}

// runBinary runs claudewatch with an event on standard input and returns what it
// wrote to standard output, and its exit status.
func runBinary(t *testing.T, home string, event []byte, args ...string) (stdout []byte, status int) {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Stdin = bytes.NewReader(event)
	cmd.Env = []string{"HOME=" + home, "USERPROFILE=" + home, "PATH=" + os.Getenv("PATH"), "CLAUDEWATCH_LOG=off"}
	stdout, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return stdout, exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return stdout, 0
}

func hookVerdict(t *testing.T, home string, event []byte) string {
	t.Helper()
	stdout, status := runBinary(t, home, event, "hook")
	if len(stdout) == 0 && status == 0 {
		return "none"
	}
	var answer struct {
		HookSpecificOutput struct{ PermissionDecision string }
	}
	if err := json.Unmarshal(stdout, &answer); err != nil {
		t.Fatalf("%s: %v", stdout, err)
	}
	decision := answer.HookSpecificOutput.PermissionDecision
	if want := map[string]int{"ask": 0, "deny": 2}[decision]; status != want {
		t.Errorf("%s exits with %d, want %d: %s", decision, status, want, event)
	}
	return decision
}

func explainVerdict(t *testing.T, home string, event []byte) string {
	t.Helper()
	stdout, status := runBinary(t, home, event, "explain", "--json")
	var explanation struct{ Decision struct{ Verdict string } }
	if err := json.Unmarshal(stdout, &explanation); err != nil || status != 0 {
		t.Fatalf("exit status %d, %v: %s", status, err, stdout)
	}
	return explanation.Decision.Verdict
}
