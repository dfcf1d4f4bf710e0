package history_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/history"
	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/google/go-cmp/cmp"
)

func ids(h *history.History) []string {
	var list []string
	for _, r := range h.Records {
		list = append(list, r.ID)
	}
	return list
}

func TestRecordsAreSelected(t *testing.T) {
	p := newProject(t)
	p.edit("a", "src/x.go", "1\n")
	p.edit("b", "src/deep/y.go", "1\n")
	p.edit("c", "README.md", "1\n", func(r *record.Record) { r.Session = "other" })
	p.edit("d", "src/x.go", "2\n", func(r *record.Record) { r.ID = "d/0123456789abcdef" })
	for name, row := range map[string]struct {
		filter history.Filter
		want   []string
	}{
		"all":                   {history.Filter{}, []string{"a", "b", "c", "d/0123456789abcdef"}},
		"of a session":          {history.Filter{Session: "other"}, []string{"c"}},
		"of no session":         {history.Filter{Session: "oth"}, nil},
		"of a call":             {history.Filter{Tools: []string{"d"}}, []string{"d/0123456789abcdef"}},
		"of an id":              {history.Filter{Tools: []string{"d/0123456789abcdef", "a"}}, []string{"a", "d/0123456789abcdef"}},
		"since":                 {history.Filter{Since: start.Add(4 * time.Second)}, []string{"c", "d/0123456789abcdef"}},
		"a name":                {history.Filter{Paths: []string{"*.go"}}, []string{"a", "b", "d/0123456789abcdef"}},
		"a path":                {history.Filter{Paths: []string{"src/*.go"}}, []string{"a", "d/0123456789abcdef"}},
		"any directories":       {history.Filter{Paths: []string{"**/*.{go,md}"}}, []string{"a", "b", "c", "d/0123456789abcdef"}},
		"a directory":           {history.Filter{Paths: []string{"src/deep/"}}, []string{"b"}},
		"a directory's name":    {history.Filter{Paths: []string{"deep"}}, []string{"b"}},
		"from here":             {history.Filter{Paths: []string{"./README.md"}}, []string{"c"}},
		"an absolute pattern":   {history.Filter{Paths: []string{filepath.ToSlash(p.path("src/*"))}}, []string{"a", "b", "d/0123456789abcdef"}},
		"a file":                {history.Filter{Files: []string{p.path("src/x.go")}}, []string{"a", "d/0123456789abcdef"}},
		"a directory as a file": {history.Filter{Files: []string{p.path("src")}}, []string{"a", "b", "d/0123456789abcdef"}},
		"a root":                {history.Filter{Roots: []string{p.root}}, []string{"a", "b", "c", "d/0123456789abcdef"}},
		"another root":          {history.Filter{Roots: []string{p.data}}, nil},
	} {
		if diff := cmp.Diff(row.want, ids(p.load(row.filter))); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
	if _, err := history.Load(p.data, history.Filter{Paths: []string{"a["}}, nil); err == nil {
		t.Error("a pattern that is not well formed is taken")
	}
}

func TestOfARecordOnlyTheChangesThatMatchAreLeft(t *testing.T) {
	p := newProject(t)
	p.call("a", []string{"x", "y"}, func() { p.write("x", "1"); p.write("y", "1") })
	h := p.load(history.Filter{Paths: []string{"y"}, Lean: true})
	if len(h.Records) != 1 || len(h.Records[0].Changes) != 1 || h.Records[0].Changes[0].Path != "y" || h.Records[0].Changes[0].Hunks != nil {
		t.Errorf("got %+v", h.Records[0])
	}
}

func TestRecordsOfManyFilesAreInTheOrderOfTheirTimes(t *testing.T) {
	p := newProject(t)
	for i, stream := range []string{"main", "agent", "main", "agent"} {
		p.edit(string(rune('a'+i)), "x", string(rune('0'+i)), func(r *record.Record) { r.Stream = stream })
	}
	if diff := cmp.Diff([]string{"a", "b", "c", "d"}, ids(p.load(history.Filter{}))); diff != "" {
		t.Error(diff)
	}
}

func TestALineThatCannotBeReadIsAProblemAndNotTheEnd(t *testing.T) {
	p := newProject(t)
	p.edit("a", "x", "1")
	path := record.Path(p.data, "session", record.MainStream)
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	p.check(err)
	_, err = file.WriteString("no record\n")
	p.check(err)
	p.check(file.Close())
	p.edit("b", "x", "2")
	var read int64
	h, err := history.Load(p.data, history.Filter{}, func(n int64) { read += n })
	p.check(err)
	if len(h.Records) != 2 || len(h.Problems) != 1 {
		t.Errorf("%d records, problems %v", len(h.Records), h.Problems)
	}
	if size := history.Size(p.data, history.Filter{}); read != size || size == 0 {
		t.Errorf("%d bytes are read of %d", read, size)
	}
}

func TestAPathOfARecordThatIsBeingWrittenIsNoProblem(t *testing.T) {
	p := newProject(t)
	p.edit("a", "x", "1")
	file, err := os.OpenFile(record.Path(p.data, "session", record.MainStream), os.O_APPEND|os.O_WRONLY, 0)
	p.check(err)
	_, err = file.WriteString(`{"schema":"chan`)
	p.check(err)
	p.check(file.Close())
	if h := p.load(history.Filter{}); len(h.Records) != 1 {
		t.Errorf("%d records", len(h.Records))
	}
}

func TestStatSumsUpTheChangesOfEachFile(t *testing.T) {
	p := newProject(t, "x", "1\n2\n3\n", "gone", "1\n")
	p.edit("a", "x", "1\n2\n4\n")
	p.edit("b", "x", "1\n4\n")
	p.edit("c", "new", "1\n2\n")
	p.call("d", []string{"gone"}, func() { p.check(os.Remove(p.path("gone"))) })
	p.edit("e", "bin", "\x00")
	p.edit("f", "bin", "\x01\x00", unattributed)
	p.edit("g", "back", "1\n")
	p.call("h", []string{"back"}, func() { p.check(os.Remove(p.path("back"))) })
	var got []string
	for _, s := range p.load(history.Filter{}).Stat() {
		if s.Root != p.root {
			t.Errorf("%s is in %s", s.Path, s.Root)
		}
		got = append(got, s.Path+" "+s.Operation+" "+string(rune('0'+s.Changes))+string(rune('0'+s.Calls))+" "+string(rune('0'+s.Additions))+string(rune('0'+s.Deletions)))
		if s.Uncounted != (s.Path == "bin") || s.Unattributed != (s.Path == "bin") {
			t.Errorf("%+v", s)
		}
	}
	want := []string{"back  22 11", "bin create 22 00", "gone delete 11 01", "new create 11 20", "x modify 22 12"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAChangeThatTwoWindowsSawCountsOnce(t *testing.T) {
	p := newProject(t, "x", "1\n")
	r := p.edit("a", "x", "2\n", shared("b"))
	again := *r
	again.ID, again.Tool, again.Time = "b", "b", record.Time{Time: r.Time.Add(time.Second)}
	again.Changes = append([]record.Change{}, r.Changes...)
	again.Changes[0].Windows = []string{"b", "a"}
	p.check(record.Append(p.data, again.Session, again.Stream, &again))
	stats := p.load(history.Filter{}).Stat()
	if len(stats) != 1 || stats[0].Changes != 1 || !stats[0].Shared || stats[0].Additions != 1 {
		t.Errorf("got %+v", stats)
	}
	roots := p.load(history.Filter{}).ByRoot()
	if len(roots) != 1 || len(roots[0].Steps) != 1 || len(roots[0].Broken) != 0 {
		t.Errorf("got %+v", roots[0])
	}
}

func TestWhatOverlappingWindowsSawIsThereOnce(t *testing.T) {
	// A window is "ID:content before:content after:from:to", and all share the file.
	for _, c := range []struct {
		name, windows, want string
		additions           int
	}{
		{"two parts and the whole", "b:0:1:10:20 c:1:2:30:40 a:0:2:0:50", "b c", 2},
		{"the whole ends first", "a:0:2:0:35 c:1:2:30:40", "a", 2},
		{"the first part and the whole", "b:0:1:10:20 a:0:2:0:50", "a", 2},
		{"the first part, the whole and the last part", "b:0:1:0:20 a:0:2:10:50 c:1:2:15:60", "b c", 2},
		{"three windows in one another", "c:1:2:20:30 b:1:3:15:40 a:0:3:0:50", "a", 3},
		{"one after the other", "a:0:1:0:10 b:1:2:5:20 c:2:3:15:30", "a b c", 3},
		{"there and back", "a:0:1:0:10 b:1:0:5:20", "a b", 1},
		{"all the same", "a:0:1:0:10 b:0:1:0:20 c:0:1:0:30", "a", 1},
	} {
		p := newProject(t)
		windows := strings.Fields(c.windows)
		for _, text := range windows {
			var id string
			var n [4]int
			if _, err := fmt.Sscanf(strings.ReplaceAll(text, ":", " "), "%s %d %d %d %d", &id, &n[0], &n[1], &n[2], &n[3]); err != nil {
				t.Fatal(err)
			}
			at := func(second int) record.Time { return record.Time{Time: time.Unix(int64(second), 0)} }
			span := func(second int) record.Span { return record.Span{From: at(second), To: at(second)} }
			root := record.NewRoot(p.root)
			r := &record.Record{
				ID: id, Tool: id, Session: "session", Stream: record.MainStream, Basis: record.ToolWindow, Time: at(n[3]),
				Root: &root, Window: &record.Window{Before: span(n[2]), After: span(n[3])},
			}
			change := record.Change{Path: "x", Attribution: record.Shared, Windows: []string{id}}
			for _, other := range windows {
				if other, _, _ := strings.Cut(other, ":"); other != id {
					change.Windows = append(change.Windows, other)
				}
			}
			side := func(lines int) record.Side {
				content := strings.Repeat("line\n", lines)
				return record.Side{Present: true, Size: int64(len(content)), SHA256: fmt.Sprint(lines), Content: []byte(content)}
			}
			change.Describe(side(n[0]), side(n[1]), 1<<20)
			r.Changes = []record.Change{change}
			p.check(record.Append(p.data, r.Session, r.Stream, r))
		}
		roots := p.load(history.Filter{}).ByRoot()
		var got []string
		for _, s := range roots[0].Steps {
			got = append(got, s.Record.ID)
		}
		stat := p.load(history.Filter{}).Stat()[0]
		if strings.Join(got, " ") != c.want || stat.Additions != c.additions || len(roots[0].Broken) > 0 {
			t.Errorf("%s: %q, %d additions, want %q and %d; broken: %q", c.name, got, stat.Additions, c.want, c.additions, roots[0].Broken)
		}
	}
}

func TestFilesThatSomethingElseChangedInBetweenAreNamed(t *testing.T) {
	p := newProject(t, "x", "1\n", "y", "1\n")
	p.edit("a", "x", "2\n")
	p.write("x", "3\n")
	p.edit("b", "x", "4\n")
	p.edit("c", "y", "2\n")
	p.edit("d", "y", "3\n")
	roots := p.load(history.Filter{}).ByRoot()
	if diff := cmp.Diff([]string{p.path("x")}, roots[0].Broken); diff != "" {
		t.Error(diff)
	}
}

func TestWhatAnotherWriterEscapesIsFoundAllTheSame(t *testing.T) {
	p := newProject(t)
	path := record.Path(p.data, "session", record.MainStream)
	p.check(os.MkdirAll(filepath.Dir(path), 0o700))
	line := `{"id":"t\u00f6\/1","tool":"t\u00f6\/1","schema":"changes/1","session":"session","stream":"main","time":"2026-11-30T12:00:00+02:00","changed_files":1,"changes":[{"path":"sr\u0063\/\u00fc.go","operation":"create"}]}`
	p.check(os.WriteFile(path, []byte(line+"\n"), 0o600))
	for name, f := range map[string]history.Filter{
		"a call": {Tools: []string{"tö/1"}},
		"a file": {Files: []string{filepath.FromSlash("src/ü.go")}},
		"since":  {Since: time.Date(2026, 11, 30, 9, 59, 0, 0, time.UTC)},
	} {
		if h := p.load(f); len(h.Records) != 1 {
			t.Errorf("%s: %d records", name, len(h.Records))
		}
	}
	if h := p.load(history.Filter{Since: time.Date(2026, 11, 30, 10, 1, 0, 0, time.UTC)}); len(h.Records) != 0 {
		t.Error("a record from before is there")
	}
}
