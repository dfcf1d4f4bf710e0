package corpus

import (
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Command is a hook command as Claude Code's settings hold it: a program with
// arguments, which no shell sees, or shell text.
type Command struct {
	// Program and Args are the form with arguments.
	Program string
	Args    []string
	// Shell is the other form; Program is then empty.
	Shell string
}

// String returns the command as a person would type it.
func (c Command) String() string {
	if c.Program == "" {
		return c.Shell
	}
	words := make([]string, 0, len(c.Args)+1)
	for _, word := range slices.Concat([]string{c.Program}, c.Args) {
		words = append(words, quoted(word))
	}
	return strings.Join(words, " ")
}

// Sets returns the rule sets that the command itself names with --only; none when
// it does not.
func (c Command) Sets() []string {
	words := c.Args
	if c.Program == "" {
		words = nil
		for _, call := range callsOf(c.Shell) {
			for _, word := range call.Args {
				words = append(words, literal(word))
			}
		}
	}
	var sets []string
	for i, word := range words {
		if value, ok := strings.CutPrefix(word, "--only="); ok {
			sets = append(sets, strings.Split(value, ",")...)
		} else if word == "--only" && i+1 < len(words) {
			sets = append(sets, strings.Split(words[i+1], ",")...)
		}
	}
	return sets
}

// Only returns the command with the option --only for a rule set behind its
// "hook". It is the same command when the set is "", when the command names its
// sets itself, and when it is no claudewatch.
func (c Command) Only(set string) Command {
	if set == "" || len(c.Sets()) > 0 {
		return c
	}
	if c.Program != "" {
		at := slices.Index(c.Args, hookWord)
		switch {
		case at >= 0:
			c.Args = slices.Insert(slices.Clone(c.Args), at+1, "--only", set)
		case isClaudewatch(c.Program) && len(c.Args) == 0:
			c.Args = []string{hookWord, "--only", set}
		}
		return c
	}
	for _, call := range callsOf(c.Shell) {
		at := slices.IndexFunc(call.Args, func(w *syntax.Word) bool { return literal(w) == hookWord })
		switch {
		case at > 0:
			return c.withShell(call.Args[at], " --only "+quoted(set))
		case len(call.Args) == 1 && isClaudewatch(literal(call.Args[0])):
			return c.withShell(call.Args[0], " "+hookWord+" --only "+quoted(set))
		}
	}
	return c
}

// withShell returns the command with text inserted behind a word of its shell text.
func (c Command) withShell(word *syntax.Word, text string) Command {
	end := word.End().Offset()
	c.Shell = replaced(c.Shell, []replacement{{end, end, text}})
	return c
}

// hookWord is the subcommand of claudewatch that is a hook.
const hookWord = "hook"

// isClaudewatch reports whether a program is claudewatch by its name.
func isClaudewatch(program string) bool {
	name := strings.ToLower(filepath.Base(filepath.FromSlash(program)))
	return strings.TrimSuffix(name, ".exe") == "claudewatch"
}

// Expand returns the command with what names places of this machine written out,
// so that it can run with another HOME and PATH: the variables of places, a
// leading ~, and in shell text a program that is named by a relative path, and
// claudewatch where it is found by PATH. A program without a shell is looked up by
// PATH when it is started.
func (c Command) Expand(places map[string]string) Command {
	if c.Program != "" {
		// Claude Code puts in values for ${NAME} itself.
		var pairs []string
		for name, value := range places {
			pairs = append(pairs, "${"+name+"}", value)
		}
		replacer := strings.NewReplacer(pairs...)
		c.Program = replacer.Replace(c.Program)
		c.Args = slices.Clone(c.Args)
		for i := range c.Args {
			c.Args[i] = replacer.Replace(c.Args[i])
		}
		return c
	}
	if file, err := parse(c.Shell); err == nil {
		x := expansion{source: c.Shell, places: places}
		x.walk(file)
		c.Shell = replaced(c.Shell, x.edits)
	}
	return c
}
