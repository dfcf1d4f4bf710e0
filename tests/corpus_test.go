package tests

import (
	"context"
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/corpus"
	shipped "github.com/claudewatch/claudewatch/tests/corpus"
	"github.com/claudewatch/claudewatch/watches"
)

// guards are the sets that must not need any program.
var guards = []string{"guard-main", "require-plan"}

func TestEveryCallOfTheCorpusKeepsItsVerdict(t *testing.T) {
	runCorpora(t, corpus.Runner{}, loadShipped(t), nil)
}

func TestTheGuardsNeedNoProgram(t *testing.T) {
	runCorpora(t, corpus.Runner{EmptyPath: true}, loadShipped(t), func(e *corpus.Entry) bool { return slices.Contains(guards, e.Hook) })
}

func TestTheScenariosOfTheGuardsKeepTheirVerdicts(t *testing.T) {
	corpora, err := corpus.Load([]string{filepath.Join(casesDir, "guards.jsonl")})
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the case files are not here: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	runCorpora(t, corpus.Runner{}, corpora, nil)
	runCorpora(t, corpus.Runner{EmptyPath: true}, corpora, nil)
}

func TestTheCorpusHasTwoSidesOfEveryTheme(t *testing.T) {
	// Classes that are about one verdict alone.
	oneSided := []string{"read-only", "outside", "not-a-target", "data-only"}
	verdicts := map[string]map[string]bool{}
	ids := map[string]string{}
	for _, c := range loadShipped(t) {
		for _, e := range c.Entries {
			if other, again := ids[e.ID]; again {
				t.Errorf("%s:%d: the id %s is that of %s too", c.Path, e.Line, e.ID, other)
			}
			ids[e.ID] = c.Path
			if _, err := fs.Stat(watches.FS, e.Hook+".yml"); err != nil {
				t.Errorf("%s:%d: %s names the rule set %q, which is not shipped", c.Path, e.Line, e.ID, e.Hook)
			}
			if verdicts[e.Class] == nil {
				verdicts[e.Class] = map[string]bool{}
			}
			verdicts[e.Class][e.Verdict] = true
		}
	}
	for class, seen := range verdicts {
		if !seen[corpus.Allow] || len(seen) < 2 && !slices.Contains(oneSided, class) {
			t.Errorf("the entries of class %s have only the verdicts %v", class, seen)
		}
	}
}

func loadShipped(t *testing.T) []*corpus.Corpus {
	t.Helper()
	corpora, err := corpus.LoadFS(shipped.FS, "corpus")
	if err != nil {
		t.Fatal(err)
	}
	return corpora
}

// runCorpora runs the built binary as a hook on the entries that want accepts.
func runCorpora(t *testing.T, runner corpus.Runner, corpora []*corpus.Corpus, want func(*corpus.Entry) bool) {
	t.Helper()
	if testing.Short() {
		t.Skip("hundreds of processes")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	runner.Command = corpus.Command{Program: binary, Args: []string{"hook"}}
	runner.Timeout = time.Minute // the machine may have other things to do
	matched, all := 0, 0
	for _, c := range corpora {
		results, err := runner.Run(context.Background(), c, want)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			all++
			if r.Matched() {
				matched++
			} else {
				t.Errorf("%s:%d: %s %s: %s\n%s%s", r.Path, r.Entry.Line, r.Entry.ID, r.Entry.Class, r.Problem, r.Stdout, r.Stderr)
			}
		}
	}
	t.Logf("corpus: %d/%d", matched, all)
	if all == 0 {
		t.Error("no entry was run")
	}
}
