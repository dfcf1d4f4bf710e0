// Package config finds and reads what the user set up: the settings, and which
// rule files there are and which sets of them are on.
//
// It looks at the environment only through an Environment, which main makes.
package config

import (
	"path/filepath"
	"runtime"
	"strings"
)

// Environment is what claudewatch reads of the process environment.
type Environment struct {
	// Home is the user's home directory (HOME, USERPROFILE on Windows), "" when unknown.
	Home string
	// ClaudewatchHome is CLAUDEWATCH_HOME, "" when unset.
	ClaudewatchHome string
	// ProjectDir is CLAUDE_PROJECT_DIR, the directory where the session started;
	// "" when unset, as it is outside of hooks.
	ProjectDir string
	// PluginData is CLAUDE_PLUGIN_DATA, the directory that Claude Code gives a plugin
	// for its data; "" when unset, as it is for a hook of settings.json.
	PluginData string
	// Log is CLAUDEWATCH_LOG, nil when unset: set but empty means off.
	Log *string
	// ClaudeConfig is CLAUDE_CONFIG_DIR, where Claude Code keeps what it else keeps in
	// ~/.claude; "" when unset.
	ClaudeConfig string
	// SessionID is CLAUDE_CODE_SESSION_ID, or CLAUDE_SESSION_ID: the session whose shell
	// calls the process is of; "" when neither is set.
	SessionID string
	// ManagedSettings is CLAUDEWATCH_MANAGED_SETTINGS, a path for Claude Code's managed
	// settings in the place of the system's; "" when unset. Trials use it.
	ManagedSettings string
}

// EnvironmentOf picks an Environment from os.Environ(). Of a variable that is
// there twice the first counts, as for os.Getenv.
func EnvironmentOf(environ []string) Environment {
	variables := make(map[string]string, len(environ))
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if _, ok := variables[name]; !ok {
			variables[name] = value
		}
	}
	e := Environment{
		Home:            variables["HOME"],
		ClaudewatchHome: variables["CLAUDEWATCH_HOME"],
		ProjectDir:      variables["CLAUDE_PROJECT_DIR"],
		PluginData:      variables["CLAUDE_PLUGIN_DATA"],
		ClaudeConfig:    variables["CLAUDE_CONFIG_DIR"],
		SessionID:       variables["CLAUDE_CODE_SESSION_ID"],
		ManagedSettings: variables["CLAUDEWATCH_MANAGED_SETTINGS"],
	}
	if e.SessionID == "" {
		e.SessionID = variables["CLAUDE_SESSION_ID"]
	}
	if e.Home == "" && runtime.GOOS == "windows" {
		e.Home = variables["USERPROFILE"]
	}
	if log, ok := variables["CLAUDEWATCH_LOG"]; ok {
		e.Log = &log
	}
	return e
}

// Directory is $CLAUDEWATCH_HOME, by default ~/.claude/claudewatch; "" when
// neither is known.
func (e Environment) Directory() string {
	if e.ClaudewatchHome != "" {
		return filepath.Clean(e.expand(e.ClaudewatchHome))
	}
	if e.Home == "" {
		return ""
	}
	return filepath.Join(e.Home, ".claude", "claudewatch")
}

// SettingsFile is the path of settings.yaml, "" when Directory is not known.
func (e Environment) SettingsFile() string { return e.inDirectory("settings.yaml") }

// Watches is the directory of the user's own rule sets, "" when Directory is not known.
func (e Environment) Watches() string { return e.inDirectory("watches") }

// Cache is the directory of compiled rule files, "" when Directory is not known.
func (e Environment) Cache() string { return e.inDirectory("cache") }

// Changes is the directory of the change records and of the recorder's state:
// $CLAUDE_PLUGIN_DATA, else one in Directory; "" when neither is known.
func (e Environment) Changes() string {
	if e.PluginData != "" {
		return filepath.Clean(e.expand(e.PluginData))
	}
	return e.inDirectory("changes")
}

// ProjectWatches is the directory of the project's rule sets, "" outside a project.
func (e Environment) ProjectWatches() string {
	if e.ProjectDir == "" {
		return ""
	}
	return filepath.Join(e.ProjectDir, ".claude", "claudewatch", "watches")
}

// LogFile is the path of the decision log, "" when it is switched off.
// CLAUDEWATCH_LOG comes before the settings; a relative path of either is one
// in Directory, so that no log appears in somebody's repository.
func (e Environment) LogFile(s *Settings) string {
	value := s.Log
	if e.Log != nil {
		value = *e.Log
	}
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "off", "0", "false", "no", "none", "":
		return ""
	case "on", "1", "true", "yes":
		return e.inDirectory("decisions.jsonl")
	}
	path := e.expand(strings.TrimSpace(value))
	if !filepath.IsAbs(path) {
		return e.inDirectory(path)
	}
	return filepath.Clean(path)
}

func (e Environment) inDirectory(name string) string {
	directory := e.Directory()
	if directory == "" {
		return ""
	}
	return filepath.Join(directory, name)
}

// expand replaces a leading ~ by the home directory.
func (e Environment) expand(path string) string {
	if e.Home != "" && (path == "~" || strings.HasPrefix(path, "~/")) {
		return filepath.Join(e.Home, path[1:])
	}
	return path
}
