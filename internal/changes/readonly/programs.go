package readonly

import "strings"

// words are the arguments of one command.
type words struct {
	// list holds them unquoted; one that the shell expands is as in the text.
	list []string
	// given counts them as they are given to the program, its subcommand included.
	given map[string]int
	// expands: the shell expands a variable in some of them.
	expands bool
	// written is what the words of the command look like in the text; nil when it is
	// not found there.
	written *callWords
	// fed: xargs adds words that are not known, or puts them in the place of a
	// placeholder. fedPaths: they are paths that find prints, which begin with the
	// directory it was given, so that none of them is an option.
	fed, fedPaths bool
}

// isLiteral reports whether a word has nothing in it for the shell to expand.
func (w words) isLiteral(word string) bool {
	if w.written == nil || w.written.expanded[word] {
		return false
	}
	literals := w.written.literals[word]
	return literals > 0 && literals >= w.given[word] // the value of a variable may look the same
}

// splits reports whether a word may become any number of words when the command runs.
func (w words) splits(word string) bool {
	if w.isLiteral(word) {
		return false
	}
	if strings.ContainsAny(word, "*?[{") {
		return true
	}
	return w.expands && strings.Contains(word, "$") && !isQuotedWhole(word)
}

// mayBeOption reports whether a word may become an option that is not known: as the
// value of a variable, or as the name of a file that a pattern stands for.
func (w words) mayBeOption(word string) bool {
	if word == "" || w.isLiteral(word) {
		return false
	}
	if strings.Contains("*?[{", word[:1]) {
		return true
	}
	if !w.expands || !strings.Contains(word, "$") {
		return false
	}
	return !isQuotedWhole(word) || word[1] == '$'
}

// isQuotedWhole reports whether a word as it stands in the text is one pair of double
// quotes and what is between them.
func isQuotedWhole(word string) bool {
	n := len(word)
	return n > 2 && word[0] == '"' && word[n-1] == '"' && !strings.ContainsAny(word[1:n-1], "\"\\`")
}

// objectionToOptions objects to words that are not known and may become options, those
// behind -- left out.
func (w words) objectionToOptions(program string) string {
	dashes := false
	for _, word := range w.list {
		if word == "--" {
			dashes = true
			break
		}
		if w.mayBeOption(word) {
			return program + " is given words that are not known"
		}
	}
	if w.fed && !w.fedPaths && !dashes {
		return program + " is given the words of another program"
	}
	return ""
}

// isListed reports whether a program is on the list. Those that objectionToWords does
// not judge change no file whatever their arguments are.
func isListed(program string) bool {
	switch program {
	case "cd", "grep", "rg", "cat", "ls", "head", "tail", "wc", "sort", "uniq", "cut", "tr", "diff", "cmp", "echo", "printf", "pwd", "which", "type", "stat",
		"file", "du", "df", "date", "env", "printenv", "jq", "tree", "basename", "dirname", "realpath", "readlink", "test", "[", "true", "false", "sleep", "ps",
		"uname", "hostname", "whoami", "id", "nl", "column", "comm", "od", "xxd", "hexdump", "strings", "sha256sum", "shasum", "md5sum", "seq", "expr", "wait", "read",
		"sed", "find", "awk", "xargs", "git", "go",
		"command": // which says what would be run; with a command it is a wrapper
		return true
	}
	return false
}

// objectionToWords judges the arguments of a program on the list.
func objectionToWords(program string, w words) string {
	switch program {
	case "sort":
		return objectionToSort(w)
	case "uniq":
		return objectionToSecondOperand(program, "-f -s -w --skip-fields --skip-chars --check-chars", w)
	case "xxd":
		return objectionToXxd(w)
	case "file":
		return w.objectionToForbidden(program, "C", "efFmP", "--compile")
	case "tree":
		return w.objectionToForbidden(program, "oR", "", "--output")
	case "rg":
		return objectionToRipgrep(w)
	case "date":
		return objectionToDate(w)
	case "hostname":
		return w.objectionToUnlisted(program, "-a -A -d -f -i -I -s -y --alias --all-fqdns --domain --fqdn --long --ip-address --all-ip-addresses --short --nis --yp")
	case "env":
		return w.objectionToUnlisted(program, "-0 --null")
	case "command":
		return objectionToCommandBuiltin(w)
	case "printf", "read", "test", "[", "wait":
		return objectionToBuiltin(program, w)
	case "find":
		return objectionToFind(w)
	case "sed":
		return objectionToSed(w)
	case "awk":
		return objectionToAwk(w)
	case "xargs": // without a command it prints its input
		return ""
	case "git":
		return objectionToGit(w)
	case "go":
		return objectionToGo(w)
	}
	return ""
}

// objectionToForbidden objects to options: letters in a cluster, in which the letters of
// valued end it, and long options and what they may be abbreviated to.
func (w words) objectionToForbidden(program, letters, valued string, long ...string) string {
	for _, word := range w.list {
		switch {
		case word == "--":
			return w.objectionToOptions(program)
		case strings.HasPrefix(word, "--"):
			name, _, _ := strings.Cut(word, "=")
			for _, l := range long {
				if strings.HasPrefix(l, name) {
					return program + " " + l + " writes a file or runs a program"
				}
			}
		case len(word) > 1 && word[0] == '-':
			for i := 1; i < len(word); i++ {
				if strings.IndexByte(letters, word[i]) >= 0 {
					return program + " -" + word[i:i+1] + " writes a file or runs a program"
				}
				if strings.IndexByte(valued, word[i]) >= 0 {
					break
				}
			}
		}
	}
	return w.objectionToOptions(program)
}

// objectionToUnlisted objects to every word that is not one of the options.
func (w words) objectionToUnlisted(program, options string) string {
	if w.fed {
		return program + " is given the words of another program"
	}
	for _, word := range w.list {
		if !contains(options, word) {
			return program + " " + word + " is not known to change nothing"
		}
	}
	return ""
}

// https://www.gnu.org/software/coreutils/manual/html_node/sort-invocation.html
func objectionToSort(w words) string {
	return w.objectionToForbidden("sort", "oT", "kSt", "--output", "--compress-program", "--temporary-directory")
}

// objectionToSecondOperand objects to two operands, of which the program writes the
// second one. valued lists the options whose value is the next word.
func objectionToSecondOperand(program, valued string, w words) string {
	if w.fed {
		return program + " is given the words of another program"
	}
	operands := 0
	for i := 0; i < len(w.list); i++ {
		word := w.list[i]
		switch {
		case w.splits(word):
			return program + " is given words that are not known"
		case word == "--":
			operands += len(w.list) - i - 1
			for _, rest := range w.list[i+1:] {
				if w.splits(rest) {
					operands = 2
				}
			}
			i = len(w.list)
		case contains(valued, word):
			i++
		case len(word) > 1 && (word[0] == '-' || word[0] == '+'):
		default:
			operands++
		}
	}
	if operands > 1 {
		return program + " writes its second operand"
	}
	return ""
}

func objectionToXxd(w words) string {
	for _, word := range w.list {
		if strings.HasPrefix(word, "-r") || strings.HasPrefix(word, "--r") {
			return "xxd -r writes a file"
		}
		if w.mayBeOption(word) {
			return "xxd is given words that are not known"
		}
	}
	return objectionToSecondOperand("xxd", "-c -cols --cols -g -groupsize --groupsize -l -len --len -n -name --name -o -offset --offset -s -skip -seek --seek -R", w)
}

// https://github.com/BurntSushi/ripgrep/blob/master/GUIDE.md: --pre and --hostname-bin
// run a program.
func objectionToRipgrep(w words) string {
	for _, word := range w.list {
		name, _, _ := strings.Cut(word, "=")
		if name == "--" {
			break
		}
		if name == "--pre" || len(name) > 2 && strings.HasPrefix("--hostname-bin", name) {
			return "rg " + name + " runs a program"
		}
	}
	return w.objectionToOptions("rg")
}

// objectionToDate passes what prints a time. Any other operand sets the clock.
func objectionToDate(w words) string {
	if w.fed {
		return "date is given the words of another program"
	}
	isBSD := false // -j: the clock is left alone, whatever the operands say
	for _, word := range w.list {
		isBSD = isBSD || word == "-j"
	}
	for i := 0; i < len(w.list); i++ {
		word := w.list[i]
		switch {
		case w.splits(word):
			return "date is given words that are not known"
		case contains("-d --date -r --reference -v", word) || isBSD && word == "-f":
			i++
			if i < len(w.list) && w.splits(w.list[i]) {
				return "date is given words that are not known"
			}
		case contains("-u --utc --universal -R --rfc-email --rfc-2822 -I --iso-8601 --debug -j", word):
		case word[:min(1, len(word))] == "+" || hasAnyPrefix(word, "-I", "-d", "-v", "-r", "--date=", "--reference=", "--iso-8601=", "--rfc-3339="):
		case isBSD && !strings.HasPrefix(word, "-"):
		default:
			return "date " + word + " is not known to change nothing"
		}
	}
	return ""
}

func hasAnyPrefix(word string, prefixes ...string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(word, prefix) {
			return true
		}
	}
	return false
}

// objectionToCommandBuiltin passes command -v and -V, which run nothing.
func objectionToCommandBuiltin(w words) string {
	if len(w.list) > 0 && (w.list[0] == "-v" || w.list[0] == "-V") {
		return ""
	}
	return "command runs what is not known"
}

// objectionToBuiltin judges the builtins that assign variables (printf -v, read, wait -p)
// and test -v, which evaluates the subscript of one.
func objectionToBuiltin(program string, w words) string {
	for i, word := range w.list {
		switch program {
		case "printf":
			if i == 0 && (strings.HasPrefix(word, "-v") || w.mayBeOption(word)) || strings.Contains(word, "%n") {
				return "printf assigns a variable"
			}
		case "wait":
			if strings.HasPrefix(word, "-p") || w.mayBeOption(word) {
				return "wait assigns a variable"
			}
		case "read":
			if strings.Contains(word, "[") || w.splits(word) || w.expands && strings.Contains(word, "$") {
				return "read assigns variables that are not known"
			}
			if reason := objectionToVariable(word); reason != "" {
				return reason
			}
		case "test", "[":
			if i > 0 && contains("-v -R", w.list[i-1]) && strings.ContainsAny(word, "[$") {
				return program + " computes a subscript"
			}
		}
	}
	return ""
}

// https://www.gnu.org/software/findutils/manual/html_mono/find.html
func objectionToFind(w words) string {
	for _, word := range w.list {
		if contains("-delete -exec -execdir -ok -okdir -fls", word) || strings.HasPrefix(word, "-fprint") {
			return "find " + word + " writes a file or runs a program"
		}
		if w.mayBeOption(word) {
			return "find is given words that are not known"
		}
	}
	if w.fed && !w.fedPaths {
		return "find is given the words of another program"
	}
	return ""
}
