//go:build unix

package record

import (
	"bufio"
	"os"
	"syscall"
	"testing"
)

// limitFileSize makes every write fail that goes over a size, after the part that fits.
func limitFileSize(limit int) error {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &l); err != nil {
		return err
	}
	l.Cur = asLimit(l.Cur, limit)
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &l)
}

// asLimit is limit as the type that the system has for it.
func asLimit[T int64 | uint64](_ T, limit int) T { return T(limit) }

func TestAWriteThatFailsLeavesTheFileAsItWas(t *testing.T) {
	data := t.TempDir()
	cmd, out := startChild(t, data, "process", 10, childLimit+"=20000")
	cmd.Stderr = nil
	var acknowledged []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		acknowledged = append(acknowledged, lines.Text())
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the child wrote more than it can")
	}
	content, err := os.ReadFile(Path(data, "s", MainStream))
	if err != nil {
		t.Fatal(err)
	}
	ids, errs := read(t, Path(data, "s", MainStream))
	if len(errs) > 0 || len(ids) != len(acknowledged) || len(ids) == 0 || content[len(content)-1] != '\n' {
		t.Errorf("records %q, acknowledged %q, errors %v", ids, acknowledged, errs)
	}
	if err := Append(data, "s", MainStream, small("after")); err != nil {
		t.Fatal(err)
	}
	if ids, errs := read(t, Path(data, "s", MainStream)); len(errs) > 0 || ids[len(ids)-1] != "after" {
		t.Errorf("records %q, errors %v", ids, errs)
	}
}
