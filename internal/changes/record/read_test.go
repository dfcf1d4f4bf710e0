package record

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/regular"
	"github.com/claudewatch/claudewatch/internal/testpipe"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestALineThatIsNoRecordIsAnErrorAndReadingGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines.jsonl")
	writeFile(t, path, strings.Join([]string{
		`{"schema":"changes/1","id":"1","new_key":{"a":[1]},"changes":[{"path":"x","x_other":true}]}`,
		`{"schema":"changes/1","id":`,
		``,
		`{"schema":"changes/2","id":"3"}`,
		`{"schema":"changes/1","id":"4","time":"now"}`,
		`{"schema":"changes/1","id":"5","changes":{}}`,
		`[]`,
		strings.Repeat("\x00", 100_000),
		`{"schema":"changes/1","id":"8"}` + "\r",
		`{"schema":"changes/1","id":"9"}`,
	}, "\n"))
	ids, errs := read(t, path)
	if diff := cmp.Diff([]string{"1", "8"}, ids); diff != "" {
		t.Errorf("records (-want +got)\n%s", diff)
	}
	wantLines := []int{2, 3, 4, 5, 6, 7, 8, 10}
	var lines []int
	for _, err := range errs {
		var line *LineError
		if !errors.As(err, &line) {
			t.Fatalf("%v is of no line", err)
		}
		lines = append(lines, line.Line)
		if want := fmt.Sprintf("%s:%d: ", path, line.Line); !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q does not begin with %q", err, want)
		}
	}
	if diff := cmp.Diff(wantLines, lines); diff != "" {
		t.Errorf("errors (-want +got)\n%s", diff)
	}
	for i, err := range errs {
		if got := errors.Is(err, ErrUnfinished); got != (i == len(errs)-1) {
			t.Errorf("unfinished %v: %v", got, err)
		}
	}
}

func TestReadingMayStopEarly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines.jsonl")
	writeFile(t, path, strings.Repeat(`{"schema":"changes/1","id":"1"}`+"\n", 3)+"{")
	for n := 1; n <= 4; n++ {
		seen := 0
		for range Read(path) {
			if seen++; seen == n {
				break
			}
		}
		if seen != n {
			t.Errorf("%d of %d", seen, n)
		}
	}
}

func TestAFileThatIsNotThereIsAnError(t *testing.T) {
	data := t.TempDir()
	if _, errs := read(t, filepath.Join(data, "none")); len(errs) != 1 || !errors.Is(errs[0], fs.ErrNotExist) {
		t.Errorf("%v", errs)
	}
	if _, errs := read(t, data); len(errs) != 1 {
		t.Errorf("a directory: %v", errs)
	}
	if files, err := Files(data); len(files) > 0 || err != nil {
		t.Errorf("Files: %v, %v", files, err)
	}
	if has, err := Contains(data, "s", "main", "1"); has || err != nil {
		t.Errorf("Contains: %v, %v", has, err)
	}
}

func TestOnlyFilesOfLinesAreListed(t *testing.T) {
	data := t.TempDir()
	for _, name := range []string{"b/main.jsonl", "a/main.jsonl", "a/agent.jsonl", "a/notes.txt", "stray.jsonl", "a/sub.jsonl/x.jsonl"} {
		writeFile(t, filepath.Join(data, "output", filepath.FromSlash(name)), "x")
	}
	files, err := Files(data)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, f.Session+" "+f.Stream)
		if f.Size != 1 || f.ModTime.IsZero() {
			t.Errorf("%+v", f)
		}
	}
	if diff := cmp.Diff([]string{"a agent", "a main", "b main"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestAPipeIsNotReadAndNamed(t *testing.T) {
	data := t.TempDir()
	writeFile(t, Path(data, "s", "main"), `{"schema":"changes/1","id":"1"}`+"\n")
	pipe := Path(data, "s", "pipe")
	testpipe.Make(t, pipe)
	writer, err := os.OpenFile(pipe, os.O_RDWR, 0) // whoever reads would wait for what it writes
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		files, err := Files(data)
		if len(files) != 1 || files[0].Stream != "main" || err == nil || !strings.Contains(err.Error(), "pipe.jsonl") {
			t.Errorf("Files: %v, %v", files, err)
		}
		if ids, errs := read(t, pipe); len(ids) > 0 || len(errs) != 1 || !errors.Is(errs[0], regular.ErrNotRegular) {
			t.Errorf("Read: %v, %v", ids, errs)
		}
		if has, err := Contains(data, "s", "pipe", "1"); has || err == nil {
			t.Errorf("Contains: %v, %v", has, err)
		}
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("it waits for the pipe")
	}
}

func TestOnlyWholeRecordsAreContained(t *testing.T) {
	data := t.TempDir()
	writeFile(t, Path(data, "s", "main"), strings.Join([]string{
		`{"schema":"changes/1","id":"toolu_1","windows":["toolu_2"]}`,
		`{"schema":"changes/1","id":"odd \"<ü>\" \\ id"}`,
		`{"id":"toolu_3"`,
		`{"schema":"changes/2","id":"toolu_4"}`,
		`{"schema":"changes/1","id":"toolu_5"}`,
	}, "\n"))
	for id, want := range map[string]bool{
		"toolu_1": true, "toolu_2": false, "toolu_3": false, "toolu_4": false, "toolu_5": false, `odd "<ü>" \ id`: true, "": false, "toolu": false,
	} {
		if has, err := Contains(data, "s", "main", id); has != want || err != nil {
			t.Errorf("%q: %v, %v", id, has, err)
		}
	}
	if has, err := Contains(data, "s", "other", "toolu_1"); has || err != nil {
		t.Errorf("in another stream: %v, %v", has, err)
	}
}

func FuzzRead(f *testing.F) {
	for _, line := range []string{
		`{"schema":"changes/1","id":"1","time":"2026-03-01T11:00:07.5Z","exit_code":null}`,
		`{"schema":"changes/1","changed_files":0,"changes":[null,{"path":"a","hunks":[{"old_start":1,"lines":["-a"]}]}]}`,
		`{"schema":"changes/1","changes":[{"diff":"binary","x_mode":{"before":"0644"}}],"x_command":"a"}`,
		"\n[]\n{",
	} {
		f.Add([]byte(line + "\n"))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		var problem error
		var all []byte
		for line := range lines(bytes.NewReader(content), &problem) {
			all = append(all, line.text...)
			r, err := decode(line.text)
			if err != nil {
				continue
			}
			encoded, err := Encode(r)
			if err != nil {
				t.Fatalf("%q: %v", line.text, err)
			}
			again, err := decode(encoded)
			if err != nil {
				t.Fatalf("%q: %v", encoded, err)
			}
			if diff := cmp.Diff(complete(*r), again, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%q (-want +got)\n%s", line.text, diff)
			}
			for i := range r.Changes {
				var patch bytes.Buffer
				if err := WritePatch(&patch, &r.Changes[i]); err == nil && !bytes.HasSuffix(patch.Bytes(), []byte("\n")) {
					t.Fatalf("%q: %q", line.text, patch.Bytes())
				}
			}
		}
		if problem != nil || !bytes.Equal(all, content) {
			t.Fatalf("%q: read %q, %v", content, all, problem)
		}
	})
}
