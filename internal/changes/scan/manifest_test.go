package scan_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/claudewatch/claudewatch/internal/changes/scan"
	"github.com/google/go-cmp/cmp"
)

// entry returns an entry with every field set to something that n decides.
func entry(n int) scan.Entry {
	e := scan.Entry{
		Kind: scan.Regular, Perm: 0o644, Size: int64(n) * 1000, ModTime: 1_700_000_000_000_000_000 + int64(n), ChangeTime: 1_700_000_000_000_000_001 + int64(n),
		Inode: uint64(1000 + n), Hash: [32]byte{1, byte(n)}, Kept: n%2 == 0, Young: n%3 == 0,
	}
	switch n % 5 {
	case 0:
		e.Perm = 0o755
	case 1:
		e.Blob = [20]byte{2, byte(n)}
	case 2:
		e.Hash, e.Kept, e.Slow = [32]byte{}, false, n%2 == 0
	case 3:
		e.Kind, e.ModTime, e.Inode = scan.Symlink, -5, 1<<63
	case 4:
		e.Kind, e.Hash, e.ChangeTime, e.Kept = scan.Other, [32]byte{}, 0, false
	}
	return e
}

// manifestOf returns a manifest of paths, each with an entry of its own.
func manifestOf(paths ...string) *scan.Manifest {
	m := scan.NewManifest()
	for i, path := range paths {
		e := entry(i)
		m.Apply([]scan.Difference{{Path: path, After: &e}})
	}
	return m
}

// reloaded returns a manifest as its file has it.
func reloaded(t *testing.T, m *scan.Manifest) *scan.Manifest {
	t.Helper()
	path := filepath.Join(t.TempDir(), "manifest")
	if err := m.Write(path); err != nil {
		t.Fatal(err)
	}
	again, err := scan.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

var samplePaths = []string{"a", "b/a", "b/b", "b-a/x", "b/a-b/x", "b/a.b/c/d", "z/z/z/z", "b/ü\n\"", "c"}

func TestAManifestIsReadAsItWasWritten(t *testing.T) {
	m := manifestOf(samplePaths...)
	m.Step = 77
	again := reloaded(t, m)
	if again.Step != 77 {
		t.Errorf("the step is %d", again.Step)
	}
	want := map[string]scan.Entry{}
	for i, path := range samplePaths {
		want[path] = entry(i)
	}
	for name, m := range map[string]*scan.Manifest{"made": m, "read": again, "read again": reloaded(t, again)} {
		if diff := cmp.Diff(want, maps.Collect(m.All())); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		for path, e := range want {
			if got, ok := m.Get(path); !ok || got != e {
				t.Errorf("%s: %s is %v %+v", name, path, ok, got)
			}
		}
		for _, path := range []string{"", ".", "b", "b/", "/a", "a/", "a/x", "z/z/z", "b/a-b", "d", "0"} {
			if e, ok := m.Get(path); ok {
				t.Errorf("%s: %q is %+v", name, path, e)
			}
		}
	}
}

func TestTheFileOfAManifestIsForItsOwnerOnlyAndReplacedInOneStep(t *testing.T) {
	directory := t.TempDir()
	path := filepath.Join(directory, "manifest")
	if _, err := scan.Load(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a file: %v", err)
	}
	if err := os.WriteFile(path+".new", bytes.Repeat([]byte("left by one who was killed"), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := manifestOf("a").Write(path); err != nil {
		t.Fatal(err)
	}
	old, err := scan.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := manifestOf("b", "c").Write(path); err != nil {
		t.Fatal(err)
	}
	want := entry(0)
	if e, ok := old.Get("a"); !ok || e != want {
		t.Errorf("who has read the old file sees %v %+v", ok, e)
	}
	entries, err := os.ReadDir(directory)
	if err != nil || len(entries) != 1 {
		t.Errorf("the directory has %v, %v", entries, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	if err := manifestOf("a").Write(filepath.Join(directory, "none", "manifest")); err == nil {
		t.Error("written into a directory that is not there")
	}
}

func TestADamagedManifestIsAnErrorAndNeverAWrongEntry(t *testing.T) {
	path := filepath.Join(t.TempDir(), "manifest")
	if err := manifestOf(samplePaths...).Write(path); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := func(name string, content []byte) {
		t.Helper()
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if m, err := scan.Load(path); !errors.Is(err, scan.ErrDamaged) {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	for n := range whole {
		damaged(fmt.Sprintf("cut off after %d bytes", n), whole[:n])
		changed := bytes.Clone(whole)
		changed[n] ^= 1
		damaged(fmt.Sprintf("byte %d changed", n), changed)
	}
	damaged("longer", append(bytes.Clone(whole), 0))
	damaged("foreign", []byte("{\"manifest\": true}\n"))
	damaged("zeros", make([]byte, len(whole)))
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := scan.Load(path); err == nil {
		t.Error("a directory is a manifest")
	}
}

func TestAScanWithAManifestThatIsLostIsAnError(t *testing.T) {
	p := newPlace(t)
	p.write("a=1", "b=2")
	p.scan()
	p.do(os.Truncate(p.file, 100)) // under the eyes of who has read it
	p.write("a=11")
	if r, err := scan.Scan(t.Context(), p.root, p.known, p.options); err == nil {
		t.Errorf("found %q", found(r))
	}
	if e, ok := p.known.Get("a"); !ok || e.Known() {
		t.Errorf("known: %v %+v", ok, e)
	}
	if err := p.known.Write(p.file + "-other"); err == nil {
		t.Error("it was written")
	}
}

func TestPathsThatLeadOutOfTheRootAreNotTaken(t *testing.T) {
	m := manifestOf("../a", "/b", "c/../d", "e//f", "", "g/", "ok")
	got := maps.Collect(reloaded(t, m).All())
	if diff := cmp.Diff(map[string]scan.Entry{"ok": entry(6)}, got); diff != "" {
		t.Error(diff)
	}
}

func TestStepsAreAppliedAsIfTheManifestHadBeenWrittenAfterEach(t *testing.T) {
	for seed := range uint64(20) {
		m := &mutator{newPlace(t), rand.New(rand.NewPCG(seed, 2))}
		m.exclude("skipped")
		m.scan()
		replayed := reloaded(t, m.known)
		for range 8 {
			for range 20 {
				m.mutate()
			}
			r := m.scan()
			if r.Baseline > 0 {
				replayed = reloaded(t, m.known)
				continue
			}
			// By way of JSON, as a journal has them; in either order.
			lists := [][]scan.Difference{r.Differences, r.Refreshed}
			if m.random.IntN(2) == 0 {
				lists[0], lists[1] = lists[1], lists[0]
			}
			for _, list := range lists {
				line, err := json.Marshal(list)
				m.do(err)
				var again []scan.Difference
				m.do(json.Unmarshal(line, &again))
				if diff := cmp.Diff(list, again); diff != "" {
					t.Fatal(diff)
				}
				replayed.Apply(again)
			}
			if diff := cmp.Diff(maps.Collect(m.known.All()), maps.Collect(replayed.All())); diff != "" {
				t.Fatalf("seed %d: %s", seed, diff)
			}
		}
		m.known = replayed
		m.finds()
	}
}

func TestAnEntryInJSONThatIsNoneIsAnError(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"kind":"directory"}`, `{"kind":""}`, `{"kind":"file","sha256":"00"}`, `{"kind":"file","blob":"` + fmt.Sprintf("%064x", 1) + `"}`,
		`{"kind":"file","sha256":"` + fmt.Sprintf("%063x", 1) + `g"}`, `{"kind":"file","size":"1"}`, `[]`,
	} {
		var e scan.Entry
		if err := json.Unmarshal([]byte(text), &e); err == nil {
			t.Errorf("%s: %+v", text, e)
		}
	}
}

func FuzzLoad(f *testing.F) {
	path := filepath.Join(f.TempDir(), "manifest")
	for _, m := range []*scan.Manifest{scan.NewManifest(), manifestOf("a"), manifestOf("a/b", "a/c", "d"), manifestOf("x", "y/z")} {
		if err := m.Write(path); err != nil {
			f.Fatal(err)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		m, err := scan.Decode(content) // with checksums that fit
		if err != nil {
			return
		}
		seen := maps.Collect(m.All())
		for path, e := range seen {
			if !fs.ValidPath(path) {
				continue // a name that is not UTF-8, which no scan has put in
			}
			if got, ok := m.Get(path); !ok || got != e {
				t.Errorf("%q is %v %+v, and %+v in the list", path, ok, got, e)
			}
		}
		file := filepath.Join(t.TempDir(), "manifest")
		if err := m.Write(file); err != nil {
			return // a block is broken
		}
		again, err := scan.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(seen, maps.Collect(again.All())); diff != "" {
			t.Error(diff)
		}
	})
}
