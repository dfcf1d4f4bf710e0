package policy

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"

	"github.com/claudewatch/claudewatch/internal/lazyregexp"
)

// wordsOfOthers are operators of other languages and what CEL writes instead.
var wordsOfOthers = map[string]string{
	"and": "&&", "or": "||", "not": "!", "is": "==", "if": "condition ? value : other",
	"=": "==", "===": "==", "!==": "!=", "&": "&&", "|": "||", "=~": "matches()", "<>": "!=", "=>": ">=, or exists(x, condition)",
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

// foreignSyntax explains a syntax error at what other languages or word processors
// write; "" when it is none of that.
func (x *explainer) foreignSyntax(offset int) (celError, bool) {
	e := celError{offset: offset, width: x.width(offset), syntax: true}
	if offset >= len(x.text) {
		return e, false
	}
	word := x.at(offset)
	if begin, before := x.wordBefore(offset); wordsOfOthers[word] == "" && wordsOfOthers[before] != "" {
		word, e.offset, e.width = before, begin, runeCount(before) // before an operand, which is then the error
	}
	switch r := x.text[offset]; {
	case wordsOfOthers[word] != "":
		e.message = fmt.Sprintf("syntax error: '%s' is no operator of CEL: write %s", word, wordsOfOthers[word])
	case slices.Contains([]string{"contains", "startsWith", "endsWith", "matches"}, word):
		e.message = fmt.Sprintf("syntax error: '%s' is a method: write text.%s(…)", word, word)
	case strings.ContainsRune("“”„‘’«»", r):
		e.message = fmt.Sprintf("syntax error: unexpected '%c': a string stands in plain quotes, \" or '", r)
	case r > unicode.MaxASCII && unicode.IsSpace(r):
		e.message = fmt.Sprintf("syntax error: U+%04X is no plain space: write one", r)
	case strings.ContainsRune("/~*", r):
		e.message = fmt.Sprintf("syntax error: unexpected '%c': a string needs quotes", r)
	default:
		return e, false
	}
	return e, true
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

// bound returns the identifiers that calls bind which would be macros if their name
// were right: what is wrong is the name.
func (x *explainer) bound(issues []*common.Error) map[int64]bool {
	ids := map[int64]bool{}
	for _, issue := range issues {
		n := x.nodes[issue.ExprID]
		if n == nil || n.Kind() != ast.CallKind || !undeclaredReference().MatchString(issue.Message) {
			continue
		}
		args := n.AsCall().Args()
		if !n.AsCall().IsMemberFunction() || len(args) < 2 || args[0].Kind() != ast.IdentKind {
			continue
		}
		ast.PreOrderVisit(n, ast.NewExprVisitor(func(below ast.Expr) {
			if below.Kind() == ast.IdentKind && below.AsIdent() == args[0].AsIdent() {
				ids[below.ID()] = true
			}
		}))
	}
	return ids
}

var noFields = lazyregexp.New(`^type '(.*)' does not support field selection$`)

// noField explains a field of something that has none. id is that of the selection.
func (x *explainer) noField(typeName string, id int64, offset int) (celError, bool) {
	n := x.nodes[id]
	if n == nil || n.Kind() != ast.SelectKind {
		return celError{}, false
	}
	field, of := n.AsSelect().FieldName(), n.AsSelect().Operand()
	offset = x.wordFrom(x.afterDot(offset), field)
	e := celError{offset: offset, width: x.width(offset), message: fmt.Sprintf("%s has no field '%s'", withArticle(typeName), field)}
	element, isList := strings.CutPrefix(typeName, "list(")
	switch {
	case functionOfOthers(field) == "size()":
		e.message += ": write size()"
	case isList && hasField(strings.TrimSuffix(element, ")"), field):
		list := ""
		if of.Kind() == ast.SelectKind && of.AsSelect().Operand().Kind() == ast.IdentKind {
			list = of.AsSelect().Operand().AsIdent() + "." + of.AsSelect().FieldName() + "."
		}
		e.message += fmt.Sprintf(": ask its elements, with %sexists(x, x.%s …)", list, field)
	}
	return e, true
}

func hasField(typeName, field string) bool {
	for _, t := range schema.ObjectTypes() {
		if t.Type.TypeName() == typeName {
			return slices.ContainsFunc(t.Fields, func(f schema.Field) bool { return f.Name == field })
		}
	}
	return false
}

// withArticle names a value of a type.
func withArticle(typeName string) string {
	switch {
	case strings.HasPrefix(typeName, "list("):
		return "a list"
	case typeName == "int":
		return "an int"
	case slices.Contains([]string{"string", "bool"}, typeName):
		return "a " + typeName
	}
	return "a value of type " + typeName
}

// comparisonHint returns what to write instead of a comparison of other types.
// applied is the checker's "(list(string), string)".
func comparisonHint(operator, applied string) string {
	left, right, _ := strings.Cut(strings.Trim(strings.TrimSuffix(applied, ")"), "("), ", ")
	switch {
	case left == "null" || right == "null":
		return "there is no null here, what is absent is empty"
	case left != "list("+right+")" && right != "list("+left+")":
		return "both sides must have one type"
	case operator == "!=":
		return "to ask whether the list holds it write !(value in list)"
	}
	return "to ask whether the list holds it write value in list"
}

// elementHint returns how a method of elements is called that is applied to their
// list: applied is the checker's "list(string).(string)".
func elementHint(function, applied string) string {
	if !strings.HasPrefix(applied, "list(") || !strings.Contains(applied, ").(") {
		return ""
	}
	isText := strings.HasPrefix(applied, "list(string)")
	switch {
	case !isText && len(functionSignatures(function)) == 0: // one of strings
		return "; ask the elements of the list, with exists(x, …)"
	case isText && function == "contains":
		return "; ask the elements of the list, with exists(x, x.contains(…)), or value in list"
	}
	return fmt.Sprintf("; ask the elements of the list, with exists(x, x.%s(…))", function)
}
