package script

import (
	"strings"
	"testing"
	"unicode/utf8"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// shellFields returns the words that bash makes of a text of words.
func shellFields(t *testing.T, text string, environment ...string) []string {
	t.Helper()
	var words []*syntax.Word
	file, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if len(file.Stmts) != 1 {
		t.Fatalf("%q: %d commands", text, len(file.Stmts))
	}
	call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 {
		t.Fatalf("%q is no simple command", text)
	}
	words = call.Args
	fields, err := expand.Fields(&expand.Config{Env: expand.ListEnviron(environment...)}, words...)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return fields
}

func FuzzAQuotedWordIsReadAsItself(f *testing.F) {
	for _, word := range []string{"a", "", "a b", "it's", "$HOME", "~", "*", "a=b", "if", "{a,b}", "!", "#a", "a#", "-x", "\\", "\n", "`a`", "ä", "[", "time", "{", "a;b", ">x", "^", "%1", "=x", "function"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		if strings.ContainsAny(word, "\x00\r") || !utf8.ValidString(word) {
			t.Skip("no word of a command")
		}
		for _, first := range []bool{true, false} {
			text := quoteWord(word, first)
			if !first {
				text = "x " + text
			}
			got := shellFields(t, text)
			if len(got) == 0 || got[len(got)-1] != word {
				t.Errorf("quoteWord(%q, %v) = %q is read as %q", word, first, text, got)
			}
		}
	})
}

func TestAnUnknownPartIsExpandedInsideAnyQuotes(t *testing.T) {
	for _, around := range []string{"a %s b", "a '%s' b", "a 'x%sy' b", `a "%s" b`, `a "it's %s" b`, `a \'%s b`, `a '\'%s b`, "a 'b' # don't\na %sc"} {
		before, after, _ := strings.Cut(around, "%s")
		l := literal{{text: before}, {unknown: "p"}, {text: after}}
		text := l.shellText()
		lines := strings.Split(text, "\n")
		got := strings.Join(shellFields(t, lines[len(lines)-1], "_p=VALUE"), " ")
		if !strings.Contains(got, "VALUE") {
			t.Errorf("%s: %s is read as %q", around, text, got)
		}
	}
}

func TestAnUnknownPartNeverTakesTheNameOfAVariableInTheText(t *testing.T) {
	got := Read(Python, `os.system(f"path=/tmp; rm -rf {path}/$HOME")`).ShellTexts()
	if want := "path=/tmp; rm -rf $_path/$HOME"; len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
