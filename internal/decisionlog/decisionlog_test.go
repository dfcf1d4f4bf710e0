package decisionlog_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/decisionlog"
	"github.com/claudewatch/claudewatch/internal/testpipe"
	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"
)

const header = `{"schema":2}` + "\n"

// writerVariable makes the test binary a writer: LOG, a space, its number.
const writerVariable = "DECISIONLOG_TEST_WRITER"

const linesPerWriter = 20

func TestMain(m *testing.M) {
	if job := os.Getenv(writerVariable); job != "" {
		number, path, _ := strings.Cut(job, " ")
		if err := writeLines(path, number); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func writeLines(path, writer string) error {
	for i := range linesPerWriter {
		r := record(writer, i)
		if err := decisionlog.Append(path, r); err != nil {
			return err
		}
	}
	return nil
}

func record(writer string, i int) decisionlog.Record {
	return decisionlog.Record{
		Time: time.Date(2026, 11, 30, 12, 0, i, 0, time.UTC), Session: writer, Cwd: "/home/dev/shop", Tool: "Bash",
		Mode: "default", Decision: "deny", Matched: []string{"watch-git/git push --force"},
		CommandShape: "git push " + strings.Repeat("x", 50*i),
	}
}

func logPath(t *testing.T) string { return filepath.Join(t.TempDir(), "home", "decisions.jsonl") }

func mustAppend(t *testing.T, path string, r decisionlog.Record) {
	t.Helper()
	if err := decisionlog.Append(path, r); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestARecordIsOneLineUnderTheHeader(t *testing.T) {
	path := logPath(t)
	berlin := time.FixedZone("CET", 3600)
	mustAppend(t, path, decisionlog.Record{
		Time: time.Date(2026, 11, 30, 13, 0, 0, 5, berlin), Session: "s", Cwd: "/w", Tool: "Bash", Mode: "plan",
		Decision: "ask", Matched: []string{"watch-git/git commit"}, CommandShape: "git commit",
	})
	mustAppend(t, path, decisionlog.Record{Time: time.Unix(0, 0), Tool: "Write", Decision: "allow", Path: "/w/a <b>\n.go"})
	want := header +
		`{"ts":"2026-11-30T12:00:00.000000005Z","session":"s","cwd":"/w","tool":"Bash","mode":"plan","decision":"ask","matched":["watch-git/git commit"],"command_shape":"git commit"}` + "\n" +
		`{"ts":"1970-01-01T00:00:00Z","session":"","cwd":"","tool":"Write","mode":"","decision":"allow","matched":[],"path":"/w/a <b>\n.go"}` + "\n"
	if diff := cmp.Diff(want, content(t, path)); diff != "" {
		t.Error(diff)
	}
}

func TestALogWithoutTheHeaderIsReplaced(t *testing.T) {
	for name, before := range map[string]string{
		"no header":     `{"ts":"2025-01-01T00:00:00Z","decision":"ask"}` + "\n",
		"other schema":  `{"schema":1}` + "\n" + `{"decision":"ask"}` + "\n",
		"torn header":   `{"sche`,
		"no line break": `{"schema":2}`,
		"not JSON":      "notes\nmore notes\n",
		"a long line":   strings.Repeat("x", 10_000) + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
			mustAppend(t, path, record("a", 0))
			if got := content(t, path); !strings.HasPrefix(got, header+`{"ts"`) || strings.Count(got, "\n") != 2 {
				t.Errorf("got %q", got)
			}
			if got := content(t, path+".old"); got != before {
				t.Errorf("%s.old is %q, want %q", path, got, before)
			}
		})
	}
}

func TestAnEmptyLogGetsItsHeader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, path, record("a", 0))
	if got := content(t, path); !strings.HasPrefix(got, header+`{"ts"`) {
		t.Errorf("got %q", got)
	}
}

func TestATornLineSpoilsNoOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte(header+`{"ts":"2026-`), 0o600); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, path, record("a", 0))
	mustAppend(t, path, record("a", 1))
	lines := strings.Split(content(t, path), "\n")
	if len(lines) != 5 || lines[1] != `{"ts":"2026-` || !strings.HasPrefix(lines[2], `{"ts":"2026-11-30T12:00:00Z"`) {
		t.Errorf("got %q", lines)
	}
	if got := read(t, path); len(got) != 2 {
		t.Errorf("read %d records, want 2", len(got))
	}
}

// read returns the records of a log.
func read(t *testing.T, path string) []decisionlog.Record {
	t.Helper()
	records, _, err := readAll(path)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func TestTheLogHoldsTheRecordsInTheirOrder(t *testing.T) {
	path := logPath(t)
	var want []decisionlog.Record
	for i := range 5 {
		want = append(want, record("a", i))
		mustAppend(t, path, want[i])
	}
	if diff := cmp.Diff(want, read(t, path)); diff != "" {
		t.Error(diff)
	}
}

// checkWriters compares a log with what the writers put there.
func checkWriters(t *testing.T, path string, writers int) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	next := make(map[string]int)
	lines := bufio.NewScanner(file)
	for number := 1; lines.Scan(); number++ {
		if number == 1 {
			if lines.Text()+"\n" != header {
				t.Errorf("first line %q", lines.Text())
			}
			continue
		}
		var r decisionlog.Record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("line %d: %v: %q", number, err, lines.Text())
		}
		if diff := cmp.Diff(record(r.Session, next[r.Session]), r); diff != "" {
			t.Fatalf("line %d: %s", number, diff)
		}
		next[r.Session]++
	}
	for w := range writers {
		if got := next[strconv.Itoa(w)]; got != linesPerWriter {
			t.Errorf("writer %d: %d lines, want %d", w, got, linesPerWriter)
		}
	}
}

func TestConcurrentWritersTearAndLoseNothing(t *testing.T) {
	const writers = 50
	path := logPath(t)
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			if err := writeLines(path, strconv.Itoa(w)); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	checkWriters(t, path, writers)
}

func TestConcurrentProcessesTearAndLoseNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("starts 50 processes")
	}
	const writers = 50
	path := logPath(t)
	// All of them find an old log in their way.
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("old\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			command := exec.Command(self)
			command.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", writerVariable, w, path))
			if out, err := command.CombinedOutput(); err != nil {
				t.Errorf("writer %d: %v: %s", w, err, out)
			}
		})
	}
	group.Wait()
	checkWriters(t, path, writers)
	if got := content(t, path+".old"); got != "old\n" {
		t.Errorf("the old log is %q", got)
	}
}

func TestAHeldLockIsAnErrorAfterABoundedWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	held := flock.New(path + ".lock")
	if ok, err := held.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	defer held.Close()
	start := time.Now()
	err := decisionlog.Append(path, record("a", 0))
	if err == nil || !strings.Contains(err.Error(), "held by another process") {
		t.Errorf("got error %v", err)
	}
	if waited := time.Since(start); waited > time.Minute {
		t.Errorf("waited %s", waited)
	}
}

func TestWhatIsNoRegularFileIsAnErrorAndLeftAlone(t *testing.T) {
	dir := t.TempDir()
	precious := filepath.Join(dir, "precious")
	if err := os.WriteFile(precious, []byte("keep me\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	link, pipe := filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	testpipe.Make(t, pipe)
	if err := os.Symlink(precious, link); err != nil {
		t.Fatal(err)
	}
	lockPipe := filepath.Join(dir, "log")
	testpipe.Make(t, lockPipe+".lock")
	for _, path := range []string{link, pipe, dir, lockPipe, filepath.Join(precious, "log")} {
		done := make(chan error, 1)
		go func() { done <- decisionlog.Append(path, record("a", 0)) }()
		select {
		case err := <-done:
			if err == nil || !strings.HasPrefix(err.Error(), "decision log: ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: got error %v", path, err)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: still waiting", path)
		}
	}
	if got := content(t, precious); got != "keep me\n" {
		t.Errorf("the link's target is now %q", got)
	}
}

func TestHugeFieldsAreCut(t *testing.T) {
	path := logPath(t)
	huge := strings.Repeat("é", 1<<20)
	r := decisionlog.Record{Time: time.Unix(0, 0), Session: huge, Cwd: huge, Tool: huge, Mode: huge, Decision: "deny", CommandShape: huge, Path: huge}
	for range 100_000 {
		r.Matched = append(r.Matched, "x")
	}
	r.Matched[0] = huge
	mustAppend(t, path, r)
	if size := len(content(t, path)); size > 64<<10 {
		t.Errorf("the log has %d bytes", size)
	}
	if got := read(t, path); len(got) != 1 || strings.ContainsRune(got[0].Path, '\uFFFD') {
		t.Error("the record is not whole")
	}
}
