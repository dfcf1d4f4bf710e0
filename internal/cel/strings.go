package cel

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// stringFunctions are CEL's extension for strings, places counted in characters:
// https://pkg.go.dev/github.com/google/cel-go/ext#Strings
func stringFunctions() []Function {
	text, number, texts := types.StringType, types.IntType, types.NewListType(types.StringType)
	method := func(id string, result *types.Type, bind func(args ...ref.Val) ref.Val, parameters ...*types.Type) Overload {
		return Overload{ID: id, Member: true, Parameters: parameters, Result: result, Bind: bind}
	}
	return []Function{
		{Name: "charAt", Doc: `the character at a place, counted from 0; "" behind the last one`, Overloads: []Overload{method("string_char_at_int", text, charAt, text, number)}},
		{Name: "indexOf", Doc: "the place of a text, counted from 0, or -1; the number is where to begin to look", Overloads: []Overload{
			method("string_index_of_string", number, indexOf, text, text),
			method("string_index_of_string_int", number, indexOf, text, text, number),
		}},
		{Name: "lastIndexOf", Doc: "the last place of a text, counted from 0, or -1; the number is where to begin to look, backwards", Overloads: []Overload{
			method("string_last_index_of_string", number, lastIndexOf, text, text),
			method("string_last_index_of_string_int", number, lastIndexOf, text, text, number),
		}},
		{Name: "lowerAscii", Doc: "the text with the letters A to Z in lower case", Overloads: []Overload{method("string_lower_ascii", text, ofText(lowerASCII), text)}},
		{Name: "upperAscii", Doc: "the text with the letters a to z in upper case", Overloads: []Overload{method("string_upper_ascii", text, ofText(upperASCII), text)}},
		{Name: "trim", Doc: "the text without the white space around it", Overloads: []Overload{method("string_trim", text, ofText(strings.TrimSpace), text)}},
		{Name: "reverse", Doc: "the characters or elements backwards", Overloads: []Overload{
			method("string_reverse", text, ofText(reverseText), text),
			reverseOverload(),
		}},
		{Name: "replace", Doc: "the text with a text in it replaced; the number is how often at most, -1 for every time", Overloads: []Overload{
			method("string_replace_string_string", text, replace, text, text, text),
			method("string_replace_string_string_int", text, replace, text, text, text, number),
		}},
		{Name: "split", Doc: "the parts between the places of a text; the number is how many parts at most", Overloads: []Overload{
			method("string_split_string", texts, split, text, text),
			method("string_split_string_int", texts, split, text, text, number),
		}},
		{Name: "substring", Doc: "the text from a place up to, and without, another one, counted from 0", Overloads: []Overload{
			method("string_substring_int", text, substring, text, number),
			method("string_substring_int_int", text, substring, text, number, number),
		}},
		{Name: "join", Doc: "the texts put together, with a text between them", Overloads: []Overload{
			method("list_join", text, join, texts),
			method("list_join_string", text, join, texts, text),
		}},
		{Name: "format", Doc: `a text with %s, %d and the like for the elements of the list: "%s has %d".format([input.tool, 1])`, Overloads: []Overload{method("string_format", text, format, text, types.NewListType(types.DynType))}},
		{Name: "strings.quote", Doc: "the text as a string of the language, control characters escaped", Overloads: []Overload{{ID: "strings_quote", Parameters: []*types.Type{text}, Result: text, Bind: ofText(quote)}}},
	}
}

func textOf(v ref.Val) string { return string(v.(types.String)) }

// ofText binds a function of one text.
func ofText(f func(string) string) func(args ...ref.Val) ref.Val {
	return func(args ...ref.Val) ref.Val { return types.String(f(textOf(args[0]))) }
}

// intOr returns argument i, or what stands for it when it is not given.
func intOr(args []ref.Val, i int, absent int64) int64 {
	if i < len(args) {
		return int64(args[i].(types.Int))
	}
	return absent
}

func outOfRange(i int64) ref.Val { return types.NewErr("index out of range: %d", i) }

func charAt(args ...ref.Val) ref.Val {
	runes, i := []rune(textOf(args[0])), intOr(args, 1, 0)
	switch {
	case i < 0 || i > int64(len(runes)):
		return outOfRange(i)
	case i == int64(len(runes)):
		return types.String("")
	}
	return types.String(runes[i])
}

func indexOf(args ...ref.Val) ref.Val {
	runes, wanted, from := []rune(textOf(args[0])), []rune(textOf(args[1])), intOr(args, 2, 0)
	switch {
	case from < 0:
		return outOfRange(from)
	case len(wanted) == 0:
		return types.Int(min(from, int64(len(runes))))
	}
	for i := from; i <= int64(len(runes)-len(wanted)); i++ {
		if slices.Equal(runes[i:][:len(wanted)], wanted) {
			return types.Int(i)
		}
	}
	return types.IntNegOne
}

// lastIndexOf returns the last place at or before the one that is given. One that is
// given behind the end finds nothing.
func lastIndexOf(args ...ref.Val) ref.Val {
	runes, wanted := []rune(textOf(args[0])), []rune(textOf(args[1]))
	length := int64(len(runes))
	from := intOr(args, 2, max(length-1, 0))
	switch {
	case from < 0:
		return outOfRange(from)
	case len(wanted) == 0 && len(args) == 2:
		return types.Int(length)
	case len(wanted) == 0:
		return types.Int(min(from, length))
	case from >= length:
		return types.IntNegOne
	}
	for i := min(from, length-int64(len(wanted))); i >= 0; i-- {
		if slices.Equal(runes[i:][:len(wanted)], wanted) {
			return types.Int(i)
		}
	}
	return types.IntNegOne
}

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}

func upperASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			r -= 'a' - 'A'
		}
		return r
	}, s)
}

func reverseText(s string) string {
	runes := []rune(s)
	slices.Reverse(runes)
	return string(runes)
}

func replace(args ...ref.Val) ref.Val {
	return types.String(strings.Replace(textOf(args[0]), textOf(args[1]), textOf(args[2]), int(intOr(args, 3, -1))))
}

func split(args ...ref.Val) ref.Val {
	return types.DefaultTypeAdapter.NativeToValue(strings.SplitN(textOf(args[0]), textOf(args[1]), int(intOr(args, 2, -1))))
}

func substring(args ...ref.Val) ref.Val {
	runes := []rune(textOf(args[0]))
	length := int64(len(runes))
	start := intOr(args, 1, 0)
	end := intOr(args, 2, max(start, length))
	switch {
	case start > end:
		return types.NewErr("invalid substring range. start: %d, end: %d", start, end)
	case start < 0 || start > length:
		return outOfRange(start)
	case end < 0 || end > length:
		return outOfRange(end)
	}
	return types.String(runes[start:end])
}

func join(args ...ref.Val) ref.Val {
	var separator string
	if len(args) > 1 {
		separator = textOf(args[1])
	}
	var all []string
	for it := args[0].(traits.Lister).Iterator(); it.HasNext() == types.True; {
		element := it.Next()
		s, ok := element.(types.String)
		if !ok {
			return types.NewErr("join: invalid input: %v", element)
		}
		all = append(all, string(s))
	}
	return types.String(strings.Join(all, separator))
}

// quote writes a text as a CEL literal. Invalid UTF-8 becomes U+FFFD.
func quote(s string) string {
	escapes := strings.NewReplacer("\a", `\a`, "\b", `\b`, "\f", `\f`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "\v", `\v`, `\`, `\\`, `"`, `\"`)
	return `"` + escapes.Replace(string([]rune(s))) + `"`
}
