package record

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A child is this test program as a writer: it appends records to DATA and prints the
// id of each when Append has returned.
const (
	childData  = "RECORD_TEST_DATA"
	childName  = "RECORD_TEST_NAME"
	childCount = "RECORD_TEST_COUNT"
	childLimit = "RECORD_TEST_FILE_SIZE_LIMIT"
)

func TestMain(m *testing.M) {
	if data := os.Getenv(childData); data != "" {
		if err := child(data); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func child(data string) error {
	if limit, err := strconv.Atoi(os.Getenv(childLimit)); err == nil {
		if err := limitFileSize(limit); err != nil {
			return err
		}
	}
	count, err := strconv.Atoi(os.Getenv(childCount))
	if err != nil {
		return err
	}
	for i := range count {
		id := fmt.Sprintf("%s-%d", os.Getenv(childName), i)
		if err := Append(data, "s", MainStream, sized(id, 5000*(i%4))); err != nil {
			return err
		}
		fmt.Println(id)
	}
	return nil
}

// sized is a record of about n bytes.
func sized(id string, n int) *Record {
	r := small(id)
	r.Gaps = []string{strings.Repeat("x", n)}
	return r
}

func startChild(t *testing.T, data, name string, count int, variables ...string) (*exec.Cmd, io.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childData+"="+data, childName+"="+name, childCount+"="+strconv.Itoa(count))
	cmd.Env = append(cmd.Env, variables...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

func TestFiftyProcessesNeverTearOrLoseALine(t *testing.T) {
	data := t.TempDir()
	const processes, each = 50, 4
	var all []*exec.Cmd
	for i := range processes {
		cmd, _ := startChild(t, data, fmt.Sprint("process", i), each)
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	ids, errs := read(t, Path(data, "s", MainStream))
	if len(errs) > 0 || len(ids) != processes*each {
		t.Errorf("%d records of %d, errors %v", len(ids), processes*each, errs)
	}
	slices.Sort(ids)
	if different := slices.Compact(slices.Clone(ids)); len(different) != processes*each {
		t.Errorf("%d different records of %d", len(different), processes*each)
	}
}

func TestWhatAKilledWriterLeavesIsWholeLinesAfterTheNext(t *testing.T) {
	data := t.TempDir()
	var acknowledged []string
	for round := range 6 {
		const writers = 4
		said := make(chan []string)
		for i := range writers {
			cmd, out := startChild(t, data, fmt.Sprintf("%d.%d", round, i), 1_000_000)
			go func() {
				var ids []string
				lines := bufio.NewScanner(out)
				for lines.Scan() {
					if ids = append(ids, lines.Text()); len(ids) == 3+round+i {
						_ = cmd.Process.Kill() // at whatever it does next
					}
				}
				_ = cmd.Wait()
				said <- ids
			}()
		}
		for range writers {
			acknowledged = append(acknowledged, <-said...)
		}
		last := fmt.Sprint("after ", round)
		if err := Append(data, "s", MainStream, small(last)); err != nil {
			t.Fatal(err)
		}
		acknowledged = append(acknowledged, last)
		ids, errs := read(t, Path(data, "s", MainStream))
		if len(errs) > 0 || len(ids) == 0 || ids[len(ids)-1] != last {
			t.Fatalf("round %d: %d records, errors %v", round, len(ids), errs)
		}
		slices.Sort(ids)
		if different := slices.Compact(slices.Clone(ids)); len(different) != len(ids) {
			t.Errorf("round %d: %d records, %d different", round, len(ids), len(different))
		}
		var lost []string
		for _, id := range acknowledged {
			if _, ok := slices.BinarySearch(ids, id); !ok {
				lost = append(lost, id)
			}
		}
		if diff := cmp.Diff([]string(nil), lost); diff != "" {
			t.Fatalf("round %d: Append returned, and the record is not there: %s", round, diff)
		}
	}
}

func TestAWriterWaitsForTheLockAndNotForEver(t *testing.T) {
	data := t.TempDir()
	unlock, err := lock(data, "s", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock(data, "s", time.Millisecond); err == nil || !strings.Contains(err.Error(), "end it") {
		t.Errorf("a second lock: %v", err)
	}
	done := make(chan error)
	go func() { done <- Append(data, "s", MainStream, small("1")) }()
	if ids, _ := read(t, Path(data, "s", MainStream)); len(ids) > 0 {
		t.Error("written without the lock")
	}
	unlock()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
