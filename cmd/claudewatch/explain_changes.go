package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/claudewatch/claudewatch/hooks"
	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/fatih/color"
)

// changedFileJSON is a change as an event given to explain may state it, and as
// `explain --json` prints it.
type changedFileJSON struct {
	Path        string    `json:"path"`
	Operation   string    `json:"operation"`
	Attribution string    `json:"attribution"`
	Repo        *repoJSON `json:"repo,omitempty"`
}

// explainedCall is the call of an event, whose text is payload, with what it changed when it
// is over. It is made in dir, unless that is "".
func explainedCall(env config.Environment, event *hooks.Event, payload []byte, dir string) (call.Call, error) {
	c := eventCall(env, event)
	var err error
	if dir != "" {
		if c.Cwd, err = fromHere(dir); err != nil {
			return call.Call{}, err
		}
	}
	if event.Name == hooks.PostToolUse || event.Name == hooks.PostToolUseFailure {
		c.Changes, err = explainedChanges(env, event, payload, c.Cwd)
	}
	return c, err
}

// explainedChanges are what a call that is over has changed: what the event says, else
// what was recorded of the call.
func explainedChanges(env config.Environment, event *hooks.Event, payload []byte, cwd string) ([]schema.Change, error) {
	var said struct {
		Changes []changedFileJSON `json:"changes"`
	}
	if err := json.Unmarshal(payload, &said); err != nil {
		return nil, fmt.Errorf("the key changes of the event: %w; it is a list of objects with path, operation and attribution", err)
	}
	if said.Changes == nil {
		return recordedChanges(env, event)
	}
	changes := make([]schema.Change, 0, len(said.Changes))
	for _, c := range said.Changes {
		if !filepath.IsAbs(c.Path) {
			c.Path = filepath.Join(cwd, c.Path)
		}
		changes = append(changes, schema.Change{
			Path: filepath.Clean(c.Path), Operation: or(c.Operation, record.Modify), Attribution: or(c.Attribution, record.OnlyThisWindow),
		})
	}
	return changes, nil
}

// recordedChanges returns what was recorded of a call when it ended, which is what the
// hook has judged; nothing when there is no record of it. A record of a call whose end
// was not yet reported is none of them.
func recordedChanges(env config.Environment, event *hooks.Event) ([]schema.Change, error) {
	data := env.Changes()
	if data == "" || event.ToolUseID == "" {
		return nil, nil
	}
	var records []*record.Record
	for r, err := range record.Read(record.Path(data, event.SessionID, or(event.AgentID, record.MainStream))) {
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.As(err, new(*record.LineError)):
		case err != nil:
			return nil, err
		case r.Tool == event.ToolUseID && (r.Outcome == nil || r.Outcome.State != record.Unfinished):
			records = append(records, r)
		}
	}
	return changesOf(records), nil
}

// printChanges prints what a call that is over has changed.
func printChanges(w io.Writer, title *color.Color, changes []*schema.Change) {
	if len(changes) == 0 {
		return
	}
	title.Fprintln(w, "changes")
	for _, c := range changes {
		facts := []string{c.Operation, c.Attribution}
		if repo := repoText(c.Repo()); repo != "" {
			facts = append(facts, repo)
		}
		fmt.Fprintf(w, "  %s\n    %s\n", oneLine(c.Path), oneLine(strings.Join(facts, " · ")))
	}
}

func changedFilesJSON(changes []*schema.Change) []changedFileJSON {
	var list []changedFileJSON
	for _, c := range changes {
		repo := repoOf(c.Repo())
		list = append(list, changedFileJSON{c.Path, c.Operation, c.Attribution, &repo})
	}
	return list
}
