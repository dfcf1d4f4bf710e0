package predicates

import (
	"testing"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/go-cmp/cmp"
)

func TestOptions(t *testing.T) {
	option := func(name, value string, index int) schema.Option {
		return schema.Option{Name: name, Value: value, Index: index}
	}
	for name, test := range map[string]struct {
		command *schema.Command
		// values has, by option, its values; nil for options that are not given.
		values map[string][]string
	}{
		"a short option": {
			&schema.Command{Args: []string{"-f", "x"}, Options: []schema.Option{option("-f", "", 0)}},
			map[string][]string{"-f": {"x"}, "f": nil, "-": nil, "--": nil, "": nil, "x": nil},
		},
		"a cluster": {
			&schema.Command{Args: []string{"-rf", "x"}, Options: []schema.Option{option("-r", "", 0), option("-f", "", 0)}},
			map[string][]string{"-r": {""}, "-f": {"x"}, "-rf": {"x"}},
		},
		"a cluster with a value": {
			&schema.Command{Args: []string{"-am", "--force"}, Options: []schema.Option{option("-a", "", 0), option("-m", "--force", 0)}},
			map[string][]string{"-a": {""}, "-m": {"--force"}, "--force": nil},
		},
		"a value in the same word": {
			&schema.Command{Args: []string{"-n5", "--line=6", "x"}, Options: []schema.Option{option("-n", "5", 0), option("--line", "6", 1)}},
			map[string][]string{"-n": {"5"}, "--line": {"6"}, "--li": nil},
		},
		"an empty value": {
			&schema.Command{Args: []string{"--line=", "x"}, Options: []schema.Option{option("--line", "", 0)}},
			map[string][]string{"--line": {""}},
		},
		"an abbreviation": {
			&schema.Command{Args: []string{"--recurs"}, Options: []schema.Option{option("--recursive", "", 0)}},
			map[string][]string{"--recursive": {""}},
		},
		"given several times": {
			&schema.Command{Args: []string{"-c", "a=b", "-c", "c=d"}, Options: []schema.Option{option("-c", "a=b", 0), option("-c", "c=d", 2)}},
			map[string][]string{"-c": {"a=b", "c=d"}},
		},
		"after the dashes": {
			&schema.Command{Args: []string{"-a", "--", "-f", "--force"}, Options: []schema.Option{option("-a", "", 0)}},
			map[string][]string{"-a": {""}, "-f": nil, "--force": nil},
		},
		"dashes that are a value": {
			&schema.Command{Args: []string{"-m", "--", "-f"}, Options: []schema.Option{option("-m", "--", 0), option("-f", "", 2)}},
			map[string][]string{"-m": {"--"}, "-f": {""}},
		},
		"an option follows": {
			&schema.Command{Args: []string{"-a", "-b"}, Options: []schema.Option{option("-a", "", 0), option("-b", "", 1)}},
			map[string][]string{"-a": {""}, "-b": {""}},
		},
		"a single dash is a value": {
			&schema.Command{Args: []string{"-f", "-"}, Options: []schema.Option{option("-f", "", 0)}},
			map[string][]string{"-f": {"-"}},
		},
		"long options with one dash": {
			&schema.Command{Args: []string{"-auto-approve", "-var=a=b"}, Options: []schema.Option{option("-a", "", 0), option("-u", "", 0), option("-v", "", 1)}},
			map[string][]string{"-auto-approve": {""}, "-var": {"a=b"}, "-auto": nil},
		},
		"an option whose place is wrong": {
			&schema.Command{Args: []string{"x"}, Options: []schema.Option{option("-f", "", 7), option("-g", "", -3), option("-h", "v", -1)}},
			map[string][]string{"-f": {""}, "-g": {""}, "-h": {"v"}},
		},
	} {
		for flag, want := range test.values {
			if diff := cmp.Diff(want, optionValuesOf(test.command, flag)); diff != "" {
				t.Errorf("%s: values of %q (-want +got):\n%s", name, flag, diff)
			}
		}
	}
}

func TestOptionIsTheLastValue(t *testing.T) {
	in := bash("/w", &schema.Command{
		Args:    []string{"-o", "a", "-o", "b", "-v"},
		Options: []schema.Option{{Name: "-o", Value: "a", Index: 0}, {Name: "-o", Value: "b", Index: 2}, {Name: "-v", Index: 4}},
	})
	if !isTrue(t, `input.commands.all(c, c.option("-o") == "b" && c.option("-v") == "" && c.option("-x") == "")`, in) {
		t.Error("false")
	}
}

func TestHasFlagTakesOneToFourNamesOrAList(t *testing.T) {
	in := bash("/w", &schema.Command{Args: []string{"-f"}, Options: []schema.Option{{Name: "-f"}}})
	for expression, want := range map[string]bool{
		`c.has_flag("-f")`:                   true,
		`c.has_flag("-a", "-f")`:             true,
		`c.has_flag("-a", "-b", "-f")`:       true,
		`c.has_flag("-a", "-b", "-c", "-f")`: true,
		`c.has_flag("-a", "-b", "-c", "-d")`: false,
		`c.has_flag(["-a", "-f"])`:           true,
		`c.has_flag(["-a"])`:                 false,
		`c.has_flag([])`:                     false,
	} {
		if got := isTrue(t, "input.commands.exists(c, "+expression+")", in); got != want {
			t.Errorf("%s = %v", expression, got)
		}
	}
}

func TestManyOptionsAreReadInLinearTime(t *testing.T) {
	const n = 200_000
	c := &schema.Command{Args: make([]string, n), Options: make([]schema.Option, n)}
	for i := range n {
		c.Args[i] = "-f"
		c.Options[i] = schema.Option{Name: "-f", Index: i}
	}
	if got := len(optionValuesOf(c, "-f")); got != n {
		t.Errorf("%d values, want %d", got, n)
	}
}
