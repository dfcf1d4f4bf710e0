package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/lazyregexp"
	"github.com/claudewatch/claudewatch/internal/suggest"
	"github.com/claudewatch/claudewatch/predicates"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// operandsOf returns what a call or a list is made of, the receiver included.
func operandsOf(x ast.Expr) []ast.Expr {
	switch x.Kind() {
	case ast.CallKind:
		if x.AsCall().IsMemberFunction() {
			return append([]ast.Expr{x.AsCall().Target()}, x.AsCall().Args()...)
		}
		return x.AsCall().Args()
	case ast.ListKind:
		return x.AsList().Elements()
	}
	return nil
}

var noRange = lazyregexp.New(`^expression of type '(.*)' cannot be range of a comprehension`)

// noRange explains a macro over something that is no list or map. id is that of
// the range, of a type that the checker has named.
func (x *explainer) noRange(typeName string, id int64) (celError, bool) {
	if x.info == nil {
		return celError{}, false
	}
	for _, n := range x.nodes {
		if n.Kind() != ast.ComprehensionKind || n.AsComprehension().IterRange().ID() != id {
			continue
		}
		macro, found := x.info.GetMacroCall(n.ID())
		place, placed := x.info.GetOffsetRange(n.ID())
		if !found || !placed || macro.Kind() != ast.CallKind {
			continue
		}
		name, written := macro.AsCall().FunctionName(), "this"
		of := n.AsComprehension().IterRange()
		hint := ""
		if of.Kind() == ast.SelectKind && of.AsSelect().Operand().Kind() == ast.IdentKind {
			object, field := of.AsSelect().Operand().AsIdent(), of.AsSelect().FieldName()
			written = object + "." + field
			if nearest := suggest.Nearest(field, listsBeside(field, object == "input")); nearest != "" {
				hint = fmt.Sprintf(" (did you mean '%s.%s'?)", object, nearest)
			}
		}
		offset := x.nameBefore(int(place.Start), name)
		return x.errorAt(offset, "'%s' needs a list or map, and %s is %s%s", name, written, withArticle(typeName), hint), true
	}
	return celError{}, false
}

// listsBeside returns the lists and maps among the fields of the types that have a
// field of that name: Input, or all others.
func listsBeside(name string, onInput bool) []string {
	var names []string
	for _, t := range schema.ObjectTypes() {
		if onInput != (t.Type == schema.InputType) || !slices.ContainsFunc(t.Fields, func(f schema.Field) bool { return f.Name == name }) {
			continue
		}
		for _, f := range t.Fields {
			if f.Type.Kind() == types.ListKind || f.Type.Kind() == types.MapKind {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// isReceiver reports whether a name stands in front of a field or a method.
func (x *explainer) isReceiver(id int64) bool {
	if x.parents[id] != nil {
		return true
	}
	n := x.around[id]
	return n != nil && n.Kind() == ast.CallKind && n.AsCall().IsMemberFunction() && n.AsCall().Target().ID() == id
}

// wantsString reports whether a name stands where a string must: compared with a
// field that is one, in a list of which it is searched, or as the argument of a
// function about text.
func (x *explainer) wantsString(id int64) bool {
	around := x.around[id]
	if around != nil && around.Kind() == ast.CallKind && around.AsCall().FunctionName() == operators.Negate {
		id = around.ID()
		around = x.around[id]
	}
	if around != nil && around.Kind() == ast.ListKind {
		id = around.ID()
		around = x.around[id]
	}
	if around == nil || around.Kind() != ast.CallKind {
		return false
	}
	c := around.AsCall()
	switch c.FunctionName() {
	case operators.Equals, operators.NotEquals, operators.In:
		return slices.ContainsFunc(c.Args(), func(partner ast.Expr) bool { return partner.ID() != id && isText(partner) })
	}
	return c.IsMemberFunction() && c.Target().ID() != id && len(functionSignatures(c.FunctionName())) > 0
}

// isText reports whether an expression that is not checked is a string, or a list
// or map of them, by what it looks like.
func isText(x ast.Expr) bool {
	if _, ok := stringLiteral(x); ok {
		return true
	}
	if x.Kind() != ast.SelectKind {
		return false
	}
	for _, t := range schema.ObjectTypes() {
		for _, f := range t.Fields {
			if f.Name != x.AsSelect().FieldName() {
				continue
			}
			of := f.Type
			if ps := of.Parameters(); len(ps) > 0 {
				of = ps[0]
			}
			if of.Kind() == types.StringKind {
				return true
			}
		}
	}
	return false
}

// joinedTypes returns what stands beside a string in "(string, int)": a type that
// string() turns into one.
func joinedTypes(applied string) (beside string, ok bool) {
	left, right, _ := strings.Cut(strings.Trim(applied, "()"), ", ")
	if left == "string" {
		left, right = right, left
	}
	return left, right == "string" && slices.Contains([]string{"int", "uint", "double", "bool", "bytes"}, left)
}

// functionSignatures returns how a function of package predicates is called, as
// its reference shows it, without the result.
func functionSignatures(name string) []string {
	var signatures []string
	for _, f := range predicates.Functions() {
		if f.Name != name {
			continue
		}
		for _, o := range f.Overloads {
			call, _, _ := strings.Cut(o.Signature, " -> ")
			signatures = append(signatures, call)
		}
	}
	return signatures
}

// signaturesOf returns how a function is called: by the reference, or for CEL's
// own functions with the types alone.
func signaturesOf(function *decls.FunctionDecl) []string {
	if signatures := functionSignatures(function.Name()); len(signatures) > 0 {
		return signatures
	}
	name := function.Name()
	if _, isOperator := operators.FindReverse(name); isOperator {
		name = ""
	}
	var signatures []string
	for _, o := range function.OverloadDecls() {
		var arguments []string
		for _, t := range o.ArgTypes() {
			arguments = append(arguments, typeName(t))
		}
		receiver := ""
		if o.IsMemberFunction() && len(arguments) > 0 {
			receiver, arguments = arguments[0]+".", arguments[1:]
		}
		signatures = append(signatures, receiver+name+"("+strings.Join(arguments, ", ")+")")
	}
	return signatures
}
