package learn

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/transcript"
)

// Answer is what became of a call that was asked about.
type Answer int

const (
	// Unknown: nothing tells.
	Unknown Answer = iota
	// Approved: the call ran.
	Approved
	// Refused: the user, or a rule of theirs, did not let it run.
	Refused
)

// answerTo notes the answer to a call; what is unknown is no answer. Of two answers the
// first one counts.
func (s *Study) answerTo(toolUseID string, answer Answer) {
	if a := s.pending[hash(toolUseID)]; a != nil {
		a.answerWith(answer)
	}
}

func (a *ask) answerWith(answer Answer) {
	if a.answer != Unknown || answer == Unknown {
		return
	}
	a.answer = answer
	for _, u := range a.usages {
		if answer == Approved {
			u.approved++
		} else {
			u.refused++
		}
	}
}

// ReadRecords looks for answers in the change records of a directory: a call that has
// changed files, or was observed not to, has run. The error joins what could not be
// read.
func (s *Study) ReadRecords(data string) error {
	if data == "" || len(s.pending) == 0 {
		return nil
	}
	files, err := record.Files(data)
	problems := []error{err}
	for _, f := range files {
		if s.waiting[f.Session] == 0 {
			continue
		}
		for r, err := range record.Read(f.Path) {
			switch {
			case errors.As(err, new(*record.LineError)): // changes list says so
			case err != nil:
				problems = append(problems, err)
			default:
				id, _, _ := strings.Cut(r.ID, "/")
				s.answerTo(id, recorded(r))
			}
		}
	}
	return errors.Join(problems...)
}

// recorded is the answer that a change record gives. A call that the user has refused
// leaves an unfinished one, as does one that was cut off.
func recorded(r *record.Record) Answer {
	if r.Basis == record.RuntimeReported {
		return Approved
	}
	if r.Outcome != nil && (r.Outcome.State == record.Returned || r.Outcome.State == record.Failed) {
		return Approved
	}
	return Unknown
}

// ReadTranscripts looks for answers in the transcripts below a directory; only those of
// sessions with asks are opened. what tells of a call what the log would have: its shape
// or path. Progress is told as of transcript.Walk. The error joins what could not be read.
func (s *Study) ReadTranscripts(projects string, what func(*transcript.Call) string, start, advance func(bytes int64)) error {
	if len(s.waiting) == 0 {
		return nil
	}
	named, unnamed, err := s.transcripts(projects)
	var total int64
	for _, f := range slices.Concat(named, unnamed) {
		total += f.Size
	}
	start(total)
	_, namedErr := transcript.Results(named, advance, s.isPending, func(id string, r *transcript.Result) { s.answerTo(id, answered(r)) })
	_, unnamedErr := transcript.Walk(unnamed, advance, func(c *transcript.Call) error {
		if answer := answered(c.Result); answer != Unknown {
			s.answerTo(c.ID, answer)
			answerNearest(s.unnamed[c.Session], c, what, answer)
		}
		return nil
	})
	return errors.Join(err, namedErr, unnamedErr)
}

func (s *Study) isPending(id string) bool { return s.pending[hash(id)] != nil }

// transcripts returns the transcripts of the sessions that have asks, and of their
// subagents: those whose asks all have an id, and others. The names of files are compared with the sessions of the log, which may say
// anything, and never made of them.
func (s *Study) transcripts(projects string) (named, unnamed []transcript.File, err error) {
	folders, err := os.ReadDir(projects)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	var ofNamed, ofUnnamed []string
	for _, folder := range folders {
		entries, err := os.ReadDir(filepath.Join(projects, folder.Name()))
		if err != nil {
			continue // no folder
		}
		for _, e := range entries {
			session, path := strings.TrimSuffix(e.Name(), transcript.Extension), filepath.Join(projects, folder.Name(), e.Name())
			switch {
			case len(s.unnamed[session]) > 0:
				ofUnnamed = append(ofUnnamed, path)
			case s.waiting[session] > 0:
				ofNamed = append(ofNamed, path)
			}
		}
	}
	named, namedErr := transcript.Files(ofNamed)
	unnamed, unnamedErr := transcript.Files(ofUnnamed)
	return named, unnamed, errors.Join(err, namedErr, unnamedErr)
}

// What Claude Code writes in the place of a result when the user, or a permission rule,
// has not let a call run; seen in transcripts of 2.1.197 and before.
var refusals = []string{
	"The user doesn't want to proceed with this tool use",
	"The user doesn't want to take this action right now",
	"User rejected",
	"Permission to use ",
}

// failure begins the result of a command that ran and failed.
const failure = "Exit code "

// answered is the answer that a result tells.
func answered(r *transcript.Result) Answer {
	if r == nil {
		return Unknown
	}
	if !r.IsError || strings.HasPrefix(r.Content, failure) {
		return Approved
	}
	for _, refusal := range refusals {
		if strings.HasPrefix(r.Content, refusal) {
			return Refused
		}
	}
	return Unknown // another hook, an interruption, a fault of the tool
}

// nearest is how far the times of one call may lie apart in the log and the transcript.
const nearest = time.Minute

// answerNearest notes the answer to the ask that is nearest in time, of the same tool and
// about the same.
func answerNearest(asks []*ask, c *transcript.Call, what func(*transcript.Call) string, answer Answer) {
	at, err := time.Parse(time.RFC3339, c.Time)
	if err != nil {
		return
	}
	var best *ask
	text := ""
	for _, a := range asks {
		if a.tool != c.Tool || a.answer != Unknown || a.time.Sub(at).Abs() > nearest {
			continue
		}
		if text == "" {
			text = what(c)
		}
		if a.what == text && (best == nil || a.time.Sub(at).Abs() < best.time.Sub(at).Abs()) {
			best = a
		}
	}
	if best != nil {
		best.answerWith(answer)
	}
}
