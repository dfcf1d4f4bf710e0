package script

import "testing"

func TestLanguageOfAnExtension(t *testing.T) {
	for language, extensions := range map[string][]string{
		Shell:      {".sh", ".bash", ".zsh", ".ksh", ".bats", ".SH"},
		Python:     {".py", ".pyw", ".pyi", ".Py"},
		Node:       {".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx"},
		Ruby:       {".rb", ".rake", ".gemspec"},
		Perl:       {".pl", ".pm"},
		PHP:        {".php"},
		PowerShell: {".ps1", ".psm1", ".psd1", ".PS1"},
		"":         {"", ".", ".txt", ".md", ".css", ".json", "py", ".pyc"},
	} {
		for _, extension := range extensions {
			if got := LanguageOf(extension, ""); got != language {
				t.Errorf("LanguageOf(%q) = %q, want %q", extension, got, language)
			}
		}
	}
}

func TestLanguageOfTheFirstLine(t *testing.T) {
	for content, want := range map[string]string{
		"#!/bin/sh\nls":                              Shell,
		"#!/bin/bash -e":                             Shell,
		"#! /usr/bin/python3.11\n":                   Python,
		"#!/usr/bin/env python3\r\n":                 Python,
		"#!/usr/bin/env -S node --experimental-vm\n": Node,
		"#!/usr/bin/env -Sdeno run\n":                Node,
		"#!/usr/bin/env -i A=b -u C ruby\n":          Ruby,
		"#!/usr/bin/env --split-string=perl -w\n":    Perl,
		"#!/usr/bin/env -S -i A=b pwsh -NoProfile\n": PowerShell,
		"\uFEFF#!/usr/bin/env php\n":                 PHP,
		"#!/usr/bin/env\n":                           "",
		"#!/usr/bin/env -u\n":                        "",
		"#!\n":                                       "",
		"#!/usr/bin/awk -f":                          "",
		"# python3\n":                                "",
		"\n#!/bin/sh":                                "",
		"":                                           "",
	} {
		if got := LanguageOf("", content); got != want {
			t.Errorf("LanguageOf(%q) = %q, want %q", content, got, want)
		}
	}
	if got := LanguageOf(".py", "#!/bin/sh\n"); got != Python {
		t.Errorf("an extension that is known does not decide: %q", got)
	}
	if got := LanguageOf(".txt", "#!/bin/sh\n"); got != Shell {
		t.Errorf("an extension that says nothing decides: %q", got)
	}
}

func TestInterpreterIgnoresPathVersionAndCase(t *testing.T) {
	for language, programs := range map[string][]string{
		Shell:      {"sh", "bash", "zsh", "dash", "ksh", "ash", "mksh", "/bin/bash", "bash5", "ksh93", "bash.exe"},
		Python:     {"python", "python3", "python3.11", "python2.7", "pypy", "pypy3", "/opt/x/python3", "ipython3", "Python.exe"},
		Node:       {"node", "nodejs", "bun", "deno", "node-v20", "node18", "ts-node", "tsx"},
		Ruby:       {"ruby", "ruby3.2", "ruby-3.2", "jruby"},
		Perl:       {"perl", "perl5.36.0"},
		PHP:        {"php", "php8.2"},
		PowerShell: {"pwsh", "powershell", "powershell.exe", `C:\Windows\System32\WindowsPowerShell\v1.0\PowerShell.EXE`},
		"":         {"", "git", "pythonx", "py.test", "shellcheck", "3", "nodemon", "sh.py", "perldoc"},
	} {
		for _, program := range programs {
			if got := Interpreter(program); got != language {
				t.Errorf("Interpreter(%q) = %q, want %q", program, got, language)
			}
		}
	}
}

func TestEveryLanguageHasAnExtensionOfItsOwn(t *testing.T) {
	for _, language := range []string{Shell, Python, Node, Ruby, Perl, PHP, PowerShell} {
		if got := LanguageOf(Extension(language), ""); got != language {
			t.Errorf("Extension(%q) = %q, the language of which is %q", language, Extension(language), got)
		}
	}
	if got := Extension("cobol"); got != "" {
		t.Errorf("Extension of an unknown language: %q", got)
	}
}
