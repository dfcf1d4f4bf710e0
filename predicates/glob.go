package predicates

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

var glob = declaration{
	name:    "glob",
	doc:     "The path matches the pattern as a whole: * is any run of characters within one segment, ** any number of segments, ? one character, [a-z] a class, {a,b} a choice. Letter case counts. A malformed pattern is an error.",
	example: `glob(input.path, "/etc/**/*.conf")`,
	overloads: []overload{{
		id:         "glob_string_string",
		parameters: stringParameters(2),
		result:     types.BoolType,
		bind: func(args ...ref.Val) ref.Val {
			path, pattern := text(args[0]), text(args[1])
			if err := ValidGlob(pattern); err != nil {
				return types.WrapErr(err)
			}
			matched, err := doublestar.Match(pattern, filepath.ToSlash(path))
			if err != nil {
				return types.WrapErr(fmt.Errorf("glob pattern %q: %w", pattern, err))
			}
			return types.Bool(matched)
		},
	}},
}

// Bounds of a glob pattern. Choices multiply: every one doubles the work at least.
const (
	maxGlobLength  = 1024
	maxGlobChoices = 6
)

// ValidGlob returns an error that says what is wrong with a pattern of glob, nil
// when it can be used. The checker calls it for literals, glob itself for every pattern.
func ValidGlob(pattern string) error {
	switch {
	case len(pattern) > maxGlobLength:
		return fmt.Errorf("glob pattern of %d bytes is too long: at most %d", len(pattern), maxGlobLength)
	case strings.Count(pattern, "{") > maxGlobChoices:
		return fmt.Errorf("glob pattern %q has more than %d choices {…}: use several globs", pattern, maxGlobChoices)
	case !doublestar.ValidatePattern(pattern):
		return fmt.Errorf("glob pattern %q is malformed: close every [ and {, and escape with \\ what is meant literally", pattern)
	}
	return nil
}
