package history_test

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/history"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/git/gittest"
	"github.com/google/go-cmp/cmp"
)

func (p *project) undo(id string) *history.Plan {
	p.t.Helper()
	h, own, err := history.LoadCall(p.data, "", id, nil)
	p.check(err)
	return h.Undo(own)
}

func TestUndoTakesACallBackByteForByte(t *testing.T) {
	large := strings.Repeat("x", sizeCap+1)
	for name, row := range map[string]struct {
		names []string
		make  func(p *project) // before the call
		call  func(p *project)
		after func(p *project) // before it is undone
	}{
		"changed":              {names: []string{"f"}, call: func(p *project) { p.write("f", "other\n") }},
		"several files":        {names: []string{"f", "g", "new"}, call: func(p *project) { p.write("f", "1"); p.write("g", ""); p.write("new", "x") }},
		"made":                 {names: []string{"new"}, call: func(p *project) { p.write("new", "x") }},
		"made with nothing":    {names: []string{"new"}, call: func(p *project) { p.write("new", "") }},
		"deleted":              {names: []string{"f"}, call: func(p *project) { p.check(os.Remove(p.path("f"))) }},
		"deleted, large":       {names: []string{"large"}, make: func(p *project) { p.keep(large) }, call: func(p *project) { p.check(os.Remove(p.path("large"))) }},
		"changed, large":       {names: []string{"large"}, make: func(p *project) { p.keep(large) }, call: func(p *project) { p.write("large", "x") }},
		"made, large":          {names: []string{"new"}, call: func(p *project) { p.write("new", large) }},
		"a directory deleted":  {names: []string{"sub/a", "sub/deep/b"}, call: func(p *project) { p.check(os.RemoveAll(p.path("sub"))) }},
		"renamed":              {names: []string{"f", "sub/f"}, call: func(p *project) { p.check(os.Rename(p.path("f"), p.path("sub/f"))) }},
		"line ends":            {names: []string{"crlf", "bare"}, call: func(p *project) { p.write("crlf", "a\nb\n"); p.write("bare", "a\nb\n") }},
		"its mode":             {names: []string{"f"}, call: func(p *project) { p.check(os.Chmod(p.path("f"), 0o755)) }},
		"its mode and content": {names: []string{"x"}, call: func(p *project) { p.write("x", "1"); p.check(os.Chmod(p.path("x"), 0o600)) }},
		"deleted, executable":  {names: []string{"x"}, call: func(p *project) { p.check(os.Remove(p.path("x"))) }},
		"binary":               {names: []string{"bin"}, make: func(p *project) { p.keep("\x00\x01") }, call: func(p *project) { p.write("bin", "\x02\x00") }},
		"a link made":          {names: []string{"link"}, call: func(p *project) { p.check(os.Symlink("f", p.path("link"))) }},
		"changed back since":   {names: []string{"f"}, call: func(p *project) { p.write("f", "1") }, after: func(p *project) { p.edit("b", "f", "2"); p.edit("c", "f", "1") }},
		"others work elsewhere": {names: []string{"f"}, call: func(p *project) { p.write("f", "1") }, after: func(p *project) {
			p.edit("b", "g", "2")
			p.check(os.Remove(p.path("g")))
			p.write("g", "g\n")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && (strings.Contains(name, "mode") || strings.Contains(name, "link")) {
				t.Skip("not on Windows")
			}
			p := newProject(t, "f", "1\n2\n", "g", "g\n", "large", large, "crlf", "a\r\nb\r\n", "bare", "a\nb", "bin", "\x00\x01", "sub/a", "1\n", "sub/deep/b", "2")
			p.write("x", "#!/bin/sh\n")
			p.check(os.Chmod(p.path("x"), 0o755))
			if row.make != nil {
				row.make(p)
			}
			before := p.tree()
			r := p.call("a", row.names, func() { row.call(p) })
			if len(r.Changes) == 0 {
				t.Fatal("the call changed nothing")
			}
			if row.after != nil {
				row.after(p)
			}
			plan := p.undo("a")
			if len(plan.Refusals) > 0 {
				t.Fatalf("refused: %+v", plan.Refusals)
			}
			if diff := cmp.Diff(len(r.Changes), len(plan.Actions)); diff != "" {
				t.Error(diff)
			}
			p.check(plan.Apply())
			if diff := cmp.Diff(before, p.tree()); diff != "" {
				t.Errorf("(-before +undone)\n%s", diff)
			}
		})
	}
}

func TestUndoIsRefusedWithTheReason(t *testing.T) {
	large := strings.Repeat("x", sizeCap+1)
	change := func(p *project) { p.write("f", "2\n"); p.write("g", "2\n") }
	for name, row := range map[string]struct {
		call func(p *project)
		with func(r *record.Record)
		then func(p *project)
		want string
	}{
		"changed since":              {change, nil, func(p *project) { p.write("f", "3\n") }, "it has changed since"},
		"changed since by a call":    {change, nil, func(p *project) { p.edit("b", "f", "3\n") }, "it has changed since (last recorded change: b)"},
		"deleted since":              {change, nil, func(p *project) { p.check(os.Remove(p.path("f"))) }, "it was deleted since"},
		"made again since":           {func(p *project) { p.check(os.Remove(p.path("f"))) }, nil, func(p *project) { p.write("f", "1\n") }, "it was created again since"},
		"a directory now":            {change, nil, func(p *project) { p.check(os.Remove(p.path("f"))); p.check(os.Mkdir(p.path("f"), 0o755)) }, "it has become a directory since"},
		"a link now":                 {change, nil, func(p *project) { p.check(os.Remove(p.path("f"))); p.check(os.Symlink("g", p.path("f"))) }, "it has become a symbolic link since"},
		"its mode changed since":     {func(p *project) { p.check(os.Chmod(p.path("f"), 0o755)) }, nil, func(p *project) { p.check(os.Chmod(p.path("f"), 0o700)) }, "its mode has changed since, from 0755 to 0700"},
		"its directory leads out":    {func(p *project) { p.write("sub/f", "2\n") }, nil, func(p *project) { p.replaceByLink("sub", p.data) }, "which leads out of"},
		"its directory is a link":    {func(p *project) { p.write("sub/f", "2\n") }, nil, func(p *project) { p.replaceByLink("sub", p.path("other")) }, "its directory sub is a symbolic link now"},
		"its directory is a file":    {func(p *project) { p.write("sub/f", "2\n") }, nil, func(p *project) { p.check(os.RemoveAll(p.path("sub"))); p.write("sub", "") }, "sub is no directory any more"},
		"the root is gone":           {change, nil, func(p *project) { p.check(os.RemoveAll(p.root)) }, "is gone"},
		"the root is a link":         {change, nil, func(p *project) { p.check(os.Rename(p.root, p.root+"2")); p.check(os.Symlink(p.root+"2", p.root)) }, "is a symbolic link now"},
		"shared":                     {change, shared("toolu_b"), nil, "shared with toolu_b, whose work would be taken back too"},
		"read-only":                  {func(*project) {}, func(r *record.Record) { r.Basis, r.ChangedFiles = record.SkippedReadOnly, nil }, nil, "classified as one that only reads"},
		"not known":                  {func(*project) {}, func(r *record.Record) { r.ChangedFiles, r.Gaps = nil, []string{"no scan was made"} }, nil, "not known: no scan was made"},
		"bytes no longer kept":       {func(p *project) { p.write("large", "1") }, nil, nil, "too large to be kept"},
		"binary bytes gone":          {func(p *project) { p.write("bin", "1") }, nil, nil, "no longer kept"},
		"a secret":                   {func(p *project) { p.write("f", "2") }, secret, nil, "its bytes are never kept"},
		"a link that was deleted":    {func(p *project) { p.check(os.Remove(p.path("link"))) }, nil, nil, "it was a symbolic link, and none is made"},
		"another file in the middle": {change, nil, func(p *project) { p.write("g", "") }, "it has changed since"},
		"taken back already":         {change, nil, func(p *project) { p.write("f", "1\n"); p.write("g", "1\n") }, "it has changed since, and is what it was before"},
		"removed already":            {func(p *project) { p.write("new", "2\n") }, nil, func(p *project) { p.check(os.Remove(p.path("new"))) }, "it was deleted since, and is what it was before"},
		"a path that leads out":      {change, func(r *record.Record) { r.Changes[0].Path = "../f" }, nil, "leads out of"},
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && (strings.Contains(name, "mode") || strings.Contains(name, "link") || strings.Contains(name, "leads out")) {
				t.Skip("not on Windows")
			}
			p := newProject(t, "f", "1\n", "g", "1\n", "sub/f", "1\n", "other/f", "1\n", "large", large, "bin", "\x00")
			if err := os.Symlink("f", p.path("link")); err != nil && runtime.GOOS != "windows" {
				t.Fatal(err)
			}
			var with []func(*record.Record)
			if row.with != nil {
				with = append(with, row.with)
			}
			p.call("a", []string{"f", "g", "sub/f", "large", "bin", "link", "new"}, func() { row.call(p) }, with...)
			if row.then != nil {
				row.then(p)
			}
			before := map[string]string{}
			if name != "the root is gone" {
				before = p.tree()
			}
			plan := p.undo("a")
			if len(plan.Refusals) == 0 || !strings.Contains(plan.Refusals[0].Reason, row.want) {
				t.Errorf("refusals %+v, want %q", plan.Refusals, row.want)
			}
			if plan.Apply() == nil {
				t.Error("a plan that is refused is carried out")
			}
			if name != "the root is gone" {
				if diff := cmp.Diff(before, p.tree()); diff != "" {
					t.Errorf("something was changed (-before +after)\n%s", diff)
				}
			}
		})
	}
}

// replaceByLink puts a symbolic link in the place of a directory.
func (p *project) replaceByLink(name, target string) {
	p.t.Helper()
	p.check(os.RemoveAll(p.path(name)))
	p.check(os.Symlink(target, p.path(name)))
}

func secret(r *record.Record) {
	for i := range r.Changes {
		c := &r.Changes[i]
		c.XSecret, c.Diff, c.Hunks = true, record.Unavailable, nil
	}
}

func TestUndoTakesBytesFromGit(t *testing.T) {
	r := gittest.New(t)
	r.Commit("a b", "\x00first", "g", "x\n")
	p := &project{t: t, data: t.TempDir(), root: r.Dir, now: start}
	p.edit("a", "a b", "\x00second")
	plan := p.undo("a")
	if len(plan.Refusals) > 0 {
		t.Fatal(plan.Refusals)
	}
	p.check(plan.Apply())
	if got := p.read("a b"); got != "\x00first" {
		t.Errorf("got %q", got)
	}
}

func TestAllRecordsOfACallAreUndoneTogether(t *testing.T) {
	p := newProject(t, "f", "1\n")
	second := newProject(t, "g", "1\n")
	p.edit("a", "f", "2\n")
	p.edit("a/late", "f", "3\n", func(r *record.Record) { r.Tool = "a" })
	second.data = p.data
	second.edit("a/second", "g", "2\n", func(r *record.Record) { r.Tool = "a" })
	plan := p.undo("a")
	if len(plan.Refusals) > 0 || len(plan.Actions) != 2 {
		t.Fatalf("%+v", plan)
	}
	p.check(plan.Apply())
	if p.read("f") != "1\n" || second.read("g") != "1\n" {
		t.Errorf("got %q and %q", p.read("f"), second.read("g"))
	}
}

func TestUndoIsRefusedWhenSomethingElseWasAtItBeforeTheCallWasOver(t *testing.T) {
	p := newProject(t, "f", "1\n")
	p.edit("a", "f", "2\n")
	p.write("f", "other\n")
	p.edit("a/late", "f", "3\n", func(r *record.Record) { r.Tool = "a" })
	plan := p.undo("a")
	if len(plan.Refusals) != 1 || !strings.Contains(plan.Refusals[0].Reason, "before the call was over") {
		t.Errorf("%+v", plan.Refusals)
	}
}

func TestWhatWasNotObservedIsNoted(t *testing.T) {
	p := newProject(t, "f", "1\n")
	p.edit("a", "f", "2\n", func(r *record.Record) { r.Coverage, r.Gaps = record.Partial, []string{"locked/: permission denied"} })
	plan := p.undo("a")
	if len(plan.Refusals) > 0 || len(plan.Notes) != 1 || !strings.Contains(plan.Notes[0], "locked/") {
		t.Errorf("%+v", plan)
	}
}

func TestAnUndoThatFailsLeavesNothingChanged(t *testing.T) {
	p := newProject(t, "a", "1\n", "b", "1\n", "d/c", "1\n", "z", "1\n")
	p.check(os.Chmod(p.path("b"), 0o600))
	names := []string{"a", "b", "d/c", "new", "z"}
	p.call("a", names, func() {
		p.write("a", "2\n")
		p.check(os.Chmod(p.path("b"), 0o640))
		p.check(os.RemoveAll(p.path("d")))
		p.write("new", "2\n")
		p.write("z", "2\n")
	})
	plan := p.undo("a")
	if len(plan.Refusals) > 0 {
		t.Fatal(plan.Refusals)
	}
	p.write("z", "3\n") // between the plan and what is done
	before := p.tree()
	err := plan.Apply()
	if err == nil || !strings.Contains(err.Error(), "it has changed since; nothing was changed") {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(before, p.tree()); diff != "" {
		t.Errorf("(-before +after)\n%s", diff)
	}
	if _, err := os.Lstat(p.path("d")); !os.IsNotExist(err) {
		t.Errorf("a directory is left over: %v", err)
	}
}

func TestAnUndoThatCannotWriteLeavesNothingChanged(t *testing.T) {
	if os.Geteuid() <= 0 {
		t.Skip("permissions do not count here")
	}
	p := newProject(t, "a", "1\n", "locked/b", "1\n")
	p.call("a", []string{"a", "locked/b"}, func() { p.write("a", "2\n"); p.write("locked/b", "2\n") })
	plan := p.undo("a")
	p.check(os.Chmod(p.path("locked"), 0o500))
	defer os.Chmod(p.path("locked"), 0o700)
	if err := plan.Apply(); err == nil {
		t.Error("no error")
	}
	if p.read("a") != "2\n" {
		t.Error("the first file was taken back alone")
	}
}

// TestUndoOfACallThatChangedMuchIsExact lets a call do things at random, and compares.
func TestUndoOfACallThatChangedMuchIsExact(t *testing.T) {
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 1))
		p := newProject(t)
		var names []string
		for n := range 12 {
			name := fmt.Sprintf("d%d/e%d/f%d", n%2, n%3, n)
			names = append(names, name)
			if random.IntN(3) > 0 {
				p.write(name, randomText(random))
				p.check(os.Chmod(p.path(name), []fs.FileMode{0o644, 0o600, 0o755}[random.IntN(3)]))
			}
		}
		before := p.tree()
		p.call("a", names, func() {
			for _, name := range names {
				switch random.IntN(4) {
				case 0:
					p.write(name, randomText(random))
				case 1:
					_ = os.Remove(p.path(name))
				case 2:
					_ = os.Chmod(p.path(name), 0o700)
				}
			}
		})
		plan := p.undo("a")
		if len(plan.Refusals) > 0 {
			t.Fatalf("seed %d: %+v", seed, plan.Refusals)
		}
		p.check(plan.Apply())
		if diff := cmp.Diff(before, p.tree()); diff != "" {
			t.Fatalf("seed %d: (-before +undone)\n%s", seed, diff)
		}
	}
}

func randomText(random *rand.Rand) string {
	var b strings.Builder
	for range random.IntN(8) {
		b.WriteString([]string{"a\n", "b\n", "\r\n", "\n", "é\n", "x"}[random.IntN(6)])
	}
	return b.String()
}

func TestRestoreMakesAFileWhatItWasAtATime(t *testing.T) {
	p := newProject(t, "f", "1\n", "g", "1\n")
	p.edit("a", "f", "2\n")                                                // 12:00:00 to :01
	p.edit("b", "f", "3\n")                                                // 12:00:02 to :03
	p.call("c", []string{"f"}, func() { p.check(os.Remove(p.path("f"))) }) // :04 to :05
	p.edit("d", "f", "4\n")                                                // :06 to :07
	for _, row := range []struct {
		seconds float64
		want    string // "" for none
	}{{0, "1\n"}, {1, "2\n"}, {1.5, "2\n"}, {2, "2\n"}, {3.5, "3\n"}, {5.5, ""}, {7, "4\n"}, {100, "4\n"}} {
		p.write("f", "4\n")
		plan := p.load(history.Filter{Files: []string{p.path("f")}}).Restore(p.path("f"), start.Add(time.Duration(row.seconds*float64(time.Second))))
		if len(plan.Refusals) > 0 {
			t.Errorf("%v: %+v", row.seconds, plan.Refusals)
			continue
		}
		p.check(plan.Apply())
		got, _ := os.ReadFile(p.path("f"))
		if string(got) != row.want {
			t.Errorf("%v: got %q, want %q", row.seconds, got, row.want)
		}
	}
}

func TestRestoreIsRefusedWithTheReason(t *testing.T) {
	at := func(seconds float64) time.Time { return start.Add(time.Duration(seconds * float64(time.Second))) }
	for name, row := range map[string]struct {
		at   time.Time
		then func(p *project)
		want string
	}{
		"during the call":           {at(0.5), nil, "it was being changed at that time, by a"},
		"before the records":        {at(-1), nil, "the records begin at"},
		"changed since":             {at(1.5), func(p *project) { p.write("f", "9\n") }, "it has changed since"},
		"no record of it":           {at(1), func(p *project) { p.check(os.RemoveAll(filepath.Join(p.data, "output"))) }, "there is no record of it"},
		"changed in between":        {at(1.5), func(p *project) { p.write("f", "x"); p.edit("c", "f", "y"); p.write("f", "z"); p.edit("d", "f", "w") }, "the bytes that it held before are no longer kept"},
		"changed since, and was so": {at(100), func(p *project) { p.write("f", "9\n") }, "it has changed since, after the last record of it"},
		"not recorded by then":      {at(3.5), func(p *project) { p.write("f", "x"); p.edit("c", "f", "y") }, "what it was at that time is not recorded"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, "f", "1\n")
			p.edit("a", "f", "2\n")
			p.edit("b", "f", "3\n")
			if row.then != nil {
				row.then(p)
			}
			plan := p.load(history.Filter{Files: []string{p.path("f")}}).Restore(p.path("f"), row.at)
			if len(plan.Refusals) != 1 || !strings.Contains(plan.Refusals[0].Reason, row.want) {
				t.Errorf("refusals %+v, want %q", plan.Refusals, row.want)
			}
		})
	}
}

func TestADirectoryIsRestoredWhollyOrNotAtAll(t *testing.T) {
	p := newProject(t, "d/f", "1\n", "d/g", "1\n", "d/h", "1\n", "e", "1\n")
	p.call("a", []string{"d/f", "d/g", "d/new", "e"}, func() {
		p.write("d/f", "2\n")
		p.check(os.Remove(p.path("d/g")))
		p.write("d/new", "x")
		p.write("e", "2\n")
	})
	restore := func() *history.Plan {
		return p.load(history.Filter{Files: []string{p.path("d")}}).Restore(p.path("d"), start)
	}
	p.write("d/new", "y")
	if plan := restore(); len(plan.Refusals) != 1 || plan.Apply() == nil {
		t.Errorf("%+v", plan)
	}
	if p.read("d/f") != "2\n" {
		t.Error("a part was restored")
	}
	p.write("d/new", "x")
	p.check(restore().Apply())
	want := []string{"d/f 0644 1\n", "d/g 0644 1\n", "d/h 0644 1\n", "e 0644 2\n"}
	tree := p.tree()
	var got []string
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		got = append(got, filepath.ToSlash(name)+" "+tree[name])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWhatTwoWindowsSawHappenedWhileBothWereOpen(t *testing.T) {
	p := newProject(t, "f", "1\n")
	inner := p.edit("b", "f", "2\n", shared("a")) // 12:00:00 to :01
	outer := *inner
	outer.ID, outer.Tool, outer.Changes = "a", "a", slices.Clone(inner.Changes)
	outer.Changes[0].Windows = []string{"a", "b"}
	early, late := record.Time{Time: start.Add(-10 * time.Second)}, record.Time{Time: start.Add(10 * time.Second)}
	outer.Window, outer.Time = &record.Window{Before: record.Span{From: early, To: early}, After: record.Span{From: late, To: late}}, late
	p.check(record.Append(p.data, outer.Session, outer.Stream, &outer))
	plan := p.load(history.Filter{}).Restore(p.path("f"), start.Add(-time.Second))
	if len(plan.Refusals) > 0 || len(plan.Actions) != 1 || string(plan.Actions[0].Content) != "1\n" {
		t.Errorf("%+v", plan)
	}
	plan = p.load(history.Filter{}).Restore(p.path("f"), start.Add(5*time.Second))
	if len(plan.Refusals) > 0 || len(plan.Actions) != 0 {
		t.Errorf("%+v", plan)
	}
}

// A call whose window was given up, and which came to its end after all, may have made
// what the call after it says is its own.
func TestWhatALateRecordSharesIsNobodysAlone(t *testing.T) {
	for name, row := range map[string]struct {
		late func(*record.Record)
		own  bool
	}{
		"the late record names the call":  {late: shared("b")},
		"the late record names another":   {late: shared("c"), own: true},
		"the late record is alone":        {late: func(*record.Record) {}, own: true},
		"the late record is of elsewhere": {late: func(r *record.Record) { shared("b")(r); elsewhere := record.NewRoot("/elsewhere"); r.Root = &elsewhere }, own: true},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, "f", "1\n")
			p.edit("b", "f", "2\n")
			now := p.now
			p.write("f", "1\n")
			p.edit("a/late", "f", "2\n", row.late, func(r *record.Record) { r.Tool = "a"; r.Time = record.Time{Time: now} })

			h, err := history.Load(p.data, history.Filter{Tools: []string{"b"}}, nil)
			p.check(err)
			want := record.Change{Attribution: record.OnlyThisWindow, Windows: []string{"b"}}
			if !row.own {
				want = record.Change{Attribution: record.Shared, Windows: []string{"b", "a/late"}}
			}
			got := h.Records[0].Changes[0]
			if diff := cmp.Diff(want, record.Change{Attribution: got.Attribution, Windows: got.Windows}); diff != "" {
				t.Error(diff)
			}
			_, own, err := history.LoadCall(p.data, "", "b", nil)
			p.check(err)
			if got := own[0].Changes[0].Attribution; got != want.Attribution {
				t.Errorf("to be undone: %s", got)
			}
			refused := slices.ContainsFunc(p.undo("b").Refusals, func(r history.Refusal) bool {
				return strings.Contains(r.Reason, "shared with a/late, whose work would be taken back too")
			})
			if refused == row.own {
				t.Errorf("undo: %+v", p.undo("b").Refusals)
			}
		})
	}
}
