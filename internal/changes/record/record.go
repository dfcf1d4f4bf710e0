// Package record is the format changes/1: one JSON line a call that says which files
// the call changed. The package has its types, writes and reads the files of lines, and
// makes patches of them.
//
// The keys, their order and which of them may be absent are those of other programs
// that read the format. What is ours is in keys that begin with x_, after all others.
package record

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/claudewatch/claudewatch/internal/changes/textdiff"
)

// Schema is the name of the format, and CapturedBy what the format calls producers of
// this kind.
const (
	Schema     = "changes/1"
	CapturedBy = "asz-plugin"
)

// MainStream is the stream of the calls that no subagent makes.
const MainStream = "main"

// What a record rests on (Record.Basis).
const (
	ToolWindow      = "tool_window"       // a scan before the call and one after it
	RuntimeReported = "runtime_reported"  // what the runtime says that an edit tool wrote
	Unattributed    = "unattributed"      // a scan found it, and no call was under way
	SkippedReadOnly = "skipped_read_only" // nothing was observed: the call only reads
)

// How a call ended (Outcome.State).
const (
	Returned    = "returned"
	Failed      = "failed"
	NotExecuted = "not_executed"
	Unfinished  = "unfinished" // its end was never reported
)

// How much of the root was observed (Record.Coverage).
const (
	Complete = "complete"
	Partial  = "partial"
)

// Whether a window was still open when the record of another was written (Overlap.State).
const (
	Open   = "open"
	Closed = "closed"
)

// What happened to a path (Change.Operation).
const (
	Create     = "create"
	Modify     = "modify"
	Delete     = "delete"
	TypeChange = "type_change"
)

// Whether a change has hunks, or why not (Change.Diff).
const (
	Available   = "available"
	Binary      = "binary"      // a side is not text
	TooLarge    = "too_large"   // a side is over the size cap
	Unavailable = "unavailable" // the bytes of a side are not known, or are not to be kept
)

// Who can have made a change (Change.Attribution).
const (
	OnlyThisWindow   = "only_this_window"
	Shared           = "shared"
	OutsideAnyWindow = "outside_any_window"
)

// What stands at a path (the sides of Change.XType).
const (
	RegularFile = "file"
	Symlink     = "symlink"
	Other       = "other" // a pipe, a socket, a device
)

// Record is one line: what is known of the changes of one call on one root, or of
// changes that no call covers.
//
// Encode writes it; encoding/json alone would write null for lists that are empty.
type Record struct {
	Schema     string `json:"schema"`      // Schema; Encode fills it in
	ID         string `json:"id"`          // the tool-use id, TOOL-USE-ID/ROOT-ID, or gap/ROOT-ID/STEP
	CapturedBy string `json:"captured_by"` // CapturedBy; Encode fills it in
	Session    string `json:"session"`
	Stream     string `json:"stream"` // MainStream or the id of the subagent
	Tool       string `json:"tool,omitempty"`
	ToolName   string `json:"tool_name,omitempty"`
	Time       Time   `json:"time"` // the end of the observation
	Basis      string `json:"basis"`

	Root     *Root     `json:"root,omitempty"`
	Policy   *Policy   `json:"policy,omitempty"`
	Window   *Window   `json:"window,omitempty"` // nil unless both of its scans were made
	Outcome  *Outcome  `json:"outcome,omitempty"`
	Coverage string    `json:"coverage,omitempty"`
	Gaps     []string  `json:"gaps,omitempty"`
	Overlaps []Overlap `json:"overlaps,omitempty"`

	ChangedFiles *int     `json:"changed_files"` // nil: not known
	Changes      []Change `json:"changes"`

	// XCommand is the command of a shell call; Encode cuts it at MaxCommand bytes.
	XCommand string `json:"x_command,omitempty"`
}

// MaxCommand bounds Record.XCommand, in bytes.
const MaxCommand = 4096

// Root is a directory that is observed.
type Root struct {
	Path string `json:"path"`
	ID   string `json:"id"`
}

// NewRoot returns the root at an absolute path. Its id is the first 16 hex digits of
// the path's SHA-256.
func NewRoot(path string) Root {
	sum := sha256.Sum256([]byte(path))
	return Root{Path: path, ID: hex.EncodeToString(sum[:8])}
}

// Policy is what was observed, and what was not.
type Policy struct {
	Exclusions string   `json:"exclusions"` // the name of the set of rules
	ReadOnly   string   `json:"read_only"`  // the name of the classifier
	Expanded   []string `json:"expanded"`   // the rules in force, sorted
}

// Window is the time between two scans.
type Window struct {
	Before Span `json:"before"`
	After  Span `json:"after"`
}

// Span is when a scan was under way.
type Span struct {
	From Time `json:"from"`
	To   Time `json:"to"`
}

// Outcome is how a call ended.
type Outcome struct {
	State    string `json:"state"`
	ExitCode *int   `json:"exit_code"` // nil: none, or not known
}

// Overlap is another window that was open on the root during this one.
type Overlap struct {
	Capture  string `json:"capture"`
	Session  string `json:"session"`
	Stream   string `json:"stream"`
	Tool     string `json:"tool"`
	ToolName string `json:"tool_name"`
	State    string `json:"state"`
}

// Change is what happened to one path.
type Change struct {
	// Path is relative to the root, with forward slashes; absolute in a record
	// without a root.
	Path        string          `json:"path"`
	Operation   string          `json:"operation"`
	Before      State           `json:"before"`
	After       State           `json:"after"`
	Diff        string          `json:"diff"`
	Attribution string          `json:"attribution"`
	Windows     []string        `json:"windows"` // the record's own id first
	Additions   int             `json:"additions"`
	Deletions   int             `json:"deletions"`
	Hunks       []textdiff.Hunk `json:"hunks"`

	// XMode are the permission bits, when they differ. Of a file that was created or
	// deleted one side is "", and there is no XMode when the other is 0644.
	XMode *Sides `json:"x_mode,omitempty"`
	// XRenamedFrom is the path that was deleted with the very content that was created here.
	XRenamedFrom string `json:"x_renamed_from,omitempty"`
	// XType is what stood there, when one of the sides is no regular file; "" for nothing.
	XType *Sides `json:"x_type,omitempty"`
	// XSecret is whether the path is one of those whose content is not looked at.
	XSecret bool `json:"x_secret,omitempty"`
}

// Sides is something that is one before and another after.
type Sides struct {
	Before string `json:"before"`
	After  string `json:"after"`
}

// State is one side of a change. When the path is not present, the others are zero.
type State struct {
	Present        bool   `json:"present"`
	Bytes          int64  `json:"bytes"`
	SHA256         string `json:"sha256"` // lower-case hex; "" when not known
	NoNewlineAtEnd bool   `json:"no_newline_at_end"`
}
