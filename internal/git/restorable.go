package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Bounds of one question, so that its git calls stay small.
const (
	maxPaths     = 200
	maxPathBytes = 32 << 10
)

// CheckRestorable returns nil when git can bring back everything that deleting
// paths would delete: each exists, all belong to one repository, and whatever is
// there now is committed at HEAD, and staged, exactly as it is. The error says
// what stands against it: something untracked, ignored, modified, staged but not
// committed, missing, a submodule or another repository, or that git failed.
//
// The paths are absolute and lie under the directory within. A path that ends in
// a slash stands for what a symbolic link points to, and a link is refused then.
// The repository may reach beyond within, but no other repository may lie between
// the two: such a path is in a submodule or another nested repository.
//
// Contents are compared by their hashes and not by what git remembers about the
// files, so that neither index flags (assume-unchanged) nor time stamps nor filters
// count. Three git calls at most; ctx bounds the time.
func CheckRestorable(ctx context.Context, within string, paths []string) error {
	within, err := filepath.EvalSymlinks(within)
	if err != nil {
		return err
	}
	if len(paths) == 0 || len(paths) > maxPaths {
		return fmt.Errorf("%d paths, between 1 and %d are checked", len(paths), maxPaths)
	}
	var repository string
	var relative []string
	var size int
	for _, path := range paths {
		path, err := locate(path, within)
		if err != nil {
			return err
		}
		root, err := repositoryOf(path, within)
		if err != nil {
			return err
		}
		if repository != "" && root != repository {
			return fmt.Errorf("%s and %s are different repositories", repository, root)
		}
		repository = root
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		relative = append(relative, filepath.ToSlash(name))
		size += len(name)
	}
	if size > maxPathBytes {
		return errors.New("the paths are too long")
	}
	return checkCommitted(ctx, repository, relative)
}

// locate returns where path really is: the links in front of its last segment are
// followed. It fails when nothing is there or that is not under within.
func locate(path, within string) (string, error) {
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("%s is not absolute", path)
	}
	clean := filepath.Clean(path)
	parent, err := filepath.EvalSymlinks(filepath.Dir(clean))
	if err != nil {
		return "", err
	}
	real := filepath.Join(parent, filepath.Base(clean))
	info, err := os.Lstat(real)
	if err != nil {
		return "", err
	}
	if info.Mode()&fs.ModeSymlink != 0 && os.IsPathSeparator(path[len(path)-1]) {
		return "", fmt.Errorf("%s may stand for the target of a symbolic link", path)
	}
	if !isUnder(real, within) {
		return "", fmt.Errorf("%s is %s, not under %s", path, real, within)
	}
	return real, nil
}

// repositoryOf returns the top directory of the worktree that path is in. A path
// that is such a top itself is looked for in the repository around it.
func repositoryOf(path, within string) (string, error) {
	root := ""
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		_, err := os.Lstat(filepath.Join(dir, ".git"))
		switch {
		case err == nil && root == "":
			root = dir
		case err == nil:
			return "", fmt.Errorf("%s is a repository inside %s", root, dir)
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
		beyond := dir == within || !isUnder(dir, within)
		if root != "" && beyond {
			return root, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("%s is not in a git repository", path)
		}
	}
}

func isUnder(path, dir string) bool {
	name, err := filepath.Rel(dir, path)
	return err == nil && name != "." && filepath.IsLocal(name)
}

// entry is one tracked file.
type entry struct {
	mode string // as git prints it: "100644", "100755" or "120000"
	id   string // of the blob, in hexadecimal
}

// checkCommitted compares the index, HEAD and the files below paths, which are
// relative to repository and use slashes.
func checkCommitted(ctx context.Context, repository string, paths []string) error {
	out, err := run(ctx, repository, "", append([]string{"ls-files", "-z", "--stage", "--"}, paths...)...)
	if err != nil {
		return err
	}
	staged, err := parseEntries(out, parseStaged)
	if err != nil {
		return err
	}
	out, err = run(ctx, repository, "", append([]string{"ls-tree", "-z", "-r", "HEAD", "--"}, paths...)...)
	if err != nil {
		return err
	}
	committed, err := parseEntries(out, parseCommitted)
	if err != nil {
		return err
	}
	for name, e := range staged {
		if committed[name] != e {
			return fmt.Errorf("%s: what is staged is not committed", name)
		}
	}
	if len(committed) != len(staged) {
		return errors.New("a committed file is no longer tracked")
	}
	c := comparison{ctx: ctx, repository: repository, tracked: staged}
	for _, path := range paths {
		if err := c.check(path); err != nil {
			return err
		}
	}
	if c.seen != len(staged) {
		return errors.New("a tracked file is missing")
	}
	return checkObjects(ctx, repository, staged)
}

// parseEntries reads NUL-terminated records "META TAB PATH" with parse reading META.
func parseEntries(out []byte, parse func(meta string) (entry, error)) (map[string]entry, error) {
	entries := map[string]entry{}
	for record := range bytes.SplitSeq(out, []byte{0}) {
		if len(record) == 0 {
			continue
		}
		meta, name, ok := strings.Cut(string(record), "\t")
		if !ok {
			return nil, fmt.Errorf("git printed %q, expected a tab", record)
		}
		e, err := parse(meta)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		switch e.mode {
		case "100644", "100755", "120000":
		case "160000":
			return nil, fmt.Errorf("%s is a submodule", name)
		default:
			return nil, fmt.Errorf("%s has the unknown mode %s", name, e.mode)
		}
		entries[name] = e
	}
	return entries, nil
}

// parseStaged reads "MODE ID STAGE" of git ls-files --stage.
func parseStaged(meta string) (entry, error) {
	fields := strings.Fields(meta)
	if len(fields) != 3 {
		return entry{}, fmt.Errorf("git printed %q", meta)
	}
	if fields[2] != "0" {
		return entry{}, errors.New("a merge is not resolved")
	}
	return entry{mode: fields[0], id: fields[1]}, nil
}

// parseCommitted reads "MODE TYPE ID" of git ls-tree.
func parseCommitted(meta string) (entry, error) {
	fields := strings.Fields(meta)
	if len(fields) != 3 {
		return entry{}, fmt.Errorf("git printed %q", meta)
	}
	return entry{mode: fields[0], id: fields[2]}, nil
}

// checkObjects makes sure that the blobs are in the repository, which a partial
// clone or a damaged one lacks.
func checkObjects(ctx context.Context, repository string, entries map[string]entry) error {
	var ids strings.Builder
	for _, e := range entries {
		ids.WriteString(e.id)
		ids.WriteByte('\n')
	}
	out, err := run(ctx, repository, ids.String(), "cat-file", "--buffer", "--batch-check=%(objecttype)")
	if err != nil {
		return err
	}
	if n := bytes.Count(out, []byte("blob\n")); n != len(entries) {
		return fmt.Errorf("%d of %d objects are not in the repository", len(entries)-n, len(entries))
	}
	return nil
}
