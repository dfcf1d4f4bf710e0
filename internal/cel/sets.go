package cel

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// setFunctions are CEL's extension for lists as sets:
// https://pkg.go.dev/github.com/google/cel-go/ext#Sets
func setFunctions() []Function {
	list := types.NewListType(types.NewTypeParamType("T"))
	function := func(name, id, doc string, bind func(a, b traits.Lister) ref.Val) Function {
		return Function{Name: name, Doc: doc, Overloads: []Overload{{
			ID: id, Parameters: []*types.Type{list, list}, Result: types.BoolType,
			Bind: func(args ...ref.Val) ref.Val { return bind(args[0].(traits.Lister), args[1].(traits.Lister)) },
		}}}
	}
	return []Function{
		function("sets.contains", "list_sets_contains_list", "whether the first list has every element of the second", containsAll),
		function("sets.equivalent", "list_sets_equivalent_list", "whether two lists have the same elements, in any order and however often", func(a, b traits.Lister) ref.Val {
			if contained := containsAll(a, b); contained != types.True {
				return contained
			}
			return containsAll(b, a)
		}),
		function("sets.intersects", "list_sets_intersects_list", "whether two lists have an element in common", func(a, b traits.Lister) ref.Val {
			for it := a.Iterator(); it.HasNext() == types.True; {
				if b.Contains(it.Next()) == types.True {
					return types.True
				}
			}
			return types.False
		}),
	}
}

// containsAll reports whether a has every element of b.
func containsAll(a, b traits.Lister) ref.Val {
	for it := b.Iterator(); it.HasNext() == types.True; {
		if contained := a.Contains(it.Next()); contained != types.True {
			return contained
		}
	}
	return types.True
}
