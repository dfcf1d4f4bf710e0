package policy

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/claudewatch/claudewatch/internal/suggest"
	"gopkg.in/yaml.v3"
)

// MaxFileSize is the largest rule file Load reads, in bytes. Rule files are
// written by hand; one of this size is a mistake or an attack on the hook's time.
const MaxFileSize = 4 << 20

// Codes of the diagnostics that Load makes. Those of the later steps stand there.
const (
	codeRead      = "read"      // the file could not be read or is too large
	codeYAML      = "yaml"      // not YAML, or more than one document
	codeType      = "type"      // a value of the wrong type
	codeKey       = "key"       // an unknown or repeated key
	codeName      = "name"      // a missing, repeated or unusable name
	codeReason    = "reason"    // neither reason nor message
	codePattern   = "pattern"   // neither pattern nor when
	codeTarget    = "target"    // an unknown target
	codeExemption = "exemption" // an exemption where none may stand
	codeExtension = "extension" // an extension without its dot
	codeTest      = "test"      // an entry of tests: that cannot be run
)

// Load reads one rule file. It never fails: what cannot be used is left out of
// the RuleSet and reported, a Fault when it must deny, else an Error or Warning.
// It reads regexes and CEL as text; Compile judges them.
func Load(path string, text []byte) (set *RuleSet, diagnostics []Diagnostic) {
	l := &loader{set: &RuleSet{Path: path, Name: baseName(path), NamePosition: Position{1, 1}, DefaultOn: true}}
	defer func() {
		// yaml.v3 has panicked on malformed input before. A panic must not become
		// a hook that lets every call through.
		if r := recover(); r != nil {
			l.set.Rules, l.set.Variables, l.set.Tests = nil, nil, nil
			set, diagnostics = l.set, append(l.diagnostics, Diagnostic{
				Path: path, Position: Position{1, 1}, Width: 1, Severity: Fault, Code: codeYAML,
				Message: fmt.Sprintf("the file cannot be read: %v", r),
			})
		}
	}()
	l.load(path, text)
	return l.set, l.diagnostics
}

// baseName returns a rule file's name without its directory and ending.
func baseName(path string) string {
	base := filepath.Base(path)
	for _, ending := range []string{".yml", ".yaml"} {
		if name := strings.TrimSuffix(base, ending); name != base && name != "" {
			return name
		}
	}
	return base
}

// loader fills one RuleSet and collects what is to be said about it.
type loader struct {
	set         *RuleSet
	source      *source
	diagnostics []Diagnostic
	merges      int // mappings that merge keys have added
	findings    int // findings so far, those that are not kept included
	faults      int // the faults among them
	errors      int // the faults and errors among them
}

func (l *loader) load(path string, text []byte) {
	l.source = newSource(path, "")
	l.set.source = l.source
	if len(text) > MaxFileSize {
		l.report(Fault, codeRead, Position{1, 1}, 1, fmt.Sprintf("the file has %d bytes, more than the %d a rule file may have", len(text), MaxFileSize))
		return
	}
	text = trimByteOrderMark(text)
	if !utf8.Valid(text) {
		valid := validPrefix(text)
		l.source = newSource(path, strings.ToValidUTF8(string(text), "\uFFFD"))
		l.set.source = l.source
		l.report(Fault, codeYAML, l.source.positionAt(runeCount(string(valid))), 1, "the file is not UTF-8: save it in that encoding")
		return
	}
	l.source = newSource(path, string(text))
	l.set.source = l.source
	root := l.parse(string(text))
	if root == nil {
		return
	}
	l.ruleSet(root)
}

// validPrefix returns the longest prefix that is UTF-8.
func validPrefix(text []byte) []byte {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size <= 1 {
			return text[:i]
		}
		i += size
	}
	return text
}

// parse returns the root of the file's only document, nil after a report.
func (l *loader) parse(text string) *yaml.Node {
	if d, bad := l.forbiddenCharacter(text); bad {
		l.diagnostics = append(l.diagnostics, d)
		return nil
	}
	decoder := yaml.NewDecoder(strings.NewReader(text))
	var document yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		l.report(Fault, codeYAML, Position{1, 1}, 1, "the file is empty: a rule set has a name and rules")
		return nil
	case err != nil:
		l.diagnostics = append(l.diagnostics, l.yamlError(err))
		return nil
	}
	var second yaml.Node
	switch err := decoder.Decode(&second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		l.diagnostics = append(l.diagnostics, l.yamlError(err))
		return nil
	default:
		l.report(Fault, codeYAML, l.source.shown(second.Line, second.Column), 1, "a second document: a rule file holds one, put the other in a file of its own")
		return nil
	}
	if len(document.Content) == 0 {
		l.report(Fault, codeYAML, Position{1, 1}, 1, "the file is empty: a rule set has a name and rules")
		return nil
	}
	return document.Content[0]
}

// maxFindings is how many findings about one file are kept: nobody reads more, and
// a file made of mistakes must not fill the memory with them.
const maxFindings = 200

// report adds a finding. The first fault is kept in any case.
func (l *loader) report(severity Severity, code string, at Position, width int, message string) {
	l.findings++
	if severity == Fault {
		l.faults++
	}
	if severity != Warning {
		l.errors++
	}
	if len(l.diagnostics) >= maxFindings && (severity != Fault || l.faults > 1) {
		return
	}
	l.diagnostics = append(l.diagnostics, l.source.diagnostic(severity, code, at, width, message))
}

// reportNode adds a finding about a node.
func (l *loader) reportNode(severity Severity, code string, n *yaml.Node, message string) {
	width := 1
	if n.Kind == yaml.ScalarNode && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 && !strings.Contains(n.Value, "\n") {
		width = runeCount(n.Value)
		if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
			width += 2
		}
	}
	l.report(severity, code, l.source.shown(n.Line, n.Column), width, message)
}

// reportType says that a node is not of the type its key asks for.
func (l *loader) reportType(severity Severity, n *yaml.Node, what, want string) {
	message := fmt.Sprintf("%s must be %s, not %s", what, want, kindName(n))
	if n.Kind == yaml.ScalarNode && want == "a string" {
		message += ": put it in quotes"
	}
	l.reportNode(severity, codeType, n, message)
}

// kindName names a node's type in the words of YAML.
func kindName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	switch n.ShortTag() {
	case "!!str":
		return "a string"
	case "!!int", "!!float":
		return "a number"
	case "!!bool":
		return "a boolean"
	case "!!null":
		return "empty"
	case "!!timestamp":
		return "a date"
	}
	return "of type " + n.ShortTag()
}

// resolve follows an alias to the node it stands for.
func resolve(n *yaml.Node) *yaml.Node {
	for i := 0; i < 16 && n.Kind == yaml.AliasNode && n.Alias != nil; i++ {
		n = n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
}

func isString(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str"
}

// entry is one key of a mapping with its value, aliases followed.
type entry struct {
	name       string
	key, value *yaml.Node
}

// mapping returns the entries of a mapping in order, with merge keys (<<) applied.
// Known keys without a value are left out; with no known keys given, all are known.
// A node that is no mapping, a key that is no string and a repeated key are
// reported; ok is false after the first.
func (l *loader) mapping(n *yaml.Node, what string, severity Severity, known ...string) (entries []entry, ok bool) {
	n = resolve(n)
	if n.Kind != yaml.MappingNode {
		l.reportType(severity, n, what, "a mapping")
		return nil, false
	}
	seen := make(map[string]int)
	l.collect(n, what, severity, &entries, seen, 0)
	kept := entries[:0]
	for _, e := range entries {
		if !isNull(e.value) || len(known) > 0 && !slices.Contains(known, e.name) {
			kept = append(kept, e)
		}
	}
	return kept, true
}

// maxMergeDepth bounds merge keys that merge mappings with merge keys, and those
// that contain themselves; maxMerges bounds how many mappings a file merges.
const (
	maxMergeDepth = 8
	maxMerges     = 10_000
)

func (l *loader) collect(n *yaml.Node, what string, severity Severity, entries *[]entry, seen map[string]int, depth int) {
	var merges []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := resolve(n.Content[i]), resolve(n.Content[i+1])
		switch {
		case key.Kind == yaml.ScalarNode && key.ShortTag() == "!!merge":
			merges = append(merges, value)
			continue
		case key.Kind != yaml.ScalarNode:
			l.reportType(severity, key, "a key of "+what, "a string")
			continue
		}
		if _, repeated := seen[key.Value]; repeated {
			if depth == 0 {
				l.reportNode(severity, codeKey, key, fmt.Sprintf("'%s' stands twice in %s: only one can count", key.Value, what))
			}
			continue
		}
		seen[key.Value] = len(*entries)
		*entries = append(*entries, entry{key.Value, key, value})
	}
	for _, m := range merges {
		l.merge(m, what, severity, entries, seen, depth)
	}
}

// merge adds the entries of a merge key's mapping, or list of mappings, that are
// not there yet.
func (l *loader) merge(n *yaml.Node, what string, severity Severity, entries *[]entry, seen map[string]int, depth int) {
	switch {
	case depth >= maxMergeDepth || l.merges >= maxMerges:
		if l.merges > maxMerges {
			return // reported
		}
		l.merges = maxMerges + 1
		l.reportNode(severity, codeYAML, n, "there are too many merge keys, or merge keys inside merge keys")
	case n.Kind == yaml.MappingNode:
		l.merges++
		l.collect(n, what, severity, entries, seen, depth+1)
	case n.Kind == yaml.SequenceNode:
		for _, c := range n.Content {
			l.merge(resolve(c), what, severity, entries, seen, depth+1)
		}
	default:
		l.reportType(severity, n, "the value of <<", "a mapping or a list of mappings")
	}
}

// unknownKey reports a key that means nothing where it stands.
func (l *loader) unknownKey(severity Severity, e entry, where string, known []string) {
	hint := suggest.Hint(e.name, known)
	if hint == "" {
		hint = keyOfOthers(e.name, known)
	}
	l.reportNode(severity, codeKey, e.key, fmt.Sprintf("unknown key '%s' in %s%s", e.name, where, hint))
}

// keyOfOthers says what stands for a key that other tools have, "" when that is not known.
func keyOfOthers(name string, known []string) string {
	key := ""
	switch name {
	case "condition", "if", "expression", "expr", "match", "matches":
		key = "when"
	case "regex", "regexp", "re":
		key = "pattern"
	case "description", "why", "text":
		key = "reason"
	case "hint", "fix", "instead":
		key = "suggest"
	case "url", "link", "reference", "docs":
		key = "ref"
	case "exclude", "ignore", "allow", "allowlist", "whitelist":
		key = "except"
	case "action", "severity", "decision", "level", "effect", "verdict":
		if slices.Contains(known, "reason") {
			return ": the list that a rule stands in, block or ask, says what it does"
		}
	}
	if !slices.Contains(known, key) {
		return ""
	}
	return " (did you mean '" + key + "'?)"
}

// text returns a string value; ok is false after a report.
func (l *loader) text(e entry, severity Severity) (string, bool) {
	if !isString(e.value) {
		l.reportType(severity, e.value, "'"+e.name+"'", "a string")
		return "", false
	}
	return e.value.Value, true
}

// scalar returns a string value with its places; nil when it is empty or after a report.
func (l *loader) scalar(n *yaml.Node, what string) *Scalar {
	if !isString(n) {
		l.reportType(Fault, n, what, "a string")
		return nil
	}
	if strings.TrimSpace(n.Value) == "" && n.Value == "" {
		return nil
	}
	return newScalar(l.source, n)
}

// scalars returns the values of a list of strings, or of a single string.
func (l *loader) scalars(e entry) []*Scalar {
	what := "'" + e.name + "'"
	nodes := []*yaml.Node{e.value}
	switch {
	case e.value.Kind == yaml.SequenceNode:
		nodes = e.value.Content
		what = "an entry of " + what
	case !isString(e.value):
		l.reportType(Fault, e.value, what, "a list of strings")
		return nil
	}
	var scalars []*Scalar
	for _, n := range nodes {
		n = resolve(n)
		if s := l.scalar(n, what); s != nil {
			scalars = append(scalars, s)
		} else if isString(n) {
			l.reportNode(Fault, codeType, n, what+" is empty")
		}
	}
	return scalars
}
