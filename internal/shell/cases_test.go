package shell_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/schema"
)

// probe is an entry of ../shared/cases/probes.jsonl.
type probe struct{ ID, Class, Command, Expect string }

func probes(t *testing.T) []probe {
	t.Helper()
	f, err := os.Open("../../../shared/cases/probes.jsonl")
	if err != nil {
		t.Skip("the shared cases are not here")
	}
	defer f.Close()
	var list []probe
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var p probe
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

func hasForcePush(commands []*schema.Command) bool {
	for _, c := range commands {
		if c.Program != "git" || c.Subcommand != "push" {
			continue
		}
		for _, o := range c.Options {
			if o.Name == "--force" || o.Name == "-f" {
				return true
			}
		}
	}
	return false
}

func TestProbesFindTheCommandInItsWrapperAndNotInData(t *testing.T) {
	for _, p := range probes(t) {
		if p.Class != "wrap" && p.Class != "data" {
			continue
		}
		want := strings.HasSuffix(p.ID, "/danger")
		if got := hasForcePush(read(p.Command).Commands); got != want {
			t.Errorf("%s: a forced push in %q: %v", p.ID, p.Command, got)
		}
	}
}
