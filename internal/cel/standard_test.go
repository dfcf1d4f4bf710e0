package cel

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/stdlib"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/go-cmp/cmp"
)

func declared(t testing.TB) map[string]*decls.FunctionDecl {
	t.Helper()
	all := map[string]*decls.FunctionDecl{}
	for _, s := range standardFunctions() {
		f, err := s.declaration()
		if err != nil {
			t.Fatal(err)
		}
		all[s.name] = f
	}
	return all
}

func inForce() map[string]*decls.FunctionDecl {
	all := map[string]*decls.FunctionDecl{}
	for _, f := range stdlib.Functions() {
		if !f.IsDeclarationDisabled() { // a name that is deprecated
			all[f.Name()] = f
		}
	}
	return all
}

func TestTheStandardFunctionsAreDeclaredAsCELGoDeclaresThem(t *testing.T) {
	describe := func(all map[string]*decls.FunctionDecl) []string {
		var lines []string
		for name, f := range all {
			for _, o := range f.OverloadDecls() {
				lines = append(lines, fmt.Sprint(name, " ", o.ID(), o.ArgTypes(), o.ResultType(), " member: ", o.IsMemberFunction(), " lazy: ", o.IsNonStrict(), " bound: ", o.HasBinding(), f.HasSingletonBinding()))
			}
		}
		slices.Sort(lines)
		return lines
	}
	if diff := cmp.Diff(describe(inForce()), describe(declared(t))); diff != "" {
		t.Error(diff)
	}
}

// operands are values of all types, at the edges of their ranges.
func operands() []ref.Val {
	list := func(v ...ref.Val) ref.Val { return types.DefaultTypeAdapter.NativeToValue(v) }
	return []ref.Val{
		types.True, types.False, types.NullValue,
		types.Int(0), types.Int(7), types.Int(-3), types.Int(math.MaxInt64), types.Int(math.MinInt64),
		types.Uint(0), types.Uint(7), types.Uint(math.MaxUint64),
		types.Double(0), types.Double(1.5), types.Double(-1e300), types.Double(math.NaN()), types.Double(math.Inf(1)),
		types.String(""), types.String("é12"), types.String("12"), types.String("true"), types.String("(["), types.String("1h2m3.5s"),
		types.String("2024-02-29T23:59:58.123456789+05:30"), types.String("Europe/Berlin"), types.String("-02:30"), types.String("UTC"),
		types.Bytes(""), types.Bytes("é"), types.Bytes("\xff"),
		types.Duration{Duration: 90*time.Minute + 1500*time.Millisecond}, types.Duration{Duration: math.MinInt64},
		types.Timestamp{Time: time.Date(2024, 2, 29, 23, 59, 58, 123456789, time.FixedZone("", 5*3600+1800))}, types.Timestamp{Time: time.Unix(-62135596800, 0)},
		list(), list(types.Int(7), types.String("a")), types.DefaultTypeAdapter.NativeToValue(map[string]int{"12": 1}), types.IntType,
	}
}

func TestTheStandardFunctionsSayWhatCELGoSays(t *testing.T) {
	ours := declared(t)
	for name, f := range inForce() {
		want, err := f.Bindings()
		if err != nil {
			t.Fatal(err)
		}
		got, err := ours[name].Bindings()
		if err != nil {
			t.Fatal(err)
		}
		gotByID, wantByID := byID(got), byID(want)
		if diff := cmp.Diff(slices.Sorted(maps.Keys(wantByID)), slices.Sorted(maps.Keys(gotByID))); diff != "" {
			t.Errorf("%s: %s", name, diff)
			continue
		}
		for id, want := range wantByID {
			got := gotByID[id]
			if got.OperandTrait != want.OperandTrait || got.NonStrict != want.NonStrict {
				t.Errorf("%s: %s: %+v, want %+v", name, id, got, want)
			}
			for _, a := range operands() {
				compareCalls(t, got, want, a)
				for _, b := range operands() {
					compareCalls(t, got, want, a, b)
				}
			}
		}
	}
}

func byID(all []*functions.Overload) map[string]*functions.Overload {
	m := map[string]*functions.Overload{}
	for _, o := range all {
		m[o.Operator] = o
	}
	return m
}

// compareCalls calls two bindings as the interpreter does, which first looks for the
// trait of the first argument.
func compareCalls(t *testing.T, got, want *functions.Overload, args ...ref.Val) {
	t.Helper()
	if want.OperandTrait != 0 && !args[0].Type().HasTrait(want.OperandTrait) {
		return
	}
	a, b := call(got, args), call(want, args)
	if a != b {
		t.Errorf("%s%v: %s, want %s", want.Operator, args, a, b)
	}
}

func call(o *functions.Overload, args []ref.Val) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = "panics"
		}
	}()
	var v ref.Val
	switch {
	case len(args) == 1 && o.Unary != nil:
		v = o.Unary(args[0])
	case len(args) == 2 && o.Binary != nil:
		v = o.Binary(args[0], args[1])
	case o.Function != nil:
		v = o.Function(args...)
	default:
		v = types.NoSuchOverloadErr()
	}
	return fmt.Sprintf("%v of type %v", v, v.Type())
}
