package cel_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/cel"
	library "github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"
	"github.com/google/cel-go/interpreter"
)

// environments returns this package's environment and that of the packages it stands
// in for, with a variable of any type, x.
func environments(t testing.TB) (*cel.Environment, *library.Env) {
	t.Helper()
	registry, err := types.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	ours, err := cel.New(registry, nil, decls.NewVariable("x", types.DynType))
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := library.NewEnv(library.Variable("x", library.DynType), library.EnableMacroCallTracking(), ext.Strings(), ext.Lists(), ext.Sets())
	if err != nil {
		t.Fatal(err)
	}
	return ours, theirs
}

// outcome is what an expression comes to: it fails the check, or fails when it is
// planned or evaluated, or has a value.
type outcome struct {
	checkError, err string
	typeName        string
	value           ref.Val
}

func ourOutcome(t testing.TB, e *cel.Environment, text string, x ref.Val) outcome {
	t.Helper()
	checked, errs := e.Compile(text)
	if len(errs) > 0 {
		return outcome{checkError: displayed(text, errs)}
	}
	program, err := e.Plan(cel.Expression{Tree: checked})
	if err != nil {
		return outcome{err: err.Error(), typeName: typeOf(checked)}
	}
	variables, _ := interpreter.NewActivation(map[string]any{"x": x})
	value, _, err := program.Evaluate(t.Context(), variables)
	return outcome{err: messageOf(err), typeName: typeOf(checked), value: value}
}

func theirOutcome(t testing.TB, e *library.Env, text string, x ref.Val) outcome {
	t.Helper()
	checked, issues := e.Compile(text)
	if issues.Err() != nil {
		return outcome{checkError: displayed(text, issues.Errors())}
	}
	program, err := e.Program(checked, library.EvalOptions(library.OptOptimize), library.InterruptCheckFrequency(256))
	if err != nil {
		return outcome{err: err.Error(), typeName: typeOf(checked.NativeRep())}
	}
	value, _, err := program.ContextEval(t.Context(), map[string]any{"x": x})
	return outcome{err: messageOf(err), typeName: typeOf(checked.NativeRep()), value: value}
}

func typeOf(checked *ast.AST) string { return checked.GetType(checked.Expr().ID()).String() }

func displayed(text string, errs []*common.Error) string {
	return common.NewErrors(common.NewTextSource(text)).Append(errs).ToDisplayString()
}

func messageOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// equal compares outcomes. The messages about formats are this package's own, and what
// cel-go adds to "no such overload" depends on how a function is bound.
func (o outcome) equal(p outcome, format bool) bool {
	const noOverload = "no such overload"
	if strings.HasPrefix(o.err, noOverload) && strings.HasPrefix(p.err, noOverload) {
		o.err, p.err = noOverload, noOverload
	}
	if format && (o.checkError != "") == (p.checkError != "") && (o.err != "") == (p.err != "") {
		p.checkError, p.err = o.checkError, o.err
	}
	if o.checkError != p.checkError || o.err != p.err || o.typeName != p.typeName {
		return false
	}
	return o.checkError != "" || o.err != "" || o.value.Type() == p.value.Type() && o.value.Equal(p.value) == types.True
}

// values stand for x: what a dyn may turn out to be.
func values() []ref.Val {
	list := func(v ...ref.Val) ref.Val { return types.DefaultTypeAdapter.NativeToValue(v) }
	return []ref.Val{
		types.String("héllo, wörld"), types.String(""), types.Int(3), types.Int(-1), types.Double(1.5), types.True, types.NullValue,
		list(), list(types.String("b"), types.String("a"), types.String("b")), list(types.Int(1), types.String("x")),
		list(list(types.Int(1), list(types.Int(2))), types.Int(3)), types.Bytes("\x00\xff"), types.Uint(7),
	}
}

// languageCases are expressions of every function of the extensions, and of what is put
// together from cel-go's parts: macros, operators, conversions, errors.
var languageCases = []string{
	`"héllo".charAt(1)`, `"héllo".charAt(5)`, `"héllo".charAt(6)`, `"".charAt(0)`, `"a".charAt(-1)`,
	`"héllo héllo".indexOf("llo")`, `"héllo héllo".indexOf("llo", 3)`, `"abc".indexOf("")`, `"abc".indexOf("", 7)`, `"abc".indexOf("d")`,
	`"abc".indexOf("a", -1)`, `"abc".indexOf("abcd")`, `"abc".indexOf("c", 3)`, `"".indexOf("")`, `"".indexOf("a")`, `"abc".indexOf("", 3)`, `"abc".indexOf("a", 99)`,
	`"héllo héllo".lastIndexOf("llo")`, `"héllo héllo".lastIndexOf("llo", 5)`, `"abc".lastIndexOf("")`, `"abc".lastIndexOf("", 1)`, `"abc".lastIndexOf("", 9)`,
	`"abc".lastIndexOf("a", -1)`, `"abc".lastIndexOf("a", 3)`, `"".lastIndexOf("")`, `"".lastIndexOf("a")`, `"".lastIndexOf("", 0)`, `"é".lastIndexOf("éé")`, `"aXa".lastIndexOf("a", 1)`, `"abc".lastIndexOf("bc", 2)`,
	`"ÀBC".lowerAscii()`, `"àbc".upperAscii()`, `" \t a b \n".trim()`, `"abé".reverse()`, `[1, 2, 3].reverse()`, `[].reverse()`, `"".reverse()`,
	`"aaa".replace("a", "b")`, `"aaa".replace("a", "b", 2)`, `"aaa".replace("a", "b", 0)`, `"aaa".replace("a", "b", -1)`, `"abc".replace("", "-")`,
	`"a,b,c".split(",")`, `"a,b,c".split(",", 2)`, `"a,b,c".split(",", 0)`, `"a,b,c".split(",", -1)`, `"héa".split("")`, `"".split(",")`, `"a,b".split(",", 1)`,
	`"héllo".substring(2)`, `"héllo".substring(5)`, `"héllo".substring(6)`, `"héllo".substring(-1)`, `"héllo".substring(1, 3)`, `"héllo".substring(3, 1)`, `"héllo".substring(0, 6)`, `"héllo".substring(-1, 2)`, `"héllo".substring(-2, -1)`,
	`["a", "b"].join()`, `["a", "b"].join("-")`, `[].join("-")`, `["a"].join("-")`, `dyn([1]).join()`,
	`strings.quote("a\"b\\c\n\t\a\b\f\r\v é")`, `strings.quote("")`,

	`[1, 2, 3, 4].slice(1, 3)`, `[1].slice(0, 0)`, `[1].slice(0, 2)`, `[1].slice(-1, 1)`, `[1, 2].slice(2, 1)`,
	`[[1], [2, [3]]].flatten()`, `[[1], [2]].flatten()`, `[1, [2, [3, [4]]]].flatten(2)`, `[1, [2]].flatten(0)`, `[1, [2]].flatten(-1)`, `[].flatten()`, `[[]].flatten()`,
	`[3, 1, 2].sort()`, `["b", "a"].sort()`, `[true, false].sort()`, `[2.5, 1.5].sort()`, `[b"b", b"a"].sort()`, `[2u, 1u].sort()`, `[].sort()`, `[1, "a"].sort()`, `[[1]].sort()`, `[duration("2s"), duration("1s")].sort()`,
	`["ccc", "a", "bb"].sortBy(s, size(s))`, `[3, 1, 2].sortBy(n, -n)`, `[].sortBy(n, n)`, `["b", "a"].sortBy(s, [s])`, `1.sortBy(x, x)`, `{"a": 1}.sortBy(x, x)`, `x.sortBy(y, string(y))`,
	`lists.range(4)`, `lists.range(0)`, `lists.range(-1)`, `lists.range(1000001)`, `[1, 2, 1, 1.0, "a", "a"].distinct()`, `[].distinct()`, `[[1], [1]].distinct()`, `[{"a": 1}, {"a": 1}].distinct()`,

	`sets.contains([1, 2], [2])`, `sets.contains([1], [1, 2])`, `sets.contains([], [])`, `sets.contains([1], [])`, `sets.contains(["a"], [dyn(1)])`,
	`sets.equivalent([1, 2], [2, 1, 1])`, `sets.equivalent([1], [2])`, `sets.equivalent([1], [1u, 1.0])`, `sets.intersects([1, 2], [2, 3])`, `sets.intersects([1], [2])`, `sets.intersects([], [1])`,

	`"%s and %%, %s".format(["a", 1])`, `"%s %s %s %s %s %s".format([true, 1u, 1.5, b"x", null, int])`, `"%s".format([[1, "a", [2.0]]])`, `"%s".format([{"b": 1, "a": [2]}])`, `"%s".format([duration("90.5s")])`, `"%s".format([timestamp("2024-01-02T03:04:05.006+01:00")])`,
	`"%d %d %d".format([1, 2u, 3.5])`, `"%d".format(["a"])`, `"%f %.2f %.0f %.100f".format([1.5, 2, 3u, 0.1])`, `"%.101f".format([1.5])`, `"%.f".format([1.5])`, `"%e %.3e".format([12345.678, 7])`, `"%f %d %s %e".format([1.0/0.0, -1.0/0.0, 0.0/0.0, 1.0/0.0])`,
	`"%b %b %b".format([5, 6u, true])`, `"%b".format([-5])`, `"%o %o".format([8, 9u])`, `"%o".format([-9])`, `"%x %X %x %X %x".format([255, 255u, "héllo", b"\xff", -255])`, `"%x".format([1.5])`,
	`"%".format([1])`, `"%".format([])`, `"%%".format([])`, `"%.2".format([1.5])`, `"%q".format([1])`, `"%é".format([1])`, `"%s".format([])`, `"%s".format([1, 2])`, `"".format([])`, `"é%sé".format(["ü"])`, `"%s".format([x])`, `"%d".format([x])`, `x.format([1])`, `"%s".format(x)`, `"%5d".format([1])`, `"%-s".format(["a"])`, `"%b".format([x])`, `"%x".format([x])`, `"%.1f".format([x])`, `"%e".format([x])`, `"%o".format([x])`,
	`"%s".format([[x]])`, `"%d".format([[1]])`, `"%s %s".format([1.0e100, 1.0e-7])`, `"%s".format([type("")])`, `"%d".format([9223372036854775807])`,

	`[1, 2].exists(n, n > 1)`, `[1, 2].all(n, n > 1)`, `[1, 2].exists_one(n, n > 1)`, `[1, 2].existsOne(n, n > 1)`, `[1, 2].map(n, n * 2)`, `[1, 2].map(n, n > 1, n * 2)`, `[1, 2].filter(n, n > 1)`, `has({"a": 1}.a)`, `has({"a": 1}.b)`, `has(x.y)`, `{"a": 1}.a`, `{"a": 1}["b"]`, `{"a": 1}.exists(k, k == "a")`,
	`1 + 2 * 3 - 4 / 2 % 2`, `1 / 0`, `9223372036854775807 + 1`, `-(-9223372036854775808)`, `"a" + "b"`, `[1] + [2]`, `1 < 2.0`, `1u < 2`, `1 == 1.0`, `dyn(1) == 1.0`, `dyn(1) < 1.5`, `"a" < "b"`, `true && x`, `x || true`, `false && 1 / 0 > 0`, `1 / 0 > 0 || true`, `!x`, `x ? 1 : 2`, `true ? 1 : "a"`, `x`, `x.y`, `x[0]`, `x["a"]`, `x in [1, "a", 3]`, `3 in [1, 2, 3]`, `"a" in {"a": 1}`, `x in x`,
	`size("é")`, `size([1])`, `"é".size()`, `x.size()`, `int("12")`, `int("a")`, `string(1.5)`, `string(b"a")`, `double("1.5")`, `bytes("é")`, `bool("true")`, `uint(3)`, `type(1)`, `type(x)`, `dyn(1)`, `duration("1h") + duration("1m")`, `timestamp("2024-01-02T03:04:05Z").getFullYear()`, `timestamp("2024-01-02T03:04:05Z").getHours("+02:00")`, `timestamp("2024-01-02T03:04:05Z") - duration("1h")`,
	`"abc".matches("^a.c$")`, `matches("abc", "b")`, `"abc".matches("(")`, `"abc".matches(string(x))`, `"abc".contains("b")`, `"abc".startsWith("a")`, `"abc".endsWith("c")`, `x.contains("l")`, `x.matches("l+")`,
	`unknown`, `unknown()`, `x.unknown()`, `"a".indexOf(1)`, `[1].join()`, `"a" + 1`, `google.protobuf.StringValue{value: "a"}`, `google.protobuf.Struct{}`, `google.protobuf.Duration{seconds: 1}`, `1 +`, `"a`, "`a`", `cel.bind(a, 1, a)`, `optional.of(1)`, `[?x]`, `x.?y`, `math.greatest(1, 2)`, `{1: 2, "a": 3}`, `[1, "a"]`, `{}.a`, `r"\d"`, `'''a'''`, `b'\x00'`, `0x1F`, `1e3`, `.5`, `"\u00e9"`, `null == x`, `x == null`,
	`x.lowerAscii()`, `x.join()`, `x.join("-")`, `x.split(",")`, `x.sort()`, `x.distinct()`, `x.flatten()`, `x.flatten(1)`, `x.flatten(x)`, `x.reverse()`, `x.slice(0, 1)`, `x.substring(1)`, `x.replace("l", "L")`, `x.indexOf("o")`, `x.lastIndexOf("o")`, `x.charAt(1)`, `x.trim()`, `strings.quote(x)`, `sets.contains(x, x)`, `sets.intersects(x, [1])`, `lists.range(x)`, `x.exists(y, y == "a")`, `x.map(y, y)`, `x.filter(y, y != "b")`,
}

func TestTheLanguageIsThatOfCELGo(t *testing.T) {
	ours, theirs := environments(t)
	for _, text := range languageCases {
		for _, x := range values() {
			got, want := ourOutcome(t, ours, text, x), theirOutcome(t, theirs, text, x)
			if !got.equal(want, strings.Contains(text, "format(")) {
				t.Errorf("%s with x = %v: %+v, want %+v", text, x, got, want)
			}
		}
	}
}

// Each text is formatted with a value of its own, and checked with one that is known.
func FuzzFormatIsThatOfCELGo(f *testing.F) {
	for _, text := range []string{"%s", "%%%d", "a%.3fb", "%e%x", "%.", "%.1", "%é", "%.99999999999d", "%b%o%X", "\xff%s"} {
		f.Add(text)
	}
	ours, theirs := environments(f)
	f.Fuzz(func(t *testing.T, text string) {
		for _, value := range []string{"1", "2u", "-1.5", "true", `"é"`, `b"a"`, "[1, x]", `{"k": null}`} {
			for _, expression := range []string{"x.format([%s])", "x.format([%s, %[1]s])", strconv.Quote(strings.ToValidUTF8(strings.ReplaceAll(text, "%", "%%"), "")) + ".format([%s])"} {
				expression = fmt.Sprintf(expression, value)
				got, want := ourOutcome(t, ours, expression, types.String(text)), theirOutcome(t, theirs, expression, types.String(text))
				if !got.equal(want, true) {
					t.Errorf("%s with x = %q: %+v, want %+v", expression, text, got, want)
				}
			}
		}
	})
}
