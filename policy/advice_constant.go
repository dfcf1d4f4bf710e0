package policy

import "github.com/google/cel-go/common/types"

const codeConstant = "constant"

// adviseConstants finds conditions and exemptions that come out the same for
// every call: they do not look at it, or an exemption repeats the pattern.
func adviseConstants(r *CompiledRule) []Diagnostic {
	var all []Diagnostic
	warn := func(s *Scalar, message string) {
		all = append(all, s.diagnostic(Warning, codeConstant, 0, runeCount(s.Text), message))
	}
	for _, root := range partRoots(r.Checked) {
		if !root.part.Verbatim {
			continue
		}
		value, ok := r.constant(root.expr)
		if !ok {
			continue
		}
		switch exemption := root.part.Kind == PartUnless; {
		case exemption && value == types.True:
			warn(root.part.Scalar, "the exemption is always true: the rule never fires")
		case exemption:
			warn(root.part.Scalar, "the exemption can never be true: leave it out")
		case value == types.True:
			warn(root.part.Scalar, "the condition is always true")
		default:
			warn(root.part.Scalar, "the condition can never be true: the rule never fires")
		}
	}
	for _, s := range append([]*Scalar{r.Except}, r.UnlessRegex...) {
		if s != nil && r.Pattern != nil && s.Text == r.Pattern.Text {
			warn(s, "the exemption matches whenever the pattern does: the rule never fires")
		}
	}
	return all
}
