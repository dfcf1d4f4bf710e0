// Package transcript reads Claude Code's session transcripts: the tool calls of
// past sessions with what was answered to each, and which of them a hook blocked.
//
// A session is ~/.claude/projects/<slug>/<session>.jsonl, one JSON object a line;
// its subagents are <session>/subagents/agent-<id>.jsonl beside it. The format is
// not documented: what is relied on here was seen in transcripts of 2.1.197, and
// lines that are not of that form are passed over.
package transcript

import (
	"path/filepath"
	"strings"
)

// Call is one tool call of a session.
type Call struct {
	// ID is the tool_use id.
	ID string
	// Tool is the tool's name, Input what it was given, as encoding/json decodes it;
	// nil when it was no object.
	Tool  string
	Input map[string]any
	// Cwd is the session's working directory at the call, ProjectDir the first
	// working directory of the transcript, which is where the session started.
	Cwd, ProjectDir string
	// Session and Agent are the ids of the session and, on the line of a subagent,
	// of the subagent.
	Session, Agent string
	// Sidechain is true for a call of a subagent, whose id may not be known.
	Sidechain bool
	// Time is the timestamp as written, RFC 3339 in UTC; "" when there was none.
	Time string
	// PermissionMode is the mode that was last told before the call, "" when none was.
	PermissionMode string
	// Path and Line tell where the call stands; lines count from 1.
	Path string
	Line int
	// Result is what was answered, nil when nothing was: a session that was cut off.
	Result *Result
}

// Result is the answer to a tool call.
type Result struct {
	// Content is the text of the answer, parts joined by line ends; at most the
	// first MaxResult bytes of it.
	Content string
	// IsError is the is_error of the tool_result.
	IsError bool
}

// MaxResult is how many bytes of an answer are kept.
const MaxResult = 64 << 10

// Extension is the file name extension of transcripts.
const Extension = ".jsonl"

// agentOf returns the id of the subagent whose transcript is at path, "" for the
// transcript of a session.
func agentOf(path string) string {
	name, ok := strings.CutPrefix(nameOf(path), "agent-")
	if !ok {
		return ""
	}
	return name
}

// sessionOf returns the id of the session whose transcript, or whose subagent's,
// is at path.
func sessionOf(path string) string {
	if agentOf(path) == "" {
		return nameOf(path)
	}
	directory := filepath.Dir(path)
	if filepath.Base(directory) != "subagents" {
		return ""
	}
	return filepath.Base(filepath.Dir(directory))
}

func nameOf(path string) string { return strings.TrimSuffix(filepath.Base(path), Extension) }
