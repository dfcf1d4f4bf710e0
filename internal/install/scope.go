package install

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/claudewatch/claudewatch/internal/config"
)

// Scope is whose settings a file holds.
type Scope string

// The scopes, as they are named on the command line.
const (
	User    Scope = "user"
	Project Scope = "project"
	Local   Scope = "local" // of the project, for this user alone
	Managed Scope = "managed"
)

// Scopes are all of them.
var Scopes = []Scope{User, Project, Local, Managed}

// Machine is where settings are looked for.
type Machine struct {
	Environment config.Environment
	// Directory is the current one, "" when it is not known.
	Directory string
}

// settingsName is the name of a file of settings.
const settingsName = "settings.json"

// File returns the settings file of a scope. The error says what is not known.
func (m Machine) File(s Scope) (*File, error) {
	switch s {
	case User:
		directory := m.Configuration()
		if directory == "" {
			return nil, errors.New("HOME is not set, so that your settings cannot be found: set it, or CLAUDE_CONFIG_DIR")
		}
		return newFile(filepath.Join(directory, settingsName), "")
	case Project, Local:
		project := m.Project()
		if project == "" {
			return nil, errors.New("the current directory is not known: change into the project, or set CLAUDE_PROJECT_DIR")
		}
		if info, err := os.Stat(project); m.Environment.ProjectDir != "" && (err != nil || !info.IsDir()) {
			return nil, fmt.Errorf("there is no folder %s, the project by CLAUDE_PROJECT_DIR: set that to one, or unset it", project)
		}
		name := settingsName
		if s == Local {
			name = "settings.local.json"
		}
		// The project is a repository, where nothing else is to appear.
		return newFile(filepath.Join(project, ".claude", name), m.Environment.Directory())
	case Managed:
		file, err := newFile(m.ManagedFile(), "")
		if err == nil {
			file.mode, file.directoryMode = 0o644, 0o755 // every user reads it
		}
		return file, err
	}
	return nil, fmt.Errorf("there is no scope %q", s)
}

// Configuration is the directory of the user's Claude Code: $CLAUDE_CONFIG_DIR, by
// default ~/.claude; "" when neither is known.
func (m Machine) Configuration() string {
	if m.Environment.ClaudeConfig != "" {
		return m.Environment.ClaudeConfig
	}
	if m.Environment.Home == "" {
		return ""
	}
	return filepath.Join(m.Environment.Home, ".claude")
}

// Project is the directory of the project: CLAUDE_PROJECT_DIR, or else the nearest one
// from the current directory up that has a .claude or is a repository, and the current
// one when there is none. The home directory and what is above it is no project
// unless one stands right in it: its .claude is the user's.
func (m Machine) Project() string {
	if m.Environment.ProjectDir != "" || m.Directory == "" {
		return m.Environment.ProjectDir
	}
	for directory := m.Directory; !m.isAboveHome(directory); directory = filepath.Dir(directory) {
		for _, name := range []string{".claude", ".git"} {
			if _, err := os.Stat(filepath.Join(directory, name)); err == nil {
				return directory
			}
		}
		if directory == filepath.Dir(directory) {
			break
		}
	}
	return m.Directory
}

// isAboveHome reports whether a directory is the home directory, or one that holds it.
func (m Machine) isAboveHome(directory string) bool {
	if m.Environment.Home == "" {
		return false
	}
	relative, err := filepath.Rel(directory, m.Environment.Home)
	return err == nil && (relative == "." || filepath.IsLocal(relative))
}

// ManagedFile is the path of the settings that an administrator gives all users.
func (m Machine) ManagedFile() string {
	if m.Environment.ManagedSettings != "" {
		return m.Environment.ManagedSettings
	}
	return managedFile(runtime.GOOS)
}

// managedFile is that path by the system, as of
// https://code.claude.com/docs/en/settings#settings-files.
func managedFile(system string) string {
	switch system {
	case "darwin":
		return "/Library/Application Support/ClaudeCode/managed-settings.json"
	case "windows":
		return `C:\Program Files\ClaudeCode\managed-settings.json`
	}
	return "/etc/claude-code/managed-settings.json"
}

// ManagedFiles are ManagedFile and the files of the folder beside it, which count too.
func (m Machine) ManagedFiles() []string {
	path := m.ManagedFile()
	more, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "managed-settings.d", "*.json"))
	slices.Sort(more)
	return append([]string{path}, more...)
}
