package policy

import (
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/types"
)

func TestEvaluateExpression(t *testing.T) {
	in := bash("git push -f", words("git push -f"))
	for expression, want := range map[string]struct{ typeOf, value string }{
		`input.tool`:                             {"string", `"Bash"`},
		`input.commands`:                         {"list(Command)", `[Command{"git push -f"}]`},
		`input.commands[0].args`:                 {"list(string)", `["push", "-f"]`},
		`input.commands[0].runs("git push")`:     {"bool", "true"},
		`1 + 2`:                                  {"int", "3"},
		`{"b": 1.5, "a": null}`:                  {"map(string, dyn)", `{"a": null, "b": 1.5}`},
		`[b"x", "é\n"]`:                          {"list(dyn)", `[b"x", "é\n"]`},
		`type(1)`:                                {"type(int)", "int"},
		`duration("1m")`:                         {"duration", "60s"},
		`input`:                                  {"Input", "Input{…}"},
		"input.tool ==\n  // a comment\n 'Bash'": {"bool", "true"},
	} {
		value, diagnostics := EvaluateExpression(expression, in)
		if value == nil || len(diagnostics) != 0 {
			t.Errorf("%s: %v", expression, diagnostics)
			continue
		}
		if got := FormatValue(value.Value); got != want.value || value.Type != want.typeOf {
			t.Errorf("%s: %s of type %s, want %+v", expression, got, value.Type, want)
		}
	}
}

func TestObjectsAreShownByWhatTellsThemApart(t *testing.T) {
	command := &schema.Command{Source: "git -C sub push"}
	effects := &schema.Effects{
		Commands: []*schema.Command{command},
		Scripts:  []*schema.Script{{Content: "f(1)", ReadCalls: func() []*schema.Call { return []*schema.Call{{Name: "f"}} }}},
		Writes:   []*schema.Target{{Raw: "out.txt", ReadRepo: func() *schema.Repo { return &schema.Repo{Root: "/srv"} }}},
		Git:      []*schema.GitOp{{Source: "git -C sub push"}},
	}
	in := &schema.Input{ReadEffects: func() *schema.Effects { return effects }, Changes: []*schema.Change{{Path: "/srv/a.go"}}}
	for expression, want := range map[string]string{
		"input.writes":              `[Target{"out.txt"}]`,
		"input.scripts":             `[Script{"f(1)"}]`,
		"input.git":                 `[GitOp{"git -C sub push"}]`,
		"input.commands":            `[Command{"git -C sub push"}]`,
		"input.changes":             `[Change{"/srv/a.go"}]`,
		"input.scripts[0].calls":    `[Call{"f"}]`,
		"{1: input.writes[0].repo}": `{1: Repo{"/srv"}}`,
	} {
		value, diagnostics := EvaluateExpression(expression, in)
		if value == nil {
			t.Errorf("%s: %v", expression, diagnostics)
		} else if got := FormatValue(value.Value); got != want {
			t.Errorf("%s: %s, want %s", expression, got, want)
		}
	}
}

func TestTypeOfExpression(t *testing.T) {
	for expression, want := range map[string]string{
		"input.commands.filter(c, c.remote)": "list(Command)",
		"input.commands[7]":                  "Command",
		"input.comands":                      "",
		"":                                   "",
	} {
		got, diagnostics := TypeOfExpression(expression)
		if got != want || (want == "") != (len(diagnostics) > 0) {
			t.Errorf("%s: %q, %v, want %q", expression, got, diagnostics, want)
		}
	}
}

func TestExpressionErrorsHaveAPlace(t *testing.T) {
	for expression, want := range map[string]string{
		`input.comand`:                    "expression:1:7: undefined field 'comand' (did you mean 'command'?) [cel]",
		"input.tool ==\n  input.commnd":   "expression:2:9: undefined field 'commnd' (did you mean 'command'?) [cel]",
		`input.commands[3].program`:       "expression:1:19: index out of bounds: 3 [cel]",
		`"a".matches("(")`:                "expression:1:14: bad regex: missing closing ): write \\( for the character [regex]",
		`input.commands.exists(c, 1/0>c)`: "expression:1:29: '>' cannot compare (int, Command): both sides must have one type [cel]",
		``:                                "expression:1:1: syntax error: the expression ends too early [cel]",
		`variables.x`:                     "expression:1:11: undefined variable 'x': the set has none before it [cel]",
	} {
		value, diagnostics := EvaluateExpression(expression, bash("x"))
		if value != nil || len(diagnostics) != 1 || diagnostics[0].String() != want {
			t.Errorf("%s: %v %v, want %s", expression, value, diagnostics, want)
		}
	}
}

func TestFormatValueIsBounded(t *testing.T) {
	nested := types.NewStringList(types.DefaultTypeAdapter, []string{"x"})
	for range 100 {
		nested = types.NewDynamicList(types.DefaultTypeAdapter, []any{nested})
	}
	if got := FormatValue(nested); len(got) > 200 || !strings.Contains(got, "[…]") {
		t.Error(got)
	}
}

// Of a function that was declared twice, only the first declaration would count.
func TestNoFunctionHasTwoDeclarations(t *testing.T) {
	environment, err := ExpressionEnvironment()
	if err != nil {
		t.Fatal(err)
	}
	names := environment.Functions()
	for i := range names[1:] {
		if names[i] == names[i+1] {
			t.Errorf("%s is declared twice", names[i])
		}
	}
}
