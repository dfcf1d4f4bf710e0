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
	// entryPoint is the program of docker run --entrypoint.
	entryPoint []field
}

// launcherOf returns the launcher that the words begin with, its name in the
// table, and the index of the first word that is the launcher's own.
func (w *walk) launcherOf(words []field) (l launcher, ok bool, dir *field, next int) {
	name := programName(words[0])
	if operands, custom := w.context.Wrappers[name]; custom {
		return launcher{operands: operands}, true, nil, 1
	}
	l, ok = launchers[name]
	if !ok {
		l, ok = launchers[sameLauncher[name]]
		name = sameLauncher[name]
	}
	next = 1
	for ok && l.group {
		g := grammar{options: l.options, plus: true}
		for next < len(words) && g.isOption(words[next].optionText()) {
			var options []option
			options, next = g.option(words, next)
			for _, o := range options {
				if o.valueWord >= 0 && isListed(l.dir, o.Name) {
					dir = &words[o.valueWord]
				}
			}
		}
		if next >= len(words) {
			return l, false, nil, 0
		}
		name += " " + words[next].text
		next++
		l, ok = launchers[name]
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
	operands, joined := l.operands, l.joined
	for i < len(words) {
		word := words[i]
		switch {
		case word.text == "--":
			i++
			return w.launched(out, words[i:], joined, env)
		case l.dash && word.text == "-":
			i++
		case g.isOption(word.optionText()):
			var options []option
			from := i
			options, i = g.option(words, i)
			for _, o := range options {
				switch {
				case isListed(l.nothing, o.Name):
					return nil
				case isListed(l.shells, o.Name):
					out.stdin = true
				case isListed(l.begins, o.Name):
					return w.launched(out, words[i:], joined, env)
				case isListed(l.entry, o.Name):
					out.entryPoint = []field{literalField(o.Value)}
				case isListed(l.words, o.Name):
					joined = false
				case isListed(l.replaces, o.Name):
					out.replace = o.Value
					if o.Value == "" {
						out.replace = "{}"
					}
				case isListed(l.dir, o.Name):
					f := optionField(words, from, o)
					out.dir = &f
				case isListed(l.text, o.Name):
					f := optionField(words, from, o)
					c := w.code(f, env)
					if l.after && i < len(words) {
						c.append(" ", w.join(words[i:], env))
						i = len(words)
					}
					out.texts = append(out.texts, c)
				}
			}
		case l.assignments && isAssignment(word):
			name, text, _ := strings.Cut(word.optionText(), "=")
			if out.assigned == nil {
				out.assigned = make(map[string]string)
			}
			out.assigned[name] = text
			i++
		case l.dashes:
			i++
		case operands > 0:
			operands--
			i++
			if operands == 0 && len(out.entryPoint) > 0 {
				return w.launched(out, words[i:], joined, env)
			}
		case len(out.texts) > 0:
			return out
		default:
			return w.launched(out, words[i:], joined, env)
		}
	}
	return w.launched(out, nil, joined, env)
}

// launched completes a launch with the words of its command.
func (w *walk) launched(l *launch, command []field, joined bool, env *environment) *launch {
	if l.separators != "" {
		command = w.beforeSeparators(l, command, env)
	}
	if len(l.entryPoint) > 0 {
		command = append(l.entryPoint, command...)
	}
	switch {
	case len(command) == 0 && len(l.texts) == 0 && !l.launcher.stdin:
		return nil
	case len(command) == 0:
	case l.each:
		w.addTexts(l, command, env)
	case joined:
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
