package content

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// contents are some that are stored as they are and some that are compressed.
func contents() []string {
	random := make([]byte, 3000)
	r := rand.NewChaCha8([32]byte{1})
	if _, err := r.Read(random); err != nil {
		panic(err)
	}
	return []string{"", "a", strings.Repeat("compressed ", 500), string(random), strings.Repeat("x", 70_000)}
}

// onlyPack returns the path and the bytes of a pack with contents.
func onlyPack(t testing.TB, contents ...string) (path string, pack []byte) {
	t.Helper()
	directory := filepath.Join(t.TempDir(), "content")
	p := Open(directory).NewPack()
	for _, c := range contents {
		if err := p.Keep(sha256.Sum256([]byte(c)), []byte(c)); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Commit(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(directory)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v, %v", entries, err)
	}
	path = filepath.Join(directory, entries[0].Name())
	if pack, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return path, pack
}

// mustNotLie makes sure that a store gives the right bytes or ErrNotKept, and that in
// the second case it tells what is wrong. It returns how many contents it gives.
func mustNotLie(t testing.TB, s *Store, contents []string) (given int) {
	t.Helper()
	for _, c := range contents {
		hash := sha256.Sum256([]byte(c))
		got, err := s.Get(hash)
		switch {
		case err == nil && string(got) == c:
			given++
		case err == nil:
			t.Fatalf("wrong bytes for %.20q: %.20q", c, got)
		case !errors.Is(err, ErrNotKept) || len(s.Problems()) == 0 || !strings.Contains(err.Error(), "pack"):
			t.Fatalf("error %v, problems %v", err, s.Problems())
		case s.Has(hash):
			t.Fatalf("Has after %v", err)
		}
	}
	return given
}

func TestADamagedPackNeverGivesWrongBytes(t *testing.T) {
	all := contents()
	path, pack := onlyPack(t, all...)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 400 {
		damaged := bytes.Clone(pack)
		for range 1 + r.IntN(3) {
			damaged[r.IntN(len(damaged))] ^= byte(1 << r.IntN(8))
		}
		if i%4 == 0 { // the index and the footer are a small part
			damaged = bytes.Clone(pack)
			damaged[len(damaged)-1-r.IntN(len(all)*entrySize+footerSize)] ^= byte(1 << r.IntN(8))
		}
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if given := mustNotLie(t, Open(filepath.Dir(path)), all); given == len(all) && !bytes.Equal(damaged, pack) {
			t.Fatal("the damage was not found")
		}
	}
}

func TestATruncatedPackIsPassedOver(t *testing.T) {
	all := contents()
	path, pack := onlyPack(t, all...)
	lengths := []int{0, 1, len(magic), len(magic) + footerSize - 1, len(magic) + footerSize, len(pack) / 2, len(pack) - footerSize, len(pack) - 1}
	for _, length := range lengths {
		if err := os.WriteFile(path, pack[:length], 0o600); err != nil {
			t.Fatal(err)
		}
		if given := mustNotLie(t, Open(filepath.Dir(path)), all); given != 0 {
			t.Errorf("%d contents of the first %d bytes", given, length)
		}
	}
}

func TestAForeignPackIsPassedOverAndTheOthersAreUsed(t *testing.T) {
	all := contents()
	path, pack := onlyPack(t, all...)
	other := bytes.ReplaceAll(pack, []byte(magic), []byte("cwpack9\n"))
	for name, content := range map[string][]byte{"0.pack": []byte("not one"), "f.pack": other, "notes.txt": []byte("x")} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(filepath.Dir(path), "directory.pack"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := Open(filepath.Dir(path))
	mustHave(t, s, all...)
	if problems := s.Problems(); len(problems) != 2 || !strings.Contains(fmt.Sprint(problems), "0.pack") || !strings.Contains(fmt.Sprint(problems), "f.pack") {
		t.Errorf("problems %v", problems)
	}
	for range 3 {
		if _, err := s.Get(Hash{1}); !errors.Is(err, ErrNotKept) {
			t.Error(err)
		}
	}
	if n := len(s.Problems()); n != 2 {
		t.Errorf("%d problems: a pack is looked at once", n)
	}
}

// sealed returns the bytes of a pack whose index says what it will.
func sealed(stored string, entries ...entry) []byte {
	pack := []byte(magic + stored)
	var index []byte
	for _, e := range entries {
		index = e.append(index)
	}
	offset := uint64(len(pack))
	return append(append(pack, index...), footer(offset, len(entries), crc(index))...)
}

func TestAnIndexThatLiesIsNotBelieved(t *testing.T) {
	hash := sha256.Sum256([]byte("hello"))
	at := uint64(len(magic))
	for _, c := range []struct {
		name string
		pack []byte
	}{
		{"bytes of another hash", sealed("jello", entry{hash, at, 5, 5})},
		{"fewer bytes", sealed("hello", entry{hash, at, 4, 4})},
		{"behind the file", sealed("hello", entry{hash, 1 << 40, 5, 5})},
		{"an offset that overflows", sealed("hello", entry{hash, 1<<64 - 2, 5, 5})},
		{"into the index", sealed("hello", entry{hash, at + 1, 5, 5})},
		{"before the bytes", sealed("hello", entry{hash, 0, 5, 5})},
		{"more bytes than it says", sealed("hello", entry{hash, at, 5, 4})},
		{"not compressed, and said to be", sealed("hello", entry{hash, at, 5, 1 << 31})},
		{"twice", sealed("hello", entry{hash, at, 5, 5}, entry{hash, at, 5, 5})},
		{"out of order", sealed("hello", entry{hash, at, 5, 5}, entry{Hash{}, at, 5, 5})},
	} {
		directory := t.TempDir()
		if err := os.WriteFile(filepath.Join(directory, "x.pack"), c.pack, 0o600); err != nil {
			t.Fatal(err)
		}
		s := Open(directory)
		if got, err := s.Get(hash); !errors.Is(err, ErrNotKept) || len(s.Problems()) != 1 {
			t.Errorf("%s: %q, %v, problems %v", c.name, got, err, s.Problems())
		}
	}
}

func TestWhatIsDamagedIsKeptAgain(t *testing.T) {
	all := contents()
	path, pack := onlyPack(t, all...)
	pack[len(magic)+10] ^= 1
	if err := os.WriteFile(path, pack, 0o600); err != nil {
		t.Fatal(err)
	}
	s := Open(filepath.Dir(path))
	if given := mustNotLie(t, s, all); given != len(all)-1 {
		t.Fatalf("%d of %d contents", given, len(all))
	}
	keep(t, s, all...)
	mustHave(t, s, all...)
	mustHave(t, Open(filepath.Dir(path)), all...)
}

func TestAPackOfAKilledWriterIsRemovedLater(t *testing.T) {
	directory := t.TempDir()
	for name, age := range map[string]time.Duration{"old.part": 2 * partAge, "new.part": 0} {
		path := filepath.Join(directory, name)
		if err := os.WriteFile(path, []byte(magic), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Now().Add(-age), time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	s := Open(directory)
	keep(t, s, "x")
	if problems := s.Problems(); len(problems) > 0 {
		t.Errorf("%v", problems)
	}
	_, oldErr := os.Stat(filepath.Join(directory, "old.part"))
	_, newErr := os.Stat(filepath.Join(directory, "new.part"))
	if !errors.Is(oldErr, fs.ErrNotExist) || newErr != nil {
		t.Errorf("old: %v, new: %v", oldErr, newErr)
	}
	if err := s.Drop(); err != nil {
		t.Fatal(err)
	}
	if names := packsIn(t, directory); len(names) > 0 {
		t.Errorf("after Drop: %q", names)
	}
}

func TestAPackThatCannotBeWrittenKeepsNothing(t *testing.T) {
	directory := t.TempDir()
	s := Open(directory)
	p := s.NewPack()
	a, b := sha256.Sum256([]byte("a")), sha256.Sum256([]byte("b"))
	if err := p.Keep(a, []byte("a")); err != nil {
		t.Fatal(err)
	}
	p.file.Close() // as a disk that fails
	if err := p.Commit(); err == nil {
		t.Fatal("Commit without an error")
	}
	if err := p.Keep(b, []byte("b")); err == nil {
		t.Error("Keep after an error")
	}
	if err := p.Commit(); err == nil {
		t.Error("Commit after an error")
	}
	if names := packsIn(t, directory); len(names) > 0 || s.Has(a) {
		t.Errorf("left: %q", names)
	}
	file := filepath.Join(directory, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p = Open(filepath.Join(file, "content")).NewPack()
	if err := p.Keep(a, []byte("a")); err == nil {
		t.Error("Keep below a file")
	}
	if err := p.Commit(); err == nil {
		t.Error("Commit below a file")
	}
}

func FuzzPack(f *testing.F) {
	hash := sha256.Sum256([]byte("hello"))
	f.Add(sealed("hello", entry{hash, uint64(len(magic)), 5, 5}))
	f.Add(sealed("\xcaH\xcd\xc9\xc9W\xc8@\x90\x00", entry{hash, uint64(len(magic)), 10, 50}))
	f.Add([]byte(magic + magic))
	f.Fuzz(func(t *testing.T, pack []byte) {
		mustBeRight(t, pack)
		// The same with checksums that fit, which a fuzzer does not find.
		if n := len(pack) - footerSize; n >= len(magic) {
			offset := binary.LittleEndian.Uint64(pack[n:]) % uint64(n)
			pack = append(pack[:n:n], footer(offset, (n-int(offset))/entrySize, crc(pack[offset:n]))...)
			copy(pack, magic)
			mustBeRight(t, pack)
		}
	})
}

// mustBeRight reads every content of a pack.
func mustBeRight(t *testing.T, pack []byte) {
	file := bytes.NewReader(pack)
	index, err := readIndex(file, int64(len(pack)))
	if err != nil {
		return
	}
	for i := 0; i < len(index); i += entrySize {
		e := entryOf(index[i:])
		if content, err := e.read(file); err == nil && (sha256.Sum256(content) != e.hash || len(content) != int(e.size)) {
			t.Fatalf("%+v: %q", e, content)
		}
	}
}
