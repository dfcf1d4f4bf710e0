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
// the exit status show there.
// Where none is installed it is this program that is tested.
func hookCorpus(ctx context.Context, m *Machine) []Finding {
	var findings []Finding
	for _, h := range m.installations().distinct() {
		if h.Event != preToolUse {
			continue
		}
		if why := m.untrusted(h); why != "" {
			findings = append(findings, Finding{Status: Warn, Message: fmt.Sprintf("%s (%s): was not run: %s", h, h.place.path, why), Remedy: "look at the command"})
			continue
		}
		findings = append(findings, testCommand(ctx, m, h.command(), m.expanded(h), h.place.path, h.remedy()))
	}
	if len(findings) == 0 && m.Executable != "" {
		self := corpus.Command{Program: m.Executable, Args: []string{"hook"}}
		findings = append(findings, testCommand(ctx, m, self, self, "this program, not installed", "please report it"))
	}
	return findings
}

// testCommand runs one command, expanded as it runs here, on the entries of the guards,
// or of those that the command itself names with --only. where is where it stands.
func testCommand(ctx context.Context, m *Machine, command, expanded corpus.Command, where, remedy string) Finding {
	runner := corpus.Runner{
		Command:  expanded,
		Parallel: runtime.NumCPU(), // somebody waits
		Advance:  m.Progress.Advance,
	}
	sets := command.Sets()
	want := func(e *corpus.Entry) bool {
		return slices.Contains(guards, e.Hook) && (len(sets) == 0 || slices.Contains(sets, e.Hook))
	}
	expected := 0
	var corpora []*corpus.Corpus // that have such entries: the others need no sandbox
	for _, c := range m.Corpora {
		wanted := 0
		for _, e := range c.Entries {
			if want(&e) {
				wanted++
			}
		}
		if wanted > 0 {
			corpora = append(corpora, c)
		}
		expected += wanted
	}
	m.Progress.Start(int64(expected))
	defer m.Progress.Clear()
	matched, all := 0, 0
	var differing []string           // problems in the order of the corpus
	entries := map[string][]string{} // the ids of a problem
	for _, c := range corpora {
		results, err := runner.Run(ctx, c, want)
		if err != nil {
			return Finding{Status: Warn, Message: fmt.Sprintf("it could not be run: %v", err), Remedy: "mend that and run doctor again"}
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
		ids := entries[problem]
		more := ""
		if n := len(ids) - maxDetails; n > 0 {
			ids, more = ids[:maxDetails], fmt.Sprintf(" and %d more", n)
		}
		differing[i] = problem + ": " + strings.Join(ids, " ") + more
	}
	f := Finding{
		Status:  OK,
		Message: fmt.Sprintf("%d/%d  %s (%s)", matched, all, command, where),
		Details: differing,
	}
	if matched != all {
		f.Status = Fail
		f.Remedy = "the installed command does not guard as this version does: " + remedy
	}
	return f
}
