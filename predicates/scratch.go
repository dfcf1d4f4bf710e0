package predicates

import (
	"path/filepath"
	"slices"
)

var isEphemeralScratch = deletionPredicate(
	"is_ephemeral_scratch",
	"A plain rm, alone in its call, whose every target is named .playwright-mcp, __pycache__, .pytest_cache, .mypy_cache or .ruff_cache, wherever it stands. The refusals are those of is_in_project_tree.",
	`input.commands.exists(c, c.runs("rm") && !c.is_ephemeral_scratch(input))`,
	ephemeralScratch,
)

// scratchNames are directories that tools make again whenever they are missing.
var scratchNames = []string{".playwright-mcp", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache"}

func ephemeralScratch(d deletion) bool {
	for _, t := range d.targets {
		if !slices.Contains(scratchNames, filepath.Base(t.operand)) {
			return false
		}
	}
	return true
}
