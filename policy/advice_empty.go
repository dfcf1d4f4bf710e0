package policy

const codeEmptyMatch = "empty-match"

// adviseFilter finds a filter that matches the empty string.
func adviseFilter(s *Set) []Diagnostic {
	return adviseEmptyMatch(s.Filter, false, "the filter matches the empty string, so it skips nothing")
}

// adviseEmptyMatches finds regexes of a rule that match the empty string, and with
// it usually every text: a|, x*, (foo)?.
func adviseEmptyMatches(r *CompiledRule) []Diagnostic {
	trailing := r.Target == TargetFileContent
	all := adviseEmptyMatch(r.Pattern, trailing, "the pattern matches the empty string, so it matches every text it is not anchored in")
	all = append(all, adviseEmptyMatch(r.Except, trailing, "the regex matches the empty string, so it exempts every call")...)
	for _, s := range r.UnlessRegex {
		all = append(all, adviseEmptyMatch(s, trailing, "the regex matches the empty string, so it exempts every call")...)
	}
	return all
}

func adviseEmptyMatch(s *Scalar, trailing bool, message string) []Diagnostic {
	if s == nil {
		return nil
	}
	conjuncts, bad := rewriteRegex(s.Text, trailing)
	if bad != nil {
		return nil
	}
	for _, c := range conjuncts {
		if re, err := compiledRegexes.get(c); err != nil || !re.MatchString("") {
			return nil
		}
	}
	return []Diagnostic{s.diagnostic(Warning, codeEmptyMatch, 0, runeCount(s.Text), message)}
}
