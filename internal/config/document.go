package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/claudewatch/claudewatch/internal/regular"
	"github.com/claudewatch/claudewatch/internal/suggest"
	"github.com/claudewatch/claudewatch/internal/yamlerror"
	"github.com/claudewatch/claudewatch/policy"
	"gopkg.in/yaml.v3"
)

// maxSettings is the size in bytes up to which a file of settings is read.
const maxSettings = 1 << 20

// Document is a YAML file of settings. What is wrong with an entry is reported at
// its place, and the other entries count.
type Document struct {
	// Path is the file, and what the diagnostics call it.
	Path string
	// Diagnostics are what was wrong with the file; none of them is a Fault.
	Diagnostics []policy.Diagnostic

	lines []string
}

// Load reads the file at Path and hands over the roots of its YAML, as Parse does.
// It reports whether there is a file; one that cannot be read is a diagnostic.
func (d *Document) Load(read func(root *yaml.Node)) (found bool) {
	source, err := regular.ReadFile(d.Path, maxSettings)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !isLink(d.Path):
		return false
	case err != nil:
		d.add(policy.Error, policy.Position{}, 1, codeRead, "the settings cannot be read and the defaults count: "+reason(err))
		return true
	}
	d.Parse(source, read)
	return true
}

// Parse reads the content of the file and hands over the root of its YAML, nil when
// it is empty. When the file as a whole is not YAML its top-level entries are read
// and handed over one by one, so that a slip in one of them does not take back what
// the others say.
func (d *Document) Parse(source []byte, read func(root *yaml.Node)) {
	text := strings.TrimPrefix(strings.ToValidUTF8(string(source), "\uFFFD"), "\uFEFF")
	d.lines = strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if root, err := parse(text, 0); err == nil {
		read(root)
		return
	}
	for _, c := range chunks(d.lines) {
		root, err := parse(c.text, c.line-1)
		if err != nil {
			d.reportYAML(err, c)
			continue
		}
		read(root)
	}
}

// Mapping returns the entries of the mapping at the top of a document, none when it
// is empty or, after a report, something else.
func (d *Document) Mapping(root *yaml.Node, where string) []Entry {
	if root == nil {
		return nil
	}
	root = Resolve(root)
	if IsNull(root) {
		return nil
	}
	if root.Kind != yaml.MappingNode {
		d.Report(root, codeYAML, strings.TrimPrefix(where, "the ")+" must be a mapping of keys to values, not "+Describe(root))
		return nil
	}
	return d.Entries(root, where)
}

// Entry is a key of a mapping with its value, aliases followed.
type Entry struct{ Key, Value *yaml.Node }

// Entries returns the entries of a mapping. A key that is no scalar or stands
// there for the second time is reported and left out.
func (d *Document) Entries(mapping *yaml.Node, where string) []Entry {
	var list []Entry
	seen := make(map[string]bool)
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		key, value := Resolve(mapping.Content[i]), Resolve(mapping.Content[i+1])
		switch {
		case key.Kind != yaml.ScalarNode:
			d.Report(key, CodeKey, fmt.Sprintf("a key of %s must be a string, not %s", where, Describe(key)))
		case seen[key.Value]:
			d.Report(key, CodeKey, fmt.Sprintf("'%s' stands twice in %s: the first counts", key.Value, where))
		default:
			seen[key.Value] = true
			list = append(list, Entry{key, value})
		}
	}
	return list
}

// Choice returns a scalar that is one of the words, "" after a report.
func (d *Document) Choice(key string, value *yaml.Node, words ...string) string {
	word := strings.ToLower(value.Value)
	if value.Kind == yaml.ScalarNode && slices.Contains(words, word) {
		return word
	}
	hint := ""
	if value.Kind == yaml.ScalarNode && len(value.Value) > 2 {
		hint = suggest.Hint(value.Value, words)
	}
	last := len(words) - 1
	d.Report(value, CodeValue, fmt.Sprintf("'%s' must be %s or %s, not %s%s",
		key, strings.Join(words[:last], ", "), words[last], Describe(value), hint))
	return ""
}

// Report adds an Error about a node.
func (d *Document) Report(n *yaml.Node, code, message string) {
	width := 1
	if n.Kind == yaml.ScalarNode && !strings.Contains(n.Value, "\n") {
		width = max(1, utf8.RuneCountInString(n.Value))
	}
	d.add(policy.Error, policy.Position{Line: n.Line, Column: n.Column}, width, code, message)
}

func (d *Document) add(severity policy.Severity, at policy.Position, width int, code, message string) {
	d.Diagnostics = append(d.Diagnostics, d.diagnostic(severity, at, width, code, message))
}

func (d *Document) diagnostic(severity policy.Severity, at policy.Position, width int, code, message string) policy.Diagnostic {
	diagnostic := policy.Diagnostic{
		Path: d.Path, Position: at, Width: width, Severity: severity, Code: code, Message: message,
	}
	if at.Line >= 1 && at.Line <= len(d.lines) {
		diagnostic.SourceLine = d.lines[at.Line-1]
	}
	return diagnostic
}

// reportYAML reports an error of yaml.v3 in a chunk: at its cause where that is
// found, else at the line that stands in its text, "yaml: line 3: …".
func (d *Document) reportYAML(err error, c chunk) {
	if cause, ok := yamlerror.Find(c.text); ok {
		before := string([]rune(c.text)[:cause.Offset])
		at := policy.Position{Line: c.line + strings.Count(before, "\n")}
		at.Column = utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
		d.add(policy.Error, at, cause.Width, codeYAML, notYAML+cause.Message)
		return
	}
	at := policy.Position{Line: c.line, Column: 1}
	line, message := yamlerror.Place(err, c.text)
	if line > 0 {
		// An end that is missing is missed behind the chunk.
		at.Line = max(c.line, min(c.line+line-1, c.line+strings.Count(c.text, "\n")))
	}
	width := 1
	if at.Line >= 1 && at.Line <= len(d.lines) {
		line := d.lines[at.Line-1]
		trimmed := strings.TrimLeft(line, " \t")
		at.Column = utf8.RuneCountInString(line) - utf8.RuneCountInString(trimmed) + 1
		width = max(1, utf8.RuneCountInString(strings.TrimSpace(trimmed)))
	}
	d.add(policy.Error, at, width, codeYAML, notYAML+message)
}

const notYAML = "not YAML, and left out: "

// Resolve follows an alias to the node it stands for.
func Resolve(n *yaml.Node) *yaml.Node {
	for i := 0; i < 16 && n.Kind == yaml.AliasNode && n.Alias != nil; i++ {
		n = n.Alias
	}
	return n
}

// IsNull reports whether a value says nothing.
func IsNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// Describe names a value in a message.
func Describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
		if n.Value == "" || IsNull(n) {
			return "nothing"
		}
		if utf8.RuneCountInString(n.Value) <= 40 && !strings.Contains(n.Value, "\n") {
			return "'" + n.Value + "'"
		}
	}
	return "that value"
}

// parse returns the root of a YAML text, nil when it is empty. skipped is the
// number of lines that stand before the text in its file.
func parse(text string, skipped int) (root *yaml.Node, err error) {
	defer func() {
		// yaml.v3 has panicked on malformed input before.
		if r := recover(); r != nil {
			root, err = nil, fmt.Errorf("yaml: %v", r)
		}
	}()
	var document yaml.Node
	decoder := yaml.NewDecoder(strings.NewReader(text))
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, err
	}
	var second yaml.Node
	if err := decoder.Decode(&second); err == nil {
		return nil, fmt.Errorf("yaml: line %d: a second document: settings are one", max(second.Line, 1))
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(document.Content) == 0 {
		return nil, nil
	}
	shift(&document, skipped)
	return document.Content[0], nil
}

// shift moves the nodes of a document down by a number of lines.
func shift(n *yaml.Node, lines int) {
	if lines == 0 {
		return
	}
	n.Line += lines
	for _, c := range n.Content {
		shift(c, lines)
	}
}

// chunk is a top-level entry of a file with the line it begins at.
type chunk struct {
	line int
	text string
}

// chunks cuts a file before each line that begins a top-level key or document.
func chunks(lines []string) []chunk {
	topLevelKey := regexp.MustCompile(`^["']?[A-Za-z_][^\s:]*["']?\s*:(\s|$)`)
	var list []chunk
	start := 0
	cut := func(end int) {
		// Comments before a key are about what follows.
		last := end
		for last > start && (strings.TrimSpace(lines[last-1]) == "" || strings.HasPrefix(lines[last-1], "#")) {
			last--
		}
		if last > start {
			list = append(list, chunk{start + 1, strings.Join(lines[start:last], "\n")})
		}
		start = end
	}
	for i, line := range lines {
		if topLevelKey.MatchString(line) {
			cut(i)
		} else if strings.HasPrefix(line, "---") || strings.HasPrefix(line, "...") {
			cut(i)
			start = i + 1
		}
	}
	cut(len(lines))
	return list
}
