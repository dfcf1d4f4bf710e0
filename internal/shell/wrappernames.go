package shell

import (
	"slices"
	"strings"
)

// printsAlone are wrappers that do something of their own without a command: env
// prints the environment.
var printsAlone = []string{"env"}

// WrapperNames returns the programs that are taken off the command they run and do
// hardly anything without one, in sorted order: what they run is listed in their
// place, with them among its wrappers.
func WrapperNames() []string {
	var names []string
	for _, r := range launchers {
		name, l := r.name, r.about
		if !strings.Contains(name, " ") && !l.listed && !l.remote && !l.group && !l.stdin && !slices.Contains(printsAlone, name) {
			names = append(names, name)
		}
	}
	for _, r := range sameLauncher {
		if slices.Contains(names, r.about) {
			names = append(names, r.name)
		}
	}
	slices.Sort(names)
	return names
}
