package record

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNoIdLeadsOutOfTheDirectoryOfItsSession(t *testing.T) {
	odd := []string{
		"", ".", "..", "...", "/", "//etc/passwd", "../../x", `..\..\x`, "a/b", "a/../../b", "C:", "C:\\x", "a:b", "a\x00b", "a\nb", ".hidden",
		"trailing.", "trailing ", "~", "$HOME", "*", "%2e%2e", "%", "CON", "nul.txt", "COM1", "lpt9", "ü", "日本", "\xff\xfe", strings.Repeat("x", 5000),
		strings.Repeat("/", 400), "unknown",
	}
	for _, id := range odd {
		data := filepath.Join(t.TempDir(), "data")
		if err := Append(data, id, id, small("1")); err != nil {
			t.Errorf("%q: %v", id, err)
			continue
		}
		var found []string
		err := filepath.WalkDir(filepath.Dir(data), func(path string, entry os.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				path, err = filepath.Rel(data, path)
				found = append(found, filepath.ToSlash(path))
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
		if len(found) != 2 || strings.Count(found[0], "/") != 2 || !strings.HasPrefix(found[0], "output/") || !strings.HasPrefix(found[1], "state/locks/") {
			t.Errorf("%q: %q", id, found)
		}
		files, err := Files(data)
		if err != nil || len(files) != 1 {
			t.Errorf("%q: %v, %v", id, files, err)
			continue
		}
		want := id
		if id == "" {
			want = "unknown"
		}
		if f := files[0]; len(id) < 100 && (f.Session != want || f.Stream != want) || f.Path != Path(data, id, id) || f.Size == 0 {
			t.Errorf("%q: %+v", id, f)
		}
		if has, err := Contains(data, id, id, "1"); !has || err != nil {
			t.Errorf("%q: Contains: %v, %v", id, has, err)
		}
	}
}

func TestTwoIdsNeverHaveOneName(t *testing.T) {
	seen := map[string]string{}
	for _, id := range []string{
		"a", "a/", "a%2F", "%2F", "/", "con", "%63on", strings.Repeat("x", 200), strings.Repeat("x", 201), strings.Repeat("x", 150), fileName(strings.Repeat("x", 200)),
	} {
		name := fileName(id)
		if other, ok := seen[name]; ok {
			t.Errorf("%q and %q are both %q", id, other, name)
		}
		seen[name] = id
		if len(name) > maxName {
			t.Errorf("%q is of %d bytes", name, len(name))
		}
	}
}

func TestOrdinaryIdsAreNamesAsTheyAre(t *testing.T) {
	for _, id := range []string{"f81f7820-951b-49f1-b7ee-9a7f0af3c325", "main", "aeaf5a42114e1b8f1", "agent_1.2"} {
		if got := fileName(id); got != id {
			t.Errorf("%q: %q", id, got)
		}
	}
}

func FuzzFileName(f *testing.F) {
	for _, id := range []string{"", "main", "../x", "%2F", "com1.x", strings.Repeat("ü", 100)} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		name := fileName(id)
		if !filepath.IsLocal(name) || strings.ContainsAny(name, `/\:`) || len(name) > maxName || name == "." {
			t.Fatalf("%q: %q", id, name)
		}
		if back := idOf(name); back != id && back != name {
			t.Fatalf("%q: %q, which is of %q", id, name, back)
		}
	})
}
