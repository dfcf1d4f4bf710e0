package schema_test

import (
	"testing"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

func newEnv(t *testing.T) *cel.Env {
	t.Helper()
	registry, err := types.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	env, err := cel.NewEnv(
		cel.CustomTypeProvider(schema.Provider{Base: registry}),
		cel.Variable("input", schema.InputType),
	)
	if err != nil {
		t.Fatal(err)
	}
	return env
}

func eval(t *testing.T, expr string, in *schema.Input) ref.Val {
	t.Helper()
	env := newEnv(t)
	checked, iss := env.Compile(expr)
	if iss.Err() != nil {
		t.Fatalf("%s: %v", expr, iss.Err())
	}
	program, err := env.Program(checked)
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := program.Eval(map[string]any{"input": schema.InputValue(in)})
	if err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	return v
}

func TestFieldsOfInput(t *testing.T) {
	calls := 0
	in := &schema.Input{
		Tool: "Bash",
		Args: map[string]any{"command": "git push -f", "timeout": 5.0},
		ReadEffects: func() *schema.Effects {
			calls++
			return &schema.Effects{Command: "git push -f", Parsed: true, Commands: []*schema.Command{{
				Program: "git", Args: []string{"push", "-f"}, Subcommand: "push",
				Options: []schema.Option{{Name: "-f", Index: 1}, {Name: "-f", Index: 2}},
				Env:     map[string]string{"FOO": "1"},
			}}}
		},
	}
	for expr, want := range map[string]bool{
		`input.tool == "Bash"`:                         true,
		`input.args.timeout == 5`:                      true,
		`input.commands[0].flags == ["-f"]`:            true,
		`input.commands[0].env.FOO == "1"`:             true,
		`input.commands.exists(c, "push" in c.args)`:   true,
		`has(input.path)`:                              false,
		`has(input.commands)`:                          true,
		`input.content == "" && input.cwd == ""`:       true,
		`dyn(input).commands[0].program == "git"`:      true,
		`input.scripts.exists(s, s.commands.size()>0)`: false,
		`input == input`:                               true,
	} {
		if got := eval(t, expr, in); got != types.Bool(want) {
			t.Errorf("%s = %v, want %v", expr, got, want)
		}
	}
}

func TestUnknownFieldIsAnErrorOfTheChecker(t *testing.T) {
	for _, expr := range []string{
		"input.comand", "input.commands[0].flag", "input.scripts.exists(s, s.contents == '')", `Command{program: "x"}.prog`,
	} {
		if _, iss := newEnv(t).Compile(expr); iss.Err() == nil {
			t.Errorf("%s: no error", expr)
		}
	}
}

func TestEveryFieldHasADoc(t *testing.T) {
	for _, o := range schema.ObjectTypes() {
		for _, f := range o.Fields {
			if f.Doc == "" || f.Type == nil {
				t.Errorf("%s.%s: no doc or no type", o.Type.TypeName(), f.Name)
			}
		}
	}
}

func TestFieldsOfEffects(t *testing.T) {
	repo := &schema.Repo{Root: "/r", Branch: "main", Known: true}
	in := &schema.Input{ReadEffects: func() *schema.Effects {
		return &schema.Effects{
			Writes: []*schema.Target{
				{Lexical: "/r/a", Raw: "a", Resolved: true, Op: "write", Via: "redirect", ReadRepo: func() *schema.Repo { return repo }},
				{Raw: "$x", Op: "delete", Via: "rm", Recursive: true},
			},
			Git: []*schema.GitOp{{Verb: "push", Args: []string{"origin", "HEAD"}, Pushes: []string{"HEAD", "x"}, ReadRepo: func() *schema.Repo { return repo }}},
		}
	}}
	for expr, want := range map[string]bool{
		`input.writes[0].repo.branch == "main" && input.writes[0].repo.known`: true,
		`input.writes[1].path == "" && !input.writes[1].resolved`:             true,
		`input.writes[1].repo.known`:                                          false,
		`input.git[0].updates == ["main", "x"] && input.git[0].known`:         true,
		`input.reads.size() == 0`:                                             true,
	} {
		if got := eval(t, expr, in); got != types.Bool(want) {
			t.Errorf("%s = %v, want %v", expr, got, want)
		}
	}
}

func TestFieldsOfAChange(t *testing.T) {
	in := &schema.Input{Event: "PostToolUse", Changes: []*schema.Change{
		{Path: "/r/a", Operation: "modify", Attribution: "shared", ReadRepo: func() *schema.Repo { return &schema.Repo{Root: "/r", Branch: "main", Known: true} }},
		{Path: "/b", Operation: "create", Attribution: "only_this_window"},
	}}
	for expr, want := range map[string]bool{
		`input.changes.map(c, c.path) == ["/r/a", "/b"]`:                        true,
		`input.changes[0].operation == "modify"`:                                true,
		`input.changes[0].attribution == "shared"`:                              true,
		`input.changes[0].repo.branch == "main" && input.changes[0].repo.known`: true,
		`input.changes[1].repo.known`:                                           false,
		`has(input.changes)`:                                                    true,
	} {
		if got := eval(t, expr, in); got != types.Bool(want) {
			t.Errorf("%s = %v, want %v", expr, got, want)
		}
	}
	if got := eval(t, "input.changes.size() == 0", &schema.Input{}); got != types.True {
		t.Errorf("a call without changes: %v", got)
	}
}

func TestATargetIsUnderADirectory(t *testing.T) {
	for _, c := range []struct {
		path, dir string
		want      bool
	}{
		{"/etc/passwd", "/etc", true},
		{"/etc", "/etc/", true},
		{"/etcetera", "/etc", false},
		{"/a", "/", true},
		{"", "/", false},
		{"/a/b", "a", false},
	} {
		target := &schema.Target{Lexical: c.path}
		if got := target.Under(c.dir); got != c.want {
			t.Errorf("%q under %q = %t, want %t", c.path, c.dir, got, c.want)
		}
	}
}
