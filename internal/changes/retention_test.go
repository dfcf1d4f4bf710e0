package changes

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/content"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/google/go-cmp/cmp"
)

// rest makes it so that nobody has worked in the project for a time.
func (b *bench) rest(duration time.Duration) {
	b.t.Helper()
	then := time.Now().Add(-duration)
	if err := os.Chtimes(b.state().journal(), then, then); err != nil {
		b.t.Fatal(err)
	}
}

func TestTheBytesAndStepsOfAnIdleRootGoAndItsManifestStays(t *testing.T) {
	for _, when := range []struct {
		name string
		do   func(b *bench)
	}{
		{"a session starts", func(b *bench) { b.hook(of("other", Event{Name: "SessionStart"})) }},
		{"a session ends elsewhere", func(b *bench) {
			elsewhere := newBench(b.t)
			elsewhere.data, elsewhere.env.PluginData = b.data, b.data
			elsewhere.event("SessionEnd")
		}},
		{"the user says so", func(b *bench) {
			if _, err := b.recorder().Prune(); err != nil {
				b.t.Error(err)
			}
		}},
	} {
		t.Run(when.name, func(t *testing.T) {
			b := newBench(t)
			b.write("x", "1")
			b.pre("a")
			b.write("x", "2")
			b.post("a")
			b.rest(29 * time.Minute)
			when.do(b)
			if size, err := content.Open(b.state().content()).Size(); size == 0 || err != nil || len(b.journal().steps) == 0 {
				t.Errorf("before that time, %d bytes are kept, %v", size, err)
			}
			b.rest(31 * time.Minute)
			when.do(b)
			if size, err := content.Open(b.state().content()).Size(); size != 0 || err != nil {
				t.Errorf("%d bytes are kept, %v", size, err)
			}
			if steps := b.journal().steps; len(steps) != 0 {
				t.Errorf("%d steps are kept", len(steps))
			}
			b.write("x", "3")
			b.pre("b")
			b.post("b")
			want := []string{"a: returned ~x", "gap/3: ~x(outside)", "b: returned"}
			if diff := cmp.Diff(want, b.lines()); diff != "" {
				t.Error(diff)
			}
			if r := b.record("gap/" + b.state().id + "/3"); r.Window == nil || r.Changes[0].Diff != record.Unavailable {
				t.Errorf("%+v", r)
			}
			b.quiet()
		})
	}
}

func TestWhatAKilledProcessWasWritingGoesFromAnIdleRoot(t *testing.T) {
	b := newBench(t)
	b.pre("a")
	b.post("a")
	old := time.Now().Add(-2 * time.Hour)
	var paths []string
	for _, directory := range []string{b.state().directory, b.state().windows()} {
		path := filepath.Join(directory, ".new-1")
		b.put(path, "half")
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	b.rest(time.Hour)
	b.event("SessionStart")
	for _, path := range paths {
		if exists(path) {
			t.Errorf("%s is still there", path)
		}
	}
	b.quiet()
}

func TestPruneSaysWhatItRemoves(t *testing.T) {
	b := newBench(t)
	b.write("x", "1")
	b.pre("a")
	b.post("a")
	b.rest(31 * time.Minute)
	for _, want := range []Pruned{{Roots: []string{b.root}}, {}} {
		got, err := b.recorder().Prune()
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s%v", diff, err)
		}
	}
}

func TestARootWithAnOpenWindowIsNotIdle(t *testing.T) {
	b := newBench(t)
	b.write("x", "1")
	b.pre("a")
	b.rest(31 * time.Minute)
	b.hook(of("other", Event{Name: "SessionStart"}))
	b.write("x", "2")
	b.post("a")
	if c := b.record("a").Changes; len(c) != 1 || c[0].Diff != record.Available {
		t.Errorf("%q", b.lines())
	}
	b.quiet()
}

func TestPruneClosesWindowsThatHaveBeenOpenForTooLong(t *testing.T) {
	b := newBench(t)
	b.pre("a")
	b.write("x", "1")
	if _, err := b.recorder().Prune(); err != nil || len(b.records()) != 0 {
		t.Errorf("%v, %q", err, b.lines())
	}
	for _, n := range b.notes() {
		n.Opened.Time = time.Now().Add(-31 * time.Minute)
		if err := replaceJSON(b.state().windowFile(n.Key, noteFile), n); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.recorder().Prune(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"a: unfinished +x"}, b.lines()); diff != "" {
		t.Error(diff)
	}
	if r := b.records()[0]; r.Session != "s" || r.Stream != "main" {
		t.Errorf("%s/%s", r.Session, r.Stream)
	}
}

func TestAFileOfRecordsThatNobodyWritesToIsRemoved(t *testing.T) {
	b := newBench(t)
	b.pre("a")
	b.post("a")
	b.hook(of("other", shell("PreToolUse", "b")))
	b.hook(of("other", shell("PostToolUse", "b")))
	old := record.Path(b.data, "s", "main")
	month := time.Now().Add(-721 * time.Hour)
	if err := os.Chtimes(old, month, month); err != nil {
		t.Fatal(err)
	}
	p, err := b.recorder().Prune()
	if diff := cmp.Diff(Pruned{Files: []string{old}}, p); diff != "" || err != nil {
		t.Errorf("%s%v", diff, err)
	}
	if diff := cmp.Diff([]string{"b: returned"}, b.lines()); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(filepath.Dir(old)); err == nil {
		t.Error("the directory of the session is still there")
	}
}

func TestALongJournalGoesIntoTheManifest(t *testing.T) {
	b := newBench(t)
	b.pre("first")
	b.hook(of("other", shell("PreToolUse", "open")))
	for i := range 3 {
		for n := range 500 {
			b.write(filepath.Join("many", string(rune('a'+n%26)), string(rune('a'+n/26))), string(rune('a'+i)))
		}
		b.pre(string(rune('a' + i)))
	}
	// A window that is open keeps the steps that it needs.
	if steps := b.journal().steps; len(steps) < 4 || steps[0].Number > 3 {
		t.Errorf("%d steps", len(steps))
	}
	b.hook(of("other", shell("PostToolUse", "open")))
	b.settings("retention: {idle: 1ns}") // or a call that was given up might still turn up
	b.event("SessionEnd")
	r := b.record("open")
	if steps := b.journal().steps; len(steps) > 2 {
		t.Errorf("afterwards there are still %d steps", len(steps))
	}
	if r.ChangedFiles == nil || *r.ChangedFiles != 500 {
		t.Errorf("%d changes, %q", len(r.Changes), r.Gaps)
	}
	b.quiet()
}

func TestTheStatusOfWhatIsObserved(t *testing.T) {
	b := newBench(t)
	if list := b.recorder().Status(); list != nil {
		t.Errorf("before anything was observed: %+v", list)
	}
	b.write("x", "1")
	b.write("y", "12")
	b.pre("a")
	list := b.recorder().Status()
	if len(list) != 1 {
		t.Fatalf("%+v", list)
	}
	got := list[0]
	if got.LastScan.IsZero() || got.Kept == 0 || got.Problem != nil {
		t.Errorf("%+v", got)
	}
	got.LastScan, got.Kept = time.Time{}, 0
	want := RootStatus{Path: b.root, ID: record.NewRoot(b.root).ID, Files: 2, Windows: []string{"a"}, Steps: 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	b.write("z", "123")
	b.post("a")
	if got := b.recorder().Status()[0]; got.Files != 3 || len(got.Windows) != 0 {
		t.Errorf("after a file was created: %+v", got)
	}
	b.damaged(b.state().manifest())
	if list := b.recorder().Status(); len(list) != 1 || list[0].Problem == nil {
		t.Errorf("with a damaged manifest: %+v", list)
	}
}
