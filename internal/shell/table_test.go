package shell

import "testing"

// Of a name that stood twice in a table only the first row would count.
func TestNoNameStandsTwiceInATable(t *testing.T) {
	check(t, "launchers", launchers)
	check(t, "sameLauncher", sameLauncher)
	check(t, "sameGrammar", sameGrammar)
	check(t, "cmdlets", cmdlets)
	check(t, "cmdletAliases", cmdletAliases)
	check(t, "embeddedIn", embeddedIn)
	check(t, "sameEmbedded", sameEmbedded)
	check(t, "escapesOf", escapesOf)
	check(t, "filters", filters)
	check(t, "gitTextOptions", gitTextOptions)
	check(t, "interpreters", interpreters)
	check(t, "compressed", compressed)
	check(t, "targetCalls", targetCalls)
	checkGrammars(t, "programs", programs)
}

func check[T any](t *testing.T, where string, rows table[T]) {
	t.Helper()
	seen := map[string]bool{}
	for _, r := range rows {
		if r.name == "" || seen[r.name] {
			t.Errorf("%s: %q stands twice, or is no name", where, r.name)
		}
		seen[r.name] = true
	}
}

func checkGrammars(t *testing.T, where string, rows table[grammar]) {
	t.Helper()
	check(t, where, rows)
	for _, r := range rows {
		checkGrammars(t, where+"/"+r.name, r.about.subcommands)
	}
}
