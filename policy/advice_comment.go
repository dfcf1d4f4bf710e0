package policy

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

const codeComment = "comment"

// adviseComments finds values without quotes that YAML cuts off at a " #".
func adviseComments(r *CompiledRule) []Diagnostic {
	var all []Diagnostic
	for _, s := range slices.Concat([]*Scalar{r.Pattern, r.When, r.Except}, r.UnlessRegex) {
		if s == nil || s.style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			continue
		}
		end := s.At(runeCount(s.Text))
		rest := []rune(s.source.line(end.Line))
		rest = rest[min(end.Column-1, len(rest)):]
		comment := strings.TrimLeft(string(rest), " \t")
		if blanks := len(rest) - runeCount(comment); blanks > 0 && strings.HasPrefix(comment, "#") {
			all = append(all, s.source.diagnostic(Warning, codeComment, Position{end.Line, end.Column + blanks}, runeCount(comment),
				"YAML takes this for a comment: put the value in '…' if it belongs to it, or the comment on a line of its own"))
		}
	}
	return all
}
