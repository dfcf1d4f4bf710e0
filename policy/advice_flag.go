package policy

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/claudewatch/claudewatch/internal/lazyregexp"
)

// bareOption is the name of an option without its dash. Two letters are left out:
// operands like those of dd (of=FILE) are found by has_flag too.
var bareOption = lazyregexp.New(`^(?:[A-Za-z]|[a-z][a-z-]*[a-z][a-z])$`)

// adviseFlag finds options that are asked for without their dash, or several as one.
func adviseFlag(c *Checked) []Diagnostic {
	var all []Diagnostic
	for _, literal := range c.literalArguments("has_flag", "option", "option_values") {
		text, _ := stringLiteral(literal)
		if fields := strings.Fields(text); len(fields) > 1 && strings.HasPrefix(text, "-") {
			quoted := make([]string, len(fields))
			for i, f := range fields {
				quoted[i] = strconv.Quote(f)
			}
			all = append(all, c.advise(codeNever, literal, fmt.Sprintf("this is one option with a space: ask for each, as c.has_flag(%s) for any of them", strings.Join(quoted, ", ")))...)
			continue
		}
		if !bareOption().MatchString(text) {
			continue
		}
		dashes := "--"
		if len(text) == 1 {
			dashes = "-"
		}
		all = append(all, c.advise(codeNever, literal, fmt.Sprintf("an option starts with -: did you mean %q?", dashes+text))...)
	}
	return all
}
