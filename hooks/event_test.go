package hooks_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/claudewatch/claudewatch/hooks"
	"github.com/google/go-cmp/cmp"
)

// payloads returns the lines of the recorded payloads, nil where they are absent.
func payloads(t testing.TB) [][]byte {
	t.Helper()
	files, err := filepath.Glob("../../shared/payloads/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]byte
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		scanner := bufio.NewScanner(bytes.NewReader(content))
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() {
			lines = append(lines, bytes.Clone(scanner.Bytes()))
		}
	}
	return lines
}

func TestEveryRecordedPayloadDecodes(t *testing.T) {
	lines := payloads(t)
	if lines == nil {
		t.Skip("no recorded payloads here")
	}
	seen := map[string]int{}
	for i, line := range lines {
		got, err := hooks.Decode(line)
		if err != nil {
			t.Errorf("line %d: %v", i+1, err)
			continue
		}
		var raw struct {
			Name      string         `json:"hook_event_name"`
			Tool      string         `json:"tool_name"`
			ToolInput map[string]any `json:"tool_input"`
			ToolUseID string         `json:"tool_use_id"`
			Session   string         `json:"session_id"`
			Cwd       string         `json:"cwd"`
			Mode      string         `json:"permission_mode"`
			AgentID   string         `json:"agent_id"`
			AgentType string         `json:"agent_type"`
			Response  any            `json:"tool_response"`
			Error     string         `json:"error"`
			Interrupt bool           `json:"is_interrupt"`
		}
		if err := json.Unmarshal(line, &raw); err != nil {
			t.Fatal(err)
		}
		want := &hooks.Event{
			Name: raw.Name, Tool: raw.Tool, ToolInput: raw.ToolInput, ToolUseID: raw.ToolUseID, SessionID: raw.Session,
			Cwd: raw.Cwd, PermissionMode: raw.Mode, AgentID: raw.AgentID, AgentType: raw.AgentType,
			ToolResponse: raw.Response, Error: raw.Error, Interrupt: raw.Interrupt,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("line %d: %s", i+1, diff)
		}
		seen[got.Name]++
	}
	for _, name := range []string{hooks.PreToolUse, hooks.PostToolUse, hooks.PostToolUseFailure} {
		if seen[name] == 0 {
			t.Errorf("no %s event among the recorded payloads", name)
		}
	}
}

func TestWhatACallCameToIsReadWhateverItsForm(t *testing.T) {
	for _, c := range []struct {
		name, payload string
		want          hooks.Event
	}{
		{"an object", `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"stdout":"a","interrupted":false}}`,
			hooks.Event{ToolInput: map[string]any{"command": "ls"}, ToolResponse: map[string]any{"stdout": "a", "interrupted": false}}},
		{"a text", `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":"done"}`,
			hooks.Event{ToolInput: map[string]any{"command": "ls"}, ToolResponse: "done"}},
		{"null", `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":null}`,
			hooks.Event{ToolInput: map[string]any{"command": "ls"}}},
		{"a number beyond float64", `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":[1e999,2]}`,
			hooks.Event{ToolInput: map[string]any{"command": "ls"}, ToolResponse: []any{nil, 2.0}, Oddities: []string{"number 1e999 is too large; read as null"}}},
		{"an odd input", `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":1},"tool_use_id":"t1"}`,
			hooks.Event{ToolUseID: "t1", Oddities: []string{"tool_input.command: want a string, got a number; read as absent"}}},
		{"an input that is none", `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":"ls","tool_use_id":"t1"}`,
			hooks.Event{ToolUseID: "t1", Oddities: []string{"tool_input: want an object, got a string; read as absent"}}},
		{"no tool", `{"hook_event_name":"PostToolUse","tool_response":1}`, hooks.Event{ToolResponse: 1.0}},
		{"a failure", `{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"ls"},"error":"Exit code 2\nno","is_interrupt":true}`,
			hooks.Event{ToolInput: map[string]any{"command": "ls"}, Error: "Exit code 2\nno", Interrupt: true}},
		{"an odd failure", `{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"ls"},"error":{"code":2},"is_interrupt":"yes"}`,
			hooks.Event{ToolInput: map[string]any{"command": "ls"}, Oddities: []string{
				"error: want a string, got an object; read as absent", "is_interrupt: want a boolean, got a string; read as absent"}}},
	} {
		got, err := hooks.Decode([]byte(c.payload))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		c.want.Name, c.want.Tool = got.Name, got.Tool
		if diff := cmp.Diff(&c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestWhatIsUnknownIsNoError(t *testing.T) {
	for name, payload := range map[string]string{
		"keys":                    `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls","new_key":[1]},"later":{"a":1},"effort":null}`,
		"permission mode":         `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"permission_mode":"dontAsk2"}`,
		"event":                   `{"hook_event_name":"PreCompact2"}`,
		"tool":                    `{"hook_event_name":"PreToolUse","tool_name":"mcp__new__tool","tool_input":{"command":7}}`,
		"no input":                `{"hook_event_name":"PreToolUse","tool_name":"ListThings"}`,
		"null for optional keys":  `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"agent_id":null,"cwd":null,"session_id":null}`,
		"a web socket monitor":    `{"hook_event_name":"PreToolUse","tool_name":"Monitor","tool_input":{"ws":{"url":"wss://example.com"}}}`,
		"byte order mark, spaces": "\xef\xbb\xbf \n {\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"}}\r\n\t ",
	} {
		event, err := hooks.Decode([]byte(payload))
		if err != nil || len(event.Oddities) != 0 {
			t.Errorf("%s: %v, %+v", name, err, event)
		}
	}
}

func TestABrokenPayloadIsOneClearLine(t *testing.T) {
	bash := func(input string) string {
		return `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":` + input + `}`
	}
	call := func(tool, input string) string {
		return `{"hook_event_name":"PreToolUse","tool_name":"` + tool + `","tool_input":` + input + `}`
	}
	for _, c := range []struct{ name, payload, want string }{
		{"empty", "", "empty, want one JSON object"},
		{"blank", " \r\n\t", "empty, want one JSON object"},
		{"text", "not json", "not a JSON object: invalid character 'o' in literal null (expecting 'u') at line 1, column 2"},
		{"array", ` [{"tool_name":"Bash"}]`, "want one JSON object, got an array"},
		{"null", "null\n", "want one JSON object, got null"},
		{"number", "-1.5e3", "want one JSON object, got a number"},
		{"string", `"{}"`, "want one JSON object, got a string"},
		{"boolean", "true", "want one JSON object, got a boolean"},
		{"cut off", "{\n \"tool_name\": \"Ba", "not a JSON object: unexpected end of JSON input at line 2, column 17"},
		{"trailing data", `{"tool_name":"Bash"} {"tool_name":"Bash"}`, "not a JSON object: invalid character '{' after top-level value at line 1, column 22"},
		{"a bare newline in a string", "{\"tool_name\":\"é\n\"}", "not a JSON object: invalid character '\\n' in string literal at line 1, column 16"},
		{"no event", `{}`, "not a hook event: neither hook_event_name nor tool_name is given"},
		{"other case", `{"Hook_Event_Name":"PreToolUse","TOOL_NAME":"Bash"}`, "not a hook event: neither hook_event_name nor tool_name is given"},
		{"no tool", `{"hook_event_name":"PreToolUse"}`, "a PreToolUse event without tool_name"},
		{"invalid UTF-8", bash("{\"command\":\"ls é\xff\"}"), "invalid UTF-8 at line 1, column 81"},
		{"a number as event", `{"hook_event_name":1,"tool_name":"Bash"}`, "hook_event_name: want a string, got a number"},
		{"a number as tool", `{"hook_event_name":"PreToolUse","tool_name":2}`, "tool_name: want a string, got a number"},
		{"a string as input", bash(`"ls"`), "tool_input: want an object, got a string"},
		{"an array as input", bash(`[]`), "tool_input: want an object, got an array"},
		{"a number as command", bash(`{"command":123}`), "tool_input.command: want a string, got a number"},
		{"a list as command", bash(`{"command":["ls"]}`), "tool_input.command: want a string, got an array"},
		{"a boolean as command", call("PowerShell", `{"command":true}`), "tool_input.command: want a string, got a boolean"},
		{"a number as a monitor's command", call("Monitor", `{"command":1}`), "tool_input.command: want a string, got a number"},
		{"a number as path", call("Write", `{"file_path":1,"content":""}`), "tool_input.file_path: want a string, got a number"},
		{"an object as content", call("Write", `{"file_path":"a","content":{}}`), "tool_input.content: want a string, got an object"},
		{"a number as old string", call("Edit", `{"file_path":"a","old_string":1,"new_string":"b"}`), "tool_input.old_string: want a string, got a number"},
		{"an object as edits", call("MultiEdit", `{"file_path":"a","edits":{}}`), "tool_input.edits: want an array, got an object"},
		{"a string as edit", call("MultiEdit", `{"file_path":"a","edits":[{},"b"]}`), "tool_input.edits[1]: want an object, got a string"},
		{"a number in an edit", call("MultiEdit", `{"file_path":"a","edits":[{"old_string":"a","new_string":2}]}`), "tool_input.edits[0].new_string: want a string, got a number"},
		{"a list as a cell's source", call("NotebookEdit", `{"notebook_path":"a","new_source":["b"]}`), "tool_input.new_source: want a string, got an array"},
		{"deep nesting", `{"tool_name":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + "}", "not a JSON object: invalid character '[' exceeded max depth at line 1, column 10013"},
	} {
		event, err := hooks.Decode([]byte(c.payload))
		if err == nil {
			t.Errorf("%s: no error, %+v", c.name, event)
			continue
		}
		if diff := cmp.Diff("hook payload: "+c.want, err.Error()); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestAnOddityIsReportedAndTheCallStillJudged(t *testing.T) {
	for _, c := range []struct {
		name, payload string
		want          []string
	}{
		{"numbers as optional keys",
			`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"session_id":1,"cwd":["/"]}`,
			[]string{"session_id: want a string, got a number; read as absent", "cwd: want a string, got an array; read as absent"}},
		{"no command", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"cmd":"ls"}}`,
			[]string{"tool_input.command: missing in a call of Bash"}},
		{"no input", `{"hook_event_name":"PreToolUse","tool_name":"PowerShell","tool_input":null}`,
			[]string{"tool_input.command: missing in a call of PowerShell"}},
		{"a number beyond float64", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"timeout":1e999,"command":"ls"}}`,
			[]string{"number 1e999 is too large; read as null"}},
	} {
		event, err := hooks.Decode([]byte(c.payload))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.want, event.Oddities); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestAPayloadWithoutAnEventNameIsJudged(t *testing.T) {
	event, err := hooks.Decode([]byte(`{"tool_name":"Bash","tool_input":{"command":"ls"}}`))
	if err != nil || event.Name != hooks.PreToolUse {
		t.Errorf("got %+v, %v", event, err)
	}
}

func TestTheLastOfTwoEqualKeysCounts(t *testing.T) {
	event, err := hooks.Decode([]byte(`{"tool_name":"Read","tool_name":"Bash","tool_input":{"command":"ls"},"tool_input":{"command":"ls","command":"rm"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if event.Tool != "Bash" || event.ToolInput["command"] != "rm" {
		t.Errorf("got %+v", event)
	}
}

func TestReadEventRefusesAHugePayload(t *testing.T) {
	head, tail := `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"`, `"}}`
	for _, c := range []struct {
		size int
		ok   bool
	}{{hooks.MaxPayload, true}, {hooks.MaxPayload + 1, false}, {50 << 20, false}} {
		fill := strings.Repeat("x", c.size-len(head)-len(tail))
		sent := strings.NewReader(head + fill + tail)
		event, err := hooks.ReadEvent(sent)
		if c.ok && (err != nil || event.ToolInput["command"] != fill) || !c.ok && err == nil {
			t.Errorf("%d bytes: error %v", c.size, err)
		}
		if sent.Len() != 0 {
			t.Errorf("%d bytes: %d were left unread", c.size, sent.Len())
		}
		if err != nil && (strings.Contains(err.Error(), "\n") || len(err.Error()) > 100) {
			t.Errorf("%d bytes: %q", c.size, err)
		}
	}
}

// endless never runs out of bytes.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestReadEventDoesNotReadForEver(t *testing.T) {
	if _, err := hooks.ReadEvent(endless{}); err == nil {
		t.Error("no error")
	}
}

func TestReadEventReportsAReaderThatFails(t *testing.T) {
	_, err := hooks.ReadEvent(io.MultiReader(strings.NewReader("{"), iotest.ErrReader(io.ErrClosedPipe)))
	if err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("got %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, line := range payloads(f) {
		f.Add(line)
	}
	for _, s := range []string{"", "null", "[]", `{"tool_name":"MultiEdit","tool_input":{"edits":[{"old_string":1}]}}`, "{\"a\":\"\xff\"}", `{"tool_name":"Bash","tool_input":{"x":1e999}}`,
		`{"hook_event_name":"PostToolUse","tool_input":1,"tool_response":[1]}`, `{"hook_event_name":"PostToolUseFailure","tool_name":"Edit","tool_input":{"file_path":1},"error":1,"is_interrupt":1}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		event, err := hooks.Decode(payload)
		if err != nil {
			if event != nil || strings.ContainsAny(err.Error(), "\r\n") || !utf8.ValidString(err.Error()) {
				t.Errorf("event %v, error %q", event, err)
			}
			return
		}
		if event.Name == "" || event.Name == hooks.PreToolUse && event.Tool == "" {
			t.Errorf("no name: %+v", event)
		}
		if !json.Valid(bytes.TrimPrefix(payload, []byte("\xef\xbb\xbf"))) || !utf8.Valid(payload) {
			t.Errorf("accepted %q", payload)
		}
		for _, oddity := range event.Oddities {
			if strings.ContainsAny(oddity, "\r\n") || !utf8.ValidString(oddity) {
				t.Errorf("oddity %q", oddity)
			}
		}
	})
}
