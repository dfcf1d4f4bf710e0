package changes

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/ownfile"
	"github.com/claudewatch/claudewatch/internal/realpath"
)

// root is an observed directory and where its state lies.
type root struct {
	path string // absolute, symbolic links followed
	id   string
	// directory holds lock, manifest, journal.jsonl, windows/ and content/.
	directory string
}

// rootAt returns the root at a path, which need not exist. Symbolic links are
// followed, so that a directory is one root however it is reached.
func rootAt(data, path string) root {
	if real, _, err := realpath.Follow(path); err == nil {
		path = real
	}
	id := record.NewRoot(filepath.Clean(path)).ID
	return root{filepath.Clean(path), id, filepath.Join(data, "state", id)}
}

func (r root) lockFile() string    { return filepath.Join(r.directory, "lock") }
func (r root) manifest() string    { return filepath.Join(r.directory, "manifest") }
func (r root) journal() string     { return filepath.Join(r.directory, "journal.jsonl") }
func (r root) windows() string     { return filepath.Join(r.directory, "windows") }
func (r root) content() string     { return filepath.Join(r.directory, "content") }
func (r root) record() record.Root { return record.Root{Path: r.path, ID: r.id} }

// notedPath returns the path of the root by what is in its directory, "" when that does
// not say. The journal may be damaged; then a window's note still tells the path.
func (r root) notedPath() string {
	if path := journalRoot(r.journal()); path != "" {
		return path
	}
	if notes, _ := r.notes(); len(notes) > 0 {
		return notes[0].Root
	}
	return ""
}

// is reports whether two roots are the same.
func (r root) is(other root) bool { return r.id == other.id }

// relative returns a path in the form of the records, relative to the root and with
// forward slashes; ok is false when it is not one below the root.
func (r root) relative(path string) (relative string, ok bool) {
	relative, err := filepath.Rel(r.path, path)
	if err != nil || relative == "." || relative == ".." || strings.HasPrefix(relative, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(relative), true
}

// observed returns the roots of an event: those of the settings, else the project
// directory of the session.
func (r *Recorder) observed(e Event) []root {
	paths := r.Settings().Roots
	if len(paths) == 0 {
		project := e.ProjectDir
		if project == "" {
			project = e.Cwd
		}
		if !filepath.IsAbs(project) {
			return nil
		}
		paths = []string{project}
	}
	var roots []root
	for _, path := range paths {
		at := rootAt(r.Directory(), path)
		if !slices.ContainsFunc(roots, at.is) {
			roots = append(roots, at)
		}
	}
	return roots
}

// stateDirectories returns the directories in state/ that are of a root.
func stateDirectories(data string) []string {
	entries, err := os.ReadDir(filepath.Join(data, "state"))
	if err != nil {
		return nil
	}
	var list []string
	for _, e := range entries {
		if e.IsDir() && isRootID(e.Name()) {
			list = append(list, filepath.Join(data, "state", e.Name()))
		}
	}
	return list
}

func isRootID(name string) bool {
	return len(name) == 16 && strings.Trim(name, "0123456789abcdef") == ""
}

// lock takes the lock of the root, under which its state is read and written. It waits
// for others up to wait; then ownfile.ErrHeld is the cause of the error.
func (r root) lock(wait time.Duration) (unlock func(), err error) {
	return ownfile.Lock(r.lockFile(), max(wait, shortestWait))
}

// shortestWait is enough to find a lock free.
const shortestWait = 20 * time.Millisecond
