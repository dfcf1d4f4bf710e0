// Package progress draws a bar for work that takes longer than a moment.
package progress

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

const (
	// quiet is how long nothing is drawn: short runs stay clean.
	quiet = time.Second
	// interval is how often the bar is drawn anew.
	interval = 100 * time.Millisecond
	width    = 30
)

// Bar is a progress bar on a terminal. It may be used by several goroutines. A nil
// Bar draws nothing.
type Bar struct {
	terminal io.Writer
	label    string

	mu          sync.Mutex
	done, total int64
	next        time.Time
	drawn       bool
	now         func() time.Time
}

// New returns a bar on a terminal with a word on what is going on.
func New(terminal io.Writer, label string) *Bar {
	return &Bar{terminal: terminal, label: label, now: time.Now}
}

// Start tells that work begins, and how much it is in the unit of Advance.
func (b *Bar) Start(total int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done, b.total, b.next = 0, total, b.now().Add(quiet)
}

// Advance tells that so much more of the total is done.
func (b *Bar) Advance(amount int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done += amount
	if now := b.now(); now.After(b.next) {
		b.next = now.Add(interval)
		b.draw()
	}
}

// Clear takes the bar off the terminal, so that a line can be printed there. The
// next Advance draws it again.
func (b *Bar) Clear() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.drawn {
		return
	}
	b.drawn = false
	b.next = time.Time{}
	fmt.Fprint(b.terminal, "\r\x1b[K")
}

func (b *Bar) draw() {
	share := 1.0
	if b.total > 0 {
		share = min(float64(b.done)/float64(b.total), 1)
	}
	full := int(share * width)
	fmt.Fprintf(b.terminal, "\r\x1b[K%s [%s%s] %3.0f %%", b.label, strings.Repeat("#", full), strings.Repeat(".", width-full), share*100)
	b.drawn = true
}
