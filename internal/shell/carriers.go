package shell

import (
	"regexp"
	"strings"
	"sync"

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
	// positional are the positional parameters of shell text.
	positional []field
	// elsewhere: it runs in a directory that is not known (find -execdir).
	elsewhere bool
	// fed: more operands are added to command, which are not known.
	fed bool
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
			return w.texts(c, words[args.operands[0]])
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
	if language == script.Shell || cmd.Program == "fish" {
		return w.carriedByShell(c, args)
	}
	if language != "" {
		return w.carriedByInterpreter(c, args, language)
	}
	return nil
}

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
	if o, ok := args.get("-c", "--command"); ok {
		switch {
		case o.valueWord >= 0:
			return w.texts(c, words[o.valueWord])
		case o.attached > 0:
			return w.texts(c, optionField(words, o.Index, o))
		case len(args.operands) == 0:
			return nil
		}
		inner := w.texts(c, words[args.operands[0]])
		if len(args.operands) > 2 && !contains(c.place.wrappers, "xargs") { // which adds more of them
			inner[0].positional = words[args.operands[2]:]
		}
		return inner
	}
	if _, fromInput := args.get("-s"); !fromInput && len(args.operands) > 0 {
		return w.fileText(c, words[args.operands[0]], "", false)
	}
	return w.inputText(c, "")
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
	switch f.text {
	case "-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0":
		inner := w.inputText(c, language)
		for i := range inner {
			inner[i].here = here
		}
		return inner
	}
	if f.word == nil {
		return nil
	}
	p := processOf(f.word)
	if p == nil {
		return nil
	}
	return []nested{{code: w.outputOfAll(p.Stmts, c.env, nil), words: []field{f}, language: language, here: here}}
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
	for _, o := range args.options[:args.global] {
		alias, text, ok := strings.Cut(o.Value, "=")
		if o.Name != "-c" || !ok || args.subWord < 0 || alias != "alias."+args.subcommand {
			continue
		}
		rest := w.join(words[args.subWord+1:], c.env)
		if shell, ok := strings.CutPrefix(text, "!"); ok {
			text = shell
		} else {
			text = "git " + text
		}
		whole := &code{text: text}
		whole.append(" ", rest)
		inner = append(inner, nested{code: whole})
	}
	switch args.subcommand {
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
	words := c.words[1:][args.subWord+1:]
	own := grammar{stops: true}
	switch args.subcommand {
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
	if last := len(command) - 1; strings.HasPrefix(args.subcommand, "send") {
		if command[last].text != "Enter" && command[last].text != "C-m" {
			return nil
		}
		command = command[:last]
	}
	return []nested{{code: w.join(command, c.env), words: command}}
}

// awkCommand finds the calls of an awk program that start a shell: system("…"),
// "…" | getline and print | "…".
var awkCommand = sync.OnceValue(func() *regexp.Regexp {
	const text = `"((?:[^"\\]|\\.)*)"`
	return regexp.MustCompile(`\bsystem\s*\(\s*` + text + `|` + text + `\s*\|&?\s*getline\b|\bprintf?\b[^|\n;}]*\|&?\s*` + text)
})

// carriedByAwk returns the literal texts that an awk program hands to a shell.
func (w *walk) carriedByAwk(c *call, args arguments) []nested {
	words := c.words[1:]
	var programs []field
	for _, o := range args.options {
		if o.Name == "-e" || o.Name == "--source" {
			programs = append(programs, optionField(words, o.Index, o))
		}
	}
	if _, file := args.get("-f", "--file"); len(programs) == 0 && !file && len(args.operands) > 0 {
		programs = append(programs, words[args.operands[0]])
	}
	var inner []nested
	for _, program := range programs {
		for _, found := range awkCommand().FindAllStringSubmatch(w.code(program, c.env).text, -1) {
			text := found[1] + found[2] + found[3]
			inner = append(inner, nested{code: &code{text: decodeEscapes(text, ansiEscapes)}})
		}
	}
	return inner
}

// readNested goes on with what a command runs.
func (w *walk) readNested(c *call, n *nested) {
	env, p := c.env, c.place
	if !n.here {
		env = c.env.process(c.assigned)
	}
	if n.code == p.input {
		p.input = nil // was read as the text itself
	}
	if n.elsewhere {
		env.dir = ""
	}
	if n.positional != nil {
		env.setPositional(n.positional)
	}
	if !n.here {
		defer func() { c.env.keepSwitches(env) }()
	}
	switch {
	case n.language != "":
		w.script(n.code, n.language, env, p)
		w.scriptTargets(c, n, env)
	case n.code != nil:
		w.read(n.code, env, p, "")
	case len(n.command) > 0:
		w.run(&call{words: n.command, source: w.sourceOfFields(n.command), env: env, place: p, fed: n.fed})
	}
}
