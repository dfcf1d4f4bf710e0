package changes

import "testing"

func TestWhatTheKernelShowsAsFilesIsNotObserved(t *testing.T) {
	for _, c := range []struct {
		root, path string
		want       bool
	}{
		{"/", "proc/1/environ", false},
		{"/", "sys/kernel/uevent_seqnum", false},
		{"/", "dev/shm/a", false},
		{"/", "run/a", false},
		{"/", "srv/proc/a", true},
		{"/", "etc/hosts", true},
		{"/srv", "proc/1/environ", true},
	} {
		b := newBench(t)
		at := root{path: c.root, id: "0123456789abcdef"}
		if got := b.recorder().exclusions(at).Observes(c.root, c.path); got != c.want {
			t.Errorf("%s in %s: observed %v, want %v", c.path, c.root, got, c.want)
		}
	}
}
