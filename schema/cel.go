package schema

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// Provider is the CEL type provider of the object types. What it does not know
// it asks of Base, which is the provider of the standard types.
//
// It is written by hand, over the tables of fields.go, so that an unknown field
// is an error of the type checker and no reflection runs in the hook.
type Provider struct{ Base types.Provider }

// EnumValue implements types.Provider.
func (p Provider) EnumValue(name string) ref.Val { return p.Base.EnumValue(name) }

// FindIdent implements types.Provider: the name of an object type is an identifier.
func (p Provider) FindIdent(name string) (ref.Val, bool) {
	if t := objectTypeNamed(name); t != nil {
		return t.Type, true
	}
	return p.Base.FindIdent(name)
}

// FindStructType implements types.Provider.
func (p Provider) FindStructType(name string) (*types.Type, bool) {
	if t := objectTypeNamed(name); t != nil {
		return types.NewTypeTypeWithParam(t.Type), true
	}
	return p.Base.FindStructType(name)
}

// FindStructFieldNames implements types.Provider.
func (p Provider) FindStructFieldNames(name string) ([]string, bool) {
	t := objectTypeNamed(name)
	if t == nil {
		return p.Base.FindStructFieldNames(name)
	}
	names := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		names[i] = f.Name
	}
	return names, true
}

// FindStructFieldType implements types.Provider.
func (p Provider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	t := objectTypeNamed(name)
	if t == nil {
		return p.Base.FindStructFieldType(name, field)
	}
	i := t.index(field)
	if i < 0 {
		return nil, false
	}
	return &types.FieldType{
		Type:    t.Fields[i].Type,
		IsSet:   func(target any) bool { return target.(*object).isSet(i) },
		GetFrom: func(target any) (any, error) { return target.(*object).field(i), nil },
	}, true
}

// NewValue implements types.Provider. Rules read the input and never make one.
func (p Provider) NewValue(name string, fields map[string]ref.Val) ref.Val {
	if objectTypeNamed(name) != nil {
		return types.NewErr("a %s cannot be constructed in a rule", name)
	}
	return p.Base.NewValue(name, fields)
}

// InputValue returns in as the CEL value of the variable "input". Its lists and
// fields are converted at first use and kept: use one value for all rules of a call.
func InputValue(in *Input) ref.Val { return newObject(inputObject, in) }

// InputOf returns the Input behind a CEL value of type Input.
func InputOf(v ref.Val) (*Input, bool) { return nativeOf[*Input](v) }

// CommandOf returns the Command behind a CEL value of type Command.
func CommandOf(v ref.Val) (*Command, bool) { return nativeOf[*Command](v) }

// TargetOf returns the Target behind a CEL value of type Target.
func TargetOf(v ref.Val) (*Target, bool) { return nativeOf[*Target](v) }

// RepoOf returns the Repo behind a CEL value of type Repo.
func RepoOf(v ref.Val) (*Repo, bool) { return nativeOf[*Repo](v) }

func nativeOf[T any](v ref.Val) (T, bool) {
	if o, ok := v.(*object); ok {
		native, ok := o.native.(T)
		return native, ok
	}
	var zero T
	return zero, false
}

func objectTypeNamed(name string) *ObjectType {
	for _, t := range objectTypes {
		if t.Type.TypeName() == name {
			return t
		}
	}
	return nil
}

func (t *ObjectType) index(field string) int {
	for i := range t.Fields {
		if t.Fields[i].Name == field {
			return i
		}
	}
	return -1
}

// object is a CEL value of one of the object types. It keeps the converted
// fields, so that a list is converted once however many rules look at it.
type object struct {
	of     *ObjectType
	native any

	mu     sync.Mutex
	fields []ref.Val
}

var (
	_ traits.Indexer     = (*object)(nil)
	_ traits.FieldTester = (*object)(nil)
)

func newObject(of *ObjectType, native any) *object { return &object{of: of, native: native} }

func (o *object) field(i int) ref.Val {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.fields == nil {
		o.fields = make([]ref.Val, len(o.of.Fields))
	}
	if o.fields[i] == nil {
		o.fields[i] = o.of.Fields[i].get(o.native)
	}
	return o.fields[i]
}

// isSet reports whether field i differs from its type's zero value: has(c.dir).
func (o *object) isSet(i int) bool {
	switch v := o.field(i).(type) {
	case types.String:
		return v != ""
	case types.Bool:
		return bool(v)
	case traits.Sizer:
		return v.Size() != types.IntZero
	}
	return true
}

// ConvertToNative implements ref.Val.
func (o *object) ConvertToNative(typeDesc reflect.Type) (any, error) {
	if reflect.TypeOf(o.native).AssignableTo(typeDesc) {
		return o.native, nil
	}
	return nil, fmt.Errorf("no conversion from %s to %v", o.of.Type.TypeName(), typeDesc)
}

// ConvertToType implements ref.Val.
func (o *object) ConvertToType(t ref.Type) ref.Val {
	if t == types.TypeType {
		return o.of.Type
	}
	return types.NewErr("no conversion from %s to %s", o.of.Type.TypeName(), t.TypeName())
}

// Equal implements ref.Val: an object equals itself.
func (o *object) Equal(other ref.Val) ref.Val {
	p, ok := other.(*object)
	return types.Bool(ok && p.native == o.native)
}

// Type implements ref.Val.
func (o *object) Type() ref.Type { return o.of.Type }

// Value implements ref.Val. It returns the object itself, whose fields the
// provider's FieldType.GetFrom reads; InputOf and CommandOf give the Go values.
func (o *object) Value() any { return o }

// Get implements traits.Indexer, for values whose type is dyn to the checker.
func (o *object) Get(key ref.Val) ref.Val {
	i, err := o.indexOf(key)
	if err != nil {
		return err
	}
	return o.field(i)
}

// IsSet implements traits.FieldTester.
func (o *object) IsSet(key ref.Val) ref.Val {
	i, err := o.indexOf(key)
	if err != nil {
		return err
	}
	return types.Bool(o.isSet(i))
}

func (o *object) indexOf(key ref.Val) (int, ref.Val) {
	name, ok := key.(types.String)
	if !ok {
		return 0, types.MaybeNoSuchOverloadErr(key)
	}
	i := o.of.index(string(name))
	if i < 0 {
		return 0, types.NewErr("no such field '%s'", name)
	}
	return i, nil
}
