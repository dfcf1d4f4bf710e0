package changes

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestTheLogIsRotated(t *testing.T) {
	path := LogFile(t.TempDir())
	line := strings.Repeat("x", 1000) + "\n"
	for range 4*maxLog/len(line) + 10 {
		if err := appendLog(path, line); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	logs := 0
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".lock") {
			continue
		}
		logs++
		if info, err := e.Info(); err != nil || info.Size() > maxLog+int64(len(line)) {
			t.Errorf("%s: %d bytes, %v", e.Name(), info.Size(), err)
		}
	}
	if logs != 1+oldLogs {
		t.Errorf("%v", entries)
	}
}

func TestManyWritersOfTheLogTearNoLine(t *testing.T) {
	b := newBench(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				b.recorder().logf("first\nsecond %s", strings.Repeat("y", 100))
			}
		})
	}
	group.Wait()
	lines := strings.Split(strings.TrimSuffix(b.log(), "\n"), "\n")
	if len(lines) != 400 {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if !strings.HasSuffix(line, "first; second "+strings.Repeat("y", 100)) {
			t.Errorf("%q", line)
		}
	}
}
