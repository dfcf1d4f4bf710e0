package scan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Options say what a scan leaves out and what it does with the bytes that it reads.
type Options struct {
	// Exclusions are the directories that are not observed; nil for none.
	Exclusions *Exclusions
	// SizeCap is the size in bytes up to which the bytes of a file are kept.
	SizeCap int64
	// Secret reports whether the bytes of a file must not be kept; nil for no. It is called
	// from several goroutines at once, as Has and Keep are.
	Secret func(path string) bool
	// Has reports whether the content store has bytes already; nil for no.
	Has func(hash [32]byte) bool
	// Keep keeps bytes, which are valid during the call only. After an error the scan goes
	// on, and the next one tries again. nil: nothing is kept, and nothing is read to be kept.
	Keep func(hash [32]byte, content []byte) error
	// Progress is called now and then with the number of files seen so far; nil for no.
	Progress func(files int)
	// Now is the clock; nil for time.Now.
	Now func() time.Time

	system   fileSystem    // nil for that of the machine
	patience time.Duration // 0 for the usual
	stopped  func()        // is called when the scan stops
}

func (o *Options) setDefaults() {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.patience == 0 {
		o.patience = patience
	}
	if o.system == nil {
		o.system = system{}
	}
}

// Result is what a scan has found. Its lists are sorted.
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
	// Unobserved are the paths that were not observed, nor what is below them, for whatever
	// reason: of a directory that was read in part, that part is meant too. When there are
	// many the directories that they are in stand for them.
	Unobserved []string
	// Files counts the files, links and the like that are present.
	Files int

	baseline []firstSeen
}

// firstSeen is what was seen for the first time in a directory.
type firstSeen struct {
	directory *node
	block     *block
}

// ErrNoRoot is the error of a root that is not there or is no directory.
var ErrNoRoot = errors.New("the root is gone or is no directory")

// ErrStuck is the error of a scan that goes on after its context has ended, because
// the file system does not answer.
var ErrStuck = errors.New("the file system did not answer in time; exclude what is mounted there")

// patience is how long a scan may take to notice that its context has ended.
const patience = 3 * time.Second

// Scan compares the files under root with what is known of them. It changes neither
// the root nor the manifest: Update does. When the context ends, what has not been
// reached stays as it is known, and the result says so. The error is ErrNoRoot when
// there is no root, and ErrDamaged when the manifest cannot be read any more.
func Scan(ctx context.Context, root string, known *Manifest, o Options) (*Result, error) {
	o.setDefaults()
	began, from := time.Now(), o.Now()
	w, err := newWalk(ctx, root, known, o, from)
	if err != nil {
		return nil, err
	}
	release := context.AfterFunc(ctx, w.stop)
	defer release()
	if ctx.Err() != nil {
		w.stop()
	}
	workers, err := w.run()
	if err != nil {
		return nil, err
	}
	defer w.close()
	if w.err != nil {
		return nil, w.err
	}
	if again, err := o.system.openRoot(root); err == nil {
		again.close()
	} else if isAbsent(err) { // what was found to be gone went with it
		return nil, fmt.Errorf("%s: %w", root, ErrNoRoot)
	}
	r := w.collect(workers)
	r.From, r.To = from, from.Add(time.Since(began))
	return r, nil
}

// isAbsent reports whether an error says that nothing is there.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// run lets a worker for each processor walk until nothing is left to do. After an error
// some still walk.
func (w *walk) run() ([]*worker, error) {
	workers := make([]*worker, runtime.GOMAXPROCS(0))
	var running sync.WaitGroup
	for i := range workers {
		workers[i] = &worker{walk: w}
		running.Go(workers[i].work)
	}
	finished := make(chan struct{})
	go func() {
		running.Wait()
		close(finished)
	}()
	select {
	case <-finished:
	case <-w.ctx.Done():
		select {
		case <-finished:
		case <-time.After(w.o.patience):
			return nil, ErrStuck
		}
	}
	return workers, nil
}

// collect puts what the workers have found together.
func (w *walk) collect(workers []*worker) *Result {
	for _, n := range w.queue.left() {
		workers[0].unreached(n)
	}
	r := &Result{}
	var gaps []string
	var unread []string
	unseen := 0
	for _, one := range workers {
		r.Differences = append(r.Differences, one.differences...)
		r.Refreshed = append(r.Refreshed, one.refreshed...)
		r.baseline = append(r.baseline, one.baseline...)
		r.Unreached = append(r.Unreached, one.cut...)
		r.Unobserved = append(r.Unobserved, one.notObserved...)
		unread = append(unread, one.unread...)
		gaps = append(gaps, one.gaps...)
		r.Gaps = append(r.Gaps, one.notKept...)
		unseen += one.unobserved
		r.Files += one.files
		r.Baseline += one.first
	}
	for _, list := range [][]Difference{r.Differences, r.Refreshed} {
		slices.SortFunc(list, func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })
	}
	slices.Sort(r.Unreached)
	r.Unobserved = fewest(append(r.Unobserved, r.Unreached...))
	r.Complete = unseen == 0 && len(r.Unreached) == 0 && len(unread) == 0
	r.Gaps = summary(r.Gaps, len(r.Gaps), "more files whose bytes could not be kept")
	r.Gaps = append(r.Gaps, summary(gaps, unseen, "more paths that could not be observed")...)
	if len(r.Unreached) > 0 {
		r.Gaps = append(r.Gaps, "the scan ended at its time limit; not seen to the end: "+someOf(r.Unreached, "directories"))
	}
	if len(unread) > 0 {
		slices.Sort(unread)
		r.Gaps = append(r.Gaps, "not read within the time limit of a scan, so that only size and time are known: "+someOf(unread, "files"))
	}
	return r
}

// someOf names the first of some paths, and says how many there are more.
func someOf(paths []string, what string) string {
	first := paths[:min(len(paths), maxListed)]
	text := strings.Join(quoted(first), ", ")
	if more := len(paths) - len(first); more > 0 {
		text += fmt.Sprintf(" and %d more %s", more, what)
	}
	return text
}

// Bounds of what is said in words.
const (
	maxGaps   = 50
	maxListed = 5
	maxShown  = 300 // bytes of a path
)

// summary returns lines, or the first of them and how many of count there are more.
func summary(lines []string, count int, what string) []string {
	slices.Sort(lines)
	lines = lines[:min(len(lines), maxGaps)]
	if more := count - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("%d %s", more, what))
	}
	return lines
}

func quoted(paths []string) []string {
	list := make([]string, len(paths))
	for i, p := range paths {
		list[i] = quote(p)
	}
	return list
}

// quote returns a path as text of one line that is not too long.
func quote(path string) string {
	if len(path) > maxShown {
		path = "…" + path[len(path)-maxShown:]
	}
	return fmt.Sprintf("%q", path)
}

// Look returns what one path of a root leads to, as a scan would have it, and keeps its
// bytes: Kept says whether that could be done. The entry is nil when nothing is there, or a directory.
func Look(ctx context.Context, root, path string, o Options) (*Entry, error) {
	o.setDefaults()
	if !fs.ValidPath(path) {
		return nil, &fs.PathError{Op: "look", Path: path, Err: fs.ErrInvalid}
	}
	w, err := newWalk(ctx, root, NewManifest(), o, o.Now())
	if err != nil {
		return nil, err
	}
	release := context.AfterFunc(ctx, w.stop)
	defer release()
	defer w.close()
	n := w.root
	parent, name := split(path)
	if parent != "" {
		for segment := range strings.SplitSeq(parent, "/") {
			below := &node{parent: n, base: segment, repository: n.repository}
			folder, err := n.folder.openFolder(segment)
			switch {
			case isAbsent(err), errors.Is(err, errReplaced): // a file, or a link
				return nil, nil
			case err != nil:
				return nil, fmt.Errorf("%s: %w", below.display(), err)
			}
			below.folder = folder
			defer folder.close()
			if _, err := folder.stateOf(".git"); err == nil {
				below.repository = w.repositoryAt(below)
			}
			n = below
		}
	}
	one := &worker{walk: w}
	return one.look(n, name)
}
