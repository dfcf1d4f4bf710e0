// Package corpus runs hook commands against recorded calls whose right verdict is
// known: a regression test of a hook as a process, from the event on its standard
// input to its exit status.
//
// A corpus is a file of JSON objects, one a line. The first describes the
// repositories and files that the calls need, which Build makes in a temporary
// folder; the others are the calls.
package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/lazyregexp"
	"github.com/claudewatch/claudewatch/internal/suggest"
)

// The verdicts of entries.
const (
	// Allow: the hook exits with 0 and prints nothing.
	Allow = "allow"
	// Ask: the hook exits with 0 and prints the decision "ask".
	Ask = "ask"
	// Deny: the hook exits with 2, or exits with 0 and prints the decision "deny".
	Deny = "deny"
	// Block: the hook exits with 2, which no version of Claude Code overlooks.
	Block = "block"
)

var verdicts = []string{Allow, Block, Ask, Deny}

// Corpus is one file of entries with the sandbox they play in.
type Corpus struct {
	// Path is where the corpus was read from, for messages.
	Path    string
	Sandbox Sandbox
	Entries []Entry
}

// Entry is one call with its right verdict.
type Entry struct {
	ID    string `json:"id"`
	Class string `json:"class"`
	// Hook is the one rule set that judges the call; "" for all that are on.
	Hook string `json:"hook,omitempty"`
	// Verdict is Allow, Block, Ask or Deny.
	Verdict string `json:"verdict"`
	// Event is the hook event, as JSON; nil when Stdin is given.
	Event json.RawMessage `json:"event,omitempty"`
	// Stdin is what the hook reads when that is no event.
	Stdin *string `json:"stdin,omitempty"`
	// Env are environment variables for the hook, besides those of every run.
	Env map[string]string `json:"env,omitempty"`
	// StderrContains are texts that stand in the hook's stderr; of an ask, whose
	// stderr is empty, in the reason that it prints.
	StderrContains []string `json:"stderr_contains,omitempty"`
	// Text is what the hook said when the call was recorded; it is not checked.
	Text string `json:"text,omitempty"`

	// Line is the entry's line in its file, from 1.
	Line int `json:"-"`
}

// entryKeys are the keys of an entry. Others are notes to the reader, unless they
// look like a slip of one of these.
var entryKeys = []string{"id", "class", "hook", "verdict", "event", "stdin", "env", "stderr_contains", "text"}

// maxLine bounds a line of a corpus in bytes.
const maxLine = 8 << 20

// Read reads a corpus. Errors begin with path:line.
func Read(r io.Reader, path string) (*Corpus, error) {
	c := &Corpus{Path: path}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, maxLine)
	number, first := 0, true
	seen := map[string]int{}
	for scanner.Scan() {
		number++
		line := bytes.TrimSpace(scanner.Bytes())
		if len(line) == 0 {
			continue
		}
		if err := c.readLine(line, number, first, seen); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		first = false
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", path, number+1, err)
	}
	return c, nil
}

func (c *Corpus) readLine(line []byte, number int, first bool, seen map[string]int) error {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(line, &keys); err != nil {
		return fmt.Errorf("not a JSON object: %w", err)
	}
	if sandbox, ok := keys["sandbox"]; ok {
		if !first {
			return errors.New("the sandbox must be the first line")
		}
		return c.Sandbox.decode(sandbox)
	}
	entry, err := readEntry(line, keys)
	if err != nil {
		return err
	}
	entry.Line = number
	if again, ok := seen[entry.ID]; ok {
		return fmt.Errorf("the id %q is that of line %d: give it another", entry.ID, again)
	}
	seen[entry.ID] = number
	if err := c.checkPlaces(entry); err != nil {
		return err
	}
	c.Entries = append(c.Entries, *entry)
	return nil
}

func readEntry(line []byte, keys map[string]json.RawMessage) (*Entry, error) {
	for key := range keys {
		if hint := suggest.Hint(key, entryKeys); hint != "" && !slices.Contains(entryKeys, key) {
			return nil, fmt.Errorf("unknown key %q%s", key, hint)
		}
	}
	var entry Entry
	if err := json.Unmarshal(line, &entry); err != nil {
		return nil, err
	}
	switch {
	case entry.ID == "":
		return nil, errors.New("an entry without an id")
	case entry.Class == "":
		return nil, fmt.Errorf("%s: an entry without a class", entry.ID)
	case !slices.Contains(verdicts, entry.Verdict):
		return nil, fmt.Errorf("%s: the verdict is %q, want one of %s", entry.ID, entry.Verdict, strings.Join(verdicts, ", "))
	case (entry.Event == nil) == (entry.Stdin == nil):
		return nil, fmt.Errorf("%s: an entry has either an event or a stdin", entry.ID)
	}
	if entry.Event != nil {
		if text := bytes.TrimSpace(entry.Event); text[0] != '{' {
			return nil, fmt.Errorf("%s: the event is no object; give other input as stdin", entry.ID)
		}
	}
	return &entry, nil
}

// place is a name in braces at the start of a path.
var place = lazyregexp.New(`^\{[^{}]+\}`)

// checkPlaces reports a path of the event that begins with a name that the
// sandbox does not have: the call would be about nothing.
func (c *Corpus) checkPlaces(e *Entry) error {
	var names []string
	for name := range c.Sandbox.places("") {
		names = append(names, "{"+name+"}")
	}
	slices.Sort(names)
	for _, path := range pathsOf(e.Event) {
		if name := place().FindString(path); name != "" && !slices.Contains(names, name) {
			return fmt.Errorf("%s: %s is no place of the sandbox%s", e.ID, name, suggest.Hint(name, names))
		}
	}
	return nil
}

// pathsOf returns the working directory and the paths of an event; none when it
// is not as it should be, which some entries are about.
func pathsOf(event json.RawMessage) []string {
	var e struct {
		Cwd       string `json:"cwd"`
		ToolInput struct {
			FilePath     string `json:"file_path"`
			NotebookPath string `json:"notebook_path"`
			Path         string `json:"path"`
		} `json:"tool_input"`
	}
	if json.Unmarshal(event, &e) != nil {
		return nil
	}
	return []string{e.Cwd, e.ToolInput.FilePath, e.ToolInput.NotebookPath, e.ToolInput.Path}
}

// isLocal reports whether name, with slashes, stays in the folder it is joined to.
func isLocal(name string) bool { return name != "" && filepath.IsLocal(filepath.FromSlash(name)) }
