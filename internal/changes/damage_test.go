package changes

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/go-cmp/cmp"
)

// damaged writes something else over a file of state.
func (b *bench) damaged(path string) {
	b.t.Helper()
	b.put(path, "{\"this is\": no state\x00\n")
}

func TestADamagedManifestIsBuiltAnew(t *testing.T) {
	b := newBench(t)
	b.write("x", "1")
	b.pre("a")
	b.damaged(b.state().manifest())
	b.write("x", "2")
	b.post("a")
	r := b.record("a")
	if line(r) != "a: returned unknown partial" || !strings.Contains(strings.Join(r.Gaps, " "), "damaged") {
		t.Errorf("%s %q", line(r), r.Gaps)
	}
	b.write("x", "3")
	b.event("Stop")
	last := b.records()[len(b.records())-1]
	if last.Basis != record.Unattributed || len(last.Changes) != 1 || strings.HasSuffix(last.ID, "/2") {
		t.Errorf("%s", line(last))
	}
	if !b.contains("put aside") {
		t.Errorf("the log says %q", b.log())
	}
}

func TestAManifestThatIsGoneIsBuiltAnew(t *testing.T) {
	b := newBench(t)
	b.write("x", "1")
	b.pre("a")
	b.post("a")
	if err := os.Remove(b.state().manifest()); err != nil {
		t.Fatal(err)
	}
	b.pre("b")
	b.write("x", "2")
	b.post("b")
	if r := b.record("b"); line(r) != "b: returned partial ~x" || len(r.Gaps) != 1 {
		t.Errorf("%s %q", line(r), r.Gaps)
	}
}

func TestADamagedJournalLosesNoChange(t *testing.T) {
	for _, damage := range []struct {
		name string
		do   func(b *bench)
	}{
		{"all of it", func(b *bench) { b.damaged(b.state().journal()) }},
		{"gone", func(b *bench) { b.t.Helper(); _ = os.Remove(b.state().journal()) }},
		{"a directory", func(b *bench) {
			_ = os.Remove(b.state().journal())
			_ = os.Mkdir(b.state().journal(), 0o700)
		}},
		{"a line in the middle", func(b *bench) {
			content, _ := os.ReadFile(b.state().journal())
			lines := strings.SplitAfter(string(content), "\n")
			lines[2] = "{}}\n"
			b.put(b.state().journal(), strings.Join(lines, ""))
		}},
	} {
		t.Run(damage.name, func(t *testing.T) {
			b := newBench(t)
			b.write("x", "1")
			b.pre("a")
			b.write("x", "2")
			b.write("y", "2")
			b.post("a") // step 2, which is in the journal alone
			b.pre("b")
			b.write("z", "3")
			damage.do(b)
			b.post("b")
			r := b.record("b")
			if r.Coverage != record.Partial || r.ChangedFiles != nil {
				t.Errorf("%s", line(r))
			}
			told := make(map[string]string)
			for _, r := range b.records() {
				for _, c := range r.Changes {
					told[c.Path] = c.After.SHA256
				}
			}
			want := map[string]string{"x": sideOf([]byte("2")).SHA256, "y": sideOf([]byte("2")).SHA256, "z": sideOf([]byte("3")).SHA256}
			if diff := cmp.Diff(want, told); diff != "" {
				t.Errorf("%s%q", diff, b.lines())
			}
			ids := make(map[string]bool)
			for _, r := range b.records() {
				if ids[r.ID] {
					t.Errorf("%s is there twice", r.ID)
				}
				ids[r.ID] = true
			}
			if b.log() == "" {
				t.Error("the log says nothing")
			}
			b.pre("c")
			b.post("c")
			if r := b.record("c"); line(r) != "c: returned" {
				t.Errorf("afterwards: %s", line(r))
			}
		})
	}
}

func TestALineThatAKilledProcessLeftInTheJournalIsCutOff(t *testing.T) {
	b := newBench(t)
	b.pre("a")
	content, err := os.ReadFile(b.state().journal())
	if err != nil {
		t.Fatal(err)
	}
	b.put(b.state().journal(), string(content)+`{"steps":[{"step":2,"kind":"sc`)
	b.write("x", "1")
	b.post("a")
	if diff := cmp.Diff([]string{"a: returned +x"}, b.lines()); diff != "" {
		t.Error(diff)
	}
	if j := b.journal(); j.damaged != 0 || j.torn {
		t.Errorf("%+v", j)
	}
	b.quiet()
}

func TestTheChangesOfAWindowWhoseNoteIsDamagedAreRecorded(t *testing.T) {
	b := newBench(t)
	b.pre("a")
	b.write("x", "1")
	b.hook(in("agent", Event{Name: "SubagentStop"})) // a scan has seen the window and the change
	for _, n := range b.notes() {
		b.damaged(b.state().windowFile(n.Key, noteFile))
	}
	b.write("y", "1")
	b.event("Stop")
	b.post("a")
	want := []string{"a: unfinished unknown partial +x", "gap/3: +y(outside)", "a/late: returned unknown partial"}
	if diff := cmp.Diff(want, b.lines()); diff != "" || len(b.notes()) != 0 {
		t.Error(diff)
	}
	if !b.contains("is damaged") {
		t.Errorf("the log says %q", b.log())
	}
}

func TestADamagedNoteThatNoScanHasSeenIsRemoved(t *testing.T) {
	b := newBench(t)
	b.pre("a")
	b.put(b.state().windowFile("0123456789abcdef01234567", noteFile), "")
	b.put(b.state().windowFile("1123456789abcdef01234567", writtenFile), "{}")
	b.write("x", "1")
	b.post("a")
	if diff := cmp.Diff([]string{"a: returned +x"}, b.lines()); diff != "" {
		t.Error(diff)
	}
	if left, _ := os.ReadDir(b.state().windows()); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestAStepWhoseRecordAKilledProcessDidNotMarkHasOneRecord(t *testing.T) {
	for _, recorded := range []bool{true, false} {
		b := newBench(t)
		b.pre("a")
		b.post("a")
		b.write("x", "1")
		b.event("Stop")
		content, err := os.ReadFile(b.state().journal())
		if err != nil {
			t.Fatal(err)
		}
		unmarked, _, found := strings.Cut(string(content), `{"recorded":3}`)
		if !found {
			t.Fatalf("%s", content)
		}
		b.put(b.state().journal(), unmarked)
		if !recorded {
			if err := os.Truncate(record.Path(b.data, "s", "main"), int64(b.ends()[0])); err != nil {
				t.Fatal(err)
			}
		}
		b.event("Stop")
		if diff := cmp.Diff([]string{"a: returned", "gap/3: +x(outside)"}, b.lines()); diff != "" {
			t.Errorf("the record was written: %t: %s", recorded, diff)
		}
	}
}

// ends returns where the lines of the main stream end.
func (b *bench) ends() []int {
	content, err := os.ReadFile(record.Path(b.data, "s", "main"))
	if err != nil {
		b.t.Fatal(err)
	}
	var ends []int
	for i, c := range content {
		if c == '\n' {
			ends = append(ends, i+1)
		}
	}
	return ends
}

func TestAWindowThatWasBeingClosedIsClosedOnce(t *testing.T) {
	for _, recorded := range []bool{false, true} {
		b := newBench(t)
		b.pre("a")
		b.write("x", "1")
		key := b.notes()[0].Key
		note, err := os.ReadFile(b.state().windowFile(key, noteFile))
		if err != nil {
			t.Fatal(err)
		}
		b.post("a")
		// The process was killed before it removed the note, or before the record was there.
		b.put(b.state().windowFile(key, noteFile), string(note))
		if !recorded {
			if err := os.Remove(record.Path(b.data, "s", "main")); err != nil {
				t.Fatal(err)
			}
		}
		b.write("y", "1")
		b.event("Stop")
		if diff := cmp.Diff([]string{"a: returned +x", "gap/3: +y(outside)"}, b.lines()); diff != "" || len(b.notes()) != 0 {
			t.Errorf("the record was written: %t: %s", recorded, diff)
		}
	}
}

func TestTheRecorderNeverStopsATool(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(b *bench)
	}{
		{"the data directory is a file", func(b *bench) { b.put(b.data, "") }},
		{"the state is a file", func(b *bench) { b.put(filepath.Join(b.data, "state"), "") }},
		{"the records are a file", func(b *bench) { b.put(filepath.Join(b.data, "output"), "") }},
		{"the lock is a directory", func(b *bench) { b.put(filepath.Join(b.state().lockFile(), "x"), "") }},
		{"the log is a directory", func(b *bench) {
			b.put(filepath.Join(LogFile(b.data), "x"), "")
			b.put(filepath.Join(b.data, "output"), "")
		}},
		{"the windows are a file", func(b *bench) { b.put(b.state().windows(), "") }},
		{"the contents are a file", func(b *bench) { b.put(b.state().content(), "") }},
		{"the settings are no YAML", func(b *bench) { b.settings("}{") }},
		{"the project is gone", func(b *bench) { b.remove("") }},
		{"the project is a file", func(b *bench) { b.remove(""); b.put(b.root, "") }},
		{"there is no project", func(b *bench) { b.env.ProjectDir = ""; b.root = "" }},
		{"the project is relative", func(b *bench) { b.env.ProjectDir = "x"; b.root = "x" }},
		{"nothing is known of the machine", func(b *bench) { b.env = config.Environment{} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			path := b.root
			c.spoil(b)
			warned := ""
			for _, e := range []Event{
				{Name: "SessionStart"}, {Name: "UserPromptSubmit"},
				shell("PreToolUse", "a"), shell("PostToolUse", "a"), shell("PreToolUse", "b"), shell("PostToolUseFailure", "b"), shell("PreToolUse", "c"),
				{Name: "PreToolUse", Tool: "Write", ToolUseID: "e", Args: map[string]any{"file_path": filepath.Join(path, "x")}},
				written(Event{Tool: "Write", ToolUseID: "e", Args: map[string]any{"file_path": filepath.Join(path, "x")}}, filepath.Join(path, "x"), "", "1"),
				in("agent", Event{Name: "SubagentStop"}), {Name: "Stop"}, {Name: "SessionEnd"}, {Name: "Unheard"}, {},
			} {
				r := b.recorder()
				r.Warn = func(line string) { warned += line + "\n" }
				e.Session, e.ProjectDir, e.Cwd = "s", b.env.ProjectDir, b.root
				r.Handle(e)
			}
			if warned+b.log() == "" && !strings.Contains(c.name, "there is no") && !strings.Contains(c.name, "relative") && !strings.Contains(c.name, "nothing is known") && !strings.Contains(c.name, "settings") {
				t.Error("nobody is told")
			}
			if strings.Contains(b.log()+warned, "internal fault") {
				t.Errorf("%s%s", warned, b.log())
			}
		})
	}
}

func TestADirectoryThatCannotBeWrittenToStopsNothing(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("everything can be written to here")
	}
	b := newBench(t)
	b.pre("a")
	for _, path := range []string{b.data, b.state().directory, b.state().windows()} {
		if err := os.Chmod(path, 0o500); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(path, 0o700)
	}
	b.write("x", "1")
	b.post("a")
	b.pre("b")
}

func TestAFaultOfOursIsInTheLogAndNowhereElse(t *testing.T) {
	b := newBench(t)
	e := shell("PreToolUse", "a")
	e.Effects = func() *schema.Effects { panic("a fault") }
	if records := b.hook(e); records != nil || !b.contains("internal fault") || !b.contains("a fault") {
		t.Errorf("%v; the log says %q", records, b.log())
	}
}

func TestARootThatIsGoneIsNoDeletion(t *testing.T) {
	b := newBench(t)
	b.write("x", "1")
	b.pre("a")
	away := b.root + "-away"
	if err := os.Rename(b.root, away); err != nil {
		t.Fatal(err)
	}
	b.post("a")
	r := b.record("a")
	if line(r) != "a: returned unknown partial" || !strings.Contains(r.Gaps[0], "gone") {
		t.Errorf("%s %q", line(r), r.Gaps)
	}
	b.event("Stop")
	if err := os.Rename(away, b.root); err != nil {
		t.Fatal(err)
	}
	b.write("y", "1")
	b.event("Stop")
	want := []string{"a: returned unknown partial", "gap/2: +y(outside)"}
	if diff := cmp.Diff(want, b.lines()); diff != "" {
		t.Error(diff)
	}
}

func TestAClockThatIsSetBackLosesNothing(t *testing.T) {
	b := newBench(t)
	future := time.Now().Add(48 * time.Hour)
	b.write("x", "1")
	if err := os.Chtimes(filepath.Join(b.root, "x"), future, future); err != nil {
		t.Fatal(err)
	}
	b.pre("a")
	// All that was written before the clock was set back lies in the future.
	for _, n := range b.notes() {
		n.Opened.Time = future
		n.Before.Span = record.Span{From: record.Time{Time: future}, To: record.Time{Time: future}}
		if err := replaceJSON(b.state().windowFile(n.Key, noteFile), n); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{b.state().journal(), b.state().manifest()} {
		if err := os.Chtimes(path, future, future); err != nil {
			t.Fatal(err)
		}
	}
	b.write("x", "2") // of the same size
	if err := os.Chtimes(filepath.Join(b.root, "x"), future, future); err != nil {
		t.Fatal(err)
	}
	b.hook(of("other", Event{Name: "SessionStart"})) // what is idle goes, and nothing is
	b.post("a")
	if diff := cmp.Diff([]string{"a: returned ~x"}, b.lines()); diff != "" {
		t.Error(diff)
	}
	b.quiet()
}

func TestAFileThatGrowsWhileItIsScannedIsFoundWhole(t *testing.T) {
	b := newBench(t)
	b.write("grows.log", "begin\n")
	b.pre("a")
	file, err := os.OpenFile(filepath.Join(b.root, "grows.log"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	growing, done, stopped := make(chan bool), make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		defer file.Close()
		for first := true; ; first = false {
			select {
			case <-done:
				return
			default:
				if _, err := file.WriteString(strings.Repeat("more\n", 100)); err != nil {
					t.Error(err)
				}
				if first {
					close(growing)
				}
			}
		}
	}()
	<-growing
	for range 5 {
		b.hook(in("agent", Event{Name: "SubagentStop"}))
	}
	b.post("a")
	close(done)
	<-stopped
	b.event("Stop")
	content, err := os.ReadFile(filepath.Join(b.root, "grows.log"))
	if err != nil {
		t.Fatal(err)
	}
	var chain []string
	for _, r := range b.records() {
		for _, c := range r.Changes {
			chain = append(chain, c.Before.SHA256, c.After.SHA256)
		}
	}
	if len(chain) < 2 || chain[0] != sideOf([]byte("begin\n")).SHA256 || chain[len(chain)-1] != sideOf(content).SHA256 {
		t.Errorf("the records lead from %q", chain)
	}
	for i := 1; i+1 < len(chain); i += 2 {
		if chain[i] != chain[i+1] {
			t.Errorf("the records lead from %q", chain)
		}
	}
	b.quiet()
}

func TestARecordThatWouldBeTooLongSaysWhatIsLeftOut(t *testing.T) {
	b := newBench(t)
	b.settings("size_cap: 16777216")
	b.pre("a")
	for _, name := range []string{"a", "b", "c"} {
		b.write(name, strings.Repeat(name, 12<<20)+"\n")
	}
	b.post("a")
	r := b.record("a")
	got := make(map[string]string)
	for _, c := range r.Changes {
		got[c.Path] = c.Diff
	}
	if diff := cmp.Diff(map[string]string{"a": record.Available, "b": record.Available, "c": record.Unavailable}, got); diff != "" {
		t.Error(diff)
	}
	if len(r.Gaps) != 1 || r.Coverage != record.Complete {
		t.Errorf("%s %q", r.Coverage, r.Gaps)
	}
}

func TestAnEditOfARootWhoseManifestIsLostIsRecordedAndLeavesTheBaselineToAScan(t *testing.T) {
	b := newBench(t)
	b.write("x", "1")
	b.write("y", "1")
	b.pre("a")
	b.post("a")
	for _, path := range []string{b.state().manifest(), b.state().journal()} {
		b.damaged(path)
	}
	b.edit("e", "x", "1", "2")
	b.write("y", "2")
	b.event("Stop") // sees the files for the first time
	b.write("y", "3")
	b.event("Stop")
	lines := b.lines()
	if len(lines) != 3 || lines[1] != "e: returned ~x" || !strings.HasSuffix(lines[2], ": ~y(outside)") {
		t.Errorf("%q; the log says %s", lines, b.log())
	}
}
