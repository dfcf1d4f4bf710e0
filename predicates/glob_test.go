package predicates

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestGlob(t *testing.T) {
	for _, test := range []struct {
		path, pattern string
		want          bool
	}{
		{"/etc/passwd", "/etc/*", true},
		{"/etc/ssh/sshd_config", "/etc/*", false},
		{"/etc/ssh/sshd_config", "/etc/**", true},
		{"/etc", "/etc/**", true},
		{"/home/dev/.env.local", "**/.env{,.*}", true},
		{"/home/dev/.envrc", "**/.env{,.*}", false},
		{"/w/a.PEM", "**/*.pem", false},
		{"/w/a,b", `/w/a\,b`, true},
		{"/w/a1", "/w/a[0-9]", true},
		{"/w/ä", "/w/?", true},
		{"", "", true},
		{"", "**", true},
		{"/w/a.go", "a.go", false},
	} {
		if got := isTrue(t, fmt.Sprintf("glob(%q, %q)", test.path, test.pattern), bash("/w")); got != test.want {
			t.Errorf("glob(%q, %q) = %v, want %v", test.path, test.pattern, got, test.want)
		}
	}
}

func TestAPatternThatCannotBeUsedIsAnError(t *testing.T) {
	for _, pattern := range []string{
		"[a", "{a", "[]", `a\`, "[z-a", // malformed
		strings.Repeat("a", maxGlobPattern+1),
		strings.Repeat("{a,b}", 9),       // 512 patterns
		strings.Repeat("{,,,[}],,}", 4),  // the brace of a class closes nothing
		strings.Repeat("{a,{b,c},d}", 5), // 4^5
	} {
		if err := ValidGlob(pattern); err == nil {
			t.Errorf("ValidGlob(%q): no error", pattern)
		}
		if v, err := evaluate(t, fmt.Sprintf("glob('/a', %q)", pattern), bash("/w")); err == nil {
			t.Errorf("glob with the pattern %q = %v, want an error", pattern, v)
		}
	}
}

func TestAPathTooLongToExistIsAnError(t *testing.T) {
	in := bash(strings.Repeat("/a", maxGlobPath))
	if v, err := evaluate(t, `glob(input.cwd, "**/b")`, in); err == nil {
		t.Errorf("%v, want an error", v)
	}
}

func TestGlobExpansions(t *testing.T) {
	for pattern, want := range map[string]int{
		"":                       1,
		"a,b":                    1,
		"{a,b}/{c,d}":            4,
		"{a,{b,c}}":              3,
		`\{a,b`:                  1,
		"[{,]":                   1,
		"{,}":                    2,
		"{[}],a}":                2,
		`{\},a}`:                 2,
		strings.Repeat("{,}", 8): 256,
	} {
		if got := globExpansions(pattern); got != want {
			t.Errorf("%q: %d, want %d", pattern, got, want)
		}
	}
}

// The bounds are chosen by what a hostile pattern may cost.
func TestTheWorstPatternIsQuick(t *testing.T) {
	path := strings.Repeat("a/", maxGlobPath/2)
	for _, pattern := range []string{
		strings.Repeat("**/*a/", 170) + "b",
		"**/" + strings.Repeat("{*a,a*}*", 8) + "b",
		"**/{" + strings.Repeat("*a,", 14) + "*}/**/{" + strings.Repeat("*a,", 14) + "*}*b",
		"**/" + strings.Repeat("{a,a}/**/", 8) + "b",
	} {
		if err := ValidGlob(pattern); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if matched, err := matchGlob(path, pattern); matched || err != nil {
			t.Errorf("%q: %v, %v", pattern, matched, err)
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%q took %v", pattern, took)
		}
	}
}

func FuzzGlob(f *testing.F) {
	f.Add("/etc/passwd", "/etc/{a,[b-d]}/**")
	f.Add("a", `{\},[}]}`)
	f.Fuzz(func(t *testing.T, path, pattern string) {
		_, err := matchGlob(path, pattern)
		if invalid := ValidGlob(pattern); invalid != nil && err == nil {
			t.Errorf("%q is invalid (%v) and matched", pattern, invalid)
		}
	})
}
