package predicates

import (
	"path/filepath"
	"strings"

	"github.com/claudewatch/claudewatch/internal/realpath"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

var under = declaration{
	name:    "under",
	doc:     "The path lies strictly beneath the directory. Both are cleaned first (.. and . are resolved by their text, symbolic links are not followed). False unless both are absolute. A target lies beneath the directory, or is the directory itself, where it really is: the symbolic links of both are followed. False for a target that is not resolved.",
	example: `input.path.under(input.project_dir)`,
	overloads: []overload{{
		id:         "string_under_string",
		member:     true,
		parameters: stringParameters(2),
		result:     types.BoolType,
		bind: func(args ...ref.Val) ref.Val {
			path, dir := text(args[0]), text(args[1])
			if !filepath.IsAbs(path) || !filepath.IsAbs(dir) {
				return types.False
			}
			return types.Bool(isUnder(filepath.Clean(path), filepath.Clean(dir)))
		},
	}, {
		id:         "target_under_string",
		member:     true,
		parameters: []*types.Type{schema.TargetType, types.StringType},
		result:     types.BoolType,
		bind: func(args ...ref.Val) ref.Val {
			t, ok := schema.TargetOf(args[0])
			if !ok {
				return types.MaybeNoSuchOverloadErr(args[0])
			}
			return types.Bool(isTargetUnder(t, text(args[1])))
		},
	}},
}

// isTargetUnder compares real paths: with /tmp a link to /private/tmp, a target in
// it is at /private/tmp and a rule still says /tmp.
func isTargetUnder(t *schema.Target, dir string) bool {
	if t.Under(dir) {
		return true
	}
	real, _, err := realpath.Follow(dir)
	return err == nil && t.Under(real)
}

// isUnder reports whether path lies strictly beneath dir; both are absolute and clean.
func isUnder(path, dir string) bool { return path != dir && isAtOrUnder(path, dir) }

// isAtOrUnder reports whether path is dir or lies beneath it; both are absolute and clean.
func isAtOrUnder(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == filepath.Separator || dir[len(dir)-1] == filepath.Separator)
}
