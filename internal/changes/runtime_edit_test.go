package changes

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/changes/textdiff"
	"github.com/google/go-cmp/cmp"
)

// The responses of file tools as Claude Code 2.1.197 gives them; PATH stands for the file.
const (
	writeCreates = `{"type": "create", "filePath": "PATH", "content": "import os\nprint('one')\n", "structuredPatch": [], "originalFile": null, "userModified": false}`
	editChanges  = `{"filePath": "PATH", "oldString": "one", "newString": "two", "originalFile": "import os\nprint('one')\n", "structuredPatch": [{"oldStart": 1, "oldLines": 2, "newStart": 1, "newLines": 2, "lines": [" import os", "-print('one')", "+print('two')"]}], "userModified": false, "replaceAll": false}`
	writeUpdates = `{"type": "update", "filePath": "PATH", "content": "import os\nprint('three')", "structuredPatch": [{"oldStart": 1, "oldLines": 2, "newStart": 1, "newLines": 2, "lines": [" import os", "-print('two')", "+print('three')", "\\ No newline at end of file"]}], "originalFile": "import os\nprint('two')\n", "userModified": false}`
	notebook     = `{"new_source": "print(2)", "old_source": "print(1)", "cell_type": "code", "language": "python", "edit_mode": "replace", "cell_id": "c1", "error": "", "notebook_path": "PATH", "original_file": "{\"cells\":[1]}", "updated_file": "{\n \"cells\": [\n  2\n ]\n}"}`
)

// respond gives the event after an edit.
func (b *bench) respond(id, tool, path, response string) []*record.Record {
	b.t.Helper()
	e := Event{Name: "PostToolUse", Tool: tool, ToolUseID: id, Args: map[string]any{"file_path": path}}
	if tool == "NotebookEdit" {
		e.Args = map[string]any{"notebook_path": path}
	}
	text := strings.ReplaceAll(response, "PATH", filepath.ToSlash(path))
	if err := json.Unmarshal([]byte(text), &e.Response); err != nil {
		b.t.Fatal(err)
	}
	return b.hook(e)
}

func TestTheRuntimesOwnPatchIsRecorded(t *testing.T) {
	for _, c := range []struct {
		name, tool, before, after, response string
		want                                string
		hunks                               []textdiff.Hunk
	}{
		{"Write of a new file", "Write", "", "import os\nprint('one')\n", writeCreates, "e: returned +a.py",
			[]textdiff.Hunk{{OldStart: 0, OldLines: 0, NewStart: 1, NewLines: 2, Lines: []string{"+import os", "+print('one')"}}}},
		{"Edit", "Edit", "import os\nprint('one')\n", "import os\nprint('two')\n", editChanges, "e: returned ~a.py",
			[]textdiff.Hunk{{OldStart: 1, OldLines: 2, NewStart: 1, NewLines: 2, Lines: []string{" import os", "-print('one')", "+print('two')"}}}},
		{"Edit in a file of CRLF lines", "Edit", "import os\r\nprint('one')\r\n", "import os\r\nprint('two')\r\n", editChanges, "e: returned ~a.py",
			[]textdiff.Hunk{{OldStart: 1, OldLines: 2, NewStart: 1, NewLines: 2, Lines: []string{" import os\r", "-print('one')\r", "+print('two')\r"}}}},
		{"Edit in a file with a byte order mark", "Edit", "\ufeffimport os\nprint('one')\n", "\ufeffimport os\nprint('two')\n", editChanges, "e: returned ~a.py",
			[]textdiff.Hunk{{OldStart: 1, OldLines: 2, NewStart: 1, NewLines: 2, Lines: []string{" \ufeffimport os", "-print('one')", "+print('two')"}}}},
		{"Write of a file that is there", "Write", "import os\nprint('two')\n", "import os\nprint('three')", writeUpdates, "e: returned ~a.py",
			[]textdiff.Hunk{{OldStart: 1, OldLines: 2, NewStart: 1, NewLines: 2, Lines: []string{" import os", "-print('two')", "+print('three')", `\ No newline at end of file`}}}},
		{"NotebookEdit", "NotebookEdit", "{\"cells\":[1]}", "{\n \"cells\": [\n  2\n ]\n}", notebook, "e: returned ~a.py",
			[]textdiff.Hunk{{OldStart: 1, OldLines: 1, NewStart: 1, NewLines: 5, Lines: []string{
				"-{\"cells\":[1]}", `\ No newline at end of file`, "+{", "+ \"cells\": [", "+  2", "+ ]", "+}", `\ No newline at end of file`}}}},
		{"a NotebookEdit that failed", "NotebookEdit", "{\"cells\":[1]}", "{\"cells\":[1]}", strings.Replace(notebook, `"error": ""`, `"error": "no such cell"`, 1), "", nil},
		{"Write of what is there already", "Write", "import os\nprint('one')\n", "import os\nprint('one')\n", strings.Replace(writeCreates, "null", `"import os\nprint('one')\n"`, 1), "e: returned", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			if c.before != "" {
				b.write("a.py", c.before)
			}
			b.pre("call")
			b.post("call")
			path := filepath.Join(b.root, "a.py")
			b.hook(Event{Name: "PreToolUse", Tool: c.tool, ToolUseID: "e", Args: map[string]any{"file_path": path, "notebook_path": path}})
			b.write("a.py", c.after)
			b.respond("e", c.tool, path, c.response)
			b.event("Stop")
			want := []string{"call: returned"}
			if c.want != "" {
				want = append(want, c.want)
			}
			if diff := cmp.Diff(want, b.lines()); diff != "" {
				t.Error(diff)
			}
			if c.hunks != nil {
				r := b.record("e")
				if diff := cmp.Diff(c.hunks, r.Changes[0].Hunks); diff != "" {
					t.Error(diff)
				}
				if r.Basis != record.RuntimeReported || r.Window != nil || r.Changes[0].After.SHA256 != sideOf([]byte(c.after)).SHA256 {
					t.Errorf("%+v", r)
				}
			}
			b.quiet()
		})
	}
}

func TestAnEditIsReportedAlsoWhenAScanWasFaster(t *testing.T) {
	for _, c := range []struct {
		name string
		scan func(b *bench) // between the edit and its report
		want []string
	}{
		{"nobody else was at work", scanByOthers, []string{"e: returned ~a.txt"}},
		{"a call began", func(b *bench) { b.hook(in("agent", shell("PreToolUse", "c"))) }, []string{"e: returned ~a.txt", "c: unfinished"}},
		{"somebody wrote to the file first", func(b *bench) { b.write("a.txt", "3"); scanByOthers(b) },
			[]string{"gap/4: ~a.txt(outside)", "e: returned ~a.txt"}},
		{"somebody wrote to the file after the scan", func(b *bench) { scanByOthers(b); b.write("a.txt", "3") },
			[]string{"e: returned ~a.txt", "gap/5: ~a.txt(outside)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			b.write("a.txt", "1")
			b.pre("call")
			b.post("call")
			path := filepath.Join(b.root, "a.txt")
			e := writing("e", path, "2")
			b.hook(e)
			b.write("a.txt", "2")
			c.scan(b)
			b.hook(written(e, path, "1", "2"))
			b.event("SessionEnd")
			want := append([]string{"call: returned"}, c.want...)
			got := b.lines()
			if len(got) > 0 && strings.HasPrefix(got[0], "c:") {
				got = append(got[1:], got[0]) // the subagent's file comes first
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			b.quiet()
		})
	}
}

// scanByOthers is a scan that is not the end of what the main stream does.
func scanByOthers(b *bench) { b.hook(in("agent", Event{Name: "SubagentStop"})) }

func TestAnEditThatIsNotMadeHidesNothing(t *testing.T) {
	for _, end := range []struct {
		name string
		do   func(b *bench, e Event)
	}{
		{"refused, and the next prompt", func(b *bench, _ Event) { b.event("UserPromptSubmit") }},
		{"refused, and the end of the turn", func(b *bench, _ Event) { b.event("Stop") }},
		{"failed", func(b *bench, e Event) {
			e.Name, e.Error = "PostToolUseFailure", "String to replace not found in file."
			b.hook(e)
		}},
		{"refused, and the next edit", func(b *bench, e Event) {
			e.ToolUseID = "e2"
			b.hook(e)
			e.Name, e.Error = "PostToolUseFailure", "no"
			b.hook(e)
		}},
	} {
		t.Run(end.name, func(t *testing.T) {
			b := newBench(t)
			b.write("a.txt", "1")
			b.pre("call")
			b.post("call")
			e := Event{Name: "PreToolUse", Tool: "Edit", ToolUseID: "e", Args: map[string]any{"file_path": filepath.Join(b.root, "a.txt")}}
			b.hook(e)
			b.write("a.txt", "by hand")
			scanByOthers(b)
			if diff := cmp.Diff([]string{"call: returned"}, b.lines()); diff != "" {
				t.Errorf("before it is known: %s", diff)
			}
			end.do(b, e)
			got := b.lines()
			want := []string{"call: returned", "gap: ~a.txt(outside)"}
			for i, line := range got {
				if strings.HasPrefix(line, "gap/") {
					got[i] = "gap" + line[strings.Index(line, ":"):]
				}
			}
			if diff := cmp.Diff(want, got); diff != "" || len(b.notes()) != 0 {
				t.Errorf("%s%v", diff, b.notes())
			}
			b.quiet()
		})
	}
}

func TestWhatStoodThereBeforeAnEditIsTakenFromTheRuntime(t *testing.T) {
	b := newBench(t)
	b.write("a.txt", "1\n")
	b.pre("call")
	b.post("call")
	b.write("a.txt", "2\n") // by hand, and no scan has seen it
	b.edit("e", "a.txt", "2\n", "3\n")
	want := []string{"call: returned", "gap/3: ~a.txt(outside)", "e: returned ~a.txt"}
	if diff := cmp.Diff(want, b.lines()); diff != "" {
		t.Error(diff)
	}
	hunks := b.record("gap/" + b.state().id + "/3").Changes[0].Hunks
	if len(hunks) != 1 || strings.Join(hunks[0].Lines, "|") != "-1|+2" {
		t.Errorf("%+v", hunks)
	}
	b.quiet()
}

func TestEditsOfTheMainStreamAreLeftToOthersWhenTheSettingsSaySo(t *testing.T) {
	b := newBench(t)
	b.settings("edits: subagents")
	b.pre("call")
	b.post("call")
	b.edit("main", "a.txt", "", "1")
	path := filepath.Join(b.root, "b.txt")
	e := in("agent", Event{Name: "PreToolUse", Tool: "Write", ToolUseID: "sub", Args: map[string]any{"file_path": path}})
	b.hook(e)
	b.write("b.txt", "1")
	b.hook(written(e, path, "", "1"))
	b.event("Stop") // finds neither of them
	want := []string{"sub: returned +b.txt", "call: returned"}
	if diff := cmp.Diff(want, b.lines()); diff != "" {
		t.Error(diff)
	}
	b.quiet()
}

func TestAnEditOutsideOfAllRootsHasAnAbsolutePathAndNoRoot(t *testing.T) {
	b := newBench(t)
	path := filepath.Join(filepath.Dir(b.root), "elsewhere.txt")
	b.put(path, "2")
	e := writing("e", path, "2")
	b.hook(e)
	b.hook(written(e, path, "1", "2"))
	r := b.record("e")
	if r.Root != nil || r.Changes[0].Path != filepath.ToSlash(path) || r.Changes[0].Diff != record.Available {
		t.Errorf("%+v", r)
	}
	b.quiet()
}

func TestAnEditThroughASymbolicLinkIsOneOfTheFile(t *testing.T) {
	b := newBench(t)
	b.write("file.txt", "1")
	if err := os.Symlink("file.txt", filepath.Join(b.root, "link.txt")); err != nil {
		t.Skip(err)
	}
	b.pre("call")
	b.post("call")
	path := filepath.Join(b.root, "link.txt")
	e := writing("e", path, "2")
	b.hook(e)
	b.write("file.txt", "2")
	b.hook(written(e, path, "1", "2"))
	b.event("Stop")
	if diff := cmp.Diff([]string{"call: returned", "e: returned ~file.txt"}, b.lines()); diff != "" {
		t.Error(diff)
	}
}

func TestAnEditInAnExcludedDirectoryIsRecordedAndNotObserved(t *testing.T) {
	b := newBench(t)
	b.pre("call")
	b.post("call")
	b.edit("e", "node_modules/a.js", "", "1")
	b.write("node_modules/a.js", "2")
	b.event("Stop")
	if diff := cmp.Diff([]string{"call: returned", "e: returned +node_modules/a.js"}, b.lines()); diff != "" {
		t.Error(diff)
	}
	b.quiet()
}

func TestTheSidesOfAnEditAreTheBytesOfTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	side := func(text string) *record.Side { s := sideOf([]byte(text)); return &s }
	text := func(s string) reportedText { return reportedText{true, true, s} }
	for _, c := range []struct {
		name, disk    string
		before, after reportedText
		known         *record.Side
		wantBefore    string
		wantAfter     string
	}{
		{"nothing is known of before but the runtime's text", "b\r\n", text("a\n"), text("b\n"), nil, "a\r\n", "b\r\n"},
		{"the lines end in two ways", "a\r\nb\nc\n", text("a\nb\n"), text("a\nb\nc\n"), side("a\r\nb\n"), "a\r\nb\n", "a\r\nb\nc\n"},
		{"somebody wrote to the file since", "z\n", text("a\n"), text("b\n"), side("a\r\n"), "a\r\n", "b\r\n"},
		{"somebody wrote to it before", "b\n", text("a\n"), text("b\n"), side("x\n"), "a\n", "b\n"},
		{"bytes that are not UTF-8", "a\ufffdb", text("a\ufffd\ufffd"), text("a\ufffdb"), side("a\xff\xfe"), "a\xff\xfe", "a\ufffdb"},
		{"two bytes a unit", "\xff\xfeb\x00\n\x00", text("a\n"), text("b\n"), nil, "\xff\xfea\x00\n\x00", "\xff\xfeb\x00\n\x00"},
		{"a new file is as it was written", "", reportedText{known: true}, text("a\r\n"), &record.Side{}, "", "a\r\n"},
		{"the runtime does not say what was there", "b\n", reportedText{}, text("b\n"), side("a\n"), "a\n", "b\n"},
		{"the runtime does not say what it wrote", "b\n", text("a\n"), reportedText{}, side("a\n"), "a\n", "b\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_ = os.Remove(path)
			if c.disk != "" {
				if err := os.WriteFile(path, []byte(c.disk), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			before, after := (&reported{path: path, before: c.before, after: c.after}).sides(c.known)
			if string(before.Content) != c.wantBefore || string(after.Content) != c.wantAfter {
				t.Errorf("before %q, after %q, want %q and %q", before.Content, after.Content, c.wantBefore, c.wantAfter)
			}
		})
	}
}

func FuzzReportOf(f *testing.F) {
	for _, response := range []string{writeCreates, editChanges, writeUpdates, notebook, `{}`, `[]`, `"text"`, `{"filePath": 1, "structuredPatch": [1]}`} {
		f.Add(response, "PostToolUse")
	}
	directory := f.TempDir()
	f.Fuzz(func(t *testing.T, response, name string) {
		e := Event{Name: name, Tool: "Edit", Cwd: directory, Args: map[string]any{"file_path": "a"}}
		if json.Unmarshal([]byte(response), &e.Response) != nil {
			return
		}
		r := reportOf(e, editedPath(e))
		if r == nil {
			return
		}
		if !filepath.IsAbs(r.path) {
			t.Errorf("path %q", r.path)
		}
		r.path = filepath.Join(directory, "a")
		before, after := r.sides(nil)
		for _, s := range []record.Side{before, after} {
			if s.Content != nil && int64(len(s.Content)) != s.Size {
				t.Errorf("%d bytes of %d", len(s.Content), s.Size)
			}
		}
	})
}

func TestEditsOfAFileThatAreReportedInAnotherOrderHaveOneRecordEach(t *testing.T) {
	for _, announced := range []bool{true, false} {
		b := newBench(t)
		b.write("a.txt", "1")
		b.pre("call")
		b.post("call")
		path := filepath.Join(b.root, "a.txt")
		first := writing("first", path, "2")
		second := in("agent", writing("second", path, "3"))
		if announced {
			b.hook(first)
		}
		b.hook(second)
		b.write("a.txt", "2")
		b.write("a.txt", "3")
		b.hook(written(second, path, "2", "3"))
		b.hook(written(first, path, "1", "2"))
		b.event("SessionEnd")
		want := []string{"second: returned ~a.txt", "call: returned", "first: returned ~a.txt"}
		if !announced { // then it was nobody's before it was reported
			want = []string{"gap/3: ~a.txt(outside)", "second: returned ~a.txt", "call: returned", "first: returned ~a.txt"}
		}
		if diff := cmp.Diff(want, b.lines()); diff != "" {
			t.Errorf("announced %t: %s", announced, diff)
		}
		b.quiet()
	}
}

func TestAnEditThatScansSawComeAndGoIsClaimed(t *testing.T) {
	b := newBench(t)
	b.pre("call")
	b.post("call")
	path := filepath.Join(b.root, "a.txt")
	e := writing("e", path, "1")
	b.hook(e)
	b.write("a.txt", "1")
	scanByOthers(b)
	b.remove("a.txt")
	scanByOthers(b)
	b.hook(written(e, path, "", "1"))
	b.event("SessionEnd")
	want := []string{"call: returned", "gap/5: -a.txt(outside)", "e: returned +a.txt"}
	if diff := cmp.Diff(want, b.lines()); diff != "" {
		t.Error(diff)
	}
	b.quiet()
}
