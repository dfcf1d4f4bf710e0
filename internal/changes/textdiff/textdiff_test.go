package textdiff

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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

func TestHunksTurnOneTextIntoTheOtherAndBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		before, after := randomText(r, 40, 1+r.IntN(30)), randomText(r, 40, 1+r.IntN(30))
		hunks, additions, deletions := Compare([]byte(before), []byte(after))
		got, err := Apply([]byte(before), hunks)
		if err != nil || string(got) != after {
			t.Fatalf("Apply(%q, %v) = %q, %v, want %q", before, hunks, got, err, after)
		}
		got, err = Apply([]byte(after), Reverse(hunks))
		if err != nil || string(got) != before {
			t.Fatalf("back: Apply(%q, %v) = %q, %v, want %q", after, hunks, got, err, before)
		}
		if n := strings.Count(after, "\n") - strings.Count(before, "\n"); additions-deletions < n-1 || additions-deletions > n+1 {
			t.Fatalf("%q to %q: +%d -%d", before, after, additions, deletions)
		}
		if diff := cmp.Diff(hunks, Reverse(Reverse(hunks))); diff != "" {
			t.Fatal(diff)
		}
	}
}
