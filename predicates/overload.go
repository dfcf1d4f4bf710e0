package predicates

import (
	"strings"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// overload is one way to call a declared function, with its binding. The evaluator
// calls bind only with values of the parameter types: errors, unknowns and values
// of other types behind a dyn never reach it. The elements of a list are not checked.
type overload struct {
	id         string
	member     bool // the first parameter is the receiver
	parameters []*types.Type
	result     *types.Type
	bind       func(args ...ref.Val) ref.Val
}

// signature returns how a call of the function name by this overload looks.
func (o overload) signature(name string) string {
	var b strings.Builder
	parameters := o.parameters
	if o.member {
		b.WriteString(receiverName(parameters[0]))
		b.WriteByte('.')
		parameters = parameters[1:]
	}
	b.WriteString(name)
	b.WriteByte('(')
	for i, p := range parameters {
		if i > 0 {
			b.WriteString(", ")
		}
		if isInput(p) {
			b.WriteString("input") // there is no other value of this type
			continue
		}
		b.WriteString(p.String())
	}
	b.WriteString(") -> ")
	b.WriteString(o.result.String())
	return b.String()
}

func isInput(t *types.Type) bool { return t == schema.InputType }

// receiverName is the name the reference gives a receiver of type t.
func receiverName(t *types.Type) string {
	switch t {
	case schema.CommandType:
		return "c"
	case schema.ScriptType:
		return "s"
	case schema.TargetType:
		return "target"
	case schema.RepoType:
		return "repo"
	case types.StringType:
		return "path"
	}
	return t.String()
}

// commandOverload declares a method of Command; bind gets the other arguments.
func commandOverload(id string, parameters []*types.Type, result *types.Type, bind func(*schema.Command, []ref.Val) ref.Val) overload {
	return overload{
		id:         id,
		member:     true,
		parameters: append([]*types.Type{schema.CommandType}, parameters...),
		result:     result,
		bind: func(args ...ref.Val) ref.Val {
			c, ok := schema.CommandOf(args[0])
			if !ok {
				return types.MaybeNoSuchOverloadErr(args[0])
			}
			return bind(c, args[1:])
		},
	}
}

// text returns the string behind v, "" for a value of another type, which the
// evaluator's check of the arguments rules out.
func text(v ref.Val) string {
	s, _ := v.(types.String)
	return string(s)
}
