package scan_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/changes/scan"
)

func TestAScanNamesWhatItDidNotObserve(t *testing.T) {
	p := newPlace(t)
	p.write("a/b=1", "a/closed/c=2", "d=3")
	p.scan()
	p.options.Intercept(func(what, name string) error {
		if what == "list" && name == "closed" {
			return fs.ErrPermission
		}
		return nil
	})
	r := p.scan()
	if !slices.Equal(r.Unobserved, []string{"a/closed"}) {
		t.Errorf("unobserved: %q", r.Unobserved)
	}
	p.allow()
	r = p.cutAt(func(what, name string) bool { return what == "list" && name == "." })
	if !slices.Equal(r.Unobserved, []string{"."}) {
		t.Errorf("unobserved: %q", r.Unobserved)
	}
	if r := p.scan(); len(r.Unobserved) > 0 {
		t.Errorf("unobserved: %q", r.Unobserved)
	}
}

func TestWhatIsBelowAPathThatWasNotObservedWasNotEither(t *testing.T) {
	for _, c := range []struct {
		unobserved, path string
		want             bool
	}{
		{"", "a", true},
		{".", "a", false},
		{"a", "a", false},
		{"a", "a/b", false},
		{"a", "ab", true},
		{"a/b", "a", true},
		{"c,a", "a/b/c", false},
	} {
		list := strings.FieldsFunc(c.unobserved, func(r rune) bool { return r == ',' })
		if got := scan.Observed(list, c.path); got != c.want {
			t.Errorf("%s when %q was not observed: observed %v, want %v", c.path, list, got, c.want)
		}
	}
}

func TestManyPathsThatWereNotObservedAreNamedByTheirDirectories(t *testing.T) {
	var paths []string
	for _, directory := range numbered("d%d/e", 3) {
		paths = append(paths, numbered(directory+"/%d", 100)...)
	}
	if got := scan.Fewest(slices.Clone(paths)); !slices.Equal(got, []string{"d0/e", "d1/e", "d2/e"}) {
		t.Errorf("got %q", got)
	}
	if got := scan.Fewest(numbered("%d", 300)); !slices.Equal(got, []string{"."}) {
		t.Errorf("got %q", got)
	}
	if got := scan.Fewest([]string{"a/b", "a", "a.b", "a/b/c"}); !slices.Equal(got, []string{"a", "a.b"}) {
		t.Errorf("got %q", got)
	}
}
