package doctor

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// environment says whether claudewatch finds its files.
func environment(_ context.Context, m *Machine) []Finding {
	env := m.Environment
	var findings []Finding
	switch {
	case env.Directory() == "":
		findings = append(findings, Finding{
			Status: Fail, Message: "neither HOME nor CLAUDEWATCH_HOME is set: your settings and rule sets are not read, and nothing is recorded",
			Remedy: "set HOME where Claude Code is started",
		})
	case !filepath.IsAbs(env.Directory()):
		findings = append(findings, Finding{
			Status: Fail, Message: fmt.Sprintf("CLAUDEWATCH_HOME is %q, a relative path: in each directory it is another one", env.ClaudewatchHome),
			Remedy: "set it to a path that begins with /",
		})
	default:
		findings = append(findings, Finding{Status: OK, Message: "settings, rule sets and records are in " + env.Directory()})
	}
	return append(findings, m.givenVariables()...)
}

// givenVariables says which variables Claude Code's settings give to the hook that
// lead it elsewhere than this check.
func (m *Machine) givenVariables() []Finding {
	own := map[string]string{"CLAUDEWATCH_HOME": m.Environment.ClaudewatchHome, "CLAUDE_PLUGIN_DATA": m.Environment.PluginData, "CLAUDEWATCH_LOG": ""}
	if m.Environment.Log != nil {
		own["CLAUDEWATCH_LOG"] = *m.Environment.Log
	}
	var assignments, details []string
	for _, p := range m.installations().places {
		for name, here := range own {
			if value, ok := p.settings.Env[name]; ok && value != here {
				assignment := name + "=" + value
				assignments = append(assignments, assignment)
				details = append(details, fmt.Sprintf("%s (%s)", assignment, p.path))
			}
		}
	}
	if len(details) == 0 {
		return nil
	}
	slices.Sort(assignments)
	slices.Sort(details)
	return []Finding{{
		Status: Warn, Message: "the settings of Claude Code give the hook another environment than this check has",
		Remedy: "run doctor with the same: " + strings.Join(assignments, " ") + " claudewatch doctor", Details: details,
	}}
}

// gitProgram says whether there is git: the rules about repositories read them
// without it, but for what git alone knows.
func gitProgram(context.Context, *Machine) []Finding {
	path, err := exec.LookPath("git")
	if err != nil {
		return []Finding{{
			Status: Warn, Message: "git is not found by PATH: what a command would do to a repository is known in part, and the hook corpus cannot be run",
			Remedy: "install git, or put it into PATH where Claude Code is started",
		}}
	}
	return []Finding{{Status: OK, Message: path}}
}
