package predicates

import (
	"context"
	"path/filepath"
	"time"

	"github.com/claudewatch/claudewatch/internal/git"
)

var isRecoverable = deletionPredicate(
	"is_recoverable",
	"As is_in_project_tree, and git can bring every target back: committed and unchanged since, no submodule or other repository, and nothing untracked, ignored or modified beneath. It looks at the file system and asks git, within two seconds for all commands of a call; any failure is false.",
	`input.commands.exists(c, c.runs("rm") && !c.is_recoverable(input))`,
	recoverable,
)

// recoverableWithin bounds the time that the answers for one call may take. Each
// command has an equal share of it; where the shares get too small to ask git,
// nothing is recoverable.
const (
	recoverableWithin   = 2 * time.Second
	recoverableCommands = 100
)

func recoverable(d deletion) bool {
	if d.among > recoverableCommands || !inProjectTree(d) {
		return false
	}
	within := d.outermostRoot()
	paths := make([]string, len(d.targets))
	for i, t := range d.targets {
		paths[i] = t.path
		if t.operand[len(t.operand)-1] == '/' {
			paths[i] += string(filepath.Separator) // Clean took it off, and rm heeds it
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), recoverableWithin/time.Duration(d.among))
	defer cancel()
	return git.CheckRestorable(ctx, within, paths) == nil
}

// outermostRoot returns the widest root over the first target, "" when there is none.
func (d deletion) outermostRoot() string {
	outermost := ""
	for _, root := range d.roots {
		if isUnder(d.targets[0].path, root) && (outermost == "" || isUnder(outermost, root)) {
			outermost = root
		}
	}
	return outermost
}
