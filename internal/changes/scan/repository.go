package scan

import (
	"os"
	"path/filepath"
	"sync"

	"github.com/claudewatch/claudewatch/internal/changes/scan/gitindex"
	"github.com/claudewatch/claudewatch/internal/git"
	"github.com/claudewatch/claudewatch/internal/regular"
)

// A repository is the git repository of a working tree. Where it is and what it tracks
// is found out when it is first asked for.
type repository struct {
	walk *walk
	// node is the top of the working tree, or the root of the scan, when the top is above.
	node  *node
	above bool
	once  sync.Once
	// index is nil when there is none that can be read. Its paths are those of the scan
	// without the first skip bytes, which lead to node, and with prefix in front.
	index  *gitindex.Index
	skip   int
	prefix string
}

// maxIndex bounds the size of an index in bytes.
const maxIndex = 256 << 20

// repositoryAt returns the repository whose working tree begins in a directory.
func (w *walk) repositoryAt(n *node) *repository { return &repository{walk: w, node: n} }

// blob returns the id of the object that a file of a size is tracked as. Whether the
// content is still that of the object is for its hash to say: what git remembers of the
// state of a file is not relied on, nor is it where git itself does not (Documentation/technical/racy-git).
func (r *repository) blob(n *node, name string, size int64) (id [20]byte, tracked bool) {
	if r == nil {
		return id, false
	}
	r.once.Do(r.read)
	if r.index == nil {
		return id, false
	}
	e, ok := r.index.Lookup(r.prefix + n.join(name)[r.skip:])
	return e.Blob, ok && e.Size == uint32(size)
}

func (r *repository) read() {
	if r.node.parent != nil {
		r.skip = len(r.node.join(""))
	}
	top, ok := r.top()
	if !ok {
		return
	}
	path, err := git.IndexFile(top)
	if err != nil {
		return
	}
	file, info, err := regular.Open(path)
	if err != nil {
		return
	}
	defer file.Close()
	if info.Size() <= maxIndex {
		r.index, _ = gitindex.Read(file, info.Size()) // without it the bytes are kept
	}
}

// top returns the top of the working tree. It sets prefix when that is above the root.
func (r *repository) top() (path string, ok bool) {
	path = filepath.Join(append([]string{r.walk.path}, r.node.segments()...)...)
	if !r.above {
		return path, true
	}
	path, err := filepath.EvalSymlinks(path)
	for err == nil {
		parent := filepath.Dir(path)
		if parent == path {
			break
		}
		r.prefix = filepath.Base(path) + "/" + r.prefix
		path = parent
		if _, err := os.Lstat(filepath.Join(path, ".git")); err == nil {
			return path, true
		}
	}
	return "", false
}
