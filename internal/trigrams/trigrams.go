// Package trigrams tells what a long text does not hold without a search of the whole
// text for each word: many rules ask for many words, few of which are there.
package trigrams

import (
	"strings"
	"sync"
)

// short is the length in bytes up to which a text is searched: to collect its trigrams
// would take longer.
const short = 16 << 10

// Text answers for one text.
type Text struct {
	text string
	once sync.Once
	// seen is set for the hash of each three bytes that follow each other in the text.
	seen *[1 << bits]bool
}

// bits is the length of a hash. Source code has some ten thousand different trigrams.
const bits = 16

var last struct {
	sync.Mutex
	text *Text
}

// Of returns the Text of a text. The last one is kept, because several readers look at
// the same script.
func Of(text string) *Text {
	last.Lock()
	defer last.Unlock()
	if last.text == nil || last.text.text != text {
		last.text = &Text{text: text}
	}
	return last.text
}

// Contains is strings.Contains.
func (t *Text) Contains(word string) bool {
	if len(t.text) > short && len(word) >= 3 {
		t.once.Do(t.collect)
		for i := 0; i+3 <= len(word); i++ {
			if !t.seen[hash(word[i], word[i+1], word[i+2])] {
				return false
			}
		}
	}
	return strings.Contains(t.text, word)
}

func (t *Text) collect() {
	seen, text := new([1 << bits]bool), t.text
	a, b := text[0], text[1]
	for i := 2; i < len(text); i++ {
		c := text[i]
		seen[hash(a, b, c)] = true
		a, b = b, c
	}
	t.seen = seen
}

// hash multiplies by the golden ratio of 32 bits and takes the upper ones (Knuth, TAOCP 6.4).
func hash(a, b, c byte) uint16 {
	return uint16((uint32(a) | uint32(b)<<8 | uint32(c)<<16) * 2654435769 >> (32 - bits))
}
