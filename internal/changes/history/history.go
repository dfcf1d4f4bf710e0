// Package history reads the change records back: which calls changed what, who wrote a
// line, and what a file held before. It undoes a call and restores a file from an
// earlier time, wholly or not at all.
//
// What it knows comes from the records. Bytes that they do not hold are taken from
// where they may still be: the kept bytes of the recorder, and git. Nothing is believed
// that does not have the SHA-256 of the record.
package history

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/claudewatch/claudewatch/internal/changes/record"
)

// Filter says which records are wanted. A field that is empty asks for nothing.
type Filter struct {
	// Session is the id of a session.
	Session string
	// Tools are tool-use ids or ids of records.
	Tools []string
	// Paths are patterns for the paths of changes, with forward slashes: of the path from
	// the root, or when one is absolute of the whole path. * stands for a part of a name
	// and ** for any directories; a pattern without a slash is about names in any
	// directory, and one that a directory matches is about everything below it. A change
	// is wanted that one of them matches.
	Paths []string
	// Files are absolute paths of files, and of directories whose files are meant.
	Files []string
	// Roots are absolute paths: of the root, or of a directory in it. One must fit.
	Roots []string
	// Since is the time before which records are left out.
	Since time.Time
	// Lean leaves the hunks and the policy out, for those who only count.
	Lean bool
}

// History holds records in the order of their times.
type History struct {
	// Data is the directory of the recorder.
	Data string
	// Own are directories besides Data that are never written into.
	Own []string
	// Records are those that were asked for, the oldest first. Of the changes of each
	// only those are there that the filter lets through.
	Records []*record.Record
	// begins is from when on something is known of a root, by its path, where that was
	// asked for.
	begins map[string]time.Time
	// shared is what the records that were read say of others.
	shared sharers
	// Problems are the lines and files that could not be read; of lines only those that
	// the filter did not leave out unread.
	Problems []error
}

// Size returns how many bytes Load would read.
func Size(data string, f Filter) int64 {
	files, _ := record.Files(data)
	var size int64
	for _, file := range files {
		if f.reads(file) {
			size += file.Size
		}
	}
	return size
}

// Load reads the records in a directory of the recorder. read, which may be nil, is
// told how many bytes more have been read. An error is about the filter or the
// directory; what is wrong with single files and lines is in Problems.
func Load(data string, f Filter, read func(bytes int64)) (*History, error) {
	for _, pattern := range f.Paths {
		if !doublestar.ValidatePattern(pattern) {
			return nil, fmt.Errorf("the pattern %q is not well formed: look for a bracket or brace that is not closed", pattern)
		}
	}
	h := &History{Data: data, shared: make(sharers)}
	keep, files := f.keeps(), newPathSet(f.Files)
	outputs, err := record.Files(data)
	if err != nil {
		h.Problems = append(h.Problems, err)
	}
	for _, file := range outputs {
		if !f.reads(file) {
			continue
		}
		for r, err := range record.ReadWhere(file.Path, keep) {
			switch {
			case errors.Is(err, record.ErrUnfinished): // its writer is at work
			case err != nil:
				h.Problems = append(h.Problems, err)
			default:
				h.shared.add(r)
				if f.takes(r, files) {
					h.Records = append(h.Records, r)
				}
			}
		}
		if read != nil {
			read(file.Size)
		}
	}
	h.shared.tell(h.Records)
	h.sort()
	return h, nil
}

func (h *History) sort() {
	slices.SortStableFunc(h.Records, func(a, b *record.Record) int {
		return cmp.Or(a.Time.Compare(b.Time.Time), cmp.Compare(a.ID, b.ID))
	})
}

// LoadCall reads what must be known to undo a call: its own records, those of a tool-use
// id or of the id of a record, and all others of the files that it changed. Without a
// session those of all sessions count.
func LoadCall(data, session, id string, read func(bytes int64)) (h *History, own []*record.Record, err error) {
	call, err := Load(data, Filter{Session: session, Tools: []string{id}}, read)
	if err != nil {
		return nil, nil, err
	}
	h = call
	if files := call.Files(); len(files) > 0 {
		h, err = Load(data, Filter{Files: files}, read)
		if err != nil {
			return nil, nil, err
		}
		type key struct{ session, stream, id string }
		isOwn := make(map[key]bool)
		for _, r := range call.Records {
			isOwn[key{r.Session, r.Stream, r.ID}] = true
		}
		h.Records = slices.DeleteFunc(h.Records, func(r *record.Record) bool { return isOwn[key{r.Session, r.Stream, r.ID}] })
		h.shared.tell(call.Records)
		h.Records = append(h.Records, call.Records...)
		h.sort()
	}
	return h, call.Records, nil
}

// LoadFile reads the records of a file, and of the files that it was before it was
// renamed.
func LoadFile(data, file string, read func(bytes int64)) (*History, error) {
	files := []string{file}
	for {
		h, err := Load(data, Filter{Files: files}, read)
		if err != nil {
			return nil, err
		}
		known := len(files)
		for _, r := range h.Records {
			for _, c := range r.Changes {
				if from := Absolute(r, c.XRenamedFrom); c.XRenamedFrom != "" && !slices.Contains(files, from) {
					files = append(files, from)
				}
			}
		}
		if len(files) == known || known > maxNames {
			return h, nil
		}
	}
}

// maxNames bounds how many names of a file are followed.
const maxNames = 16

// reads reports whether a file may hold records that are wanted.
func (f Filter) reads(file record.File) bool {
	if f.Session != "" && len(f.Session) < 100 && file.Session != f.Session {
		return false
	}
	// A record is written after its time.
	return f.Since.IsZero() || !file.ModTime.Before(f.Since)
}

// keeps returns a cheap test of whether a line may be a record that is wanted, nil when
// there is none: reading a line costs far more than looking for a word in it.
func (f Filter) keeps() func(line []byte) bool {
	tools, ok := needles(f.Tools)
	if !ok {
		tools = nil
	}
	var names []string
	for _, file := range f.Files {
		names = append(names, filepath.Base(file))
	}
	files, ok := needles(names)
	if !ok {
		files = nil
	}
	if tools == nil && files == nil && f.Since.IsZero() {
		return nil
	}
	return func(line []byte) bool {
		return hasAny(line, tools) && hasAny(line, files) && (f.Since.IsZero() || !isOlder(line, f.Since))
	}
}

// maxNeedles is how many words a line is looked through for. To look for more of them
// costs more than to read the line.
const maxNeedles = 64

// needles returns for each text a part that stands in the line as it is, whatever its
// writer escapes. It is not ok when one has no such part, or when there are too many.
func needles(texts []string) (list [][]byte, ok bool) {
	if len(texts) > maxNeedles {
		return nil, false
	}
	for _, text := range texts {
		longest := ""
		for _, part := range strings.FieldsFunc(text, func(r rune) bool { return !isPlain(r) }) {
			if len(part) > len(longest) {
				longest = part
			}
		}
		if longest == "" {
			return nil, false
		}
		list = append(list, []byte(longest))
	}
	return list, true
}

func isPlain(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.'
}

// hasAny reports whether a line has one of the needles in it; true when there are none.
func hasAny(line []byte, needles [][]byte) bool {
	return len(needles) == 0 || slices.ContainsFunc(needles, func(needle []byte) bool { return bytes.Contains(line, needle) })
}

// isOlder reports whether a line says that its time is before another. The first "time"
// of a line is the record's: quotes within texts are escaped.
func isOlder(line []byte, since time.Time) bool {
	_, rest, ok := bytes.Cut(line, []byte(`"time":"`))
	if !ok {
		return false
	}
	text, _, ok := bytes.Cut(rest, []byte(`"`))
	if !ok {
		return false
	}
	t, err := time.Parse(time.RFC3339Nano, string(text))
	return err == nil && t.Before(since)
}

// takes reports whether a record is wanted, and takes the changes off it that are not.
// files are those of the filter.
func (f Filter) takes(r *record.Record, files pathSet) bool {
	switch {
	case f.Session != "" && r.Session != f.Session,
		len(f.Tools) > 0 && !slices.Contains(f.Tools, r.Tool) && !slices.Contains(f.Tools, r.ID),
		!f.Since.IsZero() && r.Time.Before(f.Since):
		return false
	}
	fits := func(root string) bool { return isWithin(root, r.Root.Path) || isWithin(r.Root.Path, root) }
	if len(f.Roots) > 0 && (r.Root == nil || !slices.ContainsFunc(f.Roots, fits)) {
		return false
	}
	if len(f.Paths) > 0 || len(files) > 0 {
		r.Changes = slices.DeleteFunc(r.Changes, func(c record.Change) bool {
			absolute := Absolute(r, c.Path)
			asked := func(pattern string) bool { return matches(pattern, c.Path, filepath.ToSlash(absolute)) }
			return len(f.Paths) > 0 && !slices.ContainsFunc(f.Paths, asked) || len(files) > 0 && !files.holds(absolute)
		})
		if len(r.Changes) == 0 {
			return false
		}
	}
	if f.Lean {
		r.Policy = nil
		for i := range r.Changes {
			r.Changes[i].Hunks = nil
		}
	}
	return true
}

// matches reports whether a pattern is about a path.
func matches(pattern, relative, absolute string) bool {
	name := relative
	if strings.HasPrefix(pattern, "/") || filepath.IsAbs(filepath.FromSlash(pattern)) {
		name = absolute
	}
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
	for ; name != "." && name != "/" && name != ""; name = path.Dir(name) {
		if ok, _ := doublestar.Match(pattern, name); ok {
			return true
		}
		if ok, _ := doublestar.Match(pattern, path.Base(name)); ok && !strings.Contains(pattern, "/") {
			return true
		}
		if name == path.Dir(name) {
			break
		}
	}
	return false
}

// isWithin reports whether an absolute path is the directory or below it.
func isWithin(path, directory string) bool {
	relative, err := filepath.Rel(directory, path)
	return err == nil && relative != ".." && !strings.HasPrefix(relative, ".."+string(filepath.Separator))
}

// pathSet holds absolute paths of files and directories.
type pathSet map[string]bool

func newPathSet(paths []string) pathSet {
	set := make(pathSet, len(paths))
	for _, path := range paths {
		set[pathKey(path)] = true
	}
	return set
}

// holds reports whether an absolute path is one of the set or below one, in a time that
// does not depend on how many there are.
func (s pathSet) holds(path string) bool {
	for path = pathKey(path); ; path = filepath.Dir(path) {
		if s[path] {
			return true
		}
		if path == filepath.Dir(path) {
			return false
		}
	}
}

// pathKey returns what is the same for all spellings of a path.
func pathKey(path string) string {
	if path = filepath.Clean(path); runtime.GOOS == "windows" {
		return strings.ToLower(path)
	}
	return path
}

// Absolute returns the absolute path of a change of a record.
func Absolute(r *record.Record, path string) string {
	if r.Root == nil {
		return filepath.FromSlash(path)
	}
	return filepath.Join(r.Root.Path, filepath.FromSlash(path))
}

// Step is one change of a file, in its record.
type Step struct {
	Record *record.Record
	Change *record.Change
}

// Steps returns the changes of the file at an absolute path, the oldest first.
func (h *History) Steps(file string) []Step {
	var steps []Step
	for _, r := range h.Records {
		for i := range r.Changes {
			if c := &r.Changes[i]; Absolute(r, c.Path) == file {
				steps = append(steps, Step{r, c})
			}
		}
	}
	return steps
}

// stepsByFile returns the changes of each file by its absolute path, the oldest first.
func (h *History) stepsByFile() map[string][]Step {
	steps := make(map[string][]Step)
	for _, r := range h.Records {
		for i := range r.Changes {
			file := Absolute(r, r.Changes[i].Path)
			steps[file] = append(steps[file], Step{r, &r.Changes[i]})
		}
	}
	return steps
}

// Files returns the absolute paths of the files that the records have changes of, sorted.
func (h *History) Files() []string {
	var files []string
	for _, r := range h.Records {
		for _, c := range r.Changes {
			files = append(files, Absolute(r, c.Path))
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}
