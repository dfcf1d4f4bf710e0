package progress

import (
	"strings"
	"testing"
	"time"
)

func barAt(start time.Time, now *time.Time) (*Bar, *strings.Builder) {
	var terminal strings.Builder
	b := New(&terminal, "reading")
	b.now = func() time.Time { return start }
	b.Start(200)
	b.now = func() time.Time { return *now }
	return b, &terminal
}

func TestAShortRunDrawsNothing(t *testing.T) {
	now := time.Unix(0, 0)
	b, terminal := barAt(now, &now)
	now = now.Add(quiet / 2)
	b.Advance(200)
	b.Clear()
	if terminal.String() != "" {
		t.Errorf("drawn: %q", terminal)
	}
}

func TestALongRunDrawsItsShareAndIsCleared(t *testing.T) {
	now := time.Unix(0, 0)
	b, terminal := barAt(now, &now)
	now = now.Add(quiet + time.Millisecond)
	b.Advance(100)
	b.Advance(1) // too early to draw again
	want := "\r\x1b[Kreading [" + strings.Repeat("#", 15) + strings.Repeat(".", 15) + "]  50 %"
	if got := terminal.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	terminal.Reset()
	b.Clear()
	b.Clear()
	if got := terminal.String(); got != "\r\x1b[K" {
		t.Errorf("cleared with %q", got)
	}
}

func TestABarThatIsOverfullOrOfNothingIsFull(t *testing.T) {
	for _, total := range []int64{0, 1} {
		now := time.Unix(10, 0)
		b, terminal := barAt(time.Unix(0, 0), &now)
		b.total = total
		b.Advance(5)
		if !strings.Contains(terminal.String(), "100 %") {
			t.Errorf("total %d: %q", total, terminal)
		}
	}
}

func TestNoBarIsABar(t *testing.T) {
	var b *Bar
	b.Start(1)
	b.Advance(1)
	b.Clear()
}
