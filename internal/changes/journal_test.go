package changes

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/changes/scan"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestAJournalIsReadAsItWasWritten(t *testing.T) {
	j, err := openJournal(filepath.Join(t.TempDir(), "journal.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	at := record.Span{From: record.Time{Time: time.Unix(1, 2).UTC()}, To: record.Time{Time: time.Unix(3, 4).UTC()}}
	st := func(number uint64) *step {
		return &step{Number: number, Kind: scanStep, Span: at, Session: "s", Stream: "main", Open: []windowInfo{{Key: "k", Capture: "c"}},
			Differences: []scan.Difference{{Path: "a\n\"b", After: &scan.Entry{Kind: scan.Regular, Size: 1, Hash: [32]byte{1}}}}}
	}
	lines := []journalLine{
		{Journal: &journalHead{Version: 1, Root: "/r", Last: 6}},
		{Steps: []*step{st(7)}},
		{Steps: []*step{st(8), st(9)}, Closing: &closing{Key: "k", ID: "c", Last: 8}},
		{Recorded: 7},
		{Closing: &closing{Key: "again"}},
		{Reopened: "again"},
	}
	for i, l := range lines {
		if err := j.append(l, i%2 == 0); err != nil {
			t.Fatal(err)
		}
	}
	again, err := openJournal(j.path)
	if diff := cmp.Diff(j, again, cmp.AllowUnexported(journal{}), cmpopts.IgnoreUnexported(step{})); diff != "" || err != nil {
		t.Errorf("%s%v", diff, err)
	}
	if again.last() != 9 || len(again.closings) != 1 || !again.recorded[7] || again.head.Root != "/r" || journalRoot(j.path) != "/r" || lastStep(j.path) != 9 {
		t.Errorf("%+v", again)
	}
	if steps, whole := again.between(7, 9); len(steps) != 2 || !whole {
		t.Errorf("%v, %t", steps, whole)
	}
	if _, whole := again.between(5, 9); whole {
		t.Error("steps that are not there are said to be")
	}
	if err := again.rewrite("/r", 8, func(*closing) bool { return true }); err != nil {
		t.Fatal(err)
	}
	last, err := openJournal(j.path)
	if diff := cmp.Diff(again, last, cmp.AllowUnexported(journal{}), cmpopts.IgnoreUnexported(step{})); diff != "" || err != nil {
		t.Errorf("%s%v", diff, err)
	}
	if len(last.steps) != 1 || last.head.Last != 8 || last.head.Span == nil || len(last.closings) != 1 {
		t.Errorf("%+v", last)
	}
}

func FuzzJournal(f *testing.F) {
	for _, text := range []string{
		"", "\n", "{}\n", `{"journal":{"version":1,"root":"/r","last":3}}` + "\n" + `{"steps":[{"step":4,"kind":"scan","span":{"from":"2026-01-01T00:00:00Z","to":"2026-01-01T00:00:00Z"}}]}` + "\n",
		`{"steps":[null]}` + "\n", `{"closing":{"key":"k"}}` + "\n" + `{"recor`, "{\"steps\":[{\"differences\":[{}]}]}\n",
	} {
		f.Add([]byte(text))
	}
	path := filepath.Join(f.TempDir(), "journal.jsonl")
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := openJournal(path)
		if err != nil {
			return
		}
		count := len(j.steps)
		if err := j.append(journalLine{Steps: []*step{{Number: 77}}}, false); err != nil {
			t.Fatal(err)
		}
		again, err := openJournal(path)
		if err != nil || len(again.steps) != count+1 || again.torn || again.damaged != j.damaged {
			t.Errorf("%q: %d steps became %d, %v", content, count, len(again.steps), err)
		}
	})
}

func FuzzSettings(f *testing.F) {
	for _, text := range []string{reference, "", "roots: [", "exclude: {add: [[]]}\n", "- a\n", "retention: &a {idle: 1h}\nedits: *a\n", "a: b\n---\nc: d\n"} {
		f.Add([]byte(text))
	}
	data := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(filepath.Join(data, "settings.yaml"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		s := LoadSettings(data, nil, config.Environment{Home: "/home/dev"})
		if s.Idle <= 0 || s.TTL <= 0 || s.ScanTimeout <= 0 || s.SizeCap < 0 || s.SizeCap > maxSizeCap || len(s.Roots) > maxRoots {
			t.Errorf("%q: %+v", text, s)
		}
		for _, root := range s.Roots {
			if !filepath.IsAbs(root) {
				t.Errorf("%q: the root %q", text, root)
			}
		}
	})
}

func TestALineIsReadAsItWasWritten(t *testing.T) {
	entry := func(size int64) *scan.Entry { return &scan.Entry{Kind: scan.Regular, Size: size} }
	plain := &step{Number: 1, Kind: scanStep, Gaps: []string{`"steps":[<}`}}
	found := &step{Number: 2, Kind: scanStep, Differences: []scan.Difference{{Path: "a", After: entry(1)}, {Path: "b", Before: entry(2)}}}
	seen := &step{Number: 3, Kind: scanStep, Refreshed: []scan.Difference{{Path: "c", Before: entry(1), After: entry(2)}}}
	for _, l := range []journalLine{
		{},
		{Recorded: 1},
		{Steps: []*step{plain}},
		{Steps: []*step{found, plain, seen}},
		{Steps: []*step{seen}, Closing: &closing{Key: "k"}, Reopened: "r"},
	} {
		var line bytes.Buffer
		size, err := l.write(&line)
		if err != nil || size != int64(line.Len()) || bytes.IndexByte(line.Bytes(), '\n') != line.Len()-1 {
			t.Errorf("%d of %d bytes, %v: %s", size, line.Len(), err, line.Bytes())
		}
		var got journalLine
		if err := json.Unmarshal(line.Bytes(), &got); err != nil {
			t.Errorf("%v: %s", err, line.Bytes())
		}
		if diff := cmp.Diff(l, got, cmpopts.IgnoreUnexported(step{})); diff != "" {
			t.Error(diff)
		}
	}
}
