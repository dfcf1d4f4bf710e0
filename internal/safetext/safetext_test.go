package safetext

import (
	"strings"
	"testing"
)

func TestLine(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"plain ä", 0, "plain ä"},
		{"a\r\nb\n\n", 0, "a⏎b"},
		{"a\tb", 0, "a b"},
		{"\x1b]0;title\x07\x1b[2J", 0, "\ufffd]0;title\ufffd\ufffd[2J"},
		{"\u009b2J", 0, "\ufffd2J"},
		{"x\u202eevil\u2066\u200b", 0, "x\ufffdevil\ufffd\ufffd"},
		{"👩\u200d💻", 0, "👩\u200d💻"},
		{"a\xffb", 0, "a\ufffdb"},
		{"abcdef", 3, "ab…"},
		{"abc", 3, "abc"},
		{strings.Repeat("ä", 200), 5, "ääää…"},
	} {
		if got := Line(c.text, c.limit); got != c.want {
			t.Errorf("Line(%q, %d) = %q, want %q", c.text, c.limit, got, c.want)
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add("a\x1b[2J\u202e", 3)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		got := Line(text, max(0, limit))
		if strings.ContainsFunc(got, Unsafe) {
			t.Errorf("%q has unsafe runes", got)
		}
	})
}

func TestTextIsBrokenBetweenWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "",
		"one two  three":             "one two\nthree",
		"é é é é é":                  "é é é é\né",
		"a-word-without-a-break":     "a-word-without-a-break",
		"a a-word-without-a-break b": "a\na-word-without-a-break\nb",
		"\n one\ntwo\t":              "one two",
	} {
		if got := Wrap(text, 8); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
