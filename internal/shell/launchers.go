package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// launcher describes a program that runs the command its arguments hold.
//
// Most are wrappers: they are taken off, and the command is listed in their place.
// A listed one is a command of its own besides: it runs the command elsewhere
// (ssh, docker exec), or fetches the program first (npx).
type launcher struct {
	// options are its own options, in the notation of grammar.options.
	options string
	// operands is the number of its own operands in front of the command.
	operands int
	// group: the word behind the options names one of the launcher's subcommands,
	// which are in the table as "docker exec".
	group bool
	// assignments: NAME=value words may stand in front of the command.
	assignments bool
	// behind: words behind "--" are the arguments of a shell that it starts.
	behind bool
	// swallows: a "--" among the words of the command is not passed on.
	swallows bool
	// alone: a command that is one word is shell text.
	alone bool
	// dash: a word "-" is one of its options.
	dash bool
	// dashes: the command must stand behind "--".
	dashes bool
	// joined: the words of the command are joined and read by a shell.
	joined bool
	// words names the options that leave the words of a joined launcher apart.
	words string
	// each: every word is a shell text of its own.
	each bool
	// begins names the options behind which the command begins.
	begins string
	// text names the options whose value is shell text; more words may follow it.
	text string
	// after: words behind the value of a text option are part of it (env -S).
	after bool
	// nothing names the options with which it runs no command.
	nothing string
	// replaces names the options that give the word which stands for an item of the input.
	replaces string
	// whole names the options that split the input only at other characters than blanks,
	// from those that name a file in its place.
	whole, from string
	// dir names the options whose value is the directory of the command.
	dir string
	// elsewhere: the command runs in a directory that is not known.
	elsewhere bool
	// entry names the options whose value is the program, before the command's words.
	entry string
	// listed: it is a command of its own.
	listed bool
	// remote: the command runs on another machine or in a container.
	remote bool
	// stdin: without a command it reads shell text from its standard input.
	stdin bool
	// shells names the options with which it starts a shell, as with stdin.
	shells string
	// separators end the command: ::: of parallel.
	separators string
}

// launch is what one launcher makes of its words.
type launch struct {
	launcher
	name     string // the program
	assigned map[string]string
	dir      *field  // the directory that an option names
	command  []field // the command's words; empty when there is none
	texts    []*code // shell texts that it runs
	// replace is the word that xargs replaces by its input; "" when it appends.
	replace string
	// unsplit: the input of xargs is split at other characters than blanks, which are not
	// known, so that it counts as one word; input is that of a file it is given.
	unsplit bool
	// null: it is split where a byte is zero.
	null  bool
	input *field
	// entryPoint is the program of docker run --entrypoint.
	entryPoint []field
}

// launcherOf returns the launcher that the words begin with, the directory that an
// option in front of its subcommand names, and the index of the word behind the name.
func (w *walk) launcherOf(words []field) (l launcher, ok bool, dir *field, next int) {
	name := programName(words[0])
	if operands, custom := w.context.Wrappers[name]; custom {
		return launcher{operands: operands}, true, nil, 1
	}
	l, ok = launchers.find(name)
	if !ok {
		l, ok = launchers.find(sameLauncher.of(name))
		name = sameLauncher.of(name)
	}
	next = 1
	for ok && l.group {
		g := grammar{options: l.options, plus: true}
		for next < len(words) && g.isOption(words[next].optionText()) {
			var options []option
			at := next
			options, next = g.option(words, at)
			for _, o := range options {
				if isListed(l.dir, o.Name) {
					f := optionField(words, at, o)
					dir = &f
				}
			}
		}
		if next >= len(words) {
			return l, false, nil, 0
		}
		name += " " + words[next].text
		next++
		l, ok = launchers.find(name)
	}
	return l, ok, dir, next
}

// isListed reports whether name is one of the words of list.
func isListed(list, name string) bool {
	for word := range strings.FieldsSeq(list) {
		if word == name {
			return true
		}
	}
	return false
}

// launch reads the words of a launcher. It returns nil when they are not a
// launcher's or when it runs no command.
func (w *walk) launch(words []field, env *environment) *launch {
	l, ok, dir, i := w.launcherOf(words)
	if !ok {
		return nil
	}
	out := &launch{launcher: l, name: programName(words[0]), dir: dir}
	g := grammar{options: l.options}
	operands := l.operands
	for i < len(words) {
		word := words[i]
		switch {
		case word.text == "--":
			rest := words[i+1:]
			out.swallows = false // this one was it
			if l.behind && len(rest) > 0 {
				rest = append([]field{literalField("sh")}, rest...)
			}
			return w.launched(out, rest, env)
		case l.dash && word.text == "-":
			i++
		case g.isOption(word.optionText()):
			options, next := g.option(words, i)
			for _, o := range options {
				switch {
				case isListed(l.nothing, o.Name):
					return nil
				case isListed(l.begins, o.Name):
					return w.launched(out, words[next:], env)
				}
				w.setOption(out, o.Name, optionField(words, i, o), env)
			}
			i = next
			if l.after && len(out.texts) > 0 && i < len(words) {
				out.texts[0].append(" ", w.join(words[i:], env))
			}
			if l.after && len(out.texts) > 0 {
				out.texts[0].text = strings.ReplaceAll(out.texts[0].text, `\_`, " ")
				return out
			}
		case l.assignments && isAssignment(word):
			name, text, _ := strings.Cut(word.optionText(), "=")
			out.assigned = withAssignment(out.assigned, name, text)
			i++
		case l.dashes:
			i++
		case operands > 0:
			operands--
			i++
			if operands == 0 && len(out.entryPoint) > 0 {
				return w.launched(out, words[i:], env)
			}
		default:
			return w.launched(out, words[i:], env)
		}
	}
	return w.launched(out, nil, env)
}

// setOption applies one of the launcher's own options.
func (w *walk) setOption(out *launch, name string, v field, env *environment) {
	switch {
	case isListed(out.shells, name):
		out.stdin = true
	case isListed(out.entry, name):
		out.entryPoint = []field{literalField(v.text)}
	case isListed(out.whole, name):
		out.unsplit = name != "-0" && name != "--null"
		out.null = !out.unsplit
	case isListed(out.from, name):
		out.input = &v
	case isListed(out.words, name):
		out.joined = false
	case isListed(out.replaces, name):
		out.replace = v.text
		if v.text == "" {
			out.replace = "{}"
		}
	case isListed(out.launcher.dir, name):
		out.dir = &v
	case isListed(out.text, name):
		out.texts = append(out.texts, w.code(v, env))
	}
}

// launched completes a launch with the words of its command.
func (w *walk) launched(l *launch, command []field, env *environment) *launch {
	if l.separators != "" {
		command = w.beforeSeparators(l, command, env)
	}
	if l.swallows {
		command = withoutDashes(command)
	}
	if len(l.entryPoint) > 0 {
		command = append(l.entryPoint, command...)
	}
	switch {
	case len(command) == 0 && len(l.texts) == 0 && !l.stdin:
		return nil
	case l.each:
		w.addTexts(l, command, env)
	case len(command) == 0, len(l.texts) > 0:
	case l.joined, l.alone && len(command) == 1:
		l.texts = append(l.texts, w.join(command, env))
	default:
		l.command = command
	}
	return l
}

// beforeSeparators cuts the words of GNU parallel at ::: and its like. Without a
// command in front of them, the words behind are commands themselves.
func (w *walk) beforeSeparators(l *launch, words []field, env *environment) []field {
	for i := range words {
		if !isListed(l.separators, words[i].text) {
			continue
		}
		if i == 0 {
			w.addTexts(l, words[i+1:], env)
		}
		return words[:i]
	}
	return words
}

// withoutDashes returns words without the first "--".
func withoutDashes(words []field) []field {
	for i := range words {
		if words[i].text == "--" {
			return append(words[:i:i], words[i+1:]...)
		}
	}
	return words
}

// addTexts makes each word a shell text of its own.
func (w *walk) addTexts(l *launch, words []field, env *environment) {
	for i := range words {
		l.texts = append(l.texts, w.code(words[i], env))
	}
}

// optionField returns the value of an option as a field.
func optionField(words []field, at int, o option) field {
	if o.valueWord >= 0 {
		return words[o.valueWord]
	}
	f := words[at]
	f.path = strings.TrimPrefix(f.path, f.optionText()[:o.attached])
	f.text = o.Value
	f.attached = o.attached
	return f
}

func isAssignment(f field) bool {
	name, _, ok := strings.Cut(f.optionText(), "=")
	return ok && syntax.ValidName(name)
}
