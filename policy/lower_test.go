package policy

import (
	"strings"
	"testing"

	"github.com/google/cel-go/common/types"
	"github.com/google/go-cmp/cmp"
)

func TestARuleIsOneReadableExpression(t *testing.T) {
	const source = `name: demo
filter: '\bgit\b'
extensions: ['.sh', .BASH]
rules:
  block:
    - {name: pattern, pattern: 'git\s+push', reason: r}
    - {name: when, when: 'input.tool == "Read"', reason: r}
    - {name: both, pattern: 'a', when: 'input.compound', reason: r}
    - {name: when of bash, when: 'input.compound', target: bash, reason: r}
    - {name: file when, when: 'input.compound', target: file-content, reason: r}
    - name: comment
      when: |
        input.compound // as a whole
      reason: r
    - {name: quotes, pattern: "'\"\n", reason: r}
    - {name: conjunction, pattern: '^(?=.*a+b)(?=.*a+c)x', reason: r}
  ask:
    - name: exempt
      pattern: 'rm -r'
      except: '/tmp/'
      unless_regex: ['/var/', "it's"]
      unless: [is_in_project_tree, 'input.cwd == "/scratch"']
      reason: r
    - {name: only unless, when: 'input.compound', unless: is_recoverable, reason: r}
    - {name: file, pattern: 'rm$', target: file-content, except: '#', unless_regex: 'noqa', unless: [is_recoverable], when: 'true', reason: r}
`
	p := mustCompile(t, source)
	want := map[string]string{
		"pattern": `input.tool in ["Bash", "Monitor"]
  && input.command.matches(r"\bgit\b")
  && input.command.matches(r"git\s+push")`,
		"when": `(input.tool == "Read")`,
		"both": `input.tool in ["Bash", "Monitor"]
  && input.command.matches(r"\bgit\b")
  && input.command.matches("a")
  && (input.compound)`,
		"when of bash": `input.tool in ["Bash", "Monitor"]
  && input.command.matches(r"\bgit\b")
  && (input.compound)`,
		"file when": `input.scripts.exists(s, s.extension in [".sh", ".bash"])
  && (input.compound)`,
		"comment": `(input.compound // as a whole
)`,
		"quotes": `input.tool in ["Bash", "Monitor"]
  && input.command.matches(r"\bgit\b")
  && input.command.matches("'\"\n")`,
		"conjunction": `input.tool in ["Bash", "Monitor"]
  && input.command.matches(r"\bgit\b")
  && (input.command.matches("^.*a+b") && input.command.matches("^.*a+c") && input.command.matches("^x"))`,
		"exempt": `input.tool in ["Bash", "Monitor"]
  && input.command.matches(r"\bgit\b")
  && input.command.matches("rm -r")
  && !(input.command.matches("/tmp/") || input.command.matches("/var/") || input.command.matches("it's") || is_in_project_tree(input) || (input.cwd == "/scratch"))`,
		"only unless": `(input.compound)
  && !(is_recoverable(input))`,
		"file": `input.scripts.exists(s, s.extension in [".sh", ".bash"] && s.content.matches(r"rm\n*$") && !(s.content.matches("#") || s.content.matches("noqa")))
  && (true)
  && !(is_recoverable(input))`,
	}
	want["quotes"] = strings.ReplaceAll(want["quotes"], "'\\\"\n", `'\"\n`)
	got := map[string]string{}
	for _, r := range p.Sets[0].Compiled() {
		got[r.Name] = r.Expression
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAPieceOfCELCannotBecomePartOfTheRule(t *testing.T) {
	for _, piece := range []string{
		`true) || (true`, `true)) || ((true`, `true] || [true`, `(true`, `true)`, `"a`, `'a\'`, `"""a""`, `r'a\' || 'x`, `true // )`, `{`, `[)`, "'a\nb'", `a, b`, ``, `//`,
		`true || "\" ) || ("`, "`a) || (b`", `true) && variables.x || (true`,
	} {
		s := wholeSource(newSource("piece", piece))
		rule := &Rule{Name: "r", When: s, Target: TargetEverything, Reason: "r"}
		set := &RuleSet{Path: "piece", source: s.source, Rules: []*Rule{rule}}
		lowered, diagnostics := newLowering(set).rule(rule)
		environment, _ := NewEnvironment(set)
		if lowered != nil {
			var checked *Checked
			if checked, diagnostics = environment.Check(lowered); checked != nil && piece != "true // )" {
				t.Errorf("%q became %s", piece, lowered.Text)
			}
		}
		if piece != "true // )" && !hasFault(diagnostics) {
			t.Errorf("%q: no fault", piece)
		}
	}
}

func TestAnyStringIsALiteralOfItself(t *testing.T) {
	for _, s := range []string{"", "a", `a\b`, `"`, `'`, `'"`, "'\"\\", "\n", "\r\n", "a\tb", "é日😀", "\u0085\u2028", `\"`, `r"`, "\x00\x7f", `a\`, "'''\"\"\""} {
		value, diagnostics := EvaluateExpression(celString(s), bash(""))
		if value == nil || value.Value != types.String(s) {
			t.Errorf("%q is written %s: %v %v", s, celString(s), value, diagnostics)
		}
	}
}

func TestScanOfCEL(t *testing.T) {
	for text, want := range map[string]celShape{
		`a(b[c{d}])`:          {},
		`"(" + '[' + r'\'`:    {},
		`b"(" == br'\' `:      {},
		`"""(" " """`:         {},
		`'''it's ('''`:        {},
		`x // (`:              {comment: true},
		`"//"`:                {},
		"x // (\n + y":        {comment: true},
		`a)`:                  {problem: "')' closes nothing", offset: 1},
		`(a]`:                 {problem: "']' closes nothing", offset: 2},
		`é(`:                  {problem: "'(' is never closed", offset: 1},
		`"a\"`:                {problem: "the string is never closed", offset: 0},
		"'a\n'":               {problem: "the string is not closed on its line", offset: 0},
		`var"\"" + "("`:       {},
		`r"""a\""" + '('`:     {},
		`input.x.matches(r')`: {problem: "the string is never closed", offset: 17},
	} {
		if got := scanCEL(text); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}
