package policy

// advisePrefilter finds rules that every call makes the hook evaluate: nothing follows
// from their condition that a call must hold.
func advisePrefilter(r *CompiledRule) []Diagnostic {
	if !r.CanMatchAnything() {
		return nil
	}
	return []Diagnostic{r.warn("prefilter", "the rule '"+r.Name+"' can match any call, so that each takes longer: "+
		"ask first for the tool, a program or a word that a match must have")}
}
