package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
)

// sayNamesOfSets says of the paths that name a set, and no file, what to write instead,
// which instead returns.
func sayNamesOfSets(std streams, env config.Environment, paths []string, command string, instead func(set string) string) {
	missing := slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		_, err := os.Lstat(path)
		return err == nil
	})
	if len(missing) == 0 {
		return
	}
	for _, s := range loadedSets(env) {
		if slices.Contains(missing, s.Name) {
			fmt.Fprintf(std.err, "claudewatch: '%s' is the name of a set, and %s takes files and folders; %s\n", s.Name, command, instead(s.Name))
		}
	}
}

func showSet(name string) string { return "for its rules: claudewatch show " + name }

// noRuleFiles refuses paths at which there is nothing to check, which would always be
// fine.
func noRuleFiles(e *engine.Engine, paths []string) error {
	if len(paths) == 0 || len(e.Policy.Sets) > 0 || len(e.Diagnostics()) > 0 {
		return nil
	}
	return fmt.Errorf("there is no rule file in %s: rule files are named NAME.yml", oneLine(strings.Join(paths, ", ")))
}
