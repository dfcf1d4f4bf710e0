package cel

import (
	"errors"
	"slices"
	"sort"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/parser"
)

// listTrait is what a value must be for a binding of all overloads to be called.
const listTrait = traits.ListerType

// maxRange bounds lists.range().
const maxRange = 1_000_000

// sortedByKeys is the function behind sortBy().
const sortedByKeys = "@sortByAssociatedKeys"

// listFunctions are CEL's extension for lists, but for reverse, which texts have too:
// https://pkg.go.dev/github.com/google/cel-go/ext#Lists
func listFunctions() []Function {
	list, number, anything := types.NewListType(types.NewTypeParamType("T")), types.IntType, types.NewListType(types.DynType)
	method := func(id string, result *types.Type, bind func(args ...ref.Val) ref.Val, parameters ...*types.Type) Overload {
		return Overload{ID: id, Member: true, Parameters: parameters, Result: result, Bind: bind}
	}
	sorted := Function{Name: "sort", Doc: "the elements in ascending order", Bind: func(args ...ref.Val) ref.Val { return sortedBy(args[0], args[0]) }}
	sortedByOthers := Function{Name: sortedByKeys, Bind: func(args ...ref.Val) ref.Val { return sortedBy(args[0], args[1]) }}
	for _, t := range []*types.Type{types.IntType, types.UintType, types.DoubleType, types.BoolType, types.DurationType, types.TimestampType, types.StringType, types.BytesType} {
		of := types.NewListType(t)
		sorted.Overloads = append(sorted.Overloads, method("list_"+t.TypeName()+"_sort", of, nil, of))
		sortedByOthers.Overloads = append(sortedByOthers.Overloads, method("list_"+t.TypeName()+"_sortByAssociatedKeys", list, nil, list, of))
	}
	return []Function{
		{Name: "slice", Doc: "the elements from a place up to, and without, another one, counted from 0", Overloads: []Overload{method("list_slice", list, slice, list, number, number)}},
		{Name: "flatten", Doc: "the elements of the lists in the list; the number is how deep", Dynamic: true, Overloads: []Overload{
			method("list_flatten", list, flatten, types.NewListType(list)),
			method("list_flatten_int", anything, flatten, anything, number),
		}},
		sorted,
		sortedByOthers,
		{Name: "lists.range", Doc: "the numbers from 0 up to, and without, a number", Overloads: []Overload{{ID: "lists_range", Parameters: []*types.Type{number}, Result: types.NewListType(number), Bind: numbersBelow}}},
		{Name: "distinct", Doc: "the elements, each once", Overloads: []Overload{method("list_distinct", list, distinct, list)}},
	}
}

// reverseOverload is the overload of reverse() for lists.
func reverseOverload() Overload {
	list := types.NewListType(types.NewTypeParamType("T"))
	return Overload{ID: "list_reverse", Member: true, Parameters: []*types.Type{list}, Result: list, Bind: func(args ...ref.Val) ref.Val {
		all := elements(args[0])
		slices.Reverse(all)
		return listOf(all)
	}}
}

// elements returns the elements of a list.
func elements(list ref.Val) []ref.Val {
	var all []ref.Val
	for it := list.(traits.Lister).Iterator(); it.HasNext() == types.True; {
		all = append(all, it.Next())
	}
	return all
}

func listOf(elements []ref.Val) ref.Val { return types.DefaultTypeAdapter.NativeToValue(elements) }

func slice(args ...ref.Val) ref.Val {
	all, start, end := elements(args[0]), intOr(args, 1, 0), intOr(args, 2, 0)
	switch {
	case start < 0 || end < 0:
		return types.NewErr("cannot slice(%d, %d), negative indexes not supported", start, end)
	case start > end:
		return types.NewErr("cannot slice(%d, %d), start index must be less than or equal to end index", start, end)
	case end > int64(len(all)):
		return types.NewErr("cannot slice(%d, %d), list is length %d", start, end, len(all))
	}
	return listOf(all[start:end])
}

func flatten(args ...ref.Val) ref.Val {
	if _, ok := args[0].(traits.Lister); !ok {
		return types.ValOrErr(args[0], "no such overload: %v.flatten()", args[0].Type())
	}
	depth := types.IntOne
	if len(args) > 1 {
		var ok bool
		if depth, ok = args[1].(types.Int); !ok {
			return types.ValOrErr(args[0], "no such overload: %v.flatten(%v)", args[0].Type(), args[1].Type())
		}
	}
	if depth < 0 {
		return types.NewErr("level must be non-negative")
	}
	return listOf(flattened(args[0], depth))
}

func flattened(list ref.Val, depth types.Int) []ref.Val {
	var all []ref.Val
	for _, element := range elements(list) {
		if _, ok := element.(traits.Lister); ok && depth > 0 {
			all = append(all, flattened(element, depth-1)...)
		} else {
			all = append(all, element)
		}
	}
	return all
}

// sortedBy returns the elements of a list in the order of their keys.
func sortedBy(list, keys ref.Val) ref.Val {
	all, by := elements(list), elements(keys)
	if len(all) != len(by) {
		return types.NewErr("%s() expected a list of the same size as the associated keys list, but got %d and %d elements respectively", sortedByKeys, len(all), len(by))
	}
	if len(all) == 0 {
		return list
	}
	if _, ok := by[0].(traits.Comparer); !ok {
		return types.NewErr("list elements must be comparable")
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	var failure error
	sort.Slice(order, func(i, j int) bool {
		a, b := by[order[i]], by[order[j]]
		if a.Type() != by[0].Type() || b.Type() != by[0].Type() {
			failure = errors.New("list elements must have the same type")
			return false
		}
		return a.(traits.Comparer).Compare(b) == types.IntNegOne
	})
	if failure != nil {
		return types.WrapErr(failure)
	}
	sorted := make([]ref.Val, len(all))
	for i, from := range order {
		sorted[i] = all[from]
	}
	return listOf(sorted)
}

func numbersBelow(args ...ref.Val) ref.Val {
	n := intOr(args, 0, 0)
	switch {
	case n < 0:
		return types.NewErr("lists.range: size must be non-negative, got %d", n)
	case n > maxRange:
		return types.NewErr("lists.range: size %d exceeds maximum allowed (%d)", n, maxRange)
	}
	all := make([]ref.Val, n)
	for i := range all {
		all[i] = types.Int(i)
	}
	return listOf(all)
}

func distinct(args ...ref.Val) ref.Val {
	all := elements(args[0])
	if len(all) == 0 {
		return args[0]
	}
	unique := make([]ref.Val, 0, len(all))
	for _, element := range all {
		if !slices.ContainsFunc(unique, func(other ref.Val) bool { return element.Equal(other) == types.True }) {
			unique = append(unique, element)
		}
	}
	return listOf(unique)
}

// sortBy is the macro list.sortBy(x, key): with the list under a name of its own, it
// is sorted by a list of the keys.
func sortBy() parser.Macro {
	return parser.NewReceiverMacro("sortBy", 2, func(factory parser.ExprHelper, target ast.Expr, args []ast.Expr) (ast.Expr, *common.Error) {
		switch target.Kind() {
		case ast.ListKind, ast.SelectKind, ast.IdentKind, ast.ComprehensionKind, ast.CallKind:
		default:
			return nil, factory.NewError(target.ID(), "sortBy can only be applied to a list, identifier, comprehension, call or select expression")
		}
		input := factory.NewIdent("@__sortBy_input__")
		keys, err := parser.MakeMap(factory, factory.Copy(input), args)
		if err != nil {
			return nil, err
		}
		sorted := factory.NewMemberCall(sortedByKeys, factory.Copy(input), keys)
		return factory.NewComprehension(factory.NewList(), "#unused", input.AsIdent(), target, factory.NewLiteral(types.False), input, sorted), nil
	})
}
