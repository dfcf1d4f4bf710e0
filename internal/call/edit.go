package call

import (
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// maxWritten bounds the size in bytes of an edited file: replacing every "a" by
// a megabyte must not take the machine's memory.
const maxWritten = 4 * MaxFile

// maxReplaced bounds the bytes that all edits of one call may copy.
const maxReplaced = 64 * MaxFile

// written is what a file tool leaves behind.
type written struct {
	// content is the file's text after the call.
	content string
	// code is what the text holds in other languages than the file's own: the
	// cells of a notebook.
	code []code
}

type code struct{ content, extension string }

// edit is one replacement.
type edit struct {
	old, new string
	all      bool
}

// written returns what the call leaves in the file at path.
func (c Call) written(path string) written {
	if c.Tool == "NotebookEdit" {
		return c.writtenNotebook(path)
	}
	var content string
	if c.Tool == "Write" {
		content = c.text("content")
	} else {
		content = c.edited(path)
	}
	w := written{content: content}
	if strings.EqualFold(filepath.Ext(path), notebookExtension) {
		if n, err := parseNotebook(content); err == nil {
			w.code = n.code()
		}
	}
	return w
}

// edited returns the file at path with the edits of the call, which a call that is over
// has made; or the new strings alone when the file cannot be read.
func (c Call) edited(path string) string {
	edits := c.edits()
	content, err := "", errNoPath
	if path != "" {
		content, err = c.readFile(path)
	}
	if err != nil {
		return newStrings(edits)
	}
	if c.happened() {
		return content
	}
	return applyEdits(content, edits)
}

// edits returns the edits of an Edit or a MultiEdit in order. What is not as
// Claude Code documents it is read as empty.
func (c Call) edits() []edit {
	if c.Tool == "Edit" {
		return []edit{editOf(c.Args)}
	}
	list, _ := c.Args["edits"].([]any)
	edits := make([]edit, 0, len(list))
	for _, e := range list {
		if object, ok := e.(map[string]any); ok {
			edits = append(edits, editOf(object))
		}
	}
	return edits
}

func editOf(object map[string]any) edit {
	var e edit
	e.old, _ = object["old_string"].(string)
	e.new, _ = object["new_string"].(string)
	switch all := object["replace_all"].(type) {
	case bool:
		e.all = all
	case string:
		e.all = strings.EqualFold(all, "true")
	}
	return e
}

// newStrings joins what the edits put in, one after the other on lines of their own.
func newStrings(edits []edit) string {
	texts := make([]string, 0, len(edits))
	for _, e := range edits {
		if e.new != "" {
			texts = append(texts, e.new)
		}
	}
	return strings.Join(texts, "\n")
}

// applyEdits returns content after the edits, each on what the one before left.
//
// An edit that would fail, because its old string is empty or not there, still
// has its new string looked at: it stands on lines of its own at the end. So a
// difference between this reading and the tool's (typographic quotes, a file that
// changes in between) never hides what is put in. The same goes for edits whose
// result would be too large to build.
//
// In a file whose lines end in CRLF the strings' line ends are CRLF too, as the
// tool writes them.
func applyEdits(content string, edits []edit) string {
	var apart []edit
	work := 0
	crlf := endsInCRLF(content)
	for _, e := range edits {
		if crlf {
			e.old, e.new = toCRLF(e.old), toCRLF(e.new)
		}
		if content == "" && e.old == "" {
			content = e.new
			continue
		}
		work += len(content)
		edited, ok := "", false
		if work <= maxReplaced {
			edited, ok = e.apply(content)
		}
		if ok {
			content = edited
		} else {
			apart = append(apart, e)
		}
	}
	if rest := newStrings(apart); rest != "" {
		if content != "" && !strings.HasSuffix(content, "\n") {
			content += "\n"
		}
		content += rest
	}
	return content
}

// apply replaces the first occurrence of the old string, or all. It reports
// false when there is none or when the result would be larger than maxWritten.
func (e edit) apply(content string) (string, bool) {
	if e.old == "" {
		return "", false
	}
	count := 1
	if e.all {
		count = strings.Count(content, e.old)
	}
	if growth := len(e.new) - len(e.old); growth > 0 && count > (maxWritten-len(content))/growth {
		return "", false
	}
	at := strings.Index(content, e.old)
	if at < 0 {
		return "", false
	}
	if e.all {
		return strings.ReplaceAll(content, e.old, e.new), true
	}
	return content[:at] + e.new + content[at+len(e.old):], true
}

// endsInCRLF reports whether most lines at the start of a text end in CRLF.
func endsInCRLF(text string) bool {
	start := text[:min(len(text), 4096)]
	crlf := strings.Count(start, "\r\n")
	return crlf > strings.Count(start, "\n")-crlf
}

func toCRLF(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
}

// toUTF8 returns b as text, each byte that is not UTF-8 replaced by U+FFFD.
func toUTF8(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	// Map gives U+FFFD for such a byte and writes it out.
	return strings.Map(func(r rune) rune { return r }, string(b))
}
