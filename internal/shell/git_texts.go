package shell

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// maxConfigured bounds how many settings of git are looked at for one command.
const maxConfigured = 50

// setting is one of git's configuration, its key in lower case. word is that of the
// option -c that gives it; -1 when it comes from elsewhere.
type setting struct {
	key, value string
	word       int
}

// gitTextOptions names the options of git's subcommands whose value is a command for a
// shell.
var gitTextOptions = table[string]{
	{"fetch", "--upload-pack"}, {"pull", "--upload-pack"}, {"ls-remote", "--upload-pack --exec"}, {"clone", "-u --upload-pack"},
	{"fetch-pack", "--upload-pack --exec"}, {"push", "--receive-pack --exec"}, {"send-pack", "--receive-pack --exec"},
	{"archive", "--exec"}, {"difftool", "-x --extcmd"}, {"grep", "-O --open-files-in-pager"}, {"rebase", "-x --exec"},
}

// gitTextVariables are the variables that hold a command for a shell.
var gitTextVariables = []string{
	"GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PAGER", "GIT_PROXY_COMMAND", "VISUAL", "EDITOR", "PAGER",
}

// gitSettings returns the settings that are known to hold for a git command, those that
// count most last: what the same text configures, the environment, and -c.
func (w *walk) gitSettings(c *call, args arguments) []setting {
	var settings []setting
	configured := c.env.definitions.configured
	for _, key := range slices.Sorted(maps.Keys(configured)) {
		settings = append(settings, setting{key, configured[key], -1})
	}
	count, _ := strconv.Atoi(exportedText(c, "GIT_CONFIG_COUNT"))
	for i := range min(count, maxConfigured) {
		n := strconv.Itoa(i)
		settings = append(settings, setting{strings.ToLower(exportedText(c, "GIT_CONFIG_KEY_"+n)), exportedText(c, "GIT_CONFIG_VALUE_"+n), -1})
	}
	for _, o := range args.options[:args.global] {
		if key, value, ok := strings.Cut(o.Value, "="); ok && o.Name == "-c" && o.valueWord >= 0 && len(settings) < 2*maxConfigured {
			settings = append(settings, setting{strings.ToLower(key), value, o.valueWord})
		}
	}
	return settings
}

// exportedText returns the value of a variable in the environment of a command, ""
// when it is not known.
func exportedText(c *call, name string) string {
	if text, ok := c.assigned[name]; ok {
		return text
	}
	if v := c.env.lookup(name); v.exported && v.known {
		return v.value.text
	}
	return ""
}

// carriedByGitSettings returns what git runs because of its settings, variables and
// options: aliases, and commands in the place of its own programs.
func (w *walk) carriedByGitSettings(c *call, args arguments) []nested {
	words := c.words[1:]
	settings := w.gitSettings(c, args)
	var inner []nested
	for i := len(settings) - 1; i >= 0 && args.subWord >= 0; i-- {
		if settings[i].key == "alias."+strings.ToLower(args.subcommand) {
			inner = append(inner, w.gitAlias(c, args, settings[i]))
			break
		}
	}
	var texts []nested
	for _, s := range settings {
		if s.word >= 0 || !strings.HasPrefix(s.key, "alias.") {
			texts = withCommandText(texts, settingText(s))
		}
	}
	for _, name := range gitTextVariables {
		texts = withCommandText(texts, exportedText(c, name))
	}
	inner = append(inner, w.once(texts, ofVariables)...)
	for _, o := range args.options[args.global:] {
		if isListed(gitTextOptions.of(args.subcommand), o.Name) && args.subcommand != "rebase" && o.Value != "" {
			f := optionField(words, o.Index, o)
			inner = append(inner, nested{code: w.code(f, c.env), words: []field{f}})
		}
	}
	for _, i := range args.operands {
		if text, ok := strings.CutPrefix(words[i].text, "ext::"); ok && words[i].known {
			inner = append(inner, nested{code: &code{text: text}})
		}
	}
	return inner
}

// settingText returns the command that a setting is, "" when it is none.
func settingText(s setting) string {
	switch s.key {
	case "core.sshcommand", "core.fsmonitor", "core.pager", "core.editor", "core.askpass", "sequence.editor", "diff.external", "interactive.difffilter":
		return s.value
	case "credential.helper":
		text, shell := strings.CutPrefix(s.value, "!")
		if shell {
			return text
		}
		return ""
	}
	section, _, _ := strings.Cut(s.key, ".")
	last := s.key[strings.LastIndexByte(s.key, '.')+1:]
	switch section + "." + last {
	case "difftool.cmd", "mergetool.cmd", "diff.command", "diff.textconv", "merge.driver", "filter.clean", "filter.smudge", "filter.process":
		return s.value
	}
	return ""
}

// withCommandText appends a command that stands in the place of a program. The name of
// another program alone, as in PAGER=cat, does nothing that git would not do itself.
func withCommandText(inner []nested, text string) []nested {
	if !strings.ContainsAny(strings.TrimSpace(text), " \t\n;|&") {
		return inner
	}
	return append(inner, nested{code: &code{text: text}})
}

// gitAlias returns the command that an alias stands for: shell text behind !, else
// words in the place of its name. The other settings given with -c stay.
func (w *walk) gitAlias(c *call, args arguments, alias setting) nested {
	words := c.words[1:]
	rest := words[args.subWord+1:]
	if text, shell := strings.CutPrefix(alias.value, "!"); shell {
		whole := &code{text: text}
		whole.append(" ", w.join(rest, c.env))
		return nested{code: whole}
	}
	command := []field{literalField("git")}
	for i, f := range words[:args.subWord] {
		if alias.word >= 0 && (i == alias.word || i == alias.word-1) {
			continue
		}
		command = append(command, f)
	}
	for _, text := range unquotedWords(alias.value) {
		command = append(command, literalField(text))
	}
	return nested{command: append(command, rest...), named: alias.key}
}

// unquotedWords splits text at blanks that are not quoted, and removes the quotes.
func unquotedWords(text string) []string {
	var words []string
	var b strings.Builder
	open, quote := false, byte(0)
	for i := 0; i < len(text); i++ {
		switch ch := text[i]; {
		case quote != 0 && ch == quote:
			quote = 0
		case quote == 0 && (ch == '\'' || ch == '"'):
			quote, open = ch, true
		case ch == '\\' && quote != '\'' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
			open = true
		case quote == 0 && isBlank(rune(ch)):
			if open {
				words = append(words, b.String())
				b.Reset()
			}
			open = false
		default:
			b.WriteByte(ch)
			open = true
		}
	}
	if open {
		words = append(words, b.String())
	}
	return words
}

// configures remembers the settings that git config gives in the same text.
func configures(c *call, args arguments) {
	operands := args.operands[1:]
	words := c.words[1:]
	if len(operands) > 0 && (words[operands[0]].text == "set" || words[operands[0]].text == "add") {
		operands = operands[1:]
	}
	if len(operands) < 2 || !words[operands[0]].known || !words[operands[1]].known {
		return
	}
	for _, o := range args.options {
		if strings.HasPrefix(o.Name, "--get") || strings.HasPrefix(o.Name, "--unset") {
			return
		}
	}
	configured := c.env.definitions.configured
	if len(configured) < maxConfigured {
		configured[strings.ToLower(words[operands[0]].text)] = words[operands[1]].text
	}
}

// asGit returns the words of a command that is one of git's programs, like git-push,
// as those of git.
func asGit(words []field) []field {
	verb, ok := strings.CutPrefix(programName(words[0]), "git-")
	if _, known := gitSubcommands.find(verb); !ok || !known {
		return words
	}
	return append([]field{literalField("git"), literalField(verb)}, words[1:]...)
}
