package policy

import (
	"strings"
	"testing"
)

func TestDiagnosticsPrintInTheHouseForm(t *testing.T) {
	d := Diagnostic{Path: "watches/my.yml", Position: Position{12, 23}, Code: "cel", Message: "undefined field 'comand'"}
	if got, want := d.String(), "watches/my.yml:12:23: undefined field 'comand' [cel]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	d.Position = Position{}
	if got, want := d.String(), "watches/my.yml: undefined field 'comand' [cel]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestTheCaretStandsUnderTheRune(t *testing.T) {
	long := strings.Repeat("x", 300)
	for name, test := range map[string]struct {
		line          string
		column, width int
		want          string
	}{
		"plain":           {"when: input.comand", 13, 6, "  when: input.comand\n              ^~~~~~"},
		"one rune":        {"abc", 1, 1, "  abc\n  ^"},
		"a tab":           {"\ta\tb", 4, 1, "   a b\n     ^"},
		"wide runes":      {"日本: x日y", 5, 2, "  日本: x日y\n        ^~~"},
		"combining marks": {"e\u0301x", 3, 1, "  e\u0301x\n   ^"},
		"the end":         {"abc", 4, 1, "  abc\n     ^"},
		"beyond the end":  {"abc", 9, 3, "  abc\n     ^"},
		"control":         {"a\x1b[31mb", 2, 1, "  a\uFFFD[31mb\n   ^"},
		"no line":         {"", 1, 1, "  \n  ^"},
	} {
		d := Diagnostic{Position: Position{1, test.column}, Width: test.width, SourceLine: test.line}
		if got := d.Snippet(); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, test.want)
		}
	}
	if got := (Diagnostic{Path: "x"}).Snippet(); got != "" {
		t.Errorf("a file without a place has the snippet %q", got)
	}
	for column := 1; column < 300; column += 7 {
		line := long[:column-1] + "y" + long[column:]
		text, caret, _ := strings.Cut(Diagnostic{Position: Position{1, column}, Width: 400, SourceLine: line}.Snippet(), "\n")
		at := []rune(text)[strings.IndexByte(caret, '^')]
		if at != 'y' || len([]rune(text)) > snippetWidth+4 {
			t.Errorf("column %d: under %q:\n%s\n%s", column, at, text, caret)
		}
	}
}
