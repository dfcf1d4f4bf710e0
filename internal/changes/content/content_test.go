package content

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
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

func TestAReaderFindsWhatAnotherProcessJoinedOrAddedSince(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "content")
	var all []string
	for i := range 10 {
		all = append(all, fmt.Sprint("before ", i))
		keep(t, Open(directory), all[i])
	}
	reader := Open(directory)
	mustHave(t, reader, all[0])
	for i := range 30 {
		all = append(all, fmt.Sprint("since ", i))
		keep(t, Open(directory), all[len(all)-1])
	}
	mustHave(t, reader, all...)
	if problems := reader.Problems(); len(problems) > 0 {
		t.Errorf("packs that were joined are no problem: %v", problems)
	}
}

func TestReadersAndAWriterAtTheSameTime(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "content")
	s := Open(directory)
	keep(t, s, "first")
	var group sync.WaitGroup
	stop := make(chan bool)
	for _, store := range []*Store{s, Open(directory)} {
		group.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if got, err := store.Get(sha256.Sum256([]byte("first"))); err != nil || string(got) != "first" {
					t.Errorf("%q, %v", got, err)
					return
				}
			}
		})
	}
	for i := range 50 {
		keep(t, s, fmt.Sprint(i))
	}
	close(stop)
	group.Wait()
}

func TestAStoreThatHoldsAContentDoesNotTakeItTwice(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "content")
	keep(t, Open(directory), "x", "x", "y")
	s := Open(directory)
	before, err := s.Size()
	if err != nil {
		t.Fatal(err)
	}
	keep(t, s, "y", "x")
	keep(t, s)
	if after, err := s.Size(); err != nil || after != before || len(packsIn(t, directory)) != 1 {
		t.Errorf("%d bytes, then %d, %v", before, after, err)
	}
}

func TestFilesAreForTheirOwnerAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("other systems' modes")
	}
	directory := filepath.Join(t.TempDir(), "state", "content")
	for i := range 20 {
		keep(t, Open(directory), fmt.Sprint(i))
	}
	for _, path := range append(packsIn(t, directory), directory, filepath.Dir(directory)) {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

func TestNothingIsLookedAtBeforeItIsAskedFor(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "content")
	s := Open(directory)
	p := s.NewPack()
	p.Abort()
	if err := s.NewPack().Commit(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(directory); !os.IsNotExist(err) {
		t.Errorf("the directory was made: %v", err)
	}
	keep(t, Open(directory), "x") // after Open: it has not been read yet
	if !s.Has(sha256.Sum256([]byte("x"))) {
		t.Error("the directory was read before something was asked for")
	}
}

func BenchmarkKeep100000SmallFiles(b *testing.B) {
	contents := make([][]byte, 100_000)
	for i := range contents {
		contents[i] = []byte(strings.Repeat(fmt.Sprintf("line %d of a small file\n", i), 20))
	}
	for b.Loop() {
		directory := b.TempDir()
		s := Open(directory)
		p := s.NewPack()
		for _, c := range contents {
			if err := p.Keep(sha256.Sum256(c), c); err != nil {
				b.Fatal(err)
			}
		}
		if err := p.Commit(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFirstGetOf100000(b *testing.B) {
	directory := b.TempDir()
	p := Open(directory).NewPack()
	for i := range 100_000 {
		c := fmt.Append(nil, i)
		if err := p.Keep(sha256.Sum256(c), c); err != nil {
			b.Fatal(err)
		}
	}
	if err := p.Commit(); err != nil {
		b.Fatal(err)
	}
	hash := sha256.Sum256([]byte("4711"))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Open(directory).Get(hash); err != nil {
			b.Fatal(err)
		}
	}
}

func TestMuchIsKeptInSeveralFilesAtOnceOrNotAtAll(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "content")
	name := func(i int) string { return fmt.Sprint("content ", i) }
	const count = 2*maxContents + 5
	fill := func(p *Pack) {
		for i := range count {
			if err := p.Keep(sha256.Sum256([]byte(name(i))), []byte(name(i))); err != nil {
				t.Fatal(err)
			}
		}
	}
	s := Open(directory)
	p := s.NewPack()
	fill(p)
	if s.Has(sha256.Sum256([]byte(name(0)))) || Open(directory).Has(sha256.Sum256([]byte(name(0)))) {
		t.Error("kept before Commit")
	}
	p.Abort()
	if names := packsIn(t, directory); len(names) > 0 {
		t.Errorf("left after Abort: %q", names)
	}
	p = s.NewPack()
	fill(p)
	if err := p.Commit(); err != nil {
		t.Fatal(err)
	}
	if names := packsIn(t, directory); len(names) != 3 {
		t.Errorf("%q, want three packs", names)
	}
	for _, s := range []*Store{s, Open(directory)} {
		for i := range count {
			if !s.Has(sha256.Sum256([]byte(name(i)))) {
				t.Fatalf("%q is not kept", name(i))
			}
		}
		mustHave(t, s, name(0), name(maxContents), name(count-1))
	}
}

func TestOfMuchThatCannotBeKeptNothingIs(t *testing.T) {
	directory := t.TempDir()
	p := Open(directory).NewPack()
	for i := range maxContents + 1 {
		c := []byte(fmt.Sprint("content ", i))
		if err := p.Keep(sha256.Sum256(c), c); err != nil {
			t.Fatal(err)
		}
	}
	p.file.Close() // as a disk that fails
	if err := p.Commit(); err == nil {
		t.Fatal("Commit without an error")
	}
	if names := packsIn(t, directory); len(names) > 0 {
		t.Errorf("left: %q", names)
	}
}
