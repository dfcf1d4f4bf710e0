package shell_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/shell"
)

// fill repeats unit to just below the size that is read at all.
func fill(unit string) string { return strings.Repeat(unit, 500_000/len(unit)) }

// hostile are texts made to cost much more than their length.
var hostile = map[string]string{
	"50 MB":                        "git push " + strings.Repeat("x", 50<<20),
	"nested subshells":             fill("("),
	"nested closed subshells":      strings.Repeat("( ", 100_000) + "ls" + strings.Repeat(" )", 100_000),
	"nested groups":                strings.Repeat("{ ", 100_000) + "ls" + strings.Repeat("; }", 100_000),
	"nested substitutions":         fill("$("),
	"nested quoted substitutions":  fill(`"$(`),
	"nested substitutions, closed": strings.Repeat(`echo "$(`, 2000) + "ls" + strings.Repeat(`)"`, 2000),
	"nested expansions":            fill("${a:-"),
	"nested arithmetic":            "echo $((" + fill("("),
	"nested ifs":                   fill("if a; then "),
	"nested loops":                 strings.Repeat("while a; do A=1; ", 150) + strings.Repeat("done; ", 150),
	"nested cases":                 fill("case a in b) "),
	"nested functions":             fill("f() "),
	"nested tests":                 "[[ " + fill("! "),
	"nested test groups":           "[[ " + fill("( a -a "),
	"nested process substitutions": fill("<("),
	"nested backquotes":            fill("`"),
	"a long chain":                 strings.Repeat("a && ", 15_000) + "b",
	"a chain of assignments":       strings.Repeat("test && A=$A$B && ", 5000) + "b",
	"a chain of many assignments":  many(9000, func(i string) string { return "test && A" + i + "=1 && " }) + "b",
	"branches of assignments":      many(9000, func(i string) string { return "if a; then A" + i + "=1; fi;" }),
	"a long pipe":                  strings.Repeat("a | ", 15_000) + "b",
	"a long pipe of echo":          "echo a" + strings.Repeat(" | cat", 9_000),
	"many commands":                fill("a;"),
	"many short words":             "echo" + fill(" a"),
	"many parts of a word":         "echo " + fill("''a"),
	"many options":                 "git push" + fill(" -a"),
	"one long cluster":             "x -" + fill("a"),
	"brace explosion":              "echo " + fill("{a,b,c,d,e,f,g,h}"),
	"a long brace range":           "echo {1..999999999}",
	"brace words that are long":    "echo " + fill("{"+strings.Repeat("a", 2000)+",b}{1..200} "),
	"nested braces":                "echo " + fill("{a,"),
	"doubled variables":            "A=xxxxxxxx; " + strings.Repeat("A=$A$A; ", 100) + "echo $A",
	"a large variable, often":      "A=" + strings.Repeat("x", 60_000) + "; echo" + strings.Repeat(" $A", 100_000),
	"a variable of many words":     "A='" + strings.Repeat("x ", 30_000) + "'; echo" + strings.Repeat(" $A", 10_000),
	"array of arrays":              "A=(x x x x); " + strings.Repeat(`A=("${A[@]}" "${A[@]}"); `, 60) + `"${A[@]}"`,
	"aliases of aliases":           aliases(),
	"nested eval":                  fill("eval "),
	"nested eval of substitutions": "eval" + fill(" $(a)"),
	"nested bash -c":               strings.Repeat("bash -c '", 5000),
	"eval of large texts":          "A=" + strings.Repeat("y;", 20_000) + "; " + strings.Repeat(`eval "$A";`, 5000),
	"many wrappers":                fill("sudo ") + "ls",
	"many listed launchers":        fill("npx ") + "ls",
	"many ssh":                     fill("ssh h ") + "ls",
	"many finds":                   fill("find . -exec ") + "ls",
	"many heredocs":                "cat " + strings.Repeat("<<A ", 10_000) + "\n" + strings.Repeat("A\n", 10_000),
	"many redirections":            "cat " + fill(">a "),
	"many printf conversions":      "printf '" + strings.Repeat("%s", 1000) + "'" + strings.Repeat(" a", 100_000) + " | sh",
	"printf of a large format":     "printf '" + strings.Repeat("x", 100_000) + "%s'" + strings.Repeat(" a", 100_000) + " | sh",
	"echo into echo":               strings.Repeat("echo \"$(", 90) + "echo a" + strings.Repeat(")\"", 90),
	"eval of echo of echo":         strings.Repeat("eval \"$(echo ", 40) + "ls" + strings.Repeat(")\"", 40),
	"code in echo in code":         strings.Repeat("bash -c \"$(echo '", 100),
	"many line continuations":      "git " + fill("\\\n ") + "push",
	"many functions":               fill("f(){ A=1; f; };"),
	"nested pipes in groups":       strings.Repeat("a | { ", 90) + "b" + strings.Repeat("; }", 90),
	"nested groups in pipes":       strings.Repeat("{ ", 90) + "echo a" + strings.Repeat("; } | cat", 90),
	"a tmux script":                "tmux " + fill("new "),
	"xargs of a large input":       "echo " + strings.Repeat("a ", 50_000) + strings.Repeat("| xargs -I{} echo {} {} {} {}", 50),
	"many aliases used":            "alias a=b; " + fill("a;"),
	"functions of functions":       functions(),
	"many quotes":                  fill("'"),
	"many tildes":                  "cd " + fill("~/"),
	"many directories":             fill("cd a;"),
	"loops in loops":               strings.Repeat("for a in 1 2 3 4 5 6 7 8; do ", 60) + "b $a" + strings.Repeat("; done", 60),
	"a loop of a large body":       "for a in 1 2 3 4; do " + strings.Repeat("b $a;", 90_000) + " done",
	"many variables in doubt":      many(150, func(i string) string { return "a && A" + i + "=1;" }) + strings.Repeat("b $A1 $A2 $A3 $A4 $A5 $A6;", 9000),
	"lines read in loops":          "while read a; do " + fill("b $a;") + "done <<< '" + strings.Repeat("x\n", 1000) + "'",
	"replacements that grow":       "a=" + strings.Repeat("x", 4000) + ";" + fill("b ${a//x/"+strings.Repeat("y", 200)+"};"),
	"patterns of stars":            "a=" + strings.Repeat("x", 4000) + ";" + fill("b ${a##"+strings.Repeat("*x", 50)+"y};"),
	"slices of arrays":             "a=({1..250});" + fill("b \"${a[@]:1}\";"),
	"nested output":                strings.Repeat("echo $(", 190) + "a" + strings.Repeat(")", 190),
	"nested output of variables":   strings.Repeat("a=$(echo ${a:-$(", 90) + "a" + strings.Repeat(")})", 90),
	"functions with input":         strings.Replace(functions(), "\ng0 a", "\necho 1 | g0", 1),
	"aliases of git":               "git " + many(3000, func(i string) string { return "-c alias.a" + i + "='a" + i + "0 x' " }) + "a1",
	"an alias of itself":           "git config alias.a '-c alias.b=a a b'; git a",
	"many files written":           many(9000, func(i string) string { return "echo a > f" + i + "; sh f" + i + "; " }),
	"a file that runs itself":      "echo 'sh x; sh x' > x; sh x",
	"a file that grows":            "echo a > x; " + strings.Repeat("cat x x > y; cat y y > x; ", 200) + "sh x",
	"alternatives of alternatives": "a=1; " + strings.Repeat("if x; then a=$a$a; else a=b$a; fi; ", 300) + "c $a",
	"sed scripts":                  "sed '" + strings.Repeat("s/a/b/e;", 30_000) + "'",
	"awk scripts":                  "awk '" + strings.Repeat("{a=\"x\"; system(a a a)} ", 15_000) + "'",
	"prompts":                      fill("PS1='$(a)';"),
	"many pushd":                   fill("pushd a;"),
}

// many joins unit(0), unit(1), … n times.
func many(n int, unit func(i string) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(unit(strconv.Itoa(i)))
	}
	return b.String()
}

func functions() string {
	var b strings.Builder
	for i := range 20 {
		next := "g" + strconv.Itoa(i+1) + ` "$1";`
		b.WriteString("g" + strconv.Itoa(i) + "() { " + next + next + next + " }\n")
	}
	return b.String() + "g0 a"
}

func aliases() string {
	var b strings.Builder
	for c := 'a'; c < 'z'; c++ {
		b.WriteString("alias " + string(c) + "='" + string(c+1) + ";" + string(c+1) + "'\n")
	}
	return b.String() + "a"
}

func TestHostileTextTakesBoundedTime(t *testing.T) {
	const limit = time.Minute // it takes tenths of a second; a careless reader takes hours
	for name, text := range hostile {
		start := time.Now()
		effects := shell.Read(text, shell.Context{Dir: "/d", Home: "/h"})
		if took := time.Since(start); took > limit {
			t.Errorf("%s: took %v", name, took)
		}
		if n := len(effects.Commands); n > 10_000 {
			t.Errorf("%s: %d commands", name, n)
		}
		size := 0
		for _, c := range effects.Commands {
			size += len(c.Text)
		}
		if size > len(text)+(16<<20) {
			t.Errorf("%s: %d bytes of text", name, size)
		}
	}
}
