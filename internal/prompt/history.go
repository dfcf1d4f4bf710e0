package prompt

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/claudewatch/claudewatch/internal/ownfile"
	"github.com/claudewatch/claudewatch/internal/regular"
)

// The bounds of a history: the oldest lines are left out.
const (
	maxHistoryLines = 1000
	maxHistory      = 256 << 10 // bytes
	maxHistoryLine  = 4096      // bytes; a longer one is not kept
)

// historyWait is how long a line waits for another prompt that writes the history.
const historyWait = time.Second

// History is a file of the lines that were entered at prompts, for its owner alone.
// Several prompts may add to it at a time.
type History struct {
	// Path is the file; "" keeps none.
	Path string
}

// Lines returns the lines, the oldest first. A file that is not there has none.
func (h History) Lines() ([]string, error) {
	if h.Path == "" {
		return nil, nil
	}
	// A link would lead out of the directory that the history stays in.
	if info, err := os.Lstat(h.Path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, &fs.PathError{Op: "read", Path: h.Path, Err: errors.New("a symbolic link; remove it to have a history")}
	}
	content, err := regular.ReadFile(h.Path, 2*maxHistory)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var lines []string
	for line := range strings.Lines(string(content)) {
		if line = strings.TrimRight(line, "\r\n"); storable(line) {
			lines = append(lines, line)
		}
	}
	return bounded(lines), nil
}

// storable reports whether a line can be in a history: an editor of lines can show it.
func storable(line string) bool {
	return strings.TrimSpace(line) != "" && len(line) <= maxHistoryLine && utf8.ValidString(line) && !strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// historyEntry returns what a history keeps of what was entered, on one line; "" for
// what begins with a space, and for what means something else on one line.
func historyEntry(entered string) string {
	if strings.HasPrefix(entered, " ") || strings.Contains(entered, "\n") && strings.Contains(entered, "//") {
		return ""
	}
	if line := strings.TrimRight(strings.ReplaceAll(entered, "\n", " "), " "); storable(line) {
		return line
	}
	return ""
}

// Add puts a line behind those that are in the file now, unless it is the last of them
// or empty.
func (h History) Add(line string) error {
	if h.Path == "" || line == "" {
		return nil
	}
	unlock, err := ownfile.Lock(h.Path+".lock", historyWait)
	if err != nil {
		return err
	}
	defer unlock()
	lines, err := h.Lines()
	if err != nil {
		return err
	}
	if n := len(lines); n > 0 && lines[n-1] == line {
		return nil
	}
	return ownfile.Replace(h.Path, []byte(strings.Join(bounded(append(lines, line)), "\n")+"\n"))
}

// bounded leaves out the oldest lines of a history that has grown too long.
func bounded(lines []string) []string {
	first, size := len(lines), 0
	for first > 0 && len(lines)-first < maxHistoryLines {
		size += len(lines[first-1]) + 1
		if size > maxHistory {
			break
		}
		first--
	}
	return lines[first:]
}
