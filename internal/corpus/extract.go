package corpus

import (
	"fmt"

	"github.com/claudewatch/claudewatch/internal/transcript"
)

// Extracted is an entry made of a call of a transcript.
type Extracted struct {
	ID      string           `json:"id"`
	Class   string           `json:"class"`
	Verdict string           `json:"verdict"`
	Event   transcript.Event `json:"event"`
	// Text is what the hook said.
	Text string `json:"text"`
}

// Unclassified is the class of an entry that nobody has looked at yet.
const Unclassified = "unclassified"

// Extract makes entries of blocked calls, each with an id of its own.
type Extract struct{ seen map[string]int }

// NewExtract returns an Extract that has seen no call.
func NewExtract() *Extract { return &Extract{map[string]int{}} }

// Entry returns the entry of a blocked call. Its id is the call's, with a number
// where another call has the same or the call has none.
func (x *Extract) Entry(c *transcript.Call, b transcript.Block) Extracted {
	id := c.ID
	if id == "" {
		id = "call"
	}
	x.seen[id]++
	if n := x.seen[id]; n > 1 || c.ID == "" {
		id = fmt.Sprintf("%s#%d", id, n)
	}
	return Extracted{ID: id, Class: Unclassified, Verdict: Block, Event: c.Event(), Text: b.Text}
}
