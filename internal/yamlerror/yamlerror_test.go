package yamlerror

import (
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

func TestPlaceCountsLinesFromOne(t *testing.T) {
	for _, c := range []struct {
		name, text string
		line       int
		message    string
	}{
		{"the parser", "a: 1\nb: 2\nc: }\nd: 4\n", 3, "did not find expected node content"},
		{"the scanner", "a: 1\nb: 2\n\tc: 3\n", 3, "found a tab character"},
		{"the scanner in a string", "a: 1\nb: \"\\q\"\n", 2, "found unknown escape character"},
		{"no line", "a: *x\n", 0, "unknown anchor 'x' referenced"},
	} {
		var node yaml.Node
		err := yaml.Unmarshal([]byte(c.text), &node)
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		if line, message := Place(err, c.text); line != c.line || !strings.HasPrefix(message, c.message) {
			t.Errorf("%s: line %d, %q (%v), want line %d, %q", c.name, line, message, err, c.line, c.message)
		}
	}
}
