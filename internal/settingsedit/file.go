package settingsedit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/claudewatch/claudewatch/internal/ownfile"
	"github.com/claudewatch/claudewatch/internal/realpath"
	"github.com/claudewatch/claudewatch/internal/regular"
)

const (
	// maxSize is how many bytes of settings are read; config reads as many.
	maxSize = 1 << 20
	// lockWait is how long another edit is waited for.
	lockWait = 10 * time.Second
	// attempts is how often a file is read again that an editor, which knows no lock,
	// changes meanwhile.
	attempts = 10
)

// Result is what became of a settings file.
type Result struct {
	// Before and After are its content; Before is nil when there was no file.
	Before, After []byte
}

// Changed reports whether the file was written.
func (r Result) Changed() bool { return !bytes.Equal(r.Before, r.After) }

// Update changes the settings file at path by what edit makes of its content, which is
// nil when there is no file, and leaves it alone when that is the same. A symbolic link
// stays, and what it leads to is written; the file is for its owner alone. Two updates
// do not lose each other's edits. With dry nothing is written.
func Update(path string, dry bool, edit func(before []byte) (after []byte, err error)) (Result, error) {
	real, _, err := realpath.Follow(path)
	if err != nil {
		return Result{}, err
	}
	result, err := compute(real, edit)
	if err != nil || dry || !result.Changed() {
		return result, err // what cannot be changed, or need not be, is found without writing anything
	}
	unlock, err := ownfile.Lock(filepath.Join(filepath.Dir(path), ".settings.lock"), lockWait)
	if err != nil {
		return Result{}, fmt.Errorf("%w; nothing was changed, try again", err)
	}
	defer unlock()
	for range attempts {
		result, err := compute(real, edit)
		if err != nil || !result.Changed() {
			return result, err
		}
		now, err := content(real)
		if err != nil {
			return Result{}, err
		}
		if !bytes.Equal(now, result.Before) {
			continue
		}
		return result, ownfile.Replace(real, result.After)
	}
	return Result{}, fmt.Errorf("%s: another program keeps changing the file; close it and try again", path)
}

func compute(path string, edit func([]byte) ([]byte, error)) (Result, error) {
	before, err := content(path)
	if err != nil {
		return Result{}, err
	}
	after, err := edit(before)
	return Result{Before: before, After: after}, err
}

// content returns the content of the file, nil when there is none.
func content(path string) ([]byte, error) {
	text, err := regular.ReadFile(path, maxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}
