package shell_test

import (
	"testing"

	"github.com/claudewatch/claudewatch/internal/shell"
)

func TestProgramsThatAreKnownAreNoWrappersOfTheSettings(t *testing.T) {
	for program, want := range map[string]bool{
		"git": true, "git-push": true, "rm": true, "grm": true, "docker": true, "podman": true, "kubectl": true, "terraform": true,
		"sed": true, "make": true, "sqlite3": true, "python3.12": true, "bash": true, "fish": true, "ssh": true, "env": true, "npx": true,
		"cd": true, "eval": true, "echo": true, "Remove-Item": true, "claudewatch": true, "shuf": true,
		"rtk": false, "on-host": false, "sudo": false, "timeout": false, "xargs": false, "git-mine": false, "mine": false, "": false,
	} {
		if shell.Knows(program) != want {
			t.Errorf("%q: %v", program, !want)
		}
	}
}
