package record

import (
	"bytes"
	"errors"
	"io"
	"os"

	"github.com/claudewatch/claudewatch/internal/ownfile"
)

// maxInMemory is how many bytes of a line are held in memory. A longer one is made in a
// file, from which it is put where it belongs.
const maxInMemory = 1 << 20

// longLine is a line that is being made, and may get long.
type longLine struct {
	directory string // for the file
	text      bytes.Buffer
	file      *os.File // nil as long as the line is short
}

// Write implements io.Writer.
func (l *longLine) Write(b []byte) (int, error) {
	if l.text.Len()+len(b) > maxInMemory {
		if err := l.spill(); err != nil {
			return 0, err
		}
	}
	return l.text.Write(b)
}

// spill moves what is in memory into the file.
func (l *longLine) spill() error {
	if l.file == nil {
		if err := os.MkdirAll(l.directory, 0o700); err != nil {
			return err
		}
		file, err := os.CreateTemp(l.directory, ownfile.TemporaryPrefix+"*") // mode 0600
		if err != nil {
			return err
		}
		l.file = file
		_ = os.Remove(file.Name()) // where that can be done, nothing is left of a killed process
	}
	_, err := l.text.WriteTo(l.file)
	return err
}

// WriteTo implements io.WriterTo: what is in memory is one write, and a file is copied by the
// system at once where it can.
func (l *longLine) WriteTo(w io.Writer) (int64, error) {
	if l.file == nil {
		return l.text.WriteTo(w)
	}
	if err := l.spill(); err != nil {
		return 0, err
	}
	if _, err := l.file.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	return io.Copy(w, l.file)
}

// Close drops the file.
func (l *longLine) Close() error {
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	if removeErr := os.Remove(l.file.Name()); !errors.Is(removeErr, os.ErrNotExist) {
		err = errors.Join(err, removeErr)
	}
	return err
}
