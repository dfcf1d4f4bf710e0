package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/claudewatch/claudewatch/internal/safetext"
)

// What several subcommands print with.

// shownWidth is how many runes of a command, a script or a message are shown.
const shownWidth = 160

// oneLine makes text of the call or of a rule fit for one line of a terminal.
func oneLine(text string) string { return safetext.Line(text, shownWidth) }

// wrap breaks text into lines of at most width characters, between words.
func wrap(text string, width int) string { return safetext.Wrap(text, width) }

// indent puts by before every line.
func indent(text, by string) string { return by + strings.ReplaceAll(text, "\n", "\n"+by) }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// optional is text behind its label, "" for no text.
func optional(label, text string) string {
	if text == "" {
		return ""
	}
	return label + text
}

// or is text, or what stands for none.
func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// output is standard output, which is done after its first error and keeps it: who
// prints need not look at it, run does.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (n int, err error) {
	if o.err == nil {
		n, o.err = o.Writer.Write(p)
	}
	return n, o.err
}

// underlying is the file behind an output.
func underlying(w io.Writer) io.Writer {
	if o, ok := w.(*output); ok {
		return o.Writer
	}
	return w
}

// writeJSON writes a value for programs, indented.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
