package transcript

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheAnswersThatAreWantedAreFound(t *testing.T) {
	text := use("t1", "Bash", `{"command":"cat log"}`) +
		answer("t1", `"a text with {\"tool_use_id\": \"t2\"} in it"`, false) +
		use("t2", "Bash", `{}`) + use("t3", "Bash", `{}`) +
		`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id" : "t2","content":[{"type":"text","text":"no"}],"is_error":true},{"type":"tool_result","tool_use_id":"t3","content":"3"}]}}` + "\n" +
		answer("t4", `"not wanted"`, false) +
		`{"type":"user","tool_use_id":"t1","message":` + "\n" +
		`{"type":"assistant","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"no answer"}]}}` + "\n" +
		answer(`t\u0035`, `"escaped"`, false) + answer("t3", `"unfinished`, false)[:90]
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got := map[string][]Result{}
	var bytes int64
	skipped, err := Results([]File{{Path: path}}, func(n int64) { bytes += n },
		func(id string) bool { return id != "t4" },
		func(id string, r *Result) { got[id] = append(got[id], *r) })
	want := map[string][]Result{
		"t1":      {{Content: `a text with {"tool_use_id": "t2"} in it`}},
		"t2":      {{Content: "no", IsError: true}},
		"t3":      {{Content: "3"}},
		`t\u0035`: {{Content: "escaped"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if skipped.Lines == 0 || skipped.Path != path || skipped.Line == 0 || err != nil || bytes != int64(len(text)) {
		t.Errorf("%v skipped, %v, %d of %d bytes", skipped, err, bytes, len(text))
	}
}

func TestAFileThatCannotBeReadKeepsNoAnswersBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	if err := os.WriteFile(path, []byte(answer("t1", `"x"`, false)), 0o600); err != nil {
		t.Fatal(err)
	}
	found := 0
	_, err := Results([]File{{Path: path + ".none"}, {Path: path}}, nil, func(string) bool { return true }, func(string, *Result) { found++ })
	if err == nil || found != 1 {
		t.Errorf("%v, %d answers", err, found)
	}
}

// What Results finds is what Next finds.
func FuzzResults(f *testing.F) {
	f.Add(use("t1", "Bash", `{}`) + answer("t1", `"x"`, true))
	f.Add(answer("t1", `[{"type":"text","text":"\"tool_use_id\":\"t2\""}]`, false))
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Count(strings.ToLower(text), "tool_use_id") != strings.Count(text, "tool_use_id") {
			return // encoding/json takes keys in any case, Claude Code writes them in one
		}
		found := map[string]bool{}
		everything := func(string) bool { return true }
		if _, err := resultsIn(strings.NewReader(text), testPath, everything, func(id string, _ *Result) { found[id] = true }); err != nil {
			t.Fatal(err)
		}
		calls, _ := readAll(t, testPath, text)
		for _, c := range calls {
			if c.Result != nil && !found[c.ID] && !strings.Contains(text, `\u`) {
				t.Errorf("the answer to %q is missed in %q", c.ID, text)
			}
		}
	})
}
