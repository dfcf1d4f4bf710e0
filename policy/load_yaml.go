package policy

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/claudewatch/claudewatch/internal/yamlerror"
)

var yamlUnknownAnchor = regexp.MustCompile(`^unknown anchor '([^']*)' referenced`)

// yamlError turns an error of yaml.v3 into a finding. yaml.v3 names at best a
// line, in the text of its error; the column is the first that is not blank, or
// that of the culprit where the line shows it.
func (l *loader) yamlError(err error) Diagnostic {
	at := Position{1, 1}
	width := 1
	number, message := yamlerror.Place(err, l.source.text)
	if number > 0 {
		at = l.source.shown(number, 1)
		line := l.source.line(at.Line)
		at.Column = runeCount(line) - runeCount(strings.TrimLeft(line, " \t")) + 1
		if indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]; strings.Contains(indent, "\t") {
			at.Column = strings.Index(indent, "\t") + 1
			return l.source.diagnostic(Fault, codeYAML, at, 1, "not YAML: a tab in the indentation, where only spaces may stand")
		}
		width = runeCount(strings.TrimSpace(line))
	} else if m := yamlUnknownAnchor.FindStringSubmatch(message); m != nil {
		message = fmt.Sprintf("no anchor &%s is defined before this alias", m[1])
		alias := regexp.MustCompile(`(?:^|[\s,\[{:-])(\*` + regexp.QuoteMeta(m[1]) + `)(?:$|[\s,\]}])`)
		if i := alias.FindStringSubmatchIndex(l.source.text); i != nil {
			at = l.source.positionAt(utf8.RuneCountInString(l.source.text[:i[2]]))
			width = runeCount(l.source.text[i[2]:i[3]])
		}
	}
	return l.source.diagnostic(Fault, codeYAML, at, width, "not YAML: "+message)
}

// forbiddenCharacter finds the first character that YAML does not allow in a
// file. yaml.v3 refuses it too, without saying where it is.
func (l *loader) forbiddenCharacter(text string) (Diagnostic, bool) {
	offset := 0
	for _, r := range text {
		switch {
		case r == '\t', r == '\n', r == '\r', r >= 0x20 && r < 0x7f, r == 0x85, r >= 0xa0 && r != 0xfffe && r != 0xffff:
		default:
			return l.source.diagnostic(Fault, codeYAML, l.source.positionAt(offset), 1,
				fmt.Sprintf("not YAML: the control character U+%04X may only stand as an escape in double quotes", r)), true
		}
		offset++
	}
	return Diagnostic{}, false
}
