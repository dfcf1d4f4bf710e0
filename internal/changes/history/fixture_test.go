package history_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/content"
	"github.com/claudewatch/claudewatch/internal/changes/history"
	"github.com/claudewatch/claudewatch/internal/changes/record"
)

// project is a directory with files, and the records of the calls that changed them.
type project struct {
	t          *testing.T
	data, root string
	now        time.Time
}

// start is when the first call of a project begins. Each takes a second, with one
// second between two of them.
var start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func newProject(t *testing.T, files ...string) *project {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &project{t: t, data: t.TempDir(), root: root, now: start}
	for i := 0; i < len(files); i += 2 {
		p.write(files[i], files[i+1])
	}
	return p
}

func (p *project) path(name string) string { return filepath.Join(p.root, filepath.FromSlash(name)) }

func (p *project) write(name, text string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(p.path(name)), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(p.path(name), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) read(name string) string {
	p.t.Helper()
	text, err := os.ReadFile(p.path(name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

func (p *project) check(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// side is what stands at a path now, as a scan would see it.
func (p *project) side(name string) record.Side {
	p.t.Helper()
	info, err := os.Lstat(p.path(name))
	if os.IsNotExist(err) || errors.Is(err, syscall.ENOTDIR) || err == nil && info.IsDir() {
		return record.Side{}
	}
	p.check(err)
	s := record.Side{Present: true, Perm: info.Mode().Perm(), Size: info.Size(), Kind: record.RegularFile}
	switch {
	case info.Mode().Type() == fs.ModeSymlink:
		text, err := os.Readlink(p.path(name))
		p.check(err)
		s.Kind, s.SHA256 = record.Symlink, hash([]byte(text))
	case info.Mode().IsRegular():
		s.Content = []byte(p.read(name))
		s.SHA256 = hash(s.Content)
	default:
		s.Kind = record.Other
	}
	return s
}

func hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// sizeCap is that of the records.
const sizeCap = 4096

// call runs change and records what it did to the files named, as the call id. with may
// change the record before it is written.
func (p *project) call(id string, names []string, change func(), with ...func(*record.Record)) *record.Record {
	p.t.Helper()
	before := make([]record.Side, len(names))
	for i, name := range names {
		before[i] = p.side(name)
	}
	from := p.now
	change()
	p.now = p.now.Add(time.Second)
	root := record.NewRoot(p.root)
	span := func(t time.Time) record.Span {
		return record.Span{From: record.Time{Time: t}, To: record.Time{Time: t}}
	}
	r := &record.Record{
		ID: id, Session: "session", Stream: record.MainStream, Tool: id, ToolName: "Bash", Time: record.Time{Time: p.now}, Basis: record.ToolWindow,
		Root: &root, Window: &record.Window{Before: span(from), After: span(p.now)},
		Outcome: &record.Outcome{State: record.Returned, ExitCode: new(int)}, Coverage: record.Complete, XCommand: "run " + id,
	}
	for i, name := range names {
		after := p.side(name)
		if before[i].SHA256 == after.SHA256 && before[i].Perm == after.Perm && before[i].Present == after.Present {
			continue
		}
		c := record.Change{Path: name, Attribution: record.OnlyThisWindow, Windows: []string{id}}
		c.Describe(before[i], after, sizeCap)
		r.Changes = append(r.Changes, c)
	}
	n := len(r.Changes)
	r.ChangedFiles = &n
	for _, f := range with {
		f(r)
	}
	p.observe()
	p.check(record.Append(p.data, r.Session, r.Stream, r))
	p.now = p.now.Add(time.Second)
	return r
}

// observe leaves what the recorder keeps of a root that it has observed.
func (p *project) observe() {
	p.t.Helper()
	line, err := json.Marshal(map[string]any{"journal": map[string]any{"version": 1, "root": p.root}})
	p.check(err)
	state := filepath.Join(p.data, "state", record.NewRoot(p.root).ID)
	p.check(os.MkdirAll(state, 0o700))
	p.check(os.WriteFile(filepath.Join(state, "journal.jsonl"), append(line, '\n'), 0o600))
}

// edit is a call that writes one file.
func (p *project) edit(id, name, text string, with ...func(*record.Record)) *record.Record {
	p.t.Helper()
	return p.call(id, []string{name}, func() { p.write(name, text) }, with...)
}

// keep puts contents into the store of the root.
func (p *project) keep(texts ...string) {
	p.t.Helper()
	pack := content.Open(filepath.Join(p.data, "state", record.NewRoot(p.root).ID, "content")).NewPack()
	for _, text := range texts {
		p.check(pack.Keep(sha256.Sum256([]byte(text)), []byte(text)))
	}
	p.check(pack.Commit())
}

func (p *project) load(f history.Filter) *history.History {
	p.t.Helper()
	h, err := history.Load(p.data, f, nil)
	p.check(err)
	for _, problem := range h.Problems {
		p.t.Error(problem)
	}
	return h
}

// tree is what stands below the root, by path.
func (p *project) tree() map[string]string {
	p.t.Helper()
	tree := map[string]string{}
	p.check(filepath.WalkDir(p.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := os.Lstat(path)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(p.root, path)
		if info.Mode().Type() == fs.ModeSymlink {
			tree[name], err = os.Readlink(path)
			return err
		}
		text, err := os.ReadFile(path)
		tree[name] = fmt.Sprintf("%04o %s", info.Mode().Perm(), text)
		return err
	}))
	return tree
}

// shared makes the changes of a record those of another call as well.
func shared(id string) func(*record.Record) {
	return func(r *record.Record) {
		for i := range r.Changes {
			r.Changes[i].Attribution = record.Shared
			r.Changes[i].Windows = []string{r.ID, id}
		}
	}
}

// unattributed makes a record one that no call covers.
func unattributed(r *record.Record) {
	r.ID, r.Tool, r.ToolName, r.Basis, r.Outcome, r.XCommand = "gap/"+r.Root.ID+"/"+r.ID, "", "", record.Unattributed, nil, ""
	for i := range r.Changes {
		r.Changes[i].Attribution, r.Changes[i].Windows = record.OutsideAnyWindow, nil
	}
}
