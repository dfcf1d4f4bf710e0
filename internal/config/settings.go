package config

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/claudewatch/claudewatch/internal/regular"
	"github.com/claudewatch/claudewatch/policy"
	"gopkg.in/yaml.v3"
)

// maxSettings is the size in bytes up to which settings.yaml is read.
const maxSettings = 1 << 20

// Codes of the diagnostics of settings.
const (
	codeRead    = "settings-read"    // the file cannot be read
	codeYAML    = "settings-yaml"    // not YAML
	codeKey     = "settings-key"     // an unknown or repeated key
	codeValue   = "settings-value"   // a value that its key does not take
	codeUnknown = "settings-unknown" // a set or rule that does not exist
	codeOnly    = "only"             // --only names a set that does not exist
)

// Settings is settings.yaml. DefaultSettings is what counts without one.
type Settings struct {
	// Path is the file the settings were read from.
	Path string

	// Enable names sets that are on although they are off by default; Disable
	// sets that are left out. A set that both name is on.
	Enable, Disable []Name
	// Rules are the actions given to single rules.
	Rules []RuleSetting
	// CompoundAsk is what an ask becomes on a compound command: policy.Deny or policy.AskVerdict.
	CompoundAsk policy.Verdict
	// DenyExit is the exit status of a deny, 2 or 0.
	DenyExit int
	// Wrappers are more programs that run their arguments: name and number of own operands.
	Wrappers map[string]int
	// ProjectWatches is whether the project's rule sets are read.
	ProjectWatches bool
	// Log is "on", "off" or the path of the decision log; Environment.LogFile resolves it.
	Log string
	// Changes is the value of changes:, which the change recorder reads; nil when absent.
	Changes *yaml.Node

	// Diagnostics are what was wrong with the file. None of them is a Fault: an
	// entry that cannot be read is left out and the others count.
	Diagnostics []policy.Diagnostic

	lines []string
}

// Name is the name of a set as it stands in the settings.
type Name struct {
	policy.Position
	Name string
}

// RuleSetting is one entry of rules:.
type RuleSetting struct {
	policy.Position
	Set, Rule string
	Action    policy.Action
}

// DefaultSettings returns what counts when settings.yaml says nothing.
func DefaultSettings() *Settings {
	return &Settings{CompoundAsk: policy.Deny, DenyExit: 2, ProjectWatches: true, Log: "on"}
}

// LoadSettings reads the settings at path. A file that is not there, or a path
// that is "", gives the defaults. It never fails: see Settings.Diagnostics.
func LoadSettings(path string) *Settings {
	if path == "" {
		return DefaultSettings()
	}
	source, err := regular.ReadFile(path, maxSettings)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !isLink(path):
		s := DefaultSettings()
		s.Path = path
		return s
	case err != nil:
		s := DefaultSettings()
		s.Path = path
		s.Diagnostics = append(s.Diagnostics, policy.Diagnostic{
			Path: path, Width: 1, Severity: policy.Error, Code: codeRead,
			Message: fmt.Sprintf("the settings cannot be read and the defaults count: %s", reason(err)),
		})
		return s
	}
	return ParseSettings(path, source)
}

// ParseSettings reads settings from the content of a file; path is what the
// diagnostics call it.
//
// An entry with a bad value is left out, and only that entry. When the file as a
// whole is not YAML its top-level entries are read one by one, so that a slip in
// one of them does not take back what the others switch on.
func ParseSettings(path string, source []byte) *Settings {
	s := DefaultSettings()
	s.Path = path
	text := strings.TrimPrefix(strings.ToValidUTF8(string(source), "\uFFFD"), "\uFEFF")
	s.lines = strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if root, err := parse(text, 0); err == nil {
		s.read(root)
		return s
	}
	for _, c := range chunks(s.lines) {
		root, err := parse(c.text, c.line-1)
		if err != nil {
			s.reportYAML(err, c)
			continue
		}
		s.read(root)
	}
	return s
}

// settingsKeys are the keys in the order of the reference, with their readers.
var settingsKeys = []struct {
	name string
	read func(s *Settings, value *yaml.Node)
}{
	{"enable", func(s *Settings, value *yaml.Node) { s.Enable = append(s.Enable, s.names("enable", value)...) }},
	{"disable", func(s *Settings, value *yaml.Node) { s.Disable = append(s.Disable, s.names("disable", value)...) }},
	{"rules", (*Settings).readRules},
	{"compound_ask", func(s *Settings, value *yaml.Node) {
		switch s.choice("compound_ask", value, "deny", "ask") {
		case "deny":
			s.CompoundAsk = policy.Deny
		case "ask":
			s.CompoundAsk = policy.AskVerdict
		}
	}},
	{"deny_exit", func(s *Settings, value *yaml.Node) {
		switch s.choice("deny_exit", value, "2", "0") {
		case "2":
			s.DenyExit = 2
		case "0":
			s.DenyExit = 0
		}
	}},
	{"wrappers", (*Settings).readWrappers},
	{"project_watches", func(s *Settings, value *yaml.Node) {
		switch s.choice("project_watches", value, "true", "false", "on", "off", "yes", "no") {
		case "true", "on", "yes":
			s.ProjectWatches = true
		case "false", "off", "no":
			s.ProjectWatches = false
		}
	}},
	{"log", func(s *Settings, value *yaml.Node) {
		if value.Kind != yaml.ScalarNode || strings.TrimSpace(value.Value) == "" {
			s.report(value, codeValue, "'log' must be on, off or a path, not "+describe(value))
			return
		}
		s.Log = value.Value
	}},
	{"changes", func(s *Settings, value *yaml.Node) { s.Changes = value }},
}

// maxOperands bounds the operands of a wrapper.
const maxOperands = 20
