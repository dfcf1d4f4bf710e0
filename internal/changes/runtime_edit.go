package changes

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf16"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/changes/textdiff"
	"github.com/claudewatch/claudewatch/internal/realpath"
	"github.com/claudewatch/claudewatch/internal/regular"
)

// isEdit reports whether a tool edits a file by itself, and says what it did.
func isEdit(tool string) bool {
	switch tool {
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		return true
	}
	return false
}

// maxEdited is the size in bytes up to which a file is read that was edited.
const maxEdited = 32 << 20

// reported is what the runtime says of an edit that it has made: tool_response, in the
// forms that Claude Code 2.1.197 was recorded with. Its texts have line feeds alone,
// and no byte order mark, whatever the file has.
type reported struct {
	// path is absolute, links followed.
	path          string
	before, after reportedText
}

// reportedText is one side of an edit.
type reportedText struct {
	known   bool
	present bool // false: there was no file
	text    string
}

// editedPath returns the absolute path that an edit is about, links followed: the file
// that is written is the one at the end of them. It is "" when that is not known.
func editedPath(e Event) string {
	response, _ := e.Response.(map[string]any)
	path := ""
	for _, from := range []map[string]any{response, e.Args} {
		for _, key := range []string{"filePath", "file_path", "notebook_path"} {
			if s, _ := from[key].(string); path == "" {
				path = s
			}
		}
	}
	if path != "" && !filepath.IsAbs(path) {
		path = filepath.Join(e.Cwd, path)
	}
	if !filepath.IsAbs(path) {
		return ""
	}
	real, _, err := realpath.Follow(path)
	if err != nil {
		return ""
	}
	return real
}

// reportOf reads what the runtime says of an edit of the file at path, as editedPath
// returns it. It is nil when the edit failed, and changed nothing.
func reportOf(e Event, path string) *reported {
	response, _ := e.Response.(map[string]any)
	if problem, _ := response["error"].(string); problem != "" || path == "" || e.Name == "PostToolUseFailure" {
		return nil
	}
	r := &reported{path: path}
	for _, key := range []string{"originalFile", "original_file"} {
		if value, ok := response[key]; ok {
			text, present := value.(string)
			r.before = reportedText{known: true, present: present, text: text}
		}
	}
	if kind, _ := response["type"].(string); kind == "create" && !r.before.known {
		r.before.known = true
	}
	r.after = r.afterOf(e, response)
	return r
}

func (r *reported) afterOf(e Event, response map[string]any) reportedText {
	for _, text := range []any{response["updated_file"], response["content"]} {
		if text, ok := text.(string); ok {
			return reportedText{true, true, text}
		}
	}
	if hunks, ok := hunksOf(response["structuredPatch"]); ok && r.before.known && len(hunks) > 0 {
		if after, err := textdiff.Apply([]byte(r.before.text), hunks); err == nil {
			return reportedText{true, true, string(after)}
		}
	}
	if text, ok := e.Args["content"].(string); ok && e.Tool == "Write" {
		return reportedText{true, true, text}
	}
	return reportedText{}
}

// hunksOf reads structuredPatch, the runtime's own patch.
func hunksOf(value any) (hunks []textdiff.Hunk, ok bool) {
	if _, ok := value.([]any); !ok {
		return nil, false
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, false
	}
	var patch []struct {
		OldStart, OldLines, NewStart, NewLines int
		Lines                                  []string
	}
	if err := json.Unmarshal(text, &patch); err != nil {
		return nil, false
	}
	for _, p := range patch {
		hunks = append(hunks, textdiff.Hunk(p))
	}
	return hunks, true
}

// sides returns both sides with the bytes that the file really has: the runtime's
// texts are compared with the file as it is now, and with what was known of it before,
// nil for nothing. The sides' content is nil when it is not known.
func (r *reported) sides(known *record.Side) (before, after record.Side) {
	disk, info := r.onDisk()
	style := r.style(known, disk)
	switch {
	case disk != nil && (!r.after.known || plainText(disk) == plainForm(r.after.text)):
		after = sideOf(disk)
	case r.after.known:
		after = sideOf(style.encode(r.after.text)) // somebody has written to it since
	default:
		after = record.Side{Present: true}
	}
	after.Perm = 0o644
	if info != nil {
		after.Perm = info.Mode().Perm()
	}
	switch {
	case r.before.known && !r.before.present:
		return record.Side{}, after
	case known != nil && (!r.before.known || r.found(known)):
		before = *known
	case r.before.known:
		before = sideOf(style.encode(r.before.text))
		before.Perm = after.Perm
	default:
		return record.Side{Present: true, Perm: after.Perm}, after
	}
	if known != nil && known.Present && before.SHA256 == known.SHA256 {
		// An edit keeps the mode: when it is another one now, somebody has changed it.
		before.Perm, after.Perm = known.Perm, known.Perm
	}
	return before, after
}

// found reports whether a side is what the edit found, by its text.
func (r *reported) found(side *record.Side) bool {
	return side.Content != nil && r.before.present && plainText(side.Content) == plainForm(r.before.text)
}

// style returns how the file writes text: an edit does not change it, and a new file is
// as the model wrote it. What was known of the file tells, when it is one of the sides;
// else the file as it is now.
func (r *reported) style(known *record.Side, disk []byte) style {
	if r.before.known && !r.before.present {
		return style{}
	}
	if known != nil && r.found(known) {
		return styleOf(known.Content)
	}
	if known != nil && known.Present {
		for _, s := range styles {
			for _, side := range []reportedText{r.before, r.after} {
				if side.present && sideOf(s.encode(side.text)).SHA256 == known.SHA256 {
					return s
				}
			}
		}
	}
	return styleOf(disk)
}

// onDisk returns the file as it is now, nil when it cannot be read.
func (r *reported) onDisk() ([]byte, fs.FileInfo) {
	info, err := os.Lstat(r.path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	content, err := regular.ReadFile(r.path, maxEdited)
	if err != nil {
		return nil, info
	}
	return content, info
}

func sideOf(content []byte) record.Side {
	sum := sha256.Sum256(content)
	return record.Side{Present: true, Size: int64(len(content)), SHA256: hex.EncodeToString(sum[:]), Content: content}
}

// style is how a file writes text.
type style struct{ crlf, mark, utf16 bool }

// styles are those without a file to look at.
var styles = []style{{}, {crlf: true}, {mark: true}, {mark: true, crlf: true}, {utf16: true, mark: true}, {utf16: true, mark: true, crlf: true}}

const (
	utf8Mark  = "\xef\xbb\xbf"
	utf16Mark = "\xff\xfe" // little endian, the one that Claude Code reads
)

func styleOf(content []byte) style {
	s := style{mark: bytes.HasPrefix(content, []byte(utf8Mark))}
	if bytes.HasPrefix(content, []byte(utf16Mark)) {
		s.utf16, s.mark = true, true
		s.crlf = strings.Contains(decodeUTF16(content), "\r\n")
		return s
	}
	s.crlf = bytes.Contains(content, []byte("\r\n"))
	return s
}

func (s style) encode(text string) []byte {
	if s == (style{}) {
		return []byte(text)
	}
	text = strings.TrimPrefix(text, utf8Mark)
	if s.crlf {
		text = strings.ReplaceAll(plainLines(text), "\n", "\r\n")
	}
	switch {
	case s.utf16:
		b := []byte(utf16Mark)
		for _, unit := range utf16.Encode([]rune(text)) {
			b = append(b, byte(unit), byte(unit>>8))
		}
		return b
	case s.mark:
		return append([]byte(utf8Mark), text...)
	}
	return []byte(text)
}

// plainText returns the text of a file in a form that can be compared with that of one
// of the runtime's texts.
func plainText(content []byte) string {
	if bytes.HasPrefix(content, []byte(utf16Mark)) {
		return plainForm(decodeUTF16(content))
	}
	return plainForm(string(content))
}

// plainForm returns a text without what the runtime's reading of a file loses: the form
// of its line ends, and bytes that are not UTF-8, each run of which is U+FFFD.
func plainForm(text string) string {
	text = strings.ToValidUTF8(plainLines(text), replacement)
	for strings.Contains(text, replacement+replacement) {
		text = strings.ReplaceAll(text, replacement+replacement, replacement)
	}
	return text
}

const replacement = "\uFFFD"

func plainLines(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, utf8Mark), "\r\n", "\n")
}

func decodeUTF16(content []byte) string {
	content = content[len(utf16Mark):]
	units := make([]uint16, len(content)/2)
	for i := range units {
		units[i] = uint16(content[2*i]) | uint16(content[2*i+1])<<8
	}
	return string(utf16.Decode(units))
}
