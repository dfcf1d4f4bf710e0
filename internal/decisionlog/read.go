package decisionlog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"syscall"

	"github.com/claudewatch/claudewatch/internal/regular"
)

// maxLine is the length in bytes up to which a line is read. Append writes none that
// is longer.
const maxLine = 8 << 20

// SchemaError is the error of a file that is no log of this schema.
type SchemaError struct {
	Path string
	// Schema is what its header says, 0 when it has none.
	Schema int
}

// Error implements error.
func (e *SchemaError) Error() string {
	what := "has no header of a decision log"
	if e.Schema != 0 {
		what = fmt.Sprintf("is a decision log of schema %d, and this version reads schema %d", e.Schema, schema)
	}
	return fmt.Sprintf("%s %s; the next call moves it to %s.old and begins a new one", e.Path, what, e.Path)
}

// Reader reads the records of a log, one line at a time. Lines that are no records are
// passed over and counted.
type Reader struct {
	file  *os.File
	lines *bufio.Reader
	line  []byte // kept for the next one
	// damaged counts lines, unfinished is whether the last one has no end.
	damaged    int
	unfinished bool
}

// NewReader opens the log at path. The error is fs.ErrNotExist when there is none, and
// a *SchemaError when the file is another one. An empty file is a log without records.
func NewReader(path string) (*Reader, error) {
	file, _, err := regular.Open(path)
	switch {
	case errors.Is(err, regular.ErrNotRegular), errors.Is(err, syscall.EISDIR):
		return nil, fmt.Errorf("%w; move it away, or log elsewhere: 'log' in the settings is a path", err)
	case err != nil:
		return nil, err
	}
	r := &Reader{file: file, lines: bufio.NewReaderSize(file, 256<<10)}
	line, err := r.next()
	if err == io.EOF && len(line) == 0 {
		return r, nil
	}
	if err == nil && isHeader(line) {
		return r, nil
	}
	_ = file.Close()
	if err != nil && err != io.EOF {
		return nil, err
	}
	var header struct {
		Schema int `json:"schema"`
	}
	_ = json.Unmarshal(line, &header)
	if header.Schema == schema {
		header.Schema = 0 // a header that has no end is none
	}
	return nil, &SchemaError{path, header.Schema}
}

// Close closes the file.
func (r *Reader) Close() error { return r.file.Close() }

// Damaged counts the lines so far that were no records, one that its writer did not
// finish included.
func (r *Reader) Damaged() int { return r.damaged }

// Unfinished reports whether the last line has no end: its writer was killed, or is
// still writing.
func (r *Reader) Unfinished() bool { return r.unfinished }

// Records returns the records that are still to be read, the oldest first. An error is
// the last that comes.
func (r *Reader) Records() iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for {
			line, err := r.next()
			if err != nil && err != io.EOF {
				yield(nil, err)
				return
			}
			if line := bytes.TrimSpace(line); len(line) > 0 && !isHeaderWithin(line) {
				record := decode(line)
				if record == nil {
					r.damaged++
					r.unfinished = err == io.EOF
				} else if !yield(record, nil) {
					return
				}
			}
			if err == io.EOF {
				return
			}
		}
	}
}

// isHeaderWithin reports whether a line further down is a header: where a person has
// joined two logs.
func isHeaderWithin(line []byte) bool {
	return bytes.HasPrefix(line, []byte(`{"schema"`)) && isHeader(line)
}

// next returns the next line without its end. A line that is too long counts as
// damaged and comes back empty. With io.EOF comes what has no end.
func (r *Reader) next() ([]byte, error) {
	r.line = r.line[:0]
	tooLong := false
	for {
		part, err := r.lines.ReadSlice('\n')
		if len(r.line)+len(part) > maxLine {
			tooLong = true
		}
		if !tooLong {
			r.line = append(r.line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil && err != io.EOF:
			return nil, err
		case tooLong:
			r.damaged++
			return nil, err
		default:
			return bytes.TrimSuffix(r.line, []byte("\n")), err
		}
	}
}
