package policy

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// maxStoredDepth bounds how deep a stored expression is nested.
const maxStoredDepth = 500

// encodeAST writes a checked expression: the tree with its ids, and of what the checker
// found out the part that planning needs. Of cel-go's protobuf form it leaves out the
// places and the macros as they were written, the types of all that is no object, and
// the overloads of calls that have several, and it is read ten times as fast.
// An expression that uses what no rule can (messages of protobuf) is an error.
func encodeAST(a *ast.AST) (encoded []byte, err error) {
	e := &astEncoder{}
	e.expression(a.Expr(), 0)
	e.w.int(len(a.ReferenceMap()))
	for _, id := range sortedKeys(a.ReferenceMap()) {
		e.reference(id, a.ReferenceMap()[id])
	}
	planned := maps.Clone(a.TypeMap())
	maps.DeleteFunc(planned, func(_ int64, t *types.Type) bool { return t.Kind() != types.StructKind && t.Kind() != types.TypeKind })
	e.w.int(len(planned))
	for _, id := range sortedKeys(planned) {
		e.w.signed(id)
		e.typed(planned[id])
	}
	return e.w.bytes, e.err
}

func sortedKeys[V any](m map[int64]V) []int64 {
	keys := make([]int64, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// The kinds of stored references.
const (
	referenceName = iota
	referenceOverload
	referenceConstant
)

type astEncoder struct {
	w   writer
	err error
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
		e.expressions(c.Args(), depth)
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
			e.w.bool(entry.AsMapEntry().IsOptional())
			e.expression(entry.AsMapEntry().Key(), depth+1)
			e.expression(entry.AsMapEntry().Value(), depth+1)
		}
	case ast.ComprehensionKind:
		c := x.AsComprehension()
		e.w.string(c.IterVar())
		e.w.string(c.IterVar2())
		e.w.string(c.AccuVar())
		for _, part := range []ast.Expr{c.IterRange(), c.AccuInit(), c.LoopCondition(), c.LoopStep(), c.Result()} {
			e.expression(part, depth+1)
		}
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

// decodeAST reads what encodeAST wrote.
func decodeAST(encoded string) (*ast.AST, error) {
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
		return nil, d.r.err
	}
	return ast.NewCheckedAST(ast.NewAST(root, ast.NewSourceInfo(nil)), typeOf, references), nil
}

type astDecoder struct {
	r       reader
	factory ast.ExprFactory
	objects []*types.Type // that have been mentioned
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
