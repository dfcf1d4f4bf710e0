package predicates

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/claudewatch/claudewatch/internal/regular"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// withinRepository is what the functions of this file say about their paths.
const withinRepository = " The path counts from the root of the repository, which is \".\"; one that is absolute, has a .. segment or leads out of the repository through a symbolic link is never found, nor is anything outside a repository."

var repoHasPath = declaration{
	name:    "has_path",
	doc:     "Something lies at the path in the repository." + withinRepository,
	example: `input.writes.exists(t, t.repo.has_path(".bounded"))`,
	overloads: []overload{repoOverload("repo_has_path_string", types.BoolType, func(repo *schema.Repo, name string) ref.Val {
		if repo.Files != nil {
			_, err := fs.Stat(repo.Files, named(name))
			return types.Bool(err == nil)
		}
		_, ok := within(repo.Root, name)
		return types.Bool(ok)
	})},
}

var repoRead = declaration{
	name:    "read",
	doc:     "The content of a file in the repository; empty unless it is a regular file of at most 1 MiB in UTF-8." + withinRepository,
	example: `input.writes.exists(t, t.repo.read(".claude/code-paths").contains("src/"))`,
	overloads: []overload{repoOverload("repo_read_string", types.StringType, func(repo *schema.Repo, name string) ref.Val {
		if repo.Files != nil {
			content, _ := fs.ReadFile(repo.Files, named(name))
			return types.String(content)
		}
		return types.String(readWithin(repo.Root, name))
	})},
}

var repoFiles = declaration{
	name:    "files",
	doc:     "The regular files directly in a directory of the repository, as sorted paths from the root; of a directory with more than 2048 entries some 2048 are looked at." + withinRepository,
	example: `input.writes.exists(t, t.repo.files("docs/plans").exists(f, f.endsWith(".md")))`,
	overloads: []overload{repoOverload("repo_files_string", types.NewListType(types.StringType), func(repo *schema.Repo, name string) ref.Val {
		if repo.Files != nil {
			return types.NewStringList(types.DefaultTypeAdapter, filesOf(repo.Files, named(name)))
		}
		return types.NewStringList(types.DefaultTypeAdapter, filesWithin(repo.Root, name))
	})},
}

// Bounds of what is looked at in a repository.
const (
	maxRepositoryFile    = 1 << 20 // bytes
	maxRepositoryEntries = 2048    // of one directory
)

// repoOverload declares a method of Repo with a path.
func repoOverload(id string, result *types.Type, bind func(repo *schema.Repo, name string) ref.Val) overload {
	return overload{
		id:         id,
		member:     true,
		parameters: []*types.Type{schema.RepoType, types.StringType},
		result:     result,
		bind: func(args ...ref.Val) ref.Val {
			repo, ok := schema.RepoOf(args[0])
			if !ok {
				return types.MaybeNoSuchOverloadErr(args[0])
			}
			return bind(repo, text(args[1]))
		},
	}
}

// named returns the clean form of a path in a repository; "" for one that leads out of
// it or has a .. segment.
func named(name string) string {
	if !filepath.IsLocal(name) || slices.Contains(strings.Split(filepath.ToSlash(name), "/"), "..") {
		return ""
	}
	return path.Clean(filepath.ToSlash(name))
}

// filesOf returns the regular files directly in a directory of a repository that
// brings its files.
func filesOf(files fs.FS, dir string) []string {
	entries, _ := fs.ReadDir(files, dir) // nothing where there is none
	var regular []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			regular = append(regular, path.Join(dir, e.Name()))
		}
	}
	return regular
}

// within returns the real path of what lies at name below root. It reports false
// when there is nothing or it is not below root.
func within(root, name string) (string, bool) {
	if !filepath.IsAbs(root) || named(name) == "" {
		return "", false
	}
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", false
	}
	real, err := filepath.EvalSymlinks(filepath.Join(root, name))
	return real, err == nil && isAtOrUnder(real, root)
}

// readWithin returns the text of the file at name below root, "" when it has none.
func readWithin(root, name string) string {
	file, ok := within(root, name)
	if !ok {
		return ""
	}
	content, err := regular.ReadFile(file, maxRepositoryFile)
	if err != nil || !utf8.Valid(content) {
		return ""
	}
	return string(content)
}

// filesWithin returns the regular files directly in the directory at name below
// root. A symbolic link counts as what it leads to. Names that are not in UTF-8 are
// left out: no rule could ask about them.
func filesWithin(root, name string) []string {
	dir, ok := within(root, name)
	if !ok || !isDirectory(dir) {
		return nil
	}
	// The directory may be a pipe by now, whose open would wait for a writer.
	file, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer file.Close()
	entries, _ := file.ReadDir(maxRepositoryEntries) // beside an error is what was read
	var files []string
	for _, e := range entries {
		relative := path.Join(filepath.ToSlash(name), e.Name())
		if utf8.ValidString(relative) && isRegular(root, relative, e) {
			files = append(files, relative)
		}
	}
	slices.Sort(files)
	return files
}

func isRegular(root, name string, entry os.DirEntry) bool {
	if entry.Type()&os.ModeSymlink == 0 {
		return entry.Type().IsRegular()
	}
	real, ok := within(root, name)
	if !ok {
		return false
	}
	info, err := os.Lstat(real)
	return err == nil && info.Mode().IsRegular()
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
