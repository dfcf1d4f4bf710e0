package install

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/claudewatch/claudewatch/internal/realpath"
	"github.com/claudewatch/claudewatch/internal/regular"
	"github.com/gofrs/flock"
)

const (
	// MaxSize bounds a settings file in bytes.
	MaxSize = 4 << 20
	// lockWait is how long another install is waited for.
	lockWait = 20 * time.Second
	// attempts is how often a file is read again that somebody who knows no lock, such
	// as Claude Code, changes meanwhile.
	attempts = 10
)

// File is a settings file that hooks are put into and taken out of.
type File struct {
	// Path is where it is; a symbolic link there stays, and what it leads to is changed.
	Path string
	// Without and With are the backups: the file as it last was without hooks of
	// claudewatch, and with them.
	Without, With string

	real                string
	mode, directoryMode fs.FileMode // of what is new
}

// newFile returns the file at a path. Its backups are beside it, or in that directory
// when it is given.
func newFile(path, backups string) (*File, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	real, _, err := realpath.Follow(path)
	if err != nil {
		return nil, advised(err)
	}
	f := &File{Path: path, real: real, mode: 0o600, directoryMode: 0o700}
	stem := real
	if backups != "" {
		hash := sha256.Sum256([]byte(real))
		if backups, err = filepath.Abs(backups); err != nil {
			return nil, err
		}
		stem = filepath.Join(backups, "backups", fmt.Sprintf("%x-%s", hash[:6], filepath.Base(real)))
	}
	f.Without, f.With = stem+".without-claudewatch", stem+".with-claudewatch"
	return f, nil
}

// Result is what became of a settings file.
type Result struct {
	Edit
	// Before is the text that was there, nil when there was no file.
	Before []byte
	// Backup is where Before is kept, "" when nothing was changed.
	Backup string
}

// Install puts the hooks of claudewatch, the program at that path, into the file. With
// dry nothing is written.
func (f *File) Install(program string, dry bool) (*Result, error) {
	return f.edit(dry, func(before []byte) (*Edit, error) { return Merge(before, program) })
}

// Uninstall takes the hooks of claudewatch out of the file. A file that held nothing
// else and that Install made is deleted: Text of the result is then nil.
func (f *File) Uninstall(dry bool) (*Result, error) {
	return f.edit(dry, func(before []byte) (*Edit, error) {
		if before == nil {
			return &Edit{}, nil
		}
		original, err := regular.ReadFile(f.Without, MaxSize)
		if err != nil {
			original = nil // the file tells enough
		}
		return Remove(before, original)
	})
}

// edit changes the file by what compute makes of its text, which is nil when there is
// no file.
func (f *File) edit(dry bool, compute func(before []byte) (*Edit, error)) (*Result, error) {
	// What cannot be changed, or needs no change, is found without writing anything.
	result, err := f.compute(compute)
	if err != nil || dry || !result.Changed() {
		return result, err
	}
	if err := os.MkdirAll(filepath.Dir(f.real), f.directoryMode); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w; set HOME or CLAUDE_CONFIG_DIR to a folder that can be written", err)
		}
		return nil, advised(err)
	}
	unlock, err := lock(filepath.Join(filepath.Dir(f.real), "."+filepath.Base(f.real)+".claudewatch-lock"))
	if err != nil {
		return nil, advised(err)
	}
	defer unlock()
	for range attempts {
		result, err := f.compute(compute)
		if err != nil || !result.Changed() {
			return result, err
		}
		if err := f.backUp(result); err != nil {
			return nil, fmt.Errorf("nothing was changed, since no backup could be made: %w", advised(err))
		}
		switch err := f.write(result); {
		case err == nil:
			return result, nil
		case !errors.Is(err, errChanged):
			return nil, advised(err)
		}
	}
	return nil, fmt.Errorf("%s: another program keeps changing the file; close it and try again", f.Path)
}

// compute reads the file and returns what is to become of it.
func (f *File) compute(compute func(before []byte) (*Edit, error)) (*Result, error) {
	before, err := f.read()
	if err != nil {
		return nil, advised(err)
	}
	edit, err := compute(before)
	if err != nil {
		return nil, fmt.Errorf("%s:%w; the file was left as it is", f.Path, err)
	}
	return &Result{Edit: *edit, Before: before}, nil
}

// read returns the text of the file, nil when there is none.
func (f *File) read() ([]byte, error) {
	before, err := regular.ReadFile(f.real, MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return before, err
}

// backUp keeps the text that is about to be replaced. There is one backup of the file
// with hooks of claudewatch and one without, so that neither pushes out the other.
func (f *File) backUp(r *Result) error {
	if r.Before == nil {
		return nil
	}
	r.Backup = f.Without
	if hasHooks(r.Before) {
		r.Backup = f.With
	}
	if err := os.MkdirAll(filepath.Dir(r.Backup), f.directoryMode); err != nil {
		return err
	}
	return replace(r.Backup, r.Before, f.modeOf(f.real))
}

// hasHooks reports whether there are hooks of claudewatch in the text of settings.
func hasHooks(text []byte) bool {
	edit, err := Remove(text, nil)
	return err == nil && edit.Changed()
}

var errChanged = errors.New("the file has changed meanwhile")

// write puts the new text in the place of the old one, unless that has changed.
func (f *File) write(r *Result) error {
	now, err := f.read()
	if err != nil {
		return err
	}
	if !bytes.Equal(now, r.Before) || (now == nil) != (r.Before == nil) {
		return errChanged
	}
	if r.Text == nil {
		return os.Remove(f.real)
	}
	return replace(f.real, r.Text, f.modeOf(f.real))
}

// modeOf returns the permissions of a file, those of a new one when it is not there.
func (f *File) modeOf(path string) fs.FileMode {
	if info, err := os.Stat(path); err == nil {
		return info.Mode().Perm()
	}
	return f.mode
}

// replace puts a file in the place of another in one step. The new one has the owner
// of the old one.
func replace(path string, content []byte, mode fs.FileMode) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), ".claudewatch-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = temporary.Write(content)
	if err == nil {
		err = keepOwner(temporary, path)
	}
	if err == nil {
		err = temporary.Chmod(mode)
	}
	if err == nil {
		err = temporary.Sync()
	}
	if closeErr := temporary.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		os.Remove(temporary.Name())
	}
	return err
}

// lock takes the lock of a file. It is removed with the last who waits for it.
func lock(path string) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	for {
		// Opening a pipe would wait for its other end.
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is not a regular file; remove it", path)
		}
		l := flock.New(path, flock.SetPermissions(0o600))
		locked, err := l.TryLockContext(ctx, 5*time.Millisecond)
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			return nil, fmt.Errorf("%s is held by another process for more than %s; wait for it and try again", path, lockWait)
		case err != nil:
			return nil, err
		case !locked:
			continue
		}
		// Who had it before may have removed the file: then it is nobody's lock.
		held, err := l.Stat()
		there, thereErr := os.Stat(path)
		if err == nil && thereErr == nil && os.SameFile(held, there) {
			return func() { release(l, path) }, nil
		}
		_ = l.Unlock()
	}
}

// advised adds what to do to an error of the system.
func advised(err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w; run this as a user who may read and write there", err)
	case errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w; mount it for writing, or choose settings elsewhere: claudewatch install --help lists them", err)
	case errors.Is(err, syscall.EISDIR):
		return fmt.Errorf("%w; move it away: the settings are a file", err)
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%w; move away what stands there in the place of a folder", err)
	case errors.Is(err, syscall.ELOOP):
		return fmt.Errorf("%w; a link leads to itself: remove it", err)
	case errors.As(err, new(regular.TooLargeError)):
		return fmt.Errorf("%w for settings; the file was left as it is", err)
	}
	return err
}
