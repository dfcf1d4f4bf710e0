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
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/readonly"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/changes/scan"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/ownfile"
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
	excluded map[string]*scan.Exclusions // by root id
	began    time.Time
	// waitBefore and waitAfter bound the waits for a root's lock.
	waitBefore, waitAfter time.Duration
}

// Open returns the recorder of an environment, where s are claudewatch's own settings
// or nil. It reads nothing and never fails.
func Open(env config.Environment, s *config.Settings) *Recorder {
	r := &Recorder{env: env, own: s, began: time.Now(), waitBefore: waitBefore, waitAfter: waitAfter}
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
	if r.Directory() == "" {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			r.logf("internal fault at %s; please report this: %v %s", e.Name, p, debug.Stack())
			records = nil
		}
	}()
	defer func() {
		for _, d := range r.Settings().Diagnostics {
			r.logOnce(d.String())
		}
	}()
	switch e.Name {
	case "PreToolUse":
		r.before(e)
	case "PostToolUse", "PostToolUseFailure":
		return r.after(e)
	case "UserPromptSubmit":
		r.moveOn(e)
	case "Stop", "SubagentStop":
		r.stop(e)
	case "SessionStart":
		observed := r.observed(e)
		r.closeStale(e, func(at root, o *note) bool {
			return older(o.Opened, r.Settings().Idle) && slices.ContainsFunc(observed, at.is)
		}, false)
		r.tidy(e)
	case "SessionEnd":
		r.stop(e)
		r.tidy(e)
	}
	return nil
}

// tidy removes what the settings do not keep any longer.
func (r *Recorder) tidy(e Event) {
	if _, err := r.prune(e, false); err != nil {
		r.logf("retention: %v", err)
	}
}

// before is for a call that is about to run.
func (r *Recorder) before(e Event) {
	switch {
	case isEdit(e.Tool):
		r.announce(e)
	case r.Settings().scans(e.Tool) && !r.onlyReads(e):
		roots := r.observed(e)
		for _, at := range roots {
			r.openWindow(at, e, len(roots) > 1)
		}
	}
}

// onlyReads reports whether a call is classified as one that changes nothing.
func (r *Recorder) onlyReads(e Event) bool {
	return r.Settings().SkipReadOnly && e.Effects != nil && readonly.Classify(e.Effects()).ReadOnly
}

// openWindow scans a root and leaves the note of a window. Whatever goes wrong, the note
// is left, so that the call is not lost.
func (r *Recorder) openWindow(at root, e Event, several bool) {
	n := &note{
		windowInfo: windowOf(e, keyOf(e), recordID(e, at, several)),
		Root:       at.path, Command: commandOf(e),
	}
	path := at.windowFile(n.Key, noteFile)
	_, err := r.visit(at, e, r.waitBefore, func(s *state) error {
		if exists(path) {
			return nil // the hook is installed twice
		}
		st, err := s.scan()
		if err != nil {
			n.Gap = gapOf(err)
			n.Since = s.next - 1
		} else {
			n.Before = st.scanned()
			err = s.closeEnded(st, func(o *note) bool { return o.isOf(e) })
		}
		if _, closed := s.journal.closings[n.Key]; closed {
			err = errors.Join(err, s.put(journalLine{Reopened: n.Key}, false))
		}
		n.Opened = now()
		return errors.Join(err, replaceJSON(path, n))
	})
	if err != nil {
		r.logf("%s: before %s: %v", at.path, n.Capture, err)
	}
	if exists(path) {
		return
	}
	n.Before, n.Since, n.Opened = nil, lastStep(at.journal()), now()
	if n.Gap == "" {
		n.Gap = gapOf(err)
	}
	if err := replaceJSON(path, n); err != nil {
		r.logf("%s: the call %s is not observed: %v", at.path, n.Capture, err)
	}
}

// gapOf says in words of a record why a scan was not made.
func gapOf(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, ownfile.ErrHeld):
		return "the root was being scanned for other calls for too long: no scan was made before this call"
	case errors.Is(err, scan.ErrNoRoot):
		return "the root is gone, or is no directory"
	}
	return fmt.Sprintf("no scan was made: %v", err)
}

// after is for a call that is over.
func (r *Recorder) after(e Event) []*record.Record {
	if isEdit(e.Tool) {
		return r.edited(e)
	}
	if !r.Settings().scans(e.Tool) {
		return nil
	}
	key := keyOf(e)
	roots := r.knownRoots(func(at root) bool { return exists(at.windowFile(key, noteFile)) })
	if len(roots) == 0 {
		if r.onlyReads(e) {
			return r.append(e, r.skipped(e))
		}
		roots = r.observed(e)
	}
	var records []*record.Record
	for _, at := range roots {
		records = append(records, r.closeWindow(at, e, len(roots) > 1)...)
	}
	return records
}

// closeWindow scans the root of a window and closes it. It may have been closed before, or
// have none because the hook was not there when the call began.
func (r *Recorder) closeWindow(at root, e Event, several bool) []*record.Record {
	outcome := outcomeOf(e)
	path := at.windowFile(keyOf(e), noteFile)
	records, err := r.visit(at, e, r.waitAfter, func(s *state) error {
		if exists(path) {
			return s.scanAndEnd(keyOf(e), outcome)
		}
		if c := s.journal.closings[keyOf(e)]; c != nil {
			return s.endClosed(c, e)
		}
		return s.endUnknown(e, several)
	})
	if err == nil {
		return records
	}
	r.logf("%s: after %s: %v", at.path, e.ToolUseID, err)
	if errors.Is(err, ownfile.ErrHeld) && !exists(path) {
		// When it was closed before, whoever holds the lock next finds that out.
		if err := replaceJSON(path, unseenNote(at, e, several, lastStep(at.journal()))); err != nil {
			r.logf("%s: the call %s is not observed: %v", at.path, e.ToolUseID, err)
		}
	}
	if exists(path) {
		// Whoever holds the lock next closes the window, and needs to know how the call ended.
		if err := replaceJSON(at.windowFile(keyOf(e), endingFile), ending{now(), outcome}); err != nil {
			r.logf("%s: the end of %s is not known to those who close it: %v", at.path, e.ToolUseID, err)
		}
	}
	return records
}

// moveOn closes what the stream has left open: it has got a new prompt.
func (r *Recorder) moveOn(e Event) {
	r.closeStale(e, func(_ root, o *note) bool { return o.isOf(e) }, false)
}

// stop is for the end of a turn, of a subagent or of a session: what background jobs
// have written is recorded, and what was left open is closed.
func (r *Recorder) stop(e Event) {
	r.closeStale(e, func(_ root, o *note) bool {
		return o.Session == e.Session && (e.Name == "SessionEnd" || o.Stream == e.stream())
	}, true)
}

// closeStale closes the notes that stale tells, in whatever roots they are; with final
// the roots of the event are scanned also when there are none.
func (r *Recorder) closeStale(e Event, stale func(root, *note) bool, final bool) {
	var roots []root
	if final {
		roots = slices.DeleteFunc(r.observed(e), func(at root) bool { return !exists(at.lockFile()) })
	}
	observed := len(roots)
	roots = append(roots, r.knownRoots(func(at root) bool {
		return len(at.keys(noteFile)) > 0 && !slices.ContainsFunc(roots, at.is)
	})...)
	for i, at := range roots {
		isStale := func(n *note) bool { return stale(at, n) }
		if i >= observed {
			if notes, _ := at.notes(); !slices.ContainsFunc(notes, isStale) {
				continue
			}
		}
		_, err := r.visit(at, e, r.waitAfter, func(s *state) error { return s.scanAndClose(isStale) })
		if err != nil {
			r.logf("%s: at %s: %v", at.path, e.Name, err)
		}
	}
}

// skipped is the record of a call that is not observed because it only reads.
func (r *Recorder) skipped(e Event) *record.Record {
	rec := &record.Record{Basis: record.SkippedReadOnly}
	roots := r.observed(e)
	policyRoot := root{}
	if len(roots) == 1 {
		at := roots[0].record()
		rec.Root, policyRoot = &at, roots[0]
	}
	rec.ID = recordID(e, policyRoot, false)
	rec.Policy = r.policyOf(policyRoot)
	return rec
}

// append writes a record of the event's call that needs no root.
func (r *Recorder) append(e Event, rec *record.Record) []*record.Record {
	outcome := outcomeOf(e)
	rec.Session, rec.Stream, rec.Tool, rec.ToolName = e.Session, e.stream(), e.ToolUseID, e.Tool
	rec.Time, rec.Outcome, rec.XCommand = now(), &outcome, commandOf(e)
	if err := record.Append(r.Directory(), rec.Session, rec.Stream, rec); err != nil {
		r.logf("%v", err)
		return nil
	}
	return []*record.Record{rec}
}

func commandOf(e Event) string {
	command, _ := e.Args["command"].(string)
	return command
}
