package record

import (
	"errors"
	"syscall"
	"testing"
)

func TestAFullDiskLosesNoLineAndTearsNone(t *testing.T) {
	data := t.TempDir()
	if err := syscall.Mount("none", data, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("a small disk takes root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(data, 0); err != nil {
			t.Error(err)
		}
	})
	written := 0
	var err error
	for ; err == nil && written < 100; written++ {
		err = Append(data, "s", MainStream, sized("x", 10_000))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("after %d records: %v", written, err)
	}
	ids, errs := read(t, Path(data, "s", MainStream))
	if len(errs) > 0 || len(ids) != written-1 || len(ids) == 0 {
		t.Errorf("%d records of %d, errors %v", len(ids), written-1, errs)
	}
}
