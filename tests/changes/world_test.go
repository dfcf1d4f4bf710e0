package changes_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// world is a project directory, and what has become of each of its paths: nobody but
// the driver writes to it.
type world struct {
	t     testing.TB
	root  string
	spare string // on the same file system, for files that appear in one step

	mu      sync.Mutex
	paths   map[string]*history
	counter int
}

// history is what has stood at a path, from the first state to the one that is there.
type history struct {
	mu     sync.Mutex
	states []content
}

// content is what stands at a path for a time.
type content struct {
	present bool
	link    bool
	bytes   string // the target, of a link
	mode    os.FileMode
	// began and ended are when it was written.
	began, ended time.Time
	// edit is the id of the edit of the runtime that wrote it, "" for others.
	edit string
}

func (c content) hash() string {
	if !c.present {
		return ""
	}
	sum := sha256.Sum256([]byte(c.bytes))
	return hex.EncodeToString(sum[:])
}

// equals reports whether two contents are the same to a record.
func (c content) equals(other content) bool {
	return c.present == other.present && c.link == other.link && c.bytes == other.bytes && (c.link || c.mode == other.mode || !c.present)
}

// The paths of a world. What is excluded, secret, larger than the cap and no text is
// among them.
var worldPaths = []string{
	"a.txt", "b.txt", "src/main.go", "src/deep/er/x.txt", "docs/read me.md", "data/ü.txt", "bin.dat",
	".env", "keys/server.pem", "big.txt", "node_modules/m/index.js", "link", "run.sh",
}

// crlfPath always has lines that end in CRLF, so that it is known what an edit of the
// runtime writes, which reports line feeds.
const crlfPath = "b.txt"

const excludedPath = "node_modules/m/index.js"

// sizeCap is what the sessions of the driver set size_cap to.
const sizeCap = 2000

func newWorld(t testing.TB, directory string, r *rand.Rand) *world {
	w := &world{t: t, root: filepath.Join(directory, "project"), spare: filepath.Join(directory, "spare"), paths: make(map[string]*history)}
	for _, d := range []string{w.root, w.spare} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range worldPaths {
		w.paths[path] = &history{states: []content{{}}}
		if r.IntN(2) == 0 {
			w.put(path, w.fresh(path, r), "")
		}
	}
	return w
}

func (w *world) full(path string) string { return filepath.Join(w.root, filepath.FromSlash(path)) }

// number returns a number that was not used before, always of one length: contents of
// one size tell changes that only their size would give away.
func (w *world) number() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.counter++
	return fmt.Sprintf("%06d", w.counter)
}

// fresh returns a content that never was.
func (w *world) fresh(path string, r *rand.Rand) content {
	n := w.number()
	c := content{present: true, mode: 0o644}
	switch {
	case path == "link" && r.IntN(3) > 0:
		c.link, c.bytes = true, "target-"+n
	case path == "bin.dat":
		c.bytes = "\x00\x01" + n
	case path == "big.txt":
		c.bytes = strings.Repeat("big "+n+"\n", 300)
	case path == crlfPath:
		c.bytes = "one\r\n" + n + "\r\nthree\r\n"
	default:
		lines := []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"}
		lines[r.IntN(len(lines))] = n
		c.bytes = strings.Join(lines[:1+r.IntN(len(lines))], "\n") + "\n"
		if !strings.Contains(c.bytes, n) {
			c.bytes = n + "\n" + c.bytes
		}
		if r.IntN(4) == 0 {
			c.bytes = strings.TrimSuffix(c.bytes, "\n")
		}
	}
	if path == "run.sh" && r.IntN(2) == 0 {
		c.mode = 0o755
	}
	return c
}

// change does something to a random path.
func (w *world) change(r *rand.Rand) {
	path := worldPaths[r.IntN(len(worldPaths))]
	switch r.IntN(12) {
	case 0, 1:
		w.put(path, content{}, "")
	case 2:
		w.chmod(path)
	case 3:
		w.move(path, worldPaths[r.IntN(len(worldPaths))])
	case 4:
		w.revert(path)
	case 5:
		w.touch(path)
	case 6, 7, 8:
		w.inPlace(path, w.fresh(path, r))
	default:
		w.put(path, w.fresh(path, r), "")
	}
}

// put makes a content appear at a path in one step; an absent one removes what is there.
func (w *world) put(path string, c content, edit string) {
	h := w.paths[path]
	h.mu.Lock()
	defer h.mu.Unlock()
	w.putLocked(h, path, c, edit)
}

func (w *world) putLocked(h *history, path string, c content, edit string) {
	full := w.full(path)
	c.edit = edit
	var err error
	switch {
	case !c.present:
		if !h.last().present {
			return
		}
		c.began = time.Now()
		err = os.Remove(full)
	default:
		err = os.MkdirAll(filepath.Dir(full), 0o755)
		temporary := filepath.Join(w.spare, w.number())
		if c.link {
			err = firstOf(err, os.Symlink(c.bytes, temporary))
		} else {
			err = firstOf(err, os.WriteFile(temporary, []byte(c.bytes), 0o600))
			err = firstOf(err, os.Chmod(temporary, c.mode))
		}
		c.began = time.Now()
		err = firstOf(err, os.Rename(temporary, full))
	}
	c.ended = time.Now()
	if err != nil {
		w.t.Errorf("the driver: %v", err)
	}
	h.states = append(h.states, c)
}

// inPlace writes to the file itself, which is empty for a moment.
func (w *world) inPlace(path string, c content) {
	h := w.paths[path]
	h.mu.Lock()
	defer h.mu.Unlock()
	last := h.last()
	if c.link || !last.present || last.link {
		w.putLocked(h, path, c, "")
		return
	}
	c.mode = last.mode
	empty := content{present: true, mode: last.mode, began: time.Now()}
	file, err := os.OpenFile(w.full(path), os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		w.t.Errorf("the driver: %v", err)
		return
	}
	empty.ended = time.Now()
	c.began = time.Now()
	_, err = file.WriteString(c.bytes)
	if err = firstOf(err, file.Close()); err != nil {
		w.t.Errorf("the driver: %v", err)
	}
	c.ended = time.Now()
	h.states = append(h.states, empty, c)
}

// chmod turns the mode of a file round.
func (w *world) chmod(path string) {
	h := w.paths[path]
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.last()
	if !c.present || c.link {
		return
	}
	c.mode ^= 0o111
	c.edit = ""
	c.began = time.Now()
	if err := os.Chmod(w.full(path), c.mode); err != nil {
		w.t.Errorf("the driver: %v", err)
	}
	c.ended = time.Now()
	h.states = append(h.states, c)
}

// touch gives a file new times and leaves its content.
func (w *world) touch(path string) {
	h := w.paths[path]
	h.mu.Lock()
	defer h.mu.Unlock()
	if c := h.last(); c.present && !c.link {
		if err := os.Chtimes(w.full(path), time.Now(), time.Now()); err != nil {
			w.t.Errorf("the driver: %v", err)
		}
	}
}

// revert brings back what stood at a path before.
func (w *world) revert(path string) {
	h := w.paths[path]
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.states) > 1 {
		w.putLocked(h, path, h.states[len(h.states)-2], "")
	}
}

// move renames a file over another path.
func (w *world) move(from, to string) {
	if from == to || from == crlfPath || to == crlfPath {
		return
	}
	first, second := w.paths[min(from, to)], w.paths[max(from, to)]
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock()
	defer second.mu.Unlock()
	c := w.paths[from].last()
	if !c.present || c.link {
		return
	}
	if err := os.MkdirAll(filepath.Dir(w.full(to)), 0o755); err != nil {
		w.t.Errorf("the driver: %v", err)
	}
	c.edit = ""
	c.began = time.Now()
	if err := os.Rename(w.full(from), w.full(to)); err != nil {
		w.t.Errorf("the driver: %v", err)
	}
	c.ended = time.Now()
	w.paths[to].states = append(w.paths[to].states, c)
	w.paths[from].states = append(w.paths[from].states, content{began: c.began, ended: c.ended})
}

// last returns what stands there. The lock is held.
func (h *history) last() content { return h.states[len(h.states)-1] }

// during returns the contents that somebody can have seen who looked in a span.
func (h *history) during(from, to time.Time) []content {
	var list []content
	for i, c := range h.states {
		until := to
		if i+1 < len(h.states) {
			until = h.states[i+1].ended
		}
		if !c.began.After(to) && !until.Before(from) {
			list = append(list, c)
		}
	}
	return list
}

// observed returns the paths of the world that can be in records of scans.
func (w *world) observed() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(w.paths)), func(p string) bool { return p == excludedPath })
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
