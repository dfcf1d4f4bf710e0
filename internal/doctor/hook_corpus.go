package doctor

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/corpus"
)

// guards are the sets whose part of the corpus the self-test runs.
var guards = []string{"guard-main", "require-plan"}

// hookCorpus runs the corpus of the guards against each hook command as it stands
// in the settings: a binary that is gone, an old version, or text that swallows
// the exit status show there and nowhere else.
var hookCorpus = Check{Name: "hook corpus", Run: func(ctx context.Context, m *Machine) []Finding {
	commands, problems := m.installedCommands()
	var findings []Finding
	for _, problem := range problems {
		findings = append(findings, Finding{
			Message: problem.Error(),
			Remedy:  "Claude Code ignores a settings file that it cannot read, and its hooks with it: mend the file",
		})
	}
	if len(commands) == 0 {
		return append(findings, Finding{
			Message: "no hook command of claudewatch is installed: looked in " + strings.Join(m.settingsFiles(), ", "),
			Remedy:  "add claudewatch to the hooks of PreToolUse in one of these files",
		})
	}
	for _, c := range commands {
		findings = append(findings, testInstalled(ctx, m, c))
	}
	return findings
}}

// testInstalled runs one installed command on the entries of the guards, or of
// those that the command itself names with --only.
func testInstalled(ctx context.Context, m *Machine, i installed) Finding {
	runner := corpus.Runner{
		Command: i.command.Expand(map[string]string{
			"HOME": m.Environment.Home, "CLAUDE_PROJECT_DIR": m.projectDirectory(),
		}),
		Parallel: runtime.NumCPU(), // somebody waits
		Advance:  m.Progress.Advance,
	}
	sets := i.command.Sets()
	want := func(e *corpus.Entry) bool {
		return slices.Contains(guards, e.Hook) && (len(sets) == 0 || slices.Contains(sets, e.Hook))
	}
	expected := 0
	for _, c := range m.Corpora {
		for _, e := range c.Entries {
			if want(&e) {
				expected++
			}
		}
	}
	m.Progress.Start(int64(expected))
	defer m.Progress.Clear()
	matched, all := 0, 0
	var differing []string           // problems in the order of the corpus
	entries := map[string][]string{} // the ids of a problem
	for _, c := range m.Corpora {
		results, err := runner.Run(ctx, c, want)
		if err != nil {
			return Finding{Message: fmt.Sprintf("the corpus could not be run: %v", err), Remedy: "mend that and run doctor again"}
		}
		all += len(results)
		for _, r := range results {
			if r.Matched() {
				matched++
			} else {
				if entries[r.Problem] == nil {
					differing = append(differing, r.Problem)
				}
				entries[r.Problem] = append(entries[r.Problem], r.Entry.ID)
			}
		}
	}
	for i, problem := range differing {
		differing[i] = problem + ": " + strings.Join(entries[problem], " ")
	}
	f := Finding{
		OK:      matched == all,
		Message: fmt.Sprintf("%d/%d  %s (%s)", matched, all, i.command, i.path),
		Details: differing,
	}
	if !f.OK {
		f.Remedy = "the installed command does not guard as this version does: put this version's path into that file"
	}
	return f
}
