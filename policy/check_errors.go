package policy

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/claudewatch/claudewatch/internal/suggest"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/claudewatch/claudewatch/internal/lazyregexp"
)

// celError is an error of CEL's parser or checker in this program's words, with
// its place in the expression, in runes.
type celError struct {
	offset, width int
	message       string
	syntax        bool
}

// scalarErrors turns the issues of an expression into diagnostics.
func (e *Environment) scalarErrors(s *Scalar, issues []*common.Error) []Diagnostic {
	var diagnostics []Diagnostic
	for _, issue := range e.explain(s.Text, issues) {
		diagnostics = append(diagnostics, s.diagnostic(Fault, codeCEL, issue.offset, issue.width, issue.message))
	}
	return diagnostics
}

// loweredErrors turns the issues of a lowered rule, whose pieces are all well by
// themselves, into diagnostics at the piece that is nearest.
func (e *Environment) loweredErrors(lowered *Lowered, issues []*common.Error) []Diagnostic {
	var diagnostics []Diagnostic
	for _, issue := range e.explain(lowered.Text, issues) {
		var nearest *Part
		for i := range lowered.Parts {
			if p := &lowered.Parts[i]; p.Scalar != nil && (nearest == nil || p.Start <= issue.offset) {
				nearest = p
			}
		}
		if nearest == nil {
			continue
		}
		offset := 0
		if nearest.Verbatim {
			offset = max(0, min(issue.offset, nearest.End)-nearest.Start)
		}
		diagnostics = append(diagnostics, nearest.Scalar.diagnostic(Fault, codeCEL, offset, issue.width, issue.message))
	}
	return diagnostics
}

// explainer holds what the messages about one expression need.
type explainer struct {
	env  *Environment
	text []rune
	// nodes and parents are of the parsed expression, by id; empty when it does not parse.
	nodes   map[int64]ast.Expr
	parents map[int64]ast.Expr
	// around holds the call or list that an expression is an operand of; info has
	// the places and macros of the parsed expression.
	around map[int64]ast.Expr
	info   *ast.SourceInfo
	locals []string // names that macros bind
}

// explain puts issues into this program's words: ordered, without repetitions.
func (e *Environment) explain(text string, issues []*common.Error) []celError {
	x := &explainer{env: e, text: []rune(text), nodes: map[int64]ast.Expr{}, parents: map[int64]ast.Expr{}, around: map[int64]ast.Expr{}}
	source := common.NewTextSource(text)
	x.index(text)
	var errors []celError
	seen := map[string]bool{}
	following := x.following(issues)
	for _, issue := range issues {
		if len(errors) > 0 && errors[0].syntax {
			break // what follows a syntax error is what the parser made of it
		}
		if following[issue.ExprID] {
			continue
		}
		offset := 0
		if o, ok := source.LocationOffset(issue.Location); ok {
			offset = int(o)
		}
		found := x.explain(issue, max(0, min(offset, len(x.text))))
		key := fmt.Sprint(found.offset, found.message)
		if !seen[key] {
			seen[key] = true
			errors = append(errors, found)
		}
	}
	sort.SliceStable(errors, func(i, j int) bool { return errors[i].offset < errors[j].offset })
	return errors
}

// index parses the expression again for its nodes: a failed check returns none.
func (x *explainer) index(text string) {
	defer func() { _ = recover() }() // the panic has been reported as an issue
	parsed, issues := x.env.env.Parse(text)
	if len(issues) > 0 {
		return
	}
	x.info = parsed.SourceInfo()
	ast.PreOrderVisit(parsed.Expr(), ast.NewExprVisitor(func(n ast.Expr) {
		for _, operand := range operandsOf(n) {
			x.around[operand.ID()] = n
		}
		x.nodes[n.ID()] = n
		switch n.Kind() {
		case ast.SelectKind:
			x.parents[n.AsSelect().Operand().ID()] = n
		case ast.ComprehensionKind:
			x.locals = append(x.locals, n.AsComprehension().IterVar())
		}
	}))
}

var (
	undefinedField      = lazyregexp.New(`^undefined field '(.*)'$`)
	undeclaredReference = lazyregexp.New(`^undeclared reference to '(.*)' \(in container '.*'\)$`)
	noOverload          = lazyregexp.New(`^found no matching overload for '(.*)' applied to '(.*)'$`)
	noBool              = lazyregexp.New(`^expected type 'bool' but found '(.*)'$`)
	badHas              = lazyregexp.New(`^invalid argument to has\(\) macro$`)
	syntaxError         = lazyregexp.New(`(?s)^Syntax error: (.*)$`)
)

// errorAt returns an error of the word at an offset.
func (x *explainer) errorAt(offset int, format string, a ...any) celError {
	return celError{offset: offset, width: x.width(offset), message: fmt.Sprintf(format, a...)}
}

func (x *explainer) explain(issue *common.Error, offset int) celError {
	if m := undefinedField().FindStringSubmatch(issue.Message); m != nil {
		offset = x.wordFrom(x.afterDot(offset), m[1])
		return x.errorAt(offset, "undefined field '%s'%s", m[1], x.fieldHint(m[1], x.nodes[issue.ExprID]))
	}
	if m := undeclaredReference().FindStringSubmatch(issue.Message); m != nil {
		return x.undeclared(m[1], issue.ExprID, offset)
	}
	if m := noOverload().FindStringSubmatch(issue.Message); m != nil {
		if x.isName(m[1]) {
			offset = x.nameBefore(offset, m[1])
		}
		return x.errorAt(offset, "%s", x.overloads(m[1], m[2]))
	}
	if m := syntaxError().FindStringSubmatch(issue.Message); m != nil {
		return x.syntax(m[1], offset)
	}
	if m := noBool().FindStringSubmatch(issue.Message); m != nil {
		offset = x.afterDot(offset)
		return x.errorAt(offset, "%s", x.noBool(m[1], issue.ExprID))
	}
	if badHas().MatchString(issue.Message) {
		offset = x.nameBefore(offset, "has")
		return x.errorAt(offset, "'has' is used as %s", macroUsage["has"])
	}
	if m := noFields().FindStringSubmatch(issue.Message); m != nil {
		if found, ok := x.noField(m[1], issue.ExprID, offset); ok {
			return found
		}
	}
	if m := noRange().FindStringSubmatch(issue.Message); m != nil {
		if found, ok := x.noRange(m[1], issue.ExprID); ok {
			return found
		}
	}
	return x.errorAt(offset, "%s", issue.Message)
}

// fieldHint says what may have been meant by a field that there is not.
func (x *explainer) fieldHint(name string, n ast.Expr) string {
	onInput := n != nil && n.Kind() == ast.SelectKind && n.AsSelect().Operand().Kind() == ast.IdentKind && n.AsSelect().Operand().AsIdent() == "input"
	switch {
	case fieldOfOthers(name, onInput) != "":
		return " (did you mean '" + fieldOfOthers(name, onInput) + "'?)"
	case x.isFunction(name):
		return ": it is a function, write " + called(name)
	}
	return suggest.Hint(name, fieldsBeside(name, onInput))
}

// fieldsBeside returns the fields that may have been meant: those of Input, or those
// of all other types that have no field of that name.
func fieldsBeside(name string, onInput bool) []string {
	var names []string
	for _, t := range schema.ObjectTypes() {
		if onInput != (t.Type == schema.InputType) {
			continue
		}
		var fields []string
		for _, f := range t.Fields {
			fields = append(fields, f.Name)
		}
		if !slices.Contains(fields, name) {
			names = append(names, fields...)
		}
	}
	return names
}

// macroUsage shows how the macros are used. A call that is not used so is no macro
// to the parser and no function to the checker.
var macroUsage = map[string]string{
	"has":        "has(input.field)",
	"all":        "list.all(x, condition)",
	"exists":     "list.exists(x, condition)",
	"exists_one": "list.exists_one(x, condition)",
	"filter":     "list.filter(x, condition)",
	"map":        "list.map(x, expression)",
}

// undeclared explains a name that nothing declares: a variable of the set, a
// function, or another identifier.
func (x *explainer) undeclared(name string, id int64, offset int) celError {
	node := x.nodes[id]
	switch {
	case node != nil && node.Kind() == ast.CallKind:
		offset = x.nameBefore(offset, name)
		if usage := macroUsage[name]; usage != "" {
			if name == "has" && node.AsCall().IsMemberFunction() {
				usage += "; for an element of a list write value in list"
			}
			return x.errorAt(offset, "'%s' is used as %s", name, usage)
		}
		if instead := functionOfOthers(name); instead != "" {
			return x.errorAt(offset, "unknown function '%s': write %s", name, instead)
		}
		if hasField("", name) {
			return x.errorAt(offset, "unknown function '%s': it is a field, and stands without (…)", name)
		}
		functions := slices.DeleteFunc(x.env.env.Functions(), func(f string) bool { return !x.isName(f) })
		functions = append(functions, slices.Sorted(maps.Keys(macroUsage))...)
		return x.errorAt(offset, "unknown function '%s'%s", name, suggest.Hint(name, functions))
	case name == "variables" && x.parents[id] != nil:
		name = x.parents[id].AsSelect().FieldName()
		offset = x.afterDot(offset + len("variables"))
		hint := suggest.Hint(name, x.variables())
		if len(x.variables()) == 0 {
			hint = ": the set has none before it"
		}
		return x.errorAt(offset, "undefined variable '%s'%s", name, hint)
	}
	names := append([]string{"input"}, x.locals...)
	for _, v := range x.variables() {
		if v == name {
			return x.errorAt(offset, "undefined name '%s': write variables.%s", name, name)
		}
		names = append(names, v)
	}
	if x.isFunction(name) {
		return x.errorAt(offset, "undefined name '%s': it is a function, write %s", name, called(name))
	}
	for _, field := range schema.ObjectTypes()[0].Fields {
		if field.Name == name && (x.parents[id] == nil || field.Type.Kind() == types.MapKind) {
			return x.errorAt(offset, "undefined name '%s': write input.%s", name, name)
		}
	}
	dashes := 0 // those of an option are negations to the parser
	for dashes < offset && x.text[offset-dashes-1] == '-' {
		dashes++
	}
	hint := suggest.Hint(name, names)
	switch {
	case (hint == "" || dashes > 0) && x.wantsString(id):
		hint = fmt.Sprintf(" (a string needs quotes: '%s')", strings.Repeat("-", dashes)+name)
	case hint == "" && x.isReceiver(id):
		hint = fmt.Sprintf(": a name stands for an element of a list, as in input.commands.exists(%s, …)", name)
	}
	return x.errorAt(offset, "undefined name '%s'%s", name, hint)
}

// variables returns the names of the set's variables that are declared so far.
func (x *explainer) variables() []string {
	var names []string
	for _, v := range x.env.env.Variables() {
		if name, ok := variableName(v.Name()); ok {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// maxOverloads is how many overloads a message lists.
const maxOverloads = 6

// overloads explains a call with arguments that no overload takes. applied is the
// checker's "(string, int)" or "string.(int)".
func (x *explainer) overloads(name, applied string) string {
	operator, isOperator := operators.FindReverse(name)
	if !isOperator || operator == "" {
		operator = name
	}
	switch name {
	case operators.Conditional:
		return fmt.Sprintf("'? :' takes a bool and two values of one type, not %s", applied)
	case operators.Index:
		hint := ""
		if strings.HasPrefix(applied, "(list(") && strings.HasSuffix(applied, ", string)") {
			hint = ": a list is read by number; to ask whether it holds a value write value in list"
		}
		return fmt.Sprintf("'[ ]' cannot be applied to %s%s", applied, hint)
	case operators.LogicalNot:
		if strings.HasPrefix(applied, "(list(") {
			return fmt.Sprintf("'!' cannot be applied to %s: it takes (bool): %s", applied, listHint)
		}
	case operators.Equals, operators.NotEquals, operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		return fmt.Sprintf("'%s' cannot compare %s: %s", operator, applied, comparisonHint(operator, applied))
	case operators.In:
		return fmt.Sprintf("'in' cannot be applied to %s: it takes a value and a list, or a key and a map%s", applied, membershipHint(applied))
	}
	message := fmt.Sprintf("'%s' cannot be applied to %s", operator, applied)
	if joined, ok := joinedTypes(applied); ok && name == operators.Add {
		return fmt.Sprintf("%s: use string(x) for the %s", message, joined)
	}
	function, ok := x.env.env.Function(name)
	if !ok {
		return message
	}
	signatures := signaturesOf(function)
	if len(signatures) > maxOverloads {
		signatures = append(signatures[:maxOverloads], "…")
	}
	return message + ": it takes " + strings.Join(signatures, " or ") + argumentHint(name, applied, signatures)
}

func typeName(t *types.Type) string { return checker.FormatCELType(t) }

var (
	unexpectedInput = lazyregexp.New(`(?s)^(?:mismatched|extraneous) input (.*?) expecting (.*)$`)
	unexpectedToken = lazyregexp.New(`(?s)^token recognition error at: '(.*)'$`)
	noViable        = lazyregexp.New(`(?s)^no viable alternative at input '(.*)'$`)
	missingToken    = lazyregexp.New(`(?s)^missing (.*) at (.*)$`)
)

// syntax puts an error of the ANTLR parser into words.
func (x *explainer) syntax(message string, offset int) celError {
	for offset >= len(x.text) && offset > 0 && strings.ContainsRune(" \t\n", x.text[offset-1]) {
		offset--
		x.text = x.text[:offset] // the end is behind the last word, not on an empty line
	}
	if e, ok := x.foreignSyntax(offset); ok {
		return e
	}
	e := celError{offset: offset, width: x.width(offset), message: "syntax error: " + message, syntax: true}
	if offset >= len(x.text) {
		e.message = "syntax error: the expression ends too early"
	} else if m := unexpectedToken().FindStringSubmatch(message); m != nil {
		e.message = fmt.Sprintf("syntax error: unexpected '%s'", m[1])
		if strings.HasPrefix(m[1], `"`) || strings.HasPrefix(m[1], "'") {
			e.message = "syntax error: the string has no end or a bad escape: write a regex as r'…'"
			e.width = 1
		}
	} else if m := missingToken().FindStringSubmatch(message); m != nil {
		e.message = fmt.Sprintf("syntax error: %s is missing before %s", m[1], m[2])
		if m[2] == "','" {
			e.message += ": a list stands in […]"
		}
	} else if m := unexpectedInput().FindStringSubmatch(message); m != nil {
		e.message = fmt.Sprintf("syntax error: unexpected %s", m[1])
		if strings.Count(m[2], ",") < 3 && !strings.Contains(m[2], "<EOF>") {
			e.message += ", expecting " + strings.Trim(m[2], "{}")
		}
	} else if noViable().MatchString(message) {
		e.message = fmt.Sprintf("syntax error: unexpected '%s'", x.at(offset))
	}
	return e
}

func (x *explainer) isName(s string) bool { return isIdentifier(strings.ReplaceAll(s, ".", "_")) }

func (x *explainer) afterDot(offset int) int { return afterDot(x.text, offset) }

// afterDot moves from the dot of a selection, where cel-go sees it, to the field.
func afterDot(text []rune, offset int) int {
	i := offset
	for i < len(text) && strings.ContainsRune(". \t\n?", text[i]) {
		i++
	}
	if i < len(text) && offset < len(text) && text[offset] == '.' && isWordRune(text[i]) {
		return i
	}
	return offset
}

// wordFrom moves to a word that stands at an offset or soon after it: cel-go sees
// has(input.field) at its parenthesis.
func (x *explainer) wordFrom(offset int, word string) int {
	want := []rune(word)
	for i := offset; i+len(want) <= len(x.text) && i < offset+200; i++ {
		begins := i == 0 || !isWordRune(x.text[i-1])
		ends := i+len(want) == len(x.text) || !isWordRune(x.text[i+len(want)])
		if begins && ends && slices.Equal(x.text[i:i+len(want)], want) {
			return i
		}
	}
	return offset
}

// nameBefore moves from the parenthesis of a call, where cel-go sees it, to the
// last word of the function's name.
func (x *explainer) nameBefore(offset int, name string) int {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	want := []rune(name)
	for i := min(offset, len(x.text)) - len(want); i >= 0 && i > offset-len(want)-80; i-- {
		if slices.Equal(x.text[i:i+len(want)], want) {
			return i
		}
	}
	return offset
}

// at returns the word or operator at an offset.
func (x *explainer) at(offset int) string {
	return string(x.text[min(offset, len(x.text)):min(offset+x.width(offset), len(x.text))])
}

// width returns how many runes the word or operator at an offset has.
func (x *explainer) width(offset int) int {
	end := offset
	switch {
	case offset >= len(x.text):
		return 1
	case isWordRune(x.text[offset]):
		for end < len(x.text) && isWordRune(x.text[end]) {
			end++
		}
	case strings.ContainsRune("=!<>&|+-*/%~", x.text[offset]):
		for end < len(x.text) && strings.ContainsRune("=!<>&|~", x.text[end]) {
			end++
		}
	case x.text[offset] == '"' || x.text[offset] == '\'':
		s := &celScanner{text: x.text, at: offset}
		s.quoted(false)
		end = s.at
	}
	return max(end-offset, 1)
}
