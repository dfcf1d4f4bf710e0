package changes

import (
	"fmt"
	"iter"

	"github.com/claudewatch/claudewatch/internal/changes/record"
)

// repair finishes what killed processes have begun: records of steps and of windows
// that were closed are written when they are not there yet, each exactly once.
func (s *state) repair() {
	for _, st := range s.journal.steps {
		if s.lacksRecord(st) {
			s.check(s.recordUncovered(st, true))
		}
	}
	for _, key := range s.keys(writtenFile) {
		s.check(s.settleWritten(key))
	}
	notes, damaged := s.notes()
	for _, n := range notes {
		c, closed := s.journal.closings[n.Key]
		switch {
		case closed && n.isEdit():
			s.check(removeFile(s.windowFile(n.Key, noteFile)))
		case closed:
			s.check(s.finish(n, c, true))
		}
	}
	for _, key := range damaged {
		s.check(s.closeDamaged(key))
	}
}

// settleWritten settles an edit that was made when the lock was not to be had, or whose
// process was killed.
func (s *state) settleWritten(key string) error {
	path := s.windowFile(key, writtenFile)
	var w writtenEdit
	if err := readJSON(path, &w); err != nil || w.Key != key {
		s.logf("%s: the edit in %s is damaged, and found by the next scan as nobody's", s.path, path)
		return removeFile(path)
	}
	return s.settle(&w, true)
}

// check logs an error.
func (s *state) check(err error) {
	if err != nil {
		s.logf("%s: %v", s.path, err)
	}
}

// closeDamaged closes the window of a note that cannot be read, as far as the steps
// tell whose it was. The changes of these steps are its own, so that they are recorded.
func (s *state) closeDamaged(key string) error {
	path := s.windowFile(key, noteFile)
	s.logf("%s: the note %s is damaged", s.path, path)
	var n *note
	for _, st := range s.journal.steps {
		for _, w := range st.Open {
			if w.Key == key && n == nil {
				n = &note{windowInfo: w, Since: st.Number - 1, Gap: "the note of the open window was damaged, and what is known of it is what scans have seen"}
			}
		}
	}
	if n == nil {
		return removeFile(path) // nothing was seen while it was open
	}
	if n.isEdit() {
		return s.release(n)
	}
	c, ok := s.journal.closings[key]
	if !ok {
		c = s.newClosing(n, record.Outcome{State: record.Unfinished}, nil, "")
		if err := s.put(journalLine{Closing: c}, false); err != nil {
			return err
		}
	}
	return s.finish(n, c, true)
}

// lacksRecord reports whether changes of a step are still to be recorded as nobody's.
func (s *state) lacksRecord(st *step) bool {
	return !s.journal.recorded[st.Number] && len(uncovered(st)) > 0
}

// writeRecord writes a record with its changes, and reports whether it added it: with doubt
// it may be there already.
func (s *state) writeRecord(rec *record.Record, changes iter.Seq[record.Change], doubt bool) (added bool, err error) {
	if doubt {
		there, err := record.Contains(s.Directory(), rec.Session, rec.Stream, rec.ID)
		if there || err != nil {
			return false, err
		}
	}
	err = record.AppendEach(s.Directory(), rec.Session, rec.Stream, rec, changes)
	return err == nil, err
}

// recordUncovered writes the record of the changes of a step that no window covers, and
// marks the step. With doubt the record may be there already.
func (s *state) recordUncovered(st *step, doubt bool) error {
	if !s.lacksRecord(st) {
		return nil
	}
	rec, changes := s.uncoveredRecord(st)
	if _, err := s.writeRecord(rec, s.described(rec, changes), doubt); err != nil {
		return fmt.Errorf("the changes of step %d are recorded later: %w", st.Number, err)
	}
	return s.put(journalLine{Recorded: st.Number}, false)
}

// close closes a window at a step, nil when there was no scan, for which gap is the
// reason. The decision is put down first: a process that is killed from here on leaves
// it to the next one to finish.
func (s *state) close(n *note, outcome record.Outcome, at *step, gap string) error {
	c := s.newClosing(n, outcome, at, gap)
	steps := s.untold(n.windowInfo, c)
	if err := s.add(c, steps...); err != nil {
		return err
	}
	for _, st := range steps {
		s.check(s.recordUncovered(st, false))
	}
	return s.finish(n, c, false)
}

func (s *state) newClosing(n *note, outcome record.Outcome, at *step, gap string) *closing {
	c := &closing{Key: n.Key, ID: n.Capture, Time: now(), Outcome: outcome, First: n.first(), Blind: n.Before == nil && !n.Unseen, Last: s.next - 1, Gap: gap}
	if at != nil {
		c.Time, c.After, c.Last = at.Span.To, at.scanned(), at.Number
	}
	for _, other := range s.openNotes() {
		if other.Key != n.Key {
			c.Open = append(c.Open, other.Key)
		}
	}
	return c
}

// finish writes the record of a window that was closed, then removes its note. With
// doubt the record may be there already.
func (s *state) finish(n *note, c *closing, doubt bool) error {
	rec, changes := s.windowRecord(n, c)
	added, err := s.writeRecord(rec, s.described(rec, changes), doubt)
	if err != nil {
		return fmt.Errorf("the record of %s is written later: %w", rec.ID, err)
	}
	if added && (n.Key == keyOf(s.event) || n.Key == lateKey(keyOf(s.event))) {
		boundMemory(memory + (memoryOfChange+memoryOfTold)*len(changes))
		rec.Changes = outlines(rec, changes)
		s.written = append(s.written, rec)
	}
	if err := removeFile(s.windowFile(n.Key, endingFile)); err != nil {
		return err
	}
	return removeFile(s.windowFile(n.Key, noteFile))
}
