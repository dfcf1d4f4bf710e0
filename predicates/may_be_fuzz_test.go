package predicates

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/claudewatch/claudewatch/schema"
)

// alphabet turns any text into one of few characters, which meets more patterns.
func alphabet(text, of string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteByte(of[int(text[i])%len(of)])
	}
	return b.String()
}

var (
	// A class of doublestar matches a separator, too, which no class should.
	separatorInClass = regexp.MustCompile(`\[[!^]|\[[^]]*/`)
	// A pattern that ends with a separator may be the file without it.
	separatorAtEnd = regexp.MustCompile(`/$|/[,}]|[{,][,}]`)
	// Letter case counts in ranges of glob, and stars that a choice brings together
	// are no ** to it, nor are more than two anything.
	notExact = regexp.MustCompile(`\[[^]]*-|\*\*|[{].*\*`)
)

// A file may be what glob matches, and nothing else.
func FuzzMayBeIsGlobForANameThatIsKnown(f *testing.F) {
	const pattern = `ab*?[]{},\-!^/.:`
	for _, seed := range []string{"/a/b", "/[ab]?", "{[,],b}", "{[}],a}", `[\]{]`, "[a-b]{a,[b,]}", "/**/{a,b/**}"} {
		f.Add("/a/b", seed, true)
		f.Add("a", seed, true)
	}
	f.Fuzz(func(t *testing.T, name, wanted string, raw bool) {
		if len(name)+len(wanted) > 60 {
			return // doublestar takes its time
		}
		if !raw {
			name, wanted = "/"+alphabet(name, "ab/.-],"), alphabet(wanted, pattern)
		}
		if ValidGlob(wanted) != nil || path.Clean(name) != name || strings.HasSuffix(name, "/") || strings.ToLower(name+wanted) != strings.ToUpper(name+wanted) && strings.ToLower(name+wanted) != name+wanted {
			return
		}
		if separatorAtEnd.MatchString(wanted) || strings.Contains(name, "/") && separatorInClass.MatchString(wanted) {
			return
		}
		got := targetMayBe(&schema.Target{Lexical: name}, readGlob(t, wanted))
		if want := doublestar.MatchUnvalidated(wanted, name); !got && want || got && !want && !notExact.MatchString(wanted) {
			t.Errorf("%q may be %q = %v, want %v", name, wanted, got, want)
		}
	})
}
