package predicates

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/cel"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
	"github.com/google/go-cmp/cmp"
)

// bash returns the input of a Bash call that runs commands in cwd, compound when
// there are several.
func bash(cwd string, commands ...*schema.Command) *schema.Input {
	effects := &schema.Effects{Parsed: true, Compound: len(commands) > 1, Commands: commands}
	return &schema.Input{
		Tool: "Bash", Cwd: cwd, Home: "/home/dev",
		ReadEffects: func() *schema.Effects { return effects },
	}
}

// writeIn returns the input of a call that writes in the repository root, which
// counts from this package.
func writeIn(root string) *schema.Input {
	root, err := filepath.Abs(root)
	if err != nil {
		panic(err)
	}
	return writeTo(&schema.Target{
		Lexical: filepath.Join(root, "x"), Resolved: true,
		ReadRepo: func() *schema.Repo { return &schema.Repo{Root: root, Branch: "feat/x", Known: true} },
	})
}

func writeTo(targets ...*schema.Target) *schema.Input {
	effects := &schema.Effects{Parsed: true, Writes: targets}
	return &schema.Input{Tool: "Write", ReadEffects: func() *schema.Effects { return effects }}
}

func newEnv(t testing.TB) *cel.Environment {
	t.Helper()
	registry, err := types.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	env, err := cel.New(schema.Provider{Base: registry}, Library(), decls.NewVariable("input", schema.InputType))
	if err != nil {
		t.Fatal(err)
	}
	return env
}

// evaluate evaluates expression over in, and returns the error of the evaluation.
func evaluate(t testing.TB, expression string, in *schema.Input) (ref.Val, error) {
	t.Helper()
	return evaluateWith(t, expression, schema.InputValue(in))
}

// evaluateWith evaluates expression with a value of the variable input.
func evaluateWith(t testing.TB, expression string, input ref.Val) (ref.Val, error) {
	t.Helper()
	env := newEnv(t)
	checked, issues := env.Compile(expression)
	if len(issues) > 0 {
		t.Fatalf("%s: %v", expression, issues[0].Message)
	}
	program, err := env.Plan(cel.Expression{Tree: checked})
	if err != nil {
		t.Fatal(err)
	}
	variables, err := interpreter.NewActivation(map[string]any{"input": input})
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := program.Evaluate(t.Context(), variables)
	return v, err
}

// isTrue evaluates a bool expression that has to evaluate without error.
func isTrue(t testing.TB, expression string, in *schema.Input) bool {
	t.Helper()
	v, err := evaluate(t, expression, in)
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	b, ok := v.(types.Bool)
	if !ok {
		t.Fatalf("%s is a %s, not a bool", expression, v.Type().TypeName())
	}
	return bool(b)
}

// script returns a call that writes a script with one call in it.
func script(name string, given *schema.Given) *schema.Input {
	return &schema.Input{Tool: "Write", ReadEffects: func() *schema.Effects {
		return &schema.Effects{Parsed: true, Scripts: []*schema.Script{{
			Language: "python", Content: name + " shell=",
			ReadCalls: func() []*schema.Call {
				return []*schema.Call{{
					Name:         name,
					ReadGiven:    func() *schema.Given { return given },
					ReadKeywords: func() []string { return slices.Collect(maps.Keys(given.Keywords)) },
				}}
			},
		}}}
	}}
}

// importing returns a call that writes a script with imports.
func importing(names ...string) *schema.Input {
	return &schema.Input{Tool: "Write", ReadEffects: func() *schema.Effects {
		return &schema.Effects{Parsed: true, Scripts: []*schema.Script{{
			Language: "python", Content: "system popen", ReadImports: func() []string { return names },
		}}}
	}}
}

// examples has, by function, an input for which the example is true and one for
// which it is false.
var examples = map[string]struct{ yes, no *schema.Input }{
	"runs": {
		bash("/w", &schema.Command{Program: "git", Subcommand: "push", Operands: []string{"push"}}),
		bash("/w", &schema.Command{Program: "git", Subcommand: "pull", Operands: []string{"pull"}}),
	},
	"has_flag": {
		bash("/w", &schema.Command{Program: "git", Subcommand: "push", Operands: []string{"push"}, Args: []string{"push", "-f"}, Options: []schema.Option{{Name: "-f", Index: 1}}}),
		bash("/w", &schema.Command{Program: "git", Subcommand: "push", Operands: []string{"push"}, Args: []string{"push"}}),
	},
	"option": {
		bash("/w", &schema.Command{Program: "git", Subcommand: "commit", Operands: []string{"commit"}, Args: []string{"commit", "-m", "WIP x"}, Options: []schema.Option{{Name: "-m", Value: "WIP x", Index: 1}}}),
		bash("/w", &schema.Command{Program: "git", Subcommand: "commit", Operands: []string{"commit"}, Args: []string{"commit", "-m", "x"}, Options: []schema.Option{{Name: "-m", Value: "x", Index: 1}}}),
	},
	"option_values": {
		bash("/w", &schema.Command{Program: "git", Args: []string{"-c", "core.hooksPath=x", "-c", "a=b"}, Options: []schema.Option{{Name: "-c", Value: "core.hooksPath=x", Index: 0}, {Name: "-c", Value: "a=b", Index: 2}}}),
		bash("/w", &schema.Command{Program: "git", Args: []string{"-c", "a=b"}, Options: []schema.Option{{Name: "-c", Value: "a=b", Index: 0}}}),
	},
	"calls_to": {
		script("shutil.rmtree", &schema.Given{Args: []string{"/etc"}}),
		script("shutil.rmtree", &schema.Given{Args: []string{"build"}}),
	},
	"calls_with": {
		script("subprocess.run", &schema.Given{Keywords: map[string]string{"shell": "True"}}),
		script("subprocess.run", &schema.Given{Args: []string{"shell"}}),
	},
	"has_import": {importing("os", "os.system"), importing("os", "os.path")},
	"is_in_project_tree": {
		bash("/w", &schema.Command{Program: "rm", Dir: "/w", Args: []string{"-r", "/etc"}, Operands: []string{"/etc"}, Options: []schema.Option{{Name: "-r"}}}),
		bash("/w", &schema.Command{Program: "rm", Dir: "/w", Args: []string{"-r", "etc"}, Operands: []string{"etc"}, Options: []schema.Option{{Name: "-r"}}}),
	},
	"is_ephemeral_scratch": {
		bash("/w", &schema.Command{Program: "rm", Dir: "/w", Operands: []string{"src"}}),
		bash("/w", &schema.Command{Program: "rm", Dir: "/w", Operands: []string{"src/__pycache__"}}),
	},
	"is_recoverable": {
		bash("/w", &schema.Command{Program: "rm", Dir: "/w", Operands: []string{"/etc"}}),
		bash("/w", &schema.Command{Program: "ls", Dir: "/w"}),
	},
	"glob": {
		&schema.Input{Tool: "Write", Path: "/etc/nginx/sites/a.conf"},
		&schema.Input{Tool: "Write", Path: "/etc/passwd"},
	},
	"under": {
		&schema.Input{Tool: "Write", Path: "/w/a.go", ProjectDir: "/w"},
		&schema.Input{Tool: "Write", Path: "/srv/a.go", ProjectDir: "/w"},
	},
	"may_be":   {writeTo(written("/w/deploy/*")), writeTo(written("/w/deploy/*.pub"))},
	"has_path": {writeIn("testdata/repository"), writeIn("testdata")},
	"read":     {writeIn("testdata/repository"), writeIn("testdata")},
	"files":    {writeIn("testdata/repository"), writeIn("testdata")},
	"shape": {
		bash("/w", &schema.Command{Program: "ls"}, &schema.Command{Program: "git", Subcommand: "status", Operands: []string{"status"}}),
		bash("/w", &schema.Command{Program: "ls"}, &schema.Command{Program: "git", Subcommand: "push", Operands: []string{"push"}}),
	},
}

func TestEveryExampleIsTrueForOneCallAndFalseForAnother(t *testing.T) {
	for _, f := range Functions() {
		example, ok := examples[f.Name]
		if !ok {
			t.Errorf("%s has no entry in the table of examples", f.Name)
			continue
		}
		if !strings.Contains(f.Example, f.Name+"(") {
			t.Errorf("the example of %s does not call it: %s", f.Name, f.Example)
		}
		if !isTrue(t, f.Example, example.yes) {
			t.Errorf("%s: false, want true: %s", f.Name, f.Example)
		}
		if isTrue(t, f.Example, example.no) {
			t.Errorf("%s: true, want false: %s", f.Name, f.Example)
		}
	}
}

func TestSignatures(t *testing.T) {
	got := map[string][]string{}
	for _, f := range Functions() {
		for _, o := range f.Overloads {
			got[f.Name] = append(got[f.Name], o.Signature)
		}
	}
	want := map[string][]string{
		"runs": {"c.runs(string) -> bool"},
		"has_flag": {
			"c.has_flag(string) -> bool", "c.has_flag(string, string) -> bool", "c.has_flag(string, string, string) -> bool",
			"c.has_flag(string, string, string, string) -> bool", "c.has_flag(list(string)) -> bool",
		},
		"option":               {"c.option(string) -> string"},
		"option_values":        {"c.option_values(string) -> list(string)"},
		"calls_to":             {"s.calls_to(string) -> list(Call)", "s.calls_to(list(string)) -> list(Call)"},
		"calls_with":           {"s.calls_with(string) -> list(Call)"},
		"has_import":           {"s.has_import(string) -> bool", "s.has_import(list(string)) -> bool"},
		"is_in_project_tree":   {"is_in_project_tree(input) -> bool", "c.is_in_project_tree(input) -> bool"},
		"is_ephemeral_scratch": {"is_ephemeral_scratch(input) -> bool", "c.is_ephemeral_scratch(input) -> bool"},
		"is_recoverable":       {"is_recoverable(input) -> bool", "c.is_recoverable(input) -> bool"},
		"glob":                 {"glob(string, string) -> bool"},
		"under":                {"path.under(string) -> bool", "target.under(string) -> bool"},
		"may_be":               {"target.may_be(string) -> bool"},
		"has_path":             {"repo.has_path(string) -> bool"},
		"read":                 {"repo.read(string) -> string"},
		"files":                {"repo.files(string) -> list(string)"},
		"shape":                {"shape(Command) -> string", "shape(list(Command)) -> string"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("signatures (-want +got):\n%s", diff)
	}
}

func TestNamesAndOverloadsAreUniqueAndDocumented(t *testing.T) {
	seen := map[string]bool{}
	lowerSnake := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	for _, f := range Functions() {
		if seen[f.Name] || !lowerSnake.MatchString(f.Name) {
			t.Errorf("%s is declared twice or is no name", f.Name)
		}
		seen[f.Name] = true
		if !strings.HasSuffix(f.Doc, ".") {
			t.Errorf("the doc of %s is no sentence: %q", f.Name, f.Doc)
		}
		for _, o := range f.Overloads {
			if seen[o.ID] || !lowerSnake.MatchString(o.ID) {
				t.Errorf("overload %s is declared twice or is no name", o.ID)
			}
			seen[o.ID] = true
		}
	}
}

func TestPredicatesAreTheFunctionsOfTheInputAlone(t *testing.T) {
	want := []string{"is_in_project_tree", "is_ephemeral_scratch", "is_recoverable"}
	if diff := cmp.Diff(want, Predicates()); diff != "" {
		t.Errorf("Predicates (-want +got):\n%s", diff)
	}
	for name, want := range map[string]bool{"is_recoverable": true, "glob": false, "runs": false, "no_such_predicate": false, "": false} {
		if got := IsPredicate(name); got != want {
			t.Errorf("IsPredicate(%q) = %v", name, got)
		}
	}
}

func TestWrongArgumentsAreErrorsOfTheChecker(t *testing.T) {
	env := newEnv(t)
	for _, expression := range []string{
		`input.commands[0].runs(1)`,
		`input.commands[0].has_flag()`,
		`input.commands[0].has_flag("-a", "-b", "-c", "-d", "-e")`,
		`input.commands[0].has_flag([1])`,
		`is_in_project_tree()`,
		`is_in_project_tree(input.cwd)`,
		`input.is_recoverable()`,
		`glob("/a")`,
		`shape(input)`,
		`shape("git push")`,
		`input.writes[0].under()`,
		`input.writes[0].under(input.writes[1])`,
		`input.writes[0].repo.has_path()`,
		`input.writes[0].has_path(".bounded")`,
		`input.writes[0].repo.read(1)`,
		`input.git[0].repo.files(["."])`,
	} {
		if _, issues := env.Compile(expression); len(issues) == 0 {
			t.Errorf("%s: no error", expression)
		}
	}
}

func TestWrongValuesBehindADynAreErrorsOfTheEvaluation(t *testing.T) {
	in := bash("/w", &schema.Command{Program: "git"})
	in.Args = map[string]any{"n": 1.0, "list": []any{1.0}}
	for _, expression := range []string{
		`input.commands[0].runs(input.args.n)`,
		`input.commands[0].has_flag(input.args.list)`,
		`input.commands[0].has_flag(input.args.missing)`,
		`is_in_project_tree(input.args.n)`,
		`shape(input.args.list)`,
		`glob(input.args.missing, "*")`,
		`dyn(input).runs("git")`,
		`dyn(input).under("/")`,
		`dyn(input).has_path(".")`,
		`dyn(input.commands[0]).read(".")`,
	} {
		if v, err := evaluate(t, expression, in); err == nil {
			t.Errorf("%s = %v, want an error", expression, v)
		}
	}
}

func TestUnknownArgumentsStayUnknown(t *testing.T) {
	v, err := evaluateWith(t, `is_in_project_tree(input) || is_ephemeral_scratch(input)`, types.NewUnknown(1, nil))
	if err != nil || !types.IsUnknown(v) {
		t.Errorf("%v, %v, want an unknown", v, err)
	}
}
