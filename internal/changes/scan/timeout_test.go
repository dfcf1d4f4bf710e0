package scan_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/scan"
	"github.com/google/go-cmp/cmp"
)

// cutContext is a context that ends when the test says so: no clock decides.
type cutContext struct {
	context.Context
	end func() // returns when the scan knows of it
}

// newCutContext returns a context for one scan.
func (p *place) newCutContext() cutContext {
	ctx, cancel := context.WithCancel(p.t.Context())
	p.t.Cleanup(cancel)
	told := make(chan struct{})
	p.options.WhenStopped(sync.OnceFunc(func() { close(told) }))
	return cutContext{ctx, func() { cancel(); <-told }}
}

// cutAt scans until end says so of something that the scan is about to ask for.
func (p *place) cutAt(end func(what, name string) bool) *scan.Result {
	p.t.Helper()
	ctx := p.newCutContext()
	p.options.Intercept(func(what, name string) error {
		if end(what, name) {
			ctx.end()
		}
		return nil
	})
	defer p.allow()
	return p.scanIn(ctx)
}

// partial checks that a scan was cut, and where.
func (p *place) partial(r *scan.Result, unreached ...string) {
	p.t.Helper()
	if r.Complete {
		p.t.Error("the scan is complete")
	}
	if !slices.Equal(r.Unreached, unreached) {
		p.t.Errorf("unreached: %q, want %q", r.Unreached, unreached)
	}
	if len(r.Gaps) != 1 || !strings.Contains(r.Gaps[0], "time limit") || !strings.Contains(r.Gaps[0], `"`+unreached[0]+`"`) {
		p.t.Errorf("gaps: %q", r.Gaps)
	}
}

func TestAScanIsStoppedInsideALargeFile(t *testing.T) {
	p := newPlace(t)
	p.options.SizeCap = 100
	p.write("large=" + strings.Repeat("x", 5<<20))
	chunks := 0
	r := p.cutAt(func(what, _ string) bool {
		if what == "read" {
			chunks++
		}
		return chunks == 3
	})
	p.notRead(r, "large")
	p.compare(nil, found(r))
	p.knows("large")
	if chunks != 3 {
		t.Errorf("%d chunks were read", chunks)
	}
	p.finds()
	p.knows("large")
}

// notRead checks that a scan was cut in a file, and nowhere else.
func (p *place) notRead(r *scan.Result, name string) {
	p.t.Helper()
	if r.Complete || len(r.Unreached) > 0 {
		p.t.Errorf("complete: %v, unreached %q", r.Complete, r.Unreached)
	}
	if len(r.Gaps) != 1 || !strings.Contains(r.Gaps[0], "time limit") || !strings.Contains(r.Gaps[0], `"`+name+`"`) {
		p.t.Errorf("gaps: %q", r.Gaps)
	}
}

func TestALargeFileForWhichNoTimeWasLeftStaysAsItIsKnown(t *testing.T) {
	p := newPlace(t)
	p.options.SizeCap = 100
	p.write("large="+strings.Repeat("x", 1<<20), "small=1")
	p.scan()
	before, _ := p.known.Get("large")
	p.write("large="+strings.Repeat("y", 1<<20), "small=2")
	r := p.cutAt(func(what, name string) bool { return what == "list" && name == "." })
	p.partial(r, ".")
	if e, ok := p.known.Get("large"); !ok || e != before {
		t.Errorf("known: %v %+v", ok, e)
	}
	p.finds("modify large", "modify small")
}

func TestAFileThatTakesLongerThanTheScanMayHidesNothingElse(t *testing.T) {
	p := newPlace(t)
	p.options.SizeCap = 100
	p.write("d/a=1", "z=1")
	p.scan()
	p.write("large="+strings.Repeat("x", 1<<20), "larger="+strings.Repeat("x", 2<<20), "d/a=2", "d/new=1", "z=2")
	r := p.cutAt(func(what, name string) bool { return what == "read" && name == "large" })
	p.notRead(r, "large")
	p.compare([]string{"create d/new", "create large", "create larger", "modify d/a", "modify z"}, found(r))
	p.finds()
}

func TestAFileThatTookTheTimeOfAScanIsObservedByItsSizeAndTime(t *testing.T) {
	p := newPlace(t)
	p.options.SizeCap = 100
	var mutex sync.Mutex
	now, reads := time.Now().Add(time.Hour), 0
	p.options.Now = func() time.Time {
		mutex.Lock()
		defer mutex.Unlock()
		return now
	}
	p.write("large=" + strings.Repeat("x", 1<<20))
	cut := func() *scan.Result {
		return p.cutAt(func(what, name string) bool {
			if what != "read" {
				return false
			}
			mutex.Lock()
			defer mutex.Unlock()
			now = now.Add(time.Minute)
			reads++
			return true
		})
	}
	p.notRead(cut(), "large")
	if e, ok := p.known.Get("large"); !ok || !e.Slow || e.Known() {
		t.Errorf("known: %v %+v", ok, e)
	}
	if r := cut(); !r.Complete || len(r.Differences) > 0 {
		t.Errorf("complete: %v, %q", r.Complete, found(r))
	}
	p.write("large=" + strings.Repeat("x", 2<<20))
	r := cut()
	p.notRead(r, "large")
	p.compare([]string{"modify large"}, found(r))
	if reads != 1 {
		t.Errorf("it was read %d times", reads)
	}
	p.write("large=" + strings.Repeat("x", 1<<20))
	p.finds("modify large")
	if e, ok := p.known.Get("large"); !ok || e.Slow || !e.Known() {
		t.Errorf("known: %v %+v", ok, e)
	}
}

func TestWhatTheFirstScanDidNotReachIsNeverCreated(t *testing.T) {
	p := newPlace(t)
	p.write("a/b=1", "a/c/d=2", "e/f=3", "e/g/h=4", "i=5")
	r := p.cutAt(func(what, name string) bool { return what == "list" && name == "e" })
	p.compare(nil, found(r))
	if r.Complete || !slices.Contains(r.Unreached, "e") {
		t.Errorf("unreached: %q", r.Unreached)
	}
	p.finds()
	p.knows("a/b", "a/c/d", "e/f", "e/g/h", "i")
	p.write("e/g/new=6", "a/c/new=7")
	p.finds("create e/g/new", "create a/c/new")
}

func TestWhatWasNotReachedIsNotDeleted(t *testing.T) {
	p := newPlace(t)
	p.write("a/b=1", "e/f=3", "e/g/h=4")
	p.scan()
	p.remove("a/b")
	r := p.cutAt(func(what, name string) bool { return what == "list" && name == "." })
	p.partial(r, ".")
	p.compare(nil, found(r))
	p.knows("a/b", "e/f", "e/g/h")
	p.finds("delete a/b") // the baseline does not move on without a difference
}

func TestAScanThatEndsBeforeItBeginsChangesNothing(t *testing.T) {
	p := newPlace(t)
	p.write("a=1", "b/c=2")
	p.scan()
	p.write("a=11", "b/new=3")
	p.remove("b/c")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := p.scanIn(ctx)
	p.partial(r, ".")
	p.compare(nil, found(r))
	p.knows("a", "b/c")
	p.finds("modify a", "delete b/c", "create b/new")
}

func TestWhatIsNewInADirectoryThatWasWhollyKnownIsCreatedThoughAScanDidNotReachIt(t *testing.T) {
	p := newPlace(t)
	p.write("a/b=1", "e/f=3")
	p.scan()
	p.write("e/new=4")
	r := p.cutAt(func(what, name string) bool { return what == "list" && name == "." })
	p.compare(nil, found(r))
	p.finds("create e/new")
}

func TestANewDirectoryThatWasNotReachedIsNotCreatedLater(t *testing.T) {
	p := newPlace(t)
	p.write("a=1")
	p.scan()
	p.write("new/b=2", "new/deep/c=3")
	r := p.cutAt(func(what, name string) bool { return what == "list" && name == "new" })
	p.partial(r, "new")
	p.compare(nil, found(r))
	p.finds()
	p.knows("a", "new/b", "new/deep/c")
	p.write("new/d=4")
	p.finds("create new/d")
}

func TestWhatIsBesideAFileThatWasOnlyLookedAtIsNotCreated(t *testing.T) {
	p := newPlace(t)
	p.write("a=1", "sub/deep/b=2", "sub/deep/c=3")
	p.cutAt(func(what, name string) bool { return what == "list" && name == "sub" })
	e, err := scan.Look(t.Context(), p.root, "sub/deep/b", p.options)
	p.do(err)
	p.known.Apply([]scan.Difference{{Path: "sub/deep/b", After: e}})
	p.finds()
	p.knows("a", "sub/deep/b", "sub/deep/c")
}

func TestAFileAndADirectoryThatIsNotReachedTakeEachOthersPlace(t *testing.T) {
	for _, inOrder := range []bool{true, false} {
		p := newPlace(t)
		p.write("a=1", "z=2")
		p.scan()
		apply := func(r *scan.Result) {
			if inOrder {
				p.known.Apply(r.Differences)
				p.known.Apply(r.Refreshed)
			} else {
				p.known.Apply(r.Refreshed)
				p.known.Apply(r.Differences)
			}
		}
		p.remove("a")
		p.write("a/b=3")
		ctx := p.newCutContext()
		p.options.Intercept(func(what, name string) error {
			if what == "list" && name == "a" {
				ctx.end()
			}
			return nil
		})
		r, err := scan.Scan(ctx, p.root, p.known, p.options)
		p.do(err)
		p.compare([]string{"delete a"}, found(r))
		p.allow()
		apply(r)
		p.knows("z")

		p.remove("a")
		p.write("a=4")
		r, err = scan.Scan(t.Context(), p.root, p.known, p.options)
		p.do(err)
		p.compare([]string{"create a"}, found(r))
		apply(r)
		p.knows("a", "z")
		p.finds()
	}
}

func TestManyUnreachedDirectoriesAreCounted(t *testing.T) {
	p := newPlace(t)
	for _, name := range numbered("d%02d", 20) {
		p.write(name + "/a")
	}
	listed := 0
	r := p.cutAt(func(what, name string) bool {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		if what == "list" {
			listed++
		}
		return listed == 2
	})
	if len(r.Unreached) < 10 || len(r.Gaps) != 1 || !strings.Contains(r.Gaps[0], "more directories") {
		t.Errorf("unreached %q, gaps %q", r.Unreached, r.Gaps)
	}
}

func TestScansThatAreCutAnywhereFindNothingWhereNothingChanged(t *testing.T) {
	rounds := uint64(60)
	if testing.Short() {
		rounds = 10
	}
	for seed := range rounds {
		m := &mutator{newPlace(t), rand.New(rand.NewPCG(seed, 1))}
		m.exclude("skipped")
		for range 60 {
			m.mutate()
		}
		for step := range 4 {
			left := m.random.IntN(80)
			r := m.cutAt(func(string, string) bool {
				m.mutex.Lock()
				defer m.mutex.Unlock()
				left--
				return left == 0
			})
			if len(r.Differences) > 0 {
				t.Fatalf("seed %d, step %d: %q", seed, step, found(r))
			}
		}
		m.finds()
		if diff := cmp.Diff(len(observe(t, m.root, "skipped")), len(m.paths())); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		for range 30 {
			m.mutate()
		}
		before, after := m.paths(), observe(t, m.root, "skipped")
		created := 0
		for path := range after {
			if !slices.Contains(before, path) {
				created++
			}
		}
		for _, d := range m.scan().Differences {
			if d.Before == nil {
				created--
			}
		}
		if created != 0 {
			t.Errorf("seed %d: %d creations were missed", seed, created)
		}
	}
}

func TestAFileSystemThatDoesNotAnswerDoesNotHoldTheScan(t *testing.T) {
	p := newPlace(t)
	p.write("a=1", "b/hangs=2")
	hang := make(chan struct{})
	defer close(hang)
	p.options.BePatientFor(1)
	ctx := p.newCutContext()
	p.options.Intercept(func(what, name string) error {
		if what == "file" && name == "hangs" {
			ctx.end()
			<-hang
		}
		return nil
	})
	if _, err := scan.Scan(ctx, p.root, p.known, p.options); !errors.Is(err, scan.ErrStuck) {
		t.Errorf("the error is %v", err)
	}
}
