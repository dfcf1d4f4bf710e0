package main

import (
	"fmt"
	"path/filepath"

	"github.com/claudewatch/claudewatch/hooks"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/schema"
)

// informOfCall records what a call that is over has changed, and tells the model what
// the rules on PostToolUse say of it. The decision log has no line for that: nothing is
// decided any more.
func informOfCall(std streams, env config.Environment, s engine.Selection, event *hooks.Event) {
	e := engine.Open(env, s)
	c := eventCall(env, event)
	c.Changes = changesOf(recordChanges(std, env, e.Settings, event, e.Input(c).Effects))
	_, decision := e.Judge(e.Input(c), false)
	if err := hooks.Inform(std.out, event.Name, decision); err != nil {
		fmt.Fprintf(std.err, "claudewatch: what the rules say of the call could not be written: %v\n", err)
	}
}

// changesOf returns the changes of records as rules see them. Paths of a record without
// a root are absolute.
func changesOf(records []*record.Record) []schema.Change {
	var changes []schema.Change
	for _, r := range records {
		for _, c := range r.Changes {
			path := filepath.FromSlash(c.Path)
			if r.Root != nil {
				path = filepath.Join(r.Root.Path, path)
			}
			changes = append(changes, schema.Change{Path: path, Operation: c.Operation, Attribution: c.Attribution})
		}
	}
	return changes
}
