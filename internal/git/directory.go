package git

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/claudewatch/claudewatch/internal/regular"
	"github.com/claudewatch/claudewatch/schema"
)

// maxStateFile bounds the size in bytes of .git files, references and HEAD, which
// hold one line; maxConfigFile that of a repository's configuration.
const (
	maxStateFile  = 16 << 10
	maxConfigFile = 1 << 20
)

// gitDirectory is the directory of a repository's own files: .git, a bare
// repository, .git/worktrees/NAME of a linked worktree or .git/modules/NAME of a
// submodule.
type gitDirectory struct {
	path string
	// common holds what linked worktrees share: branches and configuration. For
	// others it is path.
	common string
	head   head
}

// openGitDirectory returns nil when path is not what git takes for a repository:
// HEAD can be read and means something, and there are objects and refs.
func openGitDirectory(path string) *gitDirectory {
	h, err := readHEAD(path)
	if err != nil {
		return nil
	}
	g := &gitDirectory{path: path, common: path, head: h}
	common, err := readLine(filepath.Join(path, "commondir"))
	switch {
	case err == nil && filepath.IsAbs(common):
		g.common = filepath.Clean(common)
	case err == nil:
		g.common = filepath.Join(path, common)
	case !isAbsent(err):
		return nil
	}
	if !isDirectory(filepath.Join(g.common, "objects")) || !isDirectory(filepath.Join(g.common, "refs")) {
		return nil
	}
	return g
}

// state returns the repository with the working tree root. Where inTree is false
// there is none: Root is "" then.
func (g *gitDirectory) state(root string, inTree bool) *schema.Repo {
	repo := &schema.Repo{LinkedWorktree: g.common != g.path}
	if inTree {
		repo.Root = root
	}
	if repo.LinkedWorktree {
		repo.Worktrees = g.workingTrees()
	}
	h, err := g.resolve(g.head)
	if err == nil && h.isElsewhere() {
		h, err = askHEAD(root)
	}
	if err != nil {
		return repo
	}
	repo.Known = true
	repo.Branch = h.branch()
	repo.Detached = repo.Branch == ""
	return repo
}

// isBare reports whether the repository has no working tree of its own. A linked
// worktree of a bare repository has one.
func (g *gitDirectory) isBare() bool {
	return g.common == g.path && isTrue(g.configuration()["bare"])
}

// workingTree returns the top of the working tree whose repository g is, or the
// repository's own directory when it has none or does not say where.
func (g *gitDirectory) workingTree() string {
	if g.common != g.path {
		// The path of the worktree's .git file; relative since git 2.48.
		if file, err := readLine(filepath.Join(g.path, "gitdir")); err == nil {
			return realTree(filepath.Dir(joined(g.path, file)))
		}
		return g.path
	}
	configuration := g.configuration()
	switch tree := configuration["worktree"]; {
	case isTrue(configuration["bare"]):
		return g.path
	case tree != "":
		return realTree(joined(g.path, tree))
	case filepath.Base(g.path) == ".git":
		return filepath.Dir(g.path)
	}
	return g.path
}

// maxWorktrees bounds how many linked worktrees of a repository are listed.
const maxWorktrees = 256

// workingTrees returns the working trees of the repository whose linked worktree g
// is: the main one, unless the repository is bare, and the linked ones by the names
// that git has given them. What cannot be read is left out.
func (g *gitDirectory) workingTrees() []string {
	main := &gitDirectory{path: g.common, common: g.common}
	var trees []string
	if !main.isBare() {
		trees = append(trees, main.workingTree())
	}
	worktrees := filepath.Join(g.common, "worktrees")
	if !isDirectory(worktrees) {
		return trees
	}
	// It may be a pipe by now, whose open would wait for a writer.
	dir, err := os.OpenFile(worktrees, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return trees
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(maxWorktrees) // beside an error is what was read
	slices.Sort(names)
	for _, name := range names {
		linked := &gitDirectory{path: filepath.Join(worktrees, name), common: g.common}
		if tree := linked.workingTree(); tree != linked.path {
			trees = append(trees, tree)
		}
	}
	return trees
}

// realTree returns tree with its links followed, as roots found from a path in the
// tree have them.
func realTree(tree string) string {
	if real, err := filepath.EvalSymlinks(tree); err == nil {
		return real
	}
	return tree
}

// configuration returns the keys of the section core, in lower case. Included
// files and the configuration of a single worktree are not read.
func (g *gitDirectory) configuration() map[string]string {
	content, err := regular.ReadFile(filepath.Join(g.common, "config"), maxConfigFile)
	if err != nil {
		return nil
	}
	return parseCore(string(content))
}

// readGitFile returns the directory that a file .git names (gitfile in
// gitrepository-layout(5)).
func readGitFile(path string) (string, error) {
	content, err := regular.ReadFile(path, maxStateFile)
	if err != nil {
		return "", err
	}
	named, err := parseGitFile(string(content))
	if err != nil {
		return "", err
	}
	return joined(filepath.Dir(path), named), nil
}

var errGitFile = errors.New("no line \"gitdir: PATH\"")

// parseGitFile reads "gitdir: PATH" and returns the path as written.
func parseGitFile(content string) (string, error) {
	path, ok := strings.CutPrefix(strings.TrimRight(content, "\r\n"), "gitdir: ")
	if !ok || path == "" || strings.ContainsAny(path, "\x00\n") {
		return "", errGitFile
	}
	return path, nil
}

// readLine returns the content of a file without the end of its line.
func readLine(path string) (string, error) {
	content, err := regular.ReadFile(path, maxStateFile)
	return strings.TrimRight(string(content), "\r\n"), err
}

// joined returns path, which counts from dir when it is relative.
func joined(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// isAbsent reports whether an error says that nothing is there.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
