package engine

import (
	"path/filepath"

	"github.com/claudewatch/claudewatch/internal/compiled"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/claudewatch/claudewatch/watches"
)

// storedUnits returns the rule files of the sources compiled: from the binary, from
// the cache, and where these do not fit from the files.
func storedUnits(sources *config.Sources) []*policy.Unit {
	var units []*policy.Unit
	if len(sources.Given) == 0 {
		units = shippedUnits()
	}
	cache := compiled.Cache{Directory: sources.Environment.Cache(), Program: compiled.Program}
	seen := map[string]bool{}
	for _, l := range sources.Locations() {
		for _, u := range cache.Units(compiled.Location{Path: l.Path, Scope: l.Scope, Read: l.Files}) {
			// A file that is given twice counts once.
			if path := filepath.Clean(u.Path()); l.Scope != policy.Given || !seen[path] {
				seen[path] = true
				units = append(units, u)
			}
		}
	}
	return units
}

// shippedUnits returns the shipped sets. What is stored of them that does not fit the
// rule files is a slip of the build, which a test finds: they are then compiled.
func shippedUnits() []*policy.Unit {
	units, err := compiled.Open(watches.Compiled, watches.FS)
	if err != nil {
		units = compiled.Compile(watches.FS)
	}
	return units
}
