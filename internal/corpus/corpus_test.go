package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/transcript"
	"github.com/google/go-cmp/cmp"
)

const oneEntry = `{"id":"a","class":"c","hook":"h","verdict":"block","event":{"cwd":"{one}"},"stderr_contains":["x"],"env":{"A":"b"},"note":"seen in May"}`

func TestACorpusIsReadWithTheLinesOfItsEntries(t *testing.T) {
	c, err := Read(strings.NewReader("\n"+`{"sandbox":{"repos":{"one":{"branch":"main"}},"home":"h"},"note":"n"}`+"\n\n"+oneEntry+"\n"+`{"id":"b","class":"c","verdict":"allow","stdin":""}`), "x.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	empty := ""
	want := &Corpus{
		Path:    "x.jsonl",
		Sandbox: Sandbox{Repos: map[string]Repo{"one": {Branch: "main"}}, Home: "h"},
		Entries: []Entry{
			{ID: "a", Class: "c", Hook: "h", Verdict: Block, Event: []byte(`{"cwd":"{one}"}`), StderrContains: []string{"x"}, Env: map[string]string{"A": "b"}, Line: 4},
			{ID: "b", Class: "c", Verdict: Allow, Stdin: &empty, Line: 5},
		},
	}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Error(diff)
	}
}

func TestAMalformedCorpusIsAnErrorWithItsPlace(t *testing.T) {
	const sandbox = `{"sandbox":{"repos":{"one":{"branch":"main"}}}}` + "\n"
	for name, c := range map[string]struct{ text, want string }{
		"no JSON":             {sandbox + "{", "x.jsonl:2: not a JSON object"},
		"a list":              {"[1]", "x.jsonl:1: not a JSON object"},
		"no id":               {`{"class":"c","verdict":"allow","event":{}}`, "x.jsonl:1: an entry without an id"},
		"no class":            {`{"id":"a","verdict":"allow","event":{}}`, "without a class"},
		"no verdict":          {`{"id":"a","class":"c","event":{}}`, "want one of allow, block, ask, deny"},
		"unknown verdict":     {`{"id":"a","class":"c","verdict":"pass","event":{}}`, `the verdict is "pass"`},
		"a slip of a key":     {`{"id":"a","class":"c","verdict":"allow","event":{},"stderr_contain":["x"]}`, "did you mean 'stderr_contains'?"},
		"no event":            {`{"id":"a","class":"c","verdict":"allow"}`, "either an event or a stdin"},
		"event and stdin":     {`{"id":"a","class":"c","verdict":"allow","event":{},"stdin":""}`, "either an event or a stdin"},
		"an event as text":    {`{"id":"a","class":"c","verdict":"allow","event":"x"}`, "the event is no object"},
		"a wrong type":        {`{"id":3,"class":"c","verdict":"allow","event":{}}`, "x.jsonl:1: "},
		"an id twice":         {sandbox + strings.Repeat(strings.Replace(oneEntry, ",\n", ",", 1)+"\n", 2), `x.jsonl:3: the id "a" is that of line 2`},
		"an unknown place":    {sandbox + strings.Replace(oneEntry, "{one}", "{on}/x", 1), "x.jsonl:2: a: {on} is no place of the sandbox (did you mean '{one}'?)"},
		"a second sandbox":    {sandbox + sandbox, "x.jsonl:2: the sandbox must be the first line"},
		"an unknown sandbox":  {`{"sandbox":{"repo":{}}}`, `x.jsonl:1: sandbox: json: unknown field "repo"`},
		"no branch":           {`{"sandbox":{"repos":{"one":{}}}}`, "the repository one has no branch"},
		"a worktree of none":  {`{"sandbox":{"repos":{"one":{"branch":"b","worktree_of":"two"}}}}`, `one is a worktree of "two"`},
		"a name that escapes": {`{"sandbox":{"dirs":["../x"]}}`, `"../x" is no name below the root`},
		"an absolute name":    {`{"sandbox":{"files":{"/etc/x":""}}}`, `"/etc/x" is no name below the root`},
		"a file that escapes": {`{"sandbox":{"repos":{"one":{"branch":"b","files":{"../x":""}}}}}`, `"../x" is no name below the repository one`},
		"a line too long":     {sandbox + `{"id":"` + strings.Repeat("x", maxLine) + `"}`, "x.jsonl:2: "},
	} {
		_, err := Read(strings.NewReader(c.text), "x.jsonl")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %.300v, want %s", name, err, c.want)
		}
	}
}

func TestCorporaOfAFolderAreReadByName(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"b.jsonl", "a.jsonl", "notes.txt"} {
		text := fmt.Sprintf(`{"id":"e%d","class":"c","verdict":"allow","event":{}}`, i)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	corpora, err := Load([]string{dir, filepath.Join(dir, "notes.txt")})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range corpora {
		got = append(got, filepath.Base(c.Path)+" "+c.Entries[0].ID)
	}
	if diff := cmp.Diff([]string{"a.jsonl e1", "b.jsonl e0", "notes.txt e2"}, got); diff != "" {
		t.Error(diff)
	}
	for _, path := range []string{filepath.Join(dir, "none"), t.TempDir()} {
		if _, err := Load([]string{path}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestABlockedCallBecomesAnEntryThatCanBeRead(t *testing.T) {
	x := NewExtract()
	var ids []string
	for _, c := range []transcript.Call{{ID: "t1", Tool: "Bash"}, {ID: "t1", Tool: "Read"}, {Tool: "Bash"}} {
		e := x.Entry(&c, transcript.Block{Text: "BLOCKED [a]: b"})
		ids = append(ids, e.ID)
		if e.Class != Unclassified || e.Verdict != Block || e.Text != "BLOCKED [a]: b" || e.Event.ToolName != c.Tool {
			t.Errorf("got %+v", e)
		}
	}
	if diff := cmp.Diff([]string{"t1", "t1#2", "call#1"}, ids); diff != "" {
		t.Error(diff)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"sandbox":{"repos":{"one":{"branch":"main"}}}}` + "\n" + oneEntry)
	f.Add(`{"id":"b","class":"c","verdict":"allow","stdin":""}`)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Read(strings.NewReader(text), "x.jsonl")
		if err != nil && !strings.HasPrefix(err.Error(), "x.jsonl:") {
			t.Errorf("an error without its place: %v", err)
		}
		if err == nil && c.Sandbox.check() != nil {
			t.Errorf("a sandbox that is wrong: %+v", c.Sandbox)
		}
	})
}
