package changes

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/config"
)

// bench is a root with a session in it, and where its records go.
type bench struct {
	t          *testing.T
	data, root string
	env        config.Environment
}

func newBench(t *testing.T) *bench {
	t.Helper()
	directory := t.TempDir()
	b := &bench{t: t, data: filepath.Join(directory, "data"), root: filepath.Join(directory, "root")}
	b.env = config.Environment{Home: filepath.Join(directory, "home"), ProjectDir: b.root, PluginData: b.data}
	if err := os.MkdirAll(b.root, 0o700); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) write(name, content string) {
	b.t.Helper()
	path := filepath.Join(b.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// hook handles an event in a process of its own, as far as the recorder can tell.
func (b *bench) hook(e Event) []*record.Record {
	r := Open(b.env, nil)
	e.ProjectDir, e.Cwd = b.root, b.root
	if e.Session == "" {
		e.Session = "s"
	}
	return r.Handle(e)
}

func (b *bench) pre(id string) {
	b.hook(Event{Name: "PreToolUse", Tool: "Bash", ToolUseID: id, Args: map[string]any{"command": "make"}})
}

func (b *bench) post(id string) []*record.Record {
	return b.hook(Event{Name: "PostToolUse", Tool: "Bash", ToolUseID: id, Args: map[string]any{"command": "make"}})
}

func TestSmoke(t *testing.T) {
	b := newBench(t)
	b.write("a.txt", "one\n")
	b.pre("t1")
	b.write("a.txt", "two\n")
	b.write("b.txt", "b\n")
	for _, r := range b.post("t1") {
		text, _ := json.MarshalIndent(r, "", " ")
		t.Logf("%s", text)
	}
	b.write("c.txt", "c\n")
	b.hook(Event{Name: "Stop"})
	for _, f := range must(record.Files(b.data)) {
		for r, err := range record.Read(f.Path) {
			t.Log(r.ID, err, r.Basis)
		}
	}
	log, _ := os.ReadFile(LogFile(b.data))
	t.Logf("%s", log)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
