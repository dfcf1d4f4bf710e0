package policy

import (
	"fmt"
	"math"
	"slices"

	"github.com/claudewatch/claudewatch/internal/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// maxStoredDepth bounds how deep a stored expression is nested.
const maxStoredDepth = 500

// encodeAST writes a checked expression: the tree with its ids, and of what the checker
// found out the part that planning needs. Of cel-go's protobuf form it leaves out the
// places and the macros as they were written, the types of all that is no object, and
// the overloads of calls that have several, and it is read ten times as fast. Parts that
// may never be evaluated are written as expressions of their own, so that they are read
// and planned when they are.
// An expression that uses what no rule can (messages of protobuf) is an error.
func encodeAST(a *ast.AST) (encoded []byte, err error) { return encodeTree(a, a.Expr(), 0) }

func encodeTree(a *ast.AST, x ast.Expr, depth int) ([]byte, error) {
	e := &astEncoder{all: a}
	e.expression(x, depth)
	slices.Sort(e.ids)
	e.ids = slices.Compact(e.ids)
	references, typeOf := a.ReferenceMap(), a.TypeMap()
	e.each(func(id int64) bool { return references[id] != nil }, func(id int64) { e.reference(id, references[id]) })
	e.each(func(id int64) bool {
		t := typeOf[id]
		return t != nil && (t.Kind() == types.StructKind || t.Kind() == types.TypeKind)
	}, func(id int64) {
		e.w.signed(id)
		e.typed(typeOf[id])
	})
	return e.w.bytes, e.err
}

// The kinds of stored references.
const (
	referenceName = iota
	referenceOverload
	referenceConstant
)

type astEncoder struct {
	all *ast.AST
	w   writer
	ids []int64 // of the nodes that have been written
	err error
}

// each writes how many of the nodes are wanted, and each of them.
func (e *astEncoder) each(wanted func(id int64) bool, write func(id int64)) {
	ids := slices.DeleteFunc(slices.Clone(e.ids), func(id int64) bool { return !wanted(id) })
	e.w.int(len(ids))
	for _, id := range ids {
		write(id)
	}
}

func (e *astEncoder) fail(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf(format, args...)
	}
}

func (e *astEncoder) reference(id int64, r *ast.ReferenceInfo) {
	switch {
	case r.Value != nil:
		e.w.int(referenceConstant)
		e.w.signed(id)
		e.w.string(r.Name)
		e.literal(r.Value)
	case len(r.OverloadIDs) > 0:
		e.w.int(referenceOverload)
		e.w.signed(id)
		if len(r.OverloadIDs) == 1 {
			e.w.string(r.OverloadIDs[0])
		} else {
			e.w.string("") // the planner looks for the function by its name
		}
	default:
		e.w.int(referenceName)
		e.w.signed(id)
		e.w.string(r.Name)
	}
}

// expression writes the kind, the id, and what the kind has.
func (e *astEncoder) expression(x ast.Expr, depth int) {
	if depth > maxStoredDepth {
		e.fail("the expression is nested too deeply")
		return
	}
	e.w.int(int(x.Kind()))
	e.w.signed(x.ID())
	e.ids = append(e.ids, x.ID())
	switch x.Kind() {
	case ast.UnspecifiedExprKind:
	case ast.IdentKind:
		e.w.string(x.AsIdent())
	case ast.LiteralKind:
		e.literal(x.AsLiteral())
	case ast.SelectKind:
		s := x.AsSelect()
		e.w.string(s.FieldName())
		e.w.bool(s.IsTestOnly())
		e.expression(s.Operand(), depth+1)
	case ast.CallKind:
		c := x.AsCall()
		e.w.string(c.FunctionName())
		e.w.bool(c.IsMemberFunction())
		if c.IsMemberFunction() {
			e.expression(c.Target(), depth+1)
		}
		e.w.int(len(c.Args()))
		for i, arg := range c.Args() {
			if mayBeSkipped(c.FunctionName(), i) && !(c.FunctionName() == operators.Conditional && isAttribute(arg)) {
				e.part(arg, depth+1)
			} else {
				e.expression(arg, depth+1)
			}
		}
	case ast.ListKind:
		e.expressions(x.AsList().Elements(), depth)
		e.w.int(len(x.AsList().OptionalIndices()))
		for _, i := range x.AsList().OptionalIndices() {
			e.w.int(int(i))
		}
	case ast.MapKind:
		e.w.int(x.AsMap().Size())
		for _, entry := range x.AsMap().Entries() {
			e.w.signed(entry.ID())
			e.ids = append(e.ids, entry.ID())
			e.w.bool(entry.AsMapEntry().IsOptional())
			e.expression(entry.AsMapEntry().Key(), depth+1)
			e.expression(entry.AsMapEntry().Value(), depth+1)
		}
	case ast.ComprehensionKind:
		c := x.AsComprehension()
		e.w.string(c.IterVar())
		e.w.string(c.IterVar2())
		e.w.string(c.AccuVar())
		for _, x := range []ast.Expr{c.IterRange(), c.AccuInit(), c.LoopCondition()} {
			e.expression(x, depth+1)
		}
		e.part(c.LoopStep(), depth+1)
		e.expression(c.Result(), depth+1)
	default:
		e.fail("an expression of kind %v", x.Kind())
	}
}

func (e *astEncoder) expressions(list []ast.Expr, depth int) {
	e.w.int(len(list))
	for _, x := range list {
		e.expression(x, depth+1)
	}
}

// mayBeSkipped reports whether an operand of a function is only evaluated when others
// have been.
func mayBeSkipped(function string, operand int) bool {
	switch function {
	case operators.LogicalAnd, operators.LogicalOr, operators.Conditional:
		return operand > 0
	}
	return false
}

// isAttribute reports whether cel-go plans an expression as what can be selected from.
// As a branch such a one is part of the whole, whose place its errors have.
func isAttribute(x ast.Expr) bool {
	switch x.Kind() {
	case ast.IdentKind, ast.SelectKind:
		return true
	case ast.CallKind:
		function := x.AsCall().FunctionName()
		return function == operators.Index || function == operators.Conditional || function == operators.OptIndex || function == operators.OptSelect
	}
	return false
}

// partKind is the kind of a node that stands for a part; no kind of cel-go's has the number.
const partKind = 100

// minPart is the size in bytes from which a part is worth the work of planning it alone.
const minPart = 64

// part writes an expression that may never be evaluated.
func (e *astEncoder) part(x ast.Expr, depth int) {
	encoded, err := encodeTree(e.all, x, depth)
	if err != nil && e.err == nil {
		e.err = err
	}
	if len(encoded) < minPart {
		e.expression(x, depth)
		return
	}
	e.w.int(partKind)
	e.w.signed(x.ID())
	e.w.string(string(encoded))
}

// literal writes the kind of a constant and its value.
func (e *astEncoder) literal(v ref.Val) {
	kind := types.UnspecifiedKind
	if t, ok := v.Type().(*types.Type); ok {
		kind = t.Kind()
	}
	e.w.int(int(kind))
	switch v := v.(type) {
	case types.Bool:
		e.w.bool(bool(v))
	case types.Int:
		e.w.signed(int64(v))
	case types.Uint:
		e.w.signed(int64(v))
	case types.Double:
		e.w.signed(int64(math.Float64bits(float64(v))))
	case types.String:
		e.w.string(string(v))
	case types.Bytes:
		e.w.string(string(v))
	case types.Null:
	default:
		e.fail("a constant of type %s", v.Type().TypeName())
	}
}

// typed writes a type: the name of an object, "" for the type of types.
func (e *astEncoder) typed(t *types.Type) {
	if t.Kind() == types.TypeKind {
		e.w.string("")
		return
	}
	e.w.string(t.TypeName())
}

// decodeAST reads what encodeAST wrote, the parts when they are asked for.
func decodeAST(encoded string) (cel.Expression, error) {
	d := &astDecoder{r: reader{rest: encoded}, factory: ast.NewExprFactory()}
	root := d.expression(0)
	n := d.r.count()
	references := make(map[int64]*ast.ReferenceInfo, n)
	for range n {
		kind := d.r.int()
		references[d.r.signed()] = d.reference(kind)
	}
	n = d.r.count()
	typeOf := make(map[int64]*types.Type, n)
	for range n {
		typeOf[d.r.signed()] = d.typed()
	}
	if d.r.err == nil && d.r.rest != "" {
		d.r.fail()
	}
	if d.r.err != nil {
		return cel.Expression{}, d.r.err
	}
	x := cel.Expression{Tree: ast.NewCheckedAST(ast.NewAST(root, ast.NewSourceInfo(nil)), typeOf, references)}
	if parts := d.parts; len(parts) > 0 {
		x.Part = func(number int) (cel.Expression, error) {
			if number < 0 || number >= len(parts) {
				return cel.Expression{}, errImage
			}
			return decodeAST(parts[number])
		}
	}
	return x, nil
}

type astDecoder struct {
	r       reader
	factory ast.ExprFactory
	objects []*types.Type // that have been mentioned
	parts   []string
}

func (d *astDecoder) reference(kind int) *ast.ReferenceInfo {
	switch kind {
	case referenceConstant:
		return ast.NewIdentReference(d.r.string(), d.literal())
	case referenceOverload:
		if overload := d.r.string(); overload != "" {
			return ast.NewFunctionReference(overload)
		}
		return ast.NewFunctionReference()
	case referenceName:
		return ast.NewIdentReference(d.r.string(), nil)
	}
	d.r.fail()
	return nil
}

func (d *astDecoder) expression(depth int) ast.Expr {
	if depth > maxStoredDepth {
		d.r.fail()
	}
	kind, id := ast.ExprKind(d.r.int()), d.r.signed()
	if d.r.err != nil {
		return d.factory.NewUnspecifiedExpr(0)
	}
	switch kind {
	case ast.IdentKind:
		return d.factory.NewIdent(id, d.r.string())
	case ast.LiteralKind:
		return d.factory.NewLiteral(id, d.literal())
	case ast.SelectKind:
		field, test := d.r.string(), d.r.bool()
		if test {
			return d.factory.NewPresenceTest(id, d.expression(depth+1), field)
		}
		return d.factory.NewSelect(id, d.expression(depth+1), field)
	case ast.CallKind:
		function := d.r.string()
		if d.r.bool() {
			target := d.expression(depth + 1)
			return d.factory.NewMemberCall(id, function, target, d.expressions(depth)...)
		}
		return d.factory.NewCall(id, function, d.expressions(depth)...)
	case ast.ListKind:
		elements := d.expressions(depth)
		optional := make([]int32, d.r.count())
		for i := range optional {
			optional[i] = int32(d.r.int())
		}
		return d.factory.NewList(id, elements, optional)
	case ast.MapKind:
		entries := make([]ast.EntryExpr, d.r.count())
		for i := range entries {
			entry, isOptional := d.r.signed(), d.r.bool()
			key := d.expression(depth + 1)
			entries[i] = d.factory.NewMapEntry(entry, key, d.expression(depth+1), isOptional)
		}
		return d.factory.NewMap(id, entries)
	case ast.ComprehensionKind:
		variable, variable2, accumulator := d.r.string(), d.r.string(), d.r.string()
		var parts [5]ast.Expr
		for i := range parts {
			parts[i] = d.expression(depth + 1)
		}
		return d.factory.NewComprehensionTwoVar(id, parts[0], variable, variable2, accumulator, parts[1], parts[2], parts[3], parts[4])
	}
	if kind == partKind {
		d.parts = append(d.parts, d.r.string())
		return cel.NewPart(d.factory, id, len(d.parts)-1)
	}
	d.r.fail()
	return d.factory.NewUnspecifiedExpr(id)
}

func (d *astDecoder) expressions(depth int) []ast.Expr {
	list := make([]ast.Expr, d.r.count())
	for i := range list {
		list[i] = d.expression(depth + 1)
	}
	return list
}

func (d *astDecoder) literal() ref.Val {
	switch types.Kind(d.r.int()) {
	case types.BoolKind:
		return types.Bool(d.r.bool())
	case types.IntKind:
		return types.Int(d.r.signed())
	case types.UintKind:
		return types.Uint(d.r.signed())
	case types.DoubleKind:
		return types.Double(math.Float64frombits(uint64(d.r.signed())))
	case types.StringKind:
		return types.String(d.r.string())
	case types.BytesKind:
		return types.Bytes(d.r.string())
	case types.NullTypeKind:
		return types.NullValue
	}
	d.r.fail()
	return types.NullValue
}

func (d *astDecoder) typed() *types.Type {
	name := d.r.string()
	if name == "" {
		return types.TypeType
	}
	for _, t := range d.objects {
		if t.TypeName() == name {
			return t
		}
	}
	t := types.NewObjectType(name)
	d.objects = append(d.objects, t)
	return t
}
