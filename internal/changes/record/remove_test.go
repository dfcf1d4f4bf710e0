package record_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/record"
)

func TestAFileThatNobodyWritesToIsRemovedWithItsDirectory(t *testing.T) {
	data := t.TempDir()
	for _, stream := range []string{"main", "agent"} {
		if err := record.Append(data, "s", stream, &record.Record{ID: "a", Basis: record.ToolWindow}); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-2 * time.Hour)
	files, err := record.Files(data)
	if err != nil || len(files) != 2 {
		t.Fatalf("%v, %v", files, err)
	}
	for i, f := range files {
		if err := os.Chtimes(f.Path, old, old); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			// It was looked at when it was old, and has been written to since.
			if err := record.Append(data, f.Session, f.Stream, &record.Record{ID: "b", Basis: record.ToolWindow}); err != nil {
				t.Fatal(err)
			}
		}
		removed, err := record.Remove(data, f, time.Hour)
		if err != nil || removed != (i == 1) {
			t.Errorf("%s: removed %t, %v", f.Path, removed, err)
		}
	}
	if removed, err := record.Remove(data, files[1], time.Hour); removed || err != nil {
		t.Errorf("a file that is gone: removed %t, %v", removed, err)
	}
	if err := os.Chtimes(files[0].Path, old, old); err != nil {
		t.Fatal(err)
	}
	if removed, err := record.Remove(data, files[0], time.Hour); !removed || err != nil {
		t.Errorf("the last one: removed %t, %v", removed, err)
	}
	if _, err := os.Stat(filepath.Dir(files[0].Path)); !os.IsNotExist(err) {
		t.Errorf("the directory of the session is still there: %v", err)
	}
}
