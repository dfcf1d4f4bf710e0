package shell

import (
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/lazyregexp"
	"mvdan.cc/sh/v3/syntax"
)

// embedded says where programs that are no shells take commands for one from.
type embedded struct {
	// options names the options whose value is one, behind prefix, whose letters may be
	// capital or not.
	options, prefix string
}

// embeddedIn is keyed by program.
var embeddedIn = table[[]embedded]{
	{"tar", []embedded{
		{"-I -F --use-compress-program --to-command --info-script --new-volume-script", ""},
		{"--checkpoint-action", "exec="},
	}},
	{"split", []embedded{{"--filter", ""}}},
	{"ssh", []embedded{{"-o", "ProxyCommand="}, {"-o", "LocalCommand="}, {"-o", "KnownHostsCommand="}}},
	{"scp", []embedded{{"-o", "ProxyCommand="}, {"-o", "LocalCommand="}, {"-o", "KnownHostsCommand="}, {"-S", ""}}},
	{"sftp", []embedded{{"-o", "ProxyCommand="}, {"-o", "LocalCommand="}, {"-o", "KnownHostsCommand="}, {"-S", ""}}},
	{"rsync", []embedded{{"-e --rsh", ""}}},
	{"man", []embedded{{"-P --pager", ""}}},
	{"zip", []embedded{{"-TT --unzip-command", ""}}},
	{"sort", []embedded{{"--compress-program", ""}}},
	{"entr", []embedded{{"-s", ""}}},

	{"complete", []embedded{{"-C", ""}}},
	{"compgen", []embedded{{"-C", ""}}},
	{"mapfile", []embedded{{"-C", ""}}}, {"readarray", []embedded{{"-C", ""}}},
}

// sameEmbedded names programs that take commands like another one.
var sameEmbedded = table[string]{{"gtar", "tar"}, {"bsdtar", "tar"}, {"gsplit", "split"}, {"autossh", "ssh"}, {"gsort", "sort"}}

// embeddedTexts returns the shell texts among the options of a command.
func (w *walk) embeddedTexts(c *call, program string) []nested {
	if same := sameEmbedded.of(program); same != "" {
		program = same
	}
	uses := embeddedIn.of(program)
	if uses == nil {
		return nil
	}
	how := grammarOf(program)
	for _, use := range uses {
		for name := range strings.FieldsSeq(use.options) {
			if _, listed := arityOf(how.options, name); !listed {
				how.options += " " + name + ":"
			}
		}
	}
	words := c.words[1:]
	var inner []nested
	for _, o := range how.arguments(words).options {
		for _, use := range uses {
			if !isListed(use.options, o.Name) || len(o.Value) <= len(use.prefix) || !strings.EqualFold(o.Value[:len(use.prefix)], use.prefix) {
				continue
			}
			f := optionField(words, o.Index, o)
			text := w.code(f, c.env)
			text.trimPrefix(len(use.prefix))
			if !strings.ContainsAny(text.text, " \t\n/;|&") {
				continue // the name of a program, as in tar -I zstd
			}
			inner = append(inner, nested{code: text, words: []field{f}})
		}
	}
	return inner
}

// escape says how a line that a program reads as its own command starts a shell.
type escape struct {
	// options names the options whose value is such a line; operands: its operands are,
	// and plus: words behind a + are.
	options  string
	operands bool
	plus     bool
	// input: it reads such lines from its standard input.
	input bool
	// line matches a line, its first group being the shell text.
	line lazyregexp.Pattern
}

var (
	viEscape   = escape{options: "-c --cmd", plus: true, line: `^[:\s]*(?:sil(?:ent)?!?\s+)?(?:r(?:ead)?\s*)?[\d,.$%]*!(.+)|\bsystem(?:list)?\(\s*["'](.*?)["']|\b(?:os\.execute|io\.popen)\s*\(?\s*["'](.*?)["']`}
	exEscape   = escape{options: "-c --cmd", plus: true, input: true, line: viEscape.line}
	gdbEscape  = escape{options: "-ex -iex --eval-command -eval-command", input: true, line: `^\s*(?:shell\s|!)(.+)`}
	psqlEscape = escape{options: "-c --command", input: true, line: `^\s*\\!\s*(.+)|\\(?:o|out|g|w|write)\s*\|\s*(.+)|(?i:\b(?:from|to)\s+program\s+)'([^']*)'`}
	myEscape   = escape{options: "-e --execute", input: true, line: `^\s*(?:system\s|\\!)\s*(.+)`}
	rEscape    = escape{options: "-e", input: true, line: `\bsystem2?\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')`}
	edEscape   = escape{input: true, line: `^\s*[\d,.$%]*(?:[rwe]\s*)?!(.+)`}
)

// escapesOf is keyed by program.
var escapesOf = table[escape]{
	{"vim", viEscape}, {"vi", viEscape}, {"nvim", viEscape}, {"view", viEscape}, {"gvim", viEscape}, {"ex", exEscape},
	{"ed", edEscape}, {"red", edEscape}, {"gdb", gdbEscape},
	{"sqlite3", escape{options: "-cmd", operands: true, input: true, line: `^\s*\.(?:shell|system)\s+(.+)`}},
	{"psql", psqlEscape}, {"mysql", myEscape}, {"mariadb", myEscape},
	{"osascript", escape{options: "-e", input: true, line: `\bdo shell script "((?:[^"\\]|\\.)*)"`}},
	{"lua", escape{options: "-e", input: true, line: `\b(?:os\.execute|io\.popen)\s*\(?\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')`}},
	{"tclsh", escape{input: true, line: `^\s*exec\s+(.+)`}},
	{"Rscript", rEscape}, {"R", rEscape},
	{"julia", escape{options: "-e -E --eval --print", input: true, line: "\\b(?:run|read|readchomp|success|pipeline)\\(\\s*(?:pipeline\\(\\s*)?`([^`]*)`"}},
	{"elixir", escape{options: "-e --eval", line: `\bSystem\.shell\(\s*"((?:[^"\\]|\\.)*)"|:os\.cmd\(\s*(?:~c)?["']((?:[^"'\\]|\\.)*)`}},
	{"erl", escape{options: "-eval", line: `\bos:cmd\(\s*"((?:[^"\\]|\\.)*)"`}},
	{"emacs", escape{options: "-eval --eval --execute", line: `\((?:async-)?(?:call-process-|start-process-)?shell-command(?:-to-string)?\s+"((?:[^"\\]|\\.)*)"`}},
	{"lldb", escape{options: "-o -O --one-line --one-line-before-file", input: true, line: `^\s*(?:platform\s+)?shell\s+(.+)`}},
	{"dc", escape{options: "-e --expression", input: true, line: `!\s*([^<>=\s].*)`}},
	{"less", escape{plus: true, line: `^!(.+)`}},
	{"expect", escape{options: "-c", input: true, line: `^\s*(?:spawn|exec|system)\s+(.+)`}},
	{"crontab", escape{input: true, line: `^\s*(?:@\w+|(?:[\d*,/-]+\s+){4}[\w*,/-]+)\s+(.+)`}},
}

// escaped returns the shell texts in the lines that a program reads as its own commands.
func (w *walk) escaped(c *call, program string) []nested {
	e, ok := escapesOf.find(program)
	if !ok {
		return nil
	}
	how := grammarOf(program)
	for name := range strings.FieldsSeq(e.options) {
		if _, listed := arityOf(how.options, name); !listed {
			how.options += " " + name + ":"
		}
		how.words = how.words || len(name) > 2 && name[1] != '-'
	}
	words := c.words[1:]
	args := how.arguments(words)
	var sources []*code
	for _, o := range args.options {
		if isListed(e.options, o.Name) {
			sources = append(sources, w.code(optionField(words, o.Index, o), c.env))
		}
	}
	for _, i := range args.operands {
		text, plus := strings.CutPrefix(words[i].text, "+")
		if e.operands || e.plus && plus {
			sources = append(sources, &code{text: text})
		}
	}
	if e.input && c.place.input != nil {
		sources = append(sources, c.place.input)
	}
	var inner []nested
	for _, source := range sources {
		for line := range strings.SplitSeq(source.text, "\n") {
			if len(source.walked) > 0 {
				break
			}
			for _, found := range e.line.Compiled().FindAllStringSubmatch(line, -1) {
				inner = append(inner, nested{code: &code{text: strings.Join(found[1:], "")}})
			}
		}
	}
	return inner
}

// sedCommand finds the command e of GNU sed, which runs the rest of its line.
var sedCommand = lazyregexp.Pattern(`(?:^|[^\\]\n)[\d,$~!\s]*(?:/(?:[^/\\\n]|\\.)*/\s*)?\{?\s*e\s+([^\n]+)`)

// carriedBySed returns the texts that GNU sed hands to a shell: that of the command e,
// and the replacement of s///e, which is run when the whole line is replaced.
func (w *walk) carriedBySed(c *call, args arguments) []nested {
	words := c.words[1:]
	var programs []field
	for _, o := range args.options {
		if o.Name == "-e" || o.Name == "--expression" {
			programs = append(programs, optionField(words, o.Index, o))
		}
	}
	if len(programs) == 0 && len(args.operands) > 0 {
		programs = append(programs, words[args.operands[0]])
	}
	var inner []nested
	for _, f := range programs {
		if !f.known {
			continue
		}
		for _, found := range sedCommand.Compiled().FindAllStringSubmatch(f.text, -1) {
			inner = append(inner, nested{code: &code{text: found[1]}})
		}
		parts, ok := substitution(f.text)
		if !ok || !strings.Contains(parts[2], "e") {
			continue
		}
		inner = append(inner, nested{code: &code{text: unescape(parts[1])}})
		if input := c.place.input; input != nil {
			plain := field{value: literalValue("s" + f.text[1:2] + parts[0] + f.text[1:2] + parts[1] + f.text[1:2]), known: true}
			if text, ok := edited([]field{plain}, grammar{}.arguments([]field{plain}), input.text); ok {
				inner = append(inner, nested{code: &code{text: text}})
			}
		}
	}
	return inner
}

// substitution takes the command s of sed apart: pattern, replacement and flags.
func substitution(program string) (parts []string, ok bool) {
	if len(program) < 4 || program[0] != 's' || isAlphanumeric(program[1]) {
		return nil, false
	}
	parts = []string{""}
	for i := 2; i < len(program); i++ {
		last := &parts[len(parts)-1]
		switch {
		case program[i] == '\\' && i+1 < len(program):
			*last += program[i : i+2]
			i++
		case program[i] == program[1]:
			parts = append(parts, "")
		default:
			*last += program[i : i+1]
		}
	}
	return parts, len(parts) == 3 && strings.Trim(parts[2], "gpeIiMm0123456789") == ""
}

// awkWord matches the strings and names of awk.
var awkWord = lazyregexp.Pattern(`^\s*(?:"((?:[^"\\]|\\.)*)"|([A-Za-z_]\w*))`)

// awkTexts returns the shell texts that an awk program starts: the arguments of system,
// and the commands of pipes, which are strings, variables that are given one, or such
// behind one another.
func awkTexts(program string, variables map[string]string) []string {
	for _, found := range awkAssignment.Compiled().FindAllStringSubmatch(program, maxRounds) {
		variables[found[1]] = decodeEscapes(found[2], ansiEscapes)
	}
	var texts []string
	most := -1
	if len(program) > maxPatternBytes*maxRounds { // each match may look at all of the rest
		most = maxRounds
	}
	for _, found := range awkCommand.Compiled().FindAllStringSubmatch(program, most) {
		for _, expr := range found[1:] {
			if text, ok := awkValue(expr, variables); ok {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

var awkAssignment = lazyregexp.Pattern(`\b([A-Za-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"`)

// awkValue returns the value of strings and variables behind one another.
func awkValue(expr string, variables map[string]string) (string, bool) {
	var b strings.Builder
	for strings.TrimSpace(expr) != "" {
		found := awkWord.Compiled().FindStringSubmatch(expr)
		if found == nil {
			return "", false
		}
		expr = expr[len(found[0]):]
		if found[2] == "" {
			b.WriteString(decodeEscapes(found[1], ansiEscapes))
			continue
		}
		text, known := variables[found[2]]
		if !known || b.Len() > maxVariableBytes {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), b.Len() > 0
}

// subscript matches what stands between the brackets of name[…].
var subscript = lazyregexp.Pattern(`^[A-Za-z_]\w*\[(.*)\]`)

// subscripts walks the substitutions in the subscripts of words that a builtin takes as
// names of variables: test -v 'a[$(…)]' runs them.
func (w *walk) subscripts(c *call, program string) {
	words := c.words[1:]
	for i, f := range words {
		switch program {
		case "test", "[":
			if i == 0 || words[i-1].text != "-v" {
				continue
			}
		case "unset", "read", "printf", "let", "declare", "export", "typeset", "local", "wait":
		default:
			return
		}
		if found := subscript.Compiled().FindStringSubmatch(f.text); f.known && found != nil {
			w.expanded(found[1], c.env, c.place)
		}
	}
}

// expanded walks the substitutions in a text that the shell expands once more.
func (w *walk) expanded(text string, env *environment, p place) {
	cost := len(text) + textBytes
	if !strings.Contains(text, "$(") && !strings.Contains(text, "`") || w.depth >= maxDepth || cost > w.nestedBytes {
		return
	}
	w.nestedBytes -= cost
	whole := ": \"" + text + "\""
	file, err := w.parse(whole)
	if err != nil || len(file.Stmts) != 1 {
		return
	}
	call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok {
		return
	}
	inner := &walk{reader: w.reader, text: whole, file: file, depth: w.depth + 1, nesting: w.nesting, expanding: w.expanding}
	inner.wordsOf(call.Args, env.fork(), p)
}

// evaluated reads the substitutions in quoted words and variables that arithmetic and
// [[ -v ]] expand once more: [[ -v 'a[$(…)]' ]] runs them.
func (w *walk) evaluated(cmd syntax.Command, env *environment, p place) {
	check := func(word *syntax.Word) {
		f := w.assigned(word, env)
		if syntax.ValidName(f.text) && f.known {
			v := env.follow(f.text)
			f.known, f.text = v.known && v.value.literal, v.value.text
		}
		if f.known && subscript.Compiled().MatchString(f.text) {
			w.expanded(f.text, env, p)
		}
	}
	_, test := cmd.(*syntax.TestClause)
	syntax.Walk(cmd, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return false
		case *syntax.UnaryTest:
			if word, ok := n.X.(*syntax.Word); ok && n.Op == syntax.TsVarSet {
				check(word)
			}
		case *syntax.Word:
			if !test {
				check(n)
			}
			return false
		}
		return true
	})
}

// promptVariables are those whose value bash expands or runs by itself.
var promptVariables = []string{"PS0", "PS1", "PS4", "PROMPT_COMMAND"}

// commandVariables hold a command for a shell, which programs run to show something or to
// have it edited.
var commandVariables = []string{
	"PAGER", "MANPAGER", "GH_PAGER", "SYSTEMD_PAGER", "LESSOPEN", "LESSCLOSE", "EDITOR", "VISUAL", "SUDO_EDITOR", "SYSTEMD_EDITOR", "KUBE_EDITOR", "BROWSER",
}

// ofVariables is what the commands in such variables, and in git's settings, are named: they
// inherit the same variables, and would be read again within themselves without an end.
const ofVariables = "PAGER="

// carriedByVariables returns the commands in the variables of a program; git has its own.
func (w *walk) carriedByVariables(c *call) []nested {
	var inner []nested
	for _, name := range commandVariables {
		if _, own := c.assigned[name]; own || c.env.definitions.assigned[name] {
			inner = withCommandText(inner, strings.TrimLeft(exportedText(c, name), "|-"))
		}
	}
	return w.once(inner, ofVariables)
}

// prompts reads the values of variables that bash runs by itself.
func (w *walk) prompts(assigns []*syntax.Assign, env *environment, p place) {
	for _, a := range assigns {
		if a.Name == nil || !slices.Contains(promptVariables, a.Name.Value) || a.Value == nil {
			continue
		}
		f := w.assigned(a.Value, env)
		if !f.known || !f.literal {
			continue
		}
		if a.Name.Value == "PROMPT_COMMAND" {
			w.read(&code{text: f.text}, env.fork(), p, "")
			continue
		}
		w.expanded(f.text, env, p)
	}
}
