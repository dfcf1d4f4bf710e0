// Package decisionlog keeps the log of decisions: one JSON line per evaluated
// call, appended by many processes at once.
//
// The log never holds a command or a file's content. For shell calls it has the
// command's shape (program and subcommand words only), for file tools the path.
package decisionlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/claudewatch/claudewatch/internal/ownfile"
)

// schema is the number in header, the first line of a log.
const (
	schema = 2
	header = `{"schema":2}`
)

// lockWait bounds how long Append waits for other writers; a hook has ten seconds.
const lockWait = 2 * time.Second

// Bounds of what one record holds, so that a hostile payload cannot fill the log.
const (
	maxText    = 4096 // bytes of a text; longer ones are cut
	maxMatched = 100
)

// Record is one decision.
type Record struct {
	// Time is when the decision was made; it is written in UTC, RFC 3339 with nanoseconds.
	Time    time.Time `json:"ts"`
	Session string    `json:"session"`
	Cwd     string    `json:"cwd"`
	Tool    string    `json:"tool"`
	// Mode is the payload's permission_mode.
	Mode string `json:"mode"`
	// Decision is allow (nothing was said), ask or deny.
	Decision string `json:"decision"`
	// Matched are the rules that matched, as SET/RULE.
	Matched []string `json:"matched"`
	// CommandShape is the program and subcommand words of a shell call.
	CommandShape string `json:"command_shape,omitempty"`
	// Path is the file of a file tool.
	Path string `json:"path,omitempty"`

	// ToolUseID joins the call with the change records and the transcript.
	ToolUseID string `json:"tool_use_id,omitempty"`
	// Muted are those of Matched that the user had silenced for the session, so that
	// they did not count.
	Muted []string `json:"muted,omitempty"`
}

// Append adds a record to the log at path, which it creates, with its directory,
// for the owner alone. What stands there without the header of this schema is
// moved to path.old and a new log begun.
//
// A line is written whole or not at all, whatever other processes write: Append
// holds the lock of path.lock, and when it does not get it in two seconds the
// record is lost and that is the error. A line that a crashed writer left
// unfinished is ended first, so that it spoils no other.
func Append(path string, r Record) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("decision log: %w", err)
		}
	}()
	line, err := encode(r)
	if err != nil {
		return err
	}
	unlock, err := ownfile.Lock(path+".lock", lockWait)
	if err != nil {
		return err
	}
	defer unlock()
	return appendLine(path, line)
}

func encode(r Record) ([]byte, error) {
	r.Time = r.Time.UTC()
	for _, s := range []*string{&r.Session, &r.Cwd, &r.Tool, &r.Mode, &r.Decision, &r.CommandShape, &r.Path, &r.ToolUseID} {
		*s = bounded(*s)
	}
	r.Matched, r.Muted = boundedList(r.Matched), boundedList(r.Muted)
	line := &lineWriter{}
	line.encoder = json.NewEncoder(&line.Buffer)
	line.encoder.SetEscapeHTML(false)
	line.value("ts", r.Time.Format(time.RFC3339Nano))
	line.value("session", r.Session)
	line.value("cwd", r.Cwd)
	line.value("tool", r.Tool)
	line.value("mode", r.Mode)
	line.value("decision", r.Decision)
	line.value("matched", r.Matched)
	line.optional("command_shape", r.CommandShape)
	line.optional("path", r.Path)
	line.optional("tool_use_id", r.ToolUseID)
	if len(r.Muted) > 0 {
		line.value("muted", r.Muted)
	}
	line.WriteString("}\n")
	return line.Bytes(), line.err
}

// lineWriter writes what encoding/json makes of a record. To look at the whole type
// would take that a fiftieth of the time of a hook.
type lineWriter struct {
	bytes.Buffer
	encoder *json.Encoder
	err     error
}

func (w *lineWriter) value(key string, value any) {
	separator := byte(',')
	if w.Len() == 0 {
		separator = '{'
	}
	w.WriteByte(separator)
	w.WriteString(`"` + key + `":`)
	if err := w.encoder.Encode(value); err != nil {
		w.err = err
		return
	}
	w.Truncate(w.Len() - 1) // the end of the line
}

func (w *lineWriter) optional(key, text string) {
	if text != "" {
		w.value(key, text)
	}
}

func boundedList(list []string) []string {
	short := make([]string, 0, min(len(list), maxMatched))
	for _, s := range list[:min(len(list), maxMatched)] {
		short = append(short, bounded(s))
	}
	return short
}

func bounded(s string) string {
	if len(s) <= maxText {
		return s
	}
	end := maxText
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// appendLine writes a line under the lock.
func appendLine(path string, line []byte) (err error) {
	file, size, err := open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if size == 0 {
		line = append([]byte(header+"\n"), line...)
	} else if ended, err := endsLine(file, size); err != nil {
		return err
	} else if !ended {
		line = append([]byte("\n"), line...)
	}
	if _, err := file.Write(line); err != nil {
		// A full disk may have taken a part of the line.
		return errors.Join(err, file.Truncate(size))
	}
	return nil
}

// open opens the log for appending and returns its size, 0 for one that is new.
func open(path string) (*os.File, int64, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, 0, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, 0, fmt.Errorf("%s is a symbolic link, which is not followed; name its target in the settings or in CLAUDEWATCH_LOG", path)
	case !info.Mode().IsRegular():
		return nil, 0, fmt.Errorf("%s is not a regular file", path)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND|noFollow|nonBlocking, 0o600)
	if err != nil {
		return nil, 0, err
	}
	size, err := prepare(file)
	if err == nil && size > 0 && !hasHeader(file) {
		_ = file.Close()
		if err := os.Rename(path, path+".old"); err != nil {
			return nil, 0, err
		}
		file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
		return file, 0, err
	}
	if err != nil {
		_ = file.Close()
		return nil, 0, err
	}
	return file, size, nil
}

// prepare closes the file to others and returns its size.
func prepare(file *os.File) (int64, error) {
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		if err := file.Chmod(0o600); err != nil {
			return 0, err
		}
	}
	return info.Size(), nil
}

// hasHeader reports whether the first line of the log is the header of this schema.
func hasHeader(file io.ReaderAt) bool {
	first := make([]byte, 256)
	n, _ := file.ReadAt(first, 0)
	line, _, ended := strings.Cut(string(first[:n]), "\n")
	return ended && (line == header || isHeader([]byte(line)))
}

func isHeader(line []byte) bool {
	var header struct {
		Schema int `json:"schema"`
	}
	return json.Unmarshal(line, &header) == nil && header.Schema == schema
}

func endsLine(file io.ReaderAt, size int64) (bool, error) {
	last := make([]byte, 1)
	if _, err := file.ReadAt(last, size-1); err != nil {
		return false, err
	}
	return last[0] == '\n', nil
}
