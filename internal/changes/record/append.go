package record

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/claudewatch/claudewatch/internal/ownfile"
)

// lockWait bounds how long a writer waits for the others of its session. Each holds
// the lock for one write and one fsync.
const lockWait = 10 * time.Second

// Append adds the line of a record to the file of a stream, which it makes, with its
// directories, for the owner alone: one write and one fsync. A line of more than a megabyte
// is made in a file of its own before, and copied at once. When it returns nil the
// line is on the disk; when it returns an error, the file is as it was.
//
// Session and stream are ids from outside, and never lead out of DATA/output. A line
// without an end, of a writer that was killed, is cut off first: nobody was told that
// it is there. The writers of one session wait for one another, for ten seconds.
func Append(data, session, stream string, r *Record) error {
	return AppendEach(data, session, stream, r, slices.Values(r.Changes))
}

// AppendEach is Append with changes in the place of the record's own, which need not be in
// memory all at once.
func AppendEach(data, session, stream string, r *Record, changes iter.Seq[Change]) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("change record %s: %w", r.ID, err)
		}
	}()
	if data == "" {
		return errors.New("there is no directory for it; set CLAUDEWATCH_HOME or HOME")
	}
	line := &longLine{directory: data}
	defer func() { err = errors.Join(err, line.Close()) }()
	if err := write(line, r, changes); err != nil {
		return err
	}
	unlock, err := lock(data, fileName(session), lockWait)
	if err != nil {
		return err
	}
	defer unlock()
	path := Path(data, session, stream)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	flags := openFlags | appendFlag
	if line.file != nil {
		flags = openFlags
	}
	file, size, err := open(path, flags)
	if err != nil {
		return err
	}
	if err := errors.Join(appendLine(file, size, line), file.Close()); err != nil {
		return err
	}
	if size == 0 {
		ownfile.SyncDirectory(filepath.Dir(path))
		ownfile.SyncDirectory(folder(data))
	}
	return nil
}

// lock takes the lock of the writers of a session, by the name of its directory. There
// is one file for many sessions, so that their number does not grow with the sessions.
func lock(data, directory string, wait time.Duration) (unlock func(), err error) {
	sum := sha256.Sum256([]byte(directory))
	unlock, err = ownfile.Lock(filepath.Join(data, "state", "locks", fmt.Sprintf("output-%02x", sum[0])), wait)
	if errors.Is(err, ownfile.ErrHeld) {
		err = fmt.Errorf("%w; look for a claudewatch that hangs, and end it", err)
	}
	return unlock, err
}

// open opens a file of lines to be written to, with flags of this system, and returns its
// size.
func open(path string, flags int) (*os.File, int64, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, 0, err
	case !info.Mode().IsRegular():
		return nil, 0, fmt.Errorf("%s is not a regular file; remove it", path)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|flags, 0o600)
	if err != nil {
		return nil, 0, err
	}
	info, err = file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file; remove it", path)
	}
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = file.Chmod(0o600)
	}
	if err != nil {
		_ = file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}

// output is what appendLine needs of a file.
type output interface {
	io.ReaderAt
	io.WriteSeeker
	Truncate(size int64) error
	Sync() error
}

// appendLine writes a line at the end of the last whole line of a file.
func appendLine(file output, size int64, line io.WriterTo) error {
	end, err := endOfLines(file, size)
	if err != nil {
		return err
	}
	if end < size {
		if err := file.Truncate(end); err != nil {
			return err
		}
	}
	if _, err := file.Seek(end, io.SeekStart); err != nil {
		return err
	}
	_, err = line.WriteTo(file)
	if err == nil {
		err = file.Sync()
	}
	if err != nil {
		// A full disk may have taken a part of the line.
		return errors.Join(err, file.Truncate(end))
	}
	return nil
}

// endOfLines returns where the last line that has an end ends.
func endOfLines(file io.ReaderAt, size int64) (int64, error) {
	block := make([]byte, min(size, 64<<10))
	for end := size; end > 0; {
		// What is likely is that the last byte is the end.
		start := max(end-int64(len(block)), 0)
		if end == size {
			start = end - 1
		}
		part := block[:end-start]
		if _, err := file.ReadAt(part, start); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			return start + int64(i) + 1, nil
		}
		end = start
	}
	return 0, nil
}
