package history_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/changes/history"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/google/go-cmp/cmp"
)

func TestARecordAloneDoesNotLeadUndoAnywhere(t *testing.T) {
	elsewhere := func(t *testing.T, id func(path string) string) func(*record.Record) {
		directory, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		return func(r *record.Record) { r.Root = &record.Root{Path: directory, ID: id(directory)} }
	}
	named := func(path string) func(*record.Record) {
		return func(r *record.Record) { r.Changes[0].Path = path }
	}
	for name, row := range map[string]struct {
		with func(*record.Record)
		want string
	}{
		"no root":                  {func(r *record.Record) { r.Root, r.Changes[0].Path = nil, "/nowhere/evil" }, "lies outside of all roots, where nothing is written: take it back by hand, with the lines that claudewatch changes show a prints"},
		"no root, a relative path": {func(r *record.Record) { r.Root = nil }, "lies outside of all roots"},
		"no root, by an edit":      {func(r *record.Record) { r.Root, r.Basis = nil, record.RuntimeReported }, "lies outside of all roots"},
		"another root":             {elsewhere(t, func(string) string { return "0123456789abcdef" }), "the id in the record is not that of the root"},
		"a root never observed":    {elsewhere(t, func(path string) string { return record.NewRoot(path).ID }), "is not one that the recorder has observed: claudewatch changes status lists those"},
		"a relative root":          {func(r *record.Record) { root := record.NewRoot("."); r.Root = &root }, "the id in the record is not that of the root"},
		"a hook of git":            {named(".git/hooks/evil"), "git's own"},
		"of a nested repository":   {named("sub/.GIT/config"), "git's own"},
		"as Windows takes it":      {named("git~1/config"), "git's own"},
		"a .git that says where":   {named(".git"), "git's own"},
		"the records":              {named("data/output/session/main.jsonl"), "claudewatch's own"},
		"claudewatch's home":       {named("home/settings.yaml"), "claudewatch's own"},
		"a link":                   {func(r *record.Record) { r.Changes[0].XType = &record.Sides{Before: record.Symlink} }, "it was a symbolic link, and none is made by what a record says"},
		"out of the root":          {named("../evil"), "leads out of"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, "evil", "EVIL\n", "sub/f", "")
			p.data = p.path("data")
			p.call("a", []string{"evil"}, func() { p.check(os.Remove(p.path("evil"))) }, row.with)
			before := p.tree()
			h, own, err := history.LoadCall(p.data, "", "a", nil)
			p.check(err)
			h.Own = []string{p.path("home")}
			plan := h.Undo(own)
			if len(plan.Refusals) != 1 || !strings.Contains(plan.Refusals[0].Reason, row.want) {
				t.Errorf("got %+v, want %q", plan.Refusals, row.want)
			}
			if plan.Apply() == nil {
				t.Error("a plan that is refused is carried out")
			}
			if diff := cmp.Diff(before, p.tree()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheFileOfAWorktreeIsRemovedWithIt(t *testing.T) {
	p := newProject(t)
	p.edit("a", "tree/.git", "gitdir: elsewhere\n")
	plan := p.undo("a")
	if len(plan.Refusals) > 0 || len(plan.Actions) != 1 {
		t.Errorf("%+v", plan)
	}
}

func TestAnEditIsTakenBackInARootThatNoScanHasSeen(t *testing.T) {
	p := newProject(t, "f", "1\n")
	p.edit("a", "f", "2\n", func(r *record.Record) { r.Basis, r.Window = record.RuntimeReported, nil })
	p.check(os.RemoveAll(filepath.Join(p.data, "state")))
	plan := p.undo("a")
	if len(plan.Refusals) > 0 {
		t.Fatalf("%+v", plan.Refusals)
	}
	p.check(plan.Apply())
	if p.read("f") != "1\n" {
		t.Error(p.read("f"))
	}
}
