package config

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/claudewatch/claudewatch/internal/suggest"
	"github.com/claudewatch/claudewatch/internal/yamlerror"
	"github.com/claudewatch/claudewatch/policy"
	"gopkg.in/yaml.v3"
)

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

// read takes over the entries of a mapping at the top level.
func (s *Settings) read(root *yaml.Node) {
	if root == nil {
		return
	}
	root = resolve(root)
	if isNull(root) {
		return
	}
	if root.Kind != yaml.MappingNode {
		s.report(root, codeYAML, "settings must be a mapping of keys to values, not "+describe(root))
		return
	}
	for _, e := range s.entries(root, "the settings") {
		s.readKey(e)
	}
}

func (s *Settings) readKey(e entry) {
	names := make([]string, len(settingsKeys))
	for i, key := range settingsKeys {
		names[i] = key.name
		if key.name == e.key.Value {
			if !isNull(e.value) {
				key.read(s, e.value)
			}
			return
		}
	}
	s.report(e.key, codeKey, fmt.Sprintf("unknown key '%s' in the settings%s", e.key.Value, suggest.Hint(e.key.Value, names)))
}

// entry is a key of a mapping with its value, aliases followed.
type entry struct{ key, value *yaml.Node }

// entries returns the entries of a mapping. A key that is no scalar or stands
// there for the second time is reported and left out.
func (s *Settings) entries(mapping *yaml.Node, where string) []entry {
	var list []entry
	seen := make(map[string]bool)
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		key, value := resolve(mapping.Content[i]), resolve(mapping.Content[i+1])
		switch {
		case key.Kind != yaml.ScalarNode:
			s.report(key, codeKey, fmt.Sprintf("a key of %s must be a string, not %s", where, describe(key)))
		case seen[key.Value]:
			s.report(key, codeKey, fmt.Sprintf("'%s' stands twice in %s: the first counts", key.Value, where))
		default:
			seen[key.Value] = true
			list = append(list, entry{key, value})
		}
	}
	return list
}

// names reads a list of set names; a single name is a list of one.
func (s *Settings) names(key string, value *yaml.Node) []Name {
	items := []*yaml.Node{value}
	if value.Kind == yaml.SequenceNode {
		items = value.Content
	}
	var names []Name
	for _, item := range items {
		item = resolve(item)
		if item.Kind != yaml.ScalarNode || isNull(item) || strings.TrimSpace(item.Value) == "" {
			s.report(item, codeValue, fmt.Sprintf("'%s' takes names of sets, not %s", key, describe(item)))
			continue
		}
		names = append(names, Name{policy.Position{Line: item.Line, Column: item.Column}, strings.TrimSpace(item.Value)})
	}
	return names
}

var ruleActions = map[string]policy.Action{"block": policy.Block, "ask": policy.Ask, "off": policy.Off}

func (s *Settings) readRules(value *yaml.Node) {
	if value.Kind != yaml.MappingNode {
		s.report(value, codeValue, "'rules' must be a mapping of SET/RULE to block, ask or off, not "+describe(value))
		return
	}
	for _, e := range s.entries(value, "'rules'") {
		set, rule, ok := strings.Cut(e.key.Value, "/")
		if !ok || set == "" || rule == "" {
			s.report(e.key, codeValue, fmt.Sprintf("'%s' must name a rule as SET/RULE", e.key.Value))
			continue
		}
		action := ruleActions[s.choice(e.key.Value, e.value, "block", "ask", "off")]
		if action == policy.Keep {
			continue
		}
		s.Rules = append(s.Rules, RuleSetting{
			Position: policy.Position{Line: e.key.Line, Column: e.key.Column},
			Set:      set, Rule: rule, Action: action,
		})
	}
}

func (s *Settings) readWrappers(value *yaml.Node) {
	if value.Kind != yaml.MappingNode {
		s.report(value, codeValue, "'wrappers' must be a mapping of a program to its number of operands, not "+describe(value))
		return
	}
	for _, e := range s.entries(value, "'wrappers'") {
		program := e.key.Value
		if program == "" || strings.ContainsAny(program, " \t\n/\\") {
			s.report(e.key, codeValue, fmt.Sprintf("'%s' must be the name of a program, without a directory", program))
			continue
		}
		operands, err := strconv.Atoi(e.value.Value)
		if e.value.Kind != yaml.ScalarNode || err != nil || operands < 0 || operands > maxOperands {
			s.report(e.value, codeValue, fmt.Sprintf("'%s' must be the number of operands that come before the command, 0 to %d, not %s", program, maxOperands, describe(e.value)))
			continue
		}
		if s.Wrappers == nil {
			s.Wrappers = make(map[string]int)
		}
		s.Wrappers[program] = operands
	}
}

// choice returns a scalar that is one of the words, "" after a report.
func (s *Settings) choice(key string, value *yaml.Node, words ...string) string {
	word := strings.ToLower(value.Value)
	if value.Kind == yaml.ScalarNode && slices.Contains(words, word) {
		return word
	}
	hint := ""
	if value.Kind == yaml.ScalarNode && len(value.Value) > 2 {
		hint = suggest.Hint(value.Value, words)
	}
	last := len(words) - 1
	s.report(value, codeValue, fmt.Sprintf("'%s' must be %s or %s, not %s%s",
		key, strings.Join(words[:last], ", "), words[last], describe(value), hint))
	return ""
}

// report adds an Error about a node.
func (s *Settings) report(n *yaml.Node, code, message string) {
	width := 1
	if n.Kind == yaml.ScalarNode && !strings.Contains(n.Value, "\n") {
		width = max(1, utf8.RuneCountInString(n.Value))
	}
	s.add(policy.Error, policy.Position{Line: n.Line, Column: n.Column}, width, code, message)
}

func (s *Settings) add(severity policy.Severity, at policy.Position, width int, code, message string) {
	s.Diagnostics = append(s.Diagnostics, s.diagnostic(severity, at, width, code, message))
}

func (s *Settings) diagnostic(severity policy.Severity, at policy.Position, width int, code, message string) policy.Diagnostic {
	d := policy.Diagnostic{
		Path: s.Path, Position: at, Width: width, Severity: severity, Code: code, Message: message,
	}
	if at.Line >= 1 && at.Line <= len(s.lines) {
		d.SourceLine = s.lines[at.Line-1]
	}
	return d
}

// reportYAML reports an error of yaml.v3 in a chunk: at its cause where that is
// found, else at the line that stands in its text, "yaml: line 3: …".
func (s *Settings) reportYAML(err error, c chunk) {
	if cause, ok := yamlerror.Find(c.text); ok {
		before := string([]rune(c.text)[:cause.Offset])
		at := policy.Position{Line: c.line + strings.Count(before, "\n")}
		at.Column = utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
		s.add(policy.Error, at, cause.Width, codeYAML, notYAML+cause.Message)
		return
	}
	at := policy.Position{Line: c.line, Column: 1}
	line, message := yamlerror.Place(err, c.text)
	if line > 0 {
		// An end that is missing is missed behind the chunk.
		at.Line = max(c.line, min(c.line+line-1, c.line+strings.Count(c.text, "\n")))
	}
	width := 1
	if at.Line >= 1 && at.Line <= len(s.lines) {
		line := s.lines[at.Line-1]
		trimmed := strings.TrimLeft(line, " \t")
		at.Column = utf8.RuneCountInString(line) - utf8.RuneCountInString(trimmed) + 1
		width = max(1, utf8.RuneCountInString(strings.TrimSpace(trimmed)))
	}
	s.add(policy.Error, at, width, codeYAML, notYAML+message)
}

const notYAML = "not YAML, and left out: "

// resolve follows an alias to the node it stands for.
func resolve(n *yaml.Node) *yaml.Node {
	for i := 0; i < 16 && n.Kind == yaml.AliasNode && n.Alias != nil; i++ {
		n = n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// describe names a value in a message.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
		if n.Value == "" || isNull(n) {
			return "nothing"
		}
		if utf8.RuneCountInString(n.Value) <= 40 && !strings.Contains(n.Value, "\n") {
			return "'" + n.Value + "'"
		}
	}
	return "that value"
}
