package prompt

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/google/go-cmp/cmp"
)

// session returns a session over a command, and what it has printed.
func session(t *testing.T, command string) (s *Session, printed func() (out, err string)) {
	t.Helper()
	var out, wrong strings.Builder
	c := call.Call{Event: "PreToolUse", Tool: "Bash", Args: map[string]any{"command": command}, Cwd: "/srv/shop", Home: "/home/dev"}
	s, err := New(c, func(path string) (call.Call, error) {
		if path != "event.json" {
			return call.Call{}, errors.New("no such file")
		}
		return call.Call{Event: "PostToolUse", Tool: "Read", Args: map[string]any{"file_path": "/etc/hosts"}, ToolUseID: "t1", Cwd: "/srv"}, nil
	}, &out, &wrong)
	if err != nil {
		t.Fatal(err)
	}
	return s, func() (string, string) {
		defer out.Reset()
		defer wrong.Reset()
		return out.String(), wrong.String()
	}
}

func TestLinesAreEvaluatedOverACallThatTheyChange(t *testing.T) {
	s, printed := session(t, "git push -f")
	for _, test := range []struct{ line, want string }{
		{"input.commands.map(c, c.program)", `["git"]`},
		{"  input.tool // a comment", `"Bash"`},
		{"// a comment", ""},
		{"", ""},
		{":type input.commands.map(c, c.program)", "list(string)"},
		{":command", "git push -f"},
		{":command ls | wc", ""},
		{"input.commands.map(c, c.program)", `["ls", "wc"]`},
		{":cwd", "/srv/shop"},
		{":cwd api", ""},
		{"input.cwd", `"/srv/shop/api"`},
		{":cwd ~/x", ""},
		{"input.cwd", `"/home/dev/x"`},
		{":cwd /tmp/../srv", ""},
		{":tool", "Bash"},
		{":tool Monitor", ""},
		{":command sleep 1", ""},
		{"[input.tool, input.commands[0].program]", `["Monitor", "sleep"]`},
		{`:tool Write {"file_path": "a.sh", "content": "ls"}`, ""},
		{"[input.path, input.content]", `["/srv/a.sh", "ls"]`},
		{":json event.json", ""},
		{"[input.event, input.tool, input.tool_use_id, input.path]", `["PostToolUse", "Read", "t1", "/etc/hosts"]`},
		{":command true", ""},
		{"[input.event, input.tool, input.tool_use_id, input.cwd]", `["PreToolUse", "Bash", "", "/srv"]`},
	} {
		if got := s.execute(test.line); got != done {
			t.Errorf("%s: outcome %d", test.line, got)
		}
		out, wrong := printed()
		want := test.want
		if want != "" {
			want += "\n"
		}
		if filepath.ToSlash(out) != want || wrong != "" {
			t.Errorf("%s: %q, %q, want %q", test.line, out, wrong, want)
		}
	}
}

func TestALineThatIsWrongSaysWhatToDo(t *testing.T) {
	s, printed := session(t, "ls")
	for line, want := range map[string]string{
		"input.comand":            "1:7: undefined field 'comand' (did you mean 'command'?)\n  input.comand\n        ^~~~~~\n",
		":type input.comand":      "1:7: undefined field 'comand' (did you mean 'command'?)\n  input.comand\n        ^~~~~~\n",
		":tpye input":             "there is no :tpye (did you mean 'type'?); :help prints what there is\n",
		":":                       "there is no :; :help prints what there is\n",
		":type":                   ":type takes an expression: :type input.commands\n",
		":json":                   ":json takes a file with a hook event: :json event.json\n",
		":json missing":           "no such file\n",
		":tool Write [1]":         "the arguments of a tool are a JSON object, like {\"file_path\": \"a.sh\"}, not [1]\n",
		":tool Write null":        "the arguments of a tool are a JSON object, like {\"file_path\": \"a.sh\"}, not null\n",
		"input.commands[7].flags": "1:19: index out of bounds: 7\n  input.commands[7].flags\n                    ^\n",
	} {
		if got := s.execute(line); got != failed {
			t.Errorf("%s: outcome %d", line, got)
		}
		if out, wrong := printed(); out != "" || wrong != want {
			t.Errorf("%s: %q, %q, want %q", line, out, wrong, want)
		}
	}
}

func TestLinesOfAFileAreRunToTheirEnd(t *testing.T) {
	s, printed := session(t, "ls")
	fine, err := s.Lines(strings.NewReader("input.tool\nnonsense\n1 + 1"))
	out, wrong := printed()
	if err != nil || fine || out != "\"Bash\"\n2\n" || !strings.HasPrefix(wrong, "line 2: 1:1: undeclared reference") && !strings.HasPrefix(wrong, "line 2: 1:1: undefined") {
		t.Errorf("%t, %v, %q, %q", fine, err, out, wrong)
	}
	fine, err = s.Lines(strings.NewReader("1\n:quit\nnonsense"))
	if out, wrong := printed(); err != nil || !fine || out != "1\n" || wrong != "" {
		t.Errorf(":quit: %t, %v, %q, %q", fine, err, out, wrong)
	}
	fine, err = s.Lines(strings.NewReader("\ufeffinput.tool\r\n2\r\n"))
	if out, wrong := printed(); err != nil || !fine || out != "\"Bash\"\n2\n" || wrong != "" {
		t.Errorf("a byte order mark and CRLF: %t, %v, %q, %q", fine, err, out, wrong)
	}
	if _, err := s.Lines(strings.NewReader("1\n" + strings.Repeat("1", 2*maxLine))); err == nil || !strings.HasPrefix(err.Error(), "line 2 has more than 1048575 bytes") {
		t.Errorf("a line without end: %v", err)
	}
}

func TestAnObjectIsSpreadOverLinesForAPerson(t *testing.T) {
	s, printed := session(t, "git push -f | cat")
	s.spread = true
	for line, want := range map[string]string{
		"input.commands":                     "[0] Command{\"git push -f\"}\n[1] Command{\"cat\"}\n",
		"input.commands[1]":                  "program     \"cat\"\ntext        \"cat\"\nsource      \"cat\"\ndir         \"/srv/shop\"\npiped_from  \"git\"\n",
		"input.scripts":                      "[]\n",
		"input.commands.map(c, [c])":         "[[Command{\"git push -f\"}], [Command{\"cat\"}]]\n",
		"input.commands[0].flags":            "[\"-f\"]\n",
		"input.commands.size()":              "2\n",
		"[input.commands[0], 1]":             "[Command{\"git push -f\"}, 1]\n",
		"type(input.commands[0]) == Command": "true\n",
	} {
		s.execute(line)
		if out, wrong := printed(); out != want || wrong != "" {
			t.Errorf("%s: %q, %q, want %q", line, out, wrong, want)
		}
	}
	s.execute(":input")
	out, _ := printed()
	for _, part := range []string{"tool      \"Bash\"\n", "compound  true\n", "commands  [Command{"} {
		if !strings.Contains(out, part) {
			t.Errorf(":input has no %q:\n%s", part, out)
		}
	}
	if strings.Contains(out, "agent_id") {
		t.Errorf(":input shows an empty field:\n%s", out)
	}
}

func TestHelpNamesEveryCommand(t *testing.T) {
	s, printed := session(t, "")
	s.execute(":help")
	out, _ := printed()
	for _, c := range commands() {
		if !strings.Contains(out, "\n:"+c.name) {
			t.Errorf(":%s is missing", c.name)
		}
	}
}

func TestCommandsAndWhatTheyTakeAreCompleted(t *testing.T) {
	s, _ := session(t, "ls")
	s.Call.Cwd = t.TempDir()
	for _, name := range []string{"event.json", ".hidden.json", "events/inner.json"} {
		path := filepath.Join(s.Call.Cwd, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	separator := string(filepath.Separator)
	for _, test := range []struct {
		line  string
		start int
		want  []string
	}{
		{":ty", 0, []string{":type "}},
		{" :q", 1, []string{":quit"}},
		{":t", 0, []string{":type ", ":tool "}},
		{":type input.comma", 12, []string{"command", "commands"}},
		{":json ", 6, []string{"event.json", "events" + separator}},
		{":json ev", 6, []string{"event.json", "events" + separator}},
		{":json events/", 13, []string{"inner.json"}},
		{":json ./.h", 8, []string{".hidden.json"}},
		{":json missing/", 14, nil},
		{":cwd e", 5, []string{"events" + separator}},
		{":tool Wr", 6, []string{"Write "}},
		{":tool Write {", 13, nil},
		{":command inp", 12, nil},
		{"input.args.com", 11, []string{"command"}},
		{"x :ty", 3, []string{"type("}},
	} {
		got := s.complete(test.line)
		var texts []string
		for _, i := range got.Items {
			texts = append(texts, i.Text)
		}
		if diff := cmp.Diff(test.want, texts); diff != "" || len(test.want) > 0 && got.Start != test.start {
			t.Errorf("%q: start %d, want %d, %s", test.line, got.Start, test.start, diff)
		}
	}
}

func TestTabWritesWhatIsCertainAndShowsTheRest(t *testing.T) {
	s, _ := session(t, "ls")
	for _, test := range []struct {
		name, begun, line string // | is the cursor
		want              string
		shown             string
	}{
		{"one candidate", "", "input.compo|", "input.compound|", ""},
		{"what several have in common", "", "input.comm|", "input.command|", ""},
		{"several candidates", "", "input.command|", "input.command|", "commands: list(Command)"},
		{"in the middle", "", "é == input.compo| && true", "é == input.compound| && true", ""},
		{"a bracket that is there", "", "input.commands[0].run|('ls')", "input.commands[0].runs|('ls')", ""},
		{"a function's arguments", "", "glob(|", "glob(|", "glob(string, string) -> bool"},
		{"a line that goes on", "input.commands.exists(c,\n", "c.subc|", "c.subcommand|", ""},
		{"nothing", "", "zebra|", "zebra|", ""},
		{"in capitals", "", "input.COMPO|", "input.compound|", ""},
	} {
		left, right, _ := strings.Cut(test.line, "|")
		line, cursor, shown := s.completeAt(test.begun, left+right, len(left))
		got := line[:cursor] + "|" + line[cursor:]
		if got != test.want || test.shown == "" && shown != "" || !strings.Contains(shown, test.shown) {
			t.Errorf("%s: %q, shown %q, want %q", test.name, got, shown, test.want)
		}
	}
}

func TestATableFitsTheTerminal(t *testing.T) {
	var items []Item
	for range 50 {
		items = append(items, Item{Name: "field", Text: "field", Signatures: []string{"string"}, Doc: strings.Repeat("é long text ", 20)})
	}
	items[0] = Item{Name: "f", Text: "f(", Signatures: []string{"f(string) -> bool", "f(int) -> bool"}, Doc: "\x1b[31mred"}
	got := table(items, 60, 20)
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if len(lines) != 18 || !strings.Contains(lines[17], "33 more") {
		t.Errorf("%d lines, the last is %q", len(lines), lines[len(lines)-1])
	}
	for _, l := range lines {
		if len([]rune(l)) > 59 {
			t.Errorf("%d columns: %q", len([]rune(l)), l)
		}
	}
	if !strings.Contains(lines[0], "f(string) -> bool (+1)") || strings.Contains(got, "\x1b") {
		t.Errorf("%q", lines[0])
	}
}
