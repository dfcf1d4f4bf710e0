package scan

import (
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/regular"
)

// Manifest is what was last seen of a root: the image that was last written, and an
// overlay of what came since.
type Manifest struct {
	// Step is for whoever keeps the manifest: the last step that is in it.
	Step uint64

	image     *image // nil for none
	over      overlay
	unseen    bool // the root itself has not been read to its end
	forgotten bool // the image says of files that they are kept that are not
}

// NewManifest returns the manifest of a root that no scan has seen.
func NewManifest() *Manifest { return &Manifest{unseen: true} }

// Load reads a manifest from a file, which must not be written to afterwards, only
// replaced. The error is fs.ErrNotExist when there is none, and ErrDamaged when it is
// not whole.
func Load(path string) (*Manifest, error) {
	file, size, err := openImage(path)
	if err != nil {
		return nil, err
	}
	image, header, err := readImage(file, size)
	if err != nil {
		file.Close()
		return nil, err
	}
	return &Manifest{Step: header.step, image: image, unseen: header.flags&flagUnseen != 0}, nil
}

// Get returns what is known of a path, which is relative to the root, with slashes. Its
// content is not known when the manifest's file cannot be read any more.
func (m *Manifest) Get(path string) (Entry, bool) {
	if !fs.ValidPath(path) {
		return Entry{}, false
	}
	d := m.root()
	parent, name := split(path)
	if parent != "" {
		for segment := range strings.SplitSeq(parent, "/") {
			if d = d.child([]byte(segment)); !d.isKnown() {
				return Entry{}, false
			}
		}
	}
	c := d.entries()
	for c.next() && string(c.current.name) < name {
	}
	if c.current == nil || string(c.current.name) != name || c.current.entry.Kind == Unseen {
		return Entry{}, false
	}
	_ = c.current.load() // without it the hashes are zero
	return c.current.entry, true
}

// All returns what is known, sorted by name in each directory.
func (m *Manifest) All() iter.Seq2[string, Entry] {
	return func(yield func(string, Entry) bool) { m.root().all("", yield) }
}

func (d knownDirectory) all(prefix string, yield func(string, Entry) bool) bool {
	entries := d.entries()
	for entries.next() {
		if entries.current.entry.Kind == Unseen {
			continue
		}
		_ = entries.current.load() // without it the hashes are zero
		if !yield(prefix+string(entries.current.name), entries.current.entry) {
			return false
		}
	}
	children := d.children()
	for children.next() {
		if !children.child.all(prefix+string(children.name)+"/", yield) {
			return false
		}
	}
	return true
}

// split returns the directory of a path, "" for the root, and the name in it.
func split(path string) (parent, name string) {
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i], path[i+1:]
	}
	return "", path
}

// Apply makes the manifest say what the differences have as their after sides. Paths
// that are none below the root are left out.
func (m *Manifest) Apply(differences []Difference) {
	last, over := "", &m.over // the directory of the difference before
	for _, d := range differences {
		if d.Path == "." {
			m.unseen = d.After != nil
			continue
		}
		if !fs.ValidPath(d.Path) {
			continue
		}
		parent, name := split(d.Path)
		if parent != last {
			over = &m.over
			for segment := range strings.SplitSeq(parent, "/") {
				if parent != "" {
					over = over.child([]byte(segment))
				}
			}
			last = parent
		}
		over.set([]byte(name), d.Before, d.After)
	}
}

// Update makes the manifest say what the scan has found.
func (m *Manifest) Update(r *Result) {
	overlays := map[*node]*overlay{}
	for _, f := range r.baseline {
		over := m.overlayOf(f.directory, overlays)
		if d := (knownDirectory{m, f.directory.known.index, over}); len(d.block().entries) == 0 && d.isBlock() {
			over.first = f.block
			continue
		}
		c := entryCursor{block: *f.block}
		for c.next() {
			_ = c.current.load() // they are in memory
			over.set(c.current.name, nil, &c.current.entry)
		}
	}
	m.Apply(r.Refreshed)
	m.Apply(r.Differences)
}

// overlayOf returns the overlay of a directory. It keeps what it has found in overlays.
func (m *Manifest) overlayOf(n *node, overlays map[*node]*overlay) *overlay {
	var below []*node
	for ; n.parent != nil && overlays[n] == nil; n = n.parent {
		below = append(below, n)
	}
	over := &m.over
	if n.parent != nil {
		over = overlays[n]
	}
	for _, n := range slices.Backward(below) {
		over = over.child([]byte(n.base))
		overlays[n] = over
	}
	return over
}

// ForgetKept makes the manifest say of no file that its bytes are kept, so that the
// next scan keeps them again. It is for when the content store has been emptied.
func (m *Manifest) ForgetKept() {
	m.forgotten = true
	m.over.forgetKept()
}

// imageFile is the open file of a manifest.
type imageFile interface {
	io.ReaderAt
	io.Closer
}

// openImage opens the file of a manifest and returns its size.
func openImage(path string) (imageFile, int64, error) {
	file, info, err := regular.Open(path)
	if err != nil {
		return nil, 0, err
	}
	image, err := keepOpen(file, info.Size())
	return image, info.Size(), err
}
