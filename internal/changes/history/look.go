package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/claudewatch/claudewatch/internal/changes/record"
	"github.com/claudewatch/claudewatch/internal/realpath"
)

// maxContent bounds how many bytes of a file are held in memory. A larger one can be
// removed, and what it was can only come from elsewhere.
const maxContent = 64 << 20

// directoryKind is the kind of a directory, which no record has.
const directoryKind = "directory"

// look says what stands at the path of an action, and why it is not what the records
// say; "" when it is. content is that of a file that is not too large.
func (a *Action) look() (content []byte, reason string) {
	root, reason := a.open()
	if reason != "" {
		return nil, reason
	}
	defer root.Close()
	return a.lookIn(root)
}

// open opens the directory that nothing leads out of, unless another one is in its place.
func (a *Action) open() (*os.Root, string) {
	if real, _, err := realpath.Follow(a.Root); err != nil || real != filepath.Clean(a.Root) {
		return nil, fmt.Sprintf("%s is a symbolic link now, or lies behind one", a.Root)
	}
	root, err := os.OpenRoot(a.Root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Sprintf("the directory %s is gone", a.Root)
	case err != nil:
		return nil, err.Error()
	}
	return root, ""
}

func (a *Action) lookIn(root *os.Root) (content []byte, reason string) {
	if !filepath.IsLocal(filepath.FromSlash(a.Path)) {
		return nil, "the path in the record leads out of " + a.Root
	}
	a.blockedBy, a.isTree = "", false
	blockedBy, reason := a.directories(root)
	switch {
	case reason != "":
		return nil, reason
	case blockedBy != "" && a.Expected.Present:
		return nil, noDirectory(blockedBy)
	case blockedBy != "": // nothing stands there, as the records say
		a.Found, a.looked, a.blockedBy = File{}, true, blockedBy
		return nil, ""
	}
	found, content, err := lookAt(root, a.Path)
	if err != nil {
		return nil, fmt.Sprintf("it cannot be read: %v", err)
	}
	if !a.Expected.Present && found.Kind == directoryKind { // the records have files alone
		found, a.isTree = File{}, true
	}
	a.Found, a.looked = found, true
	return content, difference(a.Expected, found, a.Target.Present)
}

func noDirectory(path string) string { return path + " is no directory any more" }

// directories looks whether the directories above the file are still directories.
// blockedBy is the path of what is there instead of one, when that is no symbolic link.
func (a *Action) directories(root *os.Root) (blockedBy, reason string) {
	names := strings.Split(a.Path, "/")
	for i := 1; i < len(names); i++ {
		directory := path.Join(names[:i]...)
		info, err := root.Lstat(filepath.FromSlash(directory))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return "", ""
		case err != nil:
			return "", err.Error()
		case info.Mode().Type() == fs.ModeSymlink:
			real, _, err := realpath.Follow(filepath.Join(a.Root, filepath.FromSlash(directory)))
			if err != nil || !isWithin(real, a.Root) {
				return "", fmt.Sprintf("its directory %s is a symbolic link now, which leads out of %s", directory, a.Root)
			}
			return "", fmt.Sprintf("its directory %s is a symbolic link now", directory)
		case !info.IsDir():
			return directory, ""
		}
	}
	return "", ""
}

// lookAt returns what stands at a path below root, with the content of a file that is
// not too large, and the text of a symbolic link.
func lookAt(root *os.Root, path string) (File, []byte, error) {
	path = filepath.FromSlash(path)
	info, err := root.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return File{}, nil, nil
	case err != nil:
		return File{}, nil, err
	}
	f := File{Present: true, Kind: record.Other, Bytes: info.Size(), Mode: info.Mode().Perm(), HasMode: true}
	switch {
	case info.IsDir():
		f.Kind = directoryKind
	case info.Mode().Type() == fs.ModeSymlink:
		text, err := root.Readlink(path)
		f.Kind, f.SHA256 = record.Symlink, hashOf([]byte(text))
		return f, []byte(text), err
	case info.Mode().IsRegular():
		f.Kind = record.RegularFile
		content, hash, err := read(root, path)
		f.SHA256 = hash
		return f, content, err
	}
	return f, nil, nil
}

// read returns the SHA-256 of a file, and its content when it is not too large.
func read(root *os.Root, path string) (content []byte, hash string, err error) {
	file, err := root.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, "", errors.Join(err, errors.New("it is no file any more"))
	}
	sum, kept := sha256.New(), &bytes.Buffer{}
	if _, err = io.Copy(io.MultiWriter(sum, kept), io.LimitReader(file, maxContent)); err != nil {
		return nil, "", err
	}
	content = kept.Bytes()
	if content == nil {
		content = []byte{}
	}
	more, err := io.Copy(sum, file)
	if err != nil || more > 0 {
		content = nil
	}
	return content, hex.EncodeToString(sum.Sum(nil)), err
}

// difference says in what way a file is not what is expected. The mode counts when the
// file stays.
func difference(expected, found File, stays bool) string {
	switch {
	case !expected.Present && found.Present:
		return "it was created again since"
	case !expected.Present:
		return ""
	case !found.Present:
		return "it was deleted since"
	case found.Kind != expected.Kind:
		return "it has become " + article(found.Kind) + " since"
	case expected.Kind == record.Other:
		return "" // there is nothing else to know of it
	case expected.SHA256 == "":
		return "what the call left there is not known, so that it cannot be told whether it has changed since"
	case found.SHA256 != expected.SHA256:
		return "it has changed since"
	case stays && expected.HasMode && found.Kind == record.RegularFile && found.Mode != expected.Mode && runtime.GOOS != "windows":
		return fmt.Sprintf("its mode has changed since, from %04o to %04o", expected.Mode, found.Mode)
	}
	return ""
}

func article(kind string) string {
	switch kind {
	case record.RegularFile:
		return "a file"
	case record.Symlink:
		return "a symbolic link"
	case directoryKind:
		return "a directory"
	}
	return "a pipe, a socket or a device"
}
