package policy

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/claudewatch/claudewatch/internal/lazyregexp"
	"github.com/claudewatch/claudewatch/predicates"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
)

// wordsOfOthers are operators of other languages and what CEL writes instead.
var wordsOfOthers = map[string]string{
	"and": "&&", "or": "||", "not": "!", "is": "==", "=": "==", "===": "==", "!==": "!=", "&": "&&", "|": "||", "=~": "matches()", "<>": "!=", "=>": ">=",
	"if": "condition ? value : other", "for": "list.exists(x, condition)", "return": "the condition alone",
}

// noWordOfCEL says of one of wordsOfOthers, in any case, what to write instead; "" of
// another word.
func noWordOfCEL(word string) string {
	lower := strings.ToLower(word)
	switch instead := wordsOfOthers[lower]; {
	case instead == "":
		return ""
	case lower == "if" || lower == "for" || lower == "return":
		return fmt.Sprintf("'%s' is no word of CEL: write %s", word, instead)
	default:
		return fmt.Sprintf("'%s' is no operator of CEL: write %s", word, instead)
	}
}

// functionOfOthers returns what CEL has in the place of a function, or field, of other
// languages; "" when nothing is known.
func functionOfOthers(name string) string {
	switch strings.ToLower(strings.ReplaceAll(name, "_", "")) {
	case "any", "some", "find":
		return "exists(x, condition)"
	case "every":
		return "all(x, condition)"
	case "len", "length", "count":
		return "size()"
	case "lower", "tolower", "tolowercase", "downcase":
		return "lowerAscii()"
	case "upper", "toupper", "touppercase", "upcase":
		return "upperAscii()"
	case "includes":
		return "text.contains(part), or value in list"
	case "match", "test", "search", "regex":
		return "matches(r'…')"
	case "first":
		return "list[0], behind size(list) > 0 &&"
	case "last":
		return "list[size(list) - 1], behind size(list) > 0 &&"
	case "strip":
		return "trim()"
	case "hasprefix":
		return "startsWith()"
	case "hassuffix":
		return "endsWith()"
	case "str":
		return "string()"
	}
	return ""
}

// prose returns that a value is plain text where an expression stands, nil when it may
// be meant as one; what names it.
func prose(s *Scalar, what string) []Diagnostic {
	hint := "for a text of commands write it as a regex in 'pattern'"
	if what == "message" {
		if strings.Contains(s.Text, `"`) || strings.Contains(s.Text, "input.") || strings.Contains(s.Text, variablesPrefix) {
			return nil
		}
		hint = "write plain text in 'reason'"
	} else {
		words := strings.Fields(s.Text)
		if len(words) < 2 || strings.ContainsAny(s.Text, `"'()=<>&|!?[]{}.`) || slices.ContainsFunc(words, func(w string) bool { return wordsOfOthers[w] != "" || w == "in" }) {
			return nil
		}
	}
	return []Diagnostic{s.diagnostic(Fault, codeCEL, 0, runeCount(s.Text), fmt.Sprintf("'%s' is an expression in CEL: %s", what, hint))}
}

// fieldOfOthers returns the field that has what hook events, or other programs, have
// under a name; "" when nothing is known.
func fieldOfOthers(name string, onInput bool) string {
	if onInput {
		switch name {
		case "tool_name":
			return "tool"
		case "tool_input", "arguments", "parameters":
			return "args"
		case "hook_event_name":
			return "event"
		case "file_path", "file", "filename":
			return "path"
		case "cmd":
			return "command"
		}
		return ""
	}
	switch name {
	case "name", "cmd", "command":
		return "program"
	case "arguments", "argv":
		return "args"
	case "options":
		return "flags"
	}
	if hasField(schema.RepoType.TypeName(), name) {
		return "repo." + name
	}
	return ""
}

// macroBegun is a macro up to the name that it binds.
var macroBegun = lazyregexp.New(`\b(all|exists|exists_one|filter|map)\s*([({])\s*\w+\s*-?\s*$`)

// foreignSyntax explains a syntax error at what other languages or word processors
// write.
func (x *explainer) foreignSyntax(offset int) (celError, bool) {
	e := celError{offset: offset, width: x.width(offset), syntax: true}
	if offset >= len(x.text) {
		return e, false
	}
	say := func(format string, a ...any) (celError, bool) {
		e.message = "syntax error: " + fmt.Sprintf(format, a...)
		return e, true
	}
	front := string(x.text[:offset])
	r, word := x.text[offset], x.at(offset)
	if m := macroBegun().FindStringSubmatch(front); m != nil && (m[2] == "{" || r != ',') {
		return say("'%s' is used as %s", m[1], macroUsage[m[1]])
	}
	if foreign := noWordOfCEL(word); foreign != "" {
		return say("%s", foreign)
	}
	if begin, before := x.wordBefore(offset); noWordOfCEL(before) != "" {
		e.offset, e.width = begin, runeCount(before) // before an operand, which is then the error
		return say("%s", noWordOfCEL(before))
	}
	front = strings.TrimRight(front, " \t\n")
	behindOperand := front != "" && (isWordRune(x.text[runeCount(front)-1]) || strings.ContainsAny(front[len(front)-1:], `)]"'`))
	switch {
	case r == '~' && behindOperand:
		return say("'~' is no operator of CEL: write matches()")
	case slices.Contains([]string{"contains", "startsWith", "endsWith", "matches"}, word):
		return say("'%s' is a method: write text.%s(…)", word, word)
	case strings.ContainsRune("“”„‘’«»`", r):
		return say("unexpected '%c': a string stands in plain quotes, \" or '", r)
	case r > unicode.MaxASCII && unicode.IsSpace(r):
		return say("U+%04X is no plain space: write one", r)
	case strings.ContainsRune("/~*$", r):
		return say("unexpected '%c': a string needs quotes", r)
	case r == '#':
		return say("unexpected '#': a comment begins with //")
	case r == ';':
		return say("unexpected ';': a condition is one expression, without it")
	case r == ',' && strings.Count(front, "(") == strings.Count(front, ")") && !strings.ContainsAny(front, "[{"):
		return say("unexpected ',': join conditions with &&")
	}
	return e, false
}

// wordBefore returns the word in front of an offset and where it begins.
func (x *explainer) wordBefore(offset int) (begin int, word string) {
	end := offset
	for end > 0 && strings.ContainsRune(" \t\n", x.text[end-1]) {
		end--
	}
	begin = end
	for begin > 0 && isWordRune(x.text[begin-1]) {
		begin--
	}
	return begin, string(x.text[begin:end])
}

// following returns the expressions whose errors follow from that of a call: all in
// a macro that is not used as one, and the names that a call binds which would be a
// macro if its name were right.
func (x *explainer) following(issues []*common.Error) map[int64]bool {
	ids := map[int64]bool{}
	for _, issue := range issues {
		n := x.nodes[issue.ExprID]
		if n == nil || n.Kind() != ast.CallKind || !n.AsCall().IsMemberFunction() || !undeclaredReference().MatchString(issue.Message) {
			continue
		}
		args := n.AsCall().Args()
		isMacro := macroUsage[n.AsCall().FunctionName()] != ""
		binds := len(args) >= 2 && args[0].Kind() == ast.IdentKind
		for _, arg := range args {
			ast.PreOrderVisit(arg, ast.NewExprVisitor(func(below ast.Expr) {
				if isMacro || binds && below.Kind() == ast.IdentKind && below.AsIdent() == args[0].AsIdent() {
					ids[below.ID()] = true
				}
			}))
		}
	}
	return ids
}

// isFunction reports whether a name is one of a function.
func (x *explainer) isFunction(name string) bool {
	_, ok := x.env.env.Function(name)
	return ok
}

// called shows how a function is called that is written without its arguments.
func called(name string) string {
	if predicates.IsPredicate(name) {
		return name + "(input)"
	}
	return name + "(…)"
}
