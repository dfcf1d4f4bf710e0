package history

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/claudewatch/claudewatch/internal/changes"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/realpath"
)

// guard says where undo and restore write. Records are files that others may have written
// too: one of them does not decide that on its own.
type guard struct {
	data string
	// own are the directories that are never written into.
	own []string
	// observed and inOwn remember what was found out.
	observed, inOwn map[string]bool
}

func (h *History) newGuard() *guard {
	g := &guard{data: h.Data, observed: make(map[string]bool), inOwn: make(map[string]bool)}
	for _, path := range append([]string{h.Data}, h.Own...) {
		if path == "" {
			continue
		}
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
		g.own = append(g.own, path)
		if real, _, err := realpath.Follow(path); err == nil && real != path {
			g.own = append(g.own, real)
		}
	}
	return g
}

// forbids returns why nothing is put at the absolute path of a file on the word of a
// record, "" when it may be.
func (g *guard) forbids(file string, r *record.Record, target File) string {
	switch {
	case r.Root == nil:
		return fmt.Sprintf("it lies outside of all roots, where nothing is written: take it back by hand, with the lines that claudewatch changes show %s prints", r.ID)
	case !filepath.IsAbs(r.Root.Path) || r.Root.ID != record.NewRoot(r.Root.Path).ID:
		return "the id in the record is not that of the root " + r.Root.Path + ": the recorder has not written it"
	case r.Basis != record.RuntimeReported && !g.hasObserved(r.Root.Path):
		return fmt.Sprintf("the root %s is not one that the recorder has observed: claudewatch changes status lists those", r.Root.Path)
	case isOfGit(file, target.Present):
		return "it is git's own, where nothing is written"
	case g.isOwn(filepath.Dir(file)):
		return "it is claudewatch's own, where nothing is written"
	}
	return ""
}

func (g *guard) hasObserved(root string) bool {
	known, ok := g.observed[root]
	if !ok {
		known = changes.HasObserved(g.data, root)
		g.observed[root] = known
	}
	return known
}

// isOfGit reports whether a file lies below a .git directory. A .git that is a file, of a
// worktree, may be removed and not written: it says where git finds programs to run.
func isOfGit(file string, isWritten bool) bool {
	names := strings.Split(filepath.ToSlash(file), "/")
	for i, name := range names {
		// Windows takes them all for one name.
		name = strings.ToLower(strings.TrimRight(name, ". "))
		if (name == ".git" || name == "git~1") && (i < len(names)-1 || isWritten) {
			return true
		}
	}
	return false
}

// isOwn reports whether a directory is one of claudewatch's own or below one, by
// whatever name.
func (g *guard) isOwn(directory string) bool {
	if known, ok := g.inOwn[directory]; ok {
		return known
	}
	parent := filepath.Dir(directory)
	own := parent != directory && g.isOwn(parent)
	info, err := os.Lstat(directory) // that no link leads anywhere is looked at elsewhere
	for _, path := range g.own {
		if own {
			break
		}
		own = pathKey(path) == pathKey(directory)
		if other, e := os.Stat(path); !own && err == nil && e == nil {
			own = os.SameFile(info, other)
		}
	}
	g.inOwn[directory] = own
	return own
}
