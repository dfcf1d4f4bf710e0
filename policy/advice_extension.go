package policy

// adviseNoExtensions finds a rule about the content of files whose set names no files.
func adviseNoExtensions(r *CompiledRule) []Diagnostic {
	if r.Target != TargetFileContent || r.Pattern == nil || len(r.set.Extensions) > 0 {
		return nil
	}
	return []Diagnostic{r.warn(codeNever, "the rule '"+r.Name+"' looks at no file: give the set its 'extensions', as [.js, .ts]")}
}
