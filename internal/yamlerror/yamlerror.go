// Package yamlerror reads the place out of the errors of gopkg.in/yaml.v3, which
// tells it in their text alone.
package yamlerror

import (
	"strconv"
	"strings"

	"github.com/claudewatch/claudewatch/internal/lazyregexp"
)

var withLine = lazyregexp.New(`^yaml: line (\d+): `)

// parserError is how the errors of yaml.v3's parser begin, which counts lines
// from 0; its scanner counts them from 1 (func fail in its decode.go).
const parserError = "did not find expected "

// tabError is how the error about a tab in the indentation begins. Its line is that
// of the mapping or list around it.
const tabError = "found a tab character"

var tabIndent = lazyregexp.New(`^ *\t`)

// Place returns the line of text that an error of parsing it is about, counted
// from 1, and the message without the line; the line is 0 when the error names none.
func Place(err error, text string) (line int, message string) {
	message = err.Error()
	m := withLine().FindStringSubmatch(message)
	if m == nil {
		return 0, strings.TrimPrefix(message, "yaml: ")
	}
	line, _ = strconv.Atoi(m[1])
	message = message[len(m[0]):]
	switch {
	case strings.HasPrefix(message, parserError):
		line++
	case strings.HasPrefix(message, tabError):
		lines := strings.Split(text, "\n")
		for i := max(line-1, 0); i < len(lines); i++ {
			if tabIndent().MatchString(lines[i]) {
				return i + 1, message
			}
		}
	}
	return line, message
}
