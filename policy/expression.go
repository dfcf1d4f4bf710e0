package policy

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/claudewatch/claudewatch/internal/cel"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// expressionPath stands for the file in diagnostics about an expression that has none.
const expressionPath = "expression"

// ExpressionValue is what an expression came to.
type ExpressionValue struct {
	// Type is the type the checker gives the expression.
	Type string
	// Value is the value: FormatValue shows it.
	Value ref.Val
}

// EvaluateExpression checks and evaluates an expression over a call. The value is
// nil when it cannot be had; the diagnostics then say why, errors at run time included.
func EvaluateExpression(expression string, in *schema.Input) (*ExpressionValue, []Diagnostic) {
	environment, checked, diagnostics := checkExpression(expression)
	if checked == nil {
		return nil, diagnostics
	}
	set := &Set{RuleSet: &RuleSet{Path: expressionPath}, unit: &Unit{environment: environment}}
	a := &activation{input: schema.InputValue(in), set: set}
	value, _, err := a.evaluate(&planned{}, checked, false)
	if err != nil {
		e := checked.locate(expressionPath, err)
		source := checked.Lowered.Parts[0].Scalar.source
		return nil, append(diagnostics, source.diagnostic(Fault, codeCEL, e.Position, 1, e.Message))
	}
	return &ExpressionValue{typeName(checked.outputType()), value}, diagnostics
}

// TypeOfExpression checks an expression and returns its type as the checker writes it.
// The type is "" when the expression is faulty; the diagnostics then say why.
func TypeOfExpression(expression string) (string, []Diagnostic) {
	_, checked, diagnostics := checkExpression(expression)
	if checked == nil {
		return "", diagnostics
	}
	return typeName(checked.outputType()), diagnostics
}

// ExpressionEnvironment returns what an expression can name that stands in no rule set.
func ExpressionEnvironment() (*cel.Environment, error) { return baseEnvironment() }

func checkExpression(expression string) (*Environment, *Checked, []Diagnostic) {
	source := newSource(expressionPath, strings.ToValidUTF8(expression, "\uFFFD"))
	environment, diagnostics := NewEnvironment(&RuleSet{Path: expressionPath, source: source})
	if environment == nil {
		return nil, nil, diagnostics
	}
	checked, diagnostics := environment.CheckScalar(wholeSource(source))
	return environment, checked, diagnostics
}

// wholeSource is a text as one value, each rune standing for itself.
func wholeSource(s *source) *Scalar {
	scalar := &Scalar{Text: s.text, Position: Position{1, 1}, source: s}
	scalar.once.Do(func() {
		s.split()
		for i := 0; i <= len(s.runes); i++ {
			scalar.offsets = append(scalar.offsets, i)
		}
	})
	return scalar
}

// FormatValue writes a CEL value as CEL would, objects in a short form of their own.
func FormatValue(v ref.Val) string {
	var b strings.Builder
	formatValue(&b, v, 0)
	return b.String()
}

// maxFormatDepth bounds nested lists and maps.
const maxFormatDepth = 20

// telling names the field of an object that tells it from others of its type.
func telling(typeName string) string {
	switch typeName {
	case "Command", "GitOp":
		return "source"
	case "Script":
		return "content"
	case "Call":
		return "name"
	case "Target":
		return "raw"
	case "Change":
		return "path"
	case "Repo":
		return "root"
	}
	return ""
}

func formatValue(b *strings.Builder, v ref.Val, depth int) {
	if object, ok := v.(traits.Indexer); ok {
		if field := telling(v.Type().TypeName()); field != "" {
			b.WriteString(v.Type().TypeName() + "{")
			formatValue(b, object.Get(types.String(field)), depth+1)
			b.WriteByte('}')
			return
		}
	}
	switch v := v.(type) {
	case types.String:
		b.WriteString(strconv.Quote(string(v)))
	case types.Bytes:
		b.WriteString("b" + strconv.Quote(string(v)))
	case types.Null:
		b.WriteString("null")
	case *types.Type:
		b.WriteString(v.TypeName())
	case *types.Err:
		b.WriteString("error: " + v.Error())
	case traits.Mapper:
		formatMap(b, v, depth)
	case traits.Lister:
		formatList(b, v, depth)
	case types.Bool, types.Int, types.Uint, types.Double:
		fmt.Fprint(b, v.Value())
	case types.Duration, types.Timestamp:
		fmt.Fprint(b, v.ConvertToType(types.StringType).Value())
	default:
		b.WriteString(v.Type().TypeName() + "{…}")
	}
}

func formatList(b *strings.Builder, list traits.Lister, depth int) {
	if depth >= maxFormatDepth {
		b.WriteString("[…]")
		return
	}
	b.WriteByte('[')
	for i, it := 0, list.Iterator(); it.HasNext() == types.True; i++ {
		if i > 0 {
			b.WriteString(", ")
		}
		formatValue(b, it.Next(), depth+1)
	}
	b.WriteByte(']')
}

func formatMap(b *strings.Builder, m traits.Mapper, depth int) {
	if depth >= maxFormatDepth {
		b.WriteString("{…}")
		return
	}
	var entries []string
	for it := m.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		var entry strings.Builder
		formatValue(&entry, key, depth+1)
		entry.WriteString(": ")
		formatValue(&entry, m.Get(key), depth+1)
		entries = append(entries, entry.String())
	}
	sort.Strings(entries)
	b.WriteString("{" + strings.Join(entries, ", ") + "}")
}
