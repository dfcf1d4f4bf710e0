package main

import (
	"fmt"

	"github.com/claudewatch/claudewatch/hooks"
	"github.com/claudewatch/claudewatch/internal/changes"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/schema"
)

// recordChanges gives an event to the recorder and returns the records of the call that
// the event ends. effects tells what a shell call would do; nil for other events.
func recordChanges(std streams, env config.Environment, settings *config.Settings, event *hooks.Event, effects func() *schema.Effects) []*record.Record {
	recorder := changes.Open(env, settings)
	recorder.Warn = func(line string) { fmt.Fprintf(std.err, "claudewatch: %s\n", line) }
	return recorder.Handle(changes.Event{
		Name: event.Name, Session: event.SessionID, Agent: event.AgentID, Tool: event.Tool, ToolUseID: event.ToolUseID,
		Cwd: event.Cwd, ProjectDir: env.ProjectDir,
		Args: event.ToolInput, Response: event.ToolResponse, Error: event.Error, Interrupt: event.Interrupt,
		Effects: effects,
	})
}
