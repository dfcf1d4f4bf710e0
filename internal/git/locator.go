package git

import (
	"os"
	"path/filepath"
	"sync"

	"github.com/claudewatch/claudewatch/internal/realpath"
	"github.com/claudewatch/claudewatch/schema"
)

// Locator says which repository a path lies in and which branch that is on. It
// remembers what it found, so that one Locator serves one call: many targets, one
// state. The zero value is ready to use, by several goroutines at once.
//
// Files alone are read, as git's own discovery reads them (gitrepository-layout,
// setup.c); no process is started except for a repository whose references are not
// in files. Neither GIT_DIR and its like, nor GIT_CEILING_DIRECTORIES and
// safe.directory, nor the borders of file systems count.
type Locator struct {
	mu    sync.Mutex
	found map[string]*schema.Repo // by directory
}

// Find returns the repository that path lies in, or would lie in once it exists;
// never nil. The path is absolute, symbolic links are followed. The value is
// shared between callers and must not be changed.
//
//   - In a working tree, also of a linked worktree or a submodule, Root is its top.
//   - In a repository's own files (.git/hooks) it is that repository.
//   - In a bare repository Root is the repository itself.
//   - In a directory whose .git is a bare repository Root is "", because no working
//     tree is there; Branch and Detached are that repository's.
//   - Where a .git cannot be read Root is the directory that holds it and Known is
//     false, unless git would pass it over and find another repository above.
//   - Where a directory cannot be looked into Root is "" and Known is false, with the
//     same exception.
//   - Outside all of these Root is "" and Known is true.
func (l *Locator) Find(path string) *schema.Repo {
	_, existing, err := realpath.Follow(path)
	if err != nil {
		return &schema.Repo{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.found == nil {
		l.found = make(map[string]*schema.Repo)
	}
	return l.find(existing)
}

// find returns the repository of dir, whose links are followed: its own, or the one
// its parent lies in.
func (l *Locator) find(dir string) *schema.Repo {
	if repo, ok := l.found[dir]; ok {
		return repo
	}
	repo, isRepository := repositoryAt(dir)
	if !isRepository {
		above := &schema.Repo{Known: true}
		if parent := filepath.Dir(dir); parent != dir {
			above = l.find(parent)
		}
		if repo == nil || above.Root != "" {
			repo = above
		}
	}
	l.found[dir] = repo
	return repo
}

// repositoryAt returns the repository whose working tree, or whose own directory,
// dir is. Where git would look on above it isRepository is false, and repo is what
// to say when nothing is found there; nil when dir has nothing of a repository.
func repositoryAt(dir string) (repo *schema.Repo, isRepository bool) {
	dotGit := filepath.Join(dir, ".git")
	info, err := os.Stat(dotGit)
	switch {
	case err != nil && !isAbsent(err):
		return &schema.Repo{}, false
	case err != nil:
		// No .git in it, but it may be one.
		if g := openGitDirectory(dir); g != nil {
			return g.state(g.workingTree(), true), true
		}
		return nil, false
	case info.Mode().IsRegular():
		// The one form of .git that git never passes over.
		if directory, err := readGitFile(dotGit); err == nil {
			if g := openGitDirectory(directory); g != nil {
				return g.state(dir, !g.isBare()), true
			}
		}
		return &schema.Repo{Root: dir}, true
	case info.IsDir():
		if g := openGitDirectory(dotGit); g != nil {
			return g.state(dir, !g.isBare()), true
		}
	}
	return &schema.Repo{Root: dir}, false
}
