package transcript

import (
	"crypto/sha256"
	"encoding/json"
)

// Event is the hook event of a call, as Claude Code sends it before it.
type Event struct {
	SessionID      string         `json:"session_id,omitempty"`
	Cwd            string         `json:"cwd,omitempty"`
	PermissionMode string         `json:"permission_mode,omitempty"`
	AgentID        string         `json:"agent_id,omitempty"`
	HookEventName  string         `json:"hook_event_name"`
	ToolName       string         `json:"tool_name"`
	ToolInput      map[string]any `json:"tool_input"`
	ToolUseID      string         `json:"tool_use_id,omitempty"`
}

// Event returns the PreToolUse event of the call. The agent's type is not known.
func (c *Call) Event() Event {
	return Event{
		SessionID: c.Session, Cwd: c.Cwd, PermissionMode: c.PermissionMode, AgentID: c.Agent,
		HookEventName: "PreToolUse", ToolName: c.Tool, ToolInput: c.Input, ToolUseID: c.ID,
	}
}

// identity is equal for copies of one call. A resumed session copies lines with
// their ids and times and gives them its own session id. A call without an id is
// a copy of no other.
type identity [sha256.Size]byte

func identityOf(c *Call) identity {
	facts := []any{c.ID, c.Time, c.Tool, c.Cwd, c.Input}
	if c.ID == "" {
		facts = append(facts, c.Path, c.Line)
	}
	// Maps are encoded in the order of their keys. Input came out of JSON, and so goes into it.
	text, _ := json.Marshal(facts)
	return sha256.Sum256(text)
}
