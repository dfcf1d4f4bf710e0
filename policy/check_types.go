package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/lazyregexp"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/ast"
)

var noFields = lazyregexp.New(`^type '(.*)' does not support field selection$`)

// noField explains a field of something that has none. id is that of the selection.
func (x *explainer) noField(typeName string, id int64, offset int) (celError, bool) {
	n := x.nodes[id]
	if n == nil || n.Kind() != ast.SelectKind {
		return celError{}, false
	}
	field, of := n.AsSelect().FieldName(), n.AsSelect().Operand()
	offset = x.wordFrom(x.afterDot(offset), field)
	e := x.errorAt(offset, "%s has no field '%s'", withArticle(typeName), field)
	element, isList := strings.CutPrefix(typeName, "list(")
	switch {
	case functionOfOthers(field) == "size()":
		e.message += ": write size()"
	case x.isFunction(field):
		e.message += fmt.Sprintf(": it is a function, write %s(…)", field)
	case isList && hasField(strings.TrimSuffix(element, ")"), field):
		list := ""
		if of.Kind() == ast.SelectKind && of.AsSelect().Operand().Kind() == ast.IdentKind {
			list = of.AsSelect().Operand().AsIdent() + "." + of.AsSelect().FieldName() + "."
		}
		e.message += fmt.Sprintf(": ask its elements, with %sexists(x, x.%s …)", list, field)
	case isList:
		e.message += ": ask its elements, with exists(x, …)"
	}
	return e, true
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

// hasField reports whether objects of a type, of any for "", have a field.
func hasField(typeName, field string) bool {
	return slices.ContainsFunc(schema.ObjectTypes(), func(t *schema.ObjectType) bool {
		return (typeName == "" || t.Type.TypeName() == typeName) && slices.ContainsFunc(t.Fields, func(f schema.Field) bool { return f.Name == field })
	})
}

// listHint says how a list is made a condition.
const listHint = "ask whether it holds something, with size() > 0 or exists()"

// noBool explains an operand of a condition that is none; id is that of the operand.
func (x *explainer) noBool(typeName string, id int64) string {
	hint := "compare it with something"
	if strings.HasPrefix(typeName, "list(") {
		hint = listHint
	} else if n := x.nodes[id]; n != nil && n.Kind() == ast.LiteralKind && typeName == "string" {
		hint = `compare it too, or write value in ["a", "b"]`
	}
	return fmt.Sprintf("a condition must be of type bool, not %s: %s", typeName, hint)
}

// comparisonHint returns what to write instead of a comparison of other types.
// applied is the checker's "(list(string), string)".
func comparisonHint(operator, applied string) string {
	left, right := sides(applied)
	switch {
	case left == "null" || right == "null":
		return "there is no null here, what is absent is empty"
	case textField(left) != "" && right == "string":
		return fmt.Sprintf("take a field of the %s, as x.%s", left, textField(left))
	case textField(right) != "" && left == "string":
		return fmt.Sprintf("take a field of the %s, as x.%s", right, textField(right))
	case left != "list("+right+")" && right != "list("+left+")":
		return "both sides must have one type"
	case operator == "!=":
		return "to ask whether the list holds it write !(value in list)"
	}
	return "to ask whether the list holds it write value in list"
}

// sides returns the two types of "(list(string), string)".
func sides(applied string) (left, right string) {
	left, right, _ = strings.Cut(strings.TrimSuffix(strings.TrimPrefix(applied, "("), ")"), ", ")
	return left, right
}

// textField returns the field of an object that is most often compared with a text, ""
// for another type.
func textField(typeName string) string {
	switch typeName {
	case "Command":
		return "text"
	case "Script":
		return "content"
	case "Target", "Change":
		return "path"
	case "GitOp":
		return "verb"
	case "Call":
		return "name"
	case "Repo":
		return "root"
	}
	return ""
}

// membershipHint returns what to write instead of in with other types.
func membershipHint(applied string) string {
	left, right := sides(applied)
	element := strings.TrimSuffix(strings.TrimPrefix(right, "list("), ")")
	switch {
	case applied == "(string, string)":
		return "; for a part of a text write text.contains(part)"
	case left == "string" && element != right && textField(element) != "":
		return fmt.Sprintf("; of a list of %s write list.exists(x, x.%s == value)", element, textField(element))
	}
	return ""
}

// argumentHint returns how a function with some signatures is called that is applied to
// an object in the place of a text, or to a list in the place of its elements: applied
// is the checker's "(Target, string)" or "list(string).(string)".
func argumentHint(function, applied string, signatures []string) string {
	first, _ := sides(applied)
	if receiver, _, isMethod := strings.Cut(applied, ".("); isMethod {
		first = receiver
	}
	takesText := slices.ContainsFunc(signatures, func(s string) bool {
		return strings.HasPrefix(s, "string.") || strings.HasPrefix(s, "path.") || strings.HasPrefix(s, function+"(string")
	})
	switch {
	case textField(first) != "" && takesText:
		return fmt.Sprintf("; take a field of the %s, as x.%s", first, textField(first))
	case !strings.HasPrefix(applied, "list(") || !strings.Contains(applied, ").("):
		return ""
	case first == "list(string)" && function == "contains":
		return "; ask the elements of the list, with exists(x, x.contains(…)), or value in list"
	case takesText && first != "list(string)":
		return "; ask the elements of the list, with exists(x, …)"
	}
	return fmt.Sprintf("; ask the elements of the list, with exists(x, x.%s(…))", function)
}
