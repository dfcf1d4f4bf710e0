package history_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/claudewatch/claudewatch/internal/changes/history"
)

// TestThePlanForManyFilesGrowsAsTheirNumberDoes counts what is allocated, which does not
// depend on the machine: each comparison of two paths allocates them.
func TestThePlanForManyFilesGrowsAsTheirNumberDoes(t *testing.T) {
	const few, factor = 100, 5
	for name, plan := range map[string]func(*project) *history.Plan{
		"undo": func(p *project) *history.Plan { return p.undo("a") },
		"restore": func(p *project) *history.Plan {
			return p.load(history.Filter{Files: []string{p.root}}).Restore(p.root, start)
		},
	} {
		allocations := func(files int) float64 {
			p := newProject(t)
			var names []string
			for n := range files {
				names = append(names, fmt.Sprintf("many/%d", n))
				p.write(names[n], "1\n")
			}
			p.call("a", names, func() { p.check(os.RemoveAll(p.path("many"))) })
			return testing.AllocsPerRun(1, func() {
				if got := plan(p); len(got.Actions)+len(got.Refusals) != files {
					t.Errorf("%s: %d actions and %d refusals for %d files", name, len(got.Actions), len(got.Refusals), files)
				}
			})
		}
		one, many := allocations(few), allocations(few*factor)
		if many > 2*factor*one {
			t.Errorf("%s: %.0f allocations for %d files and %.0f for %d", name, one, few, many, few*factor)
		}
	}
}
