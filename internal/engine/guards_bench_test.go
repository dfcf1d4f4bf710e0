package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/git/gittest"
	"github.com/claudewatch/claudewatch/policy"
)

// BenchmarkGuardMain is the time of one verdict of guard-main inside the process:
// about a call that writes nothing, about a write that looks up its repository, and
// about one 20 directories below the repository's root.
func BenchmarkGuardMain(b *testing.B) {
	repository := gittest.New(b)
	repository.Commit("a.txt", "a\n")
	deep := filepath.Join(repository.Dir, strings.Repeat("d/", 20))
	if err := os.MkdirAll(deep, 0o755); err != nil {
		b.Fatal(err)
	}
	e := engine.Open(config.Environment{}, engine.Selection{Only: []string{"guard-main"}})
	for _, c := range []struct {
		name, command, cwd string
		want               policy.Verdict
	}{
		{"no write", "git status", repository.Dir, policy.None},
		{"depth 0", "echo x > f", repository.Dir, policy.Deny},
		{"depth 20", "echo x > f", deep, policy.Deny},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				_, d := e.Judge(e.Input(call.Call{Event: "PreToolUse", Tool: "Bash", Args: map[string]any{"command": c.command}, Cwd: c.cwd}), false)
				if d.Verdict != c.want {
					b.Fatalf("%v, want %v", d, c.want)
				}
			}
		})
	}
}
