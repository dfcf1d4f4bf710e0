package scan_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/changes/scan"
	"github.com/google/go-cmp/cmp"
)

// place is a root that is scanned again and again, with a content store in memory.
type place struct {
	t       testing.TB
	root    string
	file    string // of the manifest
	known   *scan.Manifest
	options scan.Options
	scans   int

	mutex sync.Mutex
	kept  map[[32]byte]string
}

// newPlace returns an empty root whose clock is an hour ahead, so that no file is
// young.
func newPlace(t testing.TB) *place {
	t.Helper()
	p := &place{
		t: t, root: t.TempDir(), file: filepath.Join(t.TempDir(), "manifest"),
		known: scan.NewManifest(), kept: map[[32]byte]string{},
	}
	p.options = scan.Options{
		SizeCap: 1 << 20, Keep: p.keep,
		Now: func() time.Time { return time.Now().Add(time.Hour) },
	}
	p.allow()
	return p
}

func (p *place) keep(hash [32]byte, content []byte) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if sum := sha256.Sum256(content); sum != hash {
		p.t.Errorf("the hash %x is given for %x", hash, sum)
	}
	p.kept[hash] = string(content)
	return nil
}

func (p *place) exclude(add ...string) {
	p.t.Helper()
	exclusions, problems := scan.NewExclusions("none", add, nil)
	if problems != nil {
		p.t.Fatal(problems)
	}
	p.options.Exclusions = exclusions
}

func (p *place) path(name string) string { return filepath.Join(p.root, filepath.FromSlash(name)) }

// write writes files, "NAME" or "NAME=CONTENT", and the directories on the way.
func (p *place) write(files ...string) {
	p.t.Helper()
	for _, f := range files {
		name, content, _ := strings.Cut(f, "=")
		p.do(os.MkdirAll(filepath.Dir(p.path(name)), 0o700))
		p.do(os.WriteFile(p.path(name), []byte(content), 0o600))
	}
}

func (p *place) mkdir(names ...string) {
	p.t.Helper()
	for _, name := range names {
		p.do(os.MkdirAll(p.path(name), 0o700))
	}
}

func (p *place) remove(names ...string) {
	p.t.Helper()
	for _, name := range names {
		p.do(os.RemoveAll(p.path(name)))
	}
}

func (p *place) link(target, name string) {
	p.t.Helper()
	p.do(os.Symlink(target, p.path(name)))
}

func (p *place) do(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// scan scans the root and brings the manifest up to date, every other time by way of
// its file.
func (p *place) scan() *scan.Result {
	p.t.Helper()
	return p.scanIn(p.t.Context())
}

func (p *place) scanIn(ctx context.Context) *scan.Result {
	p.t.Helper()
	r, err := scan.Scan(ctx, p.root, p.known, p.options)
	p.do(err)
	if open := p.options.Open(); open != 0 {
		p.t.Errorf("%d folders and files are still open", open)
	}
	p.known.Update(r)
	if p.scans++; p.scans%2 == 1 {
		p.reload()
	}
	return r
}

// reload writes the manifest and reads it again.
func (p *place) reload() {
	p.t.Helper()
	p.do(p.known.Write(p.file))
	known, err := scan.Load(p.file)
	p.do(err)
	p.known = known
}

// finds scans and compares what differs with what is wanted: "create PATH", "modify PATH",
// "delete PATH", "type PATH", "mode PATH". Nothing is to be a gap.
func (p *place) finds(want ...string) {
	p.t.Helper()
	r := p.scan()
	p.compare(want, found(r))
	if len(r.Gaps) > 0 || !r.Complete {
		p.t.Errorf("complete: %v, gaps %q", r.Complete, r.Gaps)
	}
}

func (p *place) compare(want, got []string) {
	p.t.Helper()
	slices.Sort(want)
	slices.Sort(got)
	if len(want)+len(got) == 0 {
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		p.t.Errorf("differences (-want +got):\n%s", diff)
	}
}

// found returns what differs.
func found(r *scan.Result) []string {
	var list []string
	for _, d := range r.Differences {
		list = append(list, operation(d)+" "+d.Path)
	}
	return list
}

func operation(d scan.Difference) string {
	switch {
	case d.Before == nil:
		return "create"
	case d.After == nil:
		return "delete"
	case d.Before.Kind != d.After.Kind:
		return "type"
	case d.Before.Hash == d.After.Hash && d.Before.Perm != d.After.Perm:
		return "mode"
	default:
		return "modify"
	}
}

// paths returns the paths that are known.
func (p *place) paths() []string {
	var paths []string
	for path := range p.known.All() {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// knows compares the paths that are known.
func (p *place) knows(want ...string) {
	p.t.Helper()
	slices.Sort(want)
	if got := p.paths(); !slices.Equal(got, want) {
		p.t.Errorf("known are %q, want %q", got, want)
	}
}

// reads counts how often each file is opened from now on.
func (p *place) reads() map[string]int {
	opened := map[string]int{}
	p.options.Intercept(func(what, name string) error {
		if what == "file" || what == "link" {
			p.mutex.Lock()
			defer p.mutex.Unlock()
			opened[name]++
		}
		return nil
	})
	return opened
}

// allow takes back whatever makes the file system behave otherwise than it does.
func (p *place) allow() { p.options.Intercept(func(string, string) error { return nil }) }

// hasKept reports whether bytes are in the content store.
func (p *place) hasKept(content string) bool {
	_, ok := p.kept[sha256.Sum256([]byte(content))]
	return ok
}

// numbered returns names with numbers.
func numbered(format string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf(format, i)
	}
	return names
}
