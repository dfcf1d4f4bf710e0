package trigrams

import (
	"strings"
	"testing"
)

func TestWhatALongTextHoldsIsFound(t *testing.T) {
	text := strings.Repeat("x = 1\n", 1<<12) + "import os\nos.remove('é')\x00\xff end"
	for _, word := range []string{"", "o", "os", "import os", "remove", "é'", "\x00\xff", "end", "x = 1\nx", text, text[1:]} {
		if !Of(text).Contains(word) {
			t.Errorf("%.20q is not found", word)
		}
	}
	for _, word := range []string{"subprocess", "ends", "xx", text + "x", "removes"} {
		if Of(text).Contains(word) {
			t.Errorf("%.20q is found", word)
		}
	}
}

func TestAnotherTextIsAnotherOne(t *testing.T) {
	a, b := strings.Repeat("a", 2*short), strings.Repeat("b", 2*short)
	for range 2 {
		if !Of(a).Contains("aaa") || Of(a).Contains("bbb") || !Of(b).Contains("bbb") || Of(b).Contains("aaa") {
			t.Error("one text is taken for another")
		}
	}
}

func FuzzContains(f *testing.F) {
	f.Add("import os", "os", uint16(3))
	f.Add("\xff\x00", "\x00\xff", uint16(9))
	f.Fuzz(func(t *testing.T, piece, word string, times uint16) {
		text := strings.Repeat(piece, int(times)) + strings.Repeat("-", short)
		if got, want := Of(text).Contains(word), strings.Contains(text, word); got != want {
			t.Errorf("%q in %d times %q: %v, want %v", word, times, piece, got, want)
		}
	})
}

func BenchmarkAbsentWords(b *testing.B) {
	text := strings.Repeat("x = 1  # one line of a large file\n", 1<<20/34)
	for b.Loop() {
		of := &Text{text: text}
		for _, word := range strings.Fields("subprocess os.system popen exec eval requests urllib shutil rmtree unlink remove socket") {
			of.Contains(word)
		}
	}
}
