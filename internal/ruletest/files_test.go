package ruletest

import (
	"testing"
	"testing/fstest"
)

func TestFilesAreAFileSystem(t *testing.T) {
	if err := fstest.TestFS(files{"a": "1", ".b/c": "22", ".b/d/e.md": ""}, "a", ".b", ".b/c", ".b/d", ".b/d/e.md"); err != nil {
		t.Error(err)
	}
	if err := fstest.TestFS(files{}); err != nil {
		t.Error(err)
	}
}
