package script

import (
	"slices"
	"strings"
	"sync"
)

// pythonLexer follows the lexical analysis chapter of the Python reference. An
// f-string may hold any code between its braces, as since 3.12.
type pythonLexer struct{ scanner }

var pythonOperators = []string{"...", "**=", "//=", "==", "!=", "<=", ">=", ":=", "->", "+=", "-=", "%=", "**", "//", "<<", ">>"}

func (l *pythonLexer) step() {
	switch c := l.source[l.at]; {
	case l.skipBlank():
	case c == '#':
		l.skipLine()
	case c == '\'' || c == '"':
		l.emitString("")
	case l.isNameStart(0):
		start := l.at
		word := l.readName()
		if q := l.peek(0); (q == '\'' || q == '"') && isPythonPrefix(word) {
			l.at = start
			l.emitString(strings.ToLower(word))
			return
		}
		l.emit(start, token{kind: name, text: word})
	case isDigit(c):
		l.emitNumber()
	default:
		l.emitSymbol(pythonOperators)
	}
}

// isPythonPrefix reports that a word in front of a quote is part of the string.
func isPythonPrefix(word string) bool {
	return slices.Contains([]string{"r", "u", "b", "f", "t", "br", "rb", "fr", "rf", "tr", "rt"}, strings.ToLower(word))
}

// emitString reads the string whose prefix and quote stand here. One in single
// quotes that is not closed ends with its line.
func (l *pythonLexer) emitString(prefix string) {
	start := l.at
	l.at += len(prefix)
	quote := l.source[l.at : l.at+1]
	triple := l.has(strings.Repeat(quote, 3))
	if triple {
		quote = strings.Repeat(quote, 3)
	}
	l.at += len(quote)
	raw := strings.Contains(prefix, "r")
	format := strings.ContainsAny(prefix, "ft")
	var b literalBuilder
	for !l.done() {
		c := l.source[l.at]
		switch {
		case l.has(quote):
			l.at += len(quote)
			l.emit(start, token{kind: text, literal: b.literal()})
			return
		case c == '\n' && !triple:
			l.emit(start, token{kind: text, literal: b.literal()})
			return
		case c == '\\' && raw:
			b.addText(l.source[l.at:min(l.at+2, len(l.source))])
			l.advance(2)
		case c == '\\':
			l.escape(&b, true)
		case format && (l.has("{{") || l.has("}}")):
			b.addByte(c)
			l.at += 2
		case format && c == '{':
			l.at++
			b.add(l.interpolation(l.step))
		default:
			l.plain(&b, "\\\n{}'\"")
		}
	}
	l.emit(start, token{kind: text, literal: b.literal()})
}

// pythonCall reads the arguments of one function that starts a process.
type pythonCall func(r *reader, list []argument) string

// pythonCalls are the functions that start a process, by their full names.
var pythonCalls = sync.OnceValue(func() map[string]pythonCall {
	return map[string]pythonCall{
		"os.system":                       pythonShell(0, "command"),
		"os.popen":                        pythonShell(0, "cmd"),
		"os.popen2":                       pythonShell(0, "cmd"),
		"os.popen3":                       pythonShell(0, "cmd"),
		"os.popen4":                       pythonShell(0, "cmd"),
		"posix.system":                    pythonShell(0, "command"),
		"popen2.popen2":                   pythonShell(0, "cmd"),
		"popen2.popen3":                   pythonShell(0, "cmd"),
		"commands.getoutput":              pythonShell(0, "cmd"),
		"commands.getstatusoutput":        pythonShell(0, "cmd"),
		"subprocess.getoutput":            pythonShell(0, "cmd"),
		"subprocess.getstatusoutput":      pythonShell(0, "cmd"),
		"asyncio.create_subprocess_shell": pythonShell(0, "cmd"),
		"asyncio.subprocess.create_subprocess_shell": pythonShell(0, "cmd"),
		"subprocess.run":                            pythonSubprocess,
		"subprocess.call":                           pythonSubprocess,
		"subprocess.check_call":                     pythonSubprocess,
		"subprocess.check_output":                   pythonSubprocess,
		"subprocess.Popen":                          pythonSubprocess,
		"pty.spawn":                                 pythonSubprocess,
		"pexpect.run":                               pythonShell(0, "command"),
		"pexpect.spawn":                             pythonSpawnWithList,
		"invoke.run":                                pythonShell(0, "command"),
		"asyncio.create_subprocess_exec":            pythonWords(0, 0),
		"asyncio.subprocess.create_subprocess_exec": pythonWords(0, 0),
		"os.execl":                                  pythonWords(0, 1),
		"os.execle":                                 pythonWords(0, 1),
		"os.execlp":                                 pythonWords(0, 1),
		"os.execlpe":                                pythonWords(0, 1),
		"os.spawnl":                                 pythonWords(1, 1),
		"os.spawnle":                                pythonWords(1, 1),
		"os.spawnlp":                                pythonWords(1, 1),
		"os.spawnlpe":                               pythonWords(1, 1),
		"os.execv":                                  pythonList(0),
		"os.execve":                                 pythonList(0),
		"os.execvp":                                 pythonList(0),
		"os.execvpe":                                pythonList(0),
		"os.spawnv":                                 pythonList(1),
		"os.spawnve":                                pythonList(1),
		"os.spawnvp":                                pythonList(1),
		"os.spawnvpe":                               pythonList(1),
		"os.posix_spawn":                            pythonList(0),
		"os.posix_spawnp":                           pythonList(0),
	}
})

// pythonShell reads a function whose n-th argument is shell text.
func pythonShell(n int, keyword string) pythonCall {
	return func(r *reader, list []argument) string {
		a, ok := pick(list, n, keyword)
		if !ok {
			return ""
		}
		return r.shell(r.evaluate(a.lo, a.hi))
	}
}

// pythonSubprocess reads subprocess.run and its kin. With shell=True the first
// item of a list is the shell text, and the others are its parameters.
func pythonSubprocess(r *reader, list []argument) string {
	a, ok := pick(list, 0, "args", "argv")
	if !ok {
		return ""
	}
	v := r.evaluate(a.lo, a.hi)
	if len(v.list) > 0 && r.isTrue(list, "shell") {
		v = v.list[0]
	}
	return r.textOrArgv(v)
}

// pythonSpawnWithList reads a function of a shell text and an optional list of words.
func pythonSpawnWithList(r *reader, list []argument) string {
	values := r.values(positional(list))
	switch {
	case len(values) == 0:
		return ""
	case len(values) > 1 && values[1].list != nil:
		return r.argv(values[0], values[1])
	}
	return r.shell(values[0])
}

// pythonWords reads a function whose arguments from the n-th on are words, of
// which some after the first are only names the program is told.
func pythonWords(n, names int) pythonCall {
	return func(r *reader, list []argument) string {
		values := r.values(positional(list))
		if len(values) <= n {
			return ""
		}
		rest := values[n+1:]
		return r.argv(append([]value{values[n]}, rest[min(names, len(rest)):]...)...)
	}
}

// pythonList reads a function whose n-th argument is the program and whose next
// is the list of its words, the program's name first.
func pythonList(n int) pythonCall {
	return func(r *reader, list []argument) string {
		values := r.values(positional(list))
		if len(values) <= n+1 {
			return ""
		}
		words := values[n+1]
		if len(words.list) > 0 {
			words.list = words.list[1:]
		}
		return r.argv(values[n], words)
	}
}

// pythonLanguage is how python is read.
var pythonLanguage = language{
	lex: func(code string) *scanner {
		l := &pythonLexer{newScanner(code)}
		l.lexUntil(0, l.step)
		return &l.scanner
	},
	concat: []string{"+"},
	names:  pythonNames,
	path:   pythonPath,
	keywords: []string{"if", "elif", "while", "for", "in", "is", "not", "and", "or", "return", "yield", "lambda", "assert", "del", "raise",
		"with", "as", "from", "import", "except", "await", "async", "else", "try", "pass", "global", "nonlocal"},
	shell: func(c *call) {
		if shell := pythonCalls()[c.name]; shell != nil {
			c.reader.add(c.at, shell(c.reader, c.arguments()))
		}
	},
	marks: []string{"system", "popen", "subprocess", "getoutput", "getstatusoutput", "exec", "spawn", "pexpect", "invoke"},
}

// pythonPath reads the path of names that begins at i, also behind
// __import__('os'), importlib.import_module('os') and getattr(os, 'system'). It is
// "" where no path begins.
func pythonPath(r *reader, i int) (string, int) { return pythonPathWithin(r, i, 4) }

func pythonPathWithin(r *reader, i, depth int) (string, int) {
	if r.tokens[i].kind != name || r.at(i-1).is(".") || r.at(i-1).kind == name && r.at(i-1).text == "def" {
		return "", i
	}
	path, next := r.path(i)
	if !r.at(next).is("(") || r.closes(next) >= len(r.tokens) {
		return path, next
	}
	inner, end := next+1, r.closes(next)+1
	switch path {
	case "__import__", "importlib.import_module", "import_module":
		module, ok := r.at(inner).literal.fixedText()
		if !ok || r.at(inner).kind != text {
			return path, next
		}
		for path = module; r.at(end).is(".") && r.at(end+1).kind == name; end += 2 {
			path += "." + r.at(end+1).text
		}
		return path, end
	case "getattr":
		if r.at(inner).kind != name || depth == 0 {
			return path, next
		}
		object, comma := pythonPathWithin(r, inner, depth-1)
		attribute, ok := r.at(comma + 1).literal.fixedText()
		if ok && r.at(comma).is(",") && r.at(comma+1).kind == text {
			return object + "." + attribute, end
		}
	}
	return path, next
}

// pythonNames reads the import statements, and assignments of a function to a name.
func pythonNames(readers []*reader) importedNames {
	names := newNames(map[string]string{"Path": "pathlib.Path"})
	for _, r := range readers {
		ofFrom := -1 // the import that belongs to a from
		for i, t := range r.tokens {
			switch {
			case t.kind != name:
			case t.text == "import" && i != ofFrom:
				names.importModules(r, i+1)
			case t.text == "from":
				ofFrom = names.importFrom(r, i+1)
			case r.at(i+1).is("=") && (t.newline || r.at(i-1).is(";") || i == 0):
				names.assign(r, i)
			}
		}
	}
	return names
}

// importModules reads "os, subprocess as sp" of an import statement.
func (n *importedNames) importModules(r *reader, i int) {
	for r.at(i).kind == name {
		module, next := r.path(i)
		alias, full := r.tokens[i].text, r.tokens[i].text
		if r.at(next).kind == name && r.at(next).text == "as" && r.at(next+1).kind == name {
			alias, full = r.at(next+1).text, module
			next += 2
		}
		n.set(alias, full)
		n.imported = append(n.imported, module)
		if !r.at(next).is(",") {
			return
		}
		i = next + 1
	}
}

// importFrom reads "os import system as run, popen" of a from statement. It returns
// the index of its import, -1 when it has none.
func (n *importedNames) importFrom(r *reader, i int) int {
	if r.at(i).kind != name {
		return -1
	}
	module, keyword := r.path(i)
	if r.at(keyword).kind != name || r.at(keyword).text != "import" {
		return -1
	}
	n.imported = append(n.imported, module)
	next := keyword + 1
	if r.at(next).is("*") {
		n.imported = append(n.imported, module+".*")
		for full := range pythonCalls() {
			if function, ok := strings.CutPrefix(full, module+"."); ok && !strings.Contains(function, ".") {
				n.set(function, full)
			}
		}
		return keyword
	}
	if r.at(next).is("(") {
		next++
	}
	for r.at(next).kind == name {
		function := r.at(next).text
		alias := function
		next++
		if r.at(next).kind == name && r.at(next).text == "as" && r.at(next+1).kind == name {
			alias = r.at(next + 1).text
			next += 2
		}
		n.set(alias, module+"."+function)
		n.imported = append(n.imported, module+"."+function)
		if !r.at(next).is(",") {
			break
		}
		next++
	}
	return keyword
}

// assign reads "run = os.system", which makes run another name of the function.
func (n *importedNames) assign(r *reader, i int) {
	if r.at(i+2).kind != name {
		return
	}
	path, next := pythonPath(r, i+2)
	full := n.fullName(path)
	if (r.at(next).newline || r.at(next).is(";")) && (pythonCalls()[full] != nil || isPythonModule(full) || n.isImported(path)) {
		n.set(r.tokens[i].text, full)
	}
}

func isPythonModule(full string) bool {
	return slices.Contains([]string{"os", "subprocess", "asyncio", "pty"}, full)
}
