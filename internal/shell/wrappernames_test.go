package shell_test

import (
	"slices"
	"testing"

	"github.com/claudewatch/claudewatch/internal/shell"
)

func TestWrapperNamesAreThoseOfProgramsThatAreTakenOff(t *testing.T) {
	names := shell.WrapperNames()
	for name, want := range map[string]bool{
		"sudo": true, "timeout": true, "gtimeout": true, "xargs": true, "nohup": true,
		"env": false, "genv": false, "su": false, "ssh": false, "docker": false, "podman": false, "npx": false, "git": false, "uv": false, "uv run": false, "": false,
	} {
		if slices.Contains(names, name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
	if !slices.IsSorted(names) {
		t.Error("the names are not sorted")
	}
}
