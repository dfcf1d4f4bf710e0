package policy

import (
	"fmt"
	"math"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// maxStoredDepth bounds how deep a stored expression or type is nested.
const maxStoredDepth = 500

// encodeAST writes a checked expression: the tree with its ids, and what the checker
// found out. Of cel-go's protobuf form it leaves out the places and the macros as
// they were written, which planning does not need, and it is read ten times as fast.
// An expression that uses what no rule can (messages of protobuf) is an error.
func encodeAST(a *ast.AST) (encoded []byte, err error) {
	e := &astEncoder{}
	e.expression(a.Expr(), 0)
	for _, id := range sortedKeys(a.ReferenceMap()) {
		e.reference(id, a.ReferenceMap()[id])
	}
	e.w.int(0)
	for _, id := range sortedKeys(a.TypeMap()) {
		if a.TypeMap()[id].IsExactType(types.DynType) {
			continue // what the planner takes a missing type for
		}
		e.w.signed(id)
		e.typed(a.TypeMap()[id], 0)
	}
	e.w.signed(0)
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
	referenceEnd = iota
	referenceName
	referenceOverloads
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
		e.w.int(referenceOverloads)
		e.w.signed(id)
		e.w.int(len(r.OverloadIDs))
		for _, o := range r.OverloadIDs {
			e.w.string(o)
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

// typed writes a type: its kind, its name where it has one of its own, its parameters.
func (e *astEncoder) typed(t *types.Type, depth int) {
	if depth > maxStoredDepth {
		e.fail("the type is nested too deeply")
		return
	}
	e.w.int(int(t.Kind()))
	switch t.Kind() {
	case types.ListKind, types.MapKind:
	case types.StructKind, types.TypeParamKind, types.OpaqueKind:
		e.w.string(t.TypeName())
	case types.TypeKind:
		e.w.int(len(t.Parameters()))
	default:
		if simpleTypes[t.Kind()] == nil || !t.IsExactType(simpleTypes[t.Kind()]) {
			e.fail("the type %s", t)
		}
	}
	if t.Kind() == types.OpaqueKind {
		e.w.int(len(t.Parameters()))
	}
	for _, p := range t.Parameters() {
		e.typed(p, depth+1)
	}
}

// simpleTypes are the types that are nothing but their kind.
var simpleTypes = map[types.Kind]*types.Type{
	types.DynKind: types.DynType, types.AnyKind: types.AnyType, types.BoolKind: types.BoolType, types.BytesKind: types.BytesType,
	types.DoubleKind: types.DoubleType, types.DurationKind: types.DurationType, types.ErrorKind: types.ErrorType,
	types.IntKind: types.IntType, types.NullTypeKind: types.NullType, types.StringKind: types.StringType,
	types.TimestampKind: types.TimestampType, types.UintKind: types.UintType,
}

// decodeAST reads what encodeAST wrote.
func decodeAST(encoded string) (*ast.AST, error) {
	d := &astDecoder{r: reader{rest: encoded}, factory: ast.NewExprFactory()}
	root := d.expression(0)
	references := map[int64]*ast.ReferenceInfo{}
	for kind := d.r.int(); kind != referenceEnd && d.r.err == nil; kind = d.r.int() {
		references[d.r.signed()] = d.reference(kind)
	}
	typeOf := map[int64]*types.Type{}
	for id := d.r.signed(); id != 0 && d.r.err == nil; id = d.r.signed() {
		typeOf[id] = d.typed(0)
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
}

func (d *astDecoder) reference(kind int) *ast.ReferenceInfo {
	switch kind {
	case referenceConstant:
		return ast.NewIdentReference(d.r.string(), d.literal())
	case referenceOverloads:
		overloads := make([]string, d.r.count())
		for i := range overloads {
			overloads[i] = d.r.string()
		}
		return ast.NewFunctionReference(overloads...)
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

func (d *astDecoder) typed(depth int) *types.Type {
	if depth > maxStoredDepth {
		d.r.fail()
	}
	kind := types.Kind(d.r.int())
	if d.r.err != nil {
		return types.DynType
	}
	switch kind {
	case types.ListKind:
		return types.NewListType(d.typed(depth + 1))
	case types.MapKind:
		key := d.typed(depth + 1)
		return types.NewMapType(key, d.typed(depth+1))
	case types.StructKind:
		return types.NewObjectType(d.r.string())
	case types.TypeParamKind:
		return types.NewTypeParamType(d.r.string())
	case types.OpaqueKind:
		name := d.r.string()
		return types.NewOpaqueType(name, d.typedList(depth)...)
	case types.TypeKind:
		if parameters := d.typedList(depth); len(parameters) == 1 {
			return types.NewTypeTypeWithParam(parameters[0])
		}
		return types.TypeType
	}
	if t := simpleTypes[kind]; t != nil {
		return t
	}
	d.r.fail()
	return types.DynType
}

func (d *astDecoder) typedList(depth int) []*types.Type {
	list := make([]*types.Type, d.r.count())
	for i := range list {
		list[i] = d.typed(depth + 1)
	}
	return list
}
