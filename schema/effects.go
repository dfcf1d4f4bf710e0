package schema

import (
	"io/fs"
	"path/filepath"
	"strings"
)

// Target is a file that a call would read or change (CEL type Target).
//
// The reader of shell text fills in what the text tells; what the file system
// tells (where a path really leads, which repository it is in) is computed by
// ReadPath and ReadRepo at first use, which their maker wraps in sync.OnceValue.
type Target struct {
	// Lexical is the absolute, clean path by the text alone, no symbolic link
	// followed; "" when it is not resolved.
	Lexical string
	// Raw is the path as written.
	Raw string
	// Pattern is what the shell expands to the names of files, when the path is written
	// as a pattern: absolute and clean; relative when it is not known where it counts
	// from, and then only what stands behind the last part that is not known. "" for
	// another path.
	Pattern string
	// Resolved is false when the path cannot be known without running the command.
	Resolved bool
	// Op is "read", "write", "append", "create", "delete" or "mode".
	Op string
	// Via is "redirect", the program, or the tool.
	Via string
	// Recursive is true when what is beneath the path is meant too.
	Recursive bool
	// Switches are the branch switches of the same text in front of the target.
	Switches []BranchSwitch

	// ReadPath computes what Path returns; nil stands for Lexical.
	ReadPath func() string
	// ReadRepo computes what Repo returns; nil stands for no repository.
	ReadRepo func() *Repo
}

// Path is where the target really lies: absolute and clean, the symbolic links of
// the existing part followed; "" when it is not resolved.
func (t *Target) Path() string {
	if t.ReadPath == nil {
		return t.Lexical
	}
	return t.ReadPath()
}

// Repo is the repository that Path lies in; never nil.
func (t *Target) Repo() *Repo {
	if t.ReadRepo == nil {
		return &Repo{Known: t.Resolved}
	}
	return t.ReadRepo()
}

// Under reports whether the target lies in the directory dir or is dir itself.
// It is false for a target that is not resolved and for a dir that is not absolute.
func (t *Target) Under(dir string) bool {
	path := t.Path()
	if path == "" || !filepath.IsAbs(dir) {
		return false
	}
	dir = filepath.Clean(dir)
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// Change is a file that a call has changed, as the recorder saw it (CEL type Change).
type Change struct {
	// Path is absolute and clean.
	Path string
	// Operation is "create", "modify", "delete" or "type_change".
	Operation string
	// Attribution is "only_this_window", "shared" (another call ran at the same time) or
	// "outside_any_window" (no call covers it).
	Attribution string

	// ReadRepo computes what Repo returns, which its maker wraps in sync.OnceValue; nil
	// stands for a repository that is not known.
	ReadRepo func() *Repo
}

// Repo is the repository that Path lies in, as it is after the call; never nil.
func (c *Change) Repo() *Repo {
	if c.ReadRepo == nil {
		return &Repo{}
	}
	return c.ReadRepo()
}

// GitOp is one git command with the repository it acts on (CEL type GitOp).
type GitOp struct {
	// Verb is the subcommand: commit, push, …
	Verb string
	// Args are the words after the subcommand.
	Args []string
	// Mutates is true when the command changes the repository's branch, index or
	// working tree past a pull request; the verbs are those of the guards.
	Mutates bool
	// Dir is the absolute directory whose repository it acts on; "" when it cannot be known.
	Dir string
	// Switches are the branch switches of the same text in front of the command.
	Switches []BranchSwitch
	// Pushes are the remote branches that a push names: "main", and "HEAD" for the
	// current branch; "*" for all of them.
	Pushes []string
	// Source is the command as written.
	Source string

	// ReadRepo computes what Repo returns; nil stands for a repository that is not known.
	ReadRepo func() *Repo
}

// Repo is the repository the command acts on; never nil.
func (g *GitOp) Repo() *Repo {
	if g.ReadRepo == nil {
		return &Repo{}
	}
	return g.ReadRepo()
}

// Known is false when the repository or its branch cannot be known.
func (g *GitOp) Known() bool { return g.Repo().Known }

// Updates lists the remote branches a push would update: what Pushes says, with
// the current branch in place of HEAD. "*" stands for all of them, and "HEAD" for a
// current branch that cannot be known.
func (g *GitOp) Updates() []string {
	var branches []string
	for _, b := range g.Pushes {
		if b == "HEAD" && g.Known() {
			b = g.Repo().Branch
		}
		if b != "" {
			branches = append(branches, b)
		}
	}
	return branches
}

// BranchSwitch is a `git switch` or `git checkout` of a branch earlier in the same text:
// the repository of Dir is on Branch from there on.
type BranchSwitch struct {
	// Dir is the absolute directory whose repository switches; "" when it cannot be known.
	Dir string
	// Branch is the new branch; "" when its name cannot be known.
	Branch string
	// Detached is true when the switch leaves every branch.
	Detached bool
}

// Repo is the state of a git repository (CEL type Repo).
type Repo struct {
	// Root is the absolute path of the working tree, "" outside a repository.
	Root string
	// Branch is the current branch without refs/heads/, "" when HEAD is detached.
	Branch string
	// Detached is true when HEAD is on no branch.
	Detached bool
	// LinkedWorktree is true in a worktree that `git worktree add` made.
	LinkedWorktree bool
	// Worktrees are the working trees of the repository that a linked worktree belongs
	// to, as git worktree list tells: the main one first unless the repository is bare,
	// at most 256 linked ones. Empty for a repository that is no linked worktree.
	Worktrees []string
	// Known is false when the state cannot be read. Outside a repository it is true.
	Known bool
	// Switched is true when Branch and Detached, or that they are not known, come
	// from a branch switch earlier in the same text.
	Switched bool
	// Files are the files below Root; nil stands for those of the disk.
	Files fs.FS
}
