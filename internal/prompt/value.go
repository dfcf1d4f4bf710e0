package prompt

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/claudewatch/claudewatch/internal/safetext"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// shownFields is how many runes of the value of a field are shown.
const shownFields = 1000

// spread writes a value for people: an object with a line for each field that is not
// empty, a list of objects with a line for each of them, else as policy.FormatValue does.
func spread(v ref.Val) string {
	if object := objectType(v); object != nil {
		return spreadObject(object, v)
	}
	list, ok := v.(traits.Lister)
	if !ok {
		return policy.FormatValue(v)
	}
	var lines []string
	for i, it := 0, list.Iterator(); it.HasNext() == types.True; i++ {
		element := it.Next()
		if objectType(element) == nil {
			return policy.FormatValue(v)
		}
		lines = append(lines, fmt.Sprintf("[%d] %s", i, policy.FormatValue(element)))
	}
	if len(lines) == 0 {
		return policy.FormatValue(v)
	}
	return strings.Join(lines, "\n")
}

func spreadObject(object *schema.ObjectType, v ref.Val) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	shown := 0
	for _, f := range object.Fields {
		key := types.String(f.Name)
		if tester, ok := v.(traits.FieldTester); ok && tester.IsSet(key) != types.True {
			continue
		}
		shown++
		fmt.Fprintf(w, "%s\t%s\n", f.Name, safetext.Line(policy.FormatValue(v.(traits.Indexer).Get(key)), shownFields))
	}
	_ = w.Flush()
	if shown == 0 {
		return object.Type.TypeName() + "{}"
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// objectType returns what is known of an object, nil for other values.
func objectType(v ref.Val) *schema.ObjectType {
	if _, ok := v.(traits.Indexer); !ok {
		return nil
	}
	return objectNamed(v.Type().TypeName())
}
