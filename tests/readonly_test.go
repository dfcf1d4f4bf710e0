package tests

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/changes/readonly"
	"github.com/claudewatch/claudewatch/internal/shell"
)

func TestEveryCaseOfTheReadOnlyListComesOutAsWritten(t *testing.T) {
	n := 0
	for _, line := range readCases(t, "readonly.tsv") {
		want, command, ok := strings.Cut(string(line), "\t")
		if !ok {
			t.Errorf("%q has no tab", line)
			continue
		}
		got := "scan"
		verdict := readonly.Classify(shell.Read(command, shell.Context{Dir: filepath.FromSlash(caseProject), Home: filepath.FromSlash(caseHome)}))
		if verdict.ReadOnly {
			got = "read"
		}
		if got != want {
			t.Errorf("%s: want %s, got %s: %s", command, want, got, verdict.Reason)
		}
		n++
	}
	t.Logf("%d commands", n)
}
