package reference_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/reference"
	"github.com/google/go-cmp/cmp"
)

func pages() map[string][]byte {
	return reference.Pages(engine.Open(config.Environment{}, engine.Selection{}).RuleSets())
}

func TestTheReferencesInDocsAreUpToDate(t *testing.T) {
	for name, want := range pages() {
		got, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("docs/%s is stale, run: go run ./cmd/claudewatch docs\n%s", name, diff)
		}
	}
}

func TestEveryTableRowHasAsManyCellsAsItsHead(t *testing.T) {
	for name, page := range pages() {
		columns := 0
		for i, line := range strings.Split(string(page), "\n") {
			if !strings.HasPrefix(line, "|") {
				columns = 0
				continue
			}
			n := strings.Count(line, "|") - strings.Count(line, `\|`)
			if columns == 0 {
				columns = n
			}
			if n != columns {
				t.Errorf("%s:%d: %d cells, the head has %d: %s", name, i+1, n-1, columns-1, line)
			}
		}
	}
}
