package cel

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// The method format() of the extension for strings:
// https://github.com/google/cel-spec/blob/master/doc/extensions/strings.md
//
//	"%s takes %.2f s".format([name, seconds])

const (
	// defaultPrecision is the number of decimals where none is given.
	defaultPrecision = 6
	maxPrecision     = 100
)

// clause is one % of a format.
type clause struct {
	verb      byte
	precision int
}

// kinds returns what a verb takes.
func (c clause) kinds() []types.Kind {
	switch c.verb {
	case 'd', 'f', 'e':
		return []types.Kind{types.IntKind, types.UintKind, types.DoubleKind}
	case 'b':
		return []types.Kind{types.IntKind, types.UintKind, types.BoolKind}
	case 'o':
		return []types.Kind{types.IntKind, types.UintKind}
	case 'x', 'X':
		return []types.Kind{types.IntKind, types.UintKind, types.StringKind, types.BytesKind}
	}
	return []types.Kind{
		types.StringKind, types.BoolKind, types.BytesKind, types.IntKind, types.UintKind, types.DoubleKind, types.NullTypeKind,
		types.ListKind, types.MapKind, types.TypeKind, types.DurationKind, types.TimestampKind,
	}
}

func (c clause) mismatch(typeName string) error {
	return fmt.Errorf("%%%c in a format does not take a value of type %s", c.verb, typeName)
}

// eachClause takes a format apart. It calls literal with the texts between clauses
// and argument with each clause and its number.
func eachClause(text string, literal func(string), argument func(int, clause) error) error {
	for n := 0; ; {
		before, rest, found := strings.Cut(text, "%")
		literal(before)
		if !found {
			return nil
		}
		if strings.HasPrefix(rest, "%") {
			literal("%")
			text = rest[1:]
			continue
		}
		c, rest, err := parseClause(rest)
		if err == nil {
			err = argument(n, c)
		}
		if err != nil {
			return err
		}
		n, text = n+1, rest
	}
}

// parseClause reads what stands behind a %.
func parseClause(text string) (c clause, rest string, err error) {
	c.precision = defaultPrecision
	if fraction, ok := strings.CutPrefix(text, "."); ok {
		text = strings.TrimLeft(fraction, "0123456789")
		digits := fraction[:len(fraction)-len(text)]
		if c.precision, err = strconv.Atoi(digits); err != nil || c.precision > maxPrecision {
			return c, "", fmt.Errorf("the precision '%s' in a format is no number up to %d", digits, maxPrecision)
		}
	}
	if text == "" {
		return c, "", errors.New("a format ends within a clause: write %% for a percent sign")
	}
	c.verb = text[0]
	if !strings.ContainsRune("sdfebxXo", rune(c.verb)) {
		return c, "", fmt.Errorf("%%%c is no clause of a format", []rune(text)[0])
	}
	return c, text[1:], nil
}

func format(args ...ref.Val) ref.Val {
	var b strings.Builder
	values := args[1].(traits.Lister)
	count := int(values.Size().(types.Int))
	err := eachClause(textOf(args[0]), func(s string) { b.WriteString(s) }, func(i int, c clause) error {
		if i >= count {
			return fmt.Errorf("a format has more clauses than its %d values", count)
		}
		text, err := c.format(values.Get(types.Int(i)))
		b.WriteString(text)
		return err
	})
	if err != nil {
		return types.WrapErr(err)
	}
	return types.String(b.String())
}

func (c clause) format(v ref.Val) (string, error) {
	if t, ok := v.Type().(*types.Type); !ok || !slices.Contains(c.kinds(), t.Kind()) {
		return "", c.mismatch(v.Type().TypeName())
	}
	switch c.verb {
	case 'f', 'e':
		return formatFloat(toFloat(v), c.verb, c.precision), nil
	case 'b', 'o':
		return formatInteger(v, map[byte]int{'b': 2, 'o': 8}[c.verb]), nil
	case 'x', 'X':
		return fmt.Sprintf("%"+string(rune(c.verb)), v.Value()), nil
	}
	return formatText(v)
}

func toFloat(v ref.Val) float64 {
	switch v := v.(type) {
	case types.Int:
		return float64(v)
	case types.Uint:
		return float64(v)
	}
	return float64(v.(types.Double))
}

// formatFloat writes a number with some decimals, or, when precision is -1, with as
// many as it has.
func formatFloat(f float64, verb byte, precision int) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return strconv.FormatFloat(f, verb, precision, 64)
}

func formatInteger(v ref.Val, base int) string {
	switch v := v.(type) {
	case types.Uint:
		return strconv.FormatUint(uint64(v), base)
	case types.Bool:
		if v {
			return "1"
		}
		return "0"
	}
	return strconv.FormatInt(int64(v.(types.Int)), base)
}

// formatText writes a value as %s does.
func formatText(v ref.Val) (string, error) {
	switch v := v.(type) {
	case types.String:
		return string(v), nil
	case types.Bytes:
		return string(v), nil
	case types.Double:
		return formatFloat(float64(v), 'f', -1), nil
	case types.Duration:
		return formatFloat(v.Seconds(), 'f', -1) + "s", nil
	case types.Timestamp:
		return v.UTC().Format(time.RFC3339Nano), nil
	case types.Null:
		return "null", nil
	case types.Bool, types.Int, types.Uint, *types.Type:
		return fmt.Sprint(v.Value()), nil
	case traits.Mapper:
		return formatMap(v)
	case traits.Lister:
		texts, err := formatTexts(elements(v))
		return "[" + strings.Join(texts, ", ") + "]", err
	}
	return "", clause{verb: 's'}.mismatch(v.Type().TypeName())
}

func formatTexts(values []ref.Val) ([]string, error) {
	texts := make([]string, len(values))
	for i, v := range values {
		var err error
		if texts[i], err = formatText(v); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// formatMap writes the entries of a map in the order of their keys.
func formatMap(m traits.Mapper) (string, error) {
	type entry struct{ key, text string }
	var entries []entry
	for it := m.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		texts, err := formatTexts([]ref.Val{key, m.Get(key)})
		if err != nil {
			return "", err
		}
		entries = append(entries, entry{texts[0], texts[0] + ": " + texts[1]})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	texts := make([]string, len(entries))
	for i, e := range entries {
		texts[i] = e.text
	}
	return "{" + strings.Join(texts, ", ") + "}", nil
}

// checkFormats reports what is wrong with formats whose text and values are known:
// clauses that do not exist, or that do not take their values.
func checkFormats(checked *ast.AST, errs *common.Errors) {
	ast.PreOrderVisit(checked.Expr(), ast.NewExprVisitor(func(x ast.Expr) {
		if x.Kind() != ast.CallKind || x.AsCall().FunctionName() != "format" || !x.AsCall().IsMemberFunction() {
			return
		}
		target, values := x.AsCall().Target(), x.AsCall().Args()[0]
		if target.Kind() != ast.LiteralKind || values.Kind() != ast.ListKind {
			return
		}
		if at, err := checkFormat(checked, textOf(target.AsLiteral()), values.AsList().Elements()); err != nil {
			if at == nil {
				at = x
			}
			errs.ReportErrorAtID(at.ID(), checked.SourceInfo().GetStartLocation(at.ID()), "%v", err)
		}
	}))
}

// checkFormat returns what is wrong with a format, and the value that it is about, if any.
func checkFormat(checked *ast.AST, text string, values []ast.Expr) (at ast.Expr, err error) {
	clauses := 0
	err = eachClause(text, func(string) {}, func(i int, c clause) error {
		if i >= len(values) {
			return fmt.Errorf("the format has more clauses than its %d values", len(values))
		}
		clauses++
		if at = unformattable(checked, c, values[i]); at != nil {
			return c.mismatch(checked.GetType(at.ID()).TypeName())
		}
		return nil
	})
	if err == nil && clauses < len(values) {
		err = fmt.Errorf("the format has %d clauses and %d values", clauses, len(values))
	}
	return at, err
}

// unformattable returns the part of a value that a clause does not take, nil for none
// that is known before it runs.
func unformattable(checked *ast.AST, c clause, x ast.Expr) ast.Expr {
	if t := checked.GetType(x.ID()); t.Kind() != types.DynKind && !slices.Contains(c.kinds(), t.Kind()) {
		return x
	}
	var parts []ast.Expr
	switch x.Kind() {
	case ast.ListKind:
		parts = x.AsList().Elements()
	case ast.MapKind:
		for _, e := range x.AsMap().Entries() {
			parts = append(parts, e.AsMapEntry().Key(), e.AsMapEntry().Value())
		}
	}
	for _, part := range parts {
		if found := unformattable(checked, c, part); found != nil {
			return found
		}
	}
	return nil
}
