package compiled_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/compiled"
	"github.com/claudewatch/claudewatch/internal/ownfile"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/claudewatch/claudewatch/schema"
)

// place is a directory of rule files with a cache for it.
type place struct {
	t              *testing.T
	rules, caching string
	program        string
	reads          int // how often the rule files were compiled
}

func newPlace(t *testing.T) *place {
	t.Helper()
	root := t.TempDir()
	p := &place{t: t, rules: filepath.Join(root, "watches"), caching: filepath.Join(root, "cache"), program: "1"}
	if err := os.Mkdir(p.rules, 0o700); err != nil {
		t.Fatal(err)
	}
	return p
}

// denying is a rule set that denies calls of one tool.
func denying(name, tool string) string {
	return "name: " + name + "\nvariables: {t: input.tool}\nrules:\n  block:\n    - {name: no " + tool + ", when: 'variables.t == \"" + tool + "\"', reason: r, message: '\"not \" + variables.t'}\n"
}

func (p *place) write(name, content string) string {
	p.t.Helper()
	path := filepath.Join(p.rules, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		p.t.Fatal(err)
	}
	return path
}

// age makes everything look as if it had been written a while ago, but for the time
// of the last change of the inode, which nobody can set: it waits for that.
func (p *place) age() {
	time.Sleep(2100 * time.Millisecond)
}

func (p *place) policy() *policy.Policy {
	p.t.Helper()
	cache := compiled.Cache{Directory: p.caching, Program: func() string { return p.program }}
	units := cache.Units(compiled.Location{Path: p.rules, Scope: policy.User, Read: func() []policy.File {
		p.reads++
		names, err := filepath.Glob(filepath.Join(p.rules, "*.yml"))
		if err != nil {
			p.t.Fatal(err)
		}
		files := make([]policy.File, len(names))
		for i, name := range names {
			source, err := os.ReadFile(name)
			files[i] = policy.File{Path: name, Scope: policy.User, Source: source, Err: err}
		}
		return files
	}})
	return policy.Link(units, policy.Options{})
}

// denied asks for a call of a tool and returns the reasons.
func (p *place) denied(tool string) string {
	p.t.Helper()
	var reasons []string
	o := p.policy().Evaluate(&schema.Input{Tool: tool}, policy.EvaluateOptions{})
	for _, m := range policy.Decide(o, policy.Deny).Matches {
		if m.Err != nil {
			p.t.Errorf("%v", m.Err)
		}
		reasons = append(reasons, m.Reason)
	}
	return strings.Join(reasons, "; ")
}

// expect judges a call of tool A and checks whether the rule files were compiled for it.
func (p *place) expect(what string, compiles bool, reasons string) {
	p.t.Helper()
	before := p.reads
	if got := p.denied("A"); got != reasons {
		p.t.Errorf("%s: %q, want %q", what, got, reasons)
	}
	if compiled := p.reads > before; compiled != compiles {
		p.t.Errorf("%s: compiled %v, want %v", what, compiled, compiles)
	}
}

func (p *place) cacheFile() string {
	p.t.Helper()
	files, err := filepath.Glob(filepath.Join(p.caching, "*.policy"))
	if err != nil || len(files) != 1 {
		p.t.Fatalf("%v %v", files, err)
	}
	return files[0]
}

func TestRuleFilesAreCompiledOnceUntilTheyChange(t *testing.T) {
	p := newPlace(t)
	p.expect("no rule files", true, "")
	path := p.write("a.yml", denying("a", "A"))
	p.expect("a new file", true, "not A")
	p.expect("a young cache", false, "not A")
	p.write("b.yml", denying("b", "A"))
	p.expect("another file", true, "not A; not A")
	p.expect("nothing changed", false, "not A; not A")

	p.write("b.yml", denying("b", "B"))
	p.expect("as many bytes", true, "not A")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	p.write("a.yml", denying("a", "B"))
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	p.expect("as many bytes and the old time", true, "")
	p.expect("nothing changed", false, "")

	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	p.write("c.yml", denying("c", "A"))
	p.expect("a file gone and one new", true, "not A")
	if err := os.Rename(filepath.Join(p.rules, "c.yml"), filepath.Join(p.rules, "c.yml.off")); err != nil {
		t.Fatal(err)
	}
	p.expect("a file renamed", true, "")
}

func TestAnOldCacheIsTrustedByItsTimesAndAYoungOneIsRefreshed(t *testing.T) {
	p := newPlace(t)
	p.write("a.yml", denying("a", "A"))
	p.age()
	p.expect("the first call", true, "not A")
	p.expect("the second call", false, "not A")
	p.write("a.yml", denying("a", "B"))
	p.expect("a change", true, "")
	p.age()
	p.age()
	p.expect("refreshes the cache", false, "")
	p.expect("the refreshed cache", false, "")
	p.write("a.yml", denying("a", "A"))
	p.expect("a change after that", true, "not A")
}

// The cache is of the build before; the first call of this one takes longer and says
// what the rule files say.
func TestTheFirstCallAfterAnUpgradeCompilesAnew(t *testing.T) {
	p := newPlace(t)
	p.write("a.yml", denying("a", "A"))
	p.expect("the first call", true, "not A")
	p.program = "2"
	p.expect("after an upgrade", true, "not A")
	p.expect("after that", false, "not A")
	p.program = "1"
	p.expect("back at the build before", true, "not A")
}

// A build whose image has another format does not read what is behind the number.
func TestACacheOfAnotherFormatIsCompiledAnew(t *testing.T) {
	p := newPlace(t)
	p.write("a.yml", denying("a", "A"))
	p.expect("the first call", true, "not A")
	b, err := os.ReadFile(p.cacheFile())
	if err != nil {
		t.Fatal(err)
	}
	binary.LittleEndian.PutUint32(b[len("cwpolicy"):], policy.ImageFormat-1)
	if err := os.WriteFile(p.cacheFile(), b, 0o600); err != nil {
		t.Fatal(err)
	}
	p.expect("a cache of the format before", true, "not A")
	p.expect("after that", false, "not A")
}

func TestADamagedCacheIsCompiledAnew(t *testing.T) {
	p := newPlace(t)
	p.write("a.yml", denying("a", "A"))
	p.expect("the first call", true, "not A")
	whole, err := os.ReadFile(p.cacheFile())
	if err != nil {
		t.Fatal(err)
	}
	damage := func(change func([]byte) []byte) {
		t.Helper()
		if err := os.WriteFile(p.cacheFile(), change(append([]byte(nil), whole...)), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := p.denied("A"); got != "not A" {
			t.Errorf("%q", got)
		}
	}
	for i := range whole {
		damage(func(b []byte) []byte { b[i] ^= 0x41; return b })
		damage(func(b []byte) []byte { return b[:i] })
	}
	damage(func(b []byte) []byte { return append(b, b...) })
}

// What a cache has of the rules before a change is damaged, whatever of it: the changed
// file is compiled and says what it says.
func TestADamagedCacheGivesAChangedFileNothing(t *testing.T) {
	p := newPlace(t)
	p.write("a.yml", denying("a", "A")+"    - {name: other, when: input.tool == 'B', reason: other}\n")
	p.expect("the first call", true, "not A")
	whole, err := os.ReadFile(p.cacheFile())
	if err != nil {
		t.Fatal(err)
	}
	p.write("a.yml", denying("a", "A")+"    - {name: other, when: input.tool == 'A', reason: other}\n")
	for i := range whole {
		damaged := append([]byte(nil), whole...)
		damaged[i] ^= 0x41
		if err := os.WriteFile(p.cacheFile(), damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := p.denied("A"); got != "not A; other" {
			t.Errorf("byte %d: %q", i, got)
		}
	}
}

func TestWhatKilledWritersLeftIsRemoved(t *testing.T) {
	p := newPlace(t)
	p.write("a.yml", denying("a", "A"))
	p.expect("the first call", true, "not A")
	old, young := filepath.Join(p.caching, ownfile.TemporaryPrefix+"1"), filepath.Join(p.caching, ownfile.TemporaryPrefix+"2")
	for _, path := range []string{old, young} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(old, time.Unix(0, 0), time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	p.write("a.yml", denying("a", "B"))
	p.expect("a change", true, "")
	if _, err := os.Lstat(old); err == nil {
		t.Error("the old one is there")
	}
	if _, err := os.Lstat(young); err != nil {
		t.Error("the young one, which may be being written, is gone")
	}
}

func TestACacheOfSomebodyElseIsNotRead(t *testing.T) {
	p := newPlace(t)
	p.write("a.yml", denying("a", "A"))
	p.expect("the first call", true, "not A")
	path := p.cacheFile()
	for _, mode := range []os.FileMode{0o620, 0o602, 0o666} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if os.PathSeparator == '/' {
			p.expect("writable by others", true, "not A")
		}
	}
	other := filepath.Join(t.TempDir(), "x.policy")
	if err := os.Rename(path, other); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, path); err != nil {
		t.Skip(err)
	}
	p.expect("a symbolic link", true, "not A")
	if os.Geteuid() == 0 && os.PathSeparator == '/' {
		if err := os.Chown(p.cacheFile(), 12345, 12345); err != nil {
			t.Fatal(err)
		}
		p.expect("another owner", true, "not A")
	}
}

func TestACacheThatCannotBeWrittenIsDoneWithout(t *testing.T) {
	p := newPlace(t)
	p.write("a.yml", denying("a", "A"))
	if err := os.WriteFile(p.caching, nil, 0o600); err != nil { // a file where the directory would be
		t.Fatal(err)
	}
	p.expect("the first call", true, "not A")
	p.expect("the second call", true, "not A")
}

func TestAFileThatCannotBeReadIsAFaultUntilItCan(t *testing.T) {
	p := newPlace(t)
	p.write("a.yml", denying("a", "A"))
	if err := os.Symlink(filepath.Join(p.rules, "missing"), filepath.Join(p.rules, "b.yml")); err != nil {
		t.Skip(err)
	}
	for range 2 {
		if got := p.denied("B"); !strings.Contains(got, "cannot be read") {
			t.Errorf("%q", got)
		}
	}
	p.write("missing", denying("b", "B"))
	if got := p.denied("B"); got != "not B" {
		t.Errorf("%q", got)
	}
}

func TestWritersAtOnceDoNoHarm(t *testing.T) {
	p := newPlace(t)
	p.write("a.yml", denying("a", "A"))
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			own := *p
			for range 5 {
				if got := own.denied("A"); got != "not A" {
					t.Errorf("%q", got)
				}
				os.Remove(filepath.Join(p.caching, "nothing"))
			}
		})
	}
	wait.Wait()
	p.expect("after them", false, "not A")
	left, err := filepath.Glob(filepath.Join(p.caching, ownfile.TemporaryPrefix+"*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%v %v", left, err)
	}
}
