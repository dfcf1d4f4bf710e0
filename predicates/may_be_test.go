package predicates

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/schema"
)

// written returns a target that is written as a pattern.
func written(pattern string) *schema.Target { return &schema.Target{Raw: pattern, Pattern: pattern} }

func readGlob(t *testing.T, pattern string) choices {
	t.Helper()
	read, err := globs.read(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func TestAPatternMayBeWhatItCanMatch(t *testing.T) {
	for _, test := range []struct {
		written, wanted string
		want            bool
	}{
		{"/p/.cl?ude/settings.json", "**/.claude/settings*.json", true},
		{"/p/.cl*", "**/.claude", true},
		{"/p/.*", "**/.claude", true},
		{"/p/.c*/s*", "**/.claude/settings*.json", true},
		{"/p/.[a-d]laude/hooks/x", "**/.claude/hooks/**", true},
		{"/p/.[!d]laude", "**/.claude", true},
		{"/p/.[!c]laude", "**/.claude", false},
		{"/p/.[[:alpha:]]laude", "**/.claude", true},
		{"/p/.[]c]laude", "**/.claude", true},
		{"/p/.[claude", "**/.claude", false},
		{"/p/.claude/hoo*", "**/.claude/hooks/**", true},
		{"/p/.CLAUDE/s*", "**/.claude/settings*.json", true},
		{"/p/.@(claude|git)", "**/.claude", true},
		{"/p/.@(git|npm)rc", "**/.claude", false},
		{"/p/.claude?(x|y)", "**/.claude", true},
		{"/p/+(.claude)", "**/.claude", true},
		{"/p/*(.claude)", "**/.claude", true},
		{"/p/.c+(l|a|u|d|e)", "**/.claude", true},
		{"/p/.!(git)", "**/.claude", true},
		{"/p/.c@(l", "**/.claude", true},
		{".cl*", "**/.claude", true},
		{".cl*/x", "/p/.claude/x", false},
		{"/p/*", "**/.claude", false},
		{"/p/?claude", "**/.claude", false},
		{"/p/[.]claude", "**/.claude", false},
		{"/p/*/settings.json", "**/.claude/settings*.json", false},
		{"/p/**/settings.json", "**/.claude/settings*.json", false},
		{"/p/**/settings.json", "**/conf/settings*.json", true},
		{"/p/.claude/**", "**/.claude/a/b/c", true},
		{"/p/!(keep)", "**/.claude", false},
		{"/p/*(.)", "**/.claude", false},
		{"/p/.git*", "**/{.claude,.env}", false},
		{"/p/.*rc", "**/{.claude,.env}", false},
		{"/p/.[a-z]*.yml", "**/{.claude,.env}", false},
		{"/p/.en?", "**/{.claude,.env}", true},
		{"/p/src/*.ts", "**/{.claude,.env}", false},
		{"/p/a*b*c", "/p/x{y,a?b?c}", false},
		{"/p/a*b*c", "/p/{y,a?b?c}", true},
		{"/p/x*", "/p/*y", true},
		{"/p/[ab]", "/p/[bc]", true},
		{`/p/\*x`, `/p/\**`, true},
		{"/p/[x]", "/p/{[}],x}", true},
		{"/p/[,]", "/p/{[,],x}", true},
		{"/p/[]]", `/p/[\]{]`, true},
		{"/p/[{]", `/p/[\]{]`, true},
		{"/p/x", `/p/[\]{]`, false},
		{"/p/[a/b]", "/p/?a/b?", true},
		{"/p/[a/b]", "/p/a", false},
		{`/p\/.cl*`, "/p/.claude", true},
		{"/p/@([)]|x)", "/p/)", true},
	} {
		in := writeTo(written(test.written))
		if got := isTrue(t, fmt.Sprintf("input.writes[0].may_be(%q)", test.wanted), in); got != test.want {
			t.Errorf("%s may be %s = %v, want %v", test.written, test.wanted, got, test.want)
		}
	}
}

func TestATargetMayBeWhatItIs(t *testing.T) {
	for _, test := range []struct {
		target schema.Target
		wanted string
		want   bool
	}{
		{schema.Target{Lexical: "/p/a.key"}, "**/*.key", true},
		{schema.Target{Lexical: "/p/a.key"}, "**/*.pem", false},
		{schema.Target{Lexical: "/p/[a]"}, "/p/a", false},
		{schema.Target{Lexical: "/p/[a]"}, `/p/\[a\]`, true},
		{schema.Target{Lexical: "/p/x", ReadPath: func() string { return "/q/a.key" }}, "**/*.key", true},
		{schema.Target{Raw: "$X"}, "**", false},
	} {
		if got := isTrue(t, fmt.Sprintf("input.writes[0].may_be(%q)", test.wanted), writeTo(&test.target)); got != test.want {
			t.Errorf("%+v may be %s = %v, want %v", test.target, test.wanted, got, test.want)
		}
	}
}

func TestMayBeRefusesAMalformedPattern(t *testing.T) {
	if v, err := evaluate(t, `input.writes[0].may_be("[a")`, writeTo(written("/p/*"))); err == nil {
		t.Errorf("%v, want an error", v)
	}
}

func TestTheWorstPatternsMeetQuickly(t *testing.T) {
	target := written("/" + strings.Repeat("*a?*/", 800) + strings.Repeat("@(a|b)", 8))
	start := time.Now()
	targetMayBe(target, readGlob(t, strings.Repeat("**/*a/", 100)+strings.Repeat("{a,b*}", 8)))
	if took := time.Since(start); took > time.Minute {
		t.Error("took ", took)
	}
}

// Whatever a name matches of both patterns, they can meet.
func FuzzMayBe(f *testing.F) {
	f.Add("/p/.claude/settings.json", "/p/.cl*/[a-t]?ttings.*", "**/.claude/{settings,x}*.json")
	f.Add("/a", "/[!b]", "/[]a]")
	f.Fuzz(func(t *testing.T, name, pattern, wanted string) {
		if ValidGlob(wanted) != nil || !strings.HasPrefix(name, "/") || path.Clean(name) != name || path.Clean(pattern) != pattern || strings.ContainsAny(pattern+wanted, "()") {
			return
		}
		may := targetMayBe(written(pattern), readGlob(t, wanted))
		matched, err := matchGlob(name, wanted)
		if err != nil || !matched || slices.ContainsFunc(strings.Split(name, "/"), func(s string) bool { return strings.HasPrefix(s, ".") }) {
			return
		}
		if ok, err := path.Match(pattern, name); ok && err == nil && !may {
			t.Errorf("%q matches %q and %q", name, pattern, wanted)
		}
	})
}

func BenchmarkMayBe(b *testing.B) {
	target := written("/srv/shop/.cl*/settings.json")
	pattern := "{**/.claude/settings*.json,{~,/root,/home/*,/Users/*}/.claude.json,/etc/claude-code/**,/Library/Application Support/ClaudeCode/**}"
	for b.Loop() {
		read, err := globs.read(pattern)
		if err != nil || !targetMayBe(target, read) {
			b.Fatal(err)
		}
	}
}
