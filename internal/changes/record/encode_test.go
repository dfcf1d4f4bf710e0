package record

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/claudewatch/claudewatch/internal/changes/textdiff"
)

var update = flag.Bool("update", false, "write the golden files")

func at(second, nanosecond int) Time {
	return Time{time.Date(2026, 3, 1, 12, 0, second, nanosecond, time.FixedZone("", 3600))}
}

func number(n int) *int { return &n }

// examples are records of every basis, and with every key.
func examples() []*Record {
	root := NewRoot("/home/dev/shop")
	changed := Change{Path: "src/<a> & b.go", Attribution: Shared, Windows: []string{"toolu_01", "toolu_02"}}
	changed.Describe((&file{"package a\n\nvar x = 1\n", 0o644}).side(), (&file{"package a\n\nvar x = \"<ü>\"\r", 0o755}).side(), 1<<20)
	created := Change{Path: "img.png", Attribution: OnlyThisWindow, Windows: []string{"toolu_01"}, XRenamedFrom: "old.png"}
	created.Describe(Side{}, (&file{"\x89PNG\x00", 0o644}).side(), 1<<20)
	deleted := Change{Path: "empty", Attribution: OnlyThisWindow, Windows: []string{"toolu_01"}}
	deleted.Describe((&file{"", 0o644}).side(), Side{}, 1<<20)
	secret := Change{Path: ".env", Attribution: OutsideAnyWindow, XSecret: true}
	secret.Describe(Side{Present: true, Size: 10, SHA256: strings.Repeat("ab", 32), Perm: 0o600}, Side{Present: true, Kind: Symlink, Size: 4, SHA256: strings.Repeat("cd", 32)}, 1<<20)
	return []*Record{
		{
			ID: "toolu_01/" + root.ID, Session: "f81f7820", Stream: MainStream, Tool: "toolu_01", ToolName: "Bash", Time: at(7, 8),
			Basis: ToolWindow, Root: &root, Policy: &Policy{Exclusions: "standard-v1", ReadOnly: "readonly-v1", Expanded: []string{".git", "target"}},
			Window:  &Window{Before: Span{at(1, 0), at(1, 999_999_999)}, After: Span{at(6, 500_000_000), at(7, 8)}},
			Outcome: &Outcome{State: Returned, ExitCode: number(0)}, Coverage: Partial, Gaps: []string{"locked: cannot be read"},
			Overlaps:     []Overlap{{Capture: "toolu_02", Session: "other", Stream: "agent-1", Tool: "toolu_02", ToolName: "Bash", State: Open}},
			ChangedFiles: number(3), Changes: []Change{changed, created, deleted}, XCommand: "make <all> && echo 'ü'\n",
		},
		{ID: "gap/" + root.ID + "/12", Session: "f81f7820", Stream: "agent-1", Time: at(8, 0), Basis: Unattributed, Root: &root, Policy: &Policy{}, Coverage: Complete, ChangedFiles: number(1), Changes: []Change{secret}},
		{ID: "toolu_03", Session: "f81f7820", Stream: MainStream, Tool: "toolu_03", ToolName: "Bash", Time: at(9, 0), Basis: SkippedReadOnly, Outcome: &Outcome{State: Failed}},
		{},
	}
}

func TestRecordsAreTheLinesThatReadersKnow(t *testing.T) {
	var lines []byte
	for _, r := range examples() {
		line, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line...)
	}
	golden := filepath.Join("testdata", "changes-1.jsonl")
	if *update {
		if err := os.WriteFile(golden, lines, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.SplitAfter(string(want), "\n"), strings.SplitAfter(string(lines), "\n")); diff != "" {
		t.Errorf("(-want +got; -update writes the file)\n%s", diff)
	}
}

// keys returns the keys of a JSON object, in their order.
func keys(t *testing.T, object json.RawMessage) []string {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(object))
	if _, err := decoder.Token(); err != nil {
		t.Fatal(err)
	}
	var result []string
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			t.Fatal(err)
		}
		result = append(result, key.(string))
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			t.Fatal(err)
		}
	}
	return result
}

func TestTheKeysOfARecordAreInOrderAndOnlyThoseMarkedOmitAreAbsent(t *testing.T) {
	allKeys := []string{"schema", "id", "captured_by", "session", "stream", "tool", "tool_name", "time", "basis", "root", "policy", "window",
		"outcome", "coverage", "gaps", "overlaps", "changed_files", "changes", "x_command"}
	omit := []string{"tool", "tool_name", "root", "policy", "window", "outcome", "coverage", "gaps", "overlaps", "x_command"}
	allChange := []string{"path", "operation", "before", "after", "diff", "attribution", "windows", "additions", "deletions", "hunks",
		"x_mode", "x_renamed_from", "x_type", "x_secret"}
	omitChange := []string{"x_mode", "x_renamed_from", "x_type", "x_secret"}
	without := func(all, omitted []string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(key string) bool { return slices.Contains(omitted, key) })
	}

	full := examples()[0]
	full.Changes[0].XRenamedFrom, full.Changes[0].XSecret, full.Changes[0].XType = "x", true, &Sides{}
	for _, c := range []struct {
		record               *Record
		wantRecord, wantOnes []string
	}{
		{full, allKeys, allChange},
		{&Record{Changes: []Change{{}}}, without(allKeys, omit), without(allChange, omitChange)},
	} {
		line, err := Encode(c.record)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.wantRecord, keys(t, line)); diff != "" {
			t.Errorf("record (-want +got)\n%s", diff)
		}
		var parts struct{ Changes []json.RawMessage }
		if err := json.Unmarshal(line, &parts); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.wantOnes, keys(t, parts.Changes[0])); diff != "" {
			t.Errorf("change (-want +got)\n%s", diff)
		}
		var sides struct{ Before, After json.RawMessage }
		if err := json.Unmarshal(parts.Changes[0], &sides); err != nil {
			t.Fatal(err)
		}
		for _, side := range []json.RawMessage{sides.Before, sides.After} {
			if diff := cmp.Diff([]string{"present", "bytes", "sha256", "no_newline_at_end"}, keys(t, side)); diff != "" {
				t.Errorf("side (-want +got)\n%s", diff)
			}
		}
	}
}

func TestAnEmptyRecordHasEmptyListsAndNull(t *testing.T) {
	r := &Record{Policy: &Policy{}, Outcome: &Outcome{}, Changes: []Change{{Hunks: []textdiff.Hunk{{}}}}}
	line, err := Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"expanded":[]`, `"exit_code":null`, `"changed_files":null`, `"windows":[]`, `"lines":[]`} {
		if !strings.Contains(string(line), want) {
			t.Errorf("%s is not in %s", want, line)
		}
	}
	if r.Policy.Expanded != nil || r.Changes[0].Windows != nil || r.Changes[0].Hunks[0].Lines != nil || r.Schema != "" {
		t.Errorf("the record was changed: %+v", r)
	}
}

func TestTimesHaveNineDecimalsInUTC(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`"2026-03-01T12:00:01+01:00"`, "2026-03-01T11:00:01.000000000Z"},
		{`"2026-03-01T12:00:01.5Z"`, "2026-03-01T12:00:01.500000000Z"},
		{`"2026-03-01T12:00:01.000000001Z"`, "2026-03-01T12:00:01.000000001Z"},
		{`null`, "0001-01-01T00:00:00.000000000Z"},
	} {
		var time Time
		if err := json.Unmarshal([]byte(c.text), &time); err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
		if text, err := json.Marshal(time); err != nil || string(text) != `"`+c.want+`"` || time.String() != c.want {
			t.Errorf("%s: %s, %v, %s", c.text, text, err, time)
		}
	}
	for _, text := range []string{`"yesterday"`, `1`, `"2026-03-01"`, `""`, `"9999-12-31T23:59:59-01:00"`} {
		var time Time
		if err := json.Unmarshal([]byte(text), &time); err == nil {
			t.Errorf("%s: %s", text, time)
		}
	}
}

func TestACommandIsCutBetweenCharacters(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{strings.Repeat("x", MaxCommand), strings.Repeat("x", MaxCommand)},
		{strings.Repeat("x", MaxCommand+1), strings.Repeat("x", MaxCommand)},
		{strings.Repeat("x", MaxCommand-1) + "ü", strings.Repeat("x", MaxCommand-1)},
	} {
		line, err := Encode(&Record{XCommand: c.command})
		if err != nil {
			t.Fatal(err)
		}
		r, err := decode(line)
		if err != nil || r.XCommand != c.want {
			t.Errorf("%d bytes: %d bytes, %v", len(c.command), len(r.XCommand), err)
		}
	}
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	for _, r := range examples() {
		line, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decode(line)
		if err != nil {
			t.Fatal(err)
		}
		want := complete(*r)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}

func TestARootIsNamedByTheHashOfItsPath(t *testing.T) {
	// printf /home/dev/shop | sha256sum
	if got, want := NewRoot("/home/dev/shop"), (Root{"/home/dev/shop", "e828acfc792e3bbc"}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
