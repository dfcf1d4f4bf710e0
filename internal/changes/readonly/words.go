package readonly

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// objectionToCall judges the words of one simple command that stand in front of its
// arguments: assignments, wrappers with their own options, and the name of the program.
func objectionToCall(call *syntax.CallExpr) string {
	alone := len(call.Args) == 0
	for _, a := range call.Assigns {
		if a.Name == nil {
			return "an assignment names no variable"
		}
		if alone {
			if reason := objectionToVariable(a.Name.Value); reason != "" {
				return reason
			}
			continue
		}
		value, literal := "", a.Value == nil && a.Array == nil
		if a.Value != nil {
			value, literal = literalOf(a.Value)
		}
		if reason := objectionToEnvironment(a.Name.Value, value, literal); reason != "" {
			return reason
		}
	}
	if alone {
		return ""
	}
	words := make([]literal, len(call.Args))
	for i, word := range call.Args {
		words[i].text, words[i].known = literalOf(word)
	}
	return objectionToProgram(words)
}

// literal is a word as far as it is known without running anything.
type literal struct {
	text  string
	known bool
}

// objectionToProgram takes the wrappers off and judges the name of the program: bare,
// or in a directory that belongs to the system. ./ls is somebody's own program.
func objectionToProgram(words []literal) string {
	for len(words) > 0 {
		if !words[0].known {
			return "a command's program is not known"
		}
		name := words[0].text
		if directory, base := name[:strings.LastIndexByte(name, '/')+1], name[strings.LastIndexByte(name, '/')+1:]; directory != "" {
			if !isSystemDirectory(directory) {
				return name + " is a program of its own"
			}
			name = base
		}
		if !isWrapper(name) {
			if isListed(name) {
				return ""
			}
			return name + " is not on the list"
		}
		rest, reason := takeWrapper(name, words[1:])
		if reason != "" {
			return reason
		}
		words = rest
	}
	return ""
}

// isSystemDirectory reports whether programs in a directory are those of the system.
func isSystemDirectory(directory string) bool {
	switch directory {
	case "/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/", "/sbin/", "/usr/sbin/":
		return true
	}
	return false
}

// isWrapper reports whether a program runs the command in its arguments and changes
// nothing by itself, with the options that takeWrapper knows.
func isWrapper(name string) bool {
	switch name {
	case "env", "xargs", "command", "builtin", "timeout", "nice", "time": // time as a word of the shell
		return true
	}
	return false
}

// takeWrapper takes the options and operands of a wrapper off its words. What is left
// is the command; nothing when it runs none.
func takeWrapper(name string, words []literal) (rest []literal, reason string) {
	var flags, values string
	operands := 0
	switch name {
	case "env":
		flags, values = "- -i --ignore-environment -0 --null", "-u --unset -C --chdir"
	case "xargs":
		flags, values = "-0 --null -r --no-run-if-empty -t --verbose -x --exit", "-n -P -I -L -d -s -E -a --max-args --max-procs --delimiter --arg-file"
	case "command":
		flags = "-p"
	case "timeout":
		flags, values, operands = "--preserve-status --foreground -v --verbose", "-k --kill-after -s --signal", 1
	case "nice":
		values = "-n --adjustment"
	case "time":
		return nil, "time is a program here"
	}
	for len(words) > 0 {
		word := words[0]
		if name == "command" && (word.text == "-v" || word.text == "-V") && word.known {
			return nil, "" // it only says what would be run
		}
		variable, value, assigns := strings.Cut(word.text, "=")
		switch {
		case !word.known:
			return nil, "the words of " + name + " are not known"
		case word.text == "--":
			return words[1:], ""
		case contains(flags, word.text):
			words = words[1:]
		case contains(values, word.text):
			words = words[min(2, len(words)):]
		case strings.HasPrefix(word.text, "-"):
			if !isAttached(values, word.text) {
				return nil, name + " " + word.text + " is not known to change nothing"
			}
			words = words[1:]
		case name == "env" && assigns && syntax.ValidName(variable):
			if reason := objectionToEnvironment(variable, value, true); reason != "" {
				return nil, reason
			}
			words = words[1:]
		case operands > 0:
			operands--
			words = words[1:]
		default:
			return words, ""
		}
	}
	return nil, ""
}

// isAttached reports whether a word is one of the options and its value: -n5, --name=5.
func isAttached(options, word string) bool {
	if name, _, found := strings.Cut(word, "="); found && strings.HasPrefix(name, "--") {
		return contains(options, name)
	}
	return len(word) > 2 && word[1] != '-' && contains(options, word[:2])
}

// contains reports whether a word is in a list of words with spaces between them.
func contains(list, word string) bool {
	for listed := range strings.FieldsSeq(list) {
		if listed == word {
			return true
		}
	}
	return false
}

// objectionToEnvironment judges a variable that is given to a program. Few are known
// to change nothing but what the program prints.
func objectionToEnvironment(name, value string, known bool) string {
	switch name {
	case "LANG", "LANGUAGE", "TZ", "TERM", "COLUMNS", "LINES", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "LS_COLORS", "GREP_COLOR", "GREP_COLORS",
		"IFS", "GOOS", "GOARCH", "CGO_ENABLED", "GIT_OPTIONAL_LOCKS", "GIT_TERMINAL_PROMPT", "BLOCKSIZE", "BLOCK_SIZE", "POSIXLY_CORRECT", "CI":
		return ""
	case "PAGER", "GIT_PAGER":
		if known && (value == "" || value == "cat") {
			return ""
		}
	case "GOFLAGS":
		if known && isHarmlessGoFlags(value) {
			return ""
		}
	default:
		if strings.HasPrefix(name, "LC_") {
			return ""
		}
	}
	return name + " may change what a program does"
}

// isHarmlessGoFlags reports whether all of the flags only choose which packages are seen.
func isHarmlessGoFlags(value string) bool {
	for flag := range strings.FieldsSeq(value) {
		if !contains("-mod=mod -mod=readonly -mod=vendor", flag) && !strings.HasPrefix(flag, "-tags=") {
			return false
		}
	}
	return true
}

// objectionToVariable judges a variable that the text assigns for itself, with =, read,
// printf -v or for. It reaches a program only when it was exported before, so that
// those count which programs on the list, the shell and the loader act on.
func objectionToVariable(name string) string {
	switch name {
	case "PATH", "HOME", "ENV", "SHELL", "PS4", "PROMPT_COMMAND", "SHELLOPTS", "PAGER", "MANPAGER", "EDITOR", "VISUAL", "BROWSER", "CDPATH", "GLOBIGNORE",
		"TMPDIR", "CC", "CXX", "AR", "FC", "PKG_CONFIG", "GCCGO", "MAGIC", "LOCPATH", "NLSPATH", "GCONV_PATH", "TZDIR", "HOSTALIASES", "COMSPEC", "OPTARG", "HISTFILE",
		"path", "fpath", "precmd_functions", "NULLCMD", "READNULLCMD":
		return name + " changes what programs do"
	}
	for prefix := range strings.FieldsSeq("LD_ DYLD_ GIT_ BASH LESS GO CGO_ RIPGREP_ GREP_OPT XDG_ SSH_ AWK GAWK_ PERL PYTHON JQ_ TREE_ ZDOT ZSH MALLOC_ GLIBC_") {
		if strings.HasPrefix(name, prefix) {
			return name + " changes what programs do"
		}
	}
	return ""
}
