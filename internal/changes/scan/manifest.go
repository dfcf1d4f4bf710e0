package scan

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Manifest is what was last seen of a root.
type Manifest struct {
	// Step is for whoever keeps the manifest: the last step that is in it.
	Step uint64

	root   *knownDirectory
	unseen bool // the root itself has not been read to its end
}

// knownDirectory is what is known of one directory.
type knownDirectory struct {
	entries     map[string]Entry
	directories map[string]*knownDirectory
}

func newKnownDirectory() *knownDirectory {
	return &knownDirectory{entries: map[string]Entry{}, directories: map[string]*knownDirectory{}}
}

// NewManifest returns the manifest of a root that no scan has seen.
func NewManifest() *Manifest { return &Manifest{root: newKnownDirectory(), unseen: true} }

// Get returns what is known of a path, which is relative to the root, with slashes.
func (m *Manifest) Get(path string) (Entry, bool) {
	d := m.root
	segments := strings.Split(path, "/")
	for _, s := range segments[:len(segments)-1] {
		if d = d.directories[s]; d == nil {
			return Entry{}, false
		}
	}
	e, ok := d.entries[segments[len(segments)-1]]
	return e, ok && e.Kind != Unseen
}

// All returns what is known, in the order of directories.
func (m *Manifest) All() iter.Seq2[string, Entry] {
	return func(yield func(string, Entry) bool) {
		m.root.all("", func(path string, e Entry) bool { return e.Kind == Unseen || yield(path, e) })
	}
}

func (d *knownDirectory) all(prefix string, yield func(string, Entry) bool) bool {
	for _, name := range slices.Sorted(maps.Keys(d.entries)) {
		if !yield(prefix+name, d.entries[name]) {
			return false
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.directories)) {
		if !d.directories[name].all(prefix+name+"/", yield) {
			return false
		}
	}
	return true
}

// Apply makes the manifest say what the differences have as their after sides. Paths
// that lead out of the root are left out.
func (m *Manifest) Apply(differences []Difference) {
	for _, d := range differences {
		m.set(d.Path, d.After)
	}
}

// Update makes the manifest say what the scan has found.
func (m *Manifest) Update(r *Result) {
	m.Apply(r.baseline)
	m.Apply(r.Refreshed)
	m.Apply(r.Differences)
}

// ForgetKept makes the manifest say of no file that its bytes are kept, so that the
// next scan keeps them again. It is for when the content store has been emptied.
func (m *Manifest) ForgetKept() { m.root.forgetKept() }

func (d *knownDirectory) forgetKept() {
	for name, e := range d.entries {
		e.Kept = false
		d.entries[name] = e
	}
	for _, sub := range d.directories {
		sub.forgetKept()
	}
}

func (m *Manifest) set(path string, e *Entry) {
	if path == "." {
		m.unseen = e != nil
		return
	}
	if !fs.ValidPath(path) {
		return
	}
	d := m.root
	segments := strings.Split(path, "/")
	for _, s := range segments[:len(segments)-1] {
		next := d.directories[s]
		if next == nil {
			if e == nil {
				return
			}
			next = newKnownDirectory()
			d.directories[s] = next
		}
		d = next
	}
	if last := segments[len(segments)-1]; e == nil {
		delete(d.entries, last)
	} else {
		d.entries[last] = *e
	}
}

// ErrDamaged is the error of a file that is not a whole manifest of this format.
var ErrDamaged = errors.New("the manifest is damaged or of another format; the next scan of the root starts a new one")

const manifestMagic = "cwscan0\n"

// Load reads a manifest from a file. The error is fs.ErrNotExist when there is none,
// and ErrDamaged when the file is not whole.
func Load(path string) (*Manifest, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	body, ok := bytes.CutPrefix(content, []byte(manifestMagic))
	if !ok || len(body) < 4 || crc32.ChecksumIEEE(body[4:]) != binary.LittleEndian.Uint32(body) {
		return nil, ErrDamaged
	}
	var file manifestFile
	if err := json.Unmarshal(body[4:], &file); err != nil {
		return nil, ErrDamaged
	}
	m := NewManifest()
	m.Step, m.unseen = file.Step, file.Unseen
	m.Apply(file.Entries)
	return m, nil
}

type manifestFile struct {
	Step    uint64
	Unseen  bool
	Entries []Difference
}

// Write writes the manifest to a file, in one step: a reader sees the old one or the
// new one.
func (m *Manifest) Write(path string) error {
	file := manifestFile{Step: m.Step, Unseen: m.unseen}
	m.root.all("", func(path string, e Entry) bool {
		file.Entries = append(file.Entries, Difference{Path: path, After: &e})
		return true
	})
	body, err := json.Marshal(file)
	if err != nil {
		return err
	}
	content := binary.LittleEndian.AppendUint32([]byte(manifestMagic), crc32.ChecksumIEEE(body))
	return replace(path, append(content, body...))
}

// replace puts a file in the place of another in one step.
func replace(path string, content []byte) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), ".manifest-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = temporary.Write(content)
	if err == nil {
		err = temporary.Sync()
	}
	if closeErr := temporary.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		os.Remove(temporary.Name())
	}
	return err
}
