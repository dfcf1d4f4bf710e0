package policy

import "strings"

// adviseRef finds rules without a ref: the reader of a deny wants to read why.
func adviseRef(r *CompiledRule) []Diagnostic {
	if strings.TrimSpace(r.Ref) != "" || r.flawed || r.Checked == nil { // an error comes first
		return nil
	}
	return []Diagnostic{r.warn("ref", "the rule '"+r.Name+"' has no ref: add the page that explains the danger")}
}
