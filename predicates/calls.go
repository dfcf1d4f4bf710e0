package predicates

import (
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

var callsTo = declaration{
	name:    "calls_to",
	doc:     "The calls in a script to functions of these names, in source order. A name that begins with a point is the method of anything: .unlink also finds os.unlink. Quicker than filtering calls: a script that holds none of the names is not read.",
	example: `input.scripts.exists(s, s.calls_to(["shutil.rmtree", "os.remove"]).exists(c, c.args.exists(a, a.startsWith("/etc"))))`,
	overloads: []overload{
		scriptOverload("script_calls_to_string", types.StringType, callList, func(s *schema.Script, v ref.Val) ref.Val {
			return schema.CallsValue(s.CallsTo(text(v)))
		}),
		scriptOverload("script_calls_to_list", types.NewListType(types.StringType), callList, func(s *schema.Script, v ref.Val) ref.Val {
			names, err := texts(v)
			if err != nil {
				return err
			}
			return schema.CallsValue(s.CallsTo(names...))
		}),
	},
}

var callsWith = declaration{
	name:    "calls_with",
	doc:     "The calls in a script that are given this keyword, in source order; in node also as a property of an object.",
	example: `input.scripts.exists(s, s.calls_with("shell").exists(c, c.keywords["shell"] == "True"))`,
	overloads: []overload{
		scriptOverload("script_calls_with_string", types.StringType, callList, func(s *schema.Script, v ref.Val) ref.Val {
			return schema.CallsValue(s.CallsWith(text(v)))
		}),
	},
}

var hasImport = declaration{
	name:    "has_import",
	doc:     "A python or node script imports one of these modules, or functions of modules. Quicker than looking at imports: a script that holds none of the names is not read.",
	example: `input.scripts.exists(s, s.has_import(["os.system", "os.popen"]))`,
	overloads: []overload{
		scriptOverload("script_has_import_string", types.StringType, types.BoolType, func(s *schema.Script, v ref.Val) ref.Val {
			return types.Bool(s.HasImport(text(v)))
		}),
		scriptOverload("script_has_import_list", types.NewListType(types.StringType), types.BoolType, func(s *schema.Script, v ref.Val) ref.Val {
			names, err := texts(v)
			if err != nil {
				return err
			}
			return types.Bool(s.HasImport(names...))
		}),
	},
}

var callList = types.NewListType(schema.CallType)

// scriptOverload declares a method of Script with one parameter.
func scriptOverload(id string, parameter, result *types.Type, bind func(*schema.Script, ref.Val) ref.Val) overload {
	return overload{
		id:         id,
		member:     true,
		parameters: []*types.Type{schema.ScriptType, parameter},
		result:     result,
		bind: func(args ...ref.Val) ref.Val {
			s, ok := schema.ScriptOf(args[0])
			if !ok {
				return types.MaybeNoSuchOverloadErr(args[0])
			}
			return bind(s, args[1])
		},
	}
}

// texts returns the strings of a list; an error value when it holds something else.
func texts(v ref.Val) ([]string, ref.Val) {
	list, ok := v.(traits.Lister)
	if !ok {
		return nil, types.MaybeNoSuchOverloadErr(v)
	}
	var all []string
	for it := list.Iterator(); it.HasNext() == types.True; {
		element := it.Next()
		s, ok := element.(types.String)
		if !ok {
			return nil, types.MaybeNoSuchOverloadErr(element)
		}
		all = append(all, string(s))
	}
	return all, nil
}
