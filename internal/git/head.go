package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/regular"
)

// head is what HEAD, or another reference, holds.
type head struct {
	// reference is the full name of the reference it stands for: refs/heads/main.
	// It is "" when HEAD holds a commit.
	reference string
}

const branchPrefix = "refs/heads/"

// elsewhere is what HEAD names in a repository whose references are not in files
// (reftable): a name that no branch can have.
const elsewhere = "refs/heads/.invalid"

// branch returns the name of the branch, "" when HEAD is on none: it holds a
// commit, or names a reference that is no branch.
func (h head) branch() string {
	branch, ok := strings.CutPrefix(h.reference, branchPrefix)
	if !ok {
		return ""
	}
	return branch
}

func (h head) isElsewhere() bool { return h.reference == elsewhere }

var errHEAD = errors.New("HEAD is neither a reference nor a commit")

// readHEAD reads HEAD of the git directory path. Before there were symbolic
// references it was a symbolic link to one, which git still reads.
func readHEAD(path string) (head, error) {
	file := filepath.Join(path, "HEAD")
	info, err := os.Lstat(file)
	if err != nil {
		return head{}, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(file)
		if err != nil {
			return head{}, err
		}
		return symbolic(target)
	}
	content, err := regular.ReadFile(file, maxStateFile)
	if err != nil {
		return head{}, err
	}
	return parseHEAD(string(content))
}

// white is what separates words to git, which knows ASCII only.
const white = " \t\n\v\f\r"

// parseHEAD reads "ref: REFERENCE" or an object id, as files of references hold it.
func parseHEAD(content string) (head, error) {
	if name, ok := strings.CutPrefix(content, "ref:"); ok {
		return symbolic(strings.Trim(name, white))
	}
	id := content
	if end := strings.IndexAny(id, white); end >= 0 {
		id = id[:end]
	}
	if !isObjectID(id) {
		return head{}, errHEAD
	}
	return head{}, nil
}

func symbolic(name string) (head, error) {
	if name != elsewhere && !isReference(name) {
		return head{}, fmt.Errorf("%w: %.80q", errHEAD, name)
	}
	return head{reference: name}, nil
}

// isObjectID reports whether id is a SHA-1 or a SHA-256 in hexadecimal.
func isObjectID(id string) bool {
	return (len(id) == 40 || len(id) == 64) && strings.Trim(id, "0123456789abcdefABCDEF") == ""
}

// isReference reports whether name is the full name that a reference can have
// (git-check-ref-format(1)). Such a name is also safe in a path.
func isReference(name string) bool {
	if !strings.HasPrefix(name, "refs/") || strings.HasSuffix(name, ".") ||
		strings.Contains(name, "..") || strings.Contains(name, "@{") {
		return false
	}
	for segment := range strings.SplitSeq(name, "/") {
		if segment == "" || segment[0] == '.' || strings.HasSuffix(segment, ".lock") {
			return false
		}
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return r < ' ' || r == 0x7f || strings.ContainsRune(" ~^:?*[\\", r)
	})
}

// maxReferences is how many references may name the next one, as in git.
const maxReferences = 5

// resolve follows a branch that is a symbolic reference itself: committing on it
// changes the one it names.
func (g *gitDirectory) resolve(h head) (head, error) {
	for range maxReferences {
		if h.branch() == "" || h.isElsewhere() {
			return h, nil
		}
		content, err := regular.ReadFile(filepath.Join(g.common, filepath.FromSlash(h.reference)), maxStateFile)
		if err != nil || !strings.HasPrefix(string(content), "ref:") {
			return h, nil // a commit, packed, or not born yet
		}
		if h, err = parseHEAD(string(content)); err != nil {
			return head{}, err
		}
	}
	return head{}, fmt.Errorf("%w: references name each other", errHEAD)
}

// askWithin bounds the time that git may take to say what HEAD is.
const askWithin = time.Second

// askHEAD asks git for HEAD of the repository whose working tree, or whose own
// directory, dir is.
func askHEAD(dir string) (head, error) {
	ctx, cancel := context.WithTimeout(context.Background(), askWithin)
	defer cancel()
	out, err := run(ctx, dir, "", "symbolic-ref", "--quiet", "HEAD")
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return head{}, nil // with --quiet: not a symbolic reference, so a commit
	}
	if err != nil {
		return head{}, err
	}
	name := strings.TrimRight(string(out), "\r\n")
	if !isReference(name) {
		return head{}, fmt.Errorf("%w: git printed %.80q", errHEAD, name)
	}
	return head{reference: name}, nil
}
