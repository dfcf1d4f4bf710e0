package script

import (
	"slices"
	"strings"
)

// findCalls collects the calls of the program.
func (p *Program) findCalls() {
	for _, r := range p.readers {
		covered := 0 // the names before it belong to a path that was read
		for i, t := range r.tokens {
			switch {
			case t.kind == command:
				p.add(call{reader: r, name: "`", at: i, open: i, shape: template})
			case t.kind != name:
			case r.isAccess(r.at(i-1)) && !r.isRooted(i):
				if i >= covered {
					p.findMethod(r, i)
				}
			default:
				path, next := p.path(r, i)
				if path == "" {
					break
				}
				covered = max(covered, next)
				if !p.isKeyword(t) && !(path == t.text && p.defines(t)) && !p.defines(r.at(i-1)) && !(r.at(i-1).is("*") && p.defines(r.at(i-2))) {
					p.findFunction(r, i, path, next)
				}
			}
		}
	}
}

func (p *Program) add(c call) { p.calls = append(p.calls, c) }

// path reads the path of names at i as the program's language has them.
func (p *Program) path(r *reader, i int) (string, int) {
	if p.language.path != nil {
		return p.language.path(r, i)
	}
	return r.path(i)
}

func (p *Program) isKeyword(t token) bool { return slices.Contains(p.language.keywords, t.text) }

// fullName returns the full name that a path of names stands for.
func (p *Program) fullName(path string) string {
	full := p.names.fullName(path)
	if p.language.name != nil {
		return p.language.name(full)
	}
	return full
}

// isRooted reports that what stands before the name at i only says that the name is
// to be looked up from the root: ::FileUtils.
func (r *reader) isRooted(i int) bool {
	if i == 0 || !r.tokens[i-1].is("::") {
		return false
	}
	before := r.at(i - 2)
	_, closes := r.opens(i - 2)
	return r.tokens[i-1].spaced || before.kind == symbol && !closes
}

// defines reports that t says that a name behind it is defined.
func (p *Program) defines(t token) bool {
	word := t.text
	if p.language == languages[PHP] {
		word = strings.ToLower(word)
	}
	return t.kind == name && slices.Contains([]string{"def", "function", "sub", "class", "module", "interface", "fn"}, word)
}

// findFunction adds the call that may begin with the path at i, which ends before
// token next.
func (p *Program) findFunction(r *reader, i int, path string, next int) {
	c := &call{reader: r, at: i, last: next - 1, open: next}
	// f?.(…), and (0, f)(…) of compiled modules
	if (r.at(next).is("?.") || r.at(next).is(")") && r.at(i-1).is(",")) && r.at(next+1).is("(") {
		c.open++
	}
	made := r.at(i-1).kind == name && strings.EqualFold(r.at(i-1).text, "new") && !p.language.loose
	if !p.shapeOf(c, made) {
		return
	}
	c.name = p.fullName(path)
	if class := p.classOf(r, path); class != "" {
		c.name = class + path[strings.LastIndexByte(path, '.'):]
	}
	if made {
		c.name = "new " + c.name
	}
	p.sent(c)
	p.add(*c)
	if !p.language.arrows || c.shape != inParentheses || !slices.Contains(nodeWrappers, path) {
		return
	}
	// promisify(exec)('ls')
	full, open := p.names.nodeValue(r, next+1), r.closes(next)+1
	if full != "" && r.at(open).is("(") {
		p.add(call{reader: r, name: full, at: i, open: open})
	}
}

// findMethod adds the call that may begin with the name at i, which stands behind
// the point of an expression.
func (p *Program) findMethod(r *reader, i int) {
	c := &call{reader: r, name: "." + r.tokens[i].text, at: i, last: i, open: i + 1}
	if !p.shapeOf(c, false) {
		return
	}
	if opener, ok := r.opens(i - 2); ok && r.tokens[opener].is("(") {
		start := opener
		for start > 0 && opener-start < 2*maxConstructor && (r.tokens[start-1].kind == name || r.isAccess(r.tokens[start-1])) {
			start--
		}
		if start < opener && r.tokens[start].kind == name {
			if path, next := p.path(r, start); next == opener {
				if class := madeBy(p.fullName(path)); class != "" {
					c.name = class + c.name
				}
			}
		}
	}
	if p.language == languages[PHP] {
		c.name = strings.ToLower(c.name)
	}
	p.sent(c)
	p.add(*c)
}

// madeBy returns the class of the object that a function makes, where methods are known
// by that class; "" for any other function.
func madeBy(function string) (class string) {
	switch function {
	case "pathlib.Path", "pathlib.PosixPath", "pathlib.WindowsPath", "pathlib.Path.home", "pathlib.Path.cwd":
		return "pathlib.Path"
	case "Pathname", "Pathname.new":
		return "Pathname"
	}
	return ""
}

// maxConstructor bounds how many names the path of a constructor has.
const maxConstructor = 4

// classOf returns the class of p in p.unlink, where p is set once, to an object whose
// class is known; "" for any other path.
func (p *Program) classOf(r *reader, path string) string {
	variable, method, ok := strings.Cut(path, ".")
	if !ok || strings.Contains(method, ".") {
		return ""
	}
	c := p.constants[variable]
	if c == nil || c.assignments != 1 || c.bound || c.in == nil || c.in.at(c.lo).kind != name {
		return ""
	}
	constructor, next := p.path(c.in, c.lo)
	if !c.in.at(next).is("(") {
		return ""
	}
	return madeBy(p.fullName(constructor))
}

// shapeOf finds out how a call is given its arguments, and reports whether it is a
// call at all.
func (p *Program) shapeOf(c *call, made bool) bool {
	r := c.reader
	t := r.at(c.open)
	switch {
	case t.is("(") && (!p.language.loose || !t.spaced):
		c.shape = inParentheses
		return made || !p.language.arrows || !r.definesMethod(c.at, c.open)
	case p.language.arrows && t.kind == text && t.text == "`":
		c.shape = template
	case made:
		c.shape = bare
	case !p.language.loose:
		return false
	case r.beginsArguments(c.open):
		c.shape = loose
	default:
		// a.b, but neither a.b = c nor the constant A::B
		named := r.tokens[c.last].text
		access := r.at(c.last - 1)
		c.shape = bare
		return c.last > 0 && r.isAccess(access) && !t.is("=") && !(access.is("::") && 'A' <= named[0] && named[0] <= 'Z') &&
			!strings.HasPrefix(named, "$")
	}
	return true
}

// definesMethod reports that the parentheses at open hold parameters: those of a
// method's definition, name(x) { … } and name(x: T): T { … }, or of async (x) => ….
func (r *reader) definesMethod(at, open int) bool {
	after := r.at(r.closes(open) + 1)
	if after.is("{") || after.is("=>") {
		return !after.newline
	}
	before := r.at(at - 1)
	return after.is(":") && !before.is("?") && !before.is(":") && (r.tokens[at].newline || before.is("{") || before.is(";") || slices.Contains(nodeModifiers, before.text))
}

// nodeModifiers stand before the name of a method that is defined.
var nodeModifiers = []string{"async", "static", "get", "set", "public", "private", "protected", "override", "abstract", "declare"}

// sent gives a call of send(:name, …) the name of the method that is called.
func (p *Program) sent(c *call) {
	if !p.language.loose {
		return
	}
	receiver, method := "", c.name
	if i := strings.LastIndexByte(c.name, '.'); i >= 0 {
		receiver, method = c.name[:i+1], c.name[i+1:]
	}
	if method != "send" && method != "__send__" && method != "public_send" || c.shape == bare {
		return
	}
	first := c.open
	if c.shape == inParentheses {
		first++
	}
	t := c.reader.at(first)
	symbol, ok := strings.CutPrefix(t.text, ":")
	if t.kind == text {
		symbol, ok = t.literal.fixedText()
	}
	if !ok || symbol == "" || t.kind != text && t.kind != other {
		return
	}
	c.skip = 1
	c.name = p.fullName(strings.TrimPrefix(receiver, "Object.") + symbol)
}
