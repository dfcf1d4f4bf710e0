package record

import (
	"os"
	"sync"
	"testing"
	"time"
)

// read returns the ids of the records of a file, and the errors.
func read(t *testing.T, path string) (ids []string, errs []error) {
	t.Helper()
	for r, err := range Read(path) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		ids = append(ids, r.ID)
	}
	return ids, errs
}

func small(id string) *Record {
	return &Record{ID: id, Session: "s", Stream: MainStream, Basis: Unattributed, Time: Time{time.Unix(1, 5)}}
}

func TestManyWritersNeverTearOrLoseALine(t *testing.T) {
	data := t.TempDir()
	const writers, each = 50, 4
	var group sync.WaitGroup
	for i := range writers {
		group.Go(func() {
			for j := range each {
				r := small(string(rune('A'+i)) + string(rune('a'+j)))
				r.Gaps = []string{string(make([]byte, 1000*i))}
				if err := Append(data, "s", MainStream, r); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	ids, errs := read(t, Path(data, "s", MainStream))
	seen := map[string]bool{}
	for _, id := range ids {
		seen[id] = true
	}
	if len(errs) > 0 || len(ids) != writers*each || len(seen) != writers*each {
		t.Errorf("%d records of %d, %d different, errors %v", len(ids), writers*each, len(seen), errs)
	}
}

func TestALineWithoutAnEndIsCutOff(t *testing.T) {
	for _, torn := range []string{"{", `{"schema":"changes/1"`, string(make([]byte, 200_000))} {
		data := t.TempDir()
		if err := Append(data, "s", MainStream, small("first")); err != nil {
			t.Fatal(err)
		}
		path := Path(data, "s", MainStream)
		file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteString(torn); err != nil {
			t.Fatal(err)
		}
		file.Close()
		if ids, errs := read(t, path); len(ids) != 1 || len(errs) != 1 {
			t.Errorf("before: records %q, errors %v", ids, errs)
		}
		if err := Append(data, "s", MainStream, small("second")); err != nil {
			t.Fatal(err)
		}
		if ids, errs := read(t, path); len(ids) != 2 || ids[1] != "second" || len(errs) > 0 {
			t.Errorf("after: records %q, errors %v", ids, errs)
		}
	}
}
