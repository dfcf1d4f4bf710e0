package engine_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/mute"
	"github.com/claudewatch/claudewatch/policy"
)

func TestAMuteHoldsInItsSessionForAsksAlone(t *testing.T) {
	home := t.TempDir()
	env := config.Environment{ClaudewatchHome: home}
	store := mute.Store{Directory: env.Mutes()}
	judge := func(session, command string, stored bool) (*policy.Outcome, policy.Decision) {
		e := engine.Open(env, engine.Selection{Stored: stored})
		return e.Judge(e.Input(call.Call{
			Event: "PreToolUse", Tool: "Bash", Args: map[string]any{"command": command}, SessionID: session, Cwd: "/srv/shop",
		}), !stored)
	}
	check := func(session, command string, want policy.Verdict, muted int) {
		t.Helper()
		for _, stored := range []bool{true, false} {
			if _, d := judge(session, command, stored); d.Verdict != want || len(d.Muted) != muted {
				t.Errorf("%s in session %q: %s with %d muted, want %s with %d", command, session, d.Verdict, len(d.Muted), want, muted)
			}
		}
	}
	check("s1", "git commit -m x", policy.AskVerdict, 0)
	if _, err := os.Stat(env.Mutes()); !os.IsNotExist(err) {
		t.Errorf("the folder: %v", err)
	}
	for _, rule := range []string{"watch-git/git commit", "watch-git/git push", "watch-git/git push --force"} {
		if _, err := store.Mute("s1", rule, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	check("s1", "git commit -m x", policy.None, 1)
	check("s1", "git add . && git commit -m x", policy.None, 1)
	check("s1", "git push --force", policy.Deny, 1) // the ask about any push
	check("s2", "git commit -m x", policy.AskVerdict, 0)
	check("", "git commit -m x", policy.AskVerdict, 0)

	// Made a block later, it counts.
	if err := os.WriteFile(filepath.Join(home, "settings.yaml"), []byte("rules:\n  watch-git/git commit: block\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	check("s1", "git commit -m x", policy.Deny, 0)

	// What cannot be read mutes nothing.
	if err := os.WriteFile(filepath.Join(env.Mutes(), "session-s1.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	check("s1", "git push origin x", policy.AskVerdict, 0)
}
