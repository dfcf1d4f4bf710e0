package history_test

import (
	"os"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/changes/history"
	"github.com/google/go-cmp/cmp"
)

// swaps are calls that make a file of a directory, or a directory of a file.
var swaps = map[string]struct {
	names []string
	call  func(p *project)
}{
	"a directory becomes a file": {[]string{"d", "d/f", "d/deep/g"}, func(p *project) {
		p.check(os.RemoveAll(p.path("d")))
		p.write("d", "file\n")
	}},
	"a file becomes a directory": {[]string{"e", "e/f", "e/deep/g"}, func(p *project) {
		p.check(os.Remove(p.path("e")))
		p.write("e/f", "2\n")
		p.write("e/deep/g", "3\n")
	}},
	"both": {[]string{"d", "d/f", "d/deep/g", "e", "e/f"}, func(p *project) {
		p.check(os.RemoveAll(p.path("d")))
		p.check(os.Rename(p.path("e"), p.path("d")))
		p.write("e/f", "2\n")
	}},
}

func swapped(t *testing.T, name string) (p *project, before map[string]string) {
	t.Helper()
	p = newProject(t, "d/f", "1\n", "d/deep/g", "2\n", "e", "1\n", "h", "h\n")
	before = p.tree()
	p.call("a", swaps[name].names, func() { swaps[name].call(p) })
	return p, before
}

func TestFilesAndDirectoriesThatChangedPlacesAreTakenBack(t *testing.T) {
	for name := range swaps {
		t.Run(name, func(t *testing.T) {
			p, before := swapped(t, name)
			after := p.tree()
			plan := p.undo("a")
			if len(plan.Refusals) > 0 {
				t.Fatalf("%+v", plan.Refusals)
			}
			p.check(plan.Apply())
			if diff := cmp.Diff(before, p.tree()); diff != "" {
				t.Errorf("(-before +undone)\n%s", diff)
			}
			// And once more the other way round.
			swaps[name].call(p)
			if diff := cmp.Diff(after, p.tree()); diff != "" {
				t.Fatal(diff)
			}
			restore := p.load(history.Filter{Files: []string{p.root}}).Restore(p.root, start)
			if len(restore.Refusals) > 0 {
				t.Fatalf("%+v", restore.Refusals)
			}
			p.check(restore.Apply())
			if diff := cmp.Diff(before, p.tree()); diff != "" {
				t.Errorf("(-before +restored)\n%s", diff)
			}
		})
	}
}

func TestRestoreOfNowIsNotRefusedForWhatChangedPlaces(t *testing.T) {
	for name := range swaps {
		p, _ := swapped(t, name)
		if plan := p.load(history.Filter{Files: []string{p.root}}).Restore(p.root, p.now); len(plan.Refusals) > 0 || len(plan.Actions) > 0 {
			t.Errorf("%s: %+v", name, plan)
		}
	}
}

func TestWhatFailsAmongFilesThatChangePlacesLeavesNothingChanged(t *testing.T) {
	for name := range swaps {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, "d/f", "1\n", "d/deep/g", "2\n", "e", "1\n", "z", "1\n")
			p.call("a", append([]string{"z"}, swaps[name].names...), func() { swaps[name].call(p); p.write("z", "2\n") })
			plan := p.undo("a")
			if len(plan.Refusals) > 0 {
				t.Fatalf("%+v", plan.Refusals)
			}
			p.write("z", "3\n") // between the plan and what is done
			before := p.tree()
			if err := plan.Apply(); err == nil || !strings.Contains(err.Error(), "nothing was changed") {
				t.Errorf("got %v", err)
			}
			if diff := cmp.Diff(before, p.tree()); diff != "" {
				t.Errorf("(-before +after)\n%s", diff)
			}
		})
	}
}

func TestADirectoryInThePlaceOfAFileIsNotRemovedWithWhatOthersMadeInIt(t *testing.T) {
	for name, row := range map[string]struct {
		then func(p *project)
		want string
	}{
		"another file in it": {func(p *project) { p.write("e/deep/other", "") }, "it is a directory now, and e/deep/other in it would have to be removed too"},
		"changed since":      {func(p *project) { p.write("e/f", "9\n") }, "it is a directory now, and e/f in it would have to be removed too"},
		"empty":              {func(p *project) { p.check(os.RemoveAll(p.path("e"))); p.check(os.Mkdir(p.path("e"), 0o755)) }, "it is a directory now"},
	} {
		p, _ := swapped(t, "a file becomes a directory")
		row.then(p)
		before := p.tree()
		plan := p.undo("a")
		var reasons []string
		for _, r := range plan.Refusals {
			if r.Path == p.path("e") {
				reasons = append(reasons, r.Reason)
			}
		}
		if diff := cmp.Diff([]string{row.want}, reasons); diff != "" || plan.Apply() == nil {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(before, p.tree()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestAFileInThePlaceOfADirectoryStaysWhenTheCallHasNotMadeIt(t *testing.T) {
	p := newProject(t, "d/f", "1\n")
	p.call("a", []string{"d/f"}, func() { p.check(os.RemoveAll(p.path("d"))) })
	p.write("d", "a person's\n")
	plan := p.undo("a")
	if len(plan.Refusals) != 1 || plan.Refusals[0].Reason != "d is no directory any more" {
		t.Errorf("%+v", plan.Refusals)
	}
}
