package changes

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/claudewatch/claudewatch/internal/ownfile"
	"github.com/claudewatch/claudewatch/internal/regular"
)

// maxStateFile bounds what is read of one file of state, in bytes.
const maxStateFile = 256 << 20

// replaceJSON puts a note in the place of another. Notes are about calls that are
// running, which end with the system: they are not written durably.
func replaceJSON(path string, value any) error {
	content, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return ownfile.ReplaceForNow(path, append(content, '\n'))
}

// readJSON reads a file that replaceJSON has written. The error is fs.ErrNotExist when
// there is none; any other file that cannot be used is damaged.
func readJSON(path string, value any) error {
	content, err := regular.ReadFile(path, maxStateFile)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(content, value); err != nil {
		return fmt.Errorf("%s is damaged: %w", path, err)
	}
	return nil
}

// removeFile removes a file that may be gone already.
func removeFile(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// exists reports whether there is anything at a path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
