package changes

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/google/go-cmp/cmp"
)

func TestACallInOneProjectNeverWaitsForAnotherProjectsScan(t *testing.T) {
	b := newBench(t)
	release := b.hold()
	defer release()
	other := newBench(t)
	other.data, other.env.PluginData = b.data, b.data
	// With the longest of waits: were it for the other root's lock, this would not end.
	other.wait = time.Hour
	other.pre("a")
	other.write("x", "1")
	other.post("a")
	if diff := cmp.Diff([]string{"a: returned +x"}, other.lines()); diff != "" {
		t.Error(diff)
	}
	other.event("SessionStart")
	other.event("SessionEnd")
	other.quiet()
}

func TestAWaitThatEndsWithoutTheLockIsAGap(t *testing.T) {
	b := newBench(t)
	b.pre("first")
	b.post("first")
	b.wait = time.Millisecond

	// Before the call: its record tells what came about, and not how much.
	release := b.hold()
	b.pre("a")
	release()
	b.write("x", "1")
	b.post("a")
	r := b.record("a")
	if line(r) != "a: returned unknown partial +x" || len(r.Gaps) != 1 || !strings.Contains(r.Gaps[0], "being scanned for other calls") || r.Window != nil {
		t.Errorf("%s %q %+v", line(r), r.Gaps, r.Window)
	}

	// After the call: whoever comes next closes the window, and knows how the call ended.
	b.pre("b")
	b.write("y", "1")
	release = b.hold()
	e := shell("PostToolUseFailure", "b")
	e.Error = "Exit code 7\n"
	b.hook(e)
	release()
	if len(b.notes()) != 1 {
		t.Errorf("notes %+v", b.notes())
	}
	b.hook(in("agent", Event{Name: "SubagentStop"}))
	b.write("z", "1")
	b.event("Stop")
	if r := b.record("b"); line(r) != "b: failed +y" || *r.Outcome.ExitCode != 7 {
		t.Errorf("%s %+v", line(r), r.Outcome)
	}
	if !b.contains("held by another process") {
		t.Errorf("the log says %q", b.log())
	}
}

func TestAnEditThatIsReportedWhileTheLockIsHeldIsNotLost(t *testing.T) {
	b := newBench(t)
	b.pre("first")
	b.post("first")
	b.wait = time.Millisecond
	release := b.hold()
	records := b.edit("e", "a.txt", "", "1")
	if len(records) != 1 || len(records[0].Changes) != 1 {
		t.Errorf("the rules are told %+v", records)
	}
	release()
	b.wait = time.Minute
	b.event("Stop")
	if diff := cmp.Diff([]string{"first: returned", "e: returned +a.txt"}, b.lines()); diff != "" {
		t.Error(diff)
	}
	if left, _ := os.ReadDir(b.state().windows()); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestTheEndOfACallThatWasNotSeenToBeginWaitsNoLongerThanOthers(t *testing.T) {
	b := newBench(t)
	b.pre("first")
	b.post("first")
	b.wait = time.Millisecond
	release := b.hold()
	b.write("x", "1")
	b.post("unseen")
	b.post("unseen") // the hook is installed twice
	release()
	b.wait = time.Minute
	b.event("Stop")
	want := []string{"first: returned", "gap/3: +x(unseen)", "unseen: returned unknown partial +x(gap/3)"}
	if diff := cmp.Diff(want, b.lines()); diff != "" || len(b.notes()) > 0 {
		t.Error(diff, b.log())
	}
}

func TestTheFirstScanOfAllMayTakeLongerThanACallWaits(t *testing.T) {
	b := newBench(t)
	b.write("x", "1")
	b.wait = time.Millisecond
	release := b.hold() // nothing is known of the root yet
	b.pre("a")
	release()
	b.wait = time.Minute
	b.write("y", "1")
	b.post("a")
	b.write("z", "1")
	b.event("Stop")
	want := []string{"a: returned unknown partial", "gap/2: +z(outside)"}
	if diff := cmp.Diff(want, b.lines()); diff != "" {
		t.Error(diff)
	}
}

func TestConcurrentHooksOfManySessionsLoseNothing(t *testing.T) {
	b := newBench(t)
	b.pre("first")
	b.post("first")
	const sessions, calls = 8, 4
	var group sync.WaitGroup
	for session := range sessions {
		name := string(rune('a' + session))
		group.Go(func() {
			for call := range calls {
				id := name + string(rune('0'+call))
				b.hook(of(name, shell("PreToolUse", id)))
				b.write(filepath.Join(name, id), id)
				b.hook(of(name, shell("PostToolUse", id)))
			}
		})
	}
	group.Wait()
	b.quiet()
	b.pre("last")
	b.post("last")
	for _, r := range b.records() {
		if r.Basis != record.ToolWindow {
			t.Errorf("%s: %s", r.ID, r.Basis)
		}
	}
	for session := range sessions {
		for call := range calls {
			name := string(rune('a' + session))
			id := name + string(rune('0'+call))
			found := false
			for _, c := range b.record(id).Changes {
				found = found || c.Path == name+"/"+id
			}
			if !found {
				t.Errorf("%s does not list its file: %s", id, line(b.record(id)))
			}
		}
	}
}

func TestTwoRootsHaveARecordEach(t *testing.T) {
	b := newBench(t)
	second := filepath.Join(filepath.Dir(b.root), "second")
	if err := os.MkdirAll(second, 0o700); err != nil {
		t.Fatal(err)
	}
	b.settings("roots: [" + b.root + ", " + second + "]")
	b.pre("a")
	b.write("x", "1")
	b.put(filepath.Join(second, "y"), "1")
	records := b.post("a")
	one, two := b.state().id, rootAt(b.data, second).id
	want := map[string]string{"a/" + one: "a/" + one + ": returned +x", "a/" + two: "a/" + two + ": returned +y"}
	got := make(map[string]string)
	for _, r := range records {
		got[r.ID] = line(r)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	b.edit("e", "z", "", "1")
	if r := b.record("e/" + one); line(r) != "e/"+one+": returned +z" {
		t.Errorf("%s", line(r))
	}
	e := Event{Name: "PostToolUse", Tool: "Bash", ToolUseID: "ls", Args: map[string]any{"command": "ls"}, Effects: effects("ls")}
	b.hook(e)
	if r := b.record("ls"); r.Root != nil || r.Basis != record.SkippedReadOnly {
		t.Errorf("%+v", r)
	}
	b.put(filepath.Join(second, "y"), "2")
	b.event("Stop")
	found := 0
	for _, r := range b.records() {
		if r.Basis == record.Unattributed && r.Root.ID == two && len(r.Changes) == 1 {
			found++
		}
	}
	if found != 1 {
		t.Errorf("%q", b.lines())
	}
	b.quiet()
}

func TestAHomeDirectoryIsScannedInFullOnlyWhenTheSettingsNameIt(t *testing.T) {
	b := newBench(t)
	timeout := func() time.Duration {
		r := b.recorder()
		return (&state{Recorder: r, root: b.state()}).scanTimeout()
	}
	if got := timeout(); got != 30*time.Second {
		t.Errorf("a project: %s", got)
	}
	b.env.Home = b.root
	if got := timeout(); got != vastTimeout {
		t.Errorf("a home directory: %s", got)
	}
	b.settings("roots: [" + b.root + "]")
	if got := timeout(); got != 30*time.Second {
		t.Errorf("one that the settings name: %s", got)
	}
	b.settings("roots: [" + b.root + "]\nscan_timeout: 1s")
	if got := timeout(); got != time.Second {
		t.Errorf("with a scan_timeout: %s", got)
	}
	r := b.recorder()
	r.began = time.Now().Add(-budget)
	if got := (&state{Recorder: r, root: b.state()}).scanTimeout(); got != 0 {
		t.Errorf("without any time left: %s", got)
	}
}

func TestAScanThatIsStoppedIsPartialAndReportsNothingThatItHasNotSeen(t *testing.T) {
	b := newBench(t)
	b.write("d/x", "1")
	b.pre("first")
	b.post("first")
	b.settings("scan_timeout: 1ns")
	b.pre("a")
	b.write("d/x", "2")
	b.write("d/new", "1")
	b.post("a")
	r := b.record("a")
	if line(r) != "a: returned partial" || len(r.Gaps) == 0 || !strings.Contains(r.Gaps[0], "time limit") {
		t.Errorf("%s %q", line(r), r.Gaps)
	}
	b.settings("")
	b.event("Stop")
	if last := b.records()[len(b.records())-1]; line(last) != "gap/5: partial +d/new(a) ~d/x(a)" {
		t.Errorf("%s", line(last))
	}
}
