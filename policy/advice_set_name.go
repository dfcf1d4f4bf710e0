package policy

import (
	"fmt"
	"strings"
)

// adviseSetName finds a set that is not named like its file, by which people look
// for it.
func adviseSetName(s *Set) []Diagnostic {
	file := baseName(strings.TrimSuffix(s.Path, ".disabled"))
	if s.Name == file {
		return nil
	}
	return []Diagnostic{s.source.diagnostic(Warning, codeName, s.NamePosition, runeCount(s.Name),
		fmt.Sprintf("a set's file is named after it: rename the file to %s.yml, or the set to %s", s.Name, file))}
}
