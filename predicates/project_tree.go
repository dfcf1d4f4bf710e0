package predicates

import "slices"

var isInProjectTree = deletionPredicate(
	"is_in_project_tree",
	"A plain rm, alone in its call, whose every target lies strictly under cwd or project_dir. Relative operands count from the directory the command runs in. The root of the file system and the home directory are no project. False for a wrapper like sudo, no operand, a target that is or holds cwd, project_dir or home, a target in .git, and operands with .., ~, $, a backtick or glob characters. As a method it judges one command of a list by itself.",
	`input.commands.exists(c, c.runs("rm") && c.has_flag("-r") && !c.is_in_project_tree(input))`,
	inProjectTree,
)

func inProjectTree(d deletion) bool {
	for _, t := range d.targets {
		if t.path == "" || !slices.ContainsFunc(d.roots, func(root string) bool { return isUnder(t.path, root) }) {
			return false
		}
	}
	return true
}
