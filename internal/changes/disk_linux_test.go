package changes

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// innerVariable is set in the process that runs a test in a mount namespace of its own.
const innerVariable = "CHANGES_TEST_INNER"

// onSmallDisk runs a test once more, in a namespace where the data directory of its
// bench is a file system of its own, of a size in bytes.
func onSmallDisk(t *testing.T, size int, test func(b *bench)) {
	if os.Getenv(innerVariable) != t.Name() {
		cmd := exec.Command("unshare", "--user", "--map-root-user", "--mount", os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		cmd.Env = append(os.Environ(), innerVariable+"="+t.Name())
		out, err := cmd.CombinedOutput()
		switch {
		case strings.Contains(string(out), "--- SKIP"), strings.Contains(string(out), "unshare"), err != nil && len(out) == 0:
			t.Skipf("no file system of our own to be had: %v %s", err, out)
		case err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()):
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	b := newBench(t)
	if err := os.MkdirAll(b.data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", b.data, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(b.data, syscall.MNT_DETACH) })
	test(b)
}

// fill takes the disk but for some bytes, and returns what gives it back.
func (b *bench) fill(leave int64) (free func()) {
	b.t.Helper()
	var s syscall.Statfs_t
	if err := syscall.Statfs(b.data, &s); err != nil {
		b.t.Fatal(err)
	}
	path := filepath.Join(b.data, "filler")
	if size := int64(s.Bavail)*s.Bsize - leave; size > 0 {
		if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
			b.t.Fatal(err)
		}
	}
	return func() {
		if err := removeFile(path); err != nil {
			b.t.Fatal(err)
		}
	}
}

// leads checks that the records of a file lead from one content to another without a
// gap, and that none is there twice.
func (b *bench) leads(name, from, to string) {
	b.t.Helper()
	after := make(map[string][]string)
	ids := make(map[string]bool)
	for _, r := range b.records() {
		if ids[r.ID] {
			b.t.Errorf("%s is recorded twice", r.ID)
		}
		ids[r.ID] = true
		for _, c := range r.Changes {
			if c.Path == name {
				after[c.Before.SHA256] = append(after[c.Before.SHA256], c.After.SHA256)
			}
		}
	}
	hash := func(s string) string {
		if s == "" {
			return ""
		}
		return sideOf([]byte(s)).SHA256
	}
	reached, next := map[string]bool{hash(from): true}, []string{hash(from)}
	for len(next) > 0 {
		for _, h := range after[next[0]] {
			if !reached[h] {
				reached[h] = true
				next = append(next, h)
			}
		}
		next = next[1:]
	}
	if !reached[hash(to)] {
		b.t.Errorf("%s: nothing leads from %q to %q: %q; the log says %s", name, from, to, b.lines(), b.log())
	}
}

func TestAFullDiskLosesNothing(t *testing.T) {
	onSmallDisk(t, 8<<20, func(b *bench) {
		b.write("x", "0\n")
		b.pre("first")
		b.post("first")
		content := "0\n"
		for i := range 40 {
			leave := int64(i) * 2048
			id := fmt.Sprint(i)
			free := b.fill(leave)
			change := func(step string) {
				content = id + step + strings.Repeat(" much more", 100) + "\n"
				b.write("x", content)
			}
			change("before")
			b.pre("a" + id)
			change("in")
			b.post("a" + id)
			old := content
			content = id + " edited\n"
			b.edit("e"+id, "x", old, content)
			b.pre("b" + id)
			change("in another")
			free()
			b.event("Stop")
			b.leads("x", "0\n", content)
			if left, _ := os.ReadDir(b.state().windows()); len(left) != 0 {
				t.Errorf("with %d bytes left: %v is still there", leave, left)
			}
			if t.Failed() {
				return
			}
		}
	})
}

func TestAReadOnlyDataDirectoryStopsNothingAndLosesNothing(t *testing.T) {
	onSmallDisk(t, 8<<20, func(b *bench) {
		b.write("x", "0\n")
		remount := func(flags uintptr) {
			if err := syscall.Mount("tmpfs", b.data, "tmpfs", syscall.MS_REMOUNT|flags, ""); err != nil {
				t.Skip(err)
			}
		}
		remount(syscall.MS_RDONLY)
		b.pre("nothing") // has never been written to
		b.post("nothing")
		remount(0)
		b.pre("first")
		b.post("first")
		b.pre("open")
		b.write("x", "1\n")
		remount(syscall.MS_RDONLY)
		warned := ""
		r := b.recorder()
		r.Warn = func(line string) { warned += line }
		e := shell("PostToolUse", "open")
		e.Session, e.ProjectDir, e.Cwd = "s", b.root, b.root
		r.Handle(e)
		if !strings.Contains(warned, "read-only file system") {
			t.Errorf("the user is told %q", warned)
		}
		b.write("x", "2\n")
		b.edit("edit", "x", "2\n", "3\n")
		b.pre("unseen")
		b.write("x", "4\n")
		b.post("unseen")
		b.event("Stop")
		remount(0)
		b.event("Stop")
		b.leads("x", "0\n", "4\n")
	})
}
