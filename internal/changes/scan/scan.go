package scan

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"
)

// Options say what a scan leaves out and what it does with the bytes that it reads.
type Options struct {
	// Exclusions are the directories that are not observed; nil for none.
	Exclusions *Exclusions
	// SizeCap is the size in bytes up to which the bytes of a file are kept.
	SizeCap int64
	// Secret reports whether the bytes of a file must not be kept; nil for no.
	Secret func(path string) bool
	// Has reports whether the content store has bytes already; nil for no.
	Has func(hash [32]byte) bool
	// Keep keeps bytes, which are valid during the call only. It is called from several
	// goroutines at once. After an error the scan goes on, and the next one tries again. nil: nothing is
	// kept, and nothing is read to be kept.
	Keep func(hash [32]byte, content []byte) error
	// Progress is called now and then with the number of files seen so far; nil for no.
	Progress func(files int)
	// Now is the clock; nil for time.Now.
	Now func() time.Time
}

// Result is what a scan has found. Its lists are sorted by path.
type Result struct {
	// From and To are when the scan began and ended.
	From, To time.Time
	// Differences are the files that were created, changed, removed, or have other
	// permissions than before.
	Differences []Difference
	// Refreshed is what else the manifest wants to know: the same content under a new
	// state, bytes that are kept now, directories that are not observed any more or not
	// wholly seen. No record tells of it.
	Refreshed []Difference
	// Baseline counts the entries that were seen for the first time where no earlier scan
	// had looked. They are in none of the lists: when it is not 0, the manifest must be
	// written after Update, or the next scan sees them for the first time once more.
	Baseline int
	// Gaps says in words what could not be observed, and bytes that could not be kept.
	Gaps []string
	// Complete says that everything the exclusions leave was observed.
	Complete bool
	// Unreached are the directories, "." for the root, that the end of the context kept
	// from being read to their ends.
	Unreached []string
	// Files counts the files, links and the like that are present.
	Files int

	baseline []Difference
}

// ErrNoRoot is the error of a root that is not there or is no directory.
var ErrNoRoot = errors.New("the root is gone or is no directory")

// Scan compares the files under root with what is known of them. It changes neither
// the root nor the manifest: Update does. When the context ends, what has not been
// reached stays as it is known, and the result says so. The error is ErrNoRoot when
// there is no root.
func Scan(ctx context.Context, root string, known *Manifest, o Options) (*Result, error) {
	now := o.Now
	if now == nil {
		now = time.Now
	}
	began := time.Now()
	w := &walk{ctx: ctx, root: root, o: o, result: &Result{From: now(), Complete: true}}
	// The clock of a file system lags by up to a tick, and FAT counts in steps of two seconds.
	w.young = w.result.From.Truncate(time.Second).Add(-time.Second).UnixNano()
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s: %w", root, ErrNoRoot)
	}
	d := &walkedDirectory{known: known.root, marked: known.unseen, unseen: known.unseen}
	w.directory(d)
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s: %w", root, ErrNoRoot)
	}
	r := w.result
	r.To = r.From.Add(time.Since(began))
	r.Baseline = len(r.baseline)
	for _, list := range [][]Difference{r.Differences, r.Refreshed} {
		slices.SortFunc(list, func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })
	}
	slices.Sort(r.Unreached)
	if len(r.Unreached) > 0 {
		r.Complete = false
		r.Gaps = append(r.Gaps, fmt.Sprintf("the scan was stopped by its time limit; not seen to the end: %s", strings.Join(r.Unreached, ", ")))
	}
	slices.Sort(r.Gaps)
	return r, nil
}

// walk is one scan under way.
type walk struct {
	ctx    context.Context
	root   string
	o      Options
	young  int64 // from this time on, a file is Young
	result *Result
}

// walkedDirectory is a directory that the walk is in.
type walkedDirectory struct {
	parent  *walkedDirectory
	base    string
	path    string // "" for the root, else with a slash at its end
	known   *knownDirectory
	marked  bool     // the manifest has it as Unseen
	unseen  bool     // what is not known in it is baseline
	files   []string // names that are no directories
	isKnown bool
}

func (d *walkedDirectory) up() place {
	if d.parent == nil {
		return nil
	}
	return d.parent
}

func (d *walkedDirectory) name() string { return d.base }

func (d *walkedDirectory) holds(fits func(string) bool) bool {
	return slices.ContainsFunc(d.files, fits)
}

func (d *walkedDirectory) display() string {
	if d.path == "" {
		return "."
	}
	return strings.TrimSuffix(d.path, "/")
}

func (w *walk) gap(path string, err error) {
	w.result.Complete = false
	w.result.Gaps = append(w.result.Gaps, fmt.Sprintf("%q: %v", path, cause(err)))
}

// cause is an error without the path that os puts in front.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

func (w *walk) refreshed(path string, before, after *Entry) {
	w.result.Refreshed = append(w.result.Refreshed, Difference{path, before, after})
}

// incomplete says that a directory has not been read to its end.
func (w *walk) incomplete(d *walkedDirectory) {
	if !d.marked && (d.unseen || !d.isKnown) {
		w.refreshed(d.display(), nil, &Entry{Kind: Unseen})
	}
}

func (w *walk) unreached(d *walkedDirectory) {
	w.result.Unreached = append(w.result.Unreached, d.display())
	w.incomplete(d)
}

func (w *walk) directory(d *walkedDirectory) {
	if w.ctx.Err() != nil {
		w.unreached(d)
		return
	}
	list, err := os.ReadDir(filepath.Join(w.root, filepath.FromSlash(d.path)))
	if errors.Is(err, fs.ErrNotExist) {
		w.gone(d)
		return
	}
	if err != nil {
		w.gap(d.display(), err)
		w.incomplete(d)
		return
	}
	present := map[string]bool{} // true for directories
	for _, e := range list {
		if !utf8.ValidString(e.Name()) {
			w.gap(d.path+e.Name(), errors.New("the name is not UTF-8, and is left out"))
			continue
		}
		present[e.Name()] = e.IsDir()
		if !e.IsDir() {
			d.files = append(d.files, e.Name())
		}
	}
	complete := true
	for _, e := range list {
		switch isDirectory, ok := present[e.Name()]; {
		case !ok:
		case w.ctx.Err() != nil && !isDirectory:
			complete = false
		case isDirectory:
			w.subdirectory(d, e.Name())
		default:
			complete = w.file(d, e.Name()) && complete
		}
	}
	w.vanished(d, present)
	if !complete {
		w.unreached(d)
	} else if d.marked {
		w.refreshed(d.display(), &Entry{Kind: Unseen}, nil)
	}
}

func (w *walk) subdirectory(d *walkedDirectory, name string) {
	sub := &walkedDirectory{parent: d, base: name, path: d.path + name + "/"}
	if d.known != nil {
		sub.known = d.known.directories[name]
		if e, ok := d.known.entries[name]; ok && e.Kind == Unseen {
			sub.marked = true
		} else if ok {
			w.result.Differences = append(w.result.Differences, Difference{d.path + name, &e, nil})
		}
	}
	sub.isKnown = sub.known != nil
	if w.o.Exclusions.excludes(d, name) {
		w.forget(sub)
		if !sub.marked {
			w.refreshed(sub.display(), nil, &Entry{Kind: Unseen})
		}
		return
	}
	sub.unseen = sub.marked || d.unseen && !sub.isKnown
	w.directory(sub)
}

// forget takes what is known of a directory out of the manifest.
func (w *walk) forget(d *walkedDirectory) {
	if d.known != nil {
		d.known.all(d.path, func(path string, e Entry) bool {
			w.refreshed(path, &e, nil)
			return true
		})
	}
}

// gone says that all that is known of a directory has been removed.
func (w *walk) gone(d *walkedDirectory) {
	if d.marked {
		w.refreshed(d.display(), &Entry{Kind: Unseen}, nil)
	}
	if d.known == nil {
		return
	}
	d.known.all(d.path, func(path string, e Entry) bool {
		if e.Kind == Unseen {
			w.refreshed(path, &e, nil)
		} else {
			w.result.Differences = append(w.result.Differences, Difference{path, &e, nil})
		}
		return true
	})
}

// vanished finds what is known in a directory and not present.
func (w *walk) vanished(d *walkedDirectory, present map[string]bool) {
	if d.known == nil {
		return
	}
	for name, e := range d.known.entries {
		if _, ok := present[name]; ok {
			continue
		}
		if e.Kind == Unseen {
			w.refreshed(d.path+name, &e, nil)
		} else {
			w.result.Differences = append(w.result.Differences, Difference{d.path + name, &e, nil})
		}
	}
	for name, known := range d.known.directories {
		if !present[name] {
			w.gone(&walkedDirectory{parent: d, base: name, path: d.path + name + "/", known: known})
		}
	}
}

// file looks at what is no directory. It returns false when the context ended before
// it was done.
func (w *walk) file(d *walkedDirectory, name string) bool {
	path := d.path + name
	var before *Entry
	if d.known != nil {
		if e, ok := d.known.entries[name]; ok {
			before = &e
		}
	}
	if before != nil && before.Kind == Unseen {
		w.refreshed(path, before, nil)
		before = nil
	}
	full := filepath.Join(w.root, filepath.FromSlash(path))
	info, err := os.Lstat(full)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if before != nil {
			w.result.Differences = append(w.result.Differences, Difference{path, before, nil})
		}
		return true
	case err != nil:
		w.gap(path, err)
		return true
	case info.IsDir(): // since the directory was read
		return true
	}
	w.result.Files++
	after := entryOf(info)
	if before != nil && before.sameState(after) && !before.Young && !w.wanted(path, *before) {
		if before.Perm != after.Perm {
			w.result.Differences = append(w.result.Differences, Difference{path, before, ptr(withContent(after, *before))})
		}
		return true
	}
	if err := w.read(full, path, &after); err != nil {
		if w.ctx.Err() != nil {
			return false
		}
		w.gap(path, err)
		if before != nil {
			return true
		}
	}
	w.add(d, path, before, after)
	return true
}

func ptr[T any](v T) *T { return &v }

// withContent is a state with the content that is known.
func withContent(state, known Entry) Entry {
	state.Hash, state.Blob, state.Kept, state.Young = known.Hash, known.Blob, known.Kept, known.Young
	return state
}

func (w *walk) add(d *walkedDirectory, path string, before *Entry, after Entry) {
	switch {
	case before == nil && d.unseen:
		w.result.baseline = append(w.result.baseline, Difference{path, nil, &after})
	case before == nil, before.Kind != after.Kind, before.Kind == Regular && before.Perm != after.Perm:
		w.result.Differences = append(w.result.Differences, Difference{path, before, &after})
	case before.Hash == after.Hash, !before.Known() && before.Size == after.Size && before.ModTime == after.ModTime:
		if *before != after {
			w.refreshed(path, before, &after)
		}
	default:
		w.result.Differences = append(w.result.Differences, Difference{path, before, &after})
	}
}

// wanted reports whether the bytes of a file are to be kept and are not.
func (w *walk) wanted(path string, e Entry) bool {
	return w.o.Keep != nil && e.Kind == Regular && !e.Kept && e.Blob == [20]byte{} && e.Size <= w.o.SizeCap && !w.secret(path)
}

func (w *walk) secret(path string) bool { return w.o.Secret != nil && w.o.Secret(path) }

// read fills in what only reading tells of a file or a link.
func (w *walk) read(full, path string, e *Entry) error {
	e.Young = max(e.ModTime, e.ChangeTime) >= w.young
	switch e.Kind {
	case Symlink:
		target, err := os.Readlink(full)
		e.Hash, e.Size = sha256.Sum256([]byte(target)), int64(len(target))
		return err
	case Regular:
	default:
		return nil
	}
	file, err := os.OpenFile(full, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it became something else while it was looked at")
	}
	hash := sha256.New()
	var content []byte
	buffer := make([]byte, 64<<10)
	var size int64
	for {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		n, err := file.Read(buffer)
		hash.Write(buffer[:n])
		size += int64(n)
		if size <= w.o.SizeCap {
			content = append(content, buffer[:n]...)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if size != e.Size {
		e.Size, e.Young = size, true
	}
	hash.Sum(e.Hash[:0])
	if w.wanted(path, *e) {
		if w.o.Has != nil && w.o.Has(e.Hash) {
			e.Kept = true
		} else if err := w.o.Keep(e.Hash, content); err != nil {
			w.result.Gaps = append(w.result.Gaps, fmt.Sprintf("%q: its bytes could not be kept: %v", path, err))
		} else {
			e.Kept = true
		}
	}
	return nil
}

// entryOf returns what the system tells of a path without reading it.
func entryOf(info fs.FileInfo) Entry {
	e := Entry{Kind: Other, Perm: uint32(info.Mode().Perm()), Size: info.Size(), ModTime: info.ModTime().UnixNano()}
	switch mode := info.Mode(); {
	case mode.IsRegular():
		e.Kind = Regular
	case mode&fs.ModeSymlink != 0:
		e.Kind = Symlink
	}
	return e
}

// Look returns what one path of a root leads to, as a scan would have it, and keeps its
// bytes. The Entry is nil when nothing is there, or a directory.
func Look(ctx context.Context, root, path string, o Options) (*Entry, error) {
	now := o.Now
	if now == nil {
		now = time.Now
	}
	w := &walk{ctx: ctx, root: root, o: o, result: &Result{}, young: now().Truncate(time.Second).Add(-time.Second).UnixNano()}
	full := filepath.Join(root, filepath.FromSlash(path))
	info, err := os.Lstat(full)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), err == nil && info.IsDir():
		return nil, nil
	case err != nil:
		return nil, err
	}
	e := entryOf(info)
	if err := w.read(full, path, &e); err != nil {
		return nil, err
	}
	return &e, nil
}
