package content

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func keep(t *testing.T, s *Store, contents ...string) {
	t.Helper()
	p := s.NewPack()
	for _, c := range contents {
		if err := p.Keep(sha256.Sum256([]byte(c)), []byte(c)); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Commit(); err != nil {
		t.Fatal(err)
	}
}

func mustHave(t *testing.T, s *Store, contents ...string) {
	t.Helper()
	for _, c := range contents {
		hash := sha256.Sum256([]byte(c))
		got, err := s.Get(hash)
		if err != nil || string(got) != c || got == nil || !s.Has(hash) {
			t.Fatalf("Get(%.20q…) = %.20q…, %v; Has: %v", c, got, err, s.Has(hash))
		}
	}
}

func packsIn(t *testing.T, directory string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(directory, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestWhatIsKeptCanBeHadFromAnotherProcess(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "content")
	contents := []string{"", "a", "short", strings.Repeat("long and the same ", 100_000), string(make([]byte, 1<<20))}
	s := Open(directory)
	keep(t, s, contents...)
	mustHave(t, s, contents...)
	mustHave(t, Open(directory), contents...)
	if _, err := s.Get(sha256.Sum256([]byte("other"))); !errors.Is(err, ErrNotKept) {
		t.Errorf("a content that was not kept: %v", err)
	}
}

func TestManySmallFilesAreFewFiles(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "content")
	var all []string
	for i := range 300 {
		contents := []string{fmt.Sprint("one ", i), fmt.Sprint("other ", i)}
		all = append(all, contents...)
		keep(t, Open(directory), contents...)
		if n := len(packsIn(t, directory)); n > joinCount {
			t.Fatalf("%d files after %d packs", n, i+1)
		}
	}
	mustHave(t, Open(directory), all...)
}

func TestAPackIsWholeOrNotThere(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "content")
	s := Open(directory)
	p := s.NewPack()
	if err := p.Keep(sha256.Sum256([]byte("x")), []byte("x")); err != nil {
		t.Fatal(err)
	}
	if s.Has(sha256.Sum256([]byte("x"))) || Open(directory).Has(sha256.Sum256([]byte("x"))) {
		t.Error("kept before Commit")
	}
	p.Abort()
	if names := packsIn(t, directory); len(names) > 0 {
		t.Errorf("left after Abort: %q", names)
	}
	if err := p.Commit(); err == nil {
		t.Error("Commit after Abort")
	}
}

func TestKeepMayBeCalledAtTheSameTime(t *testing.T) {
	s := Open(t.TempDir())
	p := s.NewPack()
	var group sync.WaitGroup
	var all []string
	for i := range 400 {
		c := strings.Repeat(fmt.Sprint(i/2), i)
		all = append(all, c)
		group.Go(func() {
			if err := p.Keep(sha256.Sum256([]byte(c)), []byte(c)); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if err := p.Commit(); err != nil {
		t.Fatal(err)
	}
	mustHave(t, s, all...)
}

func TestDropRemovesEverything(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "content")
	s := Open(directory)
	keep(t, s, "x")
	if size, err := s.Size(); err != nil || size == 0 {
		t.Errorf("Size() = %d, %v", size, err)
	}
	if err := s.Drop(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(directory); !os.IsNotExist(err) {
		t.Errorf("the directory is still there: %v", err)
	}
	if size, err := s.Size(); err != nil || size != 0 || s.Has(sha256.Sum256([]byte("x"))) {
		t.Errorf("Size() = %d, %v", size, err)
	}
	keep(t, s, "x")
	mustHave(t, s, "x")
}
