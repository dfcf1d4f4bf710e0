package policy

import (
	"bufio"
	"math/rand/v2"
	"os"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLookaroundIsRewrittenWithTheSameVerdict(t *testing.T) {
	for _, test := range []struct {
		pattern string
		want    []string
	}{
		// lookahead at the end
		{`\bsh(?=[\s;]|$)`, []string{`\bsh(?:[\s;]|$)`}},
		{`\bsh(?=$|[\s;])`, []string{`\bsh(?:$|[\s;])`}},
		{`\bsh(?=\s|$)|\bzsh(?=\s)`, []string{`\bsh(?:\s|$)|\bzsh(?:\s)`}},
		{`\b(?:ba|z)sh(?=\s)`, []string{`\b(?:ba|z)sh(?:\s)`}},
		{`\|\s*(?:sh|bash(?=\s|$))`, []string{`\|\s*(?:sh|bash(?:\s|$))`}},
		// negative lookahead at the end
		{`git push --force(?![-\w])`, []string{`git push --force(?:[^-\w]|$)`}},
		{`--force(?!-)`, []string{`--force(?:[^\-]|$)`}},
		{`-f(?!\S)`, []string{`-f(?:\s|$)`}},
		{`-f(?![^a])`, []string{`-f(?:[a]|$)`}},
		{`-f(?!\w|-)`, []string{`-f(?:[^\-0-9A-Z_a-z]|$)`}},
		{`-f(?!\w)(?!-)`, []string{`-f(?:[^\-0-9A-Z_a-z]|$)`}},
		{`-f(?!a|$)`, []string{`-f[^a]`}},
		{`(?m)-f(?!a)`, []string{`(?m)-f(?:[^a]|\z)`}},
		{`(?i)drop(?!a)|x`, []string{`(?i)drop(?:[^Aa]|$)|x`}},
		// lookbehind after .*
		{`git push\s+.*(?<=\s)-f`, []string{`git push\s+(?:.*[\t\f\r ])?-f`}},
		{`git push\b.*(?<=\s)-f`, []string{`git push\b.*[\t\f\r ]-f`}},
		{`(?s)git\s+.*(?<=\s)-f`, []string{`(?s)git\s+(?:.*\s)?-f`}},
		{`git .*(?<= )-f(?=\s|$)`, []string{`git (?:.* )?-f(?:\s|$)`}},
		{`rm\s*.*(?<=\s)/`, []string{`rm(?:\s*.*[\t\f\r ]|\s+)/`}},
		{`rm\s+[^;|]*(?<=\s)/`, []string{`rm\s+(?:[^;|]*\s)?/`}},
		{`rm.+(?<=\s)/`, []string{`rm.*[\t\f\r ]/`}},
		{`.*(?<=\s)-f`, []string{`\s-f`}},
		// lookaheads that are ANDed
		{`^(?=.*--force)(?=.*main)git`, []string{`^.*--force`, `^.*main`, `^git`}},
		{`^git push(?=.*-[a-z]*f)(?=.*\smain)`, []string{`^git push.*-[a-z]*f`, `^git push.*\smain`}},
		{`^git(?=.*\s-[a-z]*f)(?=.*\s-[a-z]*d)`, []string{`^git.*\s-[a-z]*f`, `^git.*\s-[a-z]*d`}},
		{`\brm\s+(?=-[a-zA-Z]*r)(?=-[a-zA-Z]*f)-[a-zA-Z]+`, []string{`\brm\s+-(?:[a-zA-Z]*r[a-zA-Z]*f|[a-zA-Z]*f[a-zA-Z]*r)`}},
		{`(?s)git push(?=.*-f\s)(?=.*-d\s).*`, []string{`(?s)git push(?:.*-f\s.*-d\s|.*-d\s.*-f\s)`}},
		{`(?s)git push(?=.*-a*f)(?=.*-a*d).*`, []string{`(?s)git push.*-a*f`, `(?s)git push.*-a*d`, `(?s)git push.*`}},
		{`git push(?=.*\s-f\b)(?=.*\smain\b)`, []string{`git push(?:.*[\t\f\r ]-f\b.*\smain\b|.*[\t\f\r ]main\b.*\s-f\b)`}},
		{`\bchmod\s+(?=.*-R)(?=.*777)`, []string{`\bchmod\s+(?:.*-R.*777|.*777.*-R)`}},
		{`git(?= push) push`, []string{`git push`}},
		// what RE2 reads as it is
		{`(?i)\bdrop\s+table\b`, []string{`(?i)\bdrop\s+table\b`}},
		{`[(?=]x`, []string{`[(?=]x`}},
		{`\Q(?=\E`, []string{`\Q(?=\E`}},
		{`a\(?=b`, []string{`a\(?=b`}},
		{`(?P<verb>get)-(?<rest>x)`, []string{`(?P<verb>get)-(?<rest>x)`}},
		{`[[:^alpha:]\]](?:x)`, []string{`[[:^alpha:]\]](?:x)`}},
	} {
		got, err := rewriteRegex(test.pattern, false)
		if err != nil {
			t.Errorf("%s: %v", test.pattern, err)
			continue
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.pattern, diff)
		}
	}
}

func TestUnsupportedRegexesNameTheConstructAndItsPlace(t *testing.T) {
	for _, test := range []struct {
		pattern string
		offset  int
		message string
	}{
		{`git (?!status)push`, 4, "negative lookahead"},
		{`git push(?!.*--dry-run)`, 8, "negative lookahead"},
		{`a(?=b)c`, 1, "lookahead"},
		{`git(?=.*\s-[a-z]*f)(?=.*\s-[a-z]*d)`, 3, "lookahead"},
		{`(?<=\s)-f`, 0, "lookbehind"},
		{`(?<!\w)rm`, 0, "negative lookbehind"},
		{`[ab]*(?<!\s)x`, 5, "negative lookbehind"},
		{`(?:(?=a)b)+`, 3, "lookahead"},
		{`(a)\1`, 3, "backreference"},
		{`(?P<x>a)(?P=x)`, 8, "backreference"},
		{`a++b`, 1, "possessive"},
		{`a{2,3}+b`, 1, "possessive"},
		{`x(?>a|b)`, 1, "atomic"},
		{`(a)?(?(1)b|c)`, 4, "conditional"},
		{`ab(?#note)`, 2, "comment"},
		{`ab\Z`, 2, `\z`},
		{`x\u0041`, 1, `\x{41}`},
		{`(?x)a b`, 0, "(?x)"},
		{`a{,3}`, 1, "{0,3}"},
		{`[invalid(`, 0, "missing closing ]"},
		{`ab(cd`, 2, "missing closing )"},
		{`ab)`, 2, "unexpected )"},
		{`ab[z-a]`, 3, "z-a"},
		{`a**`, 1, "**"},
		{`ab\y`, 2, `\y`},
		{`(?:(?:a{1000}){1000}){1000}`, 7, "repeat"},
		{strings.Repeat(`\w{900}`, 25), 0, "too large"},
		{`x(?i)y(?!z)`, 1, "flags"},
	} {
		_, err := rewriteRegex(test.pattern, false)
		switch {
		case err == nil:
			t.Errorf("%s: no error", test.pattern)
		case err.offset != test.offset || !strings.Contains(err.message, test.message):
			t.Errorf("%s: %d: %s; want %d and %q", test.pattern, err.offset, err.message, test.offset, test.message)
		}
	}
}

func TestDollarLooksPastTrailingNewlinesOfAFile(t *testing.T) {
	for _, pattern := range []string{`exit$`, `(?:exit|quit)$`, `exit(?=\s|$)`, `exit(?=$|;)`} {
		conjuncts, err := rewriteRegex(pattern, true)
		if err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string]bool{"exit": true, "exit\n": true, "exit\n\n": true, "exit\n0": strings.Contains(pattern, `\s`), "exits\n": false} {
			if got := matchAll(t, conjuncts, text); got != want {
				t.Errorf("%s over %q: %v", pattern, text, got)
			}
		}
	}
}

func matchAll(t testing.TB, conjuncts []string, text string) bool {
	t.Helper()
	for _, c := range conjuncts {
		re, err := regexp.Compile(c)
		if err != nil {
			t.Fatalf("%s: %v", c, err)
		}
		if !re.MatchString(text) {
			return false
		}
	}
	return true
}

// TestRewrittenRegexesMatchTheSameTexts compares rewritten regexes with a
// backtracking engine over random regexes and texts of a small alphabet.
func TestRewrittenRegexesMatchTheSameTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	rewritten, compared := 0, 0
	for range 6_000 {
		pattern := randomRegex(random)
		conjuncts, err := rewriteRegex(pattern, false)
		if err != nil {
			continue
		}
		if len(conjuncts) > 1 || conjuncts[0] != pattern {
			rewritten++
		}
		for range 12 {
			text := randomText(random)
			want, ok := backtrackingMatch(t, pattern, text)
			if !ok {
				continue
			}
			compared++
			if got := matchAll(t, conjuncts, text); got != want {
				t.Fatalf("%s became %q: over %q it is %v, not %v", pattern, conjuncts, text, got, want)
			}
		}
	}
	if rewritten < 1500 || compared < 30_000 {
		t.Errorf("%d regexes were rewritten, %d texts compared: too few to mean something", rewritten, compared)
	}
}

func pick(random *rand.Rand, from ...string) string { return from[random.IntN(len(from))] }

func randomText(random *rand.Rand) string {
	var b strings.Builder
	for range random.IntN(10) {
		b.WriteString(pick(random, "a", "b", "-", " ", "\n", "a", "b", "-a", " b", "A"))
	}
	return strings.TrimRight(b.String(), "\n")
}

func randomCharacter(random *rand.Rand) string {
	return pick(random, "a", "b", "-", " ", `\s`, `[ab]`, `[^a]`, `\w`, ".", `\S`, `[^\n-]`)
}

func randomAtoms(random *rand.Rand, most int) string {
	var b strings.Builder
	for range random.IntN(most + 1) {
		b.WriteString(pick(random, randomCharacter(random), randomCharacter(random)+pick(random, "*", "+", "?", "*?", "{1,2}"),
			`\b`, "(?:"+randomCharacter(random)+"|"+randomCharacter(random)+randomCharacter(random)+")"))
	}
	return b.String()
}

// randomRegex returns a regex that has one of the forms with lookaround, or nearly.
func randomRegex(random *rand.Rand) string {
	flags := pick(random, "", "", "", "(?i)", "(?m)", "(?s)")
	head := pick(random, "", "^", `\A`, "") + randomAtoms(random, 3)
	character := func() string { return randomCharacter(random) }
	span := pick(random, ".*", "[ab]*", `\S*`, `[^\n-]*`, `\w*`)
	var body string
	switch random.IntN(7) {
	case 0:
		body = pick(random, "(?="+character()+"|$)", "(?=$|"+character()+")", "(?="+randomAtoms(random, 2)+")")
	case 1:
		body = pick(random, "(?!"+character()+")", "(?!"+character()+"|"+character()+")", "(?!"+character()+"|$)", "(?!"+character()+")(?!"+character()+")")
	case 2:
		body = pick(random, ".*", ".+", `[^a]*`, ".*?", `\s*.*`, `\s+.*`) + "(?<=" + character() + ")" + randomAtoms(random, 2)
	case 3, 4:
		start := pick(random, "", "-", "a")
		body = "(?=" + start + span + randomAtoms(random, 2) + ")(?=" + start + span + randomAtoms(random, 2) + ")" + pick(random, "", start+span, start+character()+"+", randomAtoms(random, 2))
	case 5:
		body = "(?=" + span + randomAtoms(random, 2) + ")" + randomAtoms(random, 2)
	default:
		body = "(?:" + character() + "|" + character() + "(?=" + character() + "|$))"
	}
	pattern := flags + head + body
	if random.IntN(4) == 0 {
		pattern += "|" + randomAtoms(random, 2) + pick(random, "", "(?!"+character()+")")
	}
	return pattern
}

// TestTypicalRegexesOfRuleFiles counts how the regexes of a rule set of the older
// dialect fare, and holds each to the class it is listed under.
func TestTypicalRegexesOfRuleFiles(t *testing.T) {
	file, err := os.Open("testdata/regexes.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	count := map[string]int{}
	class := ""
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		if name, ok := strings.CutPrefix(line, "# "); ok {
			class, _, _ = strings.Cut(name, ":")
			continue
		}
		if line == "" {
			continue
		}
		got := "as it is"
		conjuncts, bad := rewriteRegex(line, false)
		switch {
		case bad != nil:
			got = "rejected"
		case len(conjuncts) > 1 || conjuncts[0] != line:
			got = "rewritten"
		}
		if got != class {
			t.Errorf("%s is %s, listed under %s: %v", line, got, class, bad)
		}
		count[got]++
	}
	want := map[string]int{"as it is": 40, "rewritten": 22, "rejected": 8}
	if diff := cmp.Diff(want, count); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func FuzzRewriteRegex(f *testing.F) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		f.Add(randomRegex(random), randomText(random))
	}
	f.Add(`[invalid(`, "x")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 200 || len(text) > 50 {
			return
		}
		conjuncts, bad := rewriteRegex(pattern, false)
		if bad != nil {
			if bad.offset < 0 || bad.offset > runeCount(pattern) || bad.width < 0 {
				t.Fatalf("%q: place %d, width %d", pattern, bad.offset, bad.width)
			}
			return
		}
		for _, c := range conjuncts {
			if _, err := syntax.Parse(c, syntax.Perl); err != nil {
				t.Fatal(err)
			}
		}
		if !strings.ContainsAny(pattern, `\[`) && strings.Contains(pattern, "(?") && !strings.Contains(text, "\n") {
			text = strings.ToValidUTF8(text, "?")
			want, ok := backtrackingMatch(t, pattern, text)
			if p, _, _ := parseRegexTree(pattern); ok && p.looks {
				if got := matchAll(t, conjuncts, text); got != want {
					t.Fatalf("%q became %q: over %q it is %v, not %v", pattern, conjuncts, text, got, want)
				}
			}
		}
	})
}

func TestHostileRegexesTakeBoundedTime(t *testing.T) {
	start := time.Now()
	for _, pattern := range []string{
		strings.Repeat("(?=a)", 3_900),
		strings.Repeat(`.*(?<=\s)`, 2_100),
		strings.Repeat("a|", 9_000) + "b(?=c)",
		strings.Repeat("a(?=b)|", 2_500),
		strings.Repeat("^(?=a*b)(?=a*c)x|", 1_000),
		strings.Repeat("(?!a)", 3_900),
		"x(?!" + strings.Repeat("a|", 9_000) + "b)",
		strings.Repeat("(?:", 900) + "(?=a)" + strings.Repeat(")", 900),
		strings.Repeat("(", 6_000),
		strings.Repeat("(?=.*"+strings.Repeat("(?:a|b)", 5)+")", 4),
		strings.Repeat("(?=.*(?:a{0,8}){0,8})", 2),
		strings.Repeat(`[a-z\p{L}]`, 1_800) + "(?=x)",
		strings.Repeat(`\s*`, 5_000) + `.*(?<=\s)x`,
		strings.Repeat("$", 19_000),
		strings.Repeat("[[:", 6_000),
		strings.Repeat("a", 30_000),
	} {
		for _, trailing := range []bool{false, true} {
			_, _ = rewriteRegex(pattern, trailing)
		}
		if took := time.Since(start); took > time.Minute {
			t.Fatalf("%.40s… took %v", pattern, took)
		}
	}
}
