package scan_test

import (
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/scan"
)

// at sets the clock of the scans.
func (p *place) at(clock time.Time) { p.options.Now = func() time.Time { return clock } }

func (p *place) touch(name string, modified time.Time) {
	p.t.Helper()
	p.do(os.Chtimes(p.path(name), time.Time{}, modified))
}

func TestAFileOfTheLastScansOwnSecondIsHashedAgain(t *testing.T) {
	now := time.Now().Truncate(time.Second).Add(time.Hour).Add(500 * time.Millisecond)
	for _, c := range []struct {
		name     string
		modified time.Time
		again    bool
	}{
		{"long before", now.Add(-time.Minute), false},
		{"in the same second, before", now.Add(-400 * time.Millisecond), true},
		{"in the same second, after", now.Add(400 * time.Millisecond), true},
		{"a second before, as coarse clocks have it", now.Add(-time.Second), true},
		{"later, after the clock was put back", now.Add(24 * time.Hour), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlace(t)
			p.write("a=1")
			p.touch("a", c.modified)
			p.at(now)
			p.scan()
			// A write that shows neither in the size nor in the time.
			opened := p.reads()
			p.at(now.Add(time.Hour))
			p.finds()
			if (opened["a"] > 0) != c.again {
				t.Errorf("opened %d times", opened["a"])
			}
			if c.modified.Before(now.Add(time.Minute)) {
				p.finds()
				if opened["a"] > 1 {
					t.Error("it was read once more")
				}
			}
		})
	}
}

func TestAWriteWithinTheTimeOfAFileIsFound(t *testing.T) {
	p := newPlace(t)
	p.write("a=1")
	modified := time.Now()
	p.touch("a", modified)
	p.options.Now = nil // the real clock: the file is as young as can be
	p.scan()
	p.write("a=2")
	p.touch("a", modified)
	p.finds("modify a")
}

func TestTheSameSizeAndTimeDoNotHideAChange(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("neither the time of the last change of the inode nor its number are told here")
	}
	long := time.Now().Add(-24 * time.Hour)
	for name, change := range map[string]func(p *place){
		"written in place": func(p *place) { p.write("a=2") },
		"replaced": func(p *place) {
			p.write("b=2")
			p.do(os.Rename(p.path("b"), p.path("a")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.write("a=1")
			p.touch("a", long)
			p.scan()
			time.Sleep(20 * time.Millisecond) // more than a tick of the file system's clock
			change(p)
			p.touch("a", long)
			p.finds("modify a")
		})
	}
}

func TestEachPartOfTheStateTellsOfAChange(t *testing.T) {
	for name, change := range map[string]func(e *scan.Entry){
		"size":          func(e *scan.Entry) { e.Size++ },
		"time":          func(e *scan.Entry) { e.ModTime++ },
		"time of inode": func(e *scan.Entry) { e.ChangeTime++ },
		"inode":         func(e *scan.Entry) { e.Inode++ },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.write("a=1")
			p.scan()
			e, _ := p.known.Get("a")
			change(&e)
			e.Hash = [32]byte{1} // the content that was there then
			p.known.Apply([]scan.Difference{{Path: "a", After: &e}})
			p.finds("modify a")
			p.finds()
		})
	}
}

func TestAClockThatIsPutBackHidesNothing(t *testing.T) {
	p := newPlace(t)
	p.write("a=1", "b=1")
	p.touch("b", time.Now().Add(-time.Hour))
	p.scan() // an hour ahead
	p.at(time.Now().Add(-24 * time.Hour))
	p.write("a=2")
	r := p.scan()
	p.compare([]string{"modify a"}, found(r))
	if r.To.Before(r.From) {
		t.Errorf("from %v to %v", r.From, r.To)
	}
	p.write("a=3")
	p.finds("modify a")
	p.finds()
}

func TestAYoungFileIsNotKeptTwice(t *testing.T) {
	p := newPlace(t)
	p.options.Now = nil
	times := 0
	keep := p.options.Keep
	p.options.Keep = func(hash [32]byte, content []byte) error { times++; return keep(hash, content) }
	p.write("a=1")
	p.scan()
	p.scan()
	if times != 1 {
		t.Errorf("kept %d times", times)
	}
}

func TestAnEntryThatIsMadeYoungIsReadAgain(t *testing.T) {
	p := newPlace(t)
	p.write("a=1")
	p.scan()
	e, _ := p.known.Get("a")
	e.Young = true
	p.known.Apply([]scan.Difference{{Path: "a", After: &e}})
	opened := p.reads()
	p.finds()
	if opened["a"] != 1 {
		t.Errorf("opened: %v", opened)
	}
}
