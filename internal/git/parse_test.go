package git

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseEntries(t *testing.T) {
	staged, err := parseEntries([]byte("100644 aa 0\tsrc/a\n\t.txt\x00120000 bb 0\tlink\x00"), parseStaged)
	if err != nil {
		t.Fatal(err)
	}
	committed, err := parseEntries([]byte("100644 blob aa\tsrc/a\n\t.txt\x00120000 blob bb\tlink\x00"), parseCommitted)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]entry{"src/a\n\t.txt": {"100644", "aa"}, "link": {"120000", "bb"}}
	if diff := cmp.Diff(want, staged, cmp.AllowUnexported(entry{})); diff != "" {
		t.Errorf("staged (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, committed, cmp.AllowUnexported(entry{})); diff != "" {
		t.Errorf("committed (-want +got):\n%s", diff)
	}
}

func TestParseEntriesRefusesWhatItDoesNotKnow(t *testing.T) {
	for _, out := range []string{"x", "100644 aa\tname\x00", "100644 aa 2\tname\x00", "160000 aa 0\tname\x00", "040000 aa 0\tname\x00", "\tname\x00"} {
		if entries, err := parseEntries([]byte(out), parseStaged); err == nil {
			t.Errorf("%q: %v, want an error", out, entries)
		}
	}
}

func FuzzParseEntries(f *testing.F) {
	f.Add([]byte("100644 aa 0\ta\x00"))
	f.Add([]byte("100644 blob aa\ta\x00"))
	f.Fuzz(func(t *testing.T, out []byte) {
		for _, parse := range []func(string) (entry, error){parseStaged, parseCommitted} {
			entries, err := parseEntries(out, parse)
			if err != nil && entries != nil {
				t.Error("entries beside an error")
			}
			for name, e := range entries {
				if e.mode == "160000" || e.id == "" {
					t.Errorf("%q: %v", name, e)
				}
			}
		}
	})
}
