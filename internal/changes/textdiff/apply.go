package textdiff

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Apply returns the text that hunks turn content into. Hunks must be in order, and
// fit exactly: the lines that they have of the text before must stand at the lines
// that they name. When they do not, it is another text that they were made of, and
// that is the error.
func Apply(content []byte, hunks []Hunk) ([]byte, error) {
	old := splitLines(string(content))
	result := make([]byte, 0, len(content)+len(content)/8)
	at := 0 // lines of old that are done
	write := func(line string) error {
		if n := len(result); n > 0 && result[n-1] != '\n' {
			return errors.New("does not fit: a line without a line feed is not the last one")
		}
		result = append(result, line...)
		return nil
	}
	for i, h := range hunks {
		lines, err := linesOf(h)
		if err != nil {
			return nil, fmt.Errorf("hunk %d: %w", i+1, err)
		}
		start := h.OldStart
		if h.OldLines > 0 {
			start--
		}
		if start < at || start > len(old) {
			return nil, fmt.Errorf("hunk %d: does not fit: it starts at line %d, of %d lines, after line %d", i+1, h.OldStart, len(old), at)
		}
		for ; at < start; at++ {
			if err := write(old[at]); err != nil {
				return nil, fmt.Errorf("hunk %d: %w", i+1, err)
			}
		}
		for _, l := range lines {
			if l.sign != '+' {
				if at == len(old) || old[at] != l.text {
					return nil, fmt.Errorf("hunk %d: does not fit: line %d is not %q", i+1, at+1, l.text)
				}
				at++
			}
			if l.sign != '-' {
				if err := write(l.text); err != nil {
					return nil, fmt.Errorf("hunk %d: %w", i+1, err)
				}
			}
		}
	}
	for ; at < len(old); at++ {
		if err := write(old[at]); err != nil {
			return nil, fmt.Errorf("hunk %d: %w", len(hunks), err)
		}
	}
	return result, nil
}

// Check returns an error when a hunk is damaged: when it does not have the lines that
// it says, or something that is no line of a hunk. Whether it fits a text is for Apply
// to find out.
func (h Hunk) Check() error {
	_, err := linesOf(h)
	return err
}

// Reverse returns the hunks that undo hunks.
func Reverse(hunks []Hunk) []Hunk {
	if len(hunks) == 0 {
		return nil
	}
	reversed := make([]Hunk, len(hunks))
	for i, h := range hunks {
		reversed[i] = Hunk{OldStart: h.NewStart, OldLines: h.NewLines, NewStart: h.OldStart, NewLines: h.OldLines, Lines: reverseLines(h.Lines)}
	}
	return reversed
}

// reverseLines swaps additions and deletions, and puts deletions before additions.
func reverseLines(lines []string) []string {
	reversed := make([]string, 0, len(lines))
	var deletions, additions []string
	flush := func() {
		reversed = append(append(reversed, deletions...), additions...)
		deletions, additions = deletions[:0], additions[:0]
	}
	to := &reversed // of the line before
	for _, line := range lines {
		switch {
		case strings.HasPrefix(line, "+"):
			to, line = &deletions, "-"+line[1:]
		case strings.HasPrefix(line, "-"):
			to, line = &additions, "+"+line[1:]
		case strings.HasPrefix(line, " "):
			flush()
			to = &reversed
		}
		*to = append(*to, line)
	}
	flush()
	return slices.Clip(reversed)
}

// line is a line of a hunk, with the line feed that it has in the text.
type line struct {
	sign byte
	text string
}

var errCounts = errors.New("damaged: it does not have as many lines as it says")

func linesOf(h Hunk) ([]line, error) {
	lines := make([]line, 0, len(h.Lines))
	old, new := 0, 0
	for _, text := range h.Lines {
		if text == "" {
			return nil, errors.New("damaged: a line without the sign that it must begin with")
		}
		if strings.Contains(text, "\n") {
			return nil, errors.New("damaged: a line feed within a line")
		}
		switch sign := text[0]; sign {
		case '\\':
			// A line is more than nothing, with its line feed or without.
			if len(lines) == 0 || !strings.HasSuffix(lines[len(lines)-1].text, "\n") || lines[len(lines)-1].text == "\n" {
				return nil, fmt.Errorf("damaged: %q follows no line", text)
			}
			last := &lines[len(lines)-1]
			last.text = strings.TrimSuffix(last.text, "\n")
		case ' ', '-', '+':
			if sign != '+' {
				old++
			}
			if sign != '-' {
				new++
			}
			lines = append(lines, line{sign, text[1:] + "\n"})
		default:
			return nil, fmt.Errorf("damaged: a line begins with %q", sign)
		}
	}
	if old != h.OldLines || new != h.NewLines {
		return nil, errCounts
	}
	return lines, nil
}
