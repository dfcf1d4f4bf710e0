// Package hooks speaks Claude Code's hook protocol: it decodes the event that a
// hook reads on stdin and writes the answer to a decision. It knows nothing of
// rules: what a call means is internal/call's business, the decision policy's.
//
// The facts are those of the hooks reference of Claude Code and of payloads
// recorded from version 2.1.197. The plugin files stand beside the code:
// hooks.json registers the hook, .claude-plugin/plugin.json names the plugin.
package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// The events that claudewatch does more with than to pass them over.
const (
	// PreToolUse is answered with a decision.
	PreToolUse = "PreToolUse"
	// PostToolUse follows a call that returned. It can be answered with context for
	// the model, and stops nothing.
	PostToolUse = "PostToolUse"
	// PostToolUseFailure follows a call that failed or was interrupted.
	PostToolUseFailure = "PostToolUseFailure"
)

// MaxPayload is the size in bytes up to which a payload is read. Tool input is
// written by a model, whose longest answers stay far below.
const MaxPayload = 32 << 20

// maxDrained bounds how much of a payload beyond MaxPayload is read and dropped,
// so that the sender is not left with a broken pipe.
const maxDrained = 256 << 20

// Event is one hook event. Keys that claudewatch has no use for are dropped;
// every field is "" when its key is absent.
type Event struct {
	// Name is hook_event_name: PreToolUse, PostToolUse, SessionStart, …; names
	// not known today are kept. A payload that has a tool_name and no event name
	// is taken for a PreToolUse event, the one where a mistake would cost a guard.
	Name string
	// Tool is tool_name: Bash, Write, mcp__server__name, …
	Tool string
	// ToolInput is tool_input as encoding/json decodes it: objects are
	// map[string]any, arrays []any, numbers float64. It is nil when absent.
	ToolInput map[string]any
	ToolUseID string
	// ToolResponse is tool_response of a PostToolUse event as encoding/json decodes
	// it. Its form is the tool's own and is not checked; nil when absent.
	ToolResponse any
	// Error is the error of a PostToolUseFailure event: "Exit code N" in front where a
	// shell command ended with that status.
	Error string
	// Interrupt is is_interrupt of a PostToolUseFailure event: the user stopped the call.
	Interrupt bool

	SessionID string
	// Cwd is the session's working directory, which follows its cd.
	Cwd string
	// PermissionMode is default, plan, acceptEdits, …; it is not checked.
	PermissionMode string
	// AgentID and AgentType name the subagent, "" on the main stream.
	AgentID, AgentType string

	// Oddities are one-line remarks on what the payload should not have been and
	// the event could do without: a number as session_id, a Bash call without a
	// command. The event is judged, and the remarks belong on stderr.
	Oddities []string
}

// ReadEvent reads one payload to the end of r and decodes it. A payload of more
// than MaxPayload bytes is an error.
func ReadEvent(r io.Reader) (*Event, error) {
	payload, err := io.ReadAll(io.LimitReader(r, MaxPayload+1))
	if err != nil {
		return nil, fmt.Errorf("hook payload: cannot be read: %w", err)
	}
	if len(payload) > MaxPayload {
		_, _ = io.CopyN(io.Discard, r, maxDrained)
		return nil, fmt.Errorf("hook payload: more than %d MiB, which is the limit", MaxPayload>>20)
	}
	return Decode(payload)
}

// Decode decodes one payload, leniently: unknown keys and values are no error,
// and a wrong type where a key is optional is an oddity of the event.
//
// It is an error when the payload is not one JSON object in UTF-8, when it names
// neither an event nor a tool, and when a key of a PreToolUse event that says what
// the call does (the tool's name, its input, the command, a path, an edit) is not of
// the type that Claude Code documents. Of another event, which nothing can stop any
// more, that is an oddity. The error's text is one line. Of a key given twice the last
// value counts, as in JavaScript.
func Decode(payload []byte) (*Event, error) {
	object, oddities, err := decodeObject(payload)
	if err != nil {
		return nil, fmt.Errorf("hook payload: %w", err)
	}
	d := &decoder{object: object, oddities: oddities}
	event, err := d.event()
	if err != nil {
		return nil, fmt.Errorf("hook payload: %w", err)
	}
	return event, nil
}

// decodeObject decodes the one JSON object of a payload.
func decodeObject(payload []byte) (object map[string]any, oddities []string, err error) {
	payload = bytes.TrimPrefix(payload, []byte("\xef\xbb\xbf"))
	if at := invalidUTF8(payload); at >= 0 {
		return nil, nil, fmt.Errorf("invalid UTF-8 at %s", place(payload, at))
	}
	text := bytes.TrimLeft(payload, " \t\r\n")
	if len(text) == 0 {
		return nil, nil, errors.New("empty, want one JSON object")
	}
	if text[0] != '{' && json.Valid(text) {
		return nil, nil, fmt.Errorf("want one JSON object, got %s", kindOfText(text[0]))
	}
	err = json.Unmarshal(payload, &object)
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return nil, nil, fmt.Errorf("not a JSON object: %s at %s", fold(syntax.Error()), place(payload, int(syntax.Offset)-1))
	case errors.As(err, &mismatch):
		// A number beyond float64 is the one mismatch there is; the rest was decoded.
		oddities = append(oddities, fold(mismatch.Value)+" is too large; read as null")
	case err != nil:
		return nil, nil, errors.New(fold(err.Error()))
	}
	return object, oddities, nil
}

// decoder turns the object of a payload into an Event.
type decoder struct {
	object   map[string]any
	oddities []string
}

func (d *decoder) event() (*Event, error) {
	name, err := stringAt(d.object, "hook_event_name", "hook_event_name")
	if err != nil {
		return nil, err
	}
	tool, err := stringAt(d.object, "tool_name", "tool_name")
	if err != nil {
		return nil, err
	}
	if name == "" {
		if tool == "" {
			return nil, errors.New("not a hook event: neither hook_event_name nor tool_name is given")
		}
		name = PreToolUse
	}
	if name == PreToolUse && tool == "" {
		return nil, errors.New("a PreToolUse event without tool_name")
	}
	input, err := d.toolInput(tool)
	if err != nil && name == PreToolUse {
		return nil, err
	}
	if err != nil {
		d.absent(err)
	}
	event := &Event{
		Name: name, Tool: tool, ToolInput: input,
		ToolUseID:      d.optional("tool_use_id"),
		ToolResponse:   d.object["tool_response"],
		Error:          d.optional("error"),
		Interrupt:      d.optionalBool("is_interrupt"),
		SessionID:      d.optional("session_id"),
		Cwd:            d.optional("cwd"),
		PermissionMode: d.optional("permission_mode"),
		AgentID:        d.optional("agent_id"),
		AgentType:      d.optional("agent_type"),
	}
	event.Oddities = d.oddities
	return event, nil
}

// optional returns the string of a key, or "" with an oddity when it is no string.
func (d *decoder) optional(key string) string {
	s, err := stringAt(d.object, key, key)
	if err != nil {
		d.absent(err)
	}
	return s
}

// optionalBool returns the boolean of a key, or false with an oddity when it is none.
func (d *decoder) optionalBool(key string) bool {
	switch v := d.object[key].(type) {
	case nil:
		return false
	case bool:
		return v
	default:
		d.absent(fmt.Errorf("%s: want a boolean, got %s", key, kindOf(v)))
		return false
	}
}

// absent notes a value that is not used.
func (d *decoder) absent(err error) {
	d.oddities = append(d.oddities, err.Error()+"; read as absent")
}

// toolInput returns tool_input, nil when it is absent. What is missing in it for the
// tool is an oddity.
func (d *decoder) toolInput(tool string) (map[string]any, error) {
	var input map[string]any
	switch v := d.object["tool_input"].(type) {
	case nil:
	case map[string]any:
		input = v
	default:
		return nil, fmt.Errorf("tool_input: want an object, got %s", kindOf(v))
	}
	if tool == "" {
		return input, nil
	}
	missing, err := checkToolInput(tool, input)
	if err != nil {
		return nil, err
	}
	d.oddities = append(d.oddities, missing...)
	return input, nil
}

// stringAt returns the string of a key, "" when it is absent or null. path is
// what an error calls the key.
func stringAt(object map[string]any, key, path string) (string, error) {
	switch v := object[key].(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	default:
		return "", fmt.Errorf("%s: want a string, got %s", path, kindOf(v))
	}
}

// toolKeys names the string keys of a tool's input that say what it does.
type toolKeys struct {
	required, optional []string
}

// keysOf returns the keys of the tools whose input claudewatch reads by key.
func keysOf(tool string) toolKeys {
	switch tool {
	case "Bash", "PowerShell":
		return toolKeys{required: []string{"command"}}
	case "Monitor":
		return toolKeys{optional: []string{"command"}}
	case "Write":
		return toolKeys{required: []string{"file_path", "content"}}
	case "Edit":
		return toolKeys{required: []string{"file_path", "old_string", "new_string"}}
	case "MultiEdit", "Read":
		return toolKeys{required: []string{"file_path"}}
	case "NotebookEdit":
		return toolKeys{required: []string{"notebook_path"}, optional: []string{"new_source", "cell_id", "cell_type", "edit_mode"}}
	}
	return toolKeys{}
}

// checkToolInput reports a wrong type as an error and a required key that is
// missing as an oddity.
func checkToolInput(tool string, input map[string]any) (missing []string, err error) {
	keys := keysOf(tool)
	for _, key := range keys.required {
		if _, err := stringAt(input, key, "tool_input."+key); err != nil {
			return nil, err
		}
		if input[key] == nil {
			missing = append(missing, fmt.Sprintf("tool_input.%s: missing in a call of %s", key, tool))
		}
	}
	for _, key := range keys.optional {
		if _, err := stringAt(input, key, "tool_input."+key); err != nil {
			return nil, err
		}
	}
	if tool == "MultiEdit" {
		return missing, checkEdits(input["edits"])
	}
	return missing, nil
}

func checkEdits(v any) error {
	edits, ok := v.([]any)
	if !ok && v != nil {
		return fmt.Errorf("tool_input.edits: want an array, got %s", kindOf(v))
	}
	for i, e := range edits {
		edit, ok := e.(map[string]any)
		if !ok {
			return fmt.Errorf("tool_input.edits[%d]: want an object, got %s", i, kindOf(e))
		}
		for _, key := range []string{"old_string", "new_string"} {
			if _, err := stringAt(edit, key, fmt.Sprintf("tool_input.edits[%d].%s", i, key)); err != nil {
				return err
			}
		}
	}
	return nil
}

// kindOf names the JSON type of a decoded value.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case float64:
		return "a number"
	case string:
		return "a string"
	case []any:
		return "an array"
	default:
		return "an object"
	}
}

// kindOfText names the JSON type of a valid text that begins with c.
func kindOfText(c byte) string {
	switch c {
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '{':
		return "an object"
	default:
		return "a number"
	}
}

// invalidUTF8 returns the offset of the first byte that is not part of a UTF-8
// sequence, or -1.
func invalidUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
	return -1
}

// place names a byte offset of text by line and column, both from 1, the column
// in characters.
func place(text []byte, offset int) string {
	offset = max(0, min(offset, len(text)))
	before := text[:offset]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("line %d, column %d", line, column)
}
