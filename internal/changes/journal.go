package changes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/changes/scan"
	"github.com/claudewatch/claudewatch/internal/ownfile"
	"github.com/claudewatch/claudewatch/internal/regular"
)

// journal is what has happened on a root since its manifest was last written, and
// what windows that are open still need to know: one JSON line each, appended and
// synced before anything is built on it. The manifest and the steps after it are what
// was last seen of the root.
type journal struct {
	path  string
	head  journalHead
	steps []*step
	// recorded are the steps whose unattributed changes have their record.
	recorded map[uint64]bool
	// closings are the windows and edits that were closed, by key.
	closings map[string]*closing

	size  int64 // of the lines that are whole
	torn  bool  // a line without an end follows them
	lines int
	// damaged counts the lines that are whole and cannot be read.
	damaged int
}

// journalLine is one line. What belongs together stands in one.
type journalLine struct {
	Journal  *journalHead `json:"journal,omitempty"`
	Steps    []*step      `json:"steps,omitempty"`
	Recorded uint64       `json:"recorded,omitempty"`
	Closing  *closing     `json:"closing,omitempty"`
	// Reopened is the key of a window that was closed and is open again, as only calls
	// without an id can be.
	Reopened string `json:"reopened,omitempty"`
}

// journalHead is the first line of a journal.
type journalHead struct {
	Version int    `json:"version"`
	Root    string `json:"root"`
	// Last is the last step before those of this journal.
	Last uint64 `json:"last"`
	// Span is when the last scan before was under way, nil when there was none.
	Span *record.Span `json:"span,omitempty"`
	// Unobserved are the paths that this scan did not reach.
	Unobserved []string `json:"unobserved,omitempty"`
}

// journalVersion is that of the format of the state. A journal of another version is
// put aside, and the root is seen for the first time.
const journalVersion = 1

// step is what one scan found, or what one edit of the runtime did.
type step struct {
	Number  uint64      `json:"step"`
	Kind    stepKind    `json:"kind"`
	Span    record.Span `json:"span"`
	Session string      `json:"session"`
	Stream  string      `json:"stream"`
	// Open are the windows that were open at its end. Its changes are theirs.
	Open []windowInfo `json:"open,omitempty"`
	// Partial says that not all of the root was observed, and Gaps why.
	Partial bool     `json:"partial,omitempty"`
	Gaps    []string `json:"gaps,omitempty"`
	// Unobserved are the paths that a scan did not reach: as scan.Result has them.
	Unobserved []string `json:"unobserved,omitempty"`
	// Rebuilt says that what was seen before it was lost.
	Rebuilt bool `json:"rebuilt,omitempty"`

	Differences []scan.Difference `json:"differences,omitempty"`
	// Refreshed is what the manifest wants besides.
	Refreshed []scan.Difference `json:"refreshed,omitempty"`

	// Edit is the edit that the step is of, or whose end released its changes. Claims are
	// the steps that had seen the file as the edit left it.
	Edit   *windowInfo `json:"edit,omitempty"`
	Claims []uint64    `json:"claims,omitempty"`
	// Since is the scan before, of a released step that repeats what scans saw; Tells are
	// the steps in which they saw it, and Within the records of the windows that were open.
	Since  *record.Span `json:"since,omitempty"`
	Tells  []uint64     `json:"tells,omitempty"`
	Within []string     `json:"within,omitempty"`

	size int64 // of the line, in bytes
}

type stepKind string

const (
	scanStep stepKind = "scan"
	// foundStep is a change that an edit of the runtime came upon before any scan.
	foundStep stepKind = "found"
	// editStep is an edit of the runtime, which has a record of its own.
	editStep stepKind = "edit"
	// releasedStep repeats a change that the manifest has already, because it turned out
	// that no record tells of it: one that was held back for an edit which has not made it,
	// or one that was undone again in a window, and was not in another.
	releasedStep stepKind = "released"
)

// moves reports whether the manifest does not say yet what the step says.
func (s *step) moves() bool { return s.Kind != releasedStep }

// hasOpen reports whether the window with a key was open at the end of a step.
func (s *step) hasOpen(key string) bool {
	return slices.ContainsFunc(s.Open, func(w windowInfo) bool { return w.Key == key })
}

// scanned is a scan as a window remembers it.
type scanned struct {
	Step    uint64      `json:"step"`
	Span    record.Span `json:"span"`
	Partial bool        `json:"partial,omitempty"`
	Gaps    []string    `json:"gaps,omitempty"`
}

func (s *step) scanned() *scanned { return &scanned{s.Number, s.Span, s.Partial, s.Gaps} }

// closing is the decision to close a window: its record is written next, then its
// note is removed. What is left of a killed process is finished by these words.
type closing struct {
	Key     string         `json:"key"`
	ID      string         `json:"id"` // of the record
	Time    record.Time    `json:"time"`
	Outcome record.Outcome `json:"outcome"`
	// After is the scan that ends the window, nil when there was none. Last is the last
	// step that is the window's.
	After *scanned `json:"after,omitempty"`
	Last  uint64   `json:"last"`
	// First is the step after which the window's steps begin. With Blind there was no
	// scan then, and they are those that had the window open.
	First uint64 `json:"first"`
	Blind bool   `json:"blind,omitempty"`
	// Edit says that it is no window but an edit of the runtime.
	Edit bool `json:"edit,omitempty"`
	// Gap says why there was no scan.
	Gap string `json:"gap,omitempty"`
	// Open are the keys of the other windows that were open at that time.
	Open []string `json:"open,omitempty"`
}

// openJournal reads a journal. Without a file it is empty. A line without an end, of
// a killed writer, is not read; whole lines that cannot be read are counted. The error
// is one of the disk, or of a journal that another version has written.
func openJournal(path string) (*journal, error) {
	j := &journal{path: path, recorded: make(map[uint64]bool), closings: make(map[string]*closing)}
	content, err := regular.ReadFile(path, maxStateFile)
	if errors.Is(err, fs.ErrNotExist) {
		return j, nil
	}
	if err != nil {
		return j, err
	}
	whole := bytes.LastIndexByte(content, '\n') + 1
	j.size, j.torn = int64(whole), whole < len(content)
	for line := range bytes.Lines(content[:whole]) {
		var l journalLine
		if err := json.Unmarshal(line, &l); err != nil || !l.isWhole() {
			j.damaged++
			continue
		}
		j.take(l, len(line))
	}
	if j.lines > 0 && j.head.Version > journalVersion {
		return j, fmt.Errorf("%s was written by a newer version of claudewatch", path)
	}
	return j, nil
}

// isWhole reports whether a line has what its steps need.
func (l journalLine) isWhole() bool {
	return !slices.ContainsFunc(l.Steps, func(st *step) bool {
		return st == nil || st.Number == 0 || st.Kind == editStep && st.Edit == nil
	})
}

// take takes over a line of a size in bytes.
func (j *journal) take(l journalLine, size int) {
	j.lines++
	if l.Journal != nil {
		j.head = *l.Journal
	}
	for i, st := range l.Steps {
		if i == 0 {
			st.size = int64(size)
		}
		j.steps = append(j.steps, st)
	}
	if l.Recorded != 0 {
		j.recorded[l.Recorded] = true
	}
	if l.Closing != nil {
		j.closings[l.Closing.Key] = l.Closing
	}
	if l.Reopened != "" {
		delete(j.closings, l.Reopened)
	}
}

// last returns the number of the last step.
func (j *journal) last() uint64 {
	last := j.head.Last
	for _, s := range j.steps {
		last = max(last, s.Number)
	}
	return last
}

// replay takes the steps that came after a manifest into it.
func (j *journal) replay(m *scan.Manifest) {
	for _, s := range j.steps {
		if s.Number > m.Step && s.moves() {
			m.Apply(s.Differences)
			m.Apply(s.Refreshed)
		}
	}
}

// between returns the steps after one and up to another; whole is false when the
// journal does not have all of them.
func (j *journal) between(after, upTo uint64) (steps []*step, whole bool) {
	lost := false
	for _, s := range j.steps {
		if s.Number > after && s.Number <= upTo {
			steps = append(steps, s)
			lost = lost || s.Rebuilt
		}
	}
	return steps, !lost && (upTo <= after || uint64(len(steps)) == upTo-after)
}

// append adds a line. With durable it is on the disk when append returns nil. When it
// fails the journal is as it was.
func (j *journal) append(l journalLine, durable bool) (err error) {
	file, err := os.OpenFile(j.path, os.O_WRONLY|os.O_CREATE|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if j.torn {
		if err := file.Truncate(j.size); err != nil {
			return err
		}
		j.torn = false
	}
	size, err := l.write(io.NewOffsetWriter(file, j.size))
	if err == nil && durable {
		err = file.Sync()
	}
	if err != nil {
		j.torn = true // what a full disk took of the line
		return err
	}
	j.size += size
	j.take(l, int(size))
	return nil
}

// lastScan returns the last scan up to a step, nil when the journal has none.
func (j *journal) lastScan(upTo uint64) *step {
	for _, s := range slices.Backward(j.steps) {
		if s.Number <= upTo && s.Kind == scanStep {
			return s
		}
	}
	return nil
}

// spanOf returns when the last scan up to a step was under way, nil when there was none.
func (j *journal) spanOf(upTo uint64) *record.Span {
	if s := j.lastScan(upTo); s != nil {
		return &s.Span
	}
	return j.head.Span
}

// sinceOf returns when the scan before a step was under way that a scan has found, nil
// for other steps.
func (j *journal) sinceOf(st *step) *record.Span {
	if st.Kind != scanStep {
		return nil
	}
	return j.spanOf(st.Number - 1)
}

// rewrite replaces the journal by one that has only the steps after a number, the
// marks that belong to them, and the closings that keep tells.
func (j *journal) rewrite(root string, after uint64, keep func(*closing) bool) error {
	fresh := &journal{path: j.path, recorded: make(map[uint64]bool), closings: make(map[string]*closing)}
	var content bytes.Buffer
	var err error
	add := func(l journalLine) {
		size, writeErr := l.write(&content)
		err = errors.Join(err, writeErr)
		fresh.take(l, int(size))
	}
	add(journalLine{Journal: &journalHead{
		Version: journalVersion, Root: root, Last: min(after, j.last()), Span: j.spanOf(after), Unobserved: j.unobservedAt(after),
	}})
	for _, s := range j.steps {
		if s.Number > after {
			add(journalLine{Steps: []*step{s}})
			if j.recorded[s.Number] {
				add(journalLine{Recorded: s.Number})
			}
		}
	}
	for _, c := range j.closings {
		if keep(c) {
			add(journalLine{Closing: c})
		}
	}
	if err == nil {
		err = ownfile.Replace(j.path, content.Bytes())
	}
	if err != nil {
		return err
	}
	fresh.size = int64(content.Len())
	*j = *fresh
	return nil
}

// lastStep returns the number of the last step of a journal without the root's lock:
// lines are only added at its end, and a rewritten journal replaces it in one step.
func lastStep(path string) uint64 {
	j, err := openJournal(path)
	if err != nil {
		return 0
	}
	return j.last()
}

// journalRoot returns the root that a journal is of, "" when it does not say.
func journalRoot(path string) string {
	file, _, err := regular.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	// Nothing but the path is of any length in the first line.
	first := make([]byte, 16<<10)
	n, _ := io.ReadFull(file, first)
	line, _, ended := bytes.Cut(first[:n], []byte("\n"))
	var l journalLine
	if !ended || json.Unmarshal(line, &l) != nil || l.Journal == nil {
		return ""
	}
	return l.Journal.Root
}
