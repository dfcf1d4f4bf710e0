package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/corpus"
	"github.com/claudewatch/claudewatch/internal/install"
)

// canary runs each installed command on calls whose answers are certain: one that the
// shipped rules deny, one that they ask about, one about which there is nothing to say,
// and an event of every other kind.
func canary(ctx context.Context, m *Machine) []Finding {
	var findings []Finding
	for _, h := range m.installations().distinct() {
		if h.kind == install.Foreign {
			continue // a guard of another kind, which does not know these calls
		}
		findings = append(findings, m.canaryOf(ctx, h))
	}
	return findings
}

func (m *Machine) canaryOf(ctx context.Context, h *hook) Finding {
	name := fmt.Sprintf("%s (%s)", h, h.place.path)
	if why := m.untrusted(h); why != "" {
		return Finding{Status: Warn, Message: name + ": was not run: " + why, Remedy: "look at the command"}
	}
	runner := corpus.Runner{Command: m.expanded(h), Timeout: install.Timeout * time.Second}
	if h.Timeout > 0 && h.Timeout < install.Timeout {
		runner.Timeout = time.Duration(h.Timeout * float64(time.Second))
	}
	narrow := len(h.command().Sets()) > 0
	results, err := runner.Run(ctx, canaries(m.Environment.Home, narrow), nil)
	if err != nil {
		return Finding{Status: Fail, Message: fmt.Sprintf("the canaries could not be run: %v", err), Remedy: "mend that and run doctor again"}
	}
	var problems []string
	for _, r := range results {
		if !r.Matched() {
			problem := r.Entry.ID + ": " + r.Problem
			if line, _, _ := strings.Cut(strings.TrimSpace(r.Stderr), "\n"); line != "" {
				problem += ": " + line
			}
			problems = append(problems, problem)
		}
	}
	if len(problems) > 0 {
		return Finding{
			Status: Fail, Message: fmt.Sprintf("%s: %d of %d answers are wrong", name, len(problems), len(results)),
			Remedy: h.remedy(), Details: problems,
		}
	}
	answers := "denies, asks, and is silent where it should be"
	if narrow {
		answers = "is silent where it should be"
	}
	return Finding{Status: OK, Message: name + ": " + answers}
}

// canaries is a corpus of the calls. The home directory is the user's, as in a session;
// CLAUDEWATCH_HOME is the corpus's own, so that nothing is recorded. narrow is set for
// a command that evaluates some sets only.
func canaries(home string, narrow bool) *corpus.Corpus {
	c := &corpus.Corpus{Path: "canaries", Sandbox: corpus.Sandbox{Dirs: []string{"work"}}}
	add := func(id, verdict string, event map[string]any) {
		event["session_id"], event["cwd"] = "canary", "{work}"
		text, err := json.Marshal(event)
		if err != nil {
			return // these are strings
		}
		environment := map[string]string{"CLAUDE_PROJECT_DIR": "{work}"}
		if home != "" {
			environment["HOME"] = home
		}
		c.Entries = append(c.Entries, corpus.Entry{ID: id, Class: "canary", Verdict: verdict, Event: text, Env: environment})
	}
	shell := func(command string) map[string]any {
		return map[string]any{"hook_event_name": preToolUse, "tool_name": "Bash", "tool_use_id": "canary", "tool_input": map[string]any{"command": command}}
	}
	if !narrow {
		add("git push --force", corpus.Block, shell("git push --force origin main"))
		add("git commit", corpus.Ask, shell("git commit -m canary"))
	}
	add("git status", corpus.Allow, shell("git status"))
	for _, e := range install.Events {
		if e.Name == preToolUse {
			continue
		}
		event := map[string]any{"hook_event_name": e.Name}
		if e.OfTools {
			event = shell("git status")
			event["hook_event_name"] = e.Name
			event["tool_response"] = map[string]any{"stdout": ""}
		}
		add("an event "+e.Name, corpus.Allow, event)
	}
	return c
}
