package readonly

import "strings"

// objectionToGit passes the subcommands on the list. What git keeps in .git is not
// observed, so that add and fetch pass; but a branch that is made or deleted, and a
// setting that is written, do not.
func objectionToGit(w words) string {
	rest, reason := w.withoutGlobalOptions()
	if reason != "" {
		return reason
	}
	subcommand := rest[0]
	w.list = rest[1:]
	if reason := objectionToOutput(subcommand, w); reason != "" {
		return reason
	}
	switch subcommand {
	case "status", "log", "diff", "show", "rev-parse", "describe", "blame", "ls-files", "ls-tree", "shortlog", "for-each-ref", "check-ignore", "version", "merge-base", "count-objects", "name-rev":
		return ""
	case "cat-file":
		return w.objectionToForbidden("git cat-file", "", "", "--filters", "--textconv")
	case "grep":
		return w.objectionToForbidden("git grep", "O", "ABCefm", "--open-files-in-pager")
	case "branch":
		return objectionToListing("git branch", w,
			"-a --all -r --remotes -v -vv --verbose --show-current --color --no-color --column --no-column --abbrev --no-abbrev -i --ignore-case --omit-empty -q --quiet",
			"-l --list --contains --no-contains --merged --no-merged --points-at")
	case "tag":
		return objectionToListing("git tag", w, "--color --no-color --column --no-column -i --ignore-case --omit-empty", "-l --list -n --contains --no-contains --merged --no-merged --points-at")
	case "remote":
		return objectionToRemote(w)
	case "fetch":
		return objectionToFetch(w)
	case "reflog":
		return objectionToReflog(w)
	case "config":
		return objectionToConfig(w)
	case "symbolic-ref":
		return objectionToSymbolicRef(w)
	case "add":
		return w.objectionToForbidden("git add", "pie", "", "--patch", "--interactive", "--edit")
	case "stash":
		if len(w.list) > 0 && (w.list[0] == "list" || w.list[0] == "show") {
			return ""
		}
		return "git stash changes the worktree"
	case "worktree":
		if len(w.list) > 0 && (w.list[0] == "list" || w.list[0] == "prune") {
			return ""
		}
		return "git worktree makes and removes directories"
	}
	return "git " + subcommand + " is not on the list"
}

// withoutGlobalOptions returns the words from git's subcommand on. Of the options in
// front of it those pass that choose a directory or what the output looks like.
func (w words) withoutGlobalOptions() (rest []string, reason string) {
	list := w.list
	for len(list) > 0 {
		word := list[0]
		switch {
		case word == "-C" || word == "-c":
			switch {
			case len(list) < 2:
				return nil, "git " + word + " has no value"
			case w.splits(list[1]):
				return nil, "git is given words that are not known"
			case word == "-c" && !isHarmlessSetting(list[1]):
				return nil, "git -c " + list[1] + " may run a program"
			}
			list = list[2:]
		case contains("-P --no-pager -p --paginate --no-optional-locks --literal-pathspecs --no-literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-replace-objects --no-lazy-fetch", word):
			list = list[1:]
		case word == "--version" || word == "-v":
			return []string{"version"}, ""
		case strings.HasPrefix(word, "-"):
			return nil, "git " + word + " is not known to change nothing"
		default:
			return list, ""
		}
	}
	return nil, "git is given no subcommand"
}

// isHarmlessSetting reports whether a setting given with -c only changes what is printed.
func isHarmlessSetting(setting string) bool {
	name, value, _ := strings.Cut(strings.ToLower(setting), "=")
	switch {
	case name == "core.pager":
		return value == "cat" || value == ""
	case strings.HasPrefix(name, "pager."):
		return value == "false" || value == "cat"
	case strings.HasPrefix(name, "color."), strings.HasPrefix(name, "advice."), strings.HasPrefix(name, "column."):
		return true
	}
	return contains("core.quotepath core.abbrev log.date log.decorate diff.renames diff.renamelimit diff.noprefix diff.mnemonicprefix status.short status.branch status.showuntrackedfiles grep.linenumber safe.directory", name)
}

// objectionToOutput objects to what the subcommands that print differences can all be
// told: to write a file, and to run a program.
func objectionToOutput(subcommand string, w words) string {
	switch subcommand {
	case "log", "diff", "show", "blame", "shortlog", "reflog", "stash":
		return w.objectionToForbidden("git "+subcommand, "", "", "--output", "--ext-diff", "--help")
	}
	return ""
}

// objectionToListing passes a subcommand that lists without operands, and with some when
// one of the selecting options says that they are patterns or commits.
func objectionToListing(program string, w words, plain, selecting string) string {
	operands, selects := 0, false
	for i := 0; i < len(w.list); i++ {
		word := w.list[i]
		name, _, _ := strings.Cut(word, "=")
		switch {
		case w.mayBeOption(word):
			return program + " is given words that are not known"
		case contains("--sort --format", name):
			if name == word {
				i++
			}
		case contains(selecting, name) || strings.HasPrefix(word, "-n") && contains(selecting, "-n") && isDigits(word[2:]):
			selects = true
		case contains(plain, name):
		case strings.HasPrefix(word, "-"):
			return program + " " + word + " is not known to change nothing"
		default:
			operands++
		}
	}
	if w.fed {
		operands++
	}
	if operands > 0 && !selects {
		return program + " makes what it is given the name of"
	}
	return ""
}

func objectionToRemote(w words) string {
	operands := withoutFlags(w.list, "-v --verbose -n --push --all")
	switch {
	case w.fed:
		return "git remote is given the words of another program"
	case len(operands) == 0:
		return ""
	case operands[0] != "get-url" && operands[0] != "show":
		return "git remote " + operands[0] + " is not known to change nothing"
	}
	for _, name := range operands[1:] {
		if strings.HasPrefix(name, "-") || strings.Contains(name, ":") || w.splits(name) {
			return "git remote " + operands[0] + " " + name + " is not known to change nothing"
		}
	}
	return ""
}

// withoutFlags returns the words that are none of the flags.
func withoutFlags(list []string, flags string) []string {
	var rest []string
	for _, word := range list {
		if !contains(flags, word) {
			rest = append(rest, word)
		}
	}
	return rest
}

// objectionToFetch passes what takes over objects and refs. A repository that is given
// as name::address is read by a program of that name.
func objectionToFetch(w words) string {
	for _, word := range w.list {
		name, _, _ := strings.Cut(word, "=")
		switch {
		case strings.HasPrefix(word, "-"):
			if !contains("--all --prune -p --prune-tags -P --tags -t --no-tags -n --force -f --quiet -q --verbose -v -vv --dry-run --unshallow --update-shallow --progress --no-progress --atomic -4 -6 --ipv4 --ipv6 --depth --deepen --shallow-since --jobs --no-recurse-submodules --append -a --porcelain --multiple", name) {
				return "git fetch " + word + " is not known to change nothing"
			}
		case strings.Contains(word, "::") || w.splits(word) || w.expands && strings.Contains(word, "$"):
			return "git fetch is given a repository that is not known"
		}
	}
	return ""
}

func objectionToReflog(w words) string {
	if w.fed {
		return "git reflog is given the words of another program"
	}
	for _, word := range w.list {
		if strings.HasPrefix(word, "-") {
			continue
		}
		if contains("show list exists", word) || strings.ContainsAny(word, "/@") || strings.HasPrefix(word, "HEAD") {
			return ""
		}
		return "git reflog " + word + " is not known to change nothing"
	}
	return ""
}

// objectionToConfig passes what reads settings.
func objectionToConfig(w words) string {
	if w.fed {
		return "git config is given the words of another program"
	}
	reads := false
	var operands []string
	for i := 0; i < len(w.list); i++ {
		word := w.list[i]
		name, _, _ := strings.Cut(word, "=")
		switch {
		case contains("--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --list -l", word):
			reads = true
		case contains("--global --local --system --worktree --show-origin --show-scope --name-only --show-names -z --null --bool --int --bool-or-int --path --expiry-date --includes --no-includes --all --regexp --fixed-value", word):
		case contains("--file -f --blob --type --default --url --value", name):
			if name == word {
				i++
			}
		case strings.HasPrefix(word, "-"):
			return "git config " + word + " is not known to change nothing"
		case w.splits(word):
			return "git config is given words that are not known"
		default:
			operands = append(operands, word)
		}
	}
	switch {
	case reads, len(operands) > 0 && (operands[0] == "get" || operands[0] == "list"):
		return ""
	case len(operands) == 1 && strings.Contains(operands[0], "."):
		return ""
	}
	return "git config writes a setting"
}

func objectionToSymbolicRef(w words) string {
	operands := withoutFlags(w.list, "-q --quiet --short --recurse --no-recurse")
	if w.fed || len(operands) != 1 || strings.HasPrefix(operands[0], "-") || w.splits(operands[0]) {
		return "git symbolic-ref sets a ref"
	}
	return ""
}
