package changes

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/google/go-cmp/cmp"
)

// step of a play: an event, a write or an edit.
type act func(b *bench)

func pre(id, agent string) act { return func(b *bench) { b.hook(in(agent, shell("PreToolUse", id))) } }
func post(id, agent string) act {
	return func(b *bench) { b.hook(in(agent, shell("PostToolUse", id))) }
}
func write(name, content string) act {
	return func(b *bench) { b.write(name, content) }
}
func remove(name string) act { return func(b *bench) { b.remove(name) } }
func stop(b *bench)          { b.event("Stop") }
func edit(id, name, before, after string) act {
	return func(b *bench) { b.edit(id, name, before, after) }
}

// play does the acts of a play one after the other; then the records are those that are
// wanted, in whatever order.
func play(t *testing.T, acts []act, want []string) {
	b := newBench(t)
	b.write("before.txt", "1")
	for _, do := range acts {
		do(b)
	}
	got, want := b.lines(), slices.Clone(want)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	b.quiet()
}

func TestWhoCanHaveMadeAChange(t *testing.T) {
	for _, c := range []struct {
		name string
		acts []act
		want []string
	}{
		{"a call alone",
			[]act{pre("a", ""), write("x", "1"), post("a", "")},
			[]string{"a: returned +x"}},
		{"nobody",
			[]act{pre("a", ""), post("a", ""), write("x", "1"), stop},
			[]string{"a: returned", "gap/3: +x(outside)"}},
		{"before a call",
			[]act{pre("a", ""), post("a", ""), write("x", "1"), pre("b", ""), write("x", "2"), post("b", "")},
			[]string{"a: returned", "gap/3: +x(outside)", "b: returned ~x"}},
		{"two calls, one inside the other: what only one spans is its alone",
			[]act{pre("a", ""), write("x", "1"), pre("b", "agent"), write("y", "1"), post("b", "agent"), write("z", "1"), post("a", "")},
			[]string{"b: returned +y(a)", "a: returned +x +y(b) +z"}},
		{"two calls that overlap",
			[]act{pre("a", ""), write("x", "1"), pre("b", "agent"), write("y", "1"), post("a", ""), write("z", "1"), post("b", "agent")},
			[]string{"b: returned +y(a) +z", "a: returned +x +y(b)"}},
		{"a file that both change, one of them alone at first",
			[]act{pre("a", ""), write("x", "1"), pre("b", "agent"), write("x", "2"), post("b", "agent"), post("a", "")},
			[]string{"b: returned ~x(a)", "a: returned +x(b)"}},
		{"three calls at a time",
			[]act{pre("a", ""), pre("b", "one"), pre("c", "two"), write("x", "1"), post("b", "one"), post("c", "two"), post("a", "")},
			[]string{"a: returned +x(b,c)", "b: returned +x(a,c)", "c: returned +x(a,b)"}},
		{"a file that ends as it began is not listed",
			[]act{write("x", "1"), pre("a", ""), write("x", "2"), write("y", "1"), write("x", "1"), remove("y"), post("a", "")},
			[]string{"a: returned"}},
		{"what one call undoes and another one tells of is told",
			[]act{pre("a", ""), pre("b", "agent"), write("x", "1"), post("b", "agent"), remove("x"), post("a", "")},
			[]string{"b: returned +x(a)", "a: returned", "gap/5: -x(a)"}},
		{"an edit of the runtime",
			[]act{pre("a", ""), post("a", ""), edit("e", "x", "", "1"), stop},
			[]string{"a: returned", "e: returned +x"}},
		{"an edit before anything was observed",
			[]act{edit("e", "x", "", "1"), pre("a", ""), post("a", "")},
			[]string{"e: returned +x", "a: returned"}},
		{"an edit in somebody's window is not that one's",
			[]act{pre("a", "agent"), edit("e", "x", "", "1"), write("y", "1"), post("a", "agent")},
			[]string{"a: returned +y", "e: returned +x"}},
		{"a file that the runtime and a call change",
			[]act{pre("a", "agent"), edit("e", "x", "", "1"), write("x", "2"), post("a", "agent")},
			[]string{"a: returned +x(e)", "e: returned +x"}},
		{"an edit of a file that somebody had changed",
			[]act{write("x", "0"), pre("a", ""), post("a", ""), write("x", "1"), edit("e", "x", "1", "2"), stop},
			[]string{"a: returned", "gap/3: ~x(outside)", "e: returned ~x"}},
		{"an edit that a call undoes in its window",
			[]act{write("x", "0"), pre("a", "agent"), edit("e", "x", "0", "1"), write("x", "0"), post("a", "agent")},
			[]string{"a: returned", "gap/4: ~x(a)", "e: returned ~x"}},
	} {
		t.Run(c.name, func(t *testing.T) { play(t, c.acts, c.want) })
	}
}

func TestEachRecordNamesTheOtherWindows(t *testing.T) {
	b := newBench(t)
	b.pre("outer")
	b.hook(in("agent", shell("PreToolUse", "inner")))
	b.hook(of("other", shell("PreToolUse", "third")))
	b.hook(in("agent", shell("PostToolUse", "inner")))
	b.post("outer")
	b.hook(of("other", shell("PostToolUse", "third")))
	overlap := func(session, stream, id, state string) record.Overlap {
		return record.Overlap{Capture: id, Session: session, Stream: stream, Tool: id, ToolName: "Bash", State: state}
	}
	want := map[string][]record.Overlap{
		"inner": {overlap("s", "main", "outer", record.Open), overlap("other", "main", "third", record.Open)},
		"outer": {overlap("s", "agent", "inner", record.Closed), overlap("other", "main", "third", record.Open)},
		"third": {overlap("s", "main", "outer", record.Closed), overlap("s", "agent", "inner", record.Closed)},
	}
	for id, want := range want {
		if diff := cmp.Diff(want, b.record(id).Overlaps); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
	if r := b.record("outer"); r.ChangedFiles == nil || *r.ChangedFiles != 0 || len(r.Changes) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestACallThatEndsAfterItsWindowWasClosedIsRecordedAsLate(t *testing.T) {
	b := newBench(t)
	b.pre("a")
	b.write("x", "1")
	b.pre("b") // of the same stream: a has moved on
	b.write("y", "1")
	b.post("b")
	b.write("z", "1")
	b.post("a")
	b.post("a") // the hook is installed twice
	want := []string{"a: unfinished +x", "b: returned +y", "a/late: returned +y(b) +z"}
	if diff := cmp.Diff(want, b.lines()); diff != "" {
		t.Error(diff)
	}
	if r := b.record("a/late"); r.Tool != "a" || r.Outcome.ExitCode == nil {
		t.Errorf("%+v", r)
	}
	b.quiet()
}

func TestAHookThatIsInstalledTwiceRecordsOnce(t *testing.T) {
	b := newBench(t)
	for range 2 {
		b.pre("a")
	}
	b.write("x", "1")
	for range 2 {
		b.post("a")
	}
	e := Event{Name: "PreToolUse", Tool: "Write", ToolUseID: "e", Args: map[string]any{"file_path": b.root + "/x"}}
	b.hook(e)
	b.hook(e)
	b.write("x", "2")
	for range 2 {
		b.hook(written(e, b.root+"/x", "1", "2"))
	}
	want := []string{"a: returned +x", "e: returned ~x"}
	if diff := cmp.Diff(want, b.lines()); diff != "" {
		t.Error(diff)
	}
	b.quiet()
}

func TestAScanThatSeesAnEditBetweenTwoOtherChangesTellsThemInTheirOrder(t *testing.T) {
	for _, seenBy := range []string{"no call", "a call"} {
		b := newBench(t)
		b.write("x", "0")
		b.pre("a")
		b.post("a")
		want := []string{"a: returned", "gap/4: ~x(outside)", "gap/5: ~x(outside)", "e: returned ~x"}
		if seenBy == "a call" {
			b.hook(in("agent", shell("PreToolUse", "c")))
			want = []string{"c: returned ~x(e)", "a: returned", "e: returned ~x"}
		}
		path := filepath.Join(b.root, "x")
		e := writing("e", path, "2")
		b.hook(e)
		b.write("x", "1")
		b.write("x", "2") // the edit
		b.write("x", "3")
		if seenBy == "a call" {
			b.hook(in("agent", shell("PostToolUse", "c")))
		} else {
			b.hook(in("other", Event{Name: "SubagentStop"}))
		}
		b.hook(written(e, path, "1", "2"))
		b.event("Stop")
		if diff := cmp.Diff(want, b.lines()); diff != "" {
			t.Errorf("%s: %s", seenBy, diff)
		}
		content := make(map[string]string)
		for _, text := range []string{"0", "1", "2", "3"} {
			content[sideOf([]byte(text)).SHA256] = text
		}
		var told []string
		for _, r := range b.records() {
			for _, c := range r.Changes {
				told = append(told, content[c.Before.SHA256]+content[c.After.SHA256])
			}
		}
		slices.Sort(told)
		if text := strings.Join(told, " "); text != "01 12 23" && text != "03 12" {
			t.Errorf("%s: %q", seenBy, text)
		}
		b.quiet()
	}
}

func TestAnEditThatIsAnnouncedWhenAScanIsOverIsNotItsSharer(t *testing.T) {
	b := newBench(t)
	b.write("x", "0")
	b.pre("a")
	b.write("x", "1")
	path := filepath.Join(b.root, "x")
	e := in("agent", writing("e", path, "2"))
	b.hook(e)
	for _, n := range b.notes() {
		if n.isEdit() { // as if the scan had taken no time
			n.Opened.Time = n.Opened.Add(time.Hour)
			if err := replaceJSON(b.state().windowFile(n.Key, noteFile), n); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.post("a")
	b.write("x", "2")
	b.hook(in("agent", written(e, path, "1", "2")))
	want := []string{"e: returned ~x", "a: returned ~x"}
	if diff := cmp.Diff(want, b.lines()); diff != "" {
		t.Error(diff)
	}
	b.quiet()
}

func TestWhatACallThatWasNotSeenToBeginHasChangedMayBeNobodysAsWell(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(b *bench)
		want []string
	}{
		{"the scan at its end finds it", func(b *bench) {
			b.write("x", "1")
		}, []string{"a: returned", "gap/3: +x(unseen)", "unseen: returned unknown partial +x(gap/3)"}},
		{"nothing", func(*bench) {}, []string{"a: returned", "unseen: returned unknown partial"}},
		{"a scan of another stream has found it", func(b *bench) {
			b.write("x", "1")
			b.hook(in("agent", Event{Name: "SubagentStop"}))
		}, []string{"gap/3: +x(outside)", "a: returned", "unseen: returned unknown partial +x(gap/3)"}},
		{"another call was under way", func(b *bench) {
			b.hook(in("agent", shell("PreToolUse", "b")))
			b.write("x", "1")
			b.hook(in("agent", shell("PostToolUse", "b")))
			b.write("x", "2")
		}, []string{"b: returned +x", "a: returned", "gap/5: ~x(unseen)", "unseen: returned unknown partial +x(b,gap/5)"}},
		{"another call is under way", func(b *bench) {
			b.hook(in("agent", shell("PreToolUse", "b")))
			b.write("x", "1")
		}, []string{"b: returned +x(unseen)", "a: returned", "unseen: returned unknown partial +x(b)"}},
		{"its hook was killed after the scan", func(b *bench) {
			b.pre("unseen")
			if err := removeFile(b.state().windowFile(keyOf(of("s", shell("", "unseen"))), noteFile)); err != nil {
				b.t.Fatal(err)
			}
			b.write("x", "1")
		}, []string{"a: returned", "gap/4: +x(unseen)", "unseen: returned unknown partial +x(gap/4)"}},
		{"what its stream has seen before is not its", func(b *bench) {
			b.write("x", "1")
			b.event("Stop")
		}, []string{"a: returned", "gap/3: +x(outside)", "unseen: returned unknown partial"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			b.pre("a")
			b.post("a")
			c.do(b)
			records := b.post("unseen")
			b.post("unseen") // the hook is installed twice
			b.hook(in("agent", shell("PostToolUse", "b")))
			lines := slices.DeleteFunc(b.lines(), func(l string) bool { return l == "b: returned unknown partial" })
			if diff := cmp.Diff(c.want, lines); diff != "" || len(records) != 1 || len(records[0].Gaps) != 1 || len(b.notes()) > 0 {
				t.Errorf("%s%+v", diff, records)
			}
			b.quiet()
		})
	}
}

func TestCallsWithoutAnIDAreToldApartByWhatTheyAre(t *testing.T) {
	b := newBench(t)
	for range 2 {
		b.pre("")
		b.write("x", string(rune('1'+len(b.records()))))
		b.post("")
	}
	records := b.records()
	if len(records) != 2 || records[0].ID == records[1].ID || len(records[0].Changes) != 1 || len(records[1].Changes) != 1 {
		t.Errorf("%q", b.lines())
	}
	b.quiet()
}

func TestAFileThatWasMovedSaysWhereItWas(t *testing.T) {
	b := newBench(t)
	b.write("one.txt", "the only one\n")
	b.write("twin.txt", "twins\n")
	b.write("empty.txt", "")
	b.pre("a")
	for _, name := range []string{"one.txt", "twin.txt", "empty.txt"} {
		b.remove(name)
	}
	b.write("moved.txt", "the only one\n")
	b.write("twin1.txt", "twins\n")
	b.write("twin2.txt", "twins\n")
	b.write("none.txt", "")
	b.post("a")
	got := make(map[string]string)
	for _, c := range b.record("a").Changes {
		if c.XRenamedFrom != "" {
			got[c.Path] = c.XRenamedFrom
		}
	}
	if diff := cmp.Diff(map[string]string{"moved.txt": "one.txt"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestWhatALateCallUndoesIsTold(t *testing.T) {
	b := newBench(t)
	b.write("x", "1")
	b.pre("a")
	b.pre("b") // a is given up
	b.write("x", "2")
	b.hook(in("agent", Event{Name: "SubagentStop"}))
	b.post("a") // and lists the change too
	b.write("x", "1")
	b.post("b")
	want := []string{"a: unfinished", "a/late: returned ~x(b)", "b: returned", "gap/6: ~x(b)"}
	got := b.lines()
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	b.leadsTo("x", "1", "2", "1")
}

// leadsTo checks that the records tell of a file's contents one after the other.
func (b *bench) leadsTo(name string, contents ...string) {
	b.t.Helper()
	for i := 1; i < len(contents); i++ {
		from, to := sideOf([]byte(contents[i-1])).SHA256, sideOf([]byte(contents[i])).SHA256
		found := false
		for _, r := range b.records() {
			for _, c := range r.Changes {
				found = found || c.Path == name && c.Before.SHA256 == from && c.After.SHA256 == to
			}
		}
		if !found {
			b.t.Errorf("%s: nothing tells how %q became %q: %q", name, contents[i-1], contents[i], b.lines())
		}
	}
}
