//go:build unix

package realpath_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/claudewatch/claudewatch/internal/realpath"
)

// tree makes directories (names that end in /), files and symbolic links (name -> target)
// in a new directory and returns its real path.
func tree(t testing.TB, names ...string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		name, target, isLink := strings.Cut(name, " -> ")
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		switch {
		case isLink:
			err = os.Symlink(strings.ReplaceAll(target, "{dir}", dir), path)
		case strings.HasSuffix(name, "/"):
			err = os.Mkdir(path, 0o755)
		default:
			err = os.WriteFile(path, nil, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFollow(t *testing.T) {
	dir := tree(t, "a/b/file", "up -> a/b/../..", "to -> a", "absolute -> {dir}/a/b", "chain -> absolute",
		"dangling -> a/new/deep", "a/b/out -> ../../x", "self/here -> .", "deep/link -> ../to/b/..", "tofile -> a/b/file")
	for _, c := range []struct{ path, real, existing string }{
		{"a/b/file", "a/b/file", "a/b/file"},
		{"a/new/x", "a/new/x", "a"},
		{"a/b/file/x", "a/b/file/x", "a/b/file"},
		{"to/b", "a/b", "a/b"},
		{"to/new", "a/new", "a"},
		{"absolute", "a/b", "a/b"},
		{"chain/file", "a/b/file", "a/b/file"},
		{"dangling", "a/new/deep", "a"},
		{"dangling/x", "a/new/deep/x", "a"},
		{"to/b/out", "x", ""},
		{"up/to", "a", "a"},
		{"self/here/here/here/new", "self/new", "self"},
		{"to/../a", "a", "a"}, // by its text
		{"deep/link", "a", "a"},
		{"tofile/x", "a/b/file/x", "a/b/file"},
		{".", "", ""},
	} {
		real, existing, err := realpath.Follow(dir + "/" + c.path)
		if err != nil || real != filepath.Join(dir, c.real) || existing != filepath.Join(dir, c.existing) {
			t.Errorf("%s: %q, %q, %v, want %q, %q", c.path, real, existing, err, c.real, c.existing)
		}
	}
	if real, existing, err := realpath.Follow("/"); real != "/" || existing != "/" || err != nil {
		t.Errorf("/: %q, %q, %v", real, existing, err)
	}
	if real, _, err := realpath.Follow("/../../etc"); real != "/etc" || err != nil {
		t.Errorf("above the root: %q, %v", real, err)
	}
}

func TestWhatNoSystemCallTakesIsAnError(t *testing.T) {
	dir := tree(t, "a -> b", "b -> a", "grow -> grow/grow/x")
	for path, want := range map[string]error{
		"relative":                             realpath.ErrNotAbsolute,
		"":                                     realpath.ErrNotAbsolute,
		dir + "/a":                             syscall.ELOOP,
		dir + "/a/x":                           syscall.ELOOP,
		dir + "/grow":                          syscall.ELOOP,
		dir + strings.Repeat("/segment", 1000): syscall.ENAMETOOLONG,
	} {
		if real, existing, err := realpath.Follow(path); !errors.Is(err, want) || real != "" || existing != "" {
			t.Errorf("%.60s: %q, %q, %v, want %v", path, real, existing, err, want)
		}
	}
}

func TestADirectoryThatCannotBeSearchedEndsTheWalk(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may search every directory")
	}
	dir := tree(t, "shut/link -> ../a")
	if err := os.Chmod(dir+"/shut", 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir+"/shut", 0o755) })
	real, existing, err := realpath.Follow(dir + "/shut/link/x")
	if err != nil || real != dir+"/shut/link/x" || existing != dir+"/shut" {
		t.Errorf("%q, %q, %v", real, existing, err)
	}
}

func FuzzFollow(f *testing.F) {
	dir := tree(f, "a/b/c", "a/up -> ..", "l -> a/b", "loop -> loop/x")
	for _, path := range []string{"a/up/l/c", "loop", "a/up/a/up/new", "l/../a//b/./c", "\x00"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		real, existing, err := realpath.Follow(dir + "/" + path)
		if err != nil {
			return
		}
		if !filepath.IsAbs(real) || filepath.Clean(real) != real || filepath.Clean(existing) != existing {
			t.Fatalf("%q, %q are not clean", real, existing)
		}
		again, _, err := realpath.Follow(real)
		if err != nil || again != real {
			t.Errorf("%q leads on to %q, %v", real, again, err)
		}
		if want, err := filepath.EvalSymlinks(filepath.Clean(dir + "/" + path)); err == nil && want != real {
			t.Errorf("%q, want %q", real, want)
		}
	})
}
