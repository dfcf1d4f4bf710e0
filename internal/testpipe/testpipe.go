// Package testpipe makes named pipes for tests of what must never wait on one.
package testpipe

import (
	"errors"
	"testing"
)

// Make makes a named pipe at path. It skips the test on systems that have none.
func Make(t testing.TB, path string) {
	t.Helper()
	if err := mkfifo(path); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("no named pipes here")
	} else if err != nil {
		t.Fatal(err)
	}
}
