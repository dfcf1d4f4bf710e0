package git

import (
	"context"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/git/gittest"
	"github.com/google/go-cmp/cmp"
)

func TestBlobsAreGivenBackByTheirIDs(t *testing.T) {
	r := gittest.New(t)
	r.Write("a.txt", "one\n")
	r.Write("empty", "")
	r.Write("binary", "\x00\n\n\xff")
	r.Git("add", ".")
	r.Git("commit", "--quiet", "-m", "first")
	ids := make(map[string]string)
	for _, name := range []string{"a.txt", "empty", "binary"} {
		ids[name] = strings.TrimSpace(r.Git("rev-parse", "HEAD:"+name))
	}
	tree := strings.TrimSpace(r.Git("rev-parse", "HEAD^{tree}"))
	missing := strings.Repeat("7", 40)
	got, err := Blobs(context.Background(), r.Dir, []string{ids["a.txt"], missing, tree, ids["empty"], ids["binary"]})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]byte{ids["a.txt"]: []byte("one\n"), ids["empty"]: {}, ids["binary"]: []byte("\x00\n\n\xff")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got, err := Blobs(context.Background(), r.Dir, nil); got != nil || err != nil {
		t.Errorf("of nothing: %v, %v", got, err)
	}
}

func FuzzParseBatch(f *testing.F) {
	f.Add([]byte("aa blob 2\nx\n\nbb missing\n"))
	f.Add([]byte("aa tree 0\n\n"))
	f.Fuzz(func(t *testing.T, out []byte) {
		blobs, err := parseBatch(out)
		size := 0
		for id, content := range blobs {
			size += len(id) + len(content)
		}
		if size > len(out) {
			t.Errorf("%q: %v, %v: more than there was", out, blobs, err)
		}
	})
}
