package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/regular"
)

// File is a file of lines.
type File struct {
	Path string
	// Session and Stream are the ids that the file's name is made of. Of ids that are
	// very long they are the names; the records in the file have the ids.
	Session, Stream string
	Size            int64
	ModTime         time.Time
}

// Files returns the files of lines of all sessions, in the order of their paths. What
// else lies in DATA/output is left out; a pipe, a link or a device with the name of such a
// file is in the error. Without DATA/output there are none.
func Files(data string) ([]File, error) {
	sessions, err := os.ReadDir(folder(data))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var files []File
	var errs []error
	for _, session := range sessions {
		if !session.IsDir() {
			continue
		}
		directory := filepath.Join(folder(data), session.Name())
		streams, err := os.ReadDir(directory)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
		for _, stream := range streams {
			name, isLines := strings.CutSuffix(stream.Name(), extension)
			if !isLines || stream.IsDir() {
				continue
			}
			if !stream.Type().IsRegular() {
				errs = append(errs, &fs.PathError{Op: "read", Path: filepath.Join(directory, stream.Name()), Err: regular.ErrNotRegular})
				continue
			}
			info, err := stream.Info()
			if err != nil {
				continue // it is gone
			}
			files = append(files, File{
				Path:    filepath.Join(directory, stream.Name()),
				Session: idOf(session.Name()), Stream: idOf(name),
				Size: info.Size(), ModTime: info.ModTime(),
			})
		}
	}
	return files, errors.Join(errs...)
}

// LineError is the error of one line of a file.
type LineError struct {
	Path string
	Line int // from 1
	Err  error
}

// Error implements error.
func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.Path, e.Line, e.Err) }

// Unwrap returns the cause.
func (e *LineError) Unwrap() error { return e.Err }

// ErrUnfinished is the cause of the LineError of a last line without an end: its
// writer is at work or was killed. The next writer cuts it off.
var ErrUnfinished = errors.New("the line has no end: its writer is at work, or was stopped")

// Read returns the records of a file in the order in which they were written. Instead
// of a record of a line that is none there is a *LineError, and reading goes on. A file
// that cannot be read further is an error of another kind, and the last. Keys that are
// not of the format are left out.
func Read(path string) iter.Seq2[*Record, error] { return ReadWhere(path, nil) }

// ReadWhere is Read of those lines that keep reports true for; nil keeps all. What is no
// record is not found in a line that is not kept.
func ReadWhere(path string, keep func(line []byte) bool) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		file, _, err := regular.Open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer file.Close()
		for line := range lines(file, &err) {
			if keep != nil && !keep(line.text) {
				continue
			}
			r, problem := decode(line.text)
			if problem != nil {
				problem = &LineError{path, line.number, problem}
			}
			if !yield(r, problem) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// textLine is a line of a file, with its line feed when it has one.
type textLine struct {
	number int
	text   []byte
}

// lines returns the lines of a file. What ends them too early is stored in problem.
func lines(file io.Reader, problem *error) iter.Seq[textLine] {
	return func(yield func(textLine) bool) {
		reader := bufio.NewReaderSize(file, 64<<10)
		for number := 1; ; number++ {
			text, err := reader.ReadBytes('\n')
			if len(text) > 0 && (err == nil || errors.Is(err, io.EOF)) && !yield(textLine{number, text}) {
				return
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				*problem = err
				return
			}
		}
	}
}

func decode(line []byte) (*Record, error) {
	if !bytes.HasSuffix(line, []byte("\n")) {
		return nil, ErrUnfinished
	}
	r := &Record{}
	if err := json.Unmarshal(line, r); err != nil {
		return nil, fmt.Errorf("no change record: %w; the line is left out", err)
	}
	if r.Schema != Schema {
		return nil, fmt.Errorf("a record of schema %q, and this version reads %s; the line is left out", r.Schema, Schema)
	}
	return r, nil
}

// Contains reports whether the file of a stream has a record with an id. A line
// without an end does not count, nor one that is no record.
func Contains(data, session, stream, id string) (bool, error) {
	text, err := encode(id)
	if err != nil {
		return false, err
	}
	text = bytes.TrimSuffix(text, []byte("\n"))
	has := func(line []byte) bool { return bytes.Contains(line, text) }
	for r, err := range ReadWhere(Path(data, session, stream), has) {
		switch {
		case errors.As(err, new(*LineError)): // it is no record
		case errors.Is(err, fs.ErrNotExist):
			return false, nil
		case err != nil:
			return false, err
		case r.ID == id:
			return true, nil
		}
	}
	return false, nil
}
