package script

import (
	"strings"
	"testing"
)

// fuzzLanguage reads arbitrary text as one language: without a panic, no text that is
// found is blank, and every call has a name and stands in the code.
func fuzzLanguage(f *testing.F, language string, seeds ...string) {
	for _, seed := range append(seeds, hostile...) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, code string) {
		for _, found := range Read(language, code).findings() {
			if strings.TrimSpace(found.text) == "" {
				t.Errorf("a blank shell text from %q", code)
			}
			if found.start < 0 || int(found.start) > len(code) {
				t.Errorf("a shell text outside of %q", code)
			}
		}
		checkCalls(t, language, code)
	})
}

func checkCalls(t *testing.T, language, code string) {
	for _, c := range Read(language, code).Calls() {
		if c.Name == "" || c.Offset < 0 || c.Offset > len(code) {
			t.Errorf("a call %q at %d of %q", c.Name, c.Offset, code)
		}
		c.Keywords()
		receiver, _ := c.Receiver()
		for _, a := range append(c.Arguments(), receiver) {
			if !strings.Contains(code, a.Source) {
				t.Errorf("%s: %q does not stand in %q", c.Name, a.Source, code)
			}
		}
	}
}

func FuzzPython(f *testing.F) {
	fuzzLanguage(f, Python, `import os as o; o.system(f'a {b!r} {{}}' "c" % d)`, `subprocess.run(["a", *b] + c, shell=True)`, "from os import (system as s,)\ns('''a''')")
}

func FuzzNode(f *testing.F) {
	fuzzLanguage(f, Node, "const {exec: e} = require('child_process'); e(`a ${b(`${c}`)} d`)", `import * as cp from "child_process"; cp.spawn('a', ['b', ...c], {shell: true})`, "x = /[/]'/g; $`a ${b}`", "import A from \"\"\nA(b)")
}

func FuzzRuby(f *testing.F) {
	fuzzLanguage(f, Ruby, "system \"a #{b}\", 'c'; %x{d #{`e`}}; x = %w[a b]", "exec(<<~A, 'b')\n a #{c}\nA\n", "Open3.capture3({'A' => '1'}, *%w(a b), chdir: 'x')")
}

func FuzzPerl(f *testing.F) {
	fuzzLanguage(f, Perl, "system(\"a $b->{c}[0] @d ${e}\"); qx{a}; `b`; open(F, '-|', 'a', @b)", "s{a}{b}e; y/a/b/; m'x'; <<\"A\" . <<'B';\na\nA\nb\nB\n")
}

func FuzzPHP(f *testing.F) {
	fuzzLanguage(f, PHP, "<?php exec(\"a $b {$c['d']} ${e}\"); ?> x <?= `a` ?>", "<?php system(<<<A\n a $b\n A);")
}

func FuzzStatements(f *testing.F) {
	for _, seed := range append([]string{"a | b; iex 'c' > d", "$x = @{a = b; c=1}; if (a) { b } else { c }", "a @'\nb\n'@ \"$(c)\" --% d | e", "Start-Process a -ArgumentList b, 'c d'"}, hostile...) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, code string) {
		checkCalls(t, PowerShell, strings.TrimPrefix(code, "\uFEFF"))
		statements := Statements(code)
		for i, s := range statements {
			if len(s.Words) == 0 {
				t.Errorf("statement %d of %q has no words", i, code)
			}
			if s.PipedTo >= len(statements) || s.PipedFrom >= len(statements) {
				t.Errorf("statement %d of %q is piped to nowhere", i, code)
			}
			if to := s.PipedTo; to >= 0 && statements[to].PipedFrom < 0 {
				t.Errorf("statement %d of %q is piped to one that is piped from none", i, code)
			}
		}
	})
}
