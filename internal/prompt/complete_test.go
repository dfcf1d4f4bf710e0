package prompt_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/prompt"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/go-cmp/cmp"
)

func completer(t testing.TB) *prompt.Completer {
	t.Helper()
	c, err := prompt.NewCompleter()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// texts are what the items write.
func texts(items []prompt.Item) []string {
	var list []string
	for _, i := range items {
		list = append(list, i.Text)
	}
	return list
}

func TestWhatStandsBeforeTheCursorGoesOn(t *testing.T) {
	c := completer(t)
	for _, test := range []struct {
		text string
		want string // what is offered, in its order
	}{
		// Names.
		{"inp", "input"},
		{"!inp", "input"},
		{"true && is_r", "is_recoverable("},
		{"has", "has("},
		{"zebra", ""},
		{"sets.", "contains( equivalent( intersects("},
		{"se", "sets.contains( sets.equivalent( sets.intersects("},
		{"sets.eq", "equivalent("},
		// Fields and methods of what the checker knows.
		{"input.com", "command compound commands"},
		{"input.comm", "command commands"},
		{"input.COMP", "compound"},
		{"input . com", "command compound commands"},
		{"input.commands[0].sub", "subcommand"},
		{"input.commands[0].has", "has_flag("},
		{"input.commands [ 1 + 2 ] .has", "has_flag("},
		{"input.commands.filter(c, c.remote)[0].sub", "subcommand"},
		{"(input.commands)[0].sub", "subcommand"},
		{"(input.commands[0]).sub", "subcommand"},
		{"input.commands.map(c, c.env)[0].si", "size()"},
		{"input.writes[0].repo.br", "branch"},
		{"input.writes[0].repo.branch.starts", "startsWith("},
		{"input.tool.con", "contains("},
		{"input.tool.split(',').jo", "join("},
		{`"a.b(".siz`, "size()"},
		{`'''it's'''.siz`, "size()"},
		{`r"\".siz`, "size()"},
		{`"x" in [1].ex`, "exists( exists_one("},
		{`"x" in input.commands[0].wr`, "wrappers"},
		{"{'a': 1}.ex", "exists( exists_one("},
		{"input.tool == 'Bash' ? input.cwd.under('/') : input.rea", "reads"},
		{"(1 + 2).", ""},
		{"input.nonsense.", ""},
		{"input.args.x.has", "has_flag( has_import( has_path("},
		{".input.com", "command compound commands"},
		// Variables of macros.
		{"input.commands.exists(c, c.sub", "subcommand"},
		{"input.commands.exists(c, true && c.sub", "subcommand"},
		{"input.commands.exists(c, c.args.exists(a, a.starts", "startsWith("},
		{"input.commands.exists(c, c.args.exists(a, c.sub", "subcommand"},
		{"input.commands.exists(c, c.env.exists(k, c.env[k].starts", "startsWith("},
		{"input.commands.exists(input, input.sub", "subcommand"},
		{"input.scripts.exists(s, s.calls.exists(c, c.key", "keywords"},
		{"input.scripts.exists(s, s.calls.exists(s, s.key", "keywords"},
		{"input.commands.filter(c, c.remote).all(d, d.sub", "subcommand"},
		{"input.commands.filter(c, c.remote) && c.", ""},
		{"input.commands.exists(", ""},
		{"input.commands.exists(inp", ""},
		{"input.tool.exists(c, c.", ""},
		{"[1, 2].map(x, x + inp", "input"},
		// Where there is nothing to say.
		{`input.tool == "inp`, ""},
		{`input.tool == 'it\'s inp`, ""},
		{"true // inp", ""},
		{"1.5", ""},
		{"1", ""},
		{")].", ""},
		{"input.commands).", ""},
	} {
		completion := c.Complete(test.text, nil)
		got := texts(completion.Items)
		if diff := cmp.Diff(strings.Fields(test.want), got); diff != "" && (test.want != "" || len(got) > 0) {
			t.Errorf("%s: %s", test.text, diff)
		}
	}
}

func TestOnlyTheWordBeforeTheCursorIsReplaced(t *testing.T) {
	c := completer(t)
	for text, want := range map[string]int{
		"input.com":     len("input."),
		"inp":           0,
		"true && ":      len("true && "),
		"input.":        len("input."),
		"é == inp":      len("é == "),
		"a(b, input.co": len("a(b, input."),
	} {
		if got := c.Complete(text, nil).Start; got != want {
			t.Errorf("%s: the word starts at %d, want %d", text, got, want)
		}
	}
}

func TestItemsHaveTypesAndDocumentation(t *testing.T) {
	c := completer(t)
	for text, want := range map[string]prompt.Item{
		"input.commands":          {Name: "commands", Text: "commands", Signatures: []string{"list(Command)"}, Doc: "every simple command that would run, wherever it stands"},
		"input.commands[0].runs":  {Name: "runs", Text: "runs(", Signatures: []string{"runs(string) -> bool"}},
		"input.tool.trim":         {Name: "trim", Text: "trim()", Signatures: []string{"trim() -> string"}},
		"input.commands.exists_o": {Name: "exists_one", Text: "exists_one(", Signatures: []string{"exists_one(x, condition) -> bool"}},
		"inpu":                    {Name: "input", Text: "input", Signatures: []string{"Input"}, Doc: "one tool call"},
		"input.reads[0].under":    {Name: "under", Text: "under(", Signatures: []string{"under(string) -> bool"}},
	} {
		items := c.Complete(text, nil).Items
		if len(items) != 1 {
			t.Errorf("%s: %d items", text, len(items))
			continue
		}
		got := items[0]
		if got.Doc == "" {
			t.Errorf("%s: no documentation", text)
		}
		if want.Doc == "" {
			got.Doc = ""
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestEveryFunctionAndMethodIsDocumented(t *testing.T) {
	c := completer(t)
	seen := 0
	for _, text := range []string{"", "sets.", "input.args.", "input.tool.", "input.commands.", "input.commands[0].", "input.scripts[0].", "input.git[0].repo.", "input.reads[0]."} {
		for _, item := range c.Complete(text, nil).Items {
			seen++
			if item.Doc == "" {
				t.Errorf("%s%s has no documentation", text, item.Text)
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d items", seen)
	}
}

func TestTheFunctionAroundTheCursorShowsHowItIsCalled(t *testing.T) {
	c := completer(t)
	for text, want := range map[string]string{
		"input.commands[0].has_flag(":                "has_flag(string) -> bool",
		`input.commands.exists(c, c.has_flag("-f", `: "has_flag(string) -> bool",
		"input.commands.exists(":                     "exists(x, condition) -> bool",
		"input.commands.exists(c, ":                  "exists(x, condition) -> bool",
		"glob(":                                      "glob(string, string) -> bool",
		"sets.contains(":                             "sets.contains(list(T), list(T)) -> bool",
		"input.reads.exists(t, (":                    "",
		"input.reads[":                               "",
		"nonsense(":                                  "",
		"glob(input.path, '*') && ":                  "",
		`input.commands.exists(c, c.runs("git push") && (`: "",
	} {
		got := ""
		completion := c.Complete(text, nil)
		if completion.Call != nil {
			got = completion.Call.Signatures[0]
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	inside := c.Complete("input.commands.exists(c, ", nil)
	if diff := cmp.Diff([]string{"c", "input"}, texts(inside.Items)); diff != "" {
		t.Errorf("the arguments: %s", diff)
	}
}

func TestArgumentsOfTheCallAreKeysOfArgs(t *testing.T) {
	c := completer(t)
	got := texts(c.Complete("input.args.", []string{"status", "id", "not-a-name", ""}).Items)
	if diff := cmp.Diff([]string{"id", "status"}, got[:2]); diff != "" {
		t.Error(diff)
	}
	if slices.Contains(got, "not-a-name") {
		t.Error("a key that cannot stand behind a dot is offered")
	}
	if got := texts(c.Complete("has(input.args.st", []string{"status"}).Items); !slices.Equal(got, []string{"status"}) {
		t.Errorf("in has(): %v", got)
	}
}

// paths lead from the input to a value of each object type.
var paths = map[string]string{
	"Input": "input", "Command": "input.commands[0]", "Script": "input.scripts[0]", "Call": "input.scripts[0].calls[0]",
	"Target": "input.reads[0]", "GitOp": "input.git[0]", "Repo": "input.git[0].repo", "Change": "input.changes[0]",
}

func TestEveryFieldOfEveryTypeIsOfferedAndChecks(t *testing.T) {
	c := completer(t)
	for _, object := range schema.ObjectTypes() {
		path := paths[object.Type.TypeName()]
		if path == "" {
			t.Errorf("no path to a %s", object.Type.TypeName())
			continue
		}
		offered := texts(c.Complete(path+".", nil).Items)
		for _, f := range object.Fields {
			if !slices.Contains(offered, f.Name) {
				t.Errorf("%s.%s is not offered", path, f.Name)
			}
			if _, diagnostics := policy.TypeOfExpression(path + "." + f.Name); len(diagnostics) > 0 {
				t.Errorf("%s.%s: %v", path, f.Name, diagnostics)
			}
		}
	}
}

func TestAnExpressionGoesOnWhileItIsOpen(t *testing.T) {
	for text, want := range map[string]bool{
		"input.tool":              false,
		"input.commands.exists(c": true,
		"[1, 2":                   true,
		"true &&":                 true,
		"input.":                  true,
		"a ? b :":                 true,
		`"open`:                   false, // a mistake: such a string ends on its line
		`"""open`:                 true,
		"r'''open":                true,
		`"""closed"""`:            false,
		"f(x))":                   false,
		"x // (":                  false,
		"":                        false,
	} {
		if got := prompt.Unfinished(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}

func FuzzComplete(f *testing.F) {
	for _, text := range []string{
		"input.com", "input.commands.exists(c, c.", `"a\"b".`, "r'x", "a ? b : [1].", "{'a': 1}.x", "`a`.b", ")](", "x // y", "1.5e3.", "\xff.", "f(g(h(",
	} {
		f.Add(text)
	}
	c := completer(f)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 200 {
			t.Skip("long expressions take long to check")
		}
		completion := c.Complete(text, []string{"key"})
		if completion.Start < 0 || completion.Start > len(text) {
			t.Fatalf("the word starts at %d of %d", completion.Start, len(text))
		}
		word := text[completion.Start:]
		for _, item := range completion.Items {
			if len(item.Text) < len(word) || !strings.EqualFold(item.Text[:len(word)], word) {
				t.Errorf("%q does not go on with %q", word, item.Text)
			}
			if len(item.Signatures) == 0 {
				t.Errorf("%q has no type", item.Name)
			}
		}
		prompt.Unfinished(text)
	})
}
