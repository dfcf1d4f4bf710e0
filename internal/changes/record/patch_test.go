package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// file is a regular file of a test, nil for none.
type file struct {
	content string
	perm    fs.FileMode
}

func (f *file) side() Side {
	if f == nil {
		return Side{}
	}
	sum := sha256.Sum256([]byte(f.content))
	return Side{Present: true, Perm: f.perm, Size: int64(len(f.content)), SHA256: hex.EncodeToString(sum[:]), Content: []byte(f.content)}
}

// tree is a directory of files, by their paths.
type tree map[string]file

func (t tree) at(path string) *file {
	if f, ok := t[path]; ok {
		return &f
	}
	return nil
}

// write writes the files into an empty directory.
func (t tree) write(test *testing.T, directory string) {
	test.Helper()
	for path, f := range t {
		path = filepath.Join(directory, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			test.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(f.content), f.perm); err != nil {
			test.Fatal(err)
		}
		if err := os.Chmod(path, f.perm); err != nil {
			test.Fatal(err)
		}
	}
}

// readTree reads the files below a directory; of the modes only what git keeps.
func readTree(test *testing.T, directory string) tree {
	test.Helper()
	t := tree{}
	err := filepath.WalkDir(directory, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(directory, path)
		t[filepath.ToSlash(relative)] = file{string(content), plainMode | info.Mode()&0o100*0o111>>6}
		return err
	})
	if err != nil {
		test.Fatal(err)
	}
	return t
}

// changes returns what lies between two trees, in the order of the paths.
func changes(before, after tree) []Change {
	paths := map[string]bool{}
	for _, t := range []tree{before, after} {
		for path := range t {
			paths[path] = true
		}
	}
	var result []Change
	for path := range paths {
		b, a := before.at(path), after.at(path)
		if a != nil && b != nil && *a == *b {
			continue
		}
		c := Change{Path: path}
		c.Describe(b.side(), a.side(), 1<<20)
		result = append(result, c)
	}
	slices.SortFunc(result, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return result
}

func patchOf(t *testing.T, changes []Change) string {
	t.Helper()
	var b bytes.Buffer
	for i := range changes {
		if err := WritePatch(&b, &changes[i]); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// gitApply runs git apply in a directory, away from every repository and configuration.
func gitApply(t *testing.T, directory, patch string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"apply", "--whitespace=nowarn"}, args...)...)
	cmd.Dir = directory
	cmd.Stdin = strings.NewReader(patch)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(directory),
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git apply %q: %v\n%s\npatch:\n%s", args, err, out, patch)
	}
}

// mustApply makes sure that git apply turns one tree into the other, and back.
func mustApply(t *testing.T, before, after tree) {
	t.Helper()
	patch := patchOf(t, changes(before, after))
	directory := filepath.Join(t.TempDir(), "tree")
	if err := os.Mkdir(directory, 0o700); err != nil {
		t.Fatal(err)
	}
	before.write(t, directory)
	gitApply(t, directory, patch, "--check")
	gitApply(t, directory, patch)
	if diff := cmp.Diff(after, readTree(t, directory), cmp.AllowUnexported(file{})); diff != "" {
		t.Fatalf("git apply (-want +got)\n%s\npatch:\n%s", diff, patch)
	}
	gitApply(t, directory, patch, "-R")
	if diff := cmp.Diff(before, readTree(t, directory), cmp.AllowUnexported(file{})); diff != "" {
		t.Fatalf("git apply -R (-want +got)\n%s\npatch:\n%s", diff, patch)
	}
}

func needsGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	if runtime.GOOS == "windows" {
		t.Skip("file names and modes that Windows does not have")
	}
}

func TestGitAppliesAndRevertsPatchesOf(t *testing.T) {
	needsGit(t)
	plain := func(content string) *file { return &file{content, 0o644} }
	program := func(content string) *file { return &file{content, 0o755} }
	for _, c := range []struct {
		name, path    string
		before, after *file
	}{
		{"a modified file", "a", plain("a\nb\n"), plain("a\nc\n")},
		{"a created file", "new/directory/a", nil, plain("a\nb\n")},
		{"a created program", "a", nil, program("#!/bin/sh\n")},
		{"a created empty file", "a", nil, plain("")},
		{"a created empty program", "a b", nil, program("")},
		{"a deleted file", "a", plain("a\nb\n"), nil},
		{"a deleted program", "a", program("a"), nil},
		{"a deleted empty file", "a", plain(""), nil},
		{"an emptied file", "a", plain("a\n"), plain("")},
		{"a file that was empty", "a", plain(""), plain("a")},
		{"a file that becomes a program", "a", plain("a\n"), program("a\n")},
		{"a program that changes and becomes a file", "a b", program("a\n"), plain("b\n")},
		{"an empty file that becomes a program", "a", plain(""), program("")},
		{"a line feed added at the end", "a", plain("a\nb"), plain("a\nb\n")},
		{"a line feed removed at the end", "a", plain("a\nb\n"), plain("a\nb")},
		{"no line feed at both ends", "a", plain("a\nb"), plain("b\nb")},
		{"line ends changed to CRLF", "a", plain("a\nb\n"), plain("a\r\nb\r\n")},
		{"a CRLF file", "a", plain("a\r\nb\r\n"), plain("a\r\nc\r\nb\r\n")},
		{"a CR at the end", "a", plain("a\r"), plain("a\r\n\r")},
		{"lines that look like a patch", "a", plain("diff --git a/b b/b\n"), plain("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-- \n\\ No newline at end of file\n")},
		{"a path with spaces", "a dir/b  c ", plain("a\n"), plain("b\n")},
		{"a created path with spaces", " a dir/b c", nil, plain("b\n")},
		{"a mode below a directory that ends in a space", "a /b /c", plain("a\n"), program("a\n")},
		{"a path that repeats itself", "x b/x", plain("a\n"), program("b\n")},
		{"a mode in a path that repeats itself", "x b/x b/x", plain("a\n"), program("a\n")},
		{"a path with quotes", `"a" 'b'`, plain("a\n"), plain("b\n")},
		{"a path with a backslash", `a\tb\`, nil, plain("b\n")},
		{"a path with control characters", "a\tb\nc\rd\x1b\x7f", plain("a\n"), plain("b\n")},
		{"a mode in a path with control characters", "a\tb\nc d", plain("a\n"), program("a\n")},
		{"a path that is not ASCII", "Grüße/日本\u00a0語 é", plain("a\n"), plain("b\n")},
		{"a path like /dev/null", "dev/null", nil, plain("b\n")},
		{"a path that begins like an option", "-R", plain("a\n"), plain("b\n")},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, after := tree{"other": {"o\n", 0o644}}, tree{"other": {"O\n", 0o644}}
			if c.before != nil {
				before[c.path] = *c.before
			}
			if c.after != nil {
				after[c.path] = *c.after
			}
			mustApply(t, before, after)
		})
	}
}

// randomName is a name of a file or directory that git has to quote now and then.
func randomName(r *rand.Rand) string {
	parts := []string{"a", "b", "file", ".go", " ", "\"", "\\", "\t", "ü", "日", "\u00a0", "\u202e", "\u009b", "'", "#", "-", "$", "\n", "\x01", "{", "*"}
	var b strings.Builder
	for range 1 + r.IntN(5) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	if name := b.String(); name != ".git" {
		return name
	}
	return "x"
}

func randomFile(r *rand.Rand) file {
	var b strings.Builder
	lines := []string{"a", "b", "}", "", "\t", "x := 1", "- minus", "+ plus", "\\ backslash", "@@ -1 +1 @@", "ü", "trailing ", "\ufeff", "\x1b[0m", "\u2028"}
	for range r.IntN(30) {
		b.WriteString(lines[r.IntN(len(lines))])
		b.WriteString([]string{"\n", "\n", "\n", "\r\n", "\r"}[r.IntN(5)])
	}
	if r.IntN(3) == 0 {
		b.WriteString("end")
	}
	return file{b.String(), []fs.FileMode{0o644, 0o644, 0o755}[r.IntN(3)]}
}

// randomTrees are two trees that have most paths in common.
func randomTrees(r *rand.Rand, files int) (before, after tree) {
	before, after = tree{}, tree{}
	for i := range files {
		path := fmt.Sprintf("%d/%s/%s", i, randomName(r), randomName(r))
		switch r.IntN(5) {
		case 0:
			after[path] = randomFile(r)
		case 1:
			before[path] = randomFile(r)
		case 2:
			before[path] = randomFile(r)
			after[path] = randomFile(r)
		case 3:
			f := randomFile(r)
			before[path] = f
			at := r.IntN(len(f.content) + 1)
			for at > 0 && at < len(f.content) && f.content[at]&0xc0 == 0x80 {
				at--
			}
			f.content = f.content[:at] + randomFile(r).content + f.content[at:]
			after[path] = f
		case 4:
			f := randomFile(r)
			before[path] = f
			f.perm ^= 0o111
			after[path] = f
		}
	}
	return before, after
}

func TestGitAppliesAndRevertsPatchesOfRandomTrees(t *testing.T) {
	needsGit(t)
	r := rand.New(rand.NewPCG(5, 6))
	for range 5 {
		before, after := randomTrees(r, 100)
		mustApply(t, before, after)
	}
}
