package scan

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Observes reports whether a scan of a root would look at a path of it, which is
// relative, with slashes: whether no directory on the way to it is excluded.
func (x *Exclusions) Observes(root, path string) bool {
	segments := strings.Split(path, "/")
	at := &directoryOnDisk{path: root}
	for _, name := range segments[:len(segments)-1] {
		if x.excludes(at, name) {
			return false
		}
		at = &directoryOnDisk{parent: at, path: filepath.Join(at.path, name), base: name}
	}
	return true
}

// directoryOnDisk is a place whose files are listed when a rule asks for them.
type directoryOnDisk struct {
	parent     *directoryOnDisk
	path, base string
}

func (d *directoryOnDisk) up() place {
	if d.parent == nil {
		return nil
	}
	return d.parent
}

func (d *directoryOnDisk) name() string { return d.base }

func (d *directoryOnDisk) holds(fits func(string) bool) bool {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !e.IsDir() && fits(e.Name()) })
}
