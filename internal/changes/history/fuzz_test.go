package history_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/history"
	"github.com/claudewatch/claudewatch/internal/changes/record"
)

// FuzzRecords reads whatever may stand in a file of records back in every way.
func FuzzRecords(f *testing.F) {
	f.Add([]byte(`{"schema":"changes/1","id":"a","tool":"a","time":"2026-11-30T12:00:01Z","root":{"path":"/r","id":"0123456789abcdef"},"changed_files":1,"changes":[{"path":"f","operation":"modify","before":{"present":true,"bytes":2,"sha256":"x"},"after":{"present":true,"bytes":2,"sha256":"4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865"},"diff":"available","hunks":[{"old_start":1,"old_lines":1,"new_start":1,"new_lines":1,"lines":["-2","+1"]}]}]}`+"\n"), []byte("1\n"))
	f.Add([]byte(`{"schema":"changes/1","id":"a","changed_files":2,"changes":[{"path":"/r/f","before":{"present":false},"after":{"present":true,"sha256":"4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865"},"diff":"available","x_renamed_from":"../f","hunks":[{"old_start":9,"new_start":-1,"lines":["",""," ","\\ No newline at end of file"]}]},{"path":"/r/f","after":{"present":true,"sha256":"z"},"diff":"binary"}]}`+"\n"), []byte("1\n"))
	f.Fuzz(func(t *testing.T, lines, content []byte) {
		data := t.TempDir()
		path := record.Path(data, "s", record.MainStream)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, lines, 0o600); err != nil {
			t.Fatal(err)
		}
		h, err := history.Load(data, history.Filter{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		h.Stat()
		for _, root := range h.ByRoot() {
			for _, c := range root.Net() {
				_ = record.WritePatch(&bytes.Buffer{}, c.Change)
			}
		}
		for _, file := range h.Files() {
			of, err := history.LoadFile(data, file, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, l := range of.Blame(file, content) {
				if l.Number != i+1 || l.Origin < history.ByCall || l.Step == nil && l.Origin <= history.ByNobody {
					t.Errorf("line %d: %+v", i+1, l)
				}
			}
			of.Restore(file, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		}
		for _, r := range h.Records {
			of, own, err := history.LoadCall(data, "", r.ID, nil)
			if err != nil {
				t.Fatal(err)
			}
			of.Undo(own)
		}
	})
}
