package git

import (
	"os"
	"path/filepath"
)

// IndexFile returns the path of the index of the working tree whose top is top: that of
// a repository, of a linked worktree or of a submodule. There may be no such file yet.
func IndexFile(top string) (string, error) {
	path := filepath.Join(top, ".git")
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		if path, err = readGitFile(path); err != nil {
			return "", err
		}
	}
	return filepath.Join(path, "index"), nil
}
