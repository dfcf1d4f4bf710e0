package policy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/schema"
)

// bash is a call of the shell tool whose commands are given by their words.
func bash(command string, commands ...*schema.Command) *schema.Input {
	effects := &schema.Effects{Command: command, Parsed: true, Commands: commands, Compound: len(commands) > 1}
	return &schema.Input{
		Event: "PreToolUse", Tool: "Bash", Args: map[string]any{"command": command}, Cwd: "/home/dev/proj",
		ReadEffects: func() *schema.Effects { return effects },
	}
}

// words is a command made of plain words.
func words(text string) *schema.Command {
	w := strings.Fields(text)
	c := &schema.Command{Program: w[0], Args: w[1:], Text: text, Source: text}
	for i, arg := range c.Args {
		if strings.HasPrefix(arg, "-") {
			c.Options = append(c.Options, schema.Option{Name: arg, Index: i})
		} else {
			c.Operands = append(c.Operands, arg)
		}
	}
	if len(c.Operands) > 0 {
		c.Subcommand = c.Operands[0]
	}
	return c
}

// writes is a call that writes a file.
func writes(path, content string) *schema.Input {
	effects := &schema.Effects{Parsed: true, Scripts: []*schema.Script{{Content: content, Extension: strings.ToLower(filepath.Ext(path)), Source: "file"}}}
	return &schema.Input{
		Tool: "Write", Path: path, Extension: strings.ToLower(filepath.Ext(path)),
		ReadContent: func() string { return content }, ReadEffects: func() *schema.Effects { return effects },
	}
}

// compileOne compiles one rule file.
func compileOne(source string) *Policy {
	return Compile([]File{{Path: "watches/my.yml", Scope: User, Source: []byte(source)}}, Options{})
}

// mustCompile compiles one rule file that has no faults.
func mustCompile(t testing.TB, source string) *Policy {
	t.Helper()
	p := compileOne(source)
	if len(p.Faults()) > 0 {
		t.Fatalf("faults: %v", p.Faults())
	}
	return p
}

// decide evaluates a call and says the verdict.
func decide(p *Policy, in *schema.Input) Verdict {
	return Decide(p.Evaluate(in, EvaluateOptions{}), Deny).Verdict
}

// checkPlaceOf holds a diagnostic against the text it must point at.
func checkPlaceOf(t *testing.T, source string, d Diagnostic, culprit string) {
	t.Helper()
	lines := strings.Split(source, "\n")
	if d.Line < 1 || d.Line > len(lines) {
		t.Fatalf("%v: no such line", d)
	}
	rest := []rune(lines[d.Line-1])
	if d.Column < 1 || d.Column > len(rest)+1 {
		t.Fatalf("%v: no such column", d)
	}
	if !strings.HasPrefix(string(rest[d.Column-1:]), culprit) {
		t.Errorf("%v points at %q, want %q", d, string(rest[d.Column-1:]), culprit)
	}
}

func TestMain(m *testing.M) {
	// Nothing here reads the environment; a test that did would see an empty one.
	for _, name := range []string{"HOME", "CLAUDEWATCH_HOME", "CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_DATA", "CLAUDEWATCH_LOG"} {
		os.Unsetenv(name)
	}
	os.Exit(m.Run())
}
