package script

import (
	"maps"
	"strings"
)

// importedNames are the names that a program gives to modules and functions.
type importedNames struct {
	full     map[string]string // the full names
	imported []string          // the full names of what it imports
}

// newNames returns names that begin with those of a language.
func newNames(known map[string]string) importedNames {
	n := importedNames{full: map[string]string{}}
	maps.Copy(n.full, known)
	return n
}

func (n *importedNames) set(alias, full string) {
	if full != "" {
		n.full[alias] = full
	}
}

// isImported reports that a path begins with a name that stands for another.
func (n *importedNames) isImported(path string) bool {
	first, _, _ := strings.Cut(path, ".")
	_, ok := n.full[first]
	return ok
}

// fullName returns the full name that a path of names stands for.
func (n *importedNames) fullName(path string) string {
	first, rest, dotted := strings.Cut(path, ".")
	if full, ok := n.full[first]; ok {
		first = full
	}
	if dotted {
		return first + "." + rest
	}
	return first
}
