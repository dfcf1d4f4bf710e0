package shell

import (
	"path"
	"strings"
)

// gitTargets lists the files that git's subcommands write and delete: the paths they
// are given, or the worktree; and those of their output options.
func (u *fileUser) gitTargets(*fileUse) {
	if u.args.subWord < 0 {
		return
	}
	g := newGitCommand(u)
	if g.showsHelp() {
		return
	}
	switch g.verb {
	case "checkout":
		g.checkoutTargets()
	case "restore":
		if !g.has("-S", "--staged") || g.has("-W", "--worktree") {
			g.addPaths(opWrite, append(g.operands, g.paths...), true)
		}
	case "rm":
		if !g.has("--cached", "-n", "--dry-run") {
			g.addPaths(opDelete, append(g.operands, g.paths...), g.has("-r"))
		}
	case "mv":
		if !g.has("-n", "--dry-run") {
			g.operands = append(g.operands, g.paths...)
			g.fileUser.operands = g.operands
			g.moveTargets(nil)
		}
	case "clean":
		g.cleanTargets()
	case "apply":
		g.applyTargets()
	case "config":
		g.configTargets()
	case "clone", "init":
		g.newRepository()
	case "archive", "diff", "log", "show", "diff-tree", "diff-index", "diff-files", "whatchanged", "shortlog", "reflog":
		g.addAll(opWrite, g.values("--output"), false)
		if g.verb == "archive" {
			g.addAll(opWrite, g.values("-o"), false)
		}
	case "format-patch":
		g.formatPatchTargets()
	case "bundle":
		if len(g.operands) > 1 && g.operands[0].text == "create" {
			g.add(opWrite, g.operands[1], false)
		}
	}
}

// addPaths lists pathspecs. One that begins with a colon is a pattern of git's own
// and stands for the worktree.
func (g *gitCommand) addPaths(op string, paths []field, recursive bool) {
	for _, f := range paths {
		if strings.HasPrefix(f.text, ":") && f.known {
			worktree := literalField(".")
			worktree.text = f.text
			g.add(op, worktree, recursive)
			continue
		}
		g.add(op, f, recursive)
	}
}

// checkoutTargets lists the files that git checkout restores.
func (g *gitCommand) checkoutTargets() {
	if !g.isOfPaths() {
		return
	}
	paths := g.paths
	if !g.hasDashes && len(g.operands) > 0 {
		paths = g.operands
		if len(paths) > 1 && !isPathspec(paths[0]) {
			paths = paths[1:] // the tree to take them from
		}
	}
	if len(paths) == 0 {
		g.addDir(opWrite, true)
		return
	}
	g.addPaths(opWrite, paths, true)
}

// cleanTargets lists what git clean deletes. It refuses to without -f.
func (g *gitCommand) cleanTargets() {
	if !g.has("-f", "--force", "-i", "--interactive") || g.has("-n", "--dry-run") {
		return
	}
	paths := append(g.operands, g.paths...)
	if len(paths) == 0 {
		g.addDir(opDelete, true)
		return
	}
	g.addPaths(opDelete, paths, true)
}

// applyTargets lists the worktree that git apply patches.
func (g *gitCommand) applyTargets() {
	g.addAll(opRead, append(g.operands, g.paths...), false)
	if g.onlyReports() || g.has("--cached") {
		return
	}
	if dir, ok := g.value("--directory"); ok {
		g.add(opWrite, dir, true)
		return
	}
	g.addDir(opWrite, true)
}

// configTargets lists the configuration that git config changes.
func (g *gitCommand) configTargets() {
	op := opWrite
	if !g.setsConfig() {
		op = opRead
	}
	files := g.values("-f", "--file")
	switch {
	case len(files) > 0:
		g.addAll(op, files, false)
	case op == opRead:
	case g.has("--global"):
		name := field{value: value{text: "~/.gitconfig"}}
		if home := g.walk.context.Home; home != "" {
			name = literalField(path.Join(home, ".gitconfig"))
		}
		g.add(op, name, false)
	case g.has("--system"):
		g.addPath(op, "/etc/gitconfig", false)
	default:
		g.addPath(op, ".git/config", false)
	}
}

// setsConfig reports whether git config changes something.
func (g *gitCommand) setsConfig() bool {
	if g.has("--unset", "--unset-all", "--add", "--replace-all", "--rename-section", "--remove-section", "-e", "--edit") {
		return true
	}
	if g.has("-l", "--list", "--get", "--get-all", "--get-regexp", "--get-urlmatch", "--get-color", "--get-colorbool") || len(g.operands) == 0 {
		return false
	}
	switch g.operands[0].text {
	case "set", "unset", "edit", "rename-section", "remove-section":
		return true
	case "get", "list":
		return false
	}
	return len(g.operands) > 1
}

// newRepository lists the directory that git clone or git init makes.
func (g *gitCommand) newRepository() {
	operands := append(g.operands, g.paths...)
	if g.verb == "clone" {
		if len(operands) == 0 {
			return
		}
		if len(operands) == 1 {
			g.addClone(operands[0])
			return
		}
		operands = operands[1:]
	}
	if len(operands) == 0 {
		g.addDir(opCreate, false)
		return
	}
	g.add(opCreate, operands[0], false)
}

// addClone lists the directory that git clone names after the repository.
func (g *gitCommand) addClone(repository field) {
	name := strings.TrimSuffix(strings.TrimRight(repository.text, "/"), "/.git")
	if _, behind := cutLast(name, ":"); behind != "" {
		name = behind
	}
	name = strings.TrimSuffix(path.Base(name), ".git")
	if !repository.known || !repository.literal || fileNameOf(name) == "" {
		g.addUnknown(opCreate, repository.text, false)
		return
	}
	g.addPath(opCreate, name, false)
}

// formatPatchTargets lists the directory that git format-patch writes to.
func (g *gitCommand) formatPatchTargets() {
	if g.has("--stdout") {
		return
	}
	if dirs := g.values("-o", "--output-directory"); len(dirs) > 0 {
		g.addAll(opWrite, dirs, true)
		return
	}
	if files := g.values("--output"); len(files) > 0 {
		g.addAll(opWrite, files, false)
		return
	}
	g.addDir(opWrite, false)
}
