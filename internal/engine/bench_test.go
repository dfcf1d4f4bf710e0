package engine_test

import (
	"testing"

	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
)

// The benchmarks open the policy as the hook does, from what is stored.
func benchmark(b *testing.B, command string) {
	env := config.Environment{Home: b.TempDir()}
	b.ReportAllocs()
	for b.Loop() {
		e := engine.Open(env, engine.Selection{Stored: true})
		e.Judge(e.Input(call.Call{
			Event: "PreToolUse", Tool: "Bash", Args: map[string]any{"command": command}, Cwd: "/srv", Home: env.Home,
		}), false)
	}
}

func BenchmarkOpenAndJudgeWithoutACandidate(b *testing.B) { benchmark(b, "git status") }

func BenchmarkOpenAndJudgeAMatch(b *testing.B) { benchmark(b, "git push --force origin main") }
