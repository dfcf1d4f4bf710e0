package regular_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/regular"
	"github.com/claudewatch/claudewatch/internal/testpipe"
)

func write(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAFileIsReadWhole(t *testing.T) {
	for _, size := range []int{0, 1, 511, 512, 513, 100_000} {
		content := strings.Repeat("x", size)
		got, err := regular.ReadFile(write(t, content), 100_000)
		if err != nil || string(got) != content {
			t.Errorf("%d bytes: got %d bytes, %v", size, len(got), err)
		}
	}
}

// A read of some files of procfs waits until the kernel has news.
func TestAFileOfNoDeclaredSizeIsNotRead(t *testing.T) {
	const path = "/proc/self/status"
	if _, err := os.Stat(path); err != nil {
		t.Skip(err)
	}
	if got, err := regular.ReadFile(path, 1<<20); err != nil || len(got) != 0 {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestALargerFileIsAnError(t *testing.T) {
	_, err := regular.ReadFile(write(t, "four"), 3)
	if !errors.As(err, new(regular.TooLargeError)) {
		t.Errorf("got %v", err)
	}
}

func TestALinkIsFollowed(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(write(t, "content"), link); err != nil {
		t.Skip(err)
	}
	if got, err := regular.ReadFile(link, 100); err != nil || string(got) != "content" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestWhatIsNoRegularFileIsAnErrorAtOnce(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	testpipe.Make(t, pipe)
	dangling := filepath.Join(dir, "dangling")
	if err := os.Symlink(filepath.Join(dir, "missing"), dangling); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, dir, "/dev/zero", dangling, filepath.Join(dir, "a\x00b"), ""} {
		done := make(chan error, 1)
		go func() {
			_, err := regular.ReadFile(path, 100)
			done <- err
		}()
		select {
		case err := <-done:
			if err == nil {
				t.Errorf("%q: no error", path)
			}
		case <-time.After(5 * time.Second):
			t.Fatalf("%q: still waiting", path)
		}
	}
	if _, err := regular.ReadFile(dangling, 100); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("dangling link: %v", err)
	}
}

func TestWhatIsNoRegularFileIsNotOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	testpipe.Make(t, path)
	for _, path := range []string{path, t.TempDir()} {
		file, _, err := regular.Open(path)
		if err == nil {
			file.Close()
		}
		if !errors.As(err, new(*fs.PathError)) {
			t.Errorf("%s: %v", path, err)
		}
	}
	file, info, err := regular.Open(write(t, "four"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if info.Size() != 4 {
		t.Errorf("%d bytes", info.Size())
	}
}
