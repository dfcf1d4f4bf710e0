package transcript

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

const (
	testPath  = "/p/slug/session-1.jsonl"
	agentPath = "/p/slug/session-1/subagents/agent-a7.jsonl"
)

// use is a line with a tool call, answer one with its result.
func use(id, tool, input string) string {
	return fmt.Sprintf(`{"type":"assistant","cwd":"/w","sessionId":"s1","timestamp":"2026-11-30T10:00:00.000Z","message":{"role":"assistant","content":[{"type":"tool_use","id":%q,"name":%q,"input":%s}]}}`+"\n", id, tool, input)
}

func answer(id, content string, isError bool) string {
	return fmt.Sprintf(`{"type":"user","cwd":"/w","sessionId":"s1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":%s,"is_error":%t}]}}`+"\n", id, content, isError)
}

func readAll(t testing.TB, path, text string) ([]Call, int) {
	t.Helper()
	r := NewReader(strings.NewReader(text), path)
	var calls []Call
	for {
		c, err := r.Next()
		if err == io.EOF {
			return calls, r.Skipped().Lines
		}
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, *c)
	}
}

func TestACallIsJoinedWithItsAnswer(t *testing.T) {
	calls, skipped := readAll(t, testPath, `{"type":"user","cwd":"/root","permissionMode":"plan","message":{"content":"go"}}`+"\n"+
		use("t1", "Bash", `{"command":"ls"}`)+answer("t1", `"a.txt"`, false))
	want := []Call{{
		ID: "t1", Tool: "Bash", Input: map[string]any{"command": "ls"}, Cwd: "/w", ProjectDir: "/root", Session: "s1",
		Time: "2026-11-30T10:00:00.000Z", PermissionMode: "plan", Path: testPath, Line: 2, Result: &Result{Content: "a.txt"},
	}}
	if diff := cmp.Diff(want, calls); diff != "" || skipped != 0 {
		t.Errorf("%d skipped, (-want +got)\n%s", skipped, diff)
	}
}

func TestCallsKeepTheirOrderWhenAnswersDoNot(t *testing.T) {
	calls, _ := readAll(t, testPath, use("t1", "Bash", `{}`)+use("t2", "Read", `{}`)+use("t3", "Grep", `{}`)+
		answer("t3", `"three"`, false)+answer("t1", `[{"type":"text","text":"one"},{"type":"image"},{"type":"text","text":"more"}]`, true))
	var got []string
	for _, c := range calls {
		text := "-"
		if c.Result != nil {
			text = fmt.Sprintf("%s %t", c.Result.Content, c.Result.IsError)
		}
		got = append(got, c.ID+" "+text)
	}
	if diff := cmp.Diff([]string{"t1 one\nmore true", "t2 -", "t3 three false"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestASubagentsCallsNameTheirAgent(t *testing.T) {
	line := `{"type":"assistant","isSidechain":true,"message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]}}`
	calls, _ := readAll(t, agentPath, line)
	if len(calls) != 1 || calls[0].Agent != "a7" || calls[0].Session != "session-1" || !calls[0].Sidechain {
		t.Errorf("got %+v", calls)
	}
	calls, _ = readAll(t, testPath, strings.Replace(line, `{`, `{"agentId":"b8",`, 1))
	if len(calls) != 1 || calls[0].Agent != "b8" || calls[0].Session != "session-1" {
		t.Errorf("got %+v", calls)
	}
}

func TestLinesThatCannotBeReadArePassedOver(t *testing.T) {
	long := `{"type":"user","text":"` + strings.Repeat("x", MaxLine) + "\"}\n"
	for name, c := range map[string]struct {
		text           string
		calls, skipped int
	}{
		"a torn last line":      {use("t1", "Bash", `{}`) + `{"type":"assistant","mess`, 1, 0},
		"a torn line":           {`{"type":"assistant","mess` + "\n" + use("t1", "Bash", `{}`), 1, 1},
		"no JSON":               {"nonsense\n\n" + use("t1", "Bash", `{}`), 1, 1},
		"another value":         {"[1]\n3\nnull\n" + use("t1", "Bash", `{}`), 1, 0},
		"unknown types":         {`{"type":"summary","summary":"x"}` + "\n" + `{"kind":1}` + "\n" + use("t1", "Bash", `{}`), 1, 0},
		"wrong types":           {`{"type":"assistant","cwd":7,"message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":"x"}]}}`, 1, 0},
		"a message as text":     {`{"type":"user","message":"x"}` + "\n", 0, 0},
		"a line that is long":   {long + use("t1", "Bash", `{}`), 1, 1},
		"a last line is long":   {strings.TrimSuffix(long, "\"}\n"), 0, 1},
		"a call without a name": {`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1"}]}}`, 0, 0},
		"a call in a question":  {strings.Replace(use("t1", "Bash", `{}`), "assistant", "user", 1), 0, 0},
		"progress of a call":    {`{"type":"progress","data":{"message":` + strings.TrimSpace(use("t1", "Bash", `{}`)) + "}}\n", 0, 0},
		"the same call twice":   {use("t1", "Bash", `{}`) + use("t1", "Bash", `{}`), 1, 0},
		"an answer to nothing":  {answer("t9", `"x"`, true), 0, 0},
		"line ends of Windows":  {strings.ReplaceAll(use("t1", "Bash", `{}`), "\n", "\r\n"), 1, 0},
		"nothing":               {"", 0, 0},
	} {
		calls, skipped := readAll(t, testPath, c.text)
		if len(calls) != c.calls || skipped != c.skipped {
			t.Errorf("%s: %d calls, %d skipped; want %d and %d", name, len(calls), skipped, c.calls, c.skipped)
		}
	}
}

func TestALongAnswerIsCut(t *testing.T) {
	calls, _ := readAll(t, testPath, use("t1", "Bash", `{}`)+answer("t1", `"`+strings.Repeat("ä", MaxResult)+`"`, false))
	if got := calls[0].Result.Content; len(got) > MaxResult || len(got) < MaxResult-4 || strings.Trim(got, "ä") != "" {
		t.Errorf("%d bytes, ending in %q", len(got), got[len(got)-4:])
	}
}

func TestACallWithoutAnAnswerDoesNotHoldBackAllOthers(t *testing.T) {
	var text strings.Builder
	text.WriteString(use("lost", "Bash", `{}`))
	for i := range maxWaiting {
		text.WriteString(use(fmt.Sprint(i), "Bash", `{}`))
	}
	r := NewReader(io.MultiReader(strings.NewReader(text.String()), iotest.ErrReader(errors.New("read too far"))), testPath)
	c, err := r.Next()
	if err != nil || c.ID != "lost" {
		t.Fatalf("got %+v, %v", c, err)
	}
	if _, err := r.Next(); err == nil || err.Error() != "read too far" {
		t.Errorf("the reader's error is lost: %v", err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(use("t1", "Bash", `{"command":"ls"}`) + answer("t1", `"PreToolUse:Bash hook error: [x]: no"`, true))
	f.Add(use("t1", "Bash", `{}`) + use("t1", "Bash", `[]`) + answer("t1", `[{"type":"text","text":"BLOCKED [a]: b"}]`, true))
	f.Add(`{"type":"assistant","message":{"content":[{"type":"tool_use","name":"X"}]}}` + "\n{")
	f.Fuzz(func(t *testing.T, text string) {
		calls, skipped := readAll(t, agentPath, text)
		lines := strings.Count(text, "\n") + 1
		if skipped > lines {
			t.Errorf("%d of %d lines skipped", skipped, lines)
		}
		for i, c := range calls {
			if c.Tool == "" || c.Line < 1 || c.Line > lines || i > 0 && c.Line < calls[i-1].Line {
				t.Errorf("call %d of %d lines: %+v", i, lines, c)
			}
			if _, ok := Blocked(c.Result); ok && !c.Result.IsError {
				t.Errorf("a block that is no error: %+v", c.Result)
			}
		}
	})
}

func FuzzBlocked(f *testing.F) {
	f.Add("PreToolUse:Bash hook error: [a [b]: c]: d")
	f.Add("BLOCKED [x]: y")
	f.Fuzz(func(t *testing.T, content string) {
		b, ok := Blocked(&Result{Content: content, IsError: true})
		if ok && !strings.HasPrefix(content, "PreToolUse:") && !strings.HasPrefix(content, "BLOCKED [") {
			t.Errorf("%q is a block", content)
		}
		if !strings.Contains(content, b.Text) || !strings.Contains(content, b.Command) {
			t.Errorf("%q holds not %+v", content, b)
		}
	})
}
