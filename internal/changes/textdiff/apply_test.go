package textdiff

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHunksOfAnotherTextAreRefused(t *testing.T) {
	change := []Hunk{{OldStart: 2, OldLines: 2, NewStart: 2, NewLines: 2, Lines: []string{" b", "-c", "+C"}}}
	hunk := func(oldStart, oldLines, newLines int, lines ...string) []Hunk {
		return []Hunk{{OldStart: oldStart, OldLines: oldLines, NewStart: oldStart, NewLines: newLines, Lines: lines}}
	}
	for _, c := range []struct {
		name, content string
		hunks         []Hunk
		want          string
	}{
		{"a line of context is another", "a\nx\nc\n", change, `line 2 is not "b\n"`},
		{"a deleted line is another", "a\nb\nd\n", change, `line 3 is not "c\n"`},
		{"its end is another", "a\nb\nc", change, `line 3 is not "c\n"`},
		{"the text is too short", "", change, "starts at line 2, of 0 lines"},
		{"the text ends too early", "a\nb\n", change, `line 3 is not "c\n"`},
		{"moved by a line", "0\na\nb\nc\n", change, `line 2 is not "b\n"`},
		{"twice", "a\nb\nc\n", append(change, change...), "hunk 2: does not fit: it starts at line 2, of 3 lines, after line 3"},
		{"starts before the text", "a\n", hunk(-1, 0, 1, "+a"), "starts at line -1"},
		{"starts at line 0 with lines", "a\n", hunk(0, 1, 0, "-a"), "starts at line 0"},
		{"adds behind a line without a line feed", "a", hunk(1, 0, 1, "+b"), "a line without a line feed is not the last one"},
		{"adds a line without a line feed in the middle", "a\n", hunk(0, 0, 1, "+b", NoNewline), "a line without a line feed is not the last one"},
		{"more lines than it says", "a\n", hunk(1, 0, 0, "-a"), "not have as many lines as it says"},
		{"fewer lines than it says", "a\n", hunk(1, 1, 2, " a"), "not have as many lines as it says"},
		{"a line without a sign", "a\n", hunk(1, 1, 0, ""), "without the sign"},
		{"a line with another sign", "a\n", hunk(1, 1, 0, "*a"), `begins with '*'`},
		{"nothing has no line feed", "a\n", hunk(0, 0, 0, NoNewline), "follows no line"},
		{"twice no line feed", "a", hunk(1, 1, 0, "-a", NoNewline, NoNewline), "follows no line"},
		{"an empty line without a line feed", "a\n", hunk(1, 0, 1, "+", NoNewline), "follows no line"},
		{"two lines in one", "", hunk(0, 0, 1, "+a\nb"), "a line feed within a line"},
	} {
		got, err := Apply([]byte(c.content), c.hunks)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, error %v, want one with %q", c.name, got, err, c.want)
		}
	}
}

func TestReversedHunksHaveDeletionsFirst(t *testing.T) {
	hunks := []Hunk{{OldStart: 1, OldLines: 3, NewStart: 1, NewLines: 4, Lines: []string{
		"-a", "-b", "+c", " d", "+e", "+f", NoNewline,
	}}}
	want := []Hunk{{OldStart: 1, OldLines: 4, NewStart: 1, NewLines: 3, Lines: []string{
		"-c", "+a", "+b", " d", "-e", "-f", NoNewline,
	}}}
	if diff := cmp.Diff(want, Reverse(hunks)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func FuzzApply(f *testing.F) {
	f.Add([]byte("a\nb\nc"), []byte(`[{"old_start":2,"old_lines":1,"new_start":2,"new_lines":1,"lines":["-b","+x"]}]`))
	f.Add([]byte(""), []byte(`[{"new_start":1,"new_lines":1,"lines":["+x","\\ No newline at end of file"]}]`))
	f.Fuzz(func(t *testing.T, content, text []byte) {
		var hunks []Hunk
		if json.Unmarshal(text, &hunks) != nil {
			return
		}
		result, err := Apply(content, hunks)
		if err != nil {
			return
		}
		more := 0
		for _, h := range hunks {
			more += h.NewLines - h.OldLines
		}
		if n := len(splitLines(string(result))) - len(splitLines(string(content))); n != more {
			t.Fatalf("Apply(%q, %s) = %q: %d more lines, want %d", content, text, result, n, more)
		}
		// Where the new text has them is for git to check; undoing needs it.
		moved := 0
		for i := range hunks {
			h := &hunks[i]
			line := h.OldStart
			if h.OldLines > 0 {
				line--
			}
			if h.NewStart = line + moved; h.NewLines > 0 {
				h.NewStart++
			}
			moved += h.NewLines - h.OldLines
		}
		back, err := Apply(result, Reverse(hunks))
		if err != nil || string(back) != string(content) {
			t.Fatalf("back: Apply(%q, %s) = %q, %v, want %q", result, text, back, err, content)
		}
	})
}
