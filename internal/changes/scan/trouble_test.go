package scan_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/scan"
)

// deny makes the file system refuse what is asked for under some names.
func (p *place) deny(what string, names ...string) {
	p.options.Intercept(func(asked, name string) error {
		for _, n := range names {
			if asked == what && name == n {
				return &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
			}
		}
		return nil
	})
}

// gap checks that there is one gap, with a path in it, and that the scan is not complete.
func (p *place) gap(r *scan.Result, path string) {
	p.t.Helper()
	if r.Complete || len(r.Gaps) != 1 || !strings.Contains(r.Gaps[0], `"`+path+`"`) {
		p.t.Errorf("complete: %v, gaps %q; want one about %s", r.Complete, r.Gaps, path)
	}
}

func TestAnUnreadableDirectoryIsAGapAndNotADelete(t *testing.T) {
	for _, what := range []string{"directory", "list"} {
		t.Run(what, func(t *testing.T) {
			p := newPlace(t)
			p.write("closed/a=1", "closed/deep/b=2", "c=3")
			p.scan()
			p.write("closed/a=11", "closed/new=4", "c=33")
			p.deny(what, "closed")
			r := p.scan()
			p.compare([]string{"modify c"}, found(r))
			p.gap(r, "closed")
			p.knows("closed/a", "closed/deep/b", "c")
			p.allow()
			p.finds("modify closed/a", "create closed/new")
		})
	}
}

func TestWhatIsFirstSeenInADirectoryThatWasUnreadableIsNotCreated(t *testing.T) {
	p := newPlace(t)
	p.write("closed/a=1", "closed/deep/b=2", "c=3")
	p.deny("list", "closed")
	p.gap(p.scan(), "closed")
	p.knows("c")
	p.gap(p.scan(), "closed")
	p.allow()
	p.finds()
	p.knows("closed/a", "closed/deep/b", "c")
	p.write("closed/new=4", "closed/deep/new=4")
	p.finds("create closed/new", "create closed/deep/new")
}

func TestAnUnreadableFileIsAGapAndNotADelete(t *testing.T) {
	for _, what := range []string{"file", "read"} {
		t.Run(what, func(t *testing.T) {
			p := newPlace(t)
			p.write("a=1", "b=2")
			p.scan()
			p.write("a=111", "b=22")
			p.deny(what, "a")
			r := p.scan()
			p.compare([]string{"modify b"}, found(r))
			p.gap(r, "a")
			p.knows("a", "b")
			p.gap(p.scan(), "a")
			p.allow()
			p.finds("modify a")
		})
	}
}

func TestAFileThatCannotBeLookedAtIsAGapAndNotADelete(t *testing.T) {
	p := newPlace(t)
	p.write("a=1", "b=2")
	p.scan()
	p.deny("state", "a")
	r := p.scan()
	p.compare(nil, found(r))
	p.gap(r, "a")
	p.knows("a", "b")
}

func TestANewFileThatCannotBeReadIsCreatedWithUnknownContent(t *testing.T) {
	p := newPlace(t)
	p.scan()
	p.write("a=1")
	p.deny("file", "a")
	r := p.scan()
	p.compare([]string{"create a"}, found(r))
	p.gap(r, "a")
	if e, ok := p.known.Get("a"); !ok || e.Known() || e.Size != 1 {
		t.Errorf("known: %v %+v", ok, e)
	}
	p.options.Keep = nil // its bytes alone would be a reason to read it
	p.gap(p.scan(), "a")
	p.allow()
	p.finds()
	if e, _ := p.known.Get("a"); !e.Known() {
		t.Error("the content is not known")
	}
}

func TestAFileThatVanishesWhileItIsLookedAtIsGone(t *testing.T) {
	for _, what := range []string{"state", "file", "read"} {
		t.Run(what, func(t *testing.T) {
			p := newPlace(t)
			p.write("a=1", "b=2")
			p.scan()
			p.write("a=11", "new=3")
			p.options.Intercept(func(asked, name string) error {
				if asked == what && (name == "a" || name == "new") {
					p.remove(name)
				}
				return nil
			})
			r := p.scan()
			if what == "read" { // it was open: what was read was there
				p.compare([]string{"modify a", "create new"}, found(r))
				p.finds("delete a", "delete new")
			} else {
				p.compare([]string{"delete a"}, found(r))
			}
			if len(r.Gaps) > 0 || !r.Complete {
				t.Errorf("complete: %v, gaps %q", r.Complete, r.Gaps)
			}
			p.knows("b")
		})
	}
}

func TestADirectoryThatVanishesWhileItIsReadIsGone(t *testing.T) {
	for _, what := range []string{"directory", "list"} {
		t.Run(what, func(t *testing.T) {
			p := newPlace(t)
			p.write("sub/a=1", "sub/deep/b=2", "c=3")
			p.scan()
			p.write("new/d=4")
			p.options.Intercept(func(asked, name string) error {
				if asked == what && (name == "sub" || name == "new") {
					p.remove(name)
				}
				return nil
			})
			p.finds("delete sub/a", "delete sub/deep/b")
			p.knows("c")
		})
	}
}

func TestADirectoryThatBecomesALinkWhileItIsReadIsNotFollowed(t *testing.T) {
	p, outside := newPlace(t), newPlace(t)
	outside.write("secret=outside")
	p.write("sub/a=1")
	p.scan()
	p.options.Intercept(func(asked, name string) error {
		if asked == "directory" && name == "sub" {
			p.remove("sub")
			p.link(outside.root, "sub")
		}
		return nil
	})
	r := p.scan()
	p.compare(nil, found(r))
	p.gap(r, "sub")
	p.allow()
	p.finds("create sub", "delete sub/a")
	if p.hasKept("outside") {
		t.Error("the link was followed")
	}
}

func TestAFileThatIsReplacedWhileItsDirectoryIsListedIsNotDeleted(t *testing.T) {
	// A directory that is changed while it is listed may leave out a name that was there
	// all the time (readdir(3)).
	p := newPlace(t)
	p.write("a=1", "sub/b=2", "c=3")
	p.scan()
	p.options.Conceal("a", "sub")
	p.finds()
	p.knows("a", "sub/b", "c")
}

func TestAFileThatIsSpeltOtherwiseNowIsRenamed(t *testing.T) {
	// Where small letters are not told from capitals, the old name still leads to the file.
	p := newPlace(t)
	p.write("readme=1", "sub/b=2")
	p.scan()
	p.do(os.Rename(p.path("readme"), p.path("README")))
	if err := os.Link(p.path("README"), p.path("readme")); err != nil && !errors.Is(err, fs.ErrExist) {
		t.Skip("no such file system, and no links to play one: ", err)
	}
	p.options.Conceal("readme")
	p.finds("create README", "delete readme")
}

func TestAFileThatGrowsWhileItIsReadIsReadAgainByTheNextScan(t *testing.T) {
	p := newPlace(t)
	p.scan()
	p.write("log=1")
	grown := false
	p.options.Intercept(func(what, name string) error {
		if what == "read" && !grown {
			grown = true
			file, err := os.OpenFile(p.path("log"), os.O_WRONLY|os.O_APPEND, 0)
			p.do(err)
			_, err = file.WriteString("23")
			p.do(errors.Join(err, file.Close()))
		}
		return nil
	})
	p.finds("create log")
	e, _ := p.known.Get("log")
	if !p.hasKept("123") || e.Size != 3 {
		t.Errorf("kept %q, known as %+v", p.kept, e)
	}
	opened := p.reads()
	p.finds()
	if opened["log"] != 1 {
		t.Errorf("opened: %v", opened)
	}
	p.finds()
	if opened["log"] != 1 {
		t.Errorf("opened: %v", opened)
	}
}

func TestAFileThatIsWrittenToWhileItIsReadIsReadAgainByTheNextScan(t *testing.T) {
	p := newPlace(t)
	p.write("a=old")
	written := false
	p.options.Intercept(func(what, name string) error {
		if what == "read" && written {
			return nil
		}
		if what == "read" {
			written = true
			p.do(os.Chtimes(p.path("a"), p.options.Now(), p.options.Now().Add(-30*60e9))) // as a write would
		}
		return nil
	})
	p.finds()
	opened := p.reads()
	p.finds()
	if opened["a"] != 1 {
		t.Errorf("opened: %v", opened)
	}
}

func TestBytesThatCannotBeKeptAreAGapAndTriedAgain(t *testing.T) {
	p := newPlace(t)
	p.write("a=1")
	keep := p.options.Keep
	p.options.Keep = func([32]byte, []byte) error { return errors.New("the disk is full") }
	r := p.scan()
	if !r.Complete || len(r.Gaps) != 1 || !strings.Contains(r.Gaps[0], "the disk is full") {
		t.Errorf("complete: %v, gaps %q", r.Complete, r.Gaps)
	}
	p.options.Keep = keep
	p.finds()
	if !p.hasKept("1") {
		t.Error("the bytes are not kept")
	}
}

func TestManyGapsAreCounted(t *testing.T) {
	p := newPlace(t)
	names := numbered("file %03d", 300)
	p.write(names...)
	for _, name := range names {
		p.write(name + "=1")
	}
	p.deny("file", names...)
	r := p.scan()
	if len(r.Gaps) != 51 || !strings.HasPrefix(r.Gaps[50], "250 more") {
		t.Errorf("%d gaps, the last %q", len(r.Gaps), r.Gaps[len(r.Gaps)-1])
	}
}

func TestDirectoriesAreReadAtTheSameTime(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	p := newPlace(t)
	p.write("a/1", "b/2")
	var reading sync.WaitGroup
	reading.Add(2)
	both := make(chan struct{})
	go func() { reading.Wait(); close(both) }()
	p.options.Intercept(func(what, name string) error {
		if what == "list" && name != "." {
			reading.Done()
			select {
			case <-both:
			case <-time.After(time.Minute):
				t.Error("one waits for the other")
			}
		}
		return nil
	})
	p.finds()
}

func TestAFaultOfOurOwnIsAnError(t *testing.T) {
	p := newPlace(t)
	p.write("a=1")
	p.options.Keep = func([32]byte, []byte) error { panic("a fault") }
	if _, err := scan.Scan(t.Context(), p.root, p.known, p.options); err == nil || !strings.Contains(err.Error(), "a fault") {
		t.Errorf("the error is %v", err)
	}
}

func TestADeepTreeIsSeenToItsBottom(t *testing.T) {
	p := newPlace(t)
	const depth = 5000
	if err := descend(p.root, depth, "d"); err != nil {
		t.Skip("no such tree can be made here: ", err)
	}
	r := p.scan()
	if r.Files != depth || !r.Complete || len(r.Gaps) > 0 {
		t.Errorf("%d files, complete: %v, gaps %q", r.Files, r.Complete, r.Gaps)
	}
	p.do(os.Rename(filepath.Join(p.root, "d"), p.root+"-moved"))
	p.write("new=1")
	if r := p.scan(); len(r.Differences) != depth+1 {
		t.Errorf("%d differences", len(r.Differences))
	}
	p.knows("new")
}

func TestATreeOfMoreDirectoriesThanMayBeOpen(t *testing.T) {
	p := newPlace(t)
	const depth = 200
	if err := descend(p.root, depth, "b", "a", "c"); err != nil { // a and c wait while b is seen to its bottom
		t.Skip("no such tree can be made here: ", err)
	}
	p.options.LimitHandles(1)
	if r := p.scan(); r.Files != 3*depth || !r.Complete || len(r.Gaps) > 0 {
		t.Errorf("%d files, complete: %v, gaps %q", r.Files, r.Complete, r.Gaps)
	}
	p.write("b/b/c/new=1")
	p.remove("b/b/a/file")
	p.finds("create b/b/c/new", "delete b/b/a/file")
}

func TestADirectoryOf50000Files(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes 50,000 files")
	}
	p := newPlace(t)
	p.write(numbered("many/%d", 50_000)...)
	if r := p.scan(); r.Baseline != 50_000 || r.Files != 50_000 {
		t.Errorf("%d first seen of %d", r.Baseline, r.Files)
	}
	p.write("many/777=changed", "many/new=created")
	p.remove("many/49999")
	p.finds("modify many/777", "create many/new", "delete many/49999")
	p.remove("many")
	if r := p.scan(); len(r.Differences) != 50_000 {
		t.Errorf("%d differences", len(r.Differences))
	}
}
