package changes

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/changes/scan"
)

// scanAndEnd scans the root and closes the window of the call that has ended.
func (s *state) scanAndEnd(key string, outcome record.Outcome) error {
	st, err := s.scan()
	if err != nil && !isGone(err) {
		return err // nothing has moved on: the window stays open
	}
	for _, n := range s.openNotes() {
		if n.Key == key {
			err = s.close(n, outcome, st, gapOf(err))
			return errors.Join(err, s.closeEnded(st, nil))
		}
	}
	return s.closeEnded(st, nil)
}

// scanAndClose scans the root and closes the windows that stale tells, besides those
// that ended or are too old.
func (s *state) scanAndClose(stale func(*note) bool) error {
	st, err := s.scan()
	if err != nil && !isGone(err) {
		return err
	}
	return s.closeEnded(st, stale)
}

// closeEnded closes, after a scan, the windows whose calls ended before it began, those
// that stale tells, and those that have been open for longer than the settings say. at
// is nil when the root is gone.
func (s *state) closeEnded(at *step, stale func(*note) bool) error {
	var problems []error
	gap := ""
	if at == nil {
		gap = gapOf(scan.ErrNoRoot)
	}
	for _, n := range s.openNotes() {
		var end ending
		ended := readJSON(s.windowFile(n.Key, endingFile), &end) == nil
		switch {
		case ended && (at == nil || end.Time.Before(at.Span.From.Time)):
		case stale != nil && stale(n), older(n.Opened, s.Settings().Idle):
			if !ended {
				end.Outcome = record.Outcome{State: record.Unfinished}
			}
		default:
			continue
		}
		if n.isEdit() {
			problems = append(problems, s.release(n))
			continue
		}
		problems = append(problems, s.close(n, end.Outcome, at, gap))
	}
	return errors.Join(problems...)
}

func isGone(err error) bool { return errors.Is(err, scan.ErrNoRoot) }

// lateKey is the key of what a call did after its window was given up.
func lateKey(key string) string { return key + "-late" }

// endClosed is for a call that ends when its window is closed already.
func (s *state) endClosed(c *closing, e Event) error {
	if _, late := s.journal.closings[lateKey(c.Key)]; late || c.Outcome.State != record.Unfinished {
		return nil // the hook is installed twice, and the other one has seen to it
	}
	return s.endLate(c, e)
}

// endLate is for a call that ends after its window was closed as unfinished: what came
// since then is recorded as ID/late.
func (s *state) endLate(c *closing, e Event) error {
	n := &note{
		windowInfo: windowOf(e, lateKey(c.Key), c.ID+"/late"),
		Root:       s.path, Command: commandOf(e), Opened: now(), Before: c.After, Since: c.Last,
	}
	if n.Before == nil {
		n.Gap = "the window of this call was closed when the root was gone"
	}
	if err := replaceJSON(s.windowFile(n.Key, noteFile), n); err != nil {
		return err
	}
	return s.scanAndEnd(n.Key, outcomeOf(e))
}

// unseenNote is the note of a call that ends and was not seen to begin: its hook was killed,
// or was not there. It began after the step since or later, and what changed since then may
// be nobody's as well.
func unseenNote(at root, e Event, several bool, since uint64) *note {
	n := &note{
		windowInfo: windowOf(e, keyOf(e), recordID(e, at, several)),
		Root:       at.path, Command: commandOf(e), Opened: now(), Since: since,
		Gap: "no scan was made before this call: the recorder did not see it begin",
	}
	n.Unseen = true
	return n
}

// endUnknown is for a call that ends and was not seen to begin. It began when its stream was
// last seen or later.
func (s *state) endUnknown(e Event, several bool) error {
	n := unseenNote(s.root, e, several, s.lastSeen(e))
	if err := replaceJSON(s.windowFile(n.Key, noteFile), n); err != nil {
		return err
	}
	return s.scanAndEnd(n.Key, outcomeOf(e))
}

// lastSeen returns the last step of an event's stream; the last of all when its own are not
// known any more.
func (s *state) lastSeen(e Event) uint64 {
	for _, st := range slices.Backward(s.journal.steps) {
		if st.Session == e.Session && st.Stream == e.stream() {
			return st.Number
		}
	}
	return s.next - 1
}

var exitCode = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^Exit code (\d+)\b`) })

// refusals begin or are in the errors of calls that were never run.
var refusals = []string{"hook error", "permission to use", "was denied", "has been denied", "user doesn't want to proceed", "requires approval"}

// outcomeOf returns how the call ended that an event ends.
func outcomeOf(e Event) record.Outcome {
	if e.Name == "PostToolUseFailure" {
		if match := exitCode().FindStringSubmatch(e.Error); match != nil {
			if code, err := strconv.Atoi(match[1]); err == nil {
				return record.Outcome{State: record.Failed, ExitCode: &code}
			}
		}
		text := strings.ToLower(e.Error)
		for _, refusal := range refusals {
			if strings.Contains(text, refusal) && !e.Interrupt {
				return record.Outcome{State: record.NotExecuted}
			}
		}
		return record.Outcome{State: record.Failed}
	}
	outcome := record.Outcome{State: record.Returned}
	response, _ := e.Response.(map[string]any)
	background, _ := e.Args["run_in_background"].(bool)
	interrupted, _ := response["interrupted"].(bool)
	task, _ := response["backgroundTaskId"].(string)
	if (e.Tool == "Bash" || e.Tool == "PowerShell") && !background && !interrupted && task == "" {
		outcome.ExitCode = new(int)
	}
	return outcome
}
