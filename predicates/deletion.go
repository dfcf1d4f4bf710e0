package predicates

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// deletion is what a plain rm would delete.
type deletion struct {
	targets []target
	roots   []string // the project's: cwd and project_dir, where they can serve as one
	among   int      // how many commands the call has, this one included
}

// target is one operand of a plain rm.
type target struct {
	operand string // as given, unquoted
	path    string // absolute and clean; "" for a relative operand in an unknown directory
}

// deletionPredicate declares a predicate about plain deletions: is_…(input) judges
// a call that is nothing but one plain rm, c.is_…(input) judges one command.
func deletionPredicate(name, doc, example string, holds func(deletion) bool) declaration {
	judge := func(in *schema.Input, c *schema.Command) ref.Val {
		d, ok := plainDeletion(in, c)
		return types.Bool(ok && holds(d))
	}
	return declaration{
		name: name, doc: doc, example: example,
		overloads: []overload{
			{
				id:         name + "_input",
				parameters: []*types.Type{schema.InputType},
				result:     types.BoolType,
				bind: func(args ...ref.Val) ref.Val {
					in, ok := schema.InputOf(args[0])
					if !ok {
						return types.MaybeNoSuchOverloadErr(args[0])
					}
					effects := in.Effects()
					if !effects.Parsed || effects.Compound || len(effects.Commands) != 1 {
						return types.False
					}
					return judge(in, effects.Commands[0])
				},
			},
			commandOverload("command_"+name+"_input", []*types.Type{schema.InputType}, types.BoolType,
				func(c *schema.Command, args []ref.Val) ref.Val {
					in, ok := schema.InputOf(args[0])
					if !ok {
						return types.MaybeNoSuchOverloadErr(args[0])
					}
					return judge(in, c)
				}),
		},
	}
}

// plainDeletion returns what c deletes, and false when c is no plain rm or has an
// operand that cannot be trusted to name one path: every refusal that the deletion
// predicates share. It reads words only and never looks at the file system.
func plainDeletion(in *schema.Input, c *schema.Command) (deletion, bool) {
	if !isPlainRemove(in, c) || len(c.Operands) == 0 {
		return deletion{}, false
	}
	d := deletion{roots: projectRoots(in), among: max(1, len(in.Effects().Commands))}
	for _, operand := range c.Operands {
		path, ok := resolveOperand(operand, c.Dir)
		if !ok || hasGitSegment(path) || hasGitSegment(operand) {
			return deletion{}, false
		}
		for _, keep := range []string{in.Cwd, in.ProjectDir, in.Home} {
			if path != "" && filepath.IsAbs(keep) && holdsPath(path, filepath.Clean(keep)) {
				return deletion{}, false
			}
		}
		d.targets = append(d.targets, target{operand: operand, path: path})
	}
	return d, true
}

// isPlainRemove reports whether c is rm and nothing around it changes what it does
// or where: no wrapper (sudo, xargs, env -C), no assignment, no function of that
// name, and no redirection that writes a file. rm in PowerShell is another command.
func isPlainRemove(in *schema.Input, c *schema.Command) bool {
	return c.Program == "rm" && in.Tool != "PowerShell" &&
		!c.Remote && !c.Function && len(c.Wrappers) == 0 && len(c.Env) == 0 &&
		!slices.ContainsFunc(c.Redirects, writesFile)
}

// holdsPath reports whether deleting target deletes path, also on a file system
// that takes upper and lower case for the same.
func holdsPath(target, path string) bool {
	return isAtOrUnder(strings.ToLower(path), strings.ToLower(target))
}

// writesFile reports whether a redirection ("2>> log", "2>& 1") writes a file.
func writesFile(redirect string) bool {
	operator, word, _ := strings.Cut(redirect, " ")
	if !strings.Contains(operator, ">") || word == "/dev/null" {
		return false
	}
	descriptor := strings.Trim(word, "0123456789") == "" || word == "-"
	return !(strings.HasSuffix(operator, "&") && descriptor)
}

// projectRoots returns the directories a deletion may happen under. The root of
// the file system and the home directory hold more than a project.
func projectRoots(in *schema.Input) []string {
	var roots []string
	for _, dir := range []string{in.Cwd, in.ProjectDir} {
		if !filepath.IsAbs(dir) {
			continue
		}
		dir = filepath.Clean(dir)
		isTop := filepath.Dir(dir) == dir
		isHome := in.Home != "" && strings.EqualFold(dir, filepath.Clean(in.Home))
		if !isTop && !isHome {
			roots = append(roots, dir)
		}
	}
	return roots
}

// resolveOperand returns the path an operand names in dir, "" when the operand is
// relative and dir is unknown, and false when the shell could make other words of it
// or it climbs. Words come unquoted, so that a quoted '$x' is refused as well.
func resolveOperand(operand, dir string) (path string, ok bool) {
	if operand == "" || strings.ContainsAny(operand, "~$`*?[]{}<>\x00") || hasExtendedGlob(operand) ||
		operand[0] == '=' || // zsh: the path of a program
		slices.Contains(segments(operand), "..") {
		return "", false
	}
	switch {
	case filepath.IsAbs(operand):
		return filepath.Clean(operand), true
	case operand[0] == '/' || operand[0] == '\\' || filepath.VolumeName(operand) != "":
		// Windows: relative to a drive, or a path of the shell's own tree like /c/Users.
		return "", false
	case !filepath.IsAbs(dir):
		return "", true
	}
	return filepath.Join(dir, operand), true
}

// hasExtendedGlob reports a pattern like !(keep), which bash reads with extglob;
// those that begin with ? or * are refused as globs anyway.
func hasExtendedGlob(operand string) bool {
	return strings.Contains(operand, "!(") || strings.Contains(operand, "@(") || strings.Contains(operand, "+(")
}

// hasGitSegment reports whether path names a repository's own directory or
// something in it, by any spelling that a file system may take for .git.
func hasGitSegment(path string) bool {
	return slices.ContainsFunc(segments(path), func(segment string) bool {
		return strings.EqualFold(strings.TrimRight(segment, ". "), ".git")
	})
}

// segments splits path at slashes and backslashes, whatever the platform.
func segments(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
}
