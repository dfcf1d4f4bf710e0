// Package doctor checks that an installation of claudewatch does what its user
// counts on. A check is an entry of Checks; the files hold one family of them each.
//
// No check writes anything outside of temporary folders, and none runs hooks that are
// not claudewatch's own.
package doctor

import (
	"context"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/corpus"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/install"
	"github.com/claudewatch/claudewatch/internal/progress"
)

// Machine is what the checks look at.
type Machine struct {
	Environment config.Environment
	// Directory is the current directory, from which the project is found where the
	// environment names none; "" when it is not known.
	Directory string
	// Executable is the path of this program, and Version what its command "version"
	// calls it.
	Executable, Version string
	// TrustProject lets the checks run any hook command that the project's settings
	// call claudewatch. Without it they run none that the project itself brings.
	TrustProject bool
	// Corpora is the regression corpus.
	Corpora []*corpus.Corpus
	// Progress shows how far a check is that takes long; it may be nil.
	Progress *progress.Bar

	found  *installations
	policy *engine.Engine
}

// settings is where the settings of Claude Code are.
func (m *Machine) settings() install.Machine {
	return install.Machine{Environment: m.Environment, Directory: m.Directory}
}

// project returns the environment with the project's directory in it.
func (m *Machine) project() config.Environment {
	env := m.Environment
	env.ProjectDir = m.settings().Project()
	return env
}

// Status is how a check came out.
type Status string

// The three of them.
const (
	OK   Status = "ok"
	Warn Status = "warn" // works, and is not as it should be
	Fail Status = "fail" // does not do what the user counts on
)

// Finding is one thing that a check found.
type Finding struct {
	// Check is the name of the check.
	Check  string `json:"check"`
	Status Status `json:"status"`
	// Message says in one line how things stand.
	Message string `json:"message"`
	// Remedy says what to do; "" when Status is OK.
	Remedy string `json:"remedy,omitempty"`
	// Details are lines beneath the message.
	Details []string `json:"details,omitempty"`
}

// Check is one check.
type Check struct {
	Name string
	// Run returns what it found; nothing where there is nothing to check.
	Run func(context.Context, *Machine) []Finding
}

// Checks are all checks in the order in which they run.
var Checks = []Check{
	{"installed", installed},
	{"switched off", switchedOff},
	{"program", programs},
	{"events", events},
	{"timeout", timeouts},
	{"on failure", onFailure},
	{"other hooks", otherHooks},
	{"environment", environment},
	{"settings", settings},
	{"rule sets", ruleSets},
	{"cache", cache},
	{"decision log", decisionLog},
	{"change records", changeRecords},
	{"file modes", fileModes},
	{"git", gitProgram},
	{"canary", canary},
	{"hook corpus", hookCorpus},
}

// Run runs all checks.
func Run(ctx context.Context, m *Machine) []Finding {
	var all []Finding
	for _, check := range Checks {
		for _, finding := range check.Run(ctx, m) {
			finding.Check = check.Name
			all = append(all, finding)
		}
	}
	return all
}
