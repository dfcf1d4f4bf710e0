package decisionlog

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestALineWithoutEscapesIsReadWithoutJSON(t *testing.T) {
	r := Record{
		Time: time.Date(2026, 11, 30, 12, 0, 0, 7, time.UTC), Session: "s", Cwd: "/w ü", Tool: "Bash", Decision: "ask",
		Matched: []string{"a/b", "c/d"}, CommandShape: "git commit", Path: "/x", ToolUseID: "t", Muted: []string{"a/b"},
	}
	for range 2 {
		line, err := encode(r)
		if err != nil {
			t.Fatal(err)
		}
		got := decodePlain(line[:len(line)-1])
		if got == nil {
			t.Fatalf("%s is not read", line)
		}
		if diff := cmp.Diff(r, *got); diff != "" {
			t.Error(diff)
		}
		r = Record{Time: r.Time, Decision: "allow", Matched: []string{}}
	}
}

// What is read without encoding/json is what it reads.
func FuzzDecodePlain(f *testing.F) {
	for _, seed := range []string{
		`{"ts":"2026-11-30T12:00:00Z","session":"","cwd":"","tool":"","mode":"","decision":"ask","matched":[]}`,
		`{"ts":"2026-11-30T12:00:00.5+01:00","session":"s","cwd":"/w","tool":"Bash","mode":"m","decision":"deny","matched":["a","b"],"path":"p","muted":["a"]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		plain := decodePlain(line)
		if plain == nil {
			return
		}
		var want Record
		if err := json.Unmarshal(line, &want); err != nil {
			t.Fatalf("%q is read, and is no JSON: %v", line, err)
		}
		if diff := cmp.Diff(want, *plain); diff != "" {
			t.Errorf("%q: %s", line, diff)
		}
	})
}
