package scan_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// observe is what a scan sees, without any of its code: for each path below a root what
// is there, directories named skip left out.
func observe(t *testing.T, root, skip string) map[string]string {
	t.Helper()
	seen := map[string]string{}
	err := filepath.WalkDir(root, func(full string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, full)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		info, err := e.Info()
		if err != nil {
			return err
		}
		switch {
		case e.IsDir() && e.Name() == skip:
			return fs.SkipDir
		case e.IsDir():
		case info.Mode().IsRegular():
			content, err := os.ReadFile(full)
			if err != nil {
				return err
			}
			seen[name] = fmt.Sprintf("file %o %x", info.Mode().Perm(), sha256.Sum256(content))
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(full)
			if err != nil {
				return err
			}
			seen[name] = fmt.Sprintf("symlink %x", sha256.Sum256([]byte(target)))
		default:
			seen[name] = "other"
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return seen
}

// changed is what a scan has to find between two states of a root.
func changed(before, after map[string]string) []string {
	var list []string
	for name, was := range before {
		switch is, ok := after[name]; {
		case !ok:
			list = append(list, "delete "+name)
		case is != was:
			list = append(list, "change "+name)
		}
	}
	for name := range after {
		if _, ok := before[name]; !ok {
			list = append(list, "create "+name)
		}
	}
	slices.Sort(list)
	return list
}

// mutator changes a tree at random. Names are few, so that they meet again as other
// things.
type mutator struct {
	*place
	random *rand.Rand
}

func (m *mutator) name() string {
	names := []string{"a", "b", "a-b", "a.b", "B", "c", "skipped"}
	return names[m.random.IntN(len(names))]
}

func (m *mutator) somewhere() string {
	name := m.name()
	for range m.random.IntN(4) {
		name = path.Join(name, m.name())
	}
	return name
}

// mutate does one thing, or nothing where it cannot be done.
func (m *mutator) mutate() {
	at := m.path(m.somewhere())
	switch m.random.IntN(10) {
	case 0, 1, 2, 3:
		_ = os.MkdirAll(filepath.Dir(at), 0o700)
		_ = os.WriteFile(at, fmt.Appendf(nil, "%d", m.random.IntN(100)), 0o600)
	case 4:
		_ = os.MkdirAll(at, 0o700)
	case 5:
		_ = os.RemoveAll(at)
	case 6:
		_ = os.Rename(at, m.path(m.somewhere()))
	case 7:
		_ = os.Symlink(m.name(), at)
	case 8:
		if info, err := os.Lstat(at); err == nil && info.Mode().IsRegular() {
			_ = os.Chmod(at, []fs.FileMode{0o600, 0o700, 0o644}[m.random.IntN(3)])
		}
	case 9:
		if file, err := os.OpenFile(at, os.O_WRONLY|os.O_APPEND, 0); err == nil {
			fmt.Fprint(file, "more")
			file.Close()
		}
	}
}

func TestAnyChangesAreFoundAsANaiveObserverFindsThem(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 5
	}
	for seed := range uint64(rounds) {
		m := &mutator{newPlace(t), rand.New(rand.NewPCG(seed, 0))}
		m.exclude("skipped")
		before := map[string]string{}
		for step := range 12 {
			for range 1 + m.random.IntN(30) {
				m.mutate()
			}
			after := observe(t, m.root, "skipped")
			r := m.scan()
			var got []string
			for _, d := range r.Differences {
				operation := operation(d)
				if d.Before != nil && d.After != nil {
					operation = "change"
				}
				got = append(got, operation+" "+d.Path)
			}
			want := changed(before, after)
			if step == 0 {
				want = nil // the baseline
			}
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d, step %d (-want +got):\n%s", seed, step, diff)
			}
			known := map[string]string{}
			for name, e := range m.known.All() {
				switch known[name] = e.Kind.String(); known[name] {
				case "file":
					known[name] = fmt.Sprintf("file %o %x", e.Perm, e.Hash)
				case "symlink":
					known[name] = fmt.Sprintf("symlink %x", e.Hash)
				}
			}
			if diff := cmp.Diff(after, known); diff != "" {
				t.Fatalf("seed %d, step %d: the manifest (-want +got):\n%s", seed, step, diff)
			}
			if r.Files != len(after) || !r.Complete || len(r.Gaps) > 0 {
				t.Fatalf("seed %d, step %d: %d of %d files, complete: %v, gaps %q", seed, step, r.Files, len(after), r.Complete, r.Gaps)
			}
			before = after
		}
	}
}
