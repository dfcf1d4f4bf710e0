package changes

import (
	"path/filepath"

	"github.com/claudewatch/claudewatch/internal/changes/record"
)

// HasObserved reports whether the recorder whose directory is data has observed the root
// at an absolute path, that is whether it keeps a state of it. What a record says of a
// root is no proof: records can be written by others.
func HasObserved(data, path string) bool {
	id := record.NewRoot(path).ID
	at := root{path: path, id: id, directory: filepath.Join(data, "state", id)}
	return at.notedPath() == path
}

// IsSecret reports whether a file is one of those that hold secrets by their names, with
// forward slashes: they are recorded by hash and size alone, and their lines not printed.
func IsSecret(name string) bool { return isSecret(name) }
