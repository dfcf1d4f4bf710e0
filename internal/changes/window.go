package changes

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/record"
)

// windowInfo names a window to others.
type windowInfo struct {
	// Key is the name of its files.
	Key string `json:"key"`
	// Capture is the id of its record.
	Capture  string `json:"capture"`
	Session  string `json:"session"`
	Stream   string `json:"stream"`
	Tool     string `json:"tool"` // the tool-use id
	ToolName string `json:"tool_name"`
	// Path is set for an edit of the runtime, and is the one path that it is about.
	Path string `json:"path,omitempty"`
	// Unseen says that the call was not seen to begin, so that what the window has may be
	// nobody's as well.
	Unseen bool `json:"unseen,omitempty"`
}

func (w windowInfo) isEdit() bool { return w.Path != "" }

// concerns reports whether changes of a path can be those of the window.
func (w windowInfo) concerns(path string) bool { return !w.isEdit() || w.Path == path }

// windowOf returns the window of the call that an event is of.
func windowOf(e Event, key, capture string) windowInfo {
	return windowInfo{Key: key, Capture: capture, Session: e.Session, Stream: e.stream(), Tool: e.ToolUseID, ToolName: e.Tool}
}

// overlap is the window as another one's record names it.
func (w windowInfo) overlap(open bool) record.Overlap {
	state := record.Closed
	if open {
		state = record.Open
	}
	return record.Overlap{Capture: w.Capture, Session: w.Session, Stream: w.Stream, Tool: w.Tool, ToolName: w.ToolName, State: state}
}

// note is the note of a window that is open, or of an edit of the runtime that is
// about to be made. It is on the disk before the call runs, and goes only when the
// record is on the disk.
type note struct {
	windowInfo
	Root    string      `json:"root"`
	Command string      `json:"command,omitempty"`
	Opened  record.Time `json:"opened"`
	// Before is the scan that opened the window. It is nil when there was none; Gap then
	// says why, and Since is the last step that was known.
	Before *scanned `json:"before,omitempty"`
	Gap    string   `json:"gap,omitempty"`
	Since  uint64   `json:"since,omitempty"`
}

// isOf reports whether the call of a note is one of an event's stream.
func (n *note) isOf(e Event) bool { return n.Session == e.Session && n.Stream == e.stream() }

// first returns the step after which the window's steps begin.
func (n *note) first() uint64 {
	if n.Before != nil {
		return n.Before.Step
	}
	return n.Since
}

// ending says how a call ended whose window could not be closed at once.
type ending struct {
	Time    record.Time    `json:"time"`
	Outcome record.Outcome `json:"outcome"`
}

// keyOf returns the key of the window of a call. A call without an id is known by what
// it is.
func keyOf(e Event) string {
	id := e.ToolUseID
	if id == "" {
		args, _ := json.Marshal(e.Args)
		id = strings.Join([]string{"", e.Agent, e.Tool, string(args)}, "\x00")
	}
	sum := sha256.Sum256([]byte(e.Session + "\x00" + id))
	return hex.EncodeToString(sum[:12])
}

// recordID returns the id of a call's records: the tool-use id, and with several roots
// the root's behind it.
func recordID(e Event, at root, several bool) string {
	id := e.ToolUseID
	if id == "" {
		id = fmt.Sprintf("call-%s-%d", keyOf(e), time.Now().UnixNano())
	}
	if several {
		id += "/" + at.id
	}
	return id
}

// The kinds of files in windows/, which their names end in.
const (
	noteFile    = ".open.json"    // the note of a window or an edit
	endingFile  = ".ended.json"   // how a call ended whose window is still to be closed
	writtenFile = ".written.json" // an edit whose record is still to be written
)

func (r root) windowFile(key, kind string) string { return filepath.Join(r.windows(), key+kind) }

// keys returns the keys of the files of a kind, sorted.
func (r root) keys(kind string) []string {
	entries, err := os.ReadDir(r.windows())
	if err != nil {
		return nil
	}
	var list []string
	for _, e := range entries {
		if key, ok := strings.CutSuffix(e.Name(), kind); ok && e.Type().IsRegular() && !strings.HasPrefix(key, ".") {
			list = append(list, key)
		}
	}
	return list
}

// notes returns the notes of a root, the first opened first, and the keys of those
// that cannot be read.
func (r root) notes() (notes []*note, damaged []string) {
	for _, key := range r.keys(noteFile) {
		n := &note{}
		err := readJSON(r.windowFile(key, noteFile), n)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil || n.Key != key:
			damaged = append(damaged, key)
		default:
			notes = append(notes, n)
		}
	}
	slices.SortStableFunc(notes, func(a, b *note) int { return a.Opened.Compare(b.Opened.Time) })
	return notes, damaged
}

// older reports whether something is older than a duration. What lies in the future,
// because the clock was set back, is not.
func older(t record.Time, than time.Duration) bool { return time.Since(t.Time) > than }
