package policy

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/claudewatch/claudewatch/internal/lazyregexp"
	"github.com/claudewatch/claudewatch/internal/yamlerror"
)

var yamlUnknownAnchor = lazyregexp.New(`^unknown anchor '([^']*)' referenced`)

// yamlError turns an error of yaml.v3 into a finding. yaml.v3 names at best a
// line, in the text of its error: the culprit is looked for in the file. Where it
// is not found, the line is pointed at as a whole.
func (l *loader) yamlError(err error) Diagnostic {
	number, message := yamlerror.Place(err, l.source.text)
	if m := yamlUnknownAnchor().FindStringSubmatch(message); m != nil {
		return l.unknownAnchor(m[1])
	}
	if cause, ok := yamlerror.Find(l.source.text); ok {
		return l.source.diagnostic(Fault, codeYAML, l.source.positionAt(cause.Offset), cause.Width, "not YAML: "+cause.Message)
	}
	at, width := Position{1, 1}, 1
	if number > 0 {
		at = l.source.shown(number, 1)
		line := l.source.line(at.Line)
		at.Column = runeCount(line) - runeCount(strings.TrimLeft(line, " \t")) + 1
		width = runeCount(strings.TrimSpace(line))
	}
	return l.source.diagnostic(Fault, codeYAML, at, width, "not YAML: "+message)
}

// unknownAnchor reports an alias for which there is no anchor.
func (l *loader) unknownAnchor(name string) Diagnostic {
	at, width := Position{1, 1}, 1
	alias := regexp.MustCompile(`(?:^|[\s,\[{:-])(\*` + regexp.QuoteMeta(name) + `)(?:$|[\s,\]}])`)
	if i := alias.FindStringSubmatchIndex(l.source.text); i != nil {
		at = l.source.positionAt(utf8.RuneCountInString(l.source.text[:i[2]]))
		width = runeCount(l.source.text[i[2]:i[3]])
	}
	return l.source.diagnostic(Fault, codeYAML, at, width,
		fmt.Sprintf("not YAML: no anchor &%s is defined before this alias: put the value in '…' if it is meant as text", name))
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
