package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxSubstituted bounds how deep substitutions in substitutions are known, since each
// is looked at more than once.
const maxSubstituted = 4

// output returns what is known of $(…): the text that its commands write, or the
// program whose place they look up, which has its name wherever it is.
func (w *walk) output(s *syntax.CmdSubst, env *environment) (value, bool) {
	if w.substituted >= maxSubstituted || len(s.Stmts) == 0 {
		return value{}, false
	}
	w.substituted++
	defer func() { w.substituted-- }()
	if name := w.lookedUp(s, env); name != "" {
		return value{text: name}, true
	}
	out := w.outputOfAll(s.Stmts, env.fork(), w.stdin)
	if out == nil || len(out.walked) > 0 || len(out.text) > maxVariableBytes {
		return value{}, false
	}
	return literalValue(strings.TrimRight(out.text, "\n")), true
}

// lookedUp returns the program that which, command -v or type -p would find, "" when
// the substitution is none of these.
func (w *walk) lookedUp(s *syntax.CmdSubst, env *environment) string {
	call, ok := s.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(s.Stmts) > 1 || len(call.Args) < 2 || len(call.Args) > 3 {
		return ""
	}
	words := w.fields(call.Args, env)
	if len(words) < 2 {
		return ""
	}
	option := ""
	if len(words) == 3 {
		option = words[1].text
	}
	switch name := words[0].text; {
	case name == "which" && (option == "" || option == "-a"):
	case name == "command" && option == "-v":
	case name == "type" && (option == "-p" || option == "-P"):
	default:
		return ""
	}
	return programName(words[len(words)-1])
}

// outputOfAll returns what the statements would write to their standard output,
// one after the other; nil when that cannot be known without running them.
func (w *walk) outputOfAll(stmts []*syntax.Stmt, env *environment, input *code) *code {
	out := &code{}
	for _, stmt := range stmts {
		c := w.outputOf(stmt, env, input)
		if c == nil || !w.spend(len(c.text)) {
			return nil
		}
		out.append("", c)
	}
	return out
}

// outputOf is outputOfAll of one statement. It knows echo, printf, cat, tee and
// base64 -d, and what groups and pipes make of them.
func (w *walk) outputOf(stmt *syntax.Stmt, env *environment, input *code) *code {
	for _, r := range stmt.Redirs {
		if writesOutput(r) {
			return nil
		}
	}
	if in, redirected := w.inputOf(stmt.Redirs, env); redirected && !readsOwnInput(stmt.Redirs) {
		input = in
	}
	switch cmd := stmt.Cmd.(type) {
	case nil: // $(< file)
		if len(stmt.Redirs) != 1 || stmt.Redirs[0].Op != syntax.RdrIn {
			return nil
		}
		return input
	case *syntax.CallExpr:
		return w.outputOfCall(w.fields(cmd.Args, env), env, input)
	case *syntax.Block:
		return w.outputOfAll(cmd.Stmts, env, input)
	case *syntax.Subshell:
		return w.outputOfAll(cmd.Stmts, env, input)
	case *syntax.IfClause:
		if cmd.Else == nil && isTrue(cmd.Cond) {
			return w.outputOfAll(cmd.Then, env, input)
		}
	case *syntax.ForClause:
		return w.outputOfLoop(cmd, env)
	case *syntax.BinaryCmd:
		switch cmd.Op {
		case syntax.Pipe:
			for _, stage := range stagesOf(cmd) {
				input = w.outputOf(stage, env, input)
			}
			return input
		case syntax.AndStmt:
			return w.outputOfAll([]*syntax.Stmt{cmd.X, cmd.Y}, env, input)
		}
	}
	return nil
}

// readsOwnInput reports whether the only redirection is of the standard input to itself.
func readsOwnInput(list []*syntax.Redirect) bool {
	return len(list) == 1 && list[0].Op == syntax.RdrIn && isInput(list[0].Word.Lit())
}

// isTrue reports whether a condition is one that always holds.
func isTrue(condition []*syntax.Stmt) bool {
	if len(condition) != 1 {
		return false
	}
	call, ok := condition[0].Cmd.(*syntax.CallExpr)
	return ok && len(call.Args) == 1 && (call.Args[0].Lit() == "true" || call.Args[0].Lit() == ":")
}

// outputOfLoop is the output of a loop over a literal list.
func (w *walk) outputOfLoop(cmd *syntax.ForClause, env *environment) *code {
	words, ok := cmd.Loop.(*syntax.WordIter)
	if !ok {
		return nil
	}
	values, patterns, all := w.valuesOf(words, env)
	all = all && len(patterns) == 0
	if !all || !w.mayRepeat(cmd, len(values)) {
		return nil
	}
	out := &code{}
	for _, v := range values {
		round := env.fork()
		round.assign(words.Name.Value, v, true)
		c := w.outputOfAll(cmd.Do, round, nil)
		if c == nil {
			return nil
		}
		out.append("", c)
	}
	return out
}

// writesOutput reports whether r sends standard output elsewhere.
func writesOutput(r *syntax.Redirect) bool {
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.AppClob, syntax.DplOut, syntax.RdrAll, syntax.AppAll:
		return r.N == nil || r.N.Value == "1"
	}
	return false
}

// inputOf returns the text that redirections put on standard input. redirected is
// true when there are any; the text is nil when it is not known.
func (w *walk) inputOf(redirects []*syntax.Redirect, env *environment) (input *code, redirected bool) {
	for _, r := range redirects {
		if r.N != nil && r.N.Value != "0" {
			continue
		}
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			input, redirected = w.heredoc(r, env), true
		case syntax.WordHdoc:
			input, redirected = w.code(w.word(r.Word, env), env), true
			input.add("\n")
		case syntax.RdrIn, syntax.RdrInOut, syntax.DplIn:
			f := w.word(r.Word, env)
			if r.Op == syntax.DplIn {
				f.text = "/dev/fd/" + f.text
			}
			input, redirected = w.textOfFile(f, env), true
		}
	}
	return input, redirected
}

// processOf returns the process substitution <(…) that a word is.
func processOf(word *syntax.Word) *syntax.ProcSubst {
	if word == nil || len(word.Parts) != 1 {
		return nil
	}
	p, ok := word.Parts[0].(*syntax.ProcSubst)
	if !ok || p.Op == syntax.CmdOut {
		return nil
	}
	return p
}

// outputOfCall returns what a simple command writes to its standard output.
func (w *walk) outputOfCall(words []field, env *environment, input *code) *code {
	if len(words) == 0 {
		return &code{}
	}
	if l := w.launch(words, env); l != nil && !l.listed && len(l.command) > 0 && len(l.texts) == 0 && l.assigned == nil {
		if w.nesting >= maxNesting {
			return nil
		}
		w.nesting++
		defer func() { w.nesting-- }()
		return w.outputOfCall(w.withInput(l, w.given(l, place{input: input}, env).input), env, nil)
	}
	args := words[1:]
	switch programName(words[0]) {
	case "echo":
		return w.outputOfEcho(args, env)
	case "printf":
		return w.outputOfPrintf(args, env)
	case "true", ":":
		return &code{}
	case "yes":
		out := w.join(args, env)
		out.add("\n")
		return out
	case "tee":
		return input
	case "cat":
		return w.outputOfCat(args, env, input)
	case "mktemp":
		if w.assigning {
			return outputOfMktemp(args, env)
		}
		return nil // no other command can name it
	}
	return w.filtered(words, input)
}

// outputOfCat is the text of the files that cat is given, or of its input.
func (w *walk) outputOfCat(args []field, env *environment, input *code) *code {
	out := &code{}
	files := 0
	for _, f := range args {
		if len(f.text) > 1 && f.text[0] == '-' {
			if f.text != "-u" && f.text != "--" {
				return nil
			}
			continue
		}
		files++
		text := input
		if !isInput(f.text) {
			text = w.textOfFile(f, env)
		}
		if text == nil || !w.spend(len(text.text)) {
			return nil
		}
		out.append("", text)
	}
	if files == 0 {
		return input
	}
	return out
}

// isInput reports whether a file name stands for the standard input.
func isInput(name string) bool {
	switch name {
	case "-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0":
		return true
	}
	return false
}

// outputOfMktemp is the name of the file that mktemp makes, with the letters X that
// stand for those it picks. It lies where temporary files do unless the words tell.
func outputOfMktemp(args []field, env *environment) *code {
	how := grammar{options: "-p: --suffix: --tmpdir?"}
	read := how.arguments(args)
	name, dir, below := "tmp.XXXXXXXXXX", "/tmp", len(read.operands) == 0
	if len(read.operands) > 0 {
		f := args[read.operands[0]]
		if !f.known {
			return nil
		}
		name = f.path
	}
	for _, o := range read.options {
		switch o.Name {
		case "-d", "--directory", "-q", "--quiet", "-u", "--dry-run":
		case "-t":
			below = true
		case "-p", "--tmpdir":
			below = true
			if o.Value != "" {
				f := optionField(args, o.Index, o)
				if dir = located(&f); dir == "" {
					return nil
				}
			}
		default:
			return nil
		}
	}
	if !below {
		dir = env.dir
	}
	if name = join(dir, name); name == "" {
		return nil
	}
	return &code{text: name + "\n"}
}

// outputOfEcho is bash's echo: options only in front, escapes only with -e.
func (w *walk) outputOfEcho(args []field, env *environment) *code {
	newline, escapes := true, false
	for len(args) > 0 && len(args[0].text) > 1 && args[0].text[0] == '-' && strings.Trim(args[0].text[1:], "neE") == "" {
		newline = newline && !strings.Contains(args[0].text, "n")
		if e := strings.LastIndexAny(args[0].text, "eE"); e >= 0 {
			escapes = args[0].text[e] == 'e'
		}
		args = args[1:]
	}
	out := w.join(args, env)
	if escapes && len(out.walked) == 0 {
		out.text = decodeEscapes(out.text, echoEscapes)
	}
	if newline {
		out.add("\n")
	}
	return out
}

// outputOfPrintf is printf with the conversions that need no arithmetic.
func (w *walk) outputOfPrintf(args []field, env *environment) *code {
	if len(args) > 0 && args[0].text == "--" {
		args = args[1:]
	}
	if len(args) == 0 || args[0].text == "-v" {
		return nil
	}
	format := decodeEscapes(args[0].text, printfEscapes)
	if !args[0].known {
		return nil
	}
	args = args[1:]
	out := &code{}
	for {
		rest, ok := w.printfOnce(out, format, args, env)
		if !ok || !w.spend(len(format)) {
			return nil
		}
		if len(rest) == 0 || len(rest) == len(args) {
			return out
		}
		args = rest
	}
}

// printfOnce writes the format once and returns the arguments it left.
func (w *walk) printfOnce(out *code, format string, args []field, env *environment) ([]field, bool) {
	for format != "" {
		text, rest, found := strings.Cut(format, "%")
		out.add(text)
		if !found {
			break
		}
		parts := conversion().FindStringSubmatch(rest)
		if parts == nil {
			return nil, false
		}
		verb := parts[4]
		format = rest[len(parts[0]):]
		if verb == "%" {
			out.add("%")
			continue
		}
		if len(args) == 0 {
			continue
		}
		arg := w.code(args[0], env)
		if verb == "b" {
			arg.text = decodeEscapes(arg.text, echoEscapes)
		}
		if len(arg.walked) == 0 {
			arg.text = padded(arg.text, parts)
		}
		out.append("", arg)
		args = args[1:]
	}
	return args, true
}
