package prompt

import (
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// screen is what a terminal shows, as much of one as editors of lines use.
type screen struct {
	columns  int
	rows     [][]rune
	row, col int // col is columns when the last column has just been written
	rest     []byte
}

func newScreen(columns int) screen { return screen{columns: columns, rows: [][]rune{nil}} }

func (s *screen) write(output []byte) {
	text := append(s.rest, output...)
	s.rest = nil
	for len(text) > 0 {
		if text[0] == '\x1b' {
			at := 2
			for at < len(text) && (text[at] < '@' || text[at] > '~') {
				at++
			}
			if at >= len(text) {
				s.rest = text
				return
			}
			s.control(string(text[2:at]), text[at])
			text = text[at+1:]
			continue
		}
		if !utf8.FullRune(text) {
			s.rest = text
			return
		}
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		switch {
		case r == '\r':
			s.col = 0
		case r == '\n':
			s.down()
		case r == '\b':
			s.col = max(s.col-1, 0)
		case r >= ' ' && !unicode.In(r, unicode.Mn, unicode.Cf): // those have no column of their own
			s.put(r)
		}
	}
}

func (s *screen) down() {
	s.row++
	if s.row == len(s.rows) {
		s.rows = append(s.rows, nil)
	}
}

// put writes a character. A wide one takes two columns, the second of which is 0.
func (s *screen) put(r rune) {
	cells := []rune{r}
	if r >= 0x1100 {
		cells = []rune{r, 0}
	}
	if s.col+len(cells) > s.columns {
		s.col = 0
		s.down()
	}
	line := s.rows[s.row]
	for len(line) < s.col+len(cells) {
		line = append(line, ' ')
	}
	if line[s.col] == 0 && s.col > 0 {
		line[s.col-1] = ' ' // of a wide one, half is overwritten
	}
	if end := s.col + len(cells); end < len(line) && line[end] == 0 {
		line[end] = ' '
	}
	copy(line[s.col:], cells)
	s.rows[s.row] = line
	s.col += len(cells)
}

func (s *screen) control(argument string, final byte) {
	n, err := strconv.Atoi(argument)
	if err != nil || n == 0 {
		n = 1
	}
	s.col = min(s.col, s.columns-1)
	switch final {
	case 'A':
		s.row = max(s.row-n, 0)
	case 'B':
		for range n {
			s.down()
		}
	case 'C':
		s.col = min(s.col+n, s.columns-1)
	case 'D':
		s.col = max(s.col-n, 0)
	case 'H':
		s.row, s.col = 0, 0
	case 'J':
		if argument == "2" {
			s.rows = make([][]rune, s.row+1)
			return
		}
		s.rows[s.row] = s.rows[s.row][:min(s.col, len(s.rows[s.row]))]
		s.rows = s.rows[:s.row+1]
	}
}

// String returns the lines to that of the cursor or the last that is not empty, the
// cursor as |. Spaces at the ends are left out, but for those before the cursor.
func (s *screen) String() string {
	var lines []string
	last := s.row
	for i, line := range s.rows {
		text := strings.TrimRight(string(line), " ")
		if i == s.row {
			cells := line
			for len(cells) < s.col {
				cells = append(cells, ' ')
			}
			text = strings.TrimRight(string(cells[:s.col])+"|"+string(cells[s.col:]), " ")
		}
		if text != "" {
			last = max(last, i)
		}
		lines = append(lines, strings.ReplaceAll(text, "\x00", ""))
	}
	return strings.Join(lines[:last+1], "\n")
}

func TestTheScreenOfTheTestsIsOne(t *testing.T) {
	for output, want := range map[string]string{
		"abc\r\nde":                "abc\nde|",
		"abcdefgh":                 "abcdefgh|",
		"abcdefghi":                "abcdefgh\ni|",
		"abcdefgh\r\ni\x1b[Ax":     "ax|cdefgh\ni",
		"abc\r\nd\x1b[A\x1b[J":     "a|",
		"日本\x1b[D \x1b[D":          "日 |",
		"ab\x1b[1D\x1b[31mx\x1b[m": "ax|",
	} {
		s := newScreen(8)
		s.write([]byte(output))
		if got := s.String(); got != want {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
}
