package call_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/hooks"
	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/google/go-cmp/cmp"
)

const twoCells = `{"cells":[
	{"cell_type":"code","id":"c1","metadata":{},"outputs":[],"source":["import os\n","print(1)"]},
	{"cell_type":"markdown","id":"m1","metadata":{},"source":"# eval(x) is bad"},
	{"cell_type":"code","id":"c2","metadata":{},"outputs":[],"source":"print(2)\n"}],
	"metadata":{"language_info":{"name":"python"}},"nbformat":4,"nbformat_minor":5}`

func TestNotebookEditIsTheCellsAfterIt(t *testing.T) {
	for _, c := range []struct {
		name   string
		args   args
		cells  string
		python string
	}{
		{"replace", args{"cell_id": "c1", "new_source": "new", "edit_mode": "replace"}, "new\n# eval(x) is bad\nprint(2)\n", "new\nprint(2)\n"},
		{"replace by default", args{"cell_id": "c2", "new_source": "new"}, "import os\nprint(1)\n# eval(x) is bad\nnew", "import os\nprint(1)\nnew"},
		{"replace a text", args{"cell_id": "m1", "new_source": "eval"}, "import os\nprint(1)\neval\nprint(2)\n", "import os\nprint(1)\nprint(2)\n"},
		{"replace a text by code", args{"cell_id": "m1", "cell_type": "code", "new_source": "new"}, "import os\nprint(1)\nnew\nprint(2)\n", "import os\nprint(1)\nnew\nprint(2)\n"},
		{"by number", args{"cell_id": "cell-2", "new_source": "new"}, "import os\nprint(1)\n# eval(x) is bad\nnew", "import os\nprint(1)\nnew"},
		{"a cell that is not there", args{"cell_id": "cell-9", "new_source": "new"}, "import os\nprint(1)\n# eval(x) is bad\nprint(2)\n\nnew", "import os\nprint(1)\nprint(2)\n\nnew"},
		{"insert behind", args{"cell_id": "c1", "edit_mode": "insert", "cell_type": "code", "new_source": "new"}, "import os\nprint(1)\nnew\n# eval(x) is bad\nprint(2)\n", "import os\nprint(1)\nnew\nprint(2)\n"},
		{"insert at the start", args{"edit_mode": "insert", "cell_type": "markdown", "new_source": "eval"}, "eval\nimport os\nprint(1)\n# eval(x) is bad\nprint(2)\n", "import os\nprint(1)\nprint(2)\n"},
		{"insert behind one that is not there", args{"cell_id": "x", "edit_mode": "insert", "new_source": "new"}, "import os\nprint(1)\n# eval(x) is bad\nprint(2)\n\nnew", "import os\nprint(1)\nprint(2)\n\nnew"},
		{"delete", args{"cell_id": "c1", "edit_mode": "delete", "new_source": "x"}, "# eval(x) is bad\nprint(2)\n", "print(2)\n"},
		{"delete one that is not there", args{"cell_id": "x", "edit_mode": "delete", "new_source": ""}, "import os\nprint(1)\n# eval(x) is bad\nprint(2)\n", "import os\nprint(1)\nprint(2)\n"},
	} {
		c.args["notebook_path"] = write(t, "nb.ipynb", twoCells)
		in := call.Call{Tool: "NotebookEdit", Args: c.args}.Input()
		if diff := cmp.Diff(c.cells, in.Content()); diff != "" {
			t.Errorf("%s: content: %s", c.name, diff)
		}
		if diff := cmp.Diff([]script{{".ipynb", c.cells}, {".py", c.python}}, scripts(in)); diff != "" {
			t.Errorf("%s: scripts: %s", c.name, diff)
		}
	}
}

func TestANotebookThatCannotBeReadIsTheNewSourceAlone(t *testing.T) {
	for name, text := range map[string]string{"not JSON": "{", "no cells": `{"nbformat":3,"worksheets":[]}`, "null": "null", "an array": "[]", "other cells": `{"cells":5}`} {
		a := args{"notebook_path": write(t, "nb.ipynb", text), "cell_id": "c1", "new_source": "eval(x)"}
		if diff := cmp.Diff([]script{{".ipynb", "eval(x)"}, {".py", "eval(x)"}}, scripts(call.Call{Tool: "NotebookEdit", Args: a}.Input())); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		a["cell_type"] = "markdown"
		if diff := cmp.Diff([]script{{".ipynb", "eval(x)"}}, scripts(call.Call{Tool: "NotebookEdit", Args: a}.Input())); diff != "" {
			t.Errorf("%s, a text: %s", name, diff)
		}
	}
}

func TestTheCodeOfANotebookIsSortedByLanguage(t *testing.T) {
	notebook := func(metadata string, sources ...string) string {
		var file struct {
			Cells    []args          `json:"cells"`
			Metadata json.RawMessage `json:"metadata"`
		}
		file.Metadata = json.RawMessage(metadata)
		for _, s := range sources {
			file.Cells = append(file.Cells, args{"cell_type": "code", "source": s})
		}
		text, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, c := range []struct {
		name, text string
		want       []script
	}{
		{"no language", notebook(`{}`, "a", "b"), []script{{".py", "a\nb"}}},
		{"the language of the kernel", notebook(`{"kernelspec":{"language":"Ruby"}}`, "a"), []script{{".rb", "a"}}},
		{"IPython", notebook(`{"language_info":{"name":"ipython3"}}`, "a"), []script{{".py", "a"}}},
		{"a shell kernel", notebook(`{"language_info":{"name":"bash"}}`, "!x", "%%bash\nls"), []script{{".sh", "!x\n%%bash\nls"}}},
		{"a language without rules", notebook(`{"language_info":{"name":"julia"},"kernelspec":{"language":"julia"}}`, "a"), []script{{".py", "a"}}},
		{"metadata of another type", notebook(`{"language_info":"x"}`, "a"), []script{{".py", "a"}}},
		{"cell magics", notebook(`{}`, "a", "%%bash -e\nrm x\n", "\n%%script perl -w\nunlink", "%%js\nalert(1)", "%%time\nb"),
			[]script{{".py", "a\n%%time\nb"}, {".sh", "rm x\n"}, {".pl", "unlink"}, {".js", "alert(1)"}}},
		{"shell escapes", notebook(`{}`, "a\n!rm -rf x\n  !!ls\nb"), []script{{".sh", "rm -rf x\nls"}, {".py", "a\n!rm -rf x\n  !!ls\nb"}}},
		{"no cells at all", `{"cells":[]}`, nil},
	} {
		in := call.Call{Tool: "Write", Args: args{"file_path": "/w/nb.IPYNB", "content": c.text}}.Input()
		if diff := cmp.Diff(append([]script{{".ipynb", c.text}}, c.want...), scripts(in)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestTheRecordedNotebookEditGivesTheRecordedSource(t *testing.T) {
	content, err := os.ReadFile("../../../shared/payloads/claude-code-2.1.197.jsonl")
	if err != nil {
		t.Skip("no recorded payloads here")
	}
	var before string
	found := false
	for line := range strings.Lines(string(content)) {
		event, err := hooks.Decode([]byte(line))
		if err != nil || event.Name != hooks.PreToolUse {
			continue
		}
		c := call.FromEvent(event, "", "")
		c.ReadFile = func(string) ([]byte, error) { return []byte(before), nil }
		switch in := c.Input(); {
		case strings.HasSuffix(in.Path, ".ipynb") && event.Tool == "Write":
			before = in.Content()
		case event.Tool == "NotebookEdit":
			found = true
			if diff := cmp.Diff([]script{{".ipynb", "print(2)"}, {".py", "print(2)"}}, scripts(in)); diff != "" || in.Extension != ".ipynb" {
				t.Errorf("%s: %s", in.Extension, diff)
			}
		}
	}
	if !found {
		t.Error("no NotebookEdit was recorded")
	}
}

func FuzzNotebook(f *testing.F) {
	f.Add(twoCells, "c1", "replace", "x")
	f.Add(twoCells, "cell-1", "insert", "!x")
	f.Add(`{"cells":[{"source":[1,"a"]},{"id":5},null]}`, "", "delete", "%%bash\n")
	f.Fuzz(func(t *testing.T, text, id, mode, source string) {
		c := call.Call{Tool: "NotebookEdit", ReadFile: func(string) ([]byte, error) { return []byte(text), nil }}
		c.Args = args{"notebook_path": "/w/nb.ipynb", "cell_id": id, "edit_mode": mode, "new_source": source}
		in := c.Input()
		if mode != "delete" && !strings.Contains(in.Content(), source) {
			t.Errorf("%q lacks %q", in.Content(), source)
		}
		if len(in.Effects().Scripts) < 1 || in.Effects().Scripts[0].Content != in.Content() {
			t.Error("the first script is not the file")
		}
	})
}
