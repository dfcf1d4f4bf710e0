package prompt

import (
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// pressable are keys that a fuzzed text stands for.
var pressable = []rune{
	'a', 'b', '.', '(', ' ', ' ', 'é', '日', '語', '🙂', '\u0301', '\u200d', '\t', 0, '\x07', '\u0085',
	keyStart, keyLineEnd, keyLeft, keyLeft, keyRight, keyRight, keyWordLeft, keyWordRight, keyBackspace, '\b', keyDelete, keyEnd,
	keyDeleteRest, keyDeleteLine, keyDeleteWord, keyInsertBack, keyExchange, keyPrevious, keyNext, keySearch, keyRedraw,
}

// FuzzEditor compares the screen after any keys with one on which the line is just written.
func FuzzEditor(f *testing.F) {
	long := make([]byte, 300)
	for i := range long {
		long[i] = byte(i * 7)
	}
	for _, keys := range [][]byte{{}, {0, 1, 7, 8, 18, 18, 0}, {33, 33, 0, 35, 35, 34}, {7, 7, 7, 10, 16, 12}, {36, 0, 36}, long} {
		f.Add(keys)
	}
	f.Fuzz(func(t *testing.T, keys []byte) {
		columns, _ := terminalSize()
		shown := newScreen(columns)
		e := newEditor([]string{"input.tool", "'日本語' + 'a'"})
		e.out = writer(shown.write)
		e.prompt, e.browsed = firstPrompt, len(e.history)
		e.complete = func(line string, cursor int) (string, int, string) {
			if cursor%2 == 0 {
				return line, cursor, "shown\n"
			}
			return line[:cursor] + "ool" + line[cursor:], cursor + 3, ""
		}
		for _, k := range keys[:min(len(keys), 300)] {
			e.press(pressable[int(k)%len(pressable)])
			if k%3 == 0 {
				e.draw()
			}
			if len(e.line) > 400 {
				return // not all of it is shown
			}
		}
		e.draw()
		want, cursor := newScreen(columns), newScreen(columns)
		want.write([]byte(firstPrompt + string(e.line)))
		cursor.write([]byte(firstPrompt + string(e.line[:e.cursor])))
		if cursor.col == columns {
			cursor.row, cursor.col = cursor.row+1, 0
			want.rows = append(want.rows, nil)
		}
		want.row, want.col = cursor.row, cursor.col
		shown.rows = shown.rows[shown.row-cursor.row:]
		shown.row = cursor.row
		if diff := cmp.Diff(want.String(), shown.String()); diff != "" {
			t.Errorf("%q, cursor %d: (-want +got)\n%s", string(e.line), e.cursor, diff)
		}
	})
}

func TestALineIsBounded(t *testing.T) {
	e := newEditor(nil)
	for range 100 {
		for _, k := range "x" + string(rune(keyDeleteLine)) + string(rune(keyInsertBack)) + string(rune(keyInsertBack)) {
			e.press(k)
		}
	}
	if len(e.line) > maxLine {
		t.Errorf("%d characters", len(e.line))
	}
}

// writer is an io.Writer.
type writer func([]byte)

func (w writer) Write(p []byte) (int, error) {
	w(p)
	return len(p), nil
}

// FuzzKeys compares the keys in a text with those of its parts: a terminal may send it in
// any number of them.
func FuzzKeys(f *testing.F) {
	for _, text := range []string{"", "a日\xff", "\x1b[A\x1bOB\x1b[1;3D\x1bb\x1b\x7f", "\x1b[;;\x03", "\x1b\x1b[3~", "\x1b[200~x\x1b[201~", "\xe6\x97\x1b[A"} {
		f.Add([]byte(text), uint(2))
	}
	f.Fuzz(func(t *testing.T, text []byte, at uint) {
		whole, rest := decodeKeys(slices.Clone(text))
		cut := int(at % uint(len(text)+1))
		first, held := decodeKeys(slices.Clone(text[:cut]))
		second, restOfParts := decodeKeys(append(held, text[cut:]...))
		if parts := append(first, second...); !slices.Equal(parts, whole) || !slices.Equal(rest, restOfParts) {
			t.Errorf("%q: %q and %q, in parts %q and %q", text, whole, rest, parts, restOfParts)
		}
		for _, k := range whole {
			if k >= 0 && !utf8.ValidRune(k) {
				t.Errorf("%q: %q is no character", text, k)
			}
		}
	})
}
