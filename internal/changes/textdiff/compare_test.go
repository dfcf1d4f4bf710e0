package textdiff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// unified is hunks as git prints them.
func unified(hunks []Hunk) string {
	var b strings.Builder
	for _, h := range hunks {
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n%s\n", h.OldStart, h.OldLines, h.NewStart, h.NewLines, strings.Join(h.Lines, "\n"))
	}
	return b.String()
}

func TestHunksAreThoseOfAUnifiedDiff(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{"nothing changed", "a\nb\n", "a\nb\n", ""},
		{"both empty", "", "", ""},
		{"a side with no lines starts one lower: created", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"a side with no lines starts one lower: emptied", "a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n"},
		{"three lines of context", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
			"@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"},
		{"changes with six lines between share a hunk", "a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n",
			"@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n"},
		{"changes with seven lines between do not", "a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
			"@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n"},
		{"a line feed added at the end", "a\nb", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"},
		{"a line feed removed at the end", "a\n", "a", "@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file\n"},
		{"no line feed in both", "a\nb", "A\nb", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n"},
		{"carriage returns are part of their lines", "a\r\nb\r\n", "a\nb\r\n", "@@ -1,2 +1,2 @@\n-a\r\n+a\n b\r\n"},
		{"lines that look like a diff", "-- a\n++ b\n", "-- a\n@@ b\n", "@@ -1,2 +1,2 @@\n -- a\n-++ b\n+@@ b\n"},
		{"an added block begins behind an empty line", "f {\n  x\n}\n\ng {\n  x\n}\n", "f {\n  x\n}\n\nh {\n  x\n}\n\ng {\n  x\n}\n",
			"@@ -2,6 +2,10 @@\n   x\n }\n \n+h {\n+  x\n+}\n+\n g {\n   x\n }\n"},
		{"a deleted block begins with its least indented line", "if a {\n  x()\n}\nif b {\n  x()\n}\nend\n", "if a {\n  x()\n}\nend\n",
			"@@ -1,7 +1,4 @@\n if a {\n   x()\n }\n-if b {\n-  x()\n-}\n end\n"},
	} {
		hunks, _, _ := Compare([]byte(c.before), []byte(c.after))
		if diff := cmp.Diff(c.want, unified(hunks)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, diff)
		}
	}
}

// randomText is a text of few different lines, so that two of them have many in common.
func randomText(r *rand.Rand, lines, different int) string {
	var b strings.Builder
	for range r.IntN(lines + 1) {
		b.WriteString(strings.Repeat("x", r.IntN(different)))
		switch r.IntN(8) {
		case 0:
			b.WriteString("\r\n")
		default:
			b.WriteString("\n")
		}
	}
	if r.IntN(3) == 0 {
		b.WriteString("end")
	}
	return b.String()
}

// edited is a text with some of its lines replaced, deleted, doubled and moved.
func edited(r *rand.Rand, text string) string {
	lines := splitLines(text)
	for range r.IntN(12) {
		if len(lines) == 0 {
			break
		}
		from := r.IntN(len(lines))
		to := min(len(lines), from+r.IntN(6))
		block := append([]string(nil), lines[from:to]...)
		at := r.IntN(len(lines) + 1 - (to - from))
		switch r.IntN(4) {
		case 0:
			lines = append(lines[:from:from], lines[to:]...)
		case 1:
			lines = append(lines[:from:from], append([]string{"new\n"}, lines[from:]...)...)
		case 2:
			lines = append(lines[:at:at], append(block, lines[at:]...)...)
		case 3:
			lines = append(lines[:from:from], lines[to:]...)
			lines = append(lines[:at:at], append(block, lines[at:]...)...)
		}
	}
	return strings.Join(lines, "")
}

// check compares two texts and fails when what Compare promises does not hold.
func check(t *testing.T, before, after []byte) {
	t.Helper()
	hunks, additions, deletions := Compare(before, after)
	got, err := Apply(before, hunks)
	if err != nil || !bytes.Equal(got, after) {
		t.Fatalf("Apply(%q, %q) = %q, %v, want %q", before, unified(hunks), got, err, after)
	}
	reversed := Reverse(hunks)
	got, err = Apply(after, reversed)
	if err != nil || !bytes.Equal(got, before) {
		t.Fatalf("back: Apply(%q, %q) = %q, %v, want %q", after, unified(reversed), got, err, before)
	}
	if twice := Reverse(reversed); !reflect.DeepEqual(hunks, twice) {
		t.Fatalf("Reverse twice: %q, want %q", unified(twice), unified(hunks))
	}
	if n := len(splitLines(string(after))) - len(splitLines(string(before))); additions-deletions != n {
		t.Fatalf("%q to %q: +%d -%d, and %d more lines", before, after, additions, deletions, n)
	}
	counted := map[byte]int{}
	end := 0
	for _, h := range hunks {
		lead, changed := 0, 0
		for _, line := range h.Lines {
			counted[line[0]]++
			switch {
			case line[0] == '\\':
			case line[0] != ' ':
				lead, changed = 0, changed+1
			default:
				lead++
			}
			if changed == 0 && lead > context || lead > 2*context {
				t.Fatalf("%d lines of context: %q", lead, unified(hunks))
			}
		}
		if lead > context || changed == 0 || h.OldStart+h.NewStart < end {
			t.Fatalf("%d lines of context at the end, %d changed, begins at %d before %d: %q", lead, changed, h.OldStart+h.NewStart, end, unified(hunks))
		}
		end = h.OldStart + h.NewStart + h.OldLines + h.NewLines
	}
	if counted['+'] != additions || counted['-'] != deletions {
		t.Fatalf("+%d -%d, counted %v", additions, deletions, counted)
	}
}

func TestHunksTurnOneTextIntoTheOtherAndBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		check(t, []byte(randomText(r, 40, 1+r.IntN(30))), []byte(randomText(r, 40, 1+r.IntN(30))))
	}
	for range 1000 {
		text := randomText(r, 400, 1+r.IntN(60))
		check(t, []byte(text), []byte(edited(r, text)))
	}
}

func TestHunksOfUnlikeTextsOfAMegabyteAreRight(t *testing.T) {
	for _, c := range large() {
		t.Run(c.name, func(t *testing.T) { check(t, c.before, c.after) })
	}
}

func TestWhatSeveralLargeBlocksAreAddedToLooksUnchanged(t *testing.T) {
	before := numbered(5000, 0, "line %d\n")
	after := bytes.Join([][]byte{
		numbered(1000, 0, "line %d\n"), numbered(500, 9000, "added %d\n"),
		numbered(1000, 1000, "line %d\n"), []byte("changed\n"), numbered(2000, 2001, "line %d\n"),
		numbered(500, 9500, "added %d\n"), numbered(999, 4001, "line %d\n"),
	}, nil)
	if hunks, additions, deletions := Compare(before, after); len(hunks) != 3 || additions != 1001 || deletions != 1 {
		t.Errorf("%d hunks, +%d -%d, want 3 hunks, +1001 -1", len(hunks), additions, deletions)
	}
}

func TestTextIsUTF8WithoutNUL(t *testing.T) {
	for _, c := range []struct {
		content string
		want    bool
	}{
		{"", true},
		{"plain\r\n\ttext \x1b[0m", true},
		{"\ufeffmit Umlaut: ü\n", true},
		{"a\x00b", false},
		{"latin 1: \xfc\n", false},
		{"\x89PNG\r\n\x1a\n", false},
		{"surrogate \xed\xa0\x80", false},
	} {
		if got := IsText([]byte(c.content)); got != c.want {
			t.Errorf("IsText(%q) = %v", c.content, got)
		}
	}
}

func FuzzCompare(f *testing.F) {
	f.Add([]byte("a\nb\nc\n"), []byte("a\nx\nc"))
	f.Add([]byte(""), []byte("\n\n"))
	f.Add([]byte("\r\n\x00\xff"), []byte("}\n\n}\n"))
	f.Fuzz(func(t *testing.T, before, after []byte) { check(t, before, after) })
}
