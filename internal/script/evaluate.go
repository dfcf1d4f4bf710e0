package script

import (
	"slices"
	"strings"
)

// value is what an expression is worth as far as its literals tell: a string, or
// a list of strings when list is not nil.
type value struct {
	text   literal
	list   []value
	spread bool // stands for any number of words: *args, ...args, @args
}

func unknown(name string) value { return value{text: unknownPart(name)} }

// word writes v as one word of shell text, quoted but for a spread, which stays
// one unknown word.
func (v value) word(first bool) string {
	switch {
	case v.list != nil:
		return "$_" + anonymous
	case v.spread:
		return v.text.shellText()
	}
	return v.text.shellWord(first)
}

// joined returns the items of a list as one string with a separator between them.
func (v value) joined(separator literal) literal {
	var out literal
	for i, item := range v.list {
		if i > 0 {
			out = append(out, separator...)
		}
		if item.list != nil {
			out = append(out, unknownPart(anonymous)...)
			continue
		}
		out = append(out, item.text...)
	}
	return out.merged()
}

// merged joins neighbouring fixed parts.
func (l literal) merged() literal {
	var b literalBuilder
	for _, p := range l {
		b.add(p)
	}
	return b.literal()
}

// evaluate works out the expression of tokens lo to hi, hi excluded.
func (r *reader) evaluate(lo, hi int) value { return r.evaluateWithin(lo, hi, maxDepth) }

func (r *reader) evaluateWithin(lo, hi, depth int) value {
	for hi-lo >= 2 && r.tokens[lo].is("(") && r.closes(lo) == hi-1 && !r.hasComma(lo+1, hi-1) {
		lo, hi = lo+1, hi-1
	}
	if lo >= hi || depth == 0 {
		return unknown(anonymous)
	}
	var operands []value
	for start := lo; start < hi; {
		end := start
		for end < hi && !r.isConcat(start, end) {
			end = r.skip(end)
		}
		end = min(end, hi)
		operands = append(operands, r.operand(start, end, depth-1))
		start = end + 1
	}
	return concatenate(operands)
}

// isConcat reports that token i joins two strings.
func (r *reader) isConcat(start, i int) bool {
	return i > start && r.tokens[i].kind == symbol && slices.Contains(r.concat, r.tokens[i].text)
}

func (r *reader) hasComma(lo, hi int) bool {
	for i := lo; i < hi; i = r.skip(i) {
		if r.tokens[i].is(",") {
			return true
		}
	}
	return false
}

// concatenate joins strings to a string, and lists to a list. Where lists are
// joined, what is not known stands for any number of words.
func concatenate(operands []value) value {
	if len(operands) == 1 {
		return operands[0]
	}
	if !slices.ContainsFunc(operands, func(v value) bool { return v.list != nil }) {
		var all literal
		for _, v := range operands {
			all = append(all, v.text...)
		}
		return value{text: all.merged()}
	}
	list := []value{}
	for _, v := range operands {
		if v.list == nil {
			v.spread = true
			list = append(list, v)
		}
		list = append(list, v.list...)
	}
	return value{list: list}
}

// operand works out an expression without an operator that joins strings.
func (r *reader) operand(lo, hi, depth int) value {
	if lo >= hi {
		return unknown(anonymous)
	}
	if v, ok := r.quotient(lo, hi, depth); ok {
		return v
	}
	var v value
	next := lo + 1
	switch t := r.tokens[lo]; {
	case t.kind == text:
		v.text = r.filled(t.literal, depth)
		for ; next < hi && r.tokens[next].kind == text; next++ {
			v.text = append(slices.Clip(v.text), r.filled(r.tokens[next].literal, depth)...)
		}
		v.text = v.text.merged()
	case t.kind == words:
		v.list = []value{}
		for _, l := range *t.list {
			v.list = append(v.list, value{text: l})
		}
	case t.is("(") && r.closes(lo) < hi-1 && !r.hasComma(lo+1, r.closes(lo)):
		next = r.closes(lo) + 1
		v = r.evaluateWithin(lo+1, r.closes(lo), depth)
	case (t.is("[") || t.is("(")) && r.closes(lo) < hi:
		next = r.closes(lo) + 1
		if v = r.list(lo+1, r.closes(lo), depth); v.list == nil {
			return v
		}
	case (t.is("*") || t.is("...")) && next < hi:
		v = r.operand(next, hi, depth)
		v.spread = v.list == nil
		return v // the items of a list, if it is known
	case t.kind == name:
		return r.named(lo, hi, depth)
	default:
		return unknown(anonymous)
	}
	return r.suffixes(v, next, hi, depth)
}

// list works out the items of a list. A comprehension is not known.
func (r *reader) list(lo, hi, depth int) value {
	if depth <= 0 {
		return unknown(anonymous)
	}
	list := []value{}
	for _, a := range r.arguments(lo, hi) {
		for i := a.lo; i < a.hi; i = r.skip(i) {
			if t := r.tokens[i]; t.kind == name && t.text == "for" {
				return unknown(anonymous)
			}
		}
		item := r.evaluateWithin(a.lo, a.hi, depth-1)
		if first := r.at(a.lo); item.list != nil && !first.is("[") && !first.is("(") {
			list = append(list, item.list...) // *args, and qw(…) inside a list
			continue
		}
		list = append(list, item)
	}
	return value{list: list}
}

// ownInterpreter returns the program that a program knows by this name as what runs it,
// "" for another name.
func ownInterpreter(name string) (program string) {
	switch name {
	case "sys.executable":
		return "python3"
	case "process.execPath":
		return "node"
	case "RbConfig.ruby", "Gem.ruby":
		return "ruby"
	case "PHP_BINARY":
		return "php"
	}
	return ""
}

// named works out an expression that begins with a name: a variable, or the call
// of a function that hands a string on.
func (r *reader) named(lo, hi, depth int) value {
	path, next := r.path(lo)
	for next > hi { // the receiver of a method
		path, next = path[:strings.LastIndexByte(path, '.')], next-2
	}
	if next == hi {
		if program := ownInterpreter(path); program != "" {
			return value{text: fixed(program)}
		}
		if slices.Contains(homeVariables, path) {
			return value{text: literal{{unknown: home}}}
		}
		if v, ok := r.constant(path, depth); ok {
			return v
		}
		v := unknown(path[strings.LastIndexByte(path, '.')+1:])
		v.spread = strings.HasPrefix(path, "@")
		return v
	}
	if next > lo+1 && r.tokens[next].is("(") { // a method of a variable
		if v, ok := r.constant(r.tokens[lo].text, depth-1); ok {
			if v = r.suffixes(v, lo+1, hi, depth-1); v.isKnown() {
				return v
			}
		}
	}
	full := r.program.fullName(path)
	switch {
	case path == "String.raw" && r.tokens[next].kind == text && next+1 == hi:
		return value{text: r.tokens[next].literal}
	case slices.Contains(environments, full) && r.tokens[next].is("[") && r.closes(next) < hi:
		if name, ok := r.at(next + 1).literal.fixedText(); ok && (name == "HOME" || name == "USERPROFILE") {
			return r.suffixes(value{text: literal{{unknown: home}}}, r.closes(next)+1, hi, depth)
		}
		return unknown(anonymous)
	case !r.tokens[next].is("(") || r.closes(next) >= hi || depth <= 0:
		return unknown(anonymous)
	}
	list := r.arguments(next+1, r.closes(next))
	next = r.closes(next) + 1
	if v, ok := r.pathOf(full, list, depth); ok {
		return r.suffixes(v, next, hi, depth)
	}
	if len(list) == 0 {
		return unknown(anonymous)
	}
	first := r.evaluateWithin(list[0].lo, list[0].hi, depth-1)
	switch path {
	case "textwrap.dedent", "dedent", "shlex.split", "str", "list", "tuple", "String", "Shellwords.split", "Shellwords.shellsplit":
		return r.suffixes(first, next, hi, depth)
	case "shlex.join", "subprocess.list2cmdline", "Shellwords.join", "Shellwords.shelljoin":
		if first.list != nil {
			return value{text: fixed(r.argv(first))}
		}
	case "shlex.quote", "pipes.quote", "Shellwords.escape", "Shellwords.shellescape", "escapeshellarg":
		if word, ok := first.text.fixedText(); ok && first.list == nil {
			return value{text: fixed(quoteWord(word, false))}
		}
		return first
	case "join", "implode": // join(" ", …) of perl and php
		if len(list) == 2 && first.list == nil {
			return value{text: r.evaluateWithin(list[1].lo, list[1].hi, depth-1).joined(first.text)}
		}
	}
	return unknown(anonymous)
}

// sameText are the methods that leave the words of a shell text as they are.
var sameText = []string{
	"strip", "rstrip", "lstrip", "trim", "trimStart", "trimEnd", "chomp", "encode",
	"split", "shellsplit", "freeze", "dup", "to_s", "toString", "squish", "strip_heredoc",
}

// suffixes applies what follows a literal: methods, and python's % operator.
func (r *reader) suffixes(v value, i, hi, depth int) value {
	for i < hi {
		if r.tokens[i].is("%") && v.list == nil {
			return value{text: fillPercents(v.text)}
		}
		if !r.isAccess(r.tokens[i]) || r.at(i+1).kind != name || i+1 >= hi {
			return unknown(anonymous)
		}
		method := r.tokens[i+1].text
		i += 2
		var given []argument
		if i < hi && r.tokens[i].is("(") {
			if r.closes(i) >= hi {
				return unknown(anonymous)
			}
			given = r.arguments(i+1, r.closes(i))
			i = r.closes(i) + 1
		}
		switch {
		case v.list == nil && slices.Contains(sameText, method), v.list == nil && pathMethod(method) == samePath:
		case v.list == nil && pathMethod(method) == joinedPath && depth > 0:
			for _, a := range given {
				part := r.evaluateWithin(a.lo, a.hi, depth-1)
				if part.list != nil {
					return unknown(anonymous)
				}
				v = value{text: joinPaths(v.text, part.text)}
			}
		case v.list == nil && method == "format":
			v = value{text: fillBraces(v.text)}
		case v.list == nil && method == "join" && len(given) == 1 && depth > 0: // python
			items := r.evaluateWithin(given[0].lo, given[0].hi, depth-1)
			if items.list == nil {
				return unknown(anonymous)
			}
			v = value{text: items.joined(v.text)}
		case v.list != nil && method == "join" && depth > 0: // node, ruby
			separator := fixed(",")
			if len(given) == 1 {
				separator = r.evaluateWithin(given[0].lo, given[0].hi, depth-1).text
			}
			v = value{text: v.joined(separator)}
		case v.list != nil && (method == "shelljoin" || method == "concat"):
			return value{text: fixed(r.argv(v))}
		default:
			return unknown(anonymous)
		}
	}
	return v
}

// fillPercents makes the fields of a % format, as %s, %(name)s and %5.1f, unknown.
func fillPercents(l literal) literal {
	var b literalBuilder
	for _, p := range l {
		if p.unknown != "" {
			b.add(p)
			continue
		}
		lastName := strings.LastIndexByte(p.text, ')')
		for i := 0; i < len(p.text); i++ {
			if p.text[i] != '%' {
				b.addByte(p.text[i])
				continue
			}
			field := anonymous
			i++
			if i < lastName && p.text[i] == '(' {
				end := strings.IndexByte(p.text[i:], ')')
				field = p.text[i+1 : i+end]
				i += end + 1
			}
			for i < len(p.text) && strings.IndexByte("#0- +.123456789*l", p.text[i]) >= 0 {
				i++
			}
			if i < len(p.text) && p.text[i] == '%' {
				b.addByte('%')
				continue
			}
			b.addUnknown(field)
		}
	}
	return b.literal()
}

// fillBraces makes the fields of python's str.format, as {} and {name}, unknown.
func fillBraces(l literal) literal {
	var b literalBuilder
	for _, p := range l {
		if p.unknown != "" {
			b.add(p)
			continue
		}
		rest := p.text
		for rest != "" {
			i := strings.IndexAny(rest, "{}")
			if i < 0 {
				break
			}
			b.addText(rest[:i])
			brace := rest[i : i+1]
			rest = rest[i+1:]
			if strings.HasPrefix(rest, brace) {
				b.addText(brace)
				rest = rest[1:]
				continue
			}
			field, after, closed := strings.Cut(rest, "}")
			if brace == "}" || !closed {
				break // not a format
			}
			field, _, _ = strings.Cut(field, ":")
			b.addUnknown(field)
			rest = after
		}
		b.addText(rest)
	}
	return b.literal()
}
