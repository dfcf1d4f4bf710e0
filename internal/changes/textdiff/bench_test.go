package textdiff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// numbered is n lines with numbers in them.
func numbered(n, from int, format string) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, format, i+from)
	}
	return b.Bytes()
}

// shuffled is n lines of few different ones in no order.
func shuffled(n, different int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	var b bytes.Buffer
	for range n {
		fmt.Fprintf(&b, "line %030d\n", r.IntN(different))
	}
	return b.Bytes()
}

// permuted is n different lines in no order.
func permuted(n int, seed uint64) []byte {
	var b bytes.Buffer
	for _, i := range rand.New(rand.NewPCG(seed, 1)).Perm(n) {
		fmt.Fprintf(&b, "line %030d\n", i)
	}
	return b.Bytes()
}

type pair struct {
	name          string
	before, after []byte
}

// large returns pairs of texts of about a megabyte that are hard to compare.
func large() []pair {
	const format = "line %030d\n"
	lines := numbered(30_000, 0, format)
	return []pair{
		{"nothing in common", lines, numbered(30_000, 1_000_000, format)},
		{"few different lines", shuffled(30_000, 50, 1), shuffled(30_000, 50, 2)},
		{"many different lines", shuffled(30_000, 20_000, 1), shuffled(30_000, 20_000, 2)},
		{"another order", permuted(30_000, 1), permuted(30_000, 2)},
		{"one line changed", lines, bytes.Replace(lines, []byte("0015000\n"), []byte("x\n"), 1)},
		{"every second line changed", lines, bytes.ReplaceAll(lines, []byte("1\n"), []byte("x\n"))},
		{"line ends changed", lines, bytes.ReplaceAll(lines, []byte("\n"), []byte("\r\n"))},
		{"empty lines", bytes.Repeat([]byte("\n"), 1<<20), append(bytes.Repeat([]byte("\n"), 1<<20-3), "x\n"...)},
		{"lines of one byte", []byte(strings.Repeat("\n\na\n", 1<<18)), []byte(strings.Repeat("\na\n\n", 1<<18))},
	}
}

func BenchmarkCompare(b *testing.B) {
	for _, c := range large() {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Compare(c.before, c.after)
			}
		})
	}
}
