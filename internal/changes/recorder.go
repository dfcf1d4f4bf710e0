// Package changes records which files the calls of a session really changed. It scans
// the observed directories before and after a call, takes over what the runtime
// reports of its own edits, and writes one line a call in the format of package record.
//
// All state is shared between the processes of all sessions and lies in one
// directory: the records in output/, the log in log/, and in state/ what is known of
// each root. A process may be killed at any point: the next one that works on the
// root finishes what it began.
package changes

import (
	"sync"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/schema"
)

// Event is what the recorder reads of a hook event.
type Event struct {
	// Name is the event: PreToolUse, PostToolUse, SessionEnd, …
	Name string
	// Session is the id of the session, Agent that of the subagent, "" on the main stream.
	Session, Agent string
	// Tool is the name of the tool and ToolUseID the id of the call, "" for other events.
	Tool, ToolUseID string
	// Cwd is the working directory of the session, and ProjectDir where it started.
	Cwd, ProjectDir string
	// Args is tool_input and Response tool_response as encoding/json decodes them.
	Args     map[string]any
	Response any
	// Error is the error of a call that failed, Interrupt whether a person stopped it.
	Error     string
	Interrupt bool
	// Effects returns what a shell call would do; nil for other calls.
	Effects func() *schema.Effects
}

// stream is the stream of records that the event belongs to.
func (e Event) stream() string {
	if e.Agent == "" {
		return record.MainStream
	}
	return e.Agent
}

// Recorder writes the records of the events of one process.
type Recorder struct {
	env config.Environment
	own *config.Settings
	// Warn is told what cannot be written to the log, one line without its end; it
	// may be nil.
	Warn func(line string)

	settings func() *Settings
	began    time.Time
}

// Open returns the recorder of an environment, where s are claudewatch's own settings
// or nil. It reads nothing and never fails.
func Open(env config.Environment, s *config.Settings) *Recorder {
	r := &Recorder{env: env, own: s, began: time.Now()}
	r.settings = sync.OnceValue(func() *Settings { return LoadSettings(r.Directory(), r.own, r.env) })
	return r
}

// Directory is where records, log and state lie; "" when it is not known, and
// nothing is recorded.
func (r *Recorder) Directory() string { return r.env.Changes() }

// Settings returns the settings in force.
func (r *Recorder) Settings() *Settings { return r.settings() }

// Handle records what an event tells. It never fails and never panics, and its waits
// are bounded: what goes wrong is in the log. It returns the records of the call that
// a PostToolUse or PostToolUseFailure event ends.
func (r *Recorder) Handle(e Event) (records []*record.Record) {
	return nil
}
