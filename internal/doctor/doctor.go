// Package doctor checks that an installation of claudewatch does what its user
// counts on. A check is one file and one entry of Checks.
package doctor

import (
	"context"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/corpus"
	"github.com/claudewatch/claudewatch/internal/progress"
)

// Machine is what the checks look at.
type Machine struct {
	Environment config.Environment
	// Directory is the project that is checked where the environment names none:
	// the current directory; "" for no project.
	Directory string
	// Corpora is the regression corpus.
	Corpora []*corpus.Corpus
	// Progress shows how far a check is that takes long; it may be nil.
	Progress *progress.Bar
}

// Finding is one thing that a check found.
type Finding struct {
	// Check is the name of the check.
	Check string `json:"check"`
	OK    bool   `json:"ok"`
	// Message says in one line how things stand.
	Message string `json:"message"`
	// Remedy says what to do; "" when OK.
	Remedy string `json:"remedy,omitempty"`
	// Details are lines beneath the message.
	Details []string `json:"details,omitempty"`
}

// Check is one check.
type Check struct {
	Name string
	// Run returns what it found, at least one finding.
	Run func(context.Context, *Machine) []Finding
}

// Checks are all checks in the order in which they run.
var Checks = []Check{hookCorpus}

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
