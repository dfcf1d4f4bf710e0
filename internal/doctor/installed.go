package doctor

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/corpus"
	"github.com/claudewatch/claudewatch/internal/regular"
)

// installed is a hook command that stands in settings of Claude Code.
type installed struct {
	// path is the settings file.
	path    string
	command corpus.Command
}

// maxSettings bounds a settings file in bytes.
const maxSettings = 4 << 20

// settingsFiles are the settings of Claude Code for the user and the project.
func (m *Machine) settingsFiles() []string {
	var files []string
	if home := m.Environment.Home; home != "" {
		files = append(files, filepath.Join(home, ".claude", "settings.json"))
	}
	if project := m.projectDirectory(); project != "" {
		for _, name := range []string{"settings.json", "settings.local.json"} {
			if file := filepath.Join(project, ".claude", name); !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return files
}

func (m *Machine) projectDirectory() string {
	if m.Environment.ProjectDir != "" {
		return m.Environment.ProjectDir
	}
	return m.Directory
}

// installedCommands returns the commands of claudewatch that the settings run
// before tool calls, each once, and what is wrong with the settings files.
func (m *Machine) installedCommands() (commands []installed, problems []error) {
	seen := map[string]bool{}
	for _, path := range m.settingsFiles() {
		source, err := regular.ReadFile(path, maxSettings)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var found []corpus.Command
		if err == nil {
			found, err = hookCommands(source)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", path, err))
			continue
		}
		for _, c := range found {
			if isOurs(c) && !seen[c.String()] {
				seen[c.String()] = true
				commands = append(commands, installed{path, c})
			}
		}
	}
	return commands, problems
}

// hookCommands returns the commands that settings run before tool calls.
func hookCommands(source []byte) ([]corpus.Command, error) {
	var settings struct {
		Hooks struct {
			PreToolUse []struct {
				Hooks []struct {
					Type    string    `json:"type"`
					Command string    `json:"command"`
					Args    *[]string `json:"args"`
				} `json:"hooks"`
			} `json:"PreToolUse"`
		} `json:"hooks"`
	}
	if err := json.Unmarshal(source, &settings); err != nil {
		return nil, err
	}
	var commands []corpus.Command
	for _, matcher := range settings.Hooks.PreToolUse {
		for _, hook := range matcher.Hooks {
			switch {
			case hook.Type != "command" || hook.Command == "":
			case hook.Args != nil: // no shell is involved
				commands = append(commands, corpus.Command{Program: hook.Command, Args: *hook.Args})
			default:
				commands = append(commands, corpus.Command{Shell: hook.Command})
			}
		}
	}
	return commands, nil
}

// isOurs reports whether a hook command is claudewatch or one of its guards by the
// names in it. Other people's hooks are not run: what they do is not known.
func isOurs(c corpus.Command) bool {
	text := c.String()
	return slices.ContainsFunc([]string{"claudewatch", "guard-main", "require-plan"}, func(name string) bool { return strings.Contains(text, name) })
}
