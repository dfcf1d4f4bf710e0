package predicates

import (
	"fmt"
	"testing"
)

func TestUnder(t *testing.T) {
	for _, test := range []struct {
		path, dir string
		want      bool
	}{
		{"/etc/passwd", "/etc", true},
		{"/etc/passwd", "/etc/", true},
		{"/etc/ssh/x", "/etc", true},
		{"/x", "/", true},
		{"/etc", "/etc", false},
		{"/etc/", "/etc", false},
		{"/etcetera", "/etc", false},
		{"/w/../etc/x", "/w", false},
		{"/w/./x", "/w/sub/..", true},
		{"x", "/", false},
		{"/w/x", "w", false},
		{"/w/x", "", false},
		{"", "", false},
	} {
		if got := isTrue(t, fmt.Sprintf("%q.under(%q)", test.path, test.dir), bash("/w")); got != test.want {
			t.Errorf("%q.under(%q) = %v, want %v", test.path, test.dir, got, test.want)
		}
	}
}
