package policy

import (
	"strings"
	"testing"
)

// globRule is a rule set with one rule.
func globRule(when string) string {
	return "name: set\nrules:\n  ask:\n    - name: first\n      reason: r\n      when: >-\n        " + when + "\n"
}

func TestAConstantGlobIsCheckedAheadOfTime(t *testing.T) {
	for _, test := range []struct {
		name, when, culprit, message string
	}{
		{"an open class", `glob(input.path, "/etc/[a")`, "/etc/[a", "malformed"},
		{"an open choice, raw", `input.path != "" && glob(input.path, r'/é/{a,b')`, "/é/{a,b", "malformed"},
		{"in a macro", `input.writes.exists(w, glob(w.path, "[") || glob(w.path, "/etc/**"))`, `[") || glob`, "malformed"},
		{"in the else of a choice", `input.tool == "Read" ? false : glob(input.path, "{")`, `{")`, "malformed"},
		{"too many choices", `glob(input.path, "` + strings.Repeat("{a,b}", 9) + `")`, "{a,b}", "several globs"},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := globRule(test.when)
			p := Compile([]File{{Path: "watches/bad.yml", Scope: User, Source: []byte(source)}}, Options{})
			if len(p.Diagnostics) != 1 {
				t.Fatalf("%v, want one fault", p.Diagnostics)
			}
			d := p.Diagnostics[0]
			if d.Severity != Fault || d.Code != codeGlob || !strings.Contains(d.Message, test.message) {
				t.Errorf("%v [%v %s]", d, d.Severity, d.Code)
			}
			checkPlaceOf(t, source, d, test.culprit)
		})
	}
}

func TestAGlobThatCanBeUsedOrIsNotConstantIsLeftAlone(t *testing.T) {
	for _, when := range []string{
		`glob(input.path, "/etc/**/[a-z]{1,2}.conf")`,
		`glob("[", "*")`,
		`glob(input.path, input.cwd + "/[")`,
		`glob(input.path, "\\[")`,
	} {
		source := globRule(when)
		p := Compile([]File{{Path: "watches/good.yml", Scope: User, Source: []byte(source)}}, Options{})
		if len(p.Diagnostics) != 0 {
			t.Errorf("%s: %v", when, p.Diagnostics)
		}
	}
}
