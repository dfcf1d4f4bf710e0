//go:build linux || darwin

package scan_test

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// asNobody runs the test that calls it once more without the rights of root, for which
// nothing is unreadable. It reports whether this is that run, or one of another user.
func asNobody(t *testing.T) bool {
	t.Helper()
	if os.Getuid() != 0 {
		return true
	}
	const nobody = 65534
	place, err := os.MkdirTemp("", "scan-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(place) })
	if err := os.Chown(place, nobody, nobody); err != nil {
		t.Skip("no other user here: ", err)
	}
	cmd := exec.Command("/proc/self/exe", "-test.run", "^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "TMPDIR="+place, "HOME="+place)
	cmd.Dir = place
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if _, failed := err.(*exec.ExitError); failed {
		t.Errorf("%s", out)
	} else if err != nil {
		t.Skip("no other user here: ", err)
	}
	return false
}

func TestPermissionsThatKeepTheScanOutAreGaps(t *testing.T) {
	if !asNobody(t) {
		return
	}
	p := newPlace(t)
	p.write("file=1", "closed/a=1", "names-only/b=2", "entry-only/c=3", "d=4")
	p.scan()
	for name, mode := range map[string]os.FileMode{"file": 0, "closed": 0, "names-only": 0o400, "entry-only": 0o100} {
		p.do(os.Chmod(p.path(name), mode))
		defer os.Chmod(p.path(name), 0o700)
	}
	r := p.scan()
	p.compare(nil, found(r))
	if len(r.Gaps) != 4 || r.Complete {
		t.Errorf("complete: %v, gaps %q", r.Complete, r.Gaps)
	}
	p.knows("file", "closed/a", "names-only/b", "entry-only/c", "d")
	for _, name := range []string{"file", "closed", "names-only", "entry-only"} {
		p.do(os.Chmod(p.path(name), 0o700))
	}
	p.write("closed/new=5")
	p.finds("mode file", "create closed/new")
}
