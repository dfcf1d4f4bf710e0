package gitindex_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/claudewatch/claudewatch/internal/changes/scan/gitindex"
	"github.com/google/go-cmp/cmp"
)

// git runs git in a directory, away from the settings of whoever runs the test.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// repository makes a repository with files in its index, some of them with long names
// that begin alike.
func repository(t testing.TB, options ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	dir := t.TempDir()
	git(t, dir, append([]string{"init", "-q"}, options...)...)
	for i := range 40 {
		path := filepath.Join(dir, "directory", strings.Repeat("n", i%9+1), fmt.Sprintf("file %d", i))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Repeat("x", i)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git(t, dir, "add", ".")
	return dir
}

// readIndex returns the content of the index of a repository.
func readIndex(t testing.TB, dir string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func parse(content []byte) (*gitindex.Index, error) {
	return gitindex.Read(bytes.NewReader(content), int64(len(content)))
}

// tracked returns the lines of git ls-files for the files at stage 0, "BLOB PATH".
func tracked(t testing.TB, dir string) []string {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSuffix(git(t, dir, "ls-files", "-s", "-z"), "\x00"), "\x00") {
		meta, path, _ := strings.Cut(line, "\t")
		fields := strings.Fields(meta)
		if strings.HasPrefix(fields[0], "100") && fields[2] == "0" {
			lines = append(lines, fields[1]+" "+path)
		}
	}
	return lines
}

// known returns the same of a parsed index.
func known(t testing.TB, x *gitindex.Index, paths []string) []string {
	var lines []string
	for _, line := range paths {
		_, path, _ := strings.Cut(line, " ")
		if e, ok := x.Lookup(path); ok {
			lines = append(lines, fmt.Sprintf("%x %s", e.Blob, path))
		}
	}
	if len(lines) != x.Len() {
		t.Errorf("%d of the %d files of the index were found", len(lines), x.Len())
	}
	return lines
}

func TestEveryVersionIsReadAsGitReadsIt(t *testing.T) {
	for _, version := range []uint32{2, 3, 4} {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			dir := repository(t)
			git(t, dir, "update-index", "--index-version", fmt.Sprint(version))
			if version == 3 { // git writes version 3 only where an entry needs it
				git(t, dir, "update-index", "--skip-worktree", "directory/n/file 0")
			}
			content := readIndex(t, dir)
			if v := binary.BigEndian.Uint32(content[4:]); v != version {
				t.Fatalf("git wrote version %d", v)
			}
			x, err := parse(content)
			if err != nil {
				t.Fatal(err)
			}
			want := tracked(t, dir)
			if len(want) != 40 {
				t.Fatalf("%d files are tracked", len(want))
			}
			if diff := cmp.Diff(want, known(t, x, want)); diff != "" {
				t.Error(diff)
			}
			if e, _ := x.Lookup("directory/nnnnn/file 13"); e.Size != 13 {
				t.Errorf("the size is %d", e.Size)
			}
			for _, path := range []string{"", "directory", "directory/n", "zzz", "directory/n/file 00"} {
				if _, ok := x.Lookup(path); ok {
					t.Errorf("%q is in the index", path)
				}
			}
		})
	}
}

func TestWhatIsNoCleanFileIsLeftOut(t *testing.T) {
	dir := repository(t)
	if err := os.WriteFile(filepath.Join(dir, "later"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "add", "-N", "later")
	blob := strings.Fields(git(t, dir, "rev-parse", ":directory/n/file 0"))[0]
	git(t, dir, "update-index", "--add", "--cacheinfo", "120000,"+blob+",link")
	git(t, dir, "update-index", "--add", "--cacheinfo", "160000,"+blob+",submodule")
	var unmerged bytes.Buffer
	for stage := 1; stage <= 3; stage++ {
		fmt.Fprintf(&unmerged, "100644 %s %d\tunmerged\n", blob, stage)
	}
	cmd := exec.Command("git", "update-index", "--index-info")
	cmd.Dir, cmd.Stdin = dir, &unmerged
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	x, err := parse(readIndex(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	if x.Len() != 40 {
		t.Errorf("the index has %d files", x.Len())
	}
	for _, path := range []string{"later", "link", "submodule", "unmerged"} {
		if _, ok := x.Lookup(path); ok {
			t.Errorf("%s is in the index", path)
		}
	}
}

func TestAnIndexThatNeedsMoreIsAnError(t *testing.T) {
	t.Run("a split index", func(t *testing.T) {
		dir := repository(t)
		git(t, dir, "update-index", "--split-index")
		if err := os.WriteFile(filepath.Join(dir, "added"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		git(t, dir, "add", "added")
		content := readIndex(t, dir)
		if !bytes.Contains(content, []byte("link")) {
			t.Fatal("git did not split the index")
		}
		if x, err := parse(content); err == nil {
			t.Errorf("%d files were read", x.Len())
		}
	})
	t.Run("an unknown extension", func(t *testing.T) {
		content := readIndex(t, repository(t))
		end := len(content) - 20
		for name, fails := range map[string]bool{"ZZZZ": false, "sdir": false, "zzzz": true, "1zzz": true} {
			extended := append(bytes.Clone(content[:end]), name+"\x00\x00\x00\x02ab"...)
			_, err := parse(append(extended, content[end:]...))
			if (err != nil) != fails {
				t.Errorf("%s: the error is %v", name, err)
			}
		}
	})
	t.Run("object names that are SHA-256", func(t *testing.T) {
		x, err := parse(readIndex(t, repository(t, "--object-format=sha256")))
		if err == nil {
			t.Errorf("%d files were read", x.Len())
		}
	})
	t.Run("version 5", func(t *testing.T) {
		content := readIndex(t, repository(t))
		content[7] = 5
		if _, err := parse(content); err == nil {
			t.Error("it was read")
		}
	})
}

func TestASparseIndexHasItsFiles(t *testing.T) {
	dir := repository(t)
	git(t, dir, "commit", "-q", "-m", "all")
	git(t, dir, "sparse-checkout", "init", "--cone", "--sparse-index")
	git(t, dir, "sparse-checkout", "set", "directory/nn")
	content := readIndex(t, dir)
	if !bytes.Contains(content, []byte("sdir")) {
		t.Skip("this git makes no sparse index")
	}
	x, err := parse(content)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := x.Lookup("directory/nn/file 1"); !ok || x.Len() == 40 {
		t.Errorf("the index has %d files, directory/nn/file 1: %v", x.Len(), ok)
	}
}

func TestATruncatedIndexIsAnError(t *testing.T) {
	for _, version := range []string{"2", "4"} {
		dir := repository(t)
		git(t, dir, "update-index", "--index-version", version)
		content := readIndex(t, dir)
		x, err := parse(content)
		if err != nil {
			t.Fatal(err)
		}
		for n := range len(content) {
			if short, err := parse(content[:n]); err == nil && short.Len() != x.Len() {
				t.Fatalf("version %s, %d of %d bytes: %d files", version, n, len(content), short.Len())
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	header := func(version, count byte) string {
		return "DIRC\x00\x00\x00" + string(version) + "\x00\x00\x00" + string(count)
	}
	entry := strings.Repeat("\x00", 24) + "\x00\x00\x81\xa4" + strings.Repeat("\x00", 8) + "\x00\x00\x00\x01" + strings.Repeat("\x07", 20)
	checksum := strings.Repeat("\x00", 20)
	f.Add([]byte(header(2, 0) + checksum))
	f.Add([]byte(header(2, 1) + entry + "\x00\x01a" + strings.Repeat("\x00", 9) + checksum))
	f.Add([]byte(header(3, 1) + entry + "\x40\x01\x20\x00a" + strings.Repeat("\x00", 7) + checksum))
	f.Add([]byte(header(4, 2) + entry + "\x00\x02\x00ab\x00" + entry + "\x00\x02\x01c\x00" + checksum))
	f.Add([]byte(header(2, 0) + "TREE\x00\x00\x00\x01x" + "link\x00\x00\x00\x00" + checksum))
	f.Fuzz(func(t *testing.T, content []byte) {
		x, err := parse(content)
		if err == nil && x.Len() > len(content)/62 {
			t.Errorf("%d files in %d bytes", x.Len(), len(content))
		}
		// One byte at a time, and with more behind it, it is the same.
		again, againErr := gitindex.Read(iotest.OneByteReader(bytes.NewReader(append(bytes.Clone(content), "more"...))), int64(len(content)))
		if (err == nil) != (againErr == nil) || err == nil && again.Len() != x.Len() {
			t.Errorf("%v, %v", err, againErr)
		}
	})
}
