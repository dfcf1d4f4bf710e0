package decisionlog_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/decisionlog"
	"github.com/claudewatch/claudewatch/internal/testpipe"
	"github.com/google/go-cmp/cmp"
)

// readAll returns the records of a log and how many of its lines were none.
func readAll(path string) (records []decisionlog.Record, damaged int, err error) {
	r, err := decisionlog.NewReader(path)
	if err != nil {
		return nil, 0, err
	}
	defer r.Close()
	for record, err := range r.Records() {
		if err != nil {
			return nil, 0, err
		}
		records = append(records, *record)
	}
	return records, r.Damaged(), nil
}

const line = `{"ts":"2026-11-30T12:00:00Z","session":"s","cwd":"/w","tool":"Bash","mode":"plan","decision":"ask","matched":["a/b"],"command_shape":"git commit"}`

func writeLog(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	path := logPath(t)
	want := []decisionlog.Record{
		{
			Time: time.Date(2026, 11, 30, 12, 0, 0, 7, time.UTC), Session: "s", Cwd: "/w", Tool: "Bash", Mode: "plan", Decision: "allow",
			Matched: []string{"a/b"}, CommandShape: "git commit", ToolUseID: "toolu_1", Muted: []string{"a/b"},
		},
		{Time: time.Date(2026, 11, 30, 12, 0, 1, 0, time.UTC), Tool: "Write", Decision: "deny", Matched: []string{}, Path: "/w/a\n.go"},
	}
	for _, r := range want {
		mustAppend(t, path, r)
	}
	if diff := cmp.Diff(want, read(t, path)); diff != "" {
		t.Error(diff)
	}
}

func TestLinesThatAreNoRecordsArePassedOverAndCounted(t *testing.T) {
	for name, c := range map[string]struct {
		content          string
		records, damaged int
	}{
		"an empty file":        {"", 0, 0},
		"a header alone":       {header, 0, 0},
		"records":              {header + line + "\n" + line + "\n", 2, 0},
		"empty lines":          {header + "\n\n" + line + "\n \n", 1, 0},
		"CRLF":                 {`{"schema":2}` + "\r\n" + line + "\r\n", 1, 0},
		"a torn line":          {header + line[:50] + "\n" + line + "\n", 1, 1},
		"an unfinished line":   {header + line + "\n" + line[:50], 1, 1},
		"no last line end":     {header + line + "\n" + line, 2, 0},
		"two logs joined":      {header + line + "\n" + header + line + "\n", 2, 0},
		"keys of the future":   {header + strings.Replace(line, "{", `{"later":{"x":1},`, 1) + "\n", 1, 0},
		"no JSON, NUL bytes":   {header + "x\n\x00\x00\n\xff\n[]\n5\nnull\n" + line + "\n", 1, 6},
		"another kind of line": {header + `{"ts":"2026-11-30T12:00:00Z","decision":"perhaps"}` + "\n" + `{"decision":"ask"}` + "\n", 0, 2},
		"a wrong type":         {header + strings.Replace(line, `["a/b"]`, `"a/b"`, 1) + "\n", 0, 1},
		"a very long line":     {header + strings.Repeat("x", 9<<20) + "\n" + line + "\n", 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			records, damaged, err := readAll(writeLog(t, c.content))
			if err != nil || len(records) != c.records || damaged != c.damaged {
				t.Errorf("%d records, %d damaged, %v, want %d and %d", len(records), damaged, err, c.records, c.damaged)
			}
		})
	}
}

func TestAFileThatIsNoLogOfThisSchemaIsSaid(t *testing.T) {
	for content, want := range map[string]int{
		`{"schema":1}` + "\n" + line + "\n": 1,
		`{"schema":3}` + "\n":               3,
		line + "\n":                         0,
		"notes\n":                           0,
		`{"schema":2}`:                      0,
		`{"sch`:                             0,
	} {
		_, _, err := readAll(writeLog(t, content))
		var schema *decisionlog.SchemaError
		if !errors.As(err, &schema) || schema.Schema != want {
			t.Errorf("%q: %v", content, err)
		}
	}
}

func TestAReaderOfWhatIsNoFileSaysSo(t *testing.T) {
	dir := t.TempDir()
	if _, err := decisionlog.NewReader(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	pipe := filepath.Join(dir, "pipe")
	testpipe.Make(t, pipe)
	for _, path := range []string{dir, pipe} {
		if _, err := decisionlog.NewReader(path); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestTheRestOfALogIsReadOn(t *testing.T) {
	r, err := decisionlog.NewReader(writeLog(t, header+strings.Repeat(line+"\n", 3)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for range r.Records() {
		break
	}
	rest := 0
	for _, err := range r.Records() {
		if rest++; err != nil {
			t.Error(err)
		}
	}
	if rest != 2 {
		t.Errorf("%d records after the first of 3", rest)
	}
}

func TestAnErrorEndsTheRecords(t *testing.T) {
	r, err := decisionlog.NewReader(writeLog(t, header+line+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	_ = r.Close()
	// What is in the buffer comes first.
	records, failures := 0, 0
	for record, err := range r.Records() {
		if err != nil {
			failures++
		} else if record != nil {
			records++
		}
	}
	if records != 1 || failures != 1 {
		t.Errorf("%d records, %d errors", records, failures)
	}
}

func FuzzReader(f *testing.F) {
	for _, seed := range []string{"", header, header + line, header + line + "\n" + line[:40], `{"schema":1}` + "\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		records, damaged, err := readAll(path)
		if lines := strings.Count(string(content), "\n") + 1; err == nil && len(records)+damaged > lines {
			t.Errorf("%d records and %d damaged of %d lines", len(records), damaged, lines)
		}
	})
}
