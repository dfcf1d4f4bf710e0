// Package ownfile writes files that are for their owner alone, in one step, and takes
// the locks of files that several processes change.
package ownfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// TemporaryPrefix begins the names of files that Replace is writing. Those of a process
// that was killed stay.
const TemporaryPrefix = ".new-"

// Replace puts content in the place of the file at path, durably and in one step: who
// reads sees the old file or the new one. It has mode 0600; the directory is made, with
// mode 0700, when it is not there. A symbolic link is replaced like a file: follow it
// first where it is to stay.
func Replace(path string, content []byte) error { return replace(path, content, true) }

// ReplaceForNow is Replace for what need not outlive the system: it does not wait for
// the disk, which takes longer than all else that a hook does. When the power fails the
// file may be the old one, the new one or empty.
func ReplaceForNow(path string, content []byte) error { return replace(path, content, false) }

func replace(path string, content []byte, durably bool) (err error) {
	directory := filepath.Dir(path)
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(directory, TemporaryPrefix+"*") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(temporary.Name())
		}
	}()
	_, err = temporary.Write(content)
	if err == nil && durably {
		err = temporary.Sync()
	}
	if err = errors.Join(err, temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}

// RemoveTemporaries removes what processes that were killed have left of files in a
// directory, if it is older than a duration: what is younger may be being written.
func RemoveTemporaries(directory string, older time.Duration) {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), TemporaryPrefix) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > older {
			os.Remove(filepath.Join(directory, e.Name()))
		}
	}
}

// SyncDirectory makes the names in a directory durable, where that can be asked for.
func SyncDirectory(path string) {
	directory, err := os.Open(path)
	if err != nil {
		return
	}
	_ = directory.Sync()
	_ = directory.Close()
}

// ErrHeld is the error of a lock that another process holds for too long.
var ErrHeld = errors.New("held by another process")

// Lock takes the lock at path, a file of its own that stays when the lock is free, and
// waits for it at most as long as wait. Its directory is made when it is not there.
func Lock(path string, wait time.Duration) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	// Opening a pipe would wait for its other end.
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "lock", Path: path, Err: errors.New("not a regular file; remove it")}
	}
	l := flock.New(path, flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	locked, err := l.TryLockContext(ctx, time.Millisecond)
	switch {
	case errors.Is(err, context.DeadlineExceeded) || err == nil && !locked:
		return nil, fmt.Errorf("%s is %w for more than %s", path, ErrHeld, wait)
	case err != nil:
		return nil, err
	}
	return func() { _ = l.Unlock() }, nil
}
