package script

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStatementsAreFoundWhereverTheyStand(t *testing.T) {
	for _, c := range []struct {
		behaviour, code string
		want            []string // words of each statement joined by |
	}{
		{"a command", `Remove-Item -Recurse -Force ~/code`, []string{"Remove-Item|-Recurse|-Force|~/code"}},
		{"a list", "a 1; b 2\nc 3 && d 4 || e 5", []string{"a|1", "b|2", "c|3", "d|4", "e|5"}},
		{"quotes", `a 'it''s $x' "b ""c"" ` + "`\"d`\" `$x" + `" e"f"'g'`, []string{`a|it's $x|b "c" "d" $x|efg`}},
		{"typographic quotes", `a ‘x y’ “z w”`, []string{"a|x y|z w"}},
		{"backtick escapes", "a x` y `$z `# w", []string{"a|x y|$z|#|w"}},
		{"a continued line", "a `\n  b\nc", []string{"a|b", "c"}},
		{"comments", "a b # c; d\n<# e\nf #> g h#i <# j #> k", []string{"a|b", "g|h#i|k"}},
		{"variables", `a $x $env:TEMP\y ${b c} "$z.w" $o.Path`, []string{`a|$x|$env:TEMP\y|${b c}|$z.w|$o.Path`}},
		{"a list of arguments", `Remove-Item a, 'b c',d -Force`, []string{"Remove-Item|a|b c|d|-Force"}},
		{"an assignment", `$x = Get-Item y; [string]$z += Get-Item w`, []string{"Get-Item|y", "Get-Item|w"}},
		{"the call operator", `& 'C:\Program Files\x.exe' a; & $p b; . ./x.ps1`, []string{`C:\Program Files\x.exe|a`, "$p|b", "./x.ps1"}},
		{"a block that is called", `& { Remove-Item x }`, []string{"Remove-Item|x"}},
		{"an if", "if (Test-Path x) { a } elseif ($y -eq 'z') { b }\nelse { c }\nd", []string{"Test-Path|x", "a", "b", "c", "d"}},
		{"a statement behind a block", `if ($x) { a } b`, []string{"a", "b"}},
		{"loops", "foreach ($f in Get-ChildItem) { a $f }; for ($i=0; $i -lt 3; $i++) { b }; while (c) { d }; do { e } while ($x); do { f } until (g)",
			[]string{"Get-ChildItem", "a|$f", "b", "c", "d", "e", "f", "g"}},
		{"switch", `switch ($x) { 'a' { b } default { c } }`, []string{"b", "c"}},
		{"try", "try { a } catch [X] { b } finally { c }", []string{"a", "b", "c"}},
		{"a function", "function Get-Thing { param([string]$x = 'y') Get-Item . }\nfunction f($a) { b }", []string{"Get-Item|.", "b"}},
		{"process blocks", "function f { begin { a } process { b } end { c } }", []string{"a", "b", "c"}},
		{"parentheses", `a (b c).d "e $(f g) h"; (i).j(); @(k; l)`, []string{`a|(b c).d|e $(f g) h`, "b|c", "f|g", "i", "k", "l"}},
		{"a block as argument", `Get-ChildItem | ForEach-Object { Remove-Item $_ }; gci | % { rm $_ }; gci | foreach { del $_ }`,
			[]string{"Get-ChildItem", "ForEach-Object|{ Remove-Item $_ }", "Remove-Item|$_", "gci", "%|{ rm $_ }", "rm|$_", "gci", "foreach|{ del $_ }", "del|$_"}},
		{"attributes", "[CmdletBinding(SupportsShouldProcess)]\nparam([Parameter(Mandatory)][string]$x = (a), [switch]$y)\nb", []string{"a", "b"}},
		{"a method's arguments", `$o.Foo('a', (b c)).Bar($x); $i[(d)]; if(e) { f }`, []string{"b|c", "d", "e", "f"}},
		{"a class", "class A : B { [int]$x = (a); A([int]$y) { b $y }\n [void] Run() { c; d } }\nenum E { F; G = 2 }\ne", []string{"a", "b|$y", "c", "d", "e"}},
		{"a hashtable", `$h = @{ a = b c; 'd' = 'e'; f = 1 }; [pscustomobject]@{x=g}`, []string{"b|c", "g"}},
		{"return", `return Get-Item x`, []string{"Get-Item|x"}},
		{"expressions are no commands", `'rm x'; "y"; 1 + 2; $x.Delete(); [IO.File]::Delete('x'); $i++; -not $x; @('a'); {z}`, []string{"z"}},
		{"here-strings", "a @'\nb $x\n'c'\n'@ d; e @\"\nf $(g)\n\"@\nh", []string{"a|b $x\n'c'|d", "e|f $(g)", "g", "h"}},
		{"literal text is run", `iex 'Remove-Item x; b'; Invoke-Expression -Command "c $d"; 'e f' | iex`,
			[]string{"iex|Remove-Item x; b", "Remove-Item|x", "b", "Invoke-Expression|-Command|c $d", "c|$d", "iex", "e|f"}},
		{"a started program", `Start-Process -FilePath rm -ArgumentList '-rf', 'a b' -Wait; start notepad 'x y'`,
			[]string{"Start-Process|-FilePath|rm|-ArgumentList|-rf|a b|-Wait", "rm|-rf|a b", "start|notepad|x y", "notepad|x|y"}},
		{"verbatim arguments", `icacls --% X:\y /grant "Z":(W) | a`, []string{`icacls|--%|X:\y|/grant|"Z":(W)`, "a"}},
		{"other shells", `cmd /c 'del x'; bash -c "rm -rf $x"`, []string{"cmd|/c|del x", "bash|-c|rm -rf $x"}},
		{"a name that begins with a digit", `7z x a.7z; 12; 3kb`, []string{"7z|x|a.7z"}},
		{"a job", "a b &\nc", []string{"a|b", "c"}},
		{"nothing closed", `a { b ( c 'd`, []string{"a|{ b ( c 'd", "b|( c 'd", "c|d"}},
		{"nothing opened", `) } a ] b`, []string{"a|]|b"}},
		{"a block closed inside parentheses", `& { a ( b }; c`, []string{"a|( b ", "b", "c"}},
		{"a string is data", `Write-Host 'Remove-Item -Recurse /'; git commit -m "Stop-Computer; Format-Volume"`,
			[]string{"Write-Host|Remove-Item -Recurse /", "git|commit|-m|Stop-Computer; Format-Volume"}},
		{"nothing", " \n# a\n", nil},
	} {
		t.Run(strings.ReplaceAll(c.behaviour, " ", "_"), func(t *testing.T) {
			var got []string
			for _, s := range Statements(c.code) {
				got = append(got, strings.Join(s.Words, "|"))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s\n%s", c.code, diff)
			}
		})
	}
}

func TestPipesJoinStatements(t *testing.T) {
	for code, want := range map[string][]string{ // program, piped from, piped to
		"a | b | c":             {"a <- - -> b", "b <- a -> c", "c <- b -> -"},
		"a |\n b\n| c":          {"a <- - -> b", "b <- a -> c", "c <- b -> -"},
		"'x' | b":               {"b <- - -> -"},
		"$x | b; c":             {"b <- - -> -", "c <- - -> -"},
		"(iwr u).Content | iex": {"iwr <- - -> iex", "iex <- iwr -> -"},
		"iex (iwr u)":           {"iex <- iwr -> -", "iwr <- - -> iex"},
		"$y = a | b":            {"a <- - -> b", "b <- a -> -"},
		"a || b":                {"a <- - -> -", "b <- - -> -"},
		"a | % { c | d } | e":   {"a <- - -> %", "% <- a -> e", "c <- - -> d", "d <- c -> -", "e <- % -> -"},
		"if (x) { y } | z":      {"x <- - -> -", "y <- - -> -", "z <- - -> -"},
		"a\n\n\nb":              {"a <- - -> -", "b <- - -> -"},
	} {
		statements := Statements(code)
		program := func(i int) string {
			if i < 0 {
				return "-"
			}
			return statements[i].Words[0]
		}
		var got []string
		for i, s := range statements {
			got = append(got, program(i)+" <- "+program(s.PipedFrom)+" -> "+program(s.PipedTo))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n%s", code, diff)
		}
	}
}

func TestAStatementKeepsItsSourceVariablesAndRedirections(t *testing.T) {
	got := Statements("x; git  log \"$a $env:B\" '$c' ${d} $a > out.txt 2>> 'e f' 2>&1 *>all # why\n| y")[1]
	want := Statement{
		Words:     []string{"git", "log", "$a $env:B", "$c", "${d}", "$a"},
		Source:    `git  log "$a $env:B" '$c' ${d} $a > out.txt 2>> 'e f' 2>&1 *>all`,
		Redirects: []string{"> out.txt", "2>> e f", "*> all"},
		Expands:   []string{"a", "env:B", "d"},
		PipedFrom: -1, PipedTo: 2,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestShellTextsOfPowerShell(t *testing.T) {
	runTable(t, PowerShell, []textCase{
		{"a literal piped to a shell", "'rm -rf x' | bash", []string{"rm -rf x"}},
		{"a here-string piped to a shell", "@'\nrm x\nls\n'@ | sh", []string{"rm x\nls"}},
		{"a literal piped to a file", "'rm -rf x' | Out-File y", nil},
		{"a shell that reads a script", "'rm -rf x' | bash y.sh", nil},
	})
}
