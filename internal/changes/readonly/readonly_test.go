package readonly_test

import (
	"bufio"
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/changes/readonly"
	"github.com/claudewatch/claudewatch/internal/shell"
	"github.com/claudewatch/claudewatch/schema"
)

func classify(command string) readonly.Verdict {
	return readonly.Classify(shell.Read(command, shell.Context{Dir: "/home/dev/proj", Home: "/home/dev"}))
}

// outcome is how the case files write a verdict.
func outcome(v readonly.Verdict) string {
	if v.ReadOnly {
		return "read"
	}
	return "scan"
}

// unescaped reads the commands of testdata/commands.tsv.
var unescaped = strings.NewReplacer(`\\`, `\`, `\n`, "\n")

// commandCase is a line of testdata/commands.tsv.
type commandCase struct{ want, command string }

// commandCases reads the lines of testdata/commands.tsv: the outcome, a tab, and the
// command, in which \n stands for a line break and \\ for a backslash.
func commandCases(t testing.TB) []commandCase {
	t.Helper()
	content, err := os.ReadFile("testdata/commands.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var cases []commandCase
	for lines := bufio.NewScanner(bytes.NewReader(content)); lines.Scan(); {
		if lines.Text() == "" || strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		want, command, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			t.Fatalf("%q has no tab", lines.Text())
		}
		cases = append(cases, commandCase{want, unescaped.Replace(command)})
	}
	return cases
}

func TestCommandsAreReadOnlyOrNot(t *testing.T) {
	counts := map[string]int{}
	for _, c := range commandCases(t) {
		got := classify(c.command)
		if outcome(got) != c.want {
			t.Errorf("%s: want %s, got %s: %s", c.command, c.want, outcome(got), got.Reason)
		}
		if got.ReadOnly != (got.Reason == "") {
			t.Errorf("%s: read-only is %v, the reason is %q", c.command, got.ReadOnly, got.Reason)
		}
		counts[c.want]++
	}
	t.Logf("%d read, %d scan", counts["read"], counts["scan"])
}

func TestACallWithoutShellTextIsNotReadOnly(t *testing.T) {
	for name, e := range map[string]*schema.Effects{
		"none":       nil,
		"no text":    {Parsed: true},
		"PowerShell": shell.ReadPowerShell("ls", shell.Context{}),
		"too long":   shell.Read("echo "+strings.Repeat("x", 100_000), shell.Context{}),
		"too deep":   shell.Read(strings.Repeat("(", 5000)+"ls"+strings.Repeat(")", 5000), shell.Context{}),
	} {
		if got := readonly.Classify(e); got.ReadOnly {
			t.Errorf("%s: read-only", name)
		}
	}
}

// addWrite holds the ways of adding a write to a text, CMD.
var addWrite = []string{
	"CMD\ntouch x", "touch x\nCMD", "{\nCMD\n} > x", "(\nCMD\n) >> x", "if true; then\nCMD\nrm x\nfi", "while\nCMD\ndo rm x; done", "{\nCMD\n} | tee x",
	"f() {\nCMD\n}\nf", "echo $(\nCMD\n)", "for i in 1; do\nCMD\nmv a b\ndone", "case x in x)\nCMD\ncp a b;; esac", "! {\nCMD\n} 2> x", "{\nCMD\n} &\nmake",
	"PATH=.\nCMD", "alias ls='rm x'\nCMD", "true && {\nCMD\n} <> x", "{\nCMD\n} | xargs rm", "{\nCMD\n} | sh",
}

func TestAddingAWriteMakesACommandNoLongerReadOnly(t *testing.T) {
	for _, c := range commandCases(t) {
		checkAddedWrites(t, c.command)
	}
}

func checkAddedWrites(t *testing.T, command string) {
	t.Helper()
	for _, add := range addWrite {
		text := strings.ReplaceAll(add, "CMD", command)
		if got := classify(text); got.ReadOnly {
			t.Errorf("%q is read-only", text)
		}
	}
}

func FuzzAddingAWrite(f *testing.F) {
	for i, c := range commandCases(f) {
		if i%20 == 0 {
			f.Add(c.command)
		}
	}
	f.Fuzz(func(t *testing.T, command string) {
		if strings.HasSuffix(strings.TrimRight(command, "\n\r"), `\`) {
			return // which would take the line break away
		}
		checkAddedWrites(t, command)
	})
}

func BenchmarkClassify(b *testing.B) {
	for name, command := range map[string]string{"one": "git status", "pipe": "grep -rn x --include='*.go' . | sort | uniq -c | head -5"} {
		effects := shell.Read(command, shell.Context{Dir: "/d", Home: "/h"})
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				readonly.Classify(effects)
			}
		})
	}
}
