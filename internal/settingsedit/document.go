package settingsedit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/policy"
	"gopkg.in/yaml.v3"
)

type node = *yaml.Node

// document is a settings file with the changes that are to be made to it.
type document struct {
	path string
	text []byte // as it is on disk
	root node   // nil when the document is empty
	// lines are the offsets at which the lines begin, as YAML counts them.
	lines   []int
	splices []splice
}

// splice replaces the bytes from start to end.
type splice struct {
	start, end int
	text       string
}

// InvalidError is the error of a file that is no YAML, or no settings.
type InvalidError struct{ policy.Diagnostic }

// Error implements error.
func (e *InvalidError) Error() string {
	return e.Diagnostic.String() + "; mend that first. Nothing was changed"
}

// open parses a file. A file that cannot be read as a whole is an *InvalidError.
func open(path string, content []byte) (*document, error) {
	root, problem := config.Whole(path, content)
	if problem != nil {
		return nil, &InvalidError{*problem}
	}
	d := &document{path: path, text: content, root: root, lines: lineStarts(content)}
	if _, ok := sizeOf(root, nil, maxExpanded); !ok {
		return nil, fmt.Errorf("%s: its aliases stand for themselves, or for more than anybody can mean; edit the file by hand. Nothing was changed", path)
	}
	return d, nil
}

// maxExpanded is how many nodes a file may have once its aliases are written out.
const maxExpanded = 100_000

// sizeOf counts the nodes of a value with its aliases written out. ok is false when
// there are more than limit, or when one of the anchors, those around the value, is
// within itself.
func sizeOf(n node, around []node, limit int) (size int, ok bool) {
	if n == nil {
		return 0, true
	}
	if n.Kind == yaml.AliasNode {
		if slices.Contains(around, n.Alias) {
			return 0, false
		}
		return sizeOf(n.Alias, around, limit)
	}
	if n.Anchor != "" {
		around = append(slices.Clip(around), n)
	}
	size = 1
	for _, c := range n.Content {
		more, ok := sizeOf(c, around, limit-size)
		if size += more; !ok || size > limit {
			return size, false
		}
	}
	return size, true
}

const byteOrderMark = "\uFEFF"

// lineStarts returns where lines begin. YAML 1.1, which yaml.v3 reads, has more line
// breaks than \n.
func lineStarts(content []byte) []int {
	first := 0
	if bytes.HasPrefix(content, []byte(byteOrderMark)) {
		first = len(byteOrderMark)
	}
	starts := []int{first}
	for at := first; at < len(content); {
		n := breakLength(content[at:])
		if n > 0 {
			at += n
			starts = append(starts, at)
			continue
		}
		_, size := utf8.DecodeRune(content[at:])
		at += size
	}
	return starts
}

var lineBreaks = []string{"\r\n", "\n", "\r", "\u0085", "\u2028", "\u2029"}

// breakLength is the length of the line break that text begins with, 0 for none.
func breakLength(text []byte) int {
	for _, lineBreak := range lineBreaks {
		if bytes.HasPrefix(text, []byte(lineBreak)) {
			return len(lineBreak)
		}
	}
	return 0
}

// offset is where a place is in the text: lines and columns count from 1, columns in
// characters.
func (d *document) offset(line, column int) int {
	if line > len(d.lines) {
		return len(d.text)
	}
	at := d.lines[max(line, 1)-1]
	for range column - 1 {
		if at >= len(d.text) {
			break
		}
		_, size := utf8.DecodeRune(d.text[at:])
		at += size
	}
	return at
}

// lineOf returns the number of the line that an offset is on, from 0.
func (d *document) lineOf(offset int) int {
	line, found := slices.BinarySearch(d.lines, offset)
	if !found {
		line--
	}
	return max(line, 0)
}

// lineStart and lineEnd bound the line of an offset, without its line break.
func (d *document) lineStart(offset int) int { return d.lines[d.lineOf(offset)] }

func (d *document) lineEnd(offset int) int {
	end := d.nextLine(offset)
	if end == len(d.text) && !d.endsLine() {
		return end
	}
	for _, lineBreak := range lineBreaks {
		if bytes.HasSuffix(d.text[d.lineStart(offset):end], []byte(lineBreak)) {
			return end - len(lineBreak)
		}
	}
	return end
}

// nextLine is where the line behind that of an offset begins.
func (d *document) nextLine(offset int) int {
	if line := d.lineOf(offset) + 1; line < len(d.lines) {
		return d.lines[line]
	}
	return len(d.text)
}

// endsLine reports whether the text ends with a line break.
func (d *document) endsLine() bool {
	return len(d.lines) > 1 && d.lines[len(d.lines)-1] == len(d.text)
}

// before is what stands before an offset on its line, and after what stands from it
// to the end of the line.
func (d *document) before(offset int) string { return string(d.text[d.lineStart(offset):offset]) }
func (d *document) after(offset int) string  { return string(d.text[offset:d.lineEnd(offset)]) }

// newline is the line break of the file.
func (d *document) newline() string {
	if len(d.lines) > 1 {
		n := d.lines[1]
		for _, lineBreak := range []string{"\r\n", "\n", "\r"} {
			if bytes.HasSuffix(d.text[:n], []byte(lineBreak)) {
				return lineBreak
			}
		}
	}
	return "\n"
}

func isBlank(text string) bool { return strings.Trim(text, " \t") == "" }

// isComment reports whether there is nothing in text, a line or what is left of it,
// but a comment.
func isComment(text string) bool { return strings.HasPrefix(strings.TrimLeft(text, " \t"), "#") }

// replace, insert and remove note changes; they are made by spliced.
func (d *document) replace(start, end int, text string) {
	d.splices = append(d.splices, splice{start, end, text})
}

func (d *document) insert(at int, text string) { d.replace(at, at, text) }
func (d *document) remove(start, end int)      { d.replace(start, end, "") }

// removeLines takes out the lines from that of start to that of end, with the line
// break of the last of them, or else with that of the line before.
func (d *document) removeLines(start, end int) {
	from, to := d.lineStart(start), d.nextLine(end)
	if to == len(d.text) && !d.endsLine() && d.lineOf(from) > 0 {
		from = d.lineEnd(d.lines[d.lineOf(from)-1])
	}
	d.remove(from, to)
}

// insertLine puts a line behind that of an offset.
func (d *document) insertLine(offset int, line string) {
	if next := d.nextLine(offset); next < len(d.text) || d.endsLine() {
		d.insert(next, line+d.newline())
		return
	}
	d.insert(len(d.text), d.newline()+line)
}

// spliced returns the text with the changes, which do not overlap. Of several at one
// place the first noted comes first.
func (d *document) spliced() []byte {
	slices.SortStableFunc(d.splices, func(a, b splice) int { return cmp.Compare(a.start, b.start) })
	var result []byte
	at := 0
	for _, s := range d.splices {
		result = append(result, d.text[at:max(at, s.start)]...)
		result = append(result, s.text...)
		at = max(at, s.end)
	}
	return append(result, d.text[at:]...)
}

// entry is a key of the document with its value, as they are written: aliases are not
// followed.
type entry struct {
	key, value node
	// alone is false when the key stands there again.
	alone bool
}

// entry returns the entry of a key at the top of the document; of several the first
// counts.
func (d *document) entry(key string) (entry, bool) {
	if d.root == nil || d.root.Kind != yaml.MappingNode {
		return entry{}, false
	}
	found := entries(d.root, key)
	if len(found) == 0 {
		return entry{}, false
	}
	found[0].alone = len(found) == 1
	return found[0], true
}

// entries returns the entries of a mapping that have a key.
func entries(mapping node, key string) []entry {
	var found []entry
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if k := config.Resolve(mapping.Content[i]); k.Kind == yaml.ScalarNode && k.Value == key {
			found = append(found, entry{key: mapping.Content[i], value: mapping.Content[i+1]})
		}
	}
	return found
}
