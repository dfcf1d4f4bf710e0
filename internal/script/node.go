package script

import (
	"slices"
	"strings"
	"sync"
)

// nodeLexer follows the lexical grammar of ECMAScript; TypeScript and JSX need no
// more to find calls. Whether a slash divides or begins a regular expression is
// decided by the token before it.
type nodeLexer struct{ scanner }

var nodeOperators = []string{">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "**", "<<", ">>"}

func (l *nodeLexer) step() {
	switch c := l.source[l.at]; {
	case l.skipBlank():
	case c == '/' && l.peek(1) == '/', l.at == 0 && l.has("#!"):
		l.skipLine()
	case c == '/' && l.peek(1) == '*':
		l.at += 2
		l.skipPast("*/")
	case c == '/' && l.beforeValue():
		l.emitRegexp()
	case c == '\'' || c == '"':
		l.emitString()
	case c == '`':
		l.emitTemplate()
	case l.isNameStart(0) || c == '$':
		start := l.at
		for !l.done() && (l.source[l.at] == '$' || l.readName() != "") {
			if l.peek(0) == '$' {
				l.at++
			}
		}
		l.emit(start, token{kind: name, text: l.source[start:l.at]})
	case isDigit(c):
		l.emitNumber()
	default:
		l.emitSymbol(nodeOperators)
	}
}

// beforeValue reports that after the last token a value begins, not an operator.
func (l *nodeLexer) beforeValue() bool {
	switch t := l.previous(); t.kind {
	case symbol:
		return t.text != ")" && t.text != "]" && t.text != "++" && t.text != "--"
	case name:
		return slices.Contains([]string{"return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "do", "else", "await", "yield", "instanceof"}, t.text)
	}
	return false
}

// emitRegexp reads a regular expression and its flags. One that is not closed ends
// with its line.
func (l *nodeLexer) emitRegexp() {
	start := l.at
	class := false
	for l.at++; !l.done() && l.source[l.at] != '\n'; l.at++ {
		switch c := l.source[l.at]; {
		case c == '\\' && l.peek(1) != '\n':
			l.at++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			l.at++
			l.readName()
			l.emit(start, token{kind: other})
			return
		}
	}
	l.at = min(l.at, len(l.source))
	l.emit(start, token{kind: other})
}

// emitString reads a string, which ends with its line if it is not closed.
func (l *nodeLexer) emitString() {
	start, quote := l.at, l.source[l.at]
	var b literalBuilder
	for l.at++; !l.done() && l.source[l.at] != quote && l.source[l.at] != '\n'; {
		if l.source[l.at] == '\\' {
			l.escape(&b, false)
			continue
		}
		l.plain(&b, "\\\n'\"")
	}
	if l.peek(0) == quote {
		l.at++
	}
	l.emit(start, token{kind: text, literal: b.literal()})
}

// emitTemplate reads a template literal; its text is "`", to tell it from a string.
func (l *nodeLexer) emitTemplate() {
	start := l.at
	var b literalBuilder
	for l.at++; !l.done() && l.source[l.at] != '`'; {
		switch {
		case l.source[l.at] == '\\':
			l.escape(&b, false)
		case l.has("${"):
			l.at += 2
			b.add(l.interpolation(l.step))
		default:
			l.plain(&b, "\\`$")
		}
	}
	l.advance(1)
	l.emit(start, token{kind: text, text: "`", literal: b.literal()})
}

// nodeCall reads the arguments of one function that starts a process.
type nodeCall func(r *reader, list []argument) string

// nodeCalls are the functions that start a process, by module and name.
var nodeCalls = sync.OnceValue(func() map[string]nodeCall {
	return map[string]nodeCall{
		"child_process.exec":         nodeShell,
		"child_process.execSync":     nodeShell,
		"child_process.spawn":        nodeSpawn,
		"child_process.spawnSync":    nodeSpawn,
		"child_process.execFile":     nodeSpawn,
		"child_process.execFileSync": nodeSpawn,
		"child_process.fork":         nodeFork,
		"cross-spawn":                nodeSpawn,
		"cross-spawn.sync":           nodeSpawn,
		"cross-spawn.spawn":          nodeSpawn,
		"shelljs.exec":               nodeShell,
		"execa":                      nodeSpawn,
		"execa.execa":                nodeSpawn,
		"execa.execaSync":            nodeSpawn,
		"execa.sync":                 nodeSpawn,
		"execa.execaCommand":         nodeShell,
		"execa.execaCommandSync":     nodeShell,
		"execa.command":              nodeShell,
		"execa.commandSync":          nodeShell,
		"Bun.spawn":                  nodeCommandObject,
		"Bun.spawnSync":              nodeCommandObject,
		"Deno.run":                   nodeCommandObject,
		"Deno.Command":               nodeDenoCommand,
	}
})

// nodeGlobals are names that mean such a function also where the text, which may
// be a part of a file, does not import them.
var nodeGlobals = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"child_process": "child_process",
		"execSync":      "child_process.execSync",
		"spawnSync":     "child_process.spawnSync",
		"execFileSync":  "child_process.execFileSync",
		"execa":         "execa",
		"execaSync":     "execa.execaSync",
		"execaCommand":  "execa.execaCommand",
		"fsp":           "fs.promises",
		"fsPromises":    "fs.promises",
		"fse":           "fs-extra",
	}
})

func nodeShell(r *reader, list []argument) string {
	if len(list) == 0 || list[0].keyword != "" {
		return ""
	}
	return r.shell(r.evaluate(list[0].lo, list[0].hi))
}

// nodeSpawn reads a function of a program and an optional list of arguments. With
// the option shell the words are joined without quotes.
func nodeSpawn(r *reader, list []argument) string {
	if len(list) == 0 {
		return ""
	}
	program := r.evaluate(list[0].lo, list[0].hi)
	if len(list) == 1 || r.at(list[1].lo).is("{") {
		return r.shell(program)
	}
	arguments := r.evaluate(list[1].lo, list[1].hi)
	last := list[len(list)-1]
	if options := r.object(last); arguments.list != nil && r.isTrue(options, "shell") {
		return r.shell(value{text: value{list: append([]value{program}, arguments.list...)}.joined(fixed(" "))})
	}
	arguments.spread = arguments.list == nil
	return r.argv(program, arguments)
}

// nodeFork reads child_process.fork, which runs a module with node.
func nodeFork(r *reader, list []argument) string {
	values := r.values(list[:min(2, len(list))])
	if len(values) == 0 || !values[0].text.isKnown() {
		return ""
	}
	if len(values) == 2 && values[1].list == nil {
		values = values[:1]
	}
	return r.argv(append([]value{{text: fixed("node")}}, values...)...)
}

// nodeCommandObject reads a function that is given a list of words, or an object
// whose cmd is one.
func nodeCommandObject(r *reader, list []argument) string {
	if len(list) == 0 {
		return ""
	}
	for _, a := range r.object(list[0]) {
		if a.keyword == "cmd" {
			return r.argv(r.evaluate(a.lo, a.hi))
		}
	}
	return r.argv(r.evaluate(list[0].lo, list[0].hi))
}

// nodeDenoCommand reads new Deno.Command(program, {args: […]}).
func nodeDenoCommand(r *reader, list []argument) string {
	if len(list) == 0 {
		return ""
	}
	values := []value{r.evaluate(list[0].lo, list[0].hi)}
	for _, a := range r.object(list[len(list)-1]) {
		if a.keyword == "args" {
			values = append(values, r.evaluate(a.lo, a.hi))
		}
	}
	return r.argv(values...)
}

// object returns the entries of an object literal, nil when a is something else.
func (r *reader) object(a argument) []argument {
	if a.lo < a.hi && r.at(a.lo).is("{") && r.closes(a.lo) == a.hi-1 {
		return r.arguments(a.lo+1, a.hi-1)
	}
	return nil
}

// nodeLanguage is how JavaScript and TypeScript are read.
var nodeLanguage = language{
	lex: func(code string) *scanner {
		l := &nodeLexer{newScanner(code)}
		l.lexUntil(0, l.step)
		return &l.scanner
	},
	concat: []string{"+"},
	names: func(readers []*reader) importedNames {
		names := newNames(nodeGlobals())
		for _, r := range readers {
			names.importNode(r)
		}
		return names
	},
	path: nodePath,
	name: nodeName,
	keywords: []string{"if", "for", "while", "switch", "catch", "return", "throw", "typeof", "void", "delete", "in", "of", "case", "do", "else", "await", "yield",
		"new", "instanceof", "with", "const", "let", "var", "export", "extends", "async"},
	arrows: true,
	shell:  nodeShellOf,
	marks:  []string{"child_process", "exec", "spawn", "$`", "Bun", "bun", "Deno", "zx"},
}

// nodeName returns the name that a module's function is known by, whichever of the
// module's names is used. The modules that stand in for fs count as fs.
func nodeName(full string) string {
	for _, module := range []string{"graceful-fs", "fs-extra", "fs"} {
		if rest, ok := strings.CutPrefix(full, module); ok && (rest == "" || rest[0] == '.' || strings.HasPrefix(rest, "/promises")) {
			return "fs" + strings.Replace(rest, "/promises", ".promises", 1)
		}
	}
	return full
}

// nodeShellOf records the shell text that a call starts.
func nodeShellOf(c *call) {
	r := c.reader
	full := strings.TrimPrefix(c.name, "new ")
	if c.shape == template {
		if isNodeTag(full) {
			r.add(c.at, r.shell(value{text: r.filled(r.tokens[c.open].literal, maxDepth)}))
		}
		return
	}
	if shell := nodeCalls()[full]; shell != nil && c.shape == inParentheses {
		r.add(c.at, shell(r, c.arguments()))
	}
}

// isNodeTag reports that a template with this tag is run: $`…` of zx and Bun, and
// execa`…`.
func isNodeTag(full string) bool {
	return slices.Contains([]string{"$", "Bun.$", "bun.$", "zx.$", "execa.$", "execa", "execa.execa", "execa.execaSync", "execa.execaCommand"}, full)
}

// nodePath reads the path of names that begins at i, also behind
// require('child_process') and await import(…). It is "" where none begins.
func nodePath(r *reader, i int) (string, int) {
	if r.tokens[i].kind != name || r.isAccess(r.at(i-1)) {
		return "", i
	}
	if module, end := nodeModule(r, i); module != "" {
		for r.at(end).is(")") { // (await import('x')).y
			end++
		}
		for r.isAccess(r.at(end)) && r.at(end+1).kind == name {
			module += "." + r.at(end+1).text
			end += 2
		}
		return strings.Replace(module, ".default", "", 1), end
	}
	path, next := r.path(i)
	return strings.Replace(path, ".default", "", 1), next
}

// nodeModule reads require('name') or import('name') and returns the module's name
// without its node: scheme, and the index behind it; "" when none is here.
func nodeModule(r *reader, i int) (string, int) {
	t := r.at(i)
	if t.kind != name || t.text != "require" && t.text != "import" || !r.at(i+1).is("(") || r.at(i+2).kind != text || !r.at(i+3).is(")") {
		return "", i
	}
	return moduleName(r.at(i + 2)), i + 4
}

func moduleName(t token) string {
	module, _ := t.literal.fixedText()
	return strings.TrimPrefix(module, "node:")
}

// importNode reads import declarations, and declarations whose value is a module or
// a function of one.
func (n *importedNames) importNode(r *reader) {
	for i, t := range r.tokens {
		if module, _ := nodeModule(r, i); module != "" {
			n.imported = append(n.imported, nodeName(module))
		}
		switch {
		case t.kind == name && t.text == "import" && !r.at(i+1).is("("):
			n.importDeclaration(r, i+1)
		case t.is("=") && r.at(i-1).kind == name:
			if full := n.nodeValue(r, i+1); full != "" {
				n.set(r.at(i-1).text, full)
			}
		case t.is("=") && r.at(i-1).is("}"):
			if full := n.nodeValue(r, i+1); full != "" {
				n.destructure(r, i-2, full)
			}
		case t.kind == name && t.text == "then" && r.at(i-2).is(")"):
			n.importThen(r, i)
		}
	}
}

// importThen reads import('module').then(({a, b: c}) => …), whose then is at i.
func (n *importedNames) importThen(r *reader, i int) {
	module, _ := nodeModule(r, i-5)
	for i++; r.at(i).is("(") || r.at(i).text == "async"; {
		i++
	}
	if module != "" && r.at(i).is("{") {
		n.destructure(r, r.closes(i)-1, module)
	}
}

// importDeclaration reads "a, {b as c}, * as d from 'module'", at most 64 names.
func (n *importedNames) importDeclaration(r *reader, i int) {
	from := i
	for from < i+256 && r.at(from).kind != text && !r.at(from).is(";") && from < len(r.tokens) {
		from++
	}
	if r.at(from).kind != text || r.at(from-1).text != "from" {
		return
	}
	module := moduleName(r.at(from))
	if module == "" {
		return
	}
	n.imported = append(n.imported, nodeName(module))
	inBraces := false
	for ; i < from-1; i++ {
		t := r.tokens[i]
		if t.kind != name {
			inBraces = t.is("{") || inBraces && !t.is("}")
			continue
		}
		full := module
		if inBraces && t.text != "default" {
			full += "." + t.text
		}
		alias := t.text
		if r.at(i+1).text == "as" && r.at(i+2).kind == name {
			alias = r.at(i + 2).text
			i += 2
		}
		if t.text == "as" && r.at(i-1).is("*") && r.at(i+1).kind == name {
			i++
			alias = r.tokens[i].text
		}
		n.set(alias, full)
		n.imported = append(n.imported, nodeName(full))
	}
}

// nodeWrappers are functions that return the function or module they are given,
// the later ones in the output of compilers.
var nodeWrappers = []string{"promisify", "util.promisify", "__importStar", "__importDefault", "__toESM", "_interopRequireDefault", "_interopRequireWildcard"}

// nodeValue returns the full name of the module or function that an expression
// stands for, also through await and promisify; "" for any other.
func (n *importedNames) nodeValue(r *reader, i int) string {
	for range 8 {
		t := r.at(i)
		if t.is("(") || t.kind == name && t.text == "await" {
			i++
			continue
		}
		if t.kind != name {
			return ""
		}
		path, next := nodePath(r, i)
		if slices.Contains(nodeWrappers, path) && r.at(next).is("(") {
			i = next + 1
			continue
		}
		full := n.fullName(path)
		module, _ := nodeModule(r, i)
		if r.at(next).is("(") || !isNodeName(full) && !(module != "" || n.isImported(path)) {
			return ""
		}
		return full
	}
	return ""
}

// isNodeName reports that a full name is a function that starts a process, or a
// module with such functions.
func isNodeName(full string) bool {
	return nodeCalls()[full] != nil || isNodeTag(full) || slices.Contains([]string{"child_process", "shelljs", "execa", "zx", "bun"}, full)
}

// destructure reads {a, b: c} backwards from before its closing brace.
func (n *importedNames) destructure(r *reader, i int, module string) {
	for limit := i - 256; i >= 0 && i > limit && !r.tokens[i].is("{"); i-- {
		if r.tokens[i].kind != name {
			continue
		}
		alias, function := r.tokens[i].text, r.tokens[i].text
		if r.at(i-1).is(":") && r.at(i-2).kind == name {
			function = r.tokens[i-2].text
			i -= 2
		}
		n.set(alias, module+"."+function)
		n.imported = append(n.imported, nodeName(module+"."+function))
	}
}
