package decisionlog

import (
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Session is a session that the log tells of.
type Session struct {
	ID string
	// Cwd and Time are those of its last record.
	Cwd  string
	Time time.Time
}

// Sessions returns the sessions that last worked in a directory or beneath it, the
// latest first; when there are none, those that last worked in a directory above it.
func Sessions(path, directory string) ([]Session, error) {
	r, err := NewReader(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	last := map[string]Session{}
	for {
		record, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if s := last[record.Session]; record.Session != "" && !record.Time.Before(s.Time) {
			last[record.Session] = Session{record.Session, record.Cwd, record.Time}
		}
	}
	var beneath, above []Session
	for _, s := range last {
		switch {
		case isWithin(s.Cwd, directory):
			beneath = append(beneath, s)
		case isWithin(directory, s.Cwd):
			above = append(above, s)
		}
	}
	if len(beneath) == 0 {
		beneath = above
	}
	slices.SortFunc(beneath, func(a, b Session) int {
		if c := b.Time.Compare(a.Time); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return beneath, nil
}

// isWithin reports whether a path is a directory or lies beneath it.
func isWithin(path, directory string) bool {
	below, err := filepath.Rel(directory, path)
	return err == nil && filepath.IsAbs(path) && filepath.IsAbs(directory) && filepath.IsLocal(below)
}
