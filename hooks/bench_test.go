package hooks_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/hooks"
)

// BenchmarkDecode decodes a Write of one megabyte of code.
func BenchmarkDecode(b *testing.B) {
	payload, err := json.Marshal(map[string]any{
		"hook_event_name": "PreToolUse", "tool_name": "Write", "session_id": "s", "cwd": "/w",
		"tool_input": map[string]any{"file_path": "/w/a.py", "content": strings.Repeat("def helper(x):\n    return \"x\"\n", 1<<20/31)},
	})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(payload)))
	for b.Loop() {
		if _, err := hooks.Decode(payload); err != nil {
			b.Fatal(err)
		}
	}
}
