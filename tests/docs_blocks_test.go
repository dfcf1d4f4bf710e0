package tests

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// page is a page of the documentation.
type page struct {
	// path is where it stands, seen from the root of the repository.
	path string
	text string
	// generated pages are compared with what generates them, in internal/reference.
	generated bool
	blocks    []block
}

// block is a fenced block of a page.
type block struct {
	page     string
	line     int // of the first line of its text
	language string
	text     string
	// markers are the comments above the block: <!-- name: value -->.
	markers map[string]string
}

func (b block) String() string { return fmt.Sprintf("%s:%d", b.page, b.line) }

// The names of markers; docs/README.md says what they mean.
const (
	markerNotRun     = "not run"
	markerFile       = "file"
	markerUnfinished = "unfinished"
	markerIn         = "in"
)

var markerNames = []string{markerNotRun, markerFile, markerUnfinished, markerIn}

var (
	openFence  = regexp.MustCompile("^( *)(```+|~~~+) *([^`]*)$")
	markerLine = regexp.MustCompile(`^ *<!-- ([a-z ]+): (.+?) -->$`)
)

// documentation returns README.md and the pages of docs/.
func documentation(t *testing.T) []*page {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	var pages []*page
	for _, name := range append([]string{filepath.Join("..", "README.md")}, names...) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		path := strings.TrimPrefix(filepath.ToSlash(name), "../")
		p, err := readPage(path, string(text))
		if err != nil {
			t.Error(err)
			continue
		}
		pages = append(pages, p)
	}
	return pages
}

// readPage finds the blocks of a page.
func readPage(path, text string) (*page, error) {
	p := &page{path: path, text: text, generated: strings.HasPrefix(text, "<!-- Generated")}
	markers := map[string]string{}
	var open *block
	var fence, indent string
	for i, line := range strings.Split(text, "\n") {
		if open != nil {
			if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
				p.blocks = append(p.blocks, *open)
				open = nil
			} else {
				open.text += strings.TrimPrefix(line, indent) + "\n"
			}
			continue
		}
		if m := openFence.FindStringSubmatch(line); m != nil {
			indent, fence = m[1], m[2]
			open = &block{page: path, line: i + 2, language: m[3], markers: markers}
			markers = map[string]string{}
		} else if m := markerLine.FindStringSubmatch(line); m != nil {
			if !slices.Contains(markerNames, m[1]) {
				return nil, fmt.Errorf("%s:%d: there is no marker %q, only %q", path, i+1, m[1], markerNames)
			}
			markers[m[1]] = m[2]
		} else if strings.TrimSpace(line) != "" && len(markers) > 0 {
			return nil, fmt.Errorf("%s:%d: a block must follow after the markers %q", path, i+1, slices.Sorted(maps.Keys(markers)))
		}
	}
	if open != nil {
		return nil, fmt.Errorf("%s: the block has no end", open)
	}
	return p, nil
}

func TestBlocksOfAPageAreFoundWithTheirMarkers(t *testing.T) {
	p, err := readPage("a.md", strings.Join([]string{
		"# A page",
		"<!-- file: ~/x.yml -->",
		"",
		"```yaml",
		"a: 1",
		"```",
		"- in a list",
		"  ````text",
		"  ```",
		"    deeper",
		"  ````",
		"`code` and ```code``` in a line",
		"<!-- a remark -->",
		"~~~",
		"~~~",
	}, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []block{
		{page: "a.md", line: 5, language: "yaml", text: "a: 1\n", markers: map[string]string{"file": "~/x.yml"}},
		{page: "a.md", line: 9, language: "text", text: "```\n  deeper\n", markers: map[string]string{}},
		{page: "a.md", line: 15, text: "", markers: map[string]string{}},
	}
	if diff := cmp.Diff(want, p.blocks, cmp.AllowUnexported(block{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestAPageWithAMistakeInItsBlocksIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"no end":                   "```sh\nls\n",
		"an unknown marker":        "<!-- notrun: because -->\n```\n```\n",
		"a marker without a block": "<!-- not run: because -->\ntext\n```\n```\n",
	} {
		if p, err := readPage("a.md", text); err == nil {
			t.Errorf("%s: no error, blocks %v", name, p.blocks)
		}
	}
}
