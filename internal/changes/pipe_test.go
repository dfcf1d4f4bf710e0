package changes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/testpipe"
)

func TestAPipeInThePlaceOfAFileOfStateIsNotWaitedFor(t *testing.T) {
	for name, path := range map[string]func(b *bench) string{
		"manifest":             func(b *bench) string { return b.state().manifest() },
		"manifest in the make": func(b *bench) string { return b.state().manifest() + ".new" },
		"journal":              func(b *bench) string { return b.state().journal() },
		"lock":                 func(b *bench) string { return b.state().lockFile() },
		"note":                 func(b *bench) string { return b.state().windowFile("other", noteFile) },
		"ending":               func(b *bench) string { return b.state().windowFile("other", endingFile) },
		"written edit":         func(b *bench) string { return b.state().windowFile("other", writtenFile) },
		"settings":             func(b *bench) string { return filepath.Join(b.data, "settings.yaml") },
		"log":                  func(b *bench) string { return LogFile(b.data) },
		"records":              func(b *bench) string { return filepath.Join(b.data, "output", "s", "main.jsonl") },
		"lock of the records":  func(b *bench) string { return filepath.Join(b.data, "state", "locks", "output-04") },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.write("x", "1")
			b.pre("a")
			b.write("x", "2")
			b.post("a")
			replaced := path(b)
			_ = os.RemoveAll(replaced)
			if err := os.MkdirAll(filepath.Dir(replaced), 0o700); err != nil {
				t.Fatal(err)
			}
			testpipe.Make(t, replaced)
			done := make(chan struct{})
			go func() {
				defer close(done)
				b.pre("b")
				b.post("b")
				b.event("SessionEnd")
				b.event("SessionStart")
				b.recorder().Status()
			}()
			select {
			case <-done:
			case <-time.After(30 * time.Second):
				t.Fatal("it still waits")
			}
			if name == "manifest" && !strings.Contains(b.log(), "put aside") {
				t.Errorf("the log says %q", b.log())
			}
		})
	}
}
