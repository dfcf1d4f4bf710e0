package tests

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestTheDocumentationIsTrue runs what README.md and the pages of docs/ show: commands
// must print what is under them, rule sets must pass vet and their tests, settings must
// be accepted. A block that cannot be run says why. How to write one is in
// docs/README.md; UPDATE_SCRIPTS=1 writes what commands print into the pages.
func TestTheDocumentationIsTrue(t *testing.T) {
	pages := documentation(t)
	results := make([]tally, len(pages))
	t.Run("page", func(t *testing.T) {
		for i, p := range pages {
			t.Run(p.path, func(t *testing.T) {
				t.Parallel()
				results[i] = runPage(t, p)
			})
		}
	})
	var all tally
	for _, r := range results {
		all.add(r)
	}
	t.Logf("%d pages: %s", len(pages), all)
	for _, reason := range all.notRun {
		t.Log("not run: " + reason)
	}
	// What finds nothing must not pass; under -run there may be less.
	if all.blocks == countBlocks(pages) && (all.commands < 50 || all.ruleSets < 15 || all.settings < 3 || all.expressions < 10) {
		t.Errorf("only %s were found", all)
	}
}

func countBlocks(pages []*page) (n int) {
	for _, p := range pages {
		n += len(p.blocks)
	}
	return n
}

// tally counts what was run.
type tally struct {
	blocks, commands, ruleSets, settings, expressions, data, generated int

	notRun []string
}

func (n *tally) add(o tally) {
	n.blocks += o.blocks
	n.commands += o.commands
	n.ruleSets += o.ruleSets
	n.settings += o.settings
	n.expressions += o.expressions
	n.data += o.data
	n.generated += o.generated
	n.notRun = append(n.notRun, o.notRun...)
}

func (n tally) String() string {
	return fmt.Sprintf("%d blocks; run: %d commands, %d rule sets, %d settings, %d expressions, %d JSON; %d generated; %d not run",
		n.blocks, n.commands, n.ruleSets, n.settings, n.expressions, n.data, n.generated, len(n.notRun))
}

// runPage runs the blocks of a page in their order, in one world.
func runPage(t *testing.T, p *page) tally {
	w := newWorld(t)
	if prepare := scenes[p.path]; prepare != nil {
		prepare(w)
	}
	r := &pageRunner{t: t, page: p, world: w}
	for _, b := range p.blocks {
		r.blocks++
		r.run(b)
	}
	r.update()
	return r.tally
}

// scenes are what has happened before the commands of a page.
var scenes = map[string]func(*world){
	"docs/changes.md": workInTheShop,
	"docs/guards.md":  func(w *world) { w.write("~/shop/.git/HEAD", "ref: refs/heads/main\n") },
}

type pageRunner struct {
	tally
	t     *testing.T
	page  *page
	world *world
	// printed are the texts of blocks that are not as they should be.
	printed map[int]string
}

func (r *pageRunner) run(b block) {
	if reason, ok := b.markers[markerNotRun]; ok {
		r.notRun = append(r.notRun, fmt.Sprintf("%s: %s", b, reason))
		return
	}
	if path, ok := b.markers[markerFile]; ok {
		r.world.write(path, b.text)
	}
	switch {
	case b.language == "console" || b.language == "sh":
		if runtime.GOOS == "windows" {
			r.notRun = append(r.notRun, fmt.Sprintf("%s: pages show the shell of Unix", b))
			return
		}
		r.console(b)
	case b.language == "yaml":
		r.yaml(b)
	case b.language == "json":
		r.json(b)
	case b.language == "cel":
		r.cel(b)
	case r.page.generated && b.language == "":
		r.generated++
	case b.markers[markerFile] != "":
		r.data++
	default:
		r.t.Errorf("%s: nothing runs a block of the language %q; say what it is, or why it is not run: <!-- not run: REASON -->", b, b.language)
	}
}

// console runs the commands of a block and compares what they print.
func (r *pageRunner) console(b block) {
	commands, err := parseConsole(b)
	if err != nil {
		r.t.Error(err)
		return
	}
	r.commands += len(commands)
	results, err := r.world.shell(b.markers[markerIn], commands)
	if err != nil {
		r.t.Errorf("%s: %v", b, err)
		return
	}
	var printed strings.Builder
	asShown := true
	for i, c := range commands {
		got := results[i]
		if c.status >= 0 && got.status != c.status {
			r.t.Errorf("%s: exit status %d, want %d: %s\n%s", b, got.status, c.status, c.text, got.output)
		}
		printed.WriteString(c.written)
		if b.language == "sh" {
			continue
		}
		if shows(c.output, got.output) {
			printed.WriteString(c.output)
			continue
		}
		asShown = false
		printed.WriteString(got.output)
		if os.Getenv("UPDATE_SCRIPTS") == "" {
			r.t.Errorf("%s: $ %s\nprints\n%s\nand the page shows\n%s", b, c.text, got.output, c.output)
		}
	}
	if !asShown {
		if r.printed == nil {
			r.printed = map[int]string{}
		}
		r.printed[b.line] = printed.String()
	}
}

// update writes what commands print into the page, under UPDATE_SCRIPTS.
func (r *pageRunner) update() {
	if os.Getenv("UPDATE_SCRIPTS") == "" || len(r.printed) == 0 {
		return
	}
	lines := strings.SplitAfter(r.page.text, "\n")
	for _, b := range slices.Backward(r.page.blocks) {
		if printed, ok := r.printed[b.line]; ok {
			end := b.line - 1 + strings.Count(b.text, "\n")
			lines = slices.Replace(lines, b.line-1, end, printed)
		}
	}
	path := filepath.Join("..", filepath.FromSlash(r.page.path))
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644); err != nil {
		r.t.Fatal(err)
	}
}
