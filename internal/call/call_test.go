package call_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/hooks"
	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/internal/testpipe"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/go-cmp/cmp"
)

type args = map[string]any

func TestTheInputHasWhatTheEventSays(t *testing.T) {
	event, err := hooks.Decode([]byte(`{"hook_event_name":"PreToolUse","tool_name":"mcp__db__query","tool_input":{"sql":"drop","n":[1]},
		"tool_use_id":"t","session_id":"s","cwd":"/w","permission_mode":"plan","agent_id":"a","agent_type":"reviewer"}`))
	if err != nil {
		t.Fatal(err)
	}
	in := call.FromEvent(event, "/home/dev", "/project").Input()
	want := &schema.Input{
		Event: "PreToolUse", Tool: "mcp__db__query", Args: args{"sql": "drop", "n": []any{1.0}},
		Cwd: "/w", ProjectDir: "/project", Home: "/home/dev",
		SessionID: "s", ToolUseID: "t", AgentID: "a", AgentType: "reviewer", PermissionMode: "plan",
	}
	if diff := cmp.Diff(want, in); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(&schema.Effects{Parsed: true}, in.Effects()); diff != "" || in.Content() != "" {
		t.Errorf("effects or content of a tool without: %s%q", diff, in.Content())
	}
}

func TestShellToolsHaveTheEffectsOfTheirCommand(t *testing.T) {
	for tool, wantCommands := range map[string]int{"Bash": 1, "Monitor": 1, "PowerShell": -1} {
		in := call.Call{Tool: tool, Args: args{"command": "sudo run2 x git push\n"}, Cwd: "/w", Wrappers: map[string]int{"run2": 1}}.Input()
		effects := in.Effects()
		if !strings.HasPrefix(effects.Command, "sudo run2") || !effects.Parsed {
			t.Errorf("%s: command %q, parsed %t", tool, effects.Command, effects.Parsed)
		}
		if wantCommands == 1 && (len(effects.Commands) != 1 || effects.Commands[0].Program != "git" || effects.Commands[0].Dir != "/w") {
			t.Errorf("%s: commands %+v", tool, effects.Commands)
		}
		if wantCommands < 0 && len(effects.Scripts) != 1 {
			t.Errorf("%s: %d scripts", tool, len(effects.Scripts))
		}
		if in.Path != "" || in.Content() != "" {
			t.Errorf("%s: path %q, content %q", tool, in.Path, in.Content())
		}
		if in.Effects() != effects {
			t.Errorf("%s: the command was read twice", tool)
		}
	}
	for _, a := range []args{nil, {}, {"ws": args{"url": "wss://example.com"}}, {"command": 7.0}, {"command": ""}} {
		if diff := cmp.Diff(&schema.Effects{Parsed: true}, call.Call{Tool: "Monitor", Args: a}.Input().Effects()); diff != "" {
			t.Errorf("%v: %s", a, diff)
		}
	}
}

func TestPathIsAbsoluteAndClean(t *testing.T) {
	for _, c := range []struct {
		tool, key, given, cwd, path, extension string
	}{
		{"Write", "file_path", "/w/a/../b.GO", "/x", "/w/b.GO", ".go"},
		{"Edit", "file_path", "src/a.py", "/w", "/w/src/a.py", ".py"},
		{"Edit", "file_path", "../a", "/w/deep", "/w/a", ""},
		{"MultiEdit", "file_path", "~/.bashrc", "/w", "/home/dev/.bashrc", ".bashrc"},
		{"Read", "file_path", "~", "/w", "/home/dev", ""},
		{"Read", "file_path", "~other/x", "/w", "/w/~other/x", ""},
		{"NotebookEdit", "notebook_path", "nb.ipynb", "/w", "/w/nb.ipynb", ".ipynb"},
		{"Write", "file_path", " /etc/passwd\n", "/w", "/etc/passwd", ""},
		{"Write", "file_path", "a.sh", "", "", ".sh"},
		{"Write", "file_path", "a.sh", "rel", "", ".sh"},
		{"Write", "file_path", "", "/w", "", ""},
		{"Write", "path", "/w/a.sh", "/w", "", ""},
		{"Grep", "path", "src", "/w", "/w/src", ""},
		{"Glob", "path", "", "/w", "", ""},
		{"Bash", "file_path", "/w/a.sh", "/w", "", ""},
	} {
		in := call.Call{Tool: c.tool, Args: args{c.key: c.given}, Cwd: c.cwd, Home: "/home/dev"}.Input()
		if in.Path != c.path || in.Extension != c.extension {
			t.Errorf("%s %q in %q: got %q %q, want %q %q", c.tool, c.given, c.cwd, in.Path, in.Extension, c.path, c.extension)
		}
	}
}

// script is what a test compares of a schema.Script.
type script struct{ Extension, Content string }

func scripts(in *schema.Input) []script {
	var list []script
	for _, s := range in.Effects().Scripts {
		if s.Source != "file" {
			list = append(list, script{"source " + s.Source, ""})
		}
		list = append(list, script{s.Extension, s.Content})
	}
	return list
}

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWriteIsItsContent(t *testing.T) {
	in := call.Call{Tool: "Write", Args: args{"file_path": "/w/a.PY", "content": "print(1)\n"}}.Input()
	if in.Content() != "print(1)\n" {
		t.Errorf("content %q", in.Content())
	}
	if diff := cmp.Diff([]script{{".py", "print(1)\n"}}, scripts(in)); diff != "" {
		t.Error(diff)
	}
	if got := (call.Call{Tool: "Write", Args: args{"file_path": "/w/a"}}).Input().Content(); got != "" {
		t.Errorf("a Write without content: %q", got)
	}
}

func TestEditIsTheFileAfterIt(t *testing.T) {
	for _, c := range []struct {
		name, before string
		args         args
		want         string
	}{
		{"the first occurrence", "a a\n", args{"old_string": "a", "new_string": "b"}, "b a\n"},
		{"all", "X token\nX token\nY\n", args{"old_string": "token", "new_string": "t2", "replace_all": true}, "X t2\nX t2\nY\n"},
		{"all, said with a string", "a a", args{"old_string": "a", "new_string": "b", "replace_all": "True"}, "b b"},
		{"what replaces is not searched again", "aa", args{"old_string": "a", "new_string": "aa", "replace_all": true}, "aaaa"},
		{"what replaces is taken literally", "a.c abc", args{"old_string": "a.c", "new_string": "$0\\1"}, "$0\\1 abc"},
		{"a deletion", "one\ntwo\nthree\n", args{"old_string": "two\n", "new_string": ""}, "one\nthree\n"},
		{"an old string that is not there", "one", args{"old_string": "two", "new_string": "three"}, "one\nthree"},
		{"an old string that is not there, behind a line break", "one\n", args{"old_string": "two", "new_string": "three"}, "one\nthree"},
		{"an old string that is not there, and nothing new", "one", args{"old_string": "two", "new_string": ""}, "one"},
		{"an empty old string", "one", args{"old_string": "", "new_string": "two"}, "one\ntwo"},
		{"an empty old string in an empty file", "", args{"old_string": "", "new_string": "two"}, "two"},
		{"no old string", "one", args{"new_string": "two"}, "one\ntwo"},
		{"lines that end in CRLF", "one\r\ntwo\r\nthree\r\n", args{"old_string": "one\ntwo", "new_string": "1\n2"}, "1\r\n2\r\nthree\r\n"},
		{"lines that end in CRLF, in strings that have it", "one\r\ntwo\r\n", args{"old_string": "one\r\ntwo", "new_string": "1\r\n2"}, "1\r\n2\r\n"},
		{"new lines in a file that ends them in CRLF", "one\r\ntwo\r\n", args{"old_string": "two", "new_string": "2\n3"}, "one\r\n2\r\n3\r\n"},
		{"bytes that are not UTF-8", "a\xff\xfeb one", args{"old_string": "one", "new_string": "two"}, "a\uFFFD\uFFFDb two"},
	} {
		path := write(t, "edit.foo", c.before)
		c.args["file_path"] = path
		in := call.Call{Tool: "Edit", Args: c.args}.Input()
		if diff := cmp.Diff(c.want, in.Content()); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if diff := cmp.Diff([]script{{".foo", c.want}}, scripts(in)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestACallThatIsOverHasLeftTheFileAsItIs(t *testing.T) {
	name := write(t, "a.sh", "echo two\n")
	book := write(t, "a.ipynb", `{"cells":[{"id":"1","cell_type":"code","source":"x = 2"}]}`)
	for _, event := range []string{hooks.PostToolUse, hooks.PostToolUseFailure} {
		for _, c := range []struct {
			tool string
			args args
			want string
		}{
			{"Edit", args{"file_path": name, "old_string": "one", "new_string": "two"}, "echo two\n"},
			{"MultiEdit", args{"file_path": name, "edits": []any{args{"old_string": "echo", "new_string": "echo"}}}, "echo two\n"},
			{"Write", args{"file_path": name, "content": "echo three\n"}, "echo three\n"},
			{"NotebookEdit", args{"notebook_path": book, "cell_id": "1", "new_source": "x = 2", "edit_mode": "insert"}, "x = 2"},
		} {
			in := call.Call{Event: event, Tool: c.tool, Args: c.args}.Input()
			if diff := cmp.Diff(c.want, in.Content()); diff != "" {
				t.Errorf("%s after %s: %s", c.tool, event, diff)
			}
		}
	}
}

func TestTheChangesOfACallKnowTheirRepository(t *testing.T) {
	asked := 0
	in := call.Call{
		Event: hooks.PostToolUse, Tool: "Bash", Args: args{"command": "make"},
		Changes: []schema.Change{
			{Path: "/r/a", Operation: "modify", Attribution: "only_this_window"}, {Path: "/b", Operation: "delete", Attribution: "shared"}, {Path: "/r/c", Operation: "create"},
		},
		Repository: func(path string) *schema.Repo {
			asked++
			return &schema.Repo{Root: path, Branch: "main", Known: true}
		},
	}.Input()
	if asked != 0 {
		t.Error("repositories are looked up before a rule asks")
	}
	if len(in.Changes) != 3 || in.Changes[0].Repo().Root != "/r" || in.Changes[1].Repo().Root != "/" || in.Changes[1].Operation != "delete" || in.Changes[2].Repo().Branch != "main" {
		t.Errorf("%+v", in.Changes)
	}
	if asked != 2 {
		t.Errorf("asked %d times for two directories", asked)
	}
}

func edits(list ...any) args { return args{"edits": list} }

func TestMultiEditIsTheFileAfterItsEditsInOrder(t *testing.T) {
	for _, c := range []struct {
		name, before string
		args         args
		want         string
	}{
		{"each on what the one before left", "a", edits(args{"old_string": "a", "new_string": "b c"}, args{"old_string": "b", "new_string": "d"}), "d c"},
		{"all or the first", "a a b b", edits(args{"old_string": "a", "new_string": "x", "replace_all": true}, args{"old_string": "b", "new_string": "y"}), "x x y b"},
		{"one that is not there between others", "a c", edits(args{"old_string": "a", "new_string": "b"}, args{"old_string": "nowhere", "new_string": "new"}, args{"old_string": "c", "new_string": "d"}), "b d\nnew"},
		{"what is no edit", "a", edits("x", nil, args{}, args{"old_string": "a", "new_string": "b"}), "b"},
		{"no edits", "a", args{}, "a"},
		{"edits of another type", "a", args{"edits": "x"}, "a"},
	} {
		c.args["file_path"] = write(t, "a.py", c.before)
		if diff := cmp.Diff(c.want, call.Call{Tool: "MultiEdit", Args: c.args}.Input().Content()); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	fresh := edits(args{"old_string": "", "new_string": "one\n"}, args{"old_string": "one", "new_string": "two"})
	fresh["file_path"] = write(t, "a.py", "")
	if got := (call.Call{Tool: "MultiEdit", Args: fresh}).Input().Content(); got != "two\n" {
		t.Errorf("the first edit of a new file: %q", got)
	}
}

func TestAnEditOfAFileThatCannotBeReadIsItsNewStringsAlone(t *testing.T) {
	dir := t.TempDir()
	pipe, huge, dangling := filepath.Join(dir, "pipe.py"), filepath.Join(dir, "huge.py"), filepath.Join(dir, "dangling.py")
	testpipe.Make(t, pipe)
	if err := os.WriteFile(huge, []byte(strings.Repeat("a", call.MaxFile+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "missing"), dangling); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, "missing.py"), dir, pipe, huge, dangling, "/dev/zero", "relative.py", "nul\x00.py", ""} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			one := call.Call{Tool: "Edit", Args: args{"file_path": path, "old_string": "a", "new_string": "eval(x)"}}.Input()
			if one.Content() != "eval(x)" {
				t.Errorf("%q: content %q", path, one.Content())
			}
			a := edits(args{"old_string": "a", "new_string": "b"}, args{"old_string": "b", "new_string": ""}, args{"old_string": "c", "new_string": "d"})
			a["file_path"] = path
			many := call.Call{Tool: "MultiEdit", Args: a}.Input()
			if many.Content() != "b\nd" {
				t.Errorf("%q: content %q", path, many.Content())
			}
		}()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Fatalf("%q: still waiting", path)
		}
	}
}

func TestAFileIsReadAtMostOnceAndOnlyWhenAskedFor(t *testing.T) {
	reads := 0
	c := call.Call{
		Tool: "Edit", Args: args{"file_path": "/w/a.py", "old_string": "a", "new_string": "b"},
		ReadFile: func(path string) ([]byte, error) {
			reads++
			if path != "/w/a.py" {
				t.Errorf("read %s", path)
			}
			return []byte("a"), nil
		},
	}
	in := c.Input()
	if reads != 0 {
		t.Error("the file was read before anybody asked")
	}
	for range 3 {
		if in.Content() != "b" || len(in.Effects().Scripts) != 1 {
			t.Errorf("content %q", in.Content())
		}
	}
	if reads != 1 {
		t.Errorf("%d reads", reads)
	}
}

func TestHostileEditsTakeBoundedTimeAndMemory(t *testing.T) {
	content := strings.Repeat("a", 4<<20)
	million := strings.Repeat("b", 1<<20)
	var list []any
	for range 20_000 {
		list = append(list, args{"old_string": "a", "new_string": "c", "replace_all": false})
	}
	list = append(list, args{"old_string": "never", "new_string": "the end"})
	for name, a := range map[string]args{
		"an explosion":   edits(args{"old_string": "a", "new_string": million, "replace_all": true}, args{"old_string": "a", "new_string": "the end"}),
		"many edits":     {"edits": list},
		"many not there": edits(args{"old_string": strings.Repeat("a", 1<<20) + "b", "new_string": "the end", "replace_all": true}),
	} {
		a["file_path"] = "/w/a.py"
		c := call.Call{Tool: "MultiEdit", Args: a, ReadFile: func(string) ([]byte, error) { return []byte(content), nil }}
		start := time.Now()
		got := c.Input().Content()
		if elapsed := time.Since(start); elapsed > time.Minute {
			t.Errorf("%s: took %s", name, elapsed)
		}
		if len(got) > 8*call.MaxFile || !strings.Contains(got, "the end") {
			t.Errorf("%s: %d bytes", name, len(got))
		}
	}
}

func TestEditCasesOfTheCorpus(t *testing.T) {
	content, err := os.ReadFile("../../../shared/cases/claudewatch.jsonl")
	if err != nil {
		t.Skip("no cases here")
	}
	edits := 0
	for line := range strings.Lines(string(content)) {
		dir := t.TempDir()
		var c struct {
			ID    string
			Event struct {
				Tool  string `json:"tool_name"`
				Input args   `json:"tool_input"`
			}
			Setup struct{ Files map[string]string }
		}
		if err := json.Unmarshal([]byte(strings.ReplaceAll(line, "${TMP}", dir)), &c); err != nil {
			t.Fatal(err)
		}
		if c.Event.Tool != "Edit" {
			continue
		}
		edits++
		for path, text := range c.Setup.Files {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		in := call.Call{Tool: "Edit", Args: c.Event.Input}.Input()
		if newString, _ := c.Event.Input["new_string"].(string); !strings.Contains(in.Content(), newString) {
			t.Errorf("%s: content %q lacks %q", c.ID, in.Content(), newString)
		}
		before := c.Setup.Files[in.Path]
		if before != "" && len(in.Content()) < len(before)/2 {
			t.Errorf("%s: content %q is not the file", c.ID, in.Content())
		}
	}
	if edits == 0 {
		t.Error("no Edit among the cases")
	}
}

func FuzzEdits(f *testing.F) {
	f.Add("a\r\nb", "a\n", "c", true, "b", "")
	f.Add("", "", "x", false, "x", "y")
	f.Add("aaaa\xff", "a", "aa", true, "aa", "a")
	f.Fuzz(func(t *testing.T, before, old1, new1 string, all bool, old2, new2 string) {
		for _, s := range []*string{&old1, &new1, &old2, &new2} {
			*s = strings.ToValidUTF8(*s, "")
		}
		c := call.Call{Tool: "MultiEdit", ReadFile: func(string) ([]byte, error) { return []byte(before), nil }}
		c.Args = edits(args{"old_string": old1, "new_string": new1, "replace_all": all}, args{"old_string": old2, "new_string": new2})
		c.Args["file_path"] = "/w/a"
		got := c.Input().Content()
		if got != strings.ToValidUTF8(got, "") {
			t.Errorf("not UTF-8: %q", got)
		}
		// What the last edit puts in is there, whether or not its old string was;
		// its line ends may have changed.
		if strip := strings.NewReplacer("\r", ""); !strings.Contains(strip.Replace(got), strip.Replace(new2)) {
			t.Errorf("%q lacks %q", got, new2)
		}
	})
}
