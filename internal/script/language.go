package script

import (
	"path"
	"slices"
	"strings"
)

// The languages that LanguageOf and Interpreter tell apart. They are the values
// of a script's language in rules.
const (
	Shell      = "shell"
	Python     = "python"
	Node       = "node"
	Ruby       = "ruby"
	Perl       = "perl"
	PHP        = "php"
	PowerShell = "powershell"
)

// languageOfExtension returns the language of an extension in lower case, "" for one
// that says nothing.
func languageOfExtension(name string) string {
	switch name {
	case ".sh", ".bash", ".zsh", ".ksh", ".bats":
		return Shell
	case ".py", ".pyw", ".pyi":
		return Python
	case ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx":
		return Node
	case ".rb", ".rake", ".gemspec":
		return Ruby
	case ".pl", ".pm":
		return Perl
	case ".php":
		return PHP
	case ".ps1", ".psm1", ".psd1":
		return PowerShell
	}
	return ""
}

// languageOfProgram returns the language of an interpreter, "" for a program that is
// none, by its base name in lower case, without version and ".exe".
func languageOfProgram(name string) string {
	switch name {
	case "sh", "bash", "zsh", "dash", "ash", "ksh", "mksh", "rbash", "yash", "bats":
		return Shell
	case "python", "pythonw", "pypy", "ipython", "jython", "micropython":
		return Python
	case "node", "nodejs", "bun", "deno", "tsx", "ts-node", "zx":
		return Node
	case "ruby", "jruby", "truffleruby", "irb":
		return Ruby
	case "perl":
		return Perl
	case "php":
		return PHP
	case "pwsh", "powershell", "pwsh-preview":
		return PowerShell
	}
	return ""
}

// LanguageOf returns the language of a file with that extension (with its dot,
// in any case) or, for an extension that says nothing, of the #! line that its
// content begins with; "" when neither tells.
func LanguageOf(extension, content string) string {
	if language := languageOfExtension(strings.ToLower(extension)); language != "" {
		return language
	}
	return Interpreter(interpreterOfFirstLine(content))
}

// Extension returns the usual extension of a language's files, with its dot; ""
// for an unknown language.
func Extension(language string) string {
	switch language {
	case Shell:
		return ".sh"
	case Python:
		return ".py"
	case Node:
		return ".js"
	case Ruby:
		return ".rb"
	case Perl:
		return ".pl"
	case PHP:
		return ".php"
	case PowerShell:
		return ".ps1"
	}
	return ""
}

// Interpreter returns the language that a program of this name runs: "python"
// for python3.11, pypy3 and /usr/bin/python. It is "" for a program that is no
// interpreter.
func Interpreter(program string) string {
	name := strings.ToLower(path.Base(strings.ReplaceAll(program, `\`, "/")))
	name = strings.TrimSuffix(name, ".exe")
	if language := languageOfProgram(name); language != "" {
		return language
	}
	return languageOfProgram(withoutVersion(name))
}

// withoutVersion cuts a version number off a program name: python3.11, perl5.36.0,
// php8, ruby-3.2, node-v20.
func withoutVersion(name string) string {
	cut := strings.TrimRight(name, "0123456789.")
	if cut == name {
		return name
	}
	if before, ok := strings.CutSuffix(cut, "-v"); ok {
		return before
	}
	return strings.TrimSuffix(cut, "-")
}

// interpreterOfFirstLine returns the program that a #! line names, also through
// env with its options and assignments; "" when there is no such line.
func interpreterOfFirstLine(content string) string {
	content = strings.TrimPrefix(content, "\uFEFF")
	if !strings.HasPrefix(content, "#!") {
		return ""
	}
	line, _, _ := strings.Cut(content[2:], "\n")
	words := strings.Fields(line)
	if len(words) == 0 {
		return ""
	}
	if path.Base(words[0]) != "env" {
		return words[0]
	}
	for i := 1; i < len(words); i++ {
		word := strings.Trim(words[i], `'"`)
		if program, ok := strings.CutPrefix(word, "--split-string="); ok {
			return program
		}
		switch {
		case slices.Contains([]string{"-u", "-C", "--unset", "--chdir"}, word):
			i++ // its value
		case len(word) > 2 && strings.HasPrefix(word, "-S"):
			return word[2:]
		case strings.HasPrefix(word, "-"), strings.Contains(word, "="):
		default:
			return word
		}
	}
	return ""
}
