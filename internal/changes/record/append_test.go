package record

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/ownfile"
	"github.com/claudewatch/claudewatch/internal/testpipe"
)

// read returns the ids of the records of a file, and the errors.
func read(t *testing.T, path string) (ids []string, errs []error) {
	t.Helper()
	for r, err := range Read(path) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		ids = append(ids, r.ID)
	}
	return ids, errs
}

func small(id string) *Record {
	return &Record{ID: id, Session: "s", Stream: MainStream, Basis: Unattributed, Time: Time{time.Unix(1, 5)}}
}

func TestWritersOfOneProcessNeverTearOrLoseALine(t *testing.T) {
	data := t.TempDir()
	const writers, each = 50, 4
	var group sync.WaitGroup
	for i := range writers {
		group.Go(func() {
			for j := range each {
				if err := Append(data, "s", MainStream, sized(string(rune('A'+i))+string(rune('a'+j)), 1000*i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	ids, errs := read(t, Path(data, "s", MainStream))
	seen := map[string]bool{}
	for _, id := range ids {
		seen[id] = true
	}
	if len(errs) > 0 || len(ids) != writers*each || len(seen) != writers*each {
		t.Errorf("%d records of %d, %d different, errors %v", len(ids), writers*each, len(seen), errs)
	}
}

func TestALineWithoutAnEndIsCutOff(t *testing.T) {
	for _, torn := range []string{"{", `{"schema":"changes/1","id":"torn"}`, string(make([]byte, 200_000)), strings.Repeat("x", 64<<10), strings.Repeat("x", 64<<10-1)} {
		for _, whole := range []int{0, 1, 3} {
			data := t.TempDir()
			path := Path(data, "s", MainStream)
			var before string
			for range whole {
				line, err := Encode(sized("whole", 70_000))
				if err != nil {
					t.Fatal(err)
				}
				before += string(line)
			}
			writeFile(t, path, before+torn)
			if ids, errs := read(t, path); len(ids) != whole || len(errs) != 1 || !errors.Is(errs[0], ErrUnfinished) {
				t.Errorf("before: %d records, errors %v", len(ids), errs)
			}
			if err := Append(data, "s", MainStream, small("next")); err != nil {
				t.Fatal(err)
			}
			line, err := Encode(small("next"))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(path); err != nil || string(got) != before+string(line) {
				t.Errorf("%d whole lines, torn %.20q: %d bytes, %v, want %d", whole, torn, len(got), err, len(before)+len(line))
			}
		}
	}
}

// disk is a file on a disk that fails.
type disk struct {
	content     []byte
	at          int
	room        int // bytes that can still be written; negative: any number
	syncErr     error
	writes      int
	syncs       int
	silentlyCut bool // a write that is too long is cut without an error
}

var errDisk = errors.New("no space left")

func (d *disk) ReadAt(b []byte, offset int64) (int, error) {
	n := copy(b, d.content[offset:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (d *disk) Seek(offset int64, whence int) (int64, error) {
	d.at = int(offset)
	return offset, nil
}

func (d *disk) Write(b []byte) (int, error) {
	d.writes++
	n := len(b)
	if d.room >= 0 {
		n = min(n, d.room)
	}
	d.content = append(d.content[:d.at], b[:n]...)
	d.at += n
	if n < len(b) && !d.silentlyCut {
		return n, errDisk
	}
	return n, nil
}

func (d *disk) Truncate(size int64) error { d.content = d.content[:size]; return nil }

func (d *disk) Sync() error { d.syncs++; return d.syncErr }

func TestALineIsOneWriteAndOneSync(t *testing.T) {
	d := &disk{content: []byte("first\n"), room: -1}
	if err := appendLine(d, 6, strings.NewReader("second\n")); err != nil || d.writes != 1 || d.syncs != 1 || string(d.content) != "first\nsecond\n" {
		t.Errorf("%v, %d writes, %d syncs, %q", err, d.writes, d.syncs, d.content)
	}
}

func TestADiskThatFailsLeavesTheFileAsItWas(t *testing.T) {
	for _, c := range []struct {
		name string
		disk disk
		want error
	}{
		{"no room", disk{room: 0}, errDisk},
		{"room for a part", disk{room: 3}, errDisk},
		{"room for all but the line feed", disk{room: 6}, errDisk},
		{"a write that is cut without an error", disk{room: 3, silentlyCut: true}, io.ErrShortWrite},
		{"not made durable", disk{room: -1, syncErr: errDisk}, errDisk},
	} {
		for content, want := range map[string]string{"first\n": "first\n", "": "", "first\nto": "first\n"} {
			d := c.disk
			d.content = []byte(content)
			if err := appendLine(&d, int64(len(content)), strings.NewReader("second\n")); !errors.Is(err, c.want) || string(d.content) != want {
				t.Errorf("%s: %v, %q", c.name, err, d.content)
			}
		}
	}
}

func TestFilesAreForTheirOwnerAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("other systems' modes")
	}
	data := filepath.Join(t.TempDir(), "data")
	path := Path(data, "s", MainStream)
	for range 2 {
		if err := Append(data, "s", MainStream, small("1")); err != nil {
			t.Fatal(err)
		}
		err := filepath.WalkDir(data, func(path string, entry os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := entry.Info()
			if err == nil && info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: %v", path, info.Mode())
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhatIsNoRegularFileIsNotWrittenTo(t *testing.T) {
	for name, make := range map[string]func(path string) error{
		"a directory": func(path string) error { return os.Mkdir(path, 0o700) },
		"a pipe":      func(path string) error { testpipe.Make(t, path); return nil },
		"a link": func(path string) error {
			if err := os.Symlink("other", path); err != nil {
				t.Skip(err)
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			path := Path(data, "s", MainStream)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := make(path); err != nil {
				t.Fatal(err)
			}
			if err := Append(data, "s", MainStream, small("1")); err == nil || !strings.Contains(err.Error(), "remove it") {
				t.Errorf("%v", err)
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), "other")); err == nil {
				t.Error("the target of the link was made")
			}
		})
	}
}

func TestWithoutADirectoryNothingIsWritten(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := Append("", "s", MainStream, small("1")); err == nil {
		t.Error("no error")
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestALongLineIsMadeInAFileThatIsGoneAfterwards(t *testing.T) {
	data := t.TempDir()
	long := sized("long", maxInMemory)
	for _, r := range []*Record{small("before"), long, small("after")} {
		if err := Append(data, "s", MainStream, r); err != nil {
			t.Fatal(err)
		}
	}
	line, err := Encode(long)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(Path(data, "s", MainStream))
	if err != nil || len(line) <= maxInMemory || !strings.Contains(string(content), "\n"+string(line)) {
		t.Errorf("a line of %d bytes: %d bytes, %v", len(line), len(content), err)
	}
	if ids, errs := read(t, Path(data, "s", MainStream)); len(ids) != 3 || len(errs) > 0 {
		t.Errorf("%q, %v", ids, errs)
	}
	if left, err := filepath.Glob(filepath.Join(data, ownfile.TemporaryPrefix+"*")); err != nil || len(left) > 0 {
		t.Errorf("left: %q, %v", left, err)
	}
	d := disk{content: []byte("first\n"), room: 1000}
	made := &longLine{directory: data}
	if err := write(made, long, slices.Values(long.Changes)); err != nil {
		t.Fatal(err)
	}
	if err := appendLine(&d, 6, made); !errors.Is(err, errDisk) || string(d.content) != "first\n" {
		t.Errorf("a disk without room: %v, %d bytes", err, len(d.content))
	}
	if err := made.Close(); err != nil {
		t.Error(err)
	}
}
