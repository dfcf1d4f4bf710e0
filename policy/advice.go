package policy

// advise returns vet's advice about a compiled policy.
func advise(p *Policy, o Options) []Diagnostic {
	return nil
}
