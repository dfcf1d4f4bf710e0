package predicates

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/claudewatch/claudewatch/schema"
)

func TestUnder(t *testing.T) {
	for _, test := range []struct {
		path, dir string
		want      bool
	}{
		{"/etc/passwd", "/etc", true},
		{"/etc/passwd", "/etc/", true},
		{"/etc/ssh/x", "/etc", true},
		{"/x", "/", true},
		{"/etc", "/etc", false},
		{"/etc/", "/etc", false},
		{"/etcetera", "/etc", false},
		{"/w/../etc/x", "/w", false},
		{"/w/./x", "/w/sub/..", true},
		{"x", "/", false},
		{"/w/x", "w", false},
		{"/w/x", "", false},
		{"", "", false},
	} {
		if got := isTrue(t, fmt.Sprintf("%q.under(%q)", test.path, test.dir), bash("/w")); got != test.want {
			t.Errorf("%q.under(%q) = %v, want %v", test.path, test.dir, got, test.want)
		}
	}
}

func TestATargetIsUnderADirectoryWhereItReallyLies(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(top, "real/sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", filepath.Join(top, "link")); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path, dir string
		want      bool
	}{
		{"real/x", "real", true},
		{"real/x", "link", true},
		{"real/sub/x", "link/sub", true},
		{"real/sub/x", "link/sub/", true},
		{"real/x", "link/../real", true},
		{"real", "real", true},
		{"real", "link", true},
		{"real/x", "real/sub", false},
		{"realm/x", "real", false},
		{"real/new/x", "link/new", true},
	} {
		in := writeTo(&schema.Target{Lexical: filepath.Join(top, test.path), Resolved: true})
		if got := isTrue(t, fmt.Sprintf("input.writes[0].under(%q)", top+"/"+test.dir), in); got != test.want {
			t.Errorf("%s under %s = %v, want %v", test.path, test.dir, got, test.want)
		}
	}
	for _, dir := range []string{"", "x", ".", "x/y"} {
		if isTrue(t, fmt.Sprintf("input.writes[0].under(%q)", dir), writeTo(&schema.Target{Lexical: "/x/y", Resolved: true})) {
			t.Errorf("under the relative directory %q", dir)
		}
	}
	if isTrue(t, `input.writes[0].under("/")`, writeTo(&schema.Target{Raw: "$X"})) {
		t.Error("an unresolved target is under /")
	}
}
