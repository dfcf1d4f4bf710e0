package decisionlog

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Session is a session that the log tells of.
type Session struct {
	ID string
	// Cwd and Time are those of its last record that is of the directory in question.
	Cwd  string
	Time time.Time
}

// Sessions returns the sessions that worked in a directory or beneath it, the latest
// first; when there are none, those that worked in a directory above it. Where a session
// is now does not count: it changes its directory and comes back.
func Sessions(path, directory string) ([]Session, error) {
	r, err := NewReader(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	within, around := map[string]Session{}, map[string]Session{}
	for record, err := range r.Records() {
		if err != nil {
			return nil, err
		}
		sessions := within
		switch {
		case record.Session == "":
			continue
		case isWithin(record.Cwd, directory):
		case isWithin(directory, record.Cwd):
			sessions = around
		default:
			continue
		}
		if !record.Time.Before(sessions[record.Session].Time) {
			sessions[record.Session] = Session{record.Session, record.Cwd, record.Time}
		}
	}
	if len(within) == 0 {
		within = around
	}
	found := slices.Collect(maps.Values(within))
	slices.SortFunc(found, func(a, b Session) int {
		if c := b.Time.Compare(a.Time); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return found, nil
}

// isWithin reports whether a path is a directory or lies beneath it.
func isWithin(path, directory string) bool {
	below, err := filepath.Rel(directory, path)
	return err == nil && filepath.IsAbs(path) && filepath.IsAbs(directory) && filepath.IsLocal(below)
}
