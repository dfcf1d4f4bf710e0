package decisionlog_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/decisionlog"
)

var noon = time.Date(2026, 11, 30, 13, 0, 0, 0, time.FixedZone("CET", 3600))

func TestAnArchiveIsTheLogUnderItsTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "decisions.jsonl")
	for _, name := range []string{"decisions-20261130T120000Z.jsonl", "decisions-20261130T120000Z-2.jsonl"} {
		mustAppend(t, path, record("a", 0))
		before := content(t, path)
		archive, err := decisionlog.Archive(path, noon)
		if want := filepath.Join(filepath.Dir(path), name); err != nil || archive != want {
			t.Fatalf("%s, %v, want %s", archive, err, want)
		}
		if got := content(t, archive); got != before {
			t.Errorf("the archive is %q", got)
		}
	}
	mustAppend(t, path, record("a", 1))
	if got := read(t, path); len(got) != 1 {
		t.Errorf("%d records in the new log", len(got))
	}
}

func TestADeletedLogIsGone(t *testing.T) {
	path := logPath(t)
	mustAppend(t, path, record("a", 0))
	if deleted, err := decisionlog.Delete(path); !deleted || err != nil {
		t.Errorf("%t, %v", deleted, err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the log: %v", err)
	}
}

func TestWithoutALogThereIsNothingToReset(t *testing.T) {
	path := logPath(t)
	if archive, err := decisionlog.Archive(path, noon); archive != "" || err != nil {
		t.Errorf("%q, %v", archive, err)
	}
	if deleted, err := decisionlog.Delete(path); deleted || err != nil {
		t.Errorf("%t, %v", deleted, err)
	}
	if _, err := os.Stat(filepath.Dir(path)); !os.IsNotExist(err) {
		t.Errorf("the folder: %v", err)
	}
}

func TestWhatIsNoLogFileIsNotReset(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	mustAppend(t, target, record("a", 0))
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{dir, link} {
		if archive, err := decisionlog.Archive(path, noon); err == nil {
			t.Errorf("%s became %s", path, archive)
		}
		if _, err := decisionlog.Delete(path); err == nil {
			t.Errorf("%s was deleted", path)
		}
	}
	if len(read(t, target)) != 1 {
		t.Error("the target was changed")
	}
}

// No record is lost between a writer and a reset: it is in the log or in an archive.
func TestAResetAmongWritersLosesNothing(t *testing.T) {
	const writers = 8
	path := filepath.Join(t.TempDir(), "log.jsonl")
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			if err := writeLines(path, strconv.Itoa(w)); err != nil {
				t.Error(err)
			}
		})
	}
	for n := range 10 {
		if _, err := decisionlog.Archive(path, noon.Add(time.Duration(n)*time.Second)); err != nil {
			t.Error(err)
		}
	}
	group.Wait()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	records := 0
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".jsonl") {
			records += len(read(t, filepath.Join(filepath.Dir(path), e.Name())))
		}
	}
	if records != writers*linesPerWriter {
		t.Errorf("%d records, want %d", records, writers*linesPerWriter)
	}
}
