package predicates

import (
	"fmt"
	"path/filepath"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

var glob = declaration{
	name:    "glob",
	doc:     "The path matches the pattern as a whole: * is any run of characters within one segment, ** alone in a segment any number of segments, ? one character, [a-z] a class, {a,b} a choice. Letter case counts. A malformed pattern is an error.",
	example: `glob(input.path, "/etc/**/*.conf")`,
	overloads: []overload{{
		id:         "glob_string_string",
		parameters: stringParameters(2),
		result:     types.BoolType,
		bind: func(args ...ref.Val) ref.Val {
			matched, err := matchGlob(text(args[0]), text(args[1]))
			if err != nil {
				return types.WrapErr(err)
			}
			return types.Bool(matched)
		},
	}},
}

// Bounds of glob: together they keep the worst pattern within milliseconds.
const (
	maxGlobPath       = 4096 // bytes, the longest path that Linux takes
	maxGlobPattern    = 1024 // bytes
	maxGlobExpansions = 256  // patterns without choices that a pattern stands for
)

func matchGlob(path, pattern string) (bool, error) {
	if len(path) > maxGlobPath {
		return false, fmt.Errorf("glob: a path of %d bytes is too long: at most %d", len(path), maxGlobPath)
	}
	if err := ValidGlob(pattern); err != nil {
		return false, err
	}
	return doublestar.Match(pattern, filepath.ToSlash(path))
}

// ValidGlob returns an error that says what is wrong with a pattern of glob, nil
// when it can be used. The checker calls it for literals, glob itself for every pattern.
func ValidGlob(pattern string) error {
	switch {
	case len(pattern) > maxGlobPattern:
		return fmt.Errorf("glob: a pattern of %d bytes is too long: at most %d", len(pattern), maxGlobPattern)
	case !doublestar.ValidatePattern(pattern):
		return fmt.Errorf("glob: the pattern %q is malformed: close every [ and {, and put \\ before what is meant literally", pattern)
	case globExpansions(pattern) > maxGlobExpansions:
		return fmt.Errorf("glob: the choices {…} of the pattern %q stand for more than %d patterns: use several globs", pattern, maxGlobExpansions)
	}
	return nil
}

// globExpansions returns how many patterns without choices a valid pattern stands
// for: 4 for {a,b}/{c,d}, 3 for {a,{b,c}}. It stops counting beyond maxGlobExpansions.
func globExpansions(pattern string) int {
	// One level per open choice: sum is of its finished alternatives, product of
	// the choices in the one being read.
	type level struct{ sum, product int }
	levels := []level{{0, 1}}
	for i := 0; i < len(pattern); i++ {
		top := &levels[len(levels)-1]
		switch pattern[i] {
		case '\\', '[':
			i = skipped(pattern, i, ofGlob)
		case '{':
			levels = append(levels, level{0, 1})
		case ',':
			top.sum, top.product = top.sum+top.product, 1
		case '}':
			if len(levels) > 1 {
				levels = levels[:len(levels)-1]
				outer := &levels[len(levels)-1]
				outer.product = min(outer.product*(top.sum+top.product), maxGlobExpansions+1)
			}
		}
	}
	return levels[0].product
}
