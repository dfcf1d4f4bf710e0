package policy

import (
	"fmt"

	"github.com/claudewatch/claudewatch/internal/lazyregexp"
)

// bareOption is the name of an option without its dash. Two letters are left out:
// operands like those of dd (of=FILE) are found by has_flag too.
var bareOption = lazyregexp.New(`^(?:[A-Za-z]|[a-z][a-z-]*[a-z][a-z])$`)

// adviseFlag finds options that are asked for without their dash.
func adviseFlag(c *Checked) []Diagnostic {
	var all []Diagnostic
	for _, literal := range c.literalArguments("has_flag") {
		text, _ := stringLiteral(literal)
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
