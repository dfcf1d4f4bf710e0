package changes

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/schema"
)

// bench is a project with a session in it, and where its records go.
type bench struct {
	t          testing.TB
	data, root string
	env        config.Environment
	wait       time.Duration // for locks
}

func newBench(t testing.TB) *bench {
	t.Helper()
	directory, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, data: filepath.Join(directory, "data"), root: filepath.Join(directory, "project"), wait: 10 * time.Second}
	b.env = config.Environment{Home: filepath.Join(directory, "home"), ProjectDir: b.root, PluginData: b.data}
	if err := os.MkdirAll(b.root, 0o700); err != nil {
		t.Fatal(err)
	}
	return b
}

// settings writes the settings of the recorder.
func (b *bench) settings(text string) {
	b.t.Helper()
	b.put(filepath.Join(b.data, "settings.yaml"), text)
}

// write writes a file of the project, remove removes one.
func (b *bench) write(name, content string) {
	b.t.Helper()
	b.put(filepath.Join(b.root, name), content)
}

func (b *bench) put(path, content string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) remove(name string) {
	b.t.Helper()
	if err := os.RemoveAll(filepath.Join(b.root, name)); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) recorder() *Recorder {
	r := Open(b.env, nil)
	r.waitBefore, r.waitAfter = b.wait, b.wait
	return r
}

// hook handles an event as a process of its own does. Without a session it is "s".
func (b *bench) hook(e Event) []*record.Record {
	e.ProjectDir, e.Cwd = b.env.ProjectDir, b.root
	if e.Session == "" {
		e.Session = "s"
	}
	return b.recorder().Handle(e)
}

// shell is the event of a shell call that is observed.
func shell(name, id string) Event {
	return Event{Name: name, Tool: "Bash", ToolUseID: id, Args: map[string]any{"command": "make"}, Effects: effects("make")}
}

func effects(program string) func() *schema.Effects {
	return func() *schema.Effects {
		return &schema.Effects{Parsed: true, Command: program, Commands: []*schema.Command{{Program: program, Text: program, Source: program}}}
	}
}

func (b *bench) pre(id string)                   { b.hook(shell("PreToolUse", id)) }
func (b *bench) post(id string) []*record.Record { return b.hook(shell("PostToolUse", id)) }
func (b *bench) event(name string)               { b.hook(Event{Name: name}) }
func (b *bench) state() root                     { return rootAt(b.data, b.root) }
func (b *bench) journal() *journal               { j, _ := openJournal(b.state().journal()); return j }
func (b *bench) notes() []*note                  { notes, _ := b.state().notes(); return notes }
func in(agent string, e Event) Event             { e.Agent = agent; return e }
func of(session string, e Event) Event           { e.Session = session; return e }

// records returns all records, by the names of their files and in their order.
func (b *bench) records() []*record.Record {
	b.t.Helper()
	var list []*record.Record
	files, err := record.Files(b.data)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, f := range files {
		for r, err := range record.Read(f.Path) {
			if err != nil {
				b.t.Fatal(err)
			}
			list = append(list, r)
		}
	}
	return list
}

// record returns the one record with an id.
func (b *bench) record(id string) *record.Record {
	b.t.Helper()
	list := slices.DeleteFunc(b.records(), func(r *record.Record) bool { return r.ID != id })
	if len(list) != 1 {
		b.t.Fatalf("%d records have the id %s, want one; there are %q; the log says %s", len(list), id, b.lines(), b.log())
	}
	return list[0]
}

// lines says in short what the records tell: "ID: state: + created (attribution)".
func (b *bench) lines() []string {
	b.t.Helper()
	var lines []string
	for _, r := range b.records() {
		lines = append(lines, line(r))
	}
	return lines
}

var signs = map[string]string{record.Create: "+", record.Modify: "~", record.Delete: "-", record.TypeChange: "!"}

// line says in short what a record tells. The root of the ids of gaps is left out.
func line(r *record.Record) string {
	id := r.ID
	if rest, ok := strings.CutPrefix(id, "gap/"); ok && r.Root != nil {
		id = "gap" + strings.TrimPrefix(rest, r.Root.ID)
	}
	text := id + ":"
	if r.Outcome != nil {
		text += " " + r.Outcome.State
	}
	if r.ChangedFiles == nil {
		text += " unknown"
	}
	if r.Coverage == record.Partial {
		text += " partial"
	}
	for _, c := range r.Changes {
		text += " " + signs[c.Operation] + c.Path
		switch c.Attribution {
		case record.OutsideAnyWindow:
			text += "(outside)"
		case record.Shared:
			windows := slices.Clone(c.Windows[1:])
			for i, w := range windows {
				if r.Root != nil {
					windows[i] = strings.Replace(w, "gap/"+r.Root.ID, "gap", 1)
				}
			}
			text += "(" + strings.Join(windows, ",") + ")"
		}
	}
	return text
}

func (b *bench) log() string {
	content, _ := os.ReadFile(LogFile(b.data))
	return string(content)
}

// quiet checks that nothing went wrong.
func (b *bench) quiet() {
	b.t.Helper()
	if log := b.log(); log != "" {
		b.t.Errorf("the log says: %s", log)
	}
}

// edit makes an edit of the runtime from its first event to its last, and returns what
// was recorded. A content that is "" stands for no file before.
func (b *bench) edit(id, name, before, after string) []*record.Record {
	b.t.Helper()
	path := filepath.Join(b.root, name)
	e := writing(id, path, after)
	b.hook(e)
	b.write(name, after)
	return b.hook(written(e, path, before, after))
}

// writing is the event before an edit.
func writing(id, path, content string) Event {
	return Event{Name: "PreToolUse", Tool: "Write", ToolUseID: id, Args: map[string]any{"file_path": path, "content": content}}
}

// written is the event after an edit.
func written(e Event, path, before, after string) Event {
	e.Name = "PostToolUse"
	response := map[string]any{"type": "update", "filePath": path, "content": plain(after), "originalFile": plain(before), "structuredPatch": []any{}, "userModified": false}
	if before == "" {
		response["type"], response["originalFile"] = "create", nil
	}
	e.Response = response
	return e
}

func plain(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// hold takes the lock of a root, as another process that scans for long.
func (b *bench) hold() (release func()) {
	b.t.Helper()
	unlock, err := b.state().lock(time.Second)
	if err != nil {
		b.t.Fatal(err)
	}
	return unlock
}

func (b *bench) contains(text string) bool { return bytes.Contains([]byte(b.log()), []byte(text)) }
