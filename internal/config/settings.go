package config

import (
	"strings"

	"github.com/claudewatch/claudewatch/policy"
	"gopkg.in/yaml.v3"
)

// Codes of the diagnostics of settings.
const (
	codeRead    = "settings-read"    // the file cannot be read
	codeYAML    = "settings-yaml"    // not YAML
	CodeKey     = "settings-key"     // an unknown or repeated key
	CodeValue   = "settings-value"   // a value that its key does not take
	codeUnknown = "settings-unknown" // a set or rule that does not exist
	codeOnly    = "only"             // --only names a set that does not exist
)

// Settings is settings.yaml. DefaultSettings is what counts without one.
type Settings struct {
	// Document is the file the settings were read from, and what is wrong with it.
	Document

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

	wrapperKeys []*yaml.Node // those of Wrappers
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
	s := DefaultSettings()
	s.Path = path
	s.Load(s.read)
	return s
}

// ParseSettings reads settings from the content of a file; path is what the
// diagnostics call it.
//
// An entry with a bad value is left out, and only that entry.
func ParseSettings(path string, source []byte) *Settings {
	s := DefaultSettings()
	s.Path = path
	s.Parse(source, s.read)
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
		switch s.Choice("compound_ask", value, "deny", "ask") {
		case "deny":
			s.CompoundAsk = policy.Deny
		case "ask":
			s.CompoundAsk = policy.AskVerdict
		}
	}},
	{"deny_exit", func(s *Settings, value *yaml.Node) {
		switch s.Choice("deny_exit", value, "2", "0") {
		case "2":
			s.DenyExit = 2
		case "0":
			s.DenyExit = 0
		}
	}},
	{"wrappers", (*Settings).readWrappers},
	{"project_watches", func(s *Settings, value *yaml.Node) {
		switch s.Choice("project_watches", value, "true", "false", "on", "off", "yes", "no") {
		case "true", "on", "yes":
			s.ProjectWatches = true
		case "false", "off", "no":
			s.ProjectWatches = false
		}
	}},
	{"log", func(s *Settings, value *yaml.Node) {
		if value.Kind != yaml.ScalarNode || strings.TrimSpace(value.Value) == "" {
			s.Report(value, CodeValue, "'log' must be on, off or a path, not "+Describe(value))
			return
		}
		s.Log = value.Value
	}},
	{"changes", func(s *Settings, value *yaml.Node) { s.Changes = value }},
}

// maxOperands bounds the operands of a wrapper.
const maxOperands = 20
