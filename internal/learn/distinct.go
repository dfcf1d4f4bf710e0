package learn

import (
	"hash/maphash"
	"slices"
	"sync"
	"time"
)

// distinct counts different values, up to maxDistinct of them exactly.
type distinct struct {
	seen map[uint64]struct{}
	last uint64
	any  bool
}

// maxDistinct bounds the values that are told apart. Nobody decides by whether it was
// five hundred sessions or more.
const maxDistinct = 500

func (d *distinct) add(value uint64) {
	if d.any && d.last == value || len(d.seen) >= maxDistinct {
		return // most records are of the session and the day of the one before
	}
	if d.seen == nil {
		d.seen = map[uint64]struct{}{}
	}
	d.seen[value] = struct{}{}
	d.last, d.any = value, true
}

func (d *distinct) count() int { return len(d.seen) }

// merge adds the values of another.
func (d *distinct) merge(other *distinct) {
	for value := range other.seen {
		d.any = false
		d.add(value)
	}
}

var seed = sync.OnceValue(maphash.MakeSeed)

func hash(text string) uint64 { return maphash.String(seed(), text) }

// dayOf numbers the days of a place.
func dayOf(t time.Time, location *time.Location) uint64 {
	_, offset := t.In(location).Zone()
	return uint64((t.Unix() + int64(offset)) / (24 * 60 * 60))
}

// prune makes room in a map that has reached its bound: the less used half goes. What
// is used a lot is never in it.
func prune[K comparable, V any](all map[K]V, calls func(V) int) {
	if len(all) < maxKeys {
		return
	}
	counts := make([]int, 0, len(all))
	for _, v := range all {
		counts = append(counts, calls(v))
	}
	slices.Sort(counts)
	middle := counts[len(counts)/2]
	for k, v := range all {
		if n := calls(v); n < middle || n == middle && len(all) > maxKeys/2 {
			delete(all, k)
		}
	}
}
