package shell

import (
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/schema"
)

// run takes the wrappers off a call, lists the command, and goes on with what the
// command itself runs. It reports whether the shell ends there.
func (w *walk) run(c *call) (ends bool) {
	if w.nesting >= maxNesting {
		w.effects.Parsed = false
		return false
	}
	w.nesting++
	defer func() { w.nesting-- }()

	if !c.isFunction() {
		if l := w.launch(c.words, c.env); l != nil && w.hasCommand(l, c) {
			return w.enter(c, l)
		}
	}
	if !c.isFunction() {
		c.words = asGit(c.words)
	}
	cmd, args := w.describe(c)
	var inner []nested
	if !cmd.Function {
		inner = w.carried(c, cmd, args)
	}
	w.pipes(c, cmd, inner)
	w.enlist(c, cmd, args)
	w.targets(c, cmd, args)
	w.visit(c, cmd.Program, inner)
	if cmd.Function {
		w.callFunction(c)
	}
	w.affect(c)
	w.teed(c, cmd, args)
	for i := range inner {
		w.readNested(c, &inner[i])
	}
	return endsShell(c)
}

// hasCommand reports whether a launch runs anything; a launcher that reads shell
// text from its input does when that is known.
func (w *walk) hasCommand(l *launch, c *call) bool {
	if len(l.command) == 0 && len(l.texts) == 0 && l.stdin && c.place.input != nil {
		l.texts = []*code{c.place.input}
	}
	return len(l.command) > 0 || len(l.texts) > 0
}

// enter goes on with the command that a launcher runs.
func (w *walk) enter(c *call, l *launch) (ends bool) {
	inner := *c
	inner.inShell = c.inShell && slices.Contains(runsInShell, l.name)
	inner.env = c.env.fork()
	if inner.inShell {
		inner.env = c.env
	}
	w.unquoteLeading(c.words[0])
	if l.listed {
		cmd, args := w.describe(c)
		w.enlist(c, cmd, args)
		w.visit(c, cmd.Program, nil)
		own := append(w.embeddedTexts(c, cmd.Program), w.escaped(c, cmd.Program)...)
		for i := range own {
			w.readNested(c, &own[i])
		}
		inner.pending, inner.assigned, inner.redirects, inner.expands = nil, nil, nil, nil
		inner.source = ""
		w.targets(c, cmd, args)
	} else {
		w.launcherTargets(c, l)
	}
	for name, text := range l.assigned {
		inner.assigned = withAssignment(inner.assigned, name, text)
	}
	switch {
	case l.remote:
		inner.env = newEnvironment("")
		inner.place.remote = true
		inner.place.wrappers = nil
	case l.elsewhere:
		inner.env.dir = ""
	case l.dir != nil:
		inner.env.dir = join(c.env.dir, located(l.dir))
	}
	if !l.remote {
		inner.place.wrappers = appended(c.place.wrappers, l.name)
	}
	if len(l.texts) > 0 {
		w.visit(&inner, "", nil)
		for _, text := range l.texts {
			if text == inner.place.input {
				inner.place.input = nil // was read as the text itself
			}
			process := inner.env.process(inner.assigned)
			w.read(text, process, inner.place, "")
			inner.env.keepSwitches(process)
		}
	}
	if len(l.command) > 0 {
		given := w.given(l, c.place, c.env)
		inner.words = withPatterns(w.withInput(l, given.input), l.replace, given.found)
		w.feed(&inner, l, given)
		if inner.source == "" {
			inner.source = w.sourceOfFields(inner.words)
		}
		ends = w.run(&inner) || l.name == "exec" && c.inShell
	}
	c.env.keepSwitches(inner.env)
	return ends
}

// runsInShell holds the launchers that start no process.
var runsInShell = []string{"command", "builtin", "noglob", "nocorrect"}

// given returns a place with the input that a launcher takes words from: xargs -a FILE has
// it from there.
func (w *walk) given(l *launch, p place, env *environment) place {
	if l.input != nil {
		p.input, p.found = w.textOfFile(*l.input, env), nil
	}
	return p
}

// withInput returns the command of a launcher. The words of xargs's input are added
// when they are known; a word that stands for one of them is unknown when they are not.
func (w *walk) withInput(l *launch, input *code) []field {
	if !isListed("xargs gxargs", l.name) {
		return l.command
	}
	if input == nil || len(input.walked) > 0 {
		return withPlaceholder(l.command, l.replace)
	}
	if l.replace != "" {
		line := strings.TrimSpace(input.text)
		replaced := make([]field, len(l.command))
		for i, f := range l.command {
			if f.known && strings.Contains(f.text, l.replace) && w.spend(len(line)) {
				f = literalField(strings.ReplaceAll(f.text, l.replace, line))
			}
			replaced[i] = f
		}
		return replaced
	}
	words := l.command[:len(l.command):len(l.command)]
	if l.unsplit {
		return append(words, literalField(strings.Trim(input.text, "\x00")))
	}
	isSeparator := func(r rune) bool { return isBlank(r) || r == 0 }
	if l.null {
		isSeparator = func(r rune) bool { return r == 0 }
	}
	for _, word := range strings.FieldsFunc(input.text, isSeparator) {
		if !w.spendWord(word) {
			break
		}
		words = append(words, literalField(word))
	}
	return words
}

// withPlaceholder returns words in which those that hold placeholder, the {} of find
// and xargs, lead to no path that is known.
func withPlaceholder(words []field, placeholder string) []field {
	if placeholder == "" {
		return words
	}
	out := make([]field, len(words))
	for i, f := range words {
		if strings.Contains(f.text, placeholder) {
			f.path, f.located = "", false
		}
		out[i] = f
	}
	return out
}

// isFunction reports whether the call is of a function that the text defines.
func (c *call) isFunction() bool {
	return c.inShell && len(c.place.wrappers) == 0 && c.env.definitions.functions[c.words[0].text] != nil
}

// describe makes the Command of a call whose wrappers are taken off.
func (w *walk) describe(c *call) (*schema.Command, arguments) {
	cmd := &schema.Command{
		Program:   programName(c.words[0]),
		Source:    c.source,
		Dir:       dirAt(c.env, c.place),
		Wrappers:  c.place.wrappers,
		Env:       c.assigned,
		PipedFrom: c.place.pipedFrom,
		PipedTo:   c.place.pipedTo,
		Remote:    c.place.remote,
		Expands:   c.expands,
		Redirects: append(c.redirects[:len(c.redirects):len(c.redirects)], c.place.redirects...),
		Function:  c.isFunction(),
	}
	first := cmd.Program
	if first == "" {
		first = c.words[0].text
	}
	rest := c.words[1:]
	if len(rest) == 0 {
		cmd.Text = first
		return cmd, arguments{subWord: -1, dashes: -1}
	}
	cmd.Args = make([]string, len(rest))
	size := len(first)
	for i, f := range rest {
		cmd.Args[i] = f.text
		size += 1 + len(f.text)
	}
	if !w.spend(size) {
		cmd.Args = nil
		return cmd, arguments{subWord: -1, dashes: -1}
	}
	cmd.Text = first + " " + strings.Join(cmd.Args, " ")
	how := grammarOf(cmd.Program)
	how.words = how.words || c.cmdlet
	args := how.arguments(rest)
	cmd.Subcommand = args.subcommand
	for _, i := range args.operands {
		cmd.Operands = append(cmd.Operands, cmd.Args[i])
	}
	for _, o := range args.options {
		cmd.Options = append(cmd.Options, o.Option)
	}
	if cmd.Program == "git" && !cmd.Remote {
		cmd.Dir = gitDir(cmd.Dir, rest, args)
	}
	return cmd, args
}

// gitDir follows the -C options in front of git's subcommand, each of which is
// relative to the one before.
func gitDir(dir string, words []field, args arguments) string {
	for _, o := range args.options[:args.global] {
		if o.Name == "-C" && o.valueWord >= 0 {
			if f := words[o.valueWord]; f.text != "" {
				dir = join(dir, located(&f))
			}
		}
	}
	return dir
}

// enlist lists a command and unquotes its leading words in Effects.Command.
func (w *walk) enlist(c *call, cmd *schema.Command, args arguments) {
	w.add(cmd)
	w.unquoteLeading(c.words[0])
	if args.subWord >= 0 {
		w.unquoteLeading(c.words[1+args.subWord])
	}
}

// dirAt returns the directory of a command; "" when it is not known or elsewhere.
func dirAt(env *environment, p place) string {
	if p.remote {
		return ""
	}
	return env.dir
}

// located returns the path that a word names, "" when it is not known.
func located(f *field) string {
	if !f.known || !f.located || strings.ContainsAny(f.path, "*?[") {
		return ""
	}
	return f.path
}

// sourceOfFields returns the text from the first of the words to the last when both
// stand in the text, else the words themselves.
func (w *walk) sourceOfFields(words []field) string {
	first, last := words[0].from, words[len(words)-1].from
	if first != nil && last != nil {
		if source := w.slice(first.Pos(), last.End()); source != "" {
			return source
		}
	}
	return joinTexts(words)
}

// appended appends to a list that others may share.
func appended(wrappers []string, name string) []string {
	return append(wrappers[:len(wrappers):len(wrappers)], name)
}

func withAssignment(assigned map[string]string, name, text string) map[string]string {
	out := make(map[string]string, len(assigned)+1)
	for n, t := range assigned {
		out[n] = t
	}
	out[name] = text
	return out
}

// endsShell reports whether the shell that runs a call does not get past it.
func endsShell(c *call) bool {
	if !c.inShell || c.isFunction() {
		return false
	}
	switch c.words[0].text {
	case "exit", "return", "break", "continue":
		return true
	}
	return false
}
