package changes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/content"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/changes/scan"
)

// state is what is known of a root, for as long as its lock is held.
type state struct {
	*Recorder
	root
	event    Event
	journal  *journal
	manifest *scan.Manifest
	store    *content.Store
	// next is the number of the next step. Numbers are never used twice.
	next uint64
	// isNew says that the manifest knows nothing: no scan has seen the root yet, or what was
	// known is lost. Then rebuilt says why.
	isNew   bool
	rebuilt string
	// gitFails says that git did not answer, and is not asked again.
	gitFails bool
	// written are the records of this call that have been written.
	written []*record.Record
}

// visit takes the lock of a root, finishes what killed processes have begun, and lets
// work go on from there. It returns the records of the event's call that were written.
// The error is ownfile.ErrHeld when the lock was not to be had.
func (r *Recorder) visit(at root, e Event, wait time.Duration, work func(*state) error) ([]*record.Record, error) {
	unlock, err := at.lock(min(wait, max(0, r.left())))
	if err != nil {
		return nil, err
	}
	defer unlock()
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(memory))
	s := r.load(at, e)
	s.repair()
	err = work(s)
	return s.written, errors.Join(err, s.fold(false))
}

// load reads the state of a root under its lock. What is damaged is put aside, which
// the log tells.
func (r *Recorder) load(at root, e Event) *state {
	s := &state{Recorder: r, root: at, event: e, store: content.Open(at.content())}
	lost := s.loadJournal()
	lost = s.loadManifest(lost) || lost
	s.next = max(s.manifest.Step, s.journal.last()) + 1
	notes, _ := at.notes()
	for _, n := range notes {
		s.next = max(s.next, n.first()+1)
	}
	if lost {
		// Which numbers were given is not known for certain: go on where no count has got to.
		s.next = max(s.next, uint64(time.Now().Unix()))
	}
	return s
}

// loadJournal reads the journal and reports whether something of it is lost.
func (s *state) loadJournal() (lost bool) {
	j, err := openJournal(s.root.journal())
	if err == nil && j.damaged > 0 && j.head.Root == "" {
		err = errors.New("the journal is damaged from its first line on")
	}
	if err != nil {
		s.aside(s.root.journal(), err)
		j, _ = openJournal(s.root.journal())
	}
	if j.damaged > 0 {
		s.logf("%s: %d lines of the journal cannot be read; what they said is looked for again", s.path, j.damaged)
	}
	s.journal = j
	return err != nil || j.damaged > 0
}

// loadManifest reads the manifest, brings it up to date by the journal, and reports
// whether something is lost.
func (s *state) loadManifest(journalLost bool) (lost bool) {
	m, err := scan.Load(s.root.manifest())
	switch {
	case err == nil:
		if s.journal.lines == 0 && !journalLost { // a journal is begun before the manifest is written
			s.logf("%s: the journal is gone; what it said is looked for again", s.path)
			lost = true
		}
	case errors.Is(err, fs.ErrNotExist):
		if len(s.journal.steps) > 1 || s.journal.head.Last > 0 {
			s.rebuilt = "what was known of the root is gone"
		}
	default:
		s.aside(s.root.manifest(), err)
		s.rebuilt = "what was known of the root was damaged"
	}
	if m == nil {
		m, s.isNew = scan.NewManifest(), true
	}
	s.manifest = m
	if s.rebuilt != "" {
		s.rebuilt += ": changes since the scan before are not recorded"
		return true
	}
	s.journal.replay(m)
	return lost
}

// aside puts a damaged file aside, or away when that cannot be done.
func (s *state) aside(path string, reason error) {
	name := filepath.Join(filepath.Dir(path), "damaged-"+filepath.Base(path))
	s.logf("%s: %v; it is put aside as %s, and the state is built anew", s.path, reason, name)
	if err := os.Rename(path, name); err != nil {
		_ = os.RemoveAll(path)
	}
}

// scan observes the root and adds a step to the journal. Unattributed changes get
// their record at once. When it returns an error nothing has moved on.
func (s *state) scan() (*step, error) {
	if _, err := s.retain(); err != nil {
		s.logf("%s: retention: %v", s.path, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.scanTimeout())
	defer cancel()
	pack := s.store.NewPack()
	each := memoryOfKnown
	if s.isNew {
		each = memoryOfFile
	}
	result, err := scan.Scan(ctx, s.path, s.manifest, scan.Options{
		Exclusions: s.exclusions(s.root), SizeCap: s.Settings().SizeCap, Secret: isSecret,
		Has: s.store.Has, Keep: pack.Keep, Progress: func(files int) { boundMemory(files * each) },
	})
	if err != nil {
		pack.Abort()
		return nil, err
	}
	boundMemory(memory + memoryOfChange*(len(result.Differences)+len(result.Refreshed)))
	kept := true
	if err := pack.Commit(); err != nil {
		kept = false
		s.logf("%s: the bytes of files could not be kept: %v", s.path, err)
		forgetKept(result.Differences)
		forgetKept(result.Refreshed)
	}
	st := &step{
		Kind: scanStep, Span: record.Span{From: record.Time{Time: result.From}, To: record.Time{Time: result.To}},
		Partial: !result.Complete, Gaps: result.Gaps, Unobserved: result.Unobserved,
		Differences: result.Differences, Refreshed: result.Refreshed,
	}
	for _, n := range s.openNotes() {
		if !n.isEdit() || !n.Opened.After(result.To) { // else it was announced when the scan was over
			st.Open = append(st.Open, n.windowInfo)
		}
	}
	if s.rebuilt != "" {
		st.Rebuilt, st.Partial, st.Gaps = true, true, append(st.Gaps, s.rebuilt)
	}
	if err := s.add(nil, st); err != nil {
		return nil, err
	}
	s.manifest.Update(result)
	if !kept && result.Baseline > 0 {
		s.manifest.ForgetKept()
	}
	s.isNew, s.rebuilt = false, ""
	if result.Baseline > 0 || st.Number == 1 {
		s.check(s.writeManifest()) // without it the next scan sees the same for the first time
	}
	s.check(s.recordUncovered(st, false))
	return st, nil
}

// scanTimeout returns how long a scan may take. The home directory, and the root of the
// file system, hold more than one can wait for as a rule: unless the settings name them, a
// session that was started there has a short look at what is in them.
func (s *state) scanTimeout() time.Duration {
	timeout := min(s.Settings().ScanTimeout, s.left()-reserve)
	isVast := s.path == rootAt("", s.env.Home).path || filepath.Dir(s.path) == s.path
	if isVast && len(s.Settings().Roots) == 0 {
		timeout = min(timeout, vastTimeout)
	}
	return max(timeout, 0)
}

// forgetKept is for when the bytes that a scan has read could not be kept.
func forgetKept(list []scan.Difference) {
	for i, d := range list {
		if d.After != nil && d.After.Kept {
			after := *d.After
			after.Kept = false
			list[i].After = &after
		}
	}
}

// add numbers steps and puts them into the journal, all or none, with a closing that
// belongs to them.
func (s *state) add(c *closing, steps ...*step) error {
	next, changes := s.next, 0
	for _, st := range steps {
		st.Number, st.Session, st.Stream = next, s.event.Session, s.event.stream()
		next++
		changes += len(st.Differences)
	}
	// A step without changes that a power cut takes away is not missed.
	if err := s.put(journalLine{Steps: steps, Closing: c}, changes > 0); err != nil {
		return err
	}
	s.next = next
	return nil
}

// put adds a line to the journal, which it begins when there is none.
func (s *state) put(l journalLine, durable bool) error {
	if s.journal.lines == 0 {
		head := journalLine{Journal: &journalHead{Version: journalVersion, Root: s.path, Last: s.next - 1}}
		if err := s.journal.append(head, false); err != nil {
			return err
		}
	}
	return s.journal.append(l, durable)
}

// openNotes returns the notes of the windows and edits that are open: not of those that
// were closed, and have their notes until their records are written.
func (s *state) openNotes() []*note {
	notes, _ := s.notes()
	return slices.DeleteFunc(notes, func(n *note) bool {
		_, closed := s.journal.closings[n.Key]
		return closed
	})
}

func (s *state) writeManifest() error {
	s.manifest.Step = s.next - 1
	return s.manifest.Write(s.root.manifest())
}

// Bounds of one event. Claude Code ends a hook that takes longer than hooks.json says,
// a minute; a process that it ends leaves its work to the next one.
const (
	budget      = 50 * time.Second
	reserve     = 2 * time.Second  // of it for the records after a scan
	vastTimeout = 2 * time.Second  // for the scan of a home directory
	waitBefore  = 5 * time.Second  // for the lock, when a call waits for it
	waitAfter   = 10 * time.Second // for the lock, when none does
)

// left is how much time the event still has.
func (r *Recorder) left() time.Duration { return budget - time.Since(r.began) }

// fold writes the manifest and drops the steps that no window needs from the journal,
// when there are enough of them or with force.
func (s *state) fold(force bool) error {
	if len(s.journal.steps) == 0 || s.isNew {
		return nil
	}
	after := s.needed()
	size := int64(0)
	for _, st := range s.journal.steps {
		if st.Number <= after {
			size += st.size
		}
	}
	if size == 0 || !force && size < s.journalLimit() {
		return nil
	}
	if s.journal.last() > s.manifest.Step {
		if err := s.writeManifest(); err != nil {
			return fmt.Errorf("the manifest could not be written: %w", err)
		}
	}
	return s.journal.rewrite(s.path, after, s.needsClosing)
}

// journalLimit returns the size in bytes from which steps that nobody needs go into the
// manifest: every event reads the journal, and the larger the manifest is the more it
// costs to write it.
func (s *state) journalLimit() int64 {
	info, err := os.Stat(s.root.manifest())
	if err != nil {
		return minJournal
	}
	return min(max(info.Size()/4, minJournal), maxJournal)
}

// needed returns the step up to which nobody needs the steps.
func (s *state) needed() uint64 {
	after := s.journal.last()
	notes, damaged := s.notes()
	for _, n := range notes {
		after = min(after, n.first())
	}
	for _, c := range s.journal.closings {
		if c.Outcome.State == record.Unfinished && s.needsClosing(c) {
			after = min(after, c.Last)
		}
	}
	for _, st := range s.journal.steps {
		if s.lacksRecord(st) || len(damaged) > 0 {
			after = min(after, st.Number-1)
		}
	}
	return after
}

// needsClosing reports whether somebody may still ask for a window that was closed: its
// call ends after all, or is reported twice.
func (s *state) needsClosing(c *closing) bool {
	return !older(c.Time, s.Settings().Idle) || exists(s.windowFile(c.Key, noteFile))
}
