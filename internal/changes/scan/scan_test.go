package scan_test

import (
	"crypto/sha256"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/scan"
	"github.com/claudewatch/claudewatch/internal/testpipe"
)

func TestTheFirstScanIsTheBaselineAndTheNextSaysWhatChanged(t *testing.T) {
	p := newPlace(t)
	p.write("a=1", "sub/b=2", "sub/c=3", "sub/deeper/d=4")
	p.finds()
	p.knows("a", "sub/b", "sub/c", "sub/deeper/d")
	p.finds()

	p.write("a=11", "new/e=5", "sub/deeper/d=44")
	p.remove("sub/b")
	p.finds("modify a", "create new/e", "delete sub/b", "modify sub/deeper/d")
	p.knows("a", "new/e", "sub/c", "sub/deeper/d")
	p.finds()

	p.remove("sub", "new")
	p.finds("delete new/e", "delete sub/c", "delete sub/deeper/d")
	p.knows("a")
}

func TestADifferenceSaysWhatWasAndWhatIs(t *testing.T) {
	p := newPlace(t)
	p.write("a=before")
	p.scan()
	p.write("a=and after")
	r := p.scan()
	if len(r.Differences) != 1 {
		t.Fatalf("differences: %+v", r.Differences)
	}
	d := r.Differences[0]
	if d.Before.Size != 6 || d.Before.Hash != sha256.Sum256([]byte("before")) {
		t.Errorf("before: %+v", d.Before)
	}
	if d.After.Size != 9 || d.After.Hash != sha256.Sum256([]byte("and after")) {
		t.Errorf("after: %+v", d.After)
	}
	if e, ok := p.known.Get("a"); !ok || e != *d.After {
		t.Errorf("known: %v %+v", ok, e)
	}
	if r.To.Before(r.From) || r.Files != 1 {
		t.Errorf("from %v to %v, %d files", r.From, r.To, r.Files)
	}
}

func TestAnUnchangedFileIsNotRead(t *testing.T) {
	p := newPlace(t)
	p.write("a=1", "sub/b=2", "empty")
	p.scan()
	opened := p.reads()
	p.finds()
	if len(opened) != 0 {
		t.Errorf("opened: %v", opened)
	}
}

func TestTheSameContentWrittenAgainIsNoDifference(t *testing.T) {
	p := newPlace(t)
	p.write("a=1")
	p.scan()
	p.do(os.Chtimes(p.path("a"), time.Time{}, time.Now().Add(-time.Hour)))
	r := p.scan()
	p.compare(nil, found(r))
	if len(r.Refreshed) != 1 || r.Refreshed[0].Path != "a" {
		t.Errorf("refreshed: %+v", r.Refreshed)
	}
	if r := p.scan(); len(r.Refreshed) != 0 {
		t.Errorf("refreshed again: %+v", r.Refreshed)
	}
}

func TestOtherPermissionsAreADifference(t *testing.T) {
	p := newPlace(t)
	p.write("a=1")
	p.scan()
	p.do(os.Chmod(p.path("a"), 0o400))
	defer os.Chmod(p.path("a"), 0o600)
	p.finds("mode a")
	p.finds()
}

func TestSymlinksAreNeitherFollowedNorRead(t *testing.T) {
	p := newPlace(t)
	outside := newPlace(t)
	outside.write("secret=outside", "directory/file=outside")
	p.write("file=inside")
	p.mkdir("directory")
	p.link(outside.path("secret"), "to-file")
	p.link(outside.path("directory"), "to-directory")
	p.link("nowhere", "to-nothing")
	p.link(".", "directory/loop")
	p.finds()
	p.knows("directory/loop", "file", "to-directory", "to-file", "to-nothing")
	for _, name := range []string{"to-file", "to-directory", "to-nothing"} {
		if e, _ := p.known.Get(name); e.Kind != scan.Symlink {
			t.Errorf("%s: %+v", name, e)
		}
	}
	if e, _ := p.known.Get("to-nothing"); e.Hash != sha256.Sum256([]byte("nowhere")) || e.Size != 7 {
		t.Errorf("the entry is not that of the target's text: %+v", e)
	}
	if p.hasKept("outside") || p.hasKept("nowhere") || p.hasKept(outside.path("secret")) {
		t.Error("bytes of a link are kept")
	}
	outside.write("secret=changed", "directory/more=outside")
	p.finds()
	p.remove("to-nothing")
	p.link("elsewhere", "to-nothing")
	p.finds("modify to-nothing")
}

func TestAFileThatBecomesSomethingElseAndBack(t *testing.T) {
	for _, c := range []struct {
		name   string
		become func(p *place)
		kind   scan.Kind
		found  []string
		back   []string
	}{
		{"a link", func(p *place) { p.link("target", "a") }, scan.Symlink, []string{"type a"}, []string{"type a"}},
		{"a pipe", func(p *place) { testpipe.Make(p.t, p.path("a")) }, scan.Other, []string{"type a"}, []string{"type a"}},
		{"a directory", func(p *place) { p.write("a/b=2", "a/c/d=3") }, 0, []string{"delete a", "create a/b", "create a/c/d"}, []string{"create a", "delete a/b", "delete a/c/d"}},
		{"an empty directory", func(p *place) { p.mkdir("a") }, 0, []string{"delete a"}, []string{"create a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlace(t)
			p.write("a=1", "a-b=2", "b=3")
			p.scan()
			p.remove("a")
			c.become(p)
			p.finds(c.found...)
			if e, ok := p.known.Get("a"); ok != (c.kind != 0) || e.Kind != c.kind {
				t.Errorf("known: %v %+v", ok, e)
			}
			p.finds()
			p.remove("a")
			p.write("a=1")
			p.finds(c.back...)
			p.finds()
		})
	}
}

func TestAPipeIsNeverOpened(t *testing.T) {
	p := newPlace(t)
	testpipe.Make(t, p.path("pipe"))
	opened := p.reads()
	p.finds()
	p.finds()
	p.knows("pipe")
	if len(opened) != 0 {
		t.Errorf("opened: %v", opened)
	}
}

func TestAPipeThatTakesThePlaceOfAFileIsNotWaitedFor(t *testing.T) {
	p := newPlace(t)
	p.write("a=1")
	p.options.Intercept(func(what, name string) error {
		if what == "file" && name == "a" {
			p.remove("a")
			testpipe.Make(t, p.path("a"))
		}
		return nil
	})
	p.finds()
	if e, _ := p.known.Get("a"); e.Kind != scan.Other {
		t.Errorf("known: %+v", e)
	}
}

func TestAnEmptyDirectoryIsNoFile(t *testing.T) {
	p := newPlace(t)
	p.mkdir("empty/deeper")
	p.finds()
	p.knows()
	p.write("empty/deeper/a=1")
	p.finds("create empty/deeper/a")
}

func TestNamesOfEverySort(t *testing.T) {
	p := newPlace(t)
	names := []string{"with space", "new\nline", `quote"'`, `back\slash`, "*", "?", "[a]", "{a}", "ümläut", "日本", "-", "~", "\x01", "a.", "..a", "a..", "#", "%", " "}
	if os.PathSeparator == '\\' {
		t.Skip("most of these cannot be names here")
	}
	var created []string
	for _, name := range names {
		created = append(created, "create "+name, "create "+name+"-directory/"+name)
	}
	p.scan()
	for _, name := range names {
		p.write(name+"=1", name+"-directory/"+name+"=2")
	}
	p.finds(created...)
	p.finds()
	for _, name := range names {
		if _, ok := p.known.Get(name + "-directory/" + name); !ok {
			t.Errorf("%q is not known", name)
		}
	}
}

func TestANameThatIsNotUTF8IsAGapAndLeftOut(t *testing.T) {
	p := newPlace(t)
	if err := os.WriteFile(p.path("bad\xff"), nil, 0o600); err != nil {
		t.Skip("there cannot be such a name here")
	}
	p.write("a=1", "directory\xfe/b=2")
	r := p.scan()
	p.compare(nil, found(r))
	p.knows("a")
	if r.Complete || len(r.Gaps) != 2 || !strings.Contains(r.Gaps[0], `bad\xff`) || !strings.Contains(r.Gaps[1], `directory\xfe`) {
		t.Errorf("complete: %v, gaps: %q", r.Complete, r.Gaps)
	}
}

func TestARootThatIsGoneIsAnError(t *testing.T) {
	p := newPlace(t)
	p.write("a=1", "sub/b=2")
	p.scan()
	elsewhere := p.root + "-elsewhere"
	p.do(os.Rename(p.root, elsewhere))
	if _, err := scan.Scan(t.Context(), p.root, p.known, p.options); !errors.Is(err, scan.ErrNoRoot) {
		t.Errorf("without a root: %v", err)
	}
	p.do(os.WriteFile(p.root, nil, 0o600))
	if _, err := scan.Scan(t.Context(), p.root, p.known, p.options); !errors.Is(err, scan.ErrNoRoot) {
		t.Errorf("where the root is a file: %v", err)
	}
	p.do(os.Remove(p.root))
	p.do(os.Rename(elsewhere, p.root))
	p.finds()
	p.knows("a", "sub/b")
}

func TestARootThatGoesDuringAScanIsAnError(t *testing.T) {
	p := newPlace(t)
	p.write("a=1", "sub/b=2")
	p.scan()
	p.options.Intercept(func(what, name string) error {
		if what == "list" && name == "sub" {
			p.remove("")
		}
		return nil
	})
	if _, err := scan.Scan(t.Context(), p.root, p.known, p.options); !errors.Is(err, scan.ErrNoRoot) {
		t.Errorf("the error is %v", err)
	}
	p.knows("a", "sub/b")
}

func TestALinkToTheRootIsFollowed(t *testing.T) {
	p := newPlace(t)
	p.write("a=1")
	link := p.file + "-link"
	if err := os.Symlink(p.root, link); err != nil {
		t.Skip("no links here")
	}
	p.root = link
	p.finds()
	p.knows("a")
}

func TestProgressIsToldOfManyFiles(t *testing.T) {
	p := newPlace(t)
	p.write(numbered("a/%d", 1500)...)
	p.write(numbered("b/%d", 1500)...)
	var told []int
	p.options.Progress = func(files int) { told = append(told, files) }
	r := p.scan()
	if len(told) == 0 || told[len(told)-1] > r.Files || r.Files != 3000 {
		t.Errorf("told %v of %d files", told, r.Files)
	}
}

func TestLookIsAScanOfOnePath(t *testing.T) {
	p := newPlace(t)
	p.write("sub/a=1", "b=2")
	p.link("a", "sub/link")
	p.scan()
	clear(p.kept)
	for _, path := range []string{"sub/a", "b", "sub/link"} {
		e, err := scan.Look(t.Context(), p.root, path, p.options)
		p.do(err)
		if known, _ := p.known.Get(path); e == nil || *e != known {
			t.Errorf("%s: %+v, known as %+v", path, e, known)
		}
	}
	if !p.hasKept("1") || !p.hasKept("2") || len(p.kept) != 2 {
		t.Errorf("kept: %q", p.kept)
	}
	for _, path := range []string{"sub", "none", "none/none", "b/none", "sub/link/none"} {
		if e, err := scan.Look(t.Context(), p.root, path, p.options); e != nil || err != nil {
			t.Errorf("%s: %+v, %v", path, e, err)
		}
	}
	if open := p.options.Open(); open != 0 {
		t.Errorf("%d folders and files are still open", open)
	}
	for _, path := range []string{"../a", "/b", "", "sub/../b"} {
		if e, err := scan.Look(t.Context(), p.root, path, p.options); err == nil {
			t.Errorf("%q: %+v", path, e)
		}
	}
}
