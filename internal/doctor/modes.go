package doctor

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/claudewatch/claudewatch/internal/install"
	"github.com/claudewatch/claudewatch/internal/realpath"
)

// maxWalked bounds how many files are looked at for their permissions.
const maxWalked = 20_000

// The permissions of others that a file may not have.
const (
	toWrite fs.FileMode = 0o022
	toRead  fs.FileMode = 0o044
)

// fileModes says which files others may write, and which of what was recorded they may
// read.
func fileModes(_ context.Context, m *Machine) []Finding {
	if runtime.GOOS == "windows" {
		return []Finding{{Status: OK, Message: "not looked at: Windows has other permissions"}}
	}
	w := &modes{seen: map[string]bool{}}
	for _, directory := range m.dataDirectories() {
		w.walk(directory, toWrite|toRead)
	}
	if log := m.Environment.LogFile(m.engine().Settings); log != "" {
		w.walk(log, toWrite|toRead)
	}
	if directory := m.Environment.Directory(); directory != "" {
		w.walk(directory, toWrite)
	}
	for _, p := range m.installations().places {
		if p.scope == install.User || p.scope == install.Managed {
			w.look(filepath.Dir(p.path), toWrite)
			w.look(p.path, toWrite)
		}
	}
	return w.findings()
}

// modes collects files whose permissions are not what they should be.
type modes struct {
	walked                        int
	seen                          map[string]bool
	everybody, group, other, read []string
}

// walk looks at a file, or at a directory and all that is in it.
func (w *modes) walk(root string, mask fs.FileMode) {
	real, _, err := realpath.Follow(root)
	if err != nil || isClosed(filepath.Dir(real)) {
		return
	}
	_ = filepath.WalkDir(real, func(path string, entry fs.DirEntry, err error) error {
		if w.walked++; w.walked > maxWalked {
			return fs.SkipAll
		}
		if err != nil || entry.Type()&fs.ModeSymlink != 0 {
			return nil // links have no permissions of their own
		}
		w.look(path, mask)
		if entry.IsDir() && isClosed(path) {
			return fs.SkipDir
		}
		return nil
	})
}

// isClosed reports whether a directory lets no others in, whatever its files say.
func isClosed(directory string) bool {
	info, err := os.Stat(directory)
	return err == nil && info.Mode().Perm()&0o077 == 0
}

// look looks at one file, which others may not have the permissions of mask for.
func (w *modes) look(path string, mask fs.FileMode) {
	info, err := os.Stat(path)
	if err != nil || w.seen[path] {
		return
	}
	w.seen[path] = true
	mode := info.Mode().Perm() & mask
	sticky := info.IsDir() && info.Mode()&fs.ModeSticky != 0
	switch {
	case isForeign(info):
		w.other = append(w.other, path)
	case mode&0o002 != 0 && !sticky:
		w.everybody = append(w.everybody, path)
	case mode&0o020 != 0 && !sticky:
		w.group = append(w.group, path)
	case mode&toRead != 0:
		w.read = append(w.read, path)
	}
}

func (w *modes) findings() []Finding {
	var all []Finding
	add := func(status Status, paths []string, message, remedy string) {
		if len(paths) > 0 {
			files := fmt.Sprintf("%d files", len(paths))
			if len(paths) == 1 {
				files = "1 file"
			}
			all = append(all, Finding{Status: status, Message: files + message, Remedy: remedy, Details: first(paths)})
		}
	}
	add(Fail, w.everybody, " can be written by everybody on this machine, who so decide what is judged and recorded", "chmod o-w FILE")
	add(Fail, w.other, " of another user, who so decides what is judged and recorded", "chown them to yourself")
	add(Warn, w.group, " can be written by your group", "chmod g-w FILE, unless the group is you alone")
	add(Warn, w.read, " of what was recorded can be read by others", "chmod go= FILE")
	if len(all) == 0 {
		all = []Finding{{Status: OK, Message: "nobody else can write what claudewatch goes by, or read what it records"}}
	}
	return all
}

// first returns as many paths as a finding shows.
func first(paths []string) []string {
	if len(paths) <= maxDetails {
		return paths
	}
	return append(slices.Clone(paths[:maxDetails]), fmt.Sprintf("and %d more", len(paths)-maxDetails))
}
