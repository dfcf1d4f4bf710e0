package shell

import (
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/lazyregexp"
	"github.com/claudewatch/claudewatch/internal/script"
	"github.com/claudewatch/claudewatch/schema"
)

// nested is what a command runs besides itself.
type nested struct {
	// code is shell text, or with a language a script in it.
	code     *code
	language string
	// words are those that the code comes from.
	words []field
	// command holds the words of another command, when there is no code.
	command []field
	// named is what the command or the text stands for; it is not read within itself.
	named string
	// name is $0 of shell text.
	name *field
	// positional are the positional parameters of shell text.
	positional []field
	// elsewhere: it runs in a directory that is not known (find -execdir).
	elsewhere bool
	// fed: more operands are added to command, which are not known.
	fed bool
	// later: it runs in that shell, when everything else is done.
	later bool
	// here: it runs in the shell that runs the command (eval, source).
	here bool
}

// carried returns what a command runs besides itself. The command's words are those
// of c, args is what they mean to it.
func (w *walk) carried(c *call, cmd *schema.Command, args arguments) []nested {
	words := c.words[1:]
	switch cmd.Program {
	case "eval":
		if len(words) > 0 && words[0].text == "--" {
			words = words[1:]
		}
		return []nested{{code: w.join(words, c.env), words: words, here: true}}
	case "trap":
		if len(args.operands) > 1 && words[args.operands[0]].text != "-" {
			inner := w.texts(c, words[args.operands[0]])
			inner[0].later = true
			return inner
		}
	case "source", ".":
		return w.sourced(c, args)
	case "find", "gfind":
		return w.withFound(commandsOf(words, args, "-exec", "-execdir", "-ok", "-okdir"), words, cmd.Dir)
	case "fd":
		inner := commandsOf(words, args, "-x", "-X", "--exec", "--exec-batch")
		for i := range inner {
			inner[i].fed = !strings.Contains(joinTexts(inner[i].command), "{")
		}
		return inner
	case "git":
		return w.carriedByGit(c, args)
	case "tmux":
		return w.carriedByTmux(c, args)
	case "sed", "gsed":
		return w.carriedBySed(c, args)
	case "make", "gmake":
		return w.carriedByMake(c, args)
	case "npm", "pnpm", "yarn":
		return append(w.carriedByVariables(c), w.carriedByScripts(c, args)...)
	case "just":
		return w.carriedByJust(c, args)
	case "awk", "gawk", "mawk", "nawk":
		return w.carriedByAwk(c, args)
	case "cmd":
		for i, f := range words {
			if strings.EqualFold(f.text, "/c") || strings.EqualFold(f.text, "//c") || strings.EqualFold(f.text, "/k") {
				return []nested{{code: w.join(words[i+1:], c.env), words: words[i+1:]}}
			}
		}
	case "at", "batch":
		if c.place.input != nil && len(args.options) == 0 {
			return []nested{{code: c.place.input}}
		}
	}
	language := script.Interpreter(cmd.Program)
	if language == script.Shell || slices.Contains(otherShells, cmd.Program) {
		return w.carriedByShell(c, args)
	}
	if language != "" {
		inner := w.carriedByInterpreter(c, args, language)
		if cmd.Program == "bun" {
			inner = append(inner, w.carriedByScripts(c, args)...)
		}
		return inner
	}
	inner := append(w.carriedByVariables(c), w.embeddedTexts(c, cmd.Program)...)
	inner = append(inner, w.escaped(c, cmd.Program)...)
	w.subscripts(c, cmd.Program)
	return append(inner, w.writtenProgram(c)...)
}

// otherShells are shells of their own languages, whose simple commands look like those
// of the others.
var otherShells = []string{"fish", "csh", "tcsh", "nu", "xonsh", "elvish"}

// texts makes each word a shell text.
func (w *walk) texts(c *call, words ...field) []nested {
	inner := make([]nested, len(words))
	for i, f := range words {
		inner[i] = nested{code: w.code(f, c.env), words: words[i : i+1]}
	}
	return inner
}

// carriedByShell returns the text that a shell is given: the operand behind -c, else
// the file of its first operand when that is a <(…), else its standard input.
func (w *walk) carriedByShell(c *call, args arguments) []nested {
	words := c.words[1:]
	if _, checks := args.get("-n"); checks {
		return nil
	}
	before := w.startup(c, args)
	if o, ok := args.get("-c", "--command"); ok {
		switch {
		case o.valueWord >= 0:
			return append(before, w.texts(c, words[o.valueWord])...)
		case o.attached > 0:
			return append(before, w.texts(c, optionField(words, o.Index, o))...)
		case len(args.operands) == 0:
			return before
		}
		inner := w.texts(c, words[args.operands[0]])
		if len(args.operands) > 1 {
			inner[0].name = &words[args.operands[1]]
		}
		if len(args.operands) > 2 && !contains(c.place.wrappers, "xargs") { // which adds more of them
			inner[0].positional = words[args.operands[2]:]
		}
		return append(before, inner...)
	}
	_, fromInput := args.get("-s")
	inner := before
	switch {
	case fromInput:
		inner = append(inner, w.inputText(c, "")...)
	case len(args.operands) > 0:
		inner = append(inner, w.fileText(c, words[args.operands[0]], "", false)...)
	default:
		inner = append(inner, w.inputText(c, "")...)
	}
	if operands := args.operands; len(operands) > 0 {
		if !fromInput {
			operands = operands[1:]
		}
		for i := range inner {
			inner[i].positional = []field{}
			for _, at := range operands {
				inner[i].positional = append(inner[i].positional, words[at])
			}
		}
	}
	return inner
}

// startup returns the texts of the files that a shell reads before anything else.
func (w *walk) startup(c *call, args arguments) []nested {
	var inner []nested
	for _, o := range args.options {
		if o.Name == "--rcfile" || o.Name == "--init-file" {
			inner = append(inner, w.fileText(c, optionField(c.words[1:], o.Index, o), "", false)...)
		}
	}
	for _, a := range c.assigns {
		if name := a.Name; name != nil && (name.Value == "BASH_ENV" || name.Value == "ENV") && a.Value != nil {
			inner = append(inner, w.fileText(c, w.word(a.Value, c.env), "", false)...)
		}
	}
	return inner
}

// sourced returns the text that source reads, which runs in this shell.
func (w *walk) sourced(c *call, args arguments) []nested {
	if len(args.operands) == 0 {
		return nil
	}
	return w.fileText(c, c.words[1+args.operands[0]], "", true)
}

// fileText returns the text of a file that a program is given to run, where the
// words tell it: standard input and <(…).
func (w *walk) fileText(c *call, f field, language string, here bool) []nested {
	if isInput(f.text) {
		inner := w.inputText(c, language)
		for i := range inner {
			inner[i].here = here
		}
		return inner
	}
	text := w.textOfFile(f, c.env)
	if text == nil {
		if processOf(f.word) == nil {
			return nil
		}
		return []nested{{words: []field{f}, language: language, here: here}}
	}
	return []nested{{code: text, words: []field{f}, language: language, here: here}}
}

// textOfFile returns the text of a file that the words tell: that of a <(…), and what
// the text itself has written to it; nil when it is not known.
func (w *walk) textOfFile(f field, env *environment) *code {
	if p := processOf(f.word); p != nil {
		return w.outputOfAll(p.Stmts, env, nil)
	}
	if number, ok := strings.CutPrefix(f.text, "/dev/fd/"); ok {
		return env.definitions.written["&"+number]
	}
	if name := join(env.dir, located(&f)); name != "" {
		return env.definitions.written[name]
	}
	return nil
}

// inputText returns the text on standard input, when it is known.
func (w *walk) inputText(c *call, language string) []nested {
	if c.place.input == nil {
		return nil
	}
	return []nested{{code: c.place.input, language: language}}
}

// commandsOf returns the commands that are the values of options, as of find -exec.
func commandsOf(words []field, args arguments, names ...string) []nested {
	var inner []nested
	for _, o := range args.options {
		if !contains(names, o.Name) || o.valueWord < 0 {
			continue
		}
		from, to := o.valueWord, o.valueWord
		for to < len(words) && words[to].text != ";" && words[to].text != "+" {
			to++
		}
		if to > from {
			inner = append(inner, nested{command: withPlaceholder(words[from:to], "{}"), elsewhere: strings.HasSuffix(o.Name, "dir")})
		}
	}
	return inner
}

// carriedByGit returns what git runs for a user: aliases given with -c, and the
// commands of rebase --exec, bisect run and submodule foreach.
func (w *walk) carriedByGit(c *call, args arguments) []nested {
	words := c.words[1:]
	var inner []nested
	if args.subWord >= 0 {
		inner = w.carriedByGitSettings(c, args)
	}
	switch args.subcommand {
	case "config":
		configures(c, args)
	case "rebase":
		for _, o := range args.options {
			if o.Name == "-x" || o.Name == "--exec" {
				inner = append(inner, w.texts(c, optionField(words, o.Index, o))...)
			}
		}
	case "bisect", "submodule":
		if len(args.operands) > 2 {
			verb, command := words[args.operands[1]].text, words[args.operands[2]:]
			switch {
			case verb == "run":
				inner = append(inner, nested{command: command})
			case verb == "foreach":
				inner = append(inner, nested{code: w.join(command, c.env), words: command})
			}
		}
	case "filter-branch":
		for _, o := range args.options {
			if strings.HasSuffix(o.Name, "-filter") && o.Name != "--subdirectory-filter" {
				inner = append(inner, w.texts(c, optionField(words, o.Index, o))...)
			}
		}
	}
	return inner
}

// carriedByTmux returns the shell command that a new window or pane runs, and the
// text that is typed into one.
func (w *walk) carriedByTmux(c *call, args arguments) []nested {
	if args.subWord < 0 {
		return nil
	}
	var inner []nested
	verb, words := args.subcommand, c.words[1:][args.subWord+1:]
	for {
		next := slices.IndexFunc(words, func(f field) bool { return f.text == ";" })
		if next < 0 {
			return append(inner, w.tmuxCommand(c, verb, words)...)
		}
		inner = append(inner, w.tmuxCommand(c, verb, words[:next])...)
		if words = words[next+1:]; len(words) == 0 {
			return inner
		}
		verb, words = words[0].text, words[1:]
	}
}

// tmuxCommand is carriedByTmux of one command of tmux's.
func (w *walk) tmuxCommand(c *call, verb string, words []field) []nested {
	own := grammar{stops: true}
	switch verb {
	case "new-session", "new", "new-window", "neww", "split-window", "splitw", "respawn-pane", "respawn-window":
		own.options = "-c: -e: -F: -l: -n: -s: -t: -x: -y: -p:"
	case "send-keys", "send":
		own.options = "-N: -t:"
	case "run-shell", "run":
		own.options = "-c: -d: -t:"
	case "if-shell", "if":
		own.options = "-t:"
	default:
		return nil
	}
	read := own.arguments(words)
	if len(read.operands) == 0 {
		return nil
	}
	command := words[read.operands[0]:]
	if last := len(command) - 1; strings.HasPrefix(verb, "send") {
		if command[last].text != "Enter" && command[last].text != "C-m" {
			return nil
		}
		command = command[:last]
	}
	return []nested{{code: w.join(command, c.env), words: command}}
}

// awkCommand finds the places of an awk program that start a shell: system(…),
// … | getline and print | ….
var awkCommand = lazyregexp.Pattern(`\bsystem\s*\(([^()]*)\)|((?:"(?:[^"\\]|\\.)*"|\b[A-Za-z_]\w*\b|[ \t])+)\|&?\s*getline\b|\bprintf?\b[^|\n;}]*\|&?\s*((?:"(?:[^"\\]|\\.)*"|\b[A-Za-z_]\w*\b|[ \t])+)`)

// carriedByAwk returns the texts that an awk program hands to a shell.
func (w *walk) carriedByAwk(c *call, args arguments) []nested {
	words := c.words[1:]
	var programs []*code
	variables := make(map[string]string)
	file := false
	for _, o := range args.options {
		f := optionField(words, o.Index, o)
		switch o.Name {
		case "-e", "--source":
			programs = append(programs, w.code(f, c.env))
		case "-v", "--assign":
			if name, text, ok := strings.Cut(w.code(f, c.env).text, "="); ok {
				variables[name] = text
			}
		case "-f", "--file", "-E", "--exec":
			file = true
			if isInput(f.text) {
				programs = append(programs, c.place.input)
			} else {
				programs = append(programs, w.textOfFile(f, c.env))
			}
		}
	}
	if len(programs) == 0 && !file && len(args.operands) > 0 {
		programs = append(programs, w.code(words[args.operands[0]], c.env))
	}
	var inner []nested
	for _, program := range programs {
		if program == nil {
			continue
		}
		for _, text := range awkTexts(program.text, variables) {
			inner = append(inner, nested{code: &code{text: text}})
		}
	}
	return inner
}

// readNested goes on with what a command runs.
func (w *walk) readNested(c *call, n *nested) {
	env, p := c.env, c.place
	switch {
	case n.later:
		env = c.env.fork()
	case !n.here:
		env = c.env.process(c.assigned)
	}
	if n.code == p.input {
		p.input = nil // was read as the text itself
	}
	if n.elsewhere {
		env.dir = ""
	}
	if n.positional != nil {
		if n.here {
			env = env.fork()
		}
		env.setPositional(n.positional)
	}
	if n.name != nil && n.name.known {
		env.set("0", variable{value: n.name.value, known: true})
	}
	if !n.here {
		defer func() { c.env.keepSwitches(env) }()
	}
	switch {
	case n.language != "":
		w.script(n.code, n.language, env, p)
		w.scriptTargets(c, n, env)
	case n.code != nil:
		w.read(n.code, env, p, n.named)
	case len(n.command) > 0:
		if n.named != "" {
			if contains(w.expanding, n.named) {
				return
			}
			outer := w.expanding
			w.expanding = appended(outer, n.named)
			defer func() { w.expanding = outer }()
		}
		w.run(&call{words: n.command, source: w.sourceOfFields(n.command), env: env, place: p, fed: n.fed})
	}
}
