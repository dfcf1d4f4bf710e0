package learn_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

// calls is how many calls the log of a test has.
const calls = 8_000

// shared is the folder of the work that several tests read.
var shared struct {
	directory, path string
	work            *work
}

func TestMain(m *testing.M) {
	directory, err := os.MkdirTemp("", "claudewatch-learn-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	shared.directory = directory
	status := m.Run()
	os.RemoveAll(directory)
	os.Exit(status)
}

// ordinary returns work with transcripts, and the path of its log.
func ordinary(t *testing.T) (*work, string) {
	t.Helper()
	if shared.work == nil {
		w := &work{Rand: rand.New(rand.NewPCG(7, 7))}
		shared.path = w.write(t, shared.directory, calls)
		shared.work = w
	}
	return shared.work, shared.path
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
