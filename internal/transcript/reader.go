package transcript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// MaxLine is the length in bytes up to which a line is read; longer ones are
// passed over. Tool input is written by a model, whose longest answers stay far below.
const MaxLine = 32 << 20

// A call is held back until its answer was read, so that calls come in the order
// of the transcript. These bound what is held back: calls, and bytes of their lines.
const (
	maxWaiting      = 1000
	maxWaitingBytes = 64 << 20
)

// Reader reads the tool calls of one transcript.
type Reader struct {
	lines   *bufio.Reader
	path    string
	number  int
	done    bool
	skipped Skipped

	mode, projectDir string
	waiting          []*waitingCall
	byID             map[string]*waitingCall
	waitingBytes     int
}

// waitingCall is a call that has not been returned yet.
type waitingCall struct {
	Call
	size int // of its line
}

// NewReader returns a Reader of the transcript r. path is where it stands: it
// tells session and agent where a line does not.
func NewReader(r io.Reader, path string) *Reader {
	return &Reader{lines: bufio.NewReaderSize(r, 64<<10), path: path, byID: map[string]*waitingCall{}}
}

// Skipped are lines that could not be read: longer than MaxLine, or no JSON. A last line
// without its end is not counted: a session is writing it.
type Skipped struct {
	Lines int
	// Path and Line are those of the first.
	Path string
	Line int
}

// add adds those that come after.
func (s *Skipped) add(more Skipped) {
	if s.Lines == 0 {
		s.Path, s.Line = more.Path, more.Line
	}
	s.Lines += more.Lines
}

// Skipped returns the lines so far that could not be read.
func (r *Reader) Skipped() Skipped { return r.skipped }

// Next returns the next call in the order of the transcript, with its answer
// unless that came very much later. At the end it returns io.EOF; other errors
// are those of the reader.
func (r *Reader) Next() (*Call, error) {
	for {
		if call := r.take(); call != nil {
			return call, nil
		}
		if r.done {
			return nil, io.EOF
		}
		line, err := r.readLine()
		if err != nil && err != io.EOF {
			return nil, err
		}
		r.done = err == io.EOF
		r.readEntry(line)
	}
}

// take returns the first of the waiting calls when its turn has come.
func (r *Reader) take() *Call {
	if len(r.waiting) == 0 {
		return nil
	}
	first := r.waiting[0]
	if first.Result == nil && !r.done && len(r.waiting) <= maxWaiting && r.waitingBytes <= maxWaitingBytes {
		return nil
	}
	r.waiting[0] = nil
	r.waiting = r.waiting[1:]
	r.waitingBytes -= first.size
	if r.byID[first.ID] == first {
		delete(r.byID, first.ID)
	}
	return &first.Call
}

// skip counts the line that was read last among those that cannot be read.
func (r *Reader) skip() { r.skipped.add(Skipped{1, r.path, r.number}) }

// readLine returns the next line, nil for one that is too long. With io.EOF comes
// what stands behind the last line end.
func (r *Reader) readLine() ([]byte, error) {
	r.number++
	var line []byte
	tooLong := false
	for {
		part, err := r.lines.ReadSlice('\n')
		if len(line)+len(part) > MaxLine {
			tooLong, line = true, nil
		}
		if !tooLong {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if tooLong {
			r.skip()
		}
		return line, err
	}
}

// entry is what a line says, as far as it is of use.
type entry struct {
	Type           string `json:"type"`
	SessionID      string `json:"sessionId"`
	AgentID        string `json:"agentId"`
	IsSidechain    bool   `json:"isSidechain"`
	Cwd            string `json:"cwd"`
	Timestamp      string `json:"timestamp"`
	PermissionMode string `json:"permissionMode"`
	Message        struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

// part is one part of a message.
type part struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
	Text      string          `json:"text"`
}

func (r *Reader) readEntry(line []byte) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return
	}
	var e entry
	if !decode(line, &e) {
		if !r.done {
			r.skip()
		}
		return
	}
	if e.PermissionMode != "" {
		r.mode = e.PermissionMode
	}
	if r.projectDir == "" {
		r.projectDir = e.Cwd
	}
	if e.Type != "assistant" && e.Type != "user" {
		return
	}
	for _, p := range partsOf(e.Message.Content) {
		switch {
		case e.Type == "assistant" && p.Type == "tool_use":
			r.add(&e, &p, len(line))
		case e.Type == "user" && p.Type == "tool_result":
			r.answer(&p)
		}
	}
}

// add takes in a call. The same call may stand there twice, where a session was
// resumed: the first counts.
func (r *Reader) add(e *entry, p *part, size int) {
	if p.Name == "" || p.ID != "" && r.byID[p.ID] != nil {
		return
	}
	c := &waitingCall{size: size, Call: Call{
		ID: p.ID, Tool: p.Name,
		Cwd: e.Cwd, ProjectDir: r.projectDir,
		Session: first(e.SessionID, sessionOf(r.path)), Agent: first(e.AgentID, agentOf(r.path)), Sidechain: e.IsSidechain,
		Time: e.Timestamp, PermissionMode: r.mode,
		Path: r.path, Line: r.number,
	}}
	decode(p.Input, &c.Input)
	r.waiting = append(r.waiting, c)
	r.waitingBytes += size
	if p.ID != "" {
		r.byID[p.ID] = c
	}
}

// answer joins a result with its call. Of two results for one call the first counts.
func (r *Reader) answer(p *part) {
	c := r.byID[p.ToolUseID]
	if c == nil || c.Result != nil {
		return
	}
	c.Result = &Result{Content: textOf(p.Content), IsError: p.IsError}
}

// decode decodes what it can: a value of an unexpected type is left out.
func decode(text []byte, v any) bool {
	err := json.Unmarshal(text, v)
	var mismatch *json.UnmarshalTypeError
	return err == nil || errors.As(err, &mismatch)
}

// partsOf returns the parts of a message; one that is a plain string has none
// that matter.
func partsOf(content json.RawMessage) []part {
	var parts []part
	if len(content) > 0 && content[0] == '[' {
		decode(content, &parts)
	}
	return parts
}

// textOf returns the text of an answer: a string, or the text parts of a list.
func textOf(content json.RawMessage) string {
	var text string
	if len(content) > 0 && content[0] == '"' {
		decode(content, &text)
	} else {
		var texts []string
		for _, p := range partsOf(content) {
			if p.Type == "text" {
				texts = append(texts, p.Text)
			}
		}
		text = strings.Join(texts, "\n")
	}
	if len(text) > MaxResult {
		text = strings.ToValidUTF8(strings.Clone(text[:MaxResult]), "")
	}
	return text
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
