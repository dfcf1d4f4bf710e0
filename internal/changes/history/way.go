package history

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// makeWay looks at the files and directories that stand in each other's place: a call
// that removed a directory and made a file of its name is taken back as a whole, and so
// is one that did the contrary. What does not go with the plan is not moved.
func (p *Plan) makeWay() {
	removed := make(map[string]bool)
	for _, a := range p.Actions {
		if !a.Target.Present && a.Found.Present {
			removed[a.Absolute()] = true
		}
	}
	ways := make(map[string]bool)
	for _, a := range p.Actions {
		reason := ""
		switch {
		case !a.Target.Present:
		case a.blockedBy != "":
			blockedBy := filepath.Join(a.Root, filepath.FromSlash(a.blockedBy))
			if !removed[blockedBy] {
				reason = noDirectory(a.blockedBy)
			}
			ways[blockedBy] = true
		case a.isTree:
			reason = a.treeStays(removed)
			ways[a.Absolute()] = true
		}
		if reason != "" {
			p.refuse(a.Absolute(), "%s", reason)
		}
	}
	for _, a := range p.Actions {
		a.setWay(ways)
	}
}

// treeStays returns why the directory in the place of a file cannot be removed: only one
// goes that holds files, all of which are removed.
func (a *Action) treeStays(removed map[string]bool) string {
	root, reason := a.open()
	if reason != "" {
		return reason
	}
	defer root.Close()
	files, stays := 0, ""
	err := fs.WalkDir(root.FS(), a.Path, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		if !removed[filepath.Join(a.Root, filepath.FromSlash(path))] {
			stays = path
			return fs.SkipAll
		}
		return nil
	})
	switch {
	case err != nil:
		return fmt.Sprintf("it is a directory now, which cannot be read: %v", err)
	case stays != "":
		return fmt.Sprintf("it is a directory now, and %s in it would have to be removed too", stays)
	case files == 0:
		return "it is a directory now"
	}
	return ""
}

// setWay finds the outermost path that is a file on one side and a directory on the other.
func (a *Action) setWay(ways map[string]bool) {
	if len(ways) == 0 {
		return
	}
	names := strings.Split(a.Path, "/")
	for i := range names {
		way := path.Join(names[:i+1]...)
		if ways[filepath.Join(a.Root, filepath.FromSlash(way))] {
			a.way = way
			return
		}
	}
}
