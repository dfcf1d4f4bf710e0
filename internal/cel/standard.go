package cel

import (
	"fmt"
	"math"
	"strings"

	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// standard is a function of CEL itself. cel-go's package stdlib declares all of them when
// the program starts, which takes longer than to judge a call; these are declared when
// an expression calls them. A test compares the two, declarations and values.
//
// https://github.com/google/cel-spec/blob/master/doc/langdef.md#list-of-standard-definitions
type standard struct {
	name, doc string // operators need no doc
	// overloads are separated by commas, each its id, the types of its parameters and
	// that of its result; a dot in front of the id stands for a method, @ in it for what
	// the ids of several functions differ in.
	overloads, id string
	// trait is what the first argument must be for the function to be called.
	trait  int
	unary  functions.UnaryOp
	binary functions.BinaryOp
	// each binds every overload by itself, which then checks the types of its arguments,
	// unless the function does.
	each, dynamic bool
	// lazy functions take errors and unknown values as well.
	lazy bool
}

// declaration returns the function as cel-go declares one. The interpreter evaluates
// what has no binding by itself.
func (s standard) declaration() (*decls.FunctionDecl, error) {
	options := []decls.FunctionOpt{decls.FunctionDocs(s.doc), decls.DisableTypeGuards(s.dynamic)}
	for overload := range strings.SplitSeq(strings.ReplaceAll(s.overloads, "@", s.id), ",") {
		o, err := s.overload(strings.Fields(overload))
		if err != nil {
			return nil, err
		}
		options = append(options, o)
	}
	switch {
	case s.each:
	case s.unary != nil:
		options = append(options, decls.SingletonUnaryBinding(s.unary, s.trait))
	case s.binary != nil:
		options = append(options, decls.SingletonBinaryBinding(s.binary, s.trait))
	default:
		options = append(options, decls.SingletonFunctionBinding(func(...ref.Val) ref.Val { return types.NoSuchOverloadErr() }))
	}
	return decls.NewFunction(s.name, options...)
}

func (s standard) overload(words []string) (decls.FunctionOpt, error) {
	named := make([]*types.Type, len(words)-1)
	for i, word := range words[1:] {
		if named[i] = typeNamed(word); named[i] == nil {
			return nil, fmt.Errorf("the overload %s has the type %s", words[0], word)
		}
	}
	parameters, result := named[:len(named)-1], named[len(named)-1]
	var options []decls.OverloadOpt
	if s.lazy {
		options = append(options, decls.OverloadIsNonStrict())
	}
	switch {
	case s.each && len(parameters) == 1:
		options = append(options, decls.UnaryBinding(s.unary))
	case s.each:
		options = append(options, decls.BinaryBinding(s.binary))
	}
	if id, ok := strings.CutPrefix(words[0], "."); ok {
		return decls.MemberOverload(id, parameters, result, options...), nil
	}
	return decls.Overload(words[0], parameters, result, options...), nil
}

// typeNamed returns the type that stands in the overloads under a name: list is
// list(A), map is map(A, B), type is type(A).
func typeNamed(name string) *types.Type {
	switch name {
	case "A", "B":
		return types.NewTypeParamType(name)
	case "list":
		return types.NewListType(typeNamed("A"))
	case "map":
		return types.NewMapType(typeNamed("A"), typeNamed("B"))
	case "type":
		return types.NewTypeTypeWithParam(typeNamed("A"))
	case "bool":
		return types.BoolType
	case "bytes":
		return types.BytesType
	case "double":
		return types.DoubleType
	case "duration":
		return types.DurationType
	case "dyn":
		return types.DynType
	case "int":
		return types.IntType
	case "string":
		return types.StringType
	case "timestamp":
		return types.TimestampType
	case "uint":
		return types.UintType
	}
	return nil
}

// standardFunctions are the functions and operators of the language, but for those of
// which only the names are deprecated.
func standardFunctions() []standard {
	all := []standard{
		{name: "_?_:_", lazy: true, overloads: "conditional bool A A A"},
		{name: "_&&_", lazy: true, overloads: "logical_and bool bool bool"},
		{name: "_||_", lazy: true, overloads: "logical_or bool bool bool"},
		{name: "_==_", overloads: "equals A A bool"},
		{name: "_!=_", overloads: "not_equals A A bool"},
		{name: "!_", overloads: "logical_not bool bool", unary: func(v ref.Val) ref.Val {
			if b, ok := v.(types.Bool); ok {
				return b.Negate()
			}
			return types.MaybeNoSuchOverloadErr(v)
		}},
		{name: "@not_strictly_false", lazy: true, each: true, overloads: "not_strictly_false bool bool", unary: func(v ref.Val) ref.Val {
			if types.IsBool(v) {
				return v
			}
			return types.True
		}},
		{
			name: "_+_", trait: traits.AdderType, binary: func(a, b ref.Val) ref.Val { return a.(traits.Adder).Add(b) },
			overloads: `add_bytes bytes bytes bytes, add_double double double double, add_duration_duration duration duration duration,
				add_duration_timestamp duration timestamp timestamp, add_timestamp_duration timestamp duration timestamp,
				add_int64 int int int, add_list list list list, add_string string string string, add_uint64 uint uint uint`,
		},
		{
			name: "_-_", trait: traits.SubtractorType, binary: func(a, b ref.Val) ref.Val { return a.(traits.Subtractor).Subtract(b) },
			overloads: `subtract_double double double double, subtract_duration_duration duration duration duration, subtract_int64 int int int,
				subtract_timestamp_duration timestamp duration timestamp, subtract_timestamp_timestamp timestamp timestamp duration, subtract_uint64 uint uint uint`,
		},
		{
			name: "_*_", trait: traits.MultiplierType, binary: func(a, b ref.Val) ref.Val { return a.(traits.Multiplier).Multiply(b) },
			overloads: "multiply_double double double double, multiply_int64 int int int, multiply_uint64 uint uint uint",
		},
		{
			name: "_/_", trait: traits.DividerType, binary: func(a, b ref.Val) ref.Val { return a.(traits.Divider).Divide(b) },
			overloads: "divide_double double double double, divide_int64 int int int, divide_uint64 uint uint uint",
		},
		{
			name: "_%_", trait: traits.ModderType, binary: func(a, b ref.Val) ref.Val { return a.(traits.Modder).Modulo(b) },
			overloads: "modulo_int64 int int int, modulo_uint64 uint uint uint",
		},
		{name: "-_", trait: traits.NegatorType, overloads: "negate_double double double, negate_int64 int int", unary: func(v ref.Val) ref.Val {
			if types.IsBool(v) {
				return types.MaybeNoSuchOverloadErr(v)
			}
			return v.(traits.Negater).Negate()
		}},
		{
			name: "_[_]", trait: traits.IndexerType, binary: func(a, b ref.Val) ref.Val { return a.(traits.Indexer).Get(b) },
			overloads: "index_list list int A, index_map map A B",
		},
		{name: "@in", overloads: "in_list A list bool, in_map A map bool", binary: func(a, b ref.Val) ref.Val {
			if container, ok := b.(traits.Container); ok && b.Type().HasTrait(traits.ContainerType) {
				return container.Contains(a)
			}
			return types.ValOrErr(b, "no such overload")
		}},
		{
			name: "size", doc: "the number of characters of a string, bytes of bytes, or entries of a list or map", trait: traits.SizerType, unary: func(v ref.Val) ref.Val { return v.(traits.Sizer).Size() },
			overloads: `size_bytes bytes int, .bytes_size bytes int, size_list list int, .list_size list int, size_map map int, .map_size map int,
				size_string string int, .string_size string int`,
		},
		{name: "contains", doc: "whether a string contains another one", each: true, dynamic: true, binary: types.StringContains, overloads: ".contains_string string string bool"},
		{name: "startsWith", doc: "whether a string starts with another one", each: true, dynamic: true, binary: types.StringStartsWith, overloads: ".starts_with_string string string bool"},
		{name: "endsWith", doc: "whether a string ends with another one", each: true, dynamic: true, binary: types.StringEndsWith, overloads: ".ends_with_string string string bool"},
		{
			name: "matches", doc: "whether a regular expression (RE2) matches somewhere in a string", trait: traits.MatcherType, binary: func(a, b ref.Val) ref.Val { return a.(traits.Matcher).Match(b) },
			overloads: "matches string string bool, .matches_string string string bool",
		},
		{name: "type", doc: "the type of a value", unary: convert(types.TypeType), overloads: "type A type"},
		{name: "dyn", doc: "a value whose type is looked at only when it runs", unary: func(v ref.Val) ref.Val { return v }, overloads: "to_dyn A dyn"},
	}
	all = append(all, conversions()...)
	all = append(all, comparisons()...)
	return append(all, timeFunctions()...)
}

func convert(to ref.Type) functions.UnaryOp {
	return func(v ref.Val) ref.Val { return v.ConvertToType(to) }
}

func conversions() []standard {
	return []standard{
		{name: "bool", doc: "a value as a bool", each: true, unary: convert(types.BoolType), overloads: "bool_to_bool bool bool, string_to_bool string bool"},
		{name: "bytes", doc: "a string as bytes", each: true, unary: convert(types.BytesType), overloads: "bytes_to_bytes bytes bytes, string_to_bytes string bytes"},
		{
			name: "double", doc: "a number, or the number that a string is, as a double", each: true, unary: convert(types.DoubleType),
			overloads: "double_to_double double double, int64_to_double int double, string_to_double string double, uint64_to_double uint double",
		},
		{name: "duration", doc: "the duration that a string is: 1h30m", each: true, unary: convert(types.DurationType), overloads: "duration_to_duration duration duration, string_to_duration string duration"},
		{
			name: "int", doc: "a number, the number that a string is, the seconds of a timestamp, or the nanoseconds of a duration", each: true, unary: convert(types.IntType),
			overloads: `int64_to_int64 int int, double_to_int64 double int, duration_to_int64 duration int, string_to_int64 string int,
				timestamp_to_int64 timestamp int, uint64_to_int64 uint int`,
		},
		{
			name: "string", doc: "a value as a string", each: true, unary: convert(types.StringType),
			overloads: `string_to_string string string, bool_to_string bool string, bytes_to_string bytes string, double_to_string double string,
				duration_to_string duration string, int64_to_string int string, timestamp_to_string timestamp string, uint64_to_string uint string`,
		},
		{
			name: "timestamp", doc: "the point in time that a string (RFC 3339) or a number of seconds is", each: true, unary: convert(types.TimestampType),
			overloads: "timestamp_to_timestamp timestamp timestamp, int64_to_timestamp int timestamp, string_to_timestamp string timestamp",
		},
		{
			name: "uint", doc: "a number, or the number that a string is, as a uint", each: true, unary: convert(types.UintType),
			overloads: "uint64_to_uint64 uint uint, double_to_uint64 double uint, int64_to_uint64 int uint, string_to_uint64 string uint",
		},
	}
}

// compared are the overloads of a comparison.
const compared = `@_bool bool bool bool, @_int64 int int bool, @_int64_double int double bool, @_int64_uint64 int uint bool,
	@_uint64 uint uint bool, @_uint64_double uint double bool, @_uint64_int64 uint int bool,
	@_double double double bool, @_double_int64 double int bool, @_double_uint64 double uint bool,
	@_string string string bool, @_bytes bytes bytes bool, @_timestamp timestamp timestamp bool, @_duration duration duration bool`

func comparisons() []standard {
	comparison := func(name, id string, holds func(order types.Int) bool) standard {
		return standard{name: name, trait: traits.ComparerType, overloads: compared, id: id, binary: func(a, b ref.Val) ref.Val {
			if isNaN(a) || isNaN(b) {
				return types.False
			}
			compared := a.(traits.Comparer).Compare(b)
			if order, ok := compared.(types.Int); ok {
				return types.Bool(holds(order))
			}
			return compared // an error
		}}
	}
	return []standard{
		comparison("_<_", "less", func(order types.Int) bool { return order < 0 }),
		comparison("_<=_", "less_equals", func(order types.Int) bool { return order <= 0 }),
		comparison("_>_", "greater", func(order types.Int) bool { return order > 0 }),
		comparison("_>=_", "greater_equals", func(order types.Int) bool { return order >= 0 }),
	}
}

func isNaN(v ref.Val) bool {
	d, ok := v.(types.Double)
	return ok && math.IsNaN(float64(d))
}

// timeFunctions are the methods of timestamps, in UTC where no time zone is given, and
// of durations.
func timeFunctions() []standard {
	method := func(name, doc, id string, ofDuration bool) standard {
		s := standard{
			name: name, doc: doc, each: true, overloads: ".timestamp_to_@ timestamp int, .timestamp_to_@_with_tz timestamp string int", id: id,
			unary: func(v ref.Val) ref.Val {
				if d, ok := v.(types.Duration); ok {
					return d.Receive(name, "", nil)
				}
				return v.(types.Timestamp).Receive(name, "", []ref.Val{types.String("UTC")})
			},
			binary: func(v, zone ref.Val) ref.Val { return v.(types.Timestamp).Receive(name, "", []ref.Val{zone}) },
		}
		if ofDuration {
			s.overloads += ", .duration_to_@ duration int"
		}
		if id == "seconds" { // its name breaks the pattern
			s.overloads = strings.Replace(s.overloads, "_with_tz", "_tz", 1)
		}
		return s
	}
	return []standard{
		method("getFullYear", "the year", "year", false),
		method("getMonth", "the month, from 0", "month", false),
		method("getDayOfYear", "the day of the year, from 0", "day_of_year", false),
		method("getDayOfMonth", "the day of the month, from 0", "day_of_month", false),
		method("getDate", "the day of the month, from 1", "day_of_month_1_based", false),
		method("getDayOfWeek", "the day of the week, from 0, Sunday", "day_of_week", false),
		method("getHours", "the hour of a timestamp, or the whole hours of a duration", "hours", true),
		method("getMinutes", "the minute of a timestamp, or the whole minutes of a duration", "minutes", true),
		method("getSeconds", "the second of a timestamp, or the whole seconds of a duration", "seconds", true),
		method("getMilliseconds", "the milliseconds of a second of a timestamp or duration", "milliseconds", true),
	}
}
