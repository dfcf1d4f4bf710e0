package changes

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/changes/content"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/git/gittest"
	"github.com/google/go-cmp/cmp"
)

// The promises of "Nothing is lost", one after the other.

func TestTheBaselineNeverMovesOnWithoutARecord(t *testing.T) {
	b := newBench(t)
	b.pre("denied")
	b.write("by-hand.txt", "1\n")
	b.pre("killed")
	b.write("by-call.txt", "1\n")
	b.event("Stop")
	b.write("between.txt", "1\n")
	b.pre("last")
	b.post("last")
	want := []string{
		"denied: unfinished +by-hand.txt",
		"killed: unfinished +by-call.txt",
		"gap/4: +between.txt(outside)",
		"last: returned",
	}
	if diff := cmp.Diff(want, b.lines()); diff != "" {
		t.Error(diff)
	}
	b.quiet()
}

func TestAWindowIsStaleWhenItsSessionMovedOn(t *testing.T) {
	unfinished := []string{"call: unfinished +a.txt"}
	for _, c := range []struct {
		name     string
		settings string
		event    Event
		want     []string
	}{
		{"the next prompt", "", Event{Name: "UserPromptSubmit"}, unfinished},
		{"Stop", "", Event{Name: "Stop"}, unfinished},
		{"the end of the session", "", Event{Name: "SessionEnd"}, unfinished},
		{"the next observed call", "", shell("PreToolUse", "next"), unfinished},
		{"the next edit", "", Event{Name: "PreToolUse", Tool: "Edit", ToolUseID: "edit", Args: map[string]any{"file_path": "b.txt"}}, unfinished},
		{"a read-only call, which may run at the same time", "", Event{Name: "PreToolUse", Tool: "Bash", ToolUseID: "ls", Args: map[string]any{"command": "ls"}, Effects: effects("ls")}, nil},
		{"a Read", "", Event{Name: "PreToolUse", Tool: "Read", ToolUseID: "read", Args: map[string]any{"file_path": "a.txt"}}, nil},
		{"a subagent's call", "", in("agent", shell("PreToolUse", "next")), nil},
		{"the end of a subagent", "", in("agent", Event{Name: "SubagentStop"}), nil},
		{"another session's prompt", "", of("other", Event{Name: "UserPromptSubmit"}), nil},
		{"another session's end", "", of("other", Event{Name: "SessionEnd"}), nil},
		{"the idle time, at any scan", "retention: {idle: 1ns}", of("other", shell("PreToolUse", "next")), unfinished},
		{"the idle time, when a session starts", "retention: {idle: 1ns}", of("other", Event{Name: "SessionStart"}), unfinished},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			if c.settings != "" {
				b.settings(c.settings)
			}
			b.pre("call")
			b.write("a.txt", "1\n")
			b.hook(c.event)
			if diff := cmp.Diff(c.want, b.lines()); diff != "" {
				t.Error(diff)
			}
			open := false
			for _, n := range b.notes() {
				open = open || n.Capture == "call"
			}
			if open != (c.want == nil) {
				t.Errorf("the window is open: %t", open)
			}
			b.quiet()
		})
	}
}

func TestTheNoteOfAWindowGoesOnlyWhenItsRecordIsOnTheDisk(t *testing.T) {
	b := newBench(t)
	b.pre("call")
	b.write("a.txt", "1\n")
	output := filepath.Join(b.data, "output")
	b.put(output, "in the way of the directory")
	b.post("call")
	if len(b.notes()) != 1 || !b.contains("call") {
		t.Fatalf("notes %v, log %s", b.notes(), b.log())
	}
	b.write("b.txt", "1\n") // after the window was closed: it is nobody's
	b.event("Stop")
	if err := os.Remove(output); err != nil {
		t.Fatal(err)
	}
	b.write("c.txt", "1\n")
	b.event("Stop")
	want := []string{"gap/3: +b.txt(outside)", "call: returned +a.txt", "gap/4: +c.txt(outside)"}
	if diff := cmp.Diff(want, b.lines()); diff != "" {
		t.Error(diff)
	}
	if len(b.notes()) != 0 {
		t.Errorf("notes %v", b.notes())
	}
}

func TestWhatABackgroundJobWroteIsRecordedAtTheEnd(t *testing.T) {
	for _, event := range []Event{{Name: "Stop"}, in("agent", Event{Name: "SubagentStop"}), {Name: "SessionEnd"}} {
		t.Run(event.Name, func(t *testing.T) {
			b := newBench(t)
			e := shell("PreToolUse", "job")
			e.Args["run_in_background"] = true
			b.hook(e)
			e.Name = "PostToolUse"
			b.hook(e)
			b.write("a.txt", "later\n")
			b.hook(event)
			want := []string{"job: returned", "gap/3: +a.txt(outside)"}
			if event.Agent != "" {
				want = []string{want[1], want[0]} // in the stream that found it
			}
			if diff := cmp.Diff(want, b.lines()); diff != "" {
				t.Error(diff)
			}
			if code := b.record("job").Outcome.ExitCode; code != nil {
				t.Errorf("exit code %d of a job that is still running", *code)
			}
			b.quiet()
		})
	}
}

func TestARootThatNobodyObservedIsNotScannedAtTheEnd(t *testing.T) {
	b := newBench(t)
	b.write("a.txt", "1\n")
	for _, name := range []string{"SessionStart", "UserPromptSubmit", "Stop", "SubagentStop", "SessionEnd"} {
		b.event(name)
	}
	if _, err := os.Stat(filepath.Join(b.data, "state")); err == nil {
		t.Error("there is a state of a root that no call was observed in")
	}
	b.quiet()
}

func TestTheBeforeSideSurvives(t *testing.T) {
	repository := gittest.New(t)
	repository.Write("tracked.txt", "one\ntwo\n")
	repository.Git("add", ".")
	repository.Git("commit", "--quiet", "-m", "first")
	b := newBench(t)
	b.root, b.env.ProjectDir = repository.Dir, repository.Dir
	b.write("untracked.txt", "1\n")
	b.pre("first")
	b.post("first")
	store := content.Open(b.state().content())
	if tracked := entryOf(sideOf([]byte("one\ntwo\n"))); store.Has(tracked.Hash) {
		t.Error("what git can give back is kept")
	}
	if untracked := entryOf(sideOf([]byte("1\n"))); !store.Has(untracked.Hash) {
		t.Error("what git cannot give back is not kept")
	}

	// The bytes go after the idle time; then each file changes in a window.
	b.settings("retention: {idle: 1ns}")
	if p, err := b.recorder().Prune(); err != nil || len(p.Roots) != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	if size, _ := content.Open(b.state().content()).Size(); size != 0 {
		t.Fatalf("%d bytes are still kept", size)
	}
	b.settings("")
	b.pre("second")
	b.write("tracked.txt", "one\n2\n")
	b.write("untracked.txt", "2\n")
	b.post("second")
	for _, c := range b.record("second").Changes {
		if c.Diff != record.Available || c.Additions != 1 || c.Deletions != 1 {
			t.Errorf("%s: diff %s, +%d -%d", c.Path, c.Diff, c.Additions, c.Deletions)
		}
	}
	b.quiet()
}

func TestOverTheCapSizesAndHashesAreRecorded(t *testing.T) {
	b := newBench(t)
	b.settings("size_cap: 10")
	b.write("a.txt", "0123456789\n")
	b.pre("call")
	b.write("a.txt", "0123456789a\n")
	b.post("call")
	c := b.record("call").Changes[0]
	want := record.Change{
		Path: "a.txt", Operation: record.Modify, Diff: record.TooLarge, Attribution: record.OnlyThisWindow, Windows: []string{"call"},
		Before: record.State{Present: true, Bytes: 11, SHA256: "0b9ba2f6c9b2a13a5e3a2d2f55d45e1c6e52bca0f2a9d2a4cdeeb2d9c1b2e1b3"},
		After:  record.State{Present: true, Bytes: 12, SHA256: ""},
		Hunks:  c.Hunks,
	}
	want.Before.SHA256, want.After.SHA256 = sideOf([]byte("0123456789\n")).SHA256, sideOf([]byte("0123456789a\n")).SHA256
	if diff := cmp.Diff(want, c); diff != "" || len(c.Hunks) > 0 {
		t.Error(diff)
	}
}

func TestStateIsForItsOwnerAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the modes of files tell nothing here")
	}
	b := newBench(t)
	b.pre("call")
	b.write("a.txt", "1\n")
	b.post("call")
	b.edit("edit", "b.txt", "", "1\n")
	b.hook(of("other", shell("PreToolUse", "open")))
	b.put(filepath.Join(b.data, "output2"), "") // is not ours
	b.recorder().logf("something")
	err := filepath.WalkDir(b.data, func(path string, d fs.DirEntry, err error) error {
		info, infoErr := d.Info()
		if err = errors.Join(err, infoErr); err != nil || path == b.data || d.Name() == "output2" {
			return err
		}
		if want := map[bool]fs.FileMode{true: 0o700, false: 0o600}[d.IsDir()]; info.Mode().Perm() != want {
			t.Errorf("%s has the mode %v", path, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSecretsAreRecordedByHashAndSizeOnly(t *testing.T) {
	b := newBench(t)
	names := []string{".env", ".env.local", "keys/server.pem", "a.key", "id_rsa", "credentials", "Credentials.json"}
	for _, name := range names {
		b.write(name, "secret 1\n")
	}
	b.write("plain.txt", "plain\n")
	b.pre("call")
	for _, name := range names {
		b.write(name, "secret 22\n")
	}
	b.post("call")
	b.edit("edit", ".env", "secret 22\n", "secret 333\n")
	r, e := b.record("call"), b.record("edit")
	if len(r.Changes) != len(names) || len(e.Changes) != 1 {
		t.Fatalf("%q", b.lines())
	}
	for _, c := range append(r.Changes, e.Changes...) {
		if !c.XSecret || c.Diff != record.Unavailable || len(c.Hunks) > 0 || c.Before.SHA256 == "" || c.After.Bytes == 0 {
			t.Errorf("%+v", c)
		}
	}
	store := content.Open(b.state().content())
	for _, text := range []string{"secret 1\n", "secret 22\n", "secret 333\n"} {
		if e := entryOf(sideOf([]byte(text))); store.Has(e.Hash) {
			t.Errorf("the bytes of %q are kept", text)
		}
	}
	if e := entryOf(sideOf([]byte("plain\n"))); !store.Has(e.Hash) {
		t.Error("the bytes of a file without secrets are not kept")
	}
	err := filepath.WalkDir(b.data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if text, err := os.ReadFile(path); err != nil || strings.Contains(string(text), "secret 2") {
			t.Errorf("%s has the bytes of a secret, %v", path, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	b.quiet()
}

func TestWhichNamesAreSecret(t *testing.T) {
	for name, want := range map[string]bool{
		".env": true, "a/.env.production": true, "x.pem": true, "X.PEM": true, "y.key": true, "id_ed25519.pub": true, "credentials": true,
		"env": false, "a.env": false, "pem": false, "keys/readme": false, "kid_a": false, "monkey": false, ".env/notes.txt": false,
	} {
		if got := isSecret(name); got != want {
			t.Errorf("%s: %t, want %t", name, got, want)
		}
	}
}

func TestManyFilesThatOnlyGitHasAreComparedUpToABound(t *testing.T) {
	// Sides of one and a half kilobytes short of a megabyte: what is compared takes several
	// batches, and the last two files are left out.
	const size = 1<<20 - 1500
	const fit = maxCompared / (2 * size)
	repository := gittest.New(t)
	name := func(i int) string { return fmt.Sprintf("f%02d", i) }
	body := strings.Repeat(strings.Repeat("x", 999)+"\n", size/1000)
	for i := range fit + 2 {
		repository.Write(name(i), fmt.Sprintf("%02d\n", i)+body)
	}
	repository.Git("add", ".")
	repository.Git("commit", "--quiet", "-m", "first")
	b := newBench(t)
	b.root, b.env.ProjectDir = repository.Dir, repository.Dir
	b.pre("a")
	for i := range fit + 2 {
		b.write(name(i), fmt.Sprintf("%02d\nnew\n", i)+body)
	}
	b.post("a")
	r := b.record("a")
	if *r.ChangedFiles != fit+2 || len(r.Changes) != fit+2 || len(r.Gaps) != 1 || !strings.HasPrefix(r.Gaps[0], "2 files are not compared") {
		t.Errorf("%d changes, gaps %q", len(r.Changes), r.Gaps)
	}
	for i, c := range r.Changes {
		want := record.Available
		if i >= fit {
			want = record.Unavailable
		}
		if c.Diff != want || c.Before.SHA256 == "" || c.After.SHA256 == "" || want == record.Available && (c.Additions != 1 || c.Deletions != 0) {
			t.Errorf("%s: %s, +%d -%d", c.Path, c.Diff, c.Additions, c.Deletions)
		}
	}
	b.quiet()
}
