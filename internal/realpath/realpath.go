// Package realpath says where a path really leads, also when nothing is there yet.
package realpath

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxLinks is how many symbolic links one path may lead through, as in Linux.
const maxLinks = 40

// maxPath is the length in bytes of the longest path that Linux takes.
const maxPath = 4096

// ErrNotAbsolute is the error of a path that does not begin at the root.
var ErrNotAbsolute = errors.New("the path is not absolute")

// Follow returns where path leads when every symbolic link is followed, a last one
// that points to nothing included, and existing, the longest part of it that is
// there. What does not exist or cannot be looked at is kept as it is written.
//
// As filepath.Clean does, it takes .. in path by its text; in the target of a link
// it is the real parent directory. The error is one of a path that no system call
// would take: relative, longer than 4096 bytes, or through too many links (a loop).
func Follow(path string) (real, existing string, err error) {
	if !filepath.IsAbs(path) {
		return "", "", ErrNotAbsolute
	}
	path = filepath.Clean(path)
	if len(path) > maxPath {
		return "", "", &fs.PathError{Op: "follow", Path: path[:64] + "…", Err: syscall.ENAMETOOLONG}
	}
	root := rootOf(path)
	real = root
	rest := segments(path[len(root):])
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		if name == ".." {
			real = filepath.Dir(real)
			continue
		}
		next := filepath.Join(real, name)
		info, err := os.Lstat(next)
		if err != nil {
			return filepath.Join(append([]string{next}, rest...)...), real, nil
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			real = next
			continue
		}
		target, err := os.Readlink(next)
		if err != nil {
			return filepath.Join(append([]string{next}, rest...)...), real, nil
		}
		if links++; links > maxLinks {
			return "", "", &fs.PathError{Op: "follow", Path: path, Err: syscall.ELOOP}
		}
		if filepath.IsAbs(target) {
			real = rootOf(target)
			target = target[len(real):]
		}
		rest = append(segments(target), rest...)
	}
	return real, real, nil
}

// rootOf returns the beginning of an absolute path that no .. leaves.
func rootOf(path string) string {
	return filepath.VolumeName(path) + string(filepath.Separator)
}

// segments splits a path and leaves out what stays in the same directory.
func segments(path string) []string {
	var list []string
	for name := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if name != "" && name != "." {
			list = append(list, name)
		}
	}
	return list
}
