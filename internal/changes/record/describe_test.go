package record

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAChangeIsDescribedByWhatStoodAtItsPath(t *testing.T) {
	const limit = 100
	text := func(content string) Side { return (&file{content, 0o644}).side() }
	mode := func(s Side, perm uint32) Side { s.Perm = fs.FileMode(perm); return s }
	kind := func(kind, target string) Side { s := text(target); s.Kind = kind; return s }
	unknown := func(size int64) Side { return Side{Present: true, Size: size, SHA256: "ab", Perm: 0o644} }
	none := Side{}
	type summary struct {
		operation, diff      string
		additions, deletions int
		hunks                int
		mode, kind           string // BEFORE>AFTER
	}
	for _, c := range []struct {
		name          string
		before, after Side
		secret        bool
		want          summary
	}{
		{"modified", text("a\nb\n"), text("a\nc\nd\n"), false, summary{Modify, Available, 2, 1, 1, "", ""}},
		{"created", none, text("a\nb\n"), false, summary{Create, Available, 2, 0, 1, "", ""}},
		{"created empty", none, text(""), false, summary{Create, Available, 0, 0, 0, "", ""}},
		{"deleted", text("a\n"), none, false, summary{Delete, Available, 0, 1, 1, "", ""}},
		{"emptied", text("a\n"), text(""), false, summary{Modify, Available, 0, 1, 1, "", ""}},
		{"only the mode", text("a\n"), mode(text("a\n"), 0o755), false, summary{Modify, Available, 0, 0, 0, "0644>0755", ""}},
		{"created as a program", none, mode(text("a\n"), 0o700), false, summary{Create, Available, 1, 0, 1, ">0700", ""}},
		{"deleted, was for the owner alone", mode(text("a\n"), 0o600), none, false, summary{Delete, Available, 0, 1, 1, "0600>", ""}},
		{"binary before", text("\x00"), text("a\n"), false, summary{Modify, Binary, 0, 0, 0, "", ""}},
		{"binary after", text("a\n"), text("\xff"), false, summary{Modify, Binary, 0, 0, 0, "", ""}},
		{"at the cap", text(""), text(strings.Repeat("x", limit)), false, summary{Modify, Available, 1, 0, 1, "", ""}},
		{"over the cap before", text(strings.Repeat("x", limit+1)), text("a\n"), false, summary{Modify, TooLarge, 0, 0, 0, "", ""}},
		{"over the cap after, and not known", text("a\n"), unknown(limit + 1), false, summary{Modify, TooLarge, 0, 0, 0, "", ""}},
		{"bytes before not known", unknown(5), text("a\n"), false, summary{Modify, Unavailable, 0, 0, 0, "", ""}},
		{"bytes after not known", text("a\n"), unknown(5), false, summary{Modify, Unavailable, 0, 0, 0, "", ""}},
		{"an empty file is known without bytes", unknown(0), text("a\n"), false, summary{Modify, Available, 1, 0, 1, "", ""}},
		{"bytes of another length are not those", Side{Present: true, Size: 5, Content: []byte("a\n"), Perm: 0o644}, text("a\n"), false, summary{Modify, Unavailable, 0, 0, 0, "", ""}},
		{"secret", text("a\n"), text("b\n"), true, summary{Modify, Unavailable, 0, 0, 0, "", ""}},
		{"secret over the cap", none, unknown(limit + 1), true, summary{Create, Unavailable, 0, 0, 0, "", ""}},
		{"a file becomes a link", text("a\n"), kind(Symlink, "b"), false, summary{TypeChange, Unavailable, 0, 0, 0, "", "file>symlink"}},
		{"a link becomes a pipe", kind(Symlink, "b"), kind(Other, ""), false, summary{TypeChange, Unavailable, 0, 0, 0, "", "symlink>other"}},
		{"a link leads elsewhere", kind(Symlink, "a"), kind(Symlink, "b"), false, summary{Modify, Unavailable, 0, 0, 0, "", "symlink>symlink"}},
		{"a created link", none, kind(Symlink, "b"), false, summary{Create, Unavailable, 0, 0, 0, "", ">symlink"}},
		{"a deleted pipe", kind(Other, ""), none, false, summary{Delete, Unavailable, 0, 0, 0, "", "other>"}},
		{"file is a kind", text("a\n"), kind(RegularFile, "b\n"), false, summary{Modify, Available, 1, 1, 1, "", ""}},
	} {
		change := Change{XSecret: c.secret}
		change.Describe(c.before, c.after, limit)
		sides := func(s *Sides) string {
			if s == nil {
				return ""
			}
			return s.Before + ">" + s.After
		}
		got := summary{change.Operation, change.Diff, change.Additions, change.Deletions, len(change.Hunks), sides(change.XMode), sides(change.XType)}
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(summary{})); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
		for _, side := range []struct {
			of  Side
			got State
		}{{c.before, change.Before}, {c.after, change.After}} {
			if side.got.Present != side.of.Present || side.got.Bytes != side.of.Size || side.got.SHA256 != side.of.SHA256 {
				t.Errorf("%s: %+v of %+v", c.name, side.got, side.of)
			}
		}
	}
}

func TestASideSaysWhetherItsLastLineHasAnEnd(t *testing.T) {
	for _, c := range []struct {
		name   string
		side   Side
		secret bool
		want   bool
	}{
		{"with", Side{Present: true, Size: 2, Content: []byte("a\n")}, false, false},
		{"without", Side{Present: true, Size: 1, Content: []byte("a")}, false, true},
		{"empty", Side{Present: true}, false, false},
		{"not known", Side{Present: true, Size: 3}, false, false},
		{"secret", Side{Present: true, Size: 1, Content: []byte("a")}, true, false},
		{"the target of a link", Side{Present: true, Size: 1, Kind: Symlink, Content: []byte("a")}, false, false},
	} {
		change := Change{XSecret: c.secret}
		change.Describe(Side{}, c.side, 10)
		if change.After.NoNewlineAtEnd != c.want {
			t.Errorf("%s: %v", c.name, change.After.NoNewlineAtEnd)
		}
	}
}

func TestWhatWasDescribedBeforeIsReplaced(t *testing.T) {
	var change Change
	change.Describe((&file{"a\n", 0o644}).side(), (&file{"b\n", 0o755}).side(), 100)
	change.Describe((&file{"a\n", 0o644}).side(), (&file{"\x00\n", 0o644}).side(), 100)
	if change.Hunks != nil || change.Additions != 0 || change.Deletions != 0 || change.XMode != nil || change.Diff != Binary {
		t.Errorf("%+v", change)
	}
}
