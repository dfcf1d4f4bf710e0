package changes

import (
	"errors"
	"io/fs"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/content"
	"github.com/claudewatch/claudewatch/internal/changes/scan"
)

// RootStatus is what is known of a root that has been observed.
type RootStatus struct {
	Path, ID string
	// Files counts the files that were there at the last scan.
	Files int
	// Windows are the records of the calls and edits that are under way, the first opened first.
	Windows []string
	// Steps counts the steps that are kept, and Kept is the size in bytes of the contents.
	Steps int
	Kept  int64
	// LastScan is when the last scan ended; zero when it is not known any more.
	LastScan time.Time
	// Problem says what of the state cannot be read; nil when all can.
	Problem error
}

// Status returns the roots that have been observed. The locks of the roots are not
// taken, so that it waits for nobody.
func (r *Recorder) Status() []RootStatus {
	var list []RootStatus
	for _, at := range r.knownRoots(func(root) bool { return true }) {
		list = append(list, at.status())
	}
	return list
}

func (r root) status() RootStatus {
	s := RootStatus{Path: r.path, ID: r.id}
	j, err := openJournal(r.journal())
	s.Steps = len(j.steps)
	if span := j.spanOf(j.last()); span != nil {
		s.LastScan = span.To.Time
	}
	notes, damaged := r.notes()
	for _, n := range notes {
		s.Windows = append(s.Windows, n.Capture)
	}
	s.Windows = append(s.Windows, damaged...)
	m, manifestErr := scan.Load(r.manifest())
	if manifestErr == nil {
		j.replay(m)
		for range m.All() {
			s.Files++
		}
	} else if errors.Is(manifestErr, fs.ErrNotExist) {
		manifestErr = nil
	}
	kept, storeErr := content.Open(r.content()).Size()
	s.Kept = kept
	s.Problem = errors.Join(err, manifestErr, storeErr)
	return s
}

// Exclusions returns the rules of the settings in force, sorted, as the records name
// them; those of our own directories, which depend on the root, are left out.
func (r *Recorder) Exclusions() []string {
	return r.exclusions(root{}).Expanded()
}
