package changes

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/claudewatch/claudewatch/internal/changes/scan"
)

// lineWriter writes a line of a journal. The first error stays.
type lineWriter struct {
	buffer *bufio.Writer
	size   int64
	err    error
}

// write writes a line, with its line feed, and returns how many bytes it is. The
// differences of its steps may be many: they are never in memory together as text.
func (l journalLine) write(to io.Writer) (size int64, err error) {
	w := &lineWriter{buffer: bufio.NewWriterSize(to, 32<<10)}
	steps := l.Steps
	l.Steps = nil
	w.begin(l)
	for i, st := range steps {
		switch {
		case i > 0:
			w.text(",")
		case w.size > 1:
			w.text(`,"steps":[`)
		default:
			w.text(`"steps":[`)
		}
		w.step(st)
	}
	if len(steps) > 0 {
		w.text("]")
	}
	w.text("}\n")
	return w.size, errors.Join(w.err, w.buffer.Flush())
}

func (w *lineWriter) step(st *step) {
	short := *st
	short.Differences, short.Refreshed = nil, nil
	w.begin(short)
	w.differences(`,"differences":[`, st.Differences)
	w.differences(`,"refreshed":[`, st.Refreshed)
	w.text("}")
}

func (w *lineWriter) differences(begin string, list []scan.Difference) {
	for i := range list {
		w.text(begin)
		text, err := json.Marshal(list[i])
		w.fail(err)
		w.text(string(text))
		if begin = ","; i == len(list)-1 {
			w.text("]")
		}
	}
}

// begin writes an object but for its end.
func (w *lineWriter) begin(object any) {
	text, err := json.Marshal(object)
	w.fail(err)
	w.text(strings.TrimSuffix(string(text), "}"))
}

func (w *lineWriter) text(text string) {
	n, err := w.buffer.WriteString(text)
	w.size += int64(n)
	w.fail(err)
}

func (w *lineWriter) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}
