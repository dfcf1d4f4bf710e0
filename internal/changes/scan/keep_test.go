package scan_test

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path"
	"strings"
	"testing"
)

func TestBytesAreKeptOnceAndEmptyFilesNeedNone(t *testing.T) {
	p := newPlace(t)
	p.write("a=same", "b=same", "c=other", "empty")
	p.scan()
	if len(p.kept) != 2 || !p.hasKept("same") || !p.hasKept("other") {
		t.Errorf("kept: %q", p.kept)
	}
	for _, name := range []string{"a", "b", "c"} {
		if e, _ := p.known.Get(name); !e.Kept {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

func TestBytesThatTheStoreHasAreNotKeptAgain(t *testing.T) {
	p := newPlace(t)
	p.write("a=1")
	p.options.Has = func(hash [32]byte) bool { return hash == sha256.Sum256([]byte("1")) }
	p.scan()
	if e, _ := p.known.Get("a"); !e.Kept || len(p.kept) != 0 {
		t.Errorf("known: %+v, kept: %q", e, p.kept)
	}
}

func TestAFileOverTheCapIsHashedAndNotKept(t *testing.T) {
	p := newPlace(t)
	p.options.SizeCap = 1000
	contents := map[string]string{
		"at":      strings.Repeat("a", 1000),
		"over":    strings.Repeat("b", 1001),
		"large":   strings.Repeat("large", 1<<20),
		"buffers": strings.Repeat("c", 3*64<<10),
	}
	for name, content := range contents {
		p.write(name + "=" + content)
	}
	p.scan()
	for name, content := range contents {
		e, _ := p.known.Get(name)
		if e.Hash != sha256.Sum256([]byte(content)) || e.Size != int64(len(content)) {
			t.Errorf("%s: %+v", name, e)
		}
		if e.Kept != (name == "at") || p.hasKept(content) != (name == "at") {
			t.Errorf("%s: kept %v", name, e.Kept)
		}
	}
	opened := p.reads()
	p.finds()
	if len(opened) > 0 {
		t.Errorf("opened: %v", opened)
	}
}

func TestContentOfAnySizeIsHashedAndKeptWhole(t *testing.T) {
	p := newPlace(t)
	for _, size := range []int{1, 64<<10 - 1, 64 << 10, 64<<10 + 1, 128 << 10, 256 << 10, 300_000, 1<<20 - 1, 1 << 20} {
		content := bytes.Repeat([]byte{byte(size), byte(size >> 8), byte(size >> 16)}, size/3+1)[:size]
		p.do(os.WriteFile(p.path("a"), content, 0o600))
		p.scan()
		if e, _ := p.known.Get("a"); e.Hash != sha256.Sum256(content) || !e.Kept || p.kept[e.Hash] != string(content) {
			t.Errorf("%d bytes: %+v", size, e)
		}
	}
}

func TestSecretFilesAreHashedAndNotKept(t *testing.T) {
	p := newPlace(t)
	p.options.Secret = func(name string) bool { return strings.HasPrefix(path.Base(name), ".env") }
	p.write("sub/.env=secret", ".env.local=secret", "a=open")
	p.scan()
	if len(p.kept) != 1 || !p.hasKept("open") {
		t.Errorf("kept: %q", p.kept)
	}
	if e, _ := p.known.Get("sub/.env"); e.Hash != sha256.Sum256([]byte("secret")) || e.Kept {
		t.Errorf("known: %+v", e)
	}
	opened := p.reads()
	p.finds()
	if len(opened) > 0 {
		t.Errorf("opened: %v", opened)
	}
	p.write("sub/.env=changed")
	p.finds("modify sub/.env")
}

func TestMissingBytesAreKeptAgainAtTheNextScan(t *testing.T) {
	p := newPlace(t)
	p.write("a=1", "sub/b=2", "empty")
	p.scan()
	clear(p.kept)
	p.known.ForgetKept()
	p.reload()
	if e, _ := p.known.Get("a"); e.Kept {
		t.Errorf("known: %+v", e)
	}
	r := p.scan()
	p.compare(nil, found(r))
	if !p.hasKept("1") || !p.hasKept("2") || len(r.Refreshed) != 2 {
		t.Errorf("kept: %q, refreshed: %+v", p.kept, r.Refreshed)
	}
	opened := p.reads()
	p.finds()
	if len(opened) > 0 {
		t.Errorf("opened: %v", opened)
	}
}

func TestWithoutAStoreNothingIsReadToBeKept(t *testing.T) {
	p := newPlace(t)
	p.options.Keep = nil
	p.write("a=1")
	p.scan()
	opened := p.reads()
	p.finds()
	if len(opened) > 0 {
		t.Errorf("opened: %v", opened)
	}
}
