package predicates

import (
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

var hasFlag = declaration{
	name:    "has_flag",
	doc:     "Any of these options is given. A short one is found inside a cluster (-f in -rf), a long one with =value and in the abbreviations the program accepts. Words after -- and values of options (the --force of -m --force) are no options.",
	example: `input.commands.exists(c, c.runs("git push") && c.has_flag("--force", "-f"))`,
	overloads: []overload{
		commandOverload("command_has_flag_string", stringParameters(1), types.BoolType, hasAnyArgument),
		commandOverload("command_has_flag_string_string", stringParameters(2), types.BoolType, hasAnyArgument),
		commandOverload("command_has_flag_string_string_string", stringParameters(3), types.BoolType, hasAnyArgument),
		commandOverload("command_has_flag_string_string_string_string", stringParameters(4), types.BoolType, hasAnyArgument),
		commandOverload("command_has_flag_list", []*types.Type{types.NewListType(types.StringType)}, types.BoolType, hasAnyElement),
	},
}

var option = declaration{
	name:    "option",
	doc:     "The value of an option: what stands after =, in the same word, or as the next word when that is no option. Of several the last one, \"\" when the option is absent or has no value.",
	example: `input.commands.exists(c, c.runs("git commit") && c.option("-m").startsWith("WIP"))`,
	overloads: []overload{
		commandOverload("command_option_string", stringParameters(1), types.StringType,
			func(c *schema.Command, args []ref.Val) ref.Val {
				values := optionValuesOf(c, text(args[0]))
				if len(values) == 0 {
					return types.String("")
				}
				return types.String(values[len(values)-1])
			}),
	},
}

var optionValues = declaration{
	name:    "option_values",
	doc:     "The values of an option that may be given several times, in order; \"\" stands for one without a value. Empty when the option is absent.",
	example: `input.commands.exists(c, c.program == "git" && c.option_values("-c").exists(v, v.startsWith("core.hooksPath=")))`,
	overloads: []overload{
		commandOverload("command_option_values_string", stringParameters(1), types.NewListType(types.StringType),
			func(c *schema.Command, args []ref.Val) ref.Val {
				return types.NewStringList(types.DefaultTypeAdapter, optionValuesOf(c, text(args[0])))
			}),
	},
}

func stringParameters(n int) []*types.Type { return slices.Repeat([]*types.Type{types.StringType}, n) }

func hasAnyArgument(c *schema.Command, args []ref.Val) ref.Val {
	for _, a := range args {
		if len(occurrences(c, text(a))) > 0 {
			return types.True
		}
	}
	return types.False
}

func hasAnyElement(c *schema.Command, args []ref.Val) ref.Val {
	names, err := texts(args[0])
	if err != nil {
		return err
	}
	for _, name := range names {
		if len(occurrences(c, name)) > 0 {
			return types.True
		}
	}
	return types.False
}

// occurrence is one place where an option is given.
type occurrence struct {
	index int // in Args
	// value is what the same word holds or the option table gives.
	value string
	// complete is true when the word after it cannot be the value: there is one
	// already, or other letters of a cluster follow.
	complete bool
}

// occurrences returns where the option name stands in c, in order. The options of
// c come from clusters and abbreviations; its words are looked at too because the
// long options of some programs begin with a single dash (terraform -auto-approve).
func occurrences(c *schema.Command, name string) []occurrence {
	if !isOption(name) {
		return nil
	}
	var found []occurrence
	known := map[int]bool{} // the words that hold what is found
	for i, o := range c.Options {
		if o.Name != name {
			continue
		}
		last := i+1 == len(c.Options) || c.Options[i+1].Index != o.Index
		empty := o.Index >= 0 && o.Index < len(c.Args) && strings.HasSuffix(c.Args[o.Index], "=")
		found = append(found, occurrence{o.Index, o.Value, o.Value != "" || !last || empty})
		known[o.Index] = true
	}
	isValue := valueWords(c)
	for i, word := range c.Args {
		if isValue[i] || known[i] {
			continue
		}
		if word == "--" {
			break
		}
		if value, ok := strings.CutPrefix(word, name); ok {
			if value == "" {
				found = append(found, occurrence{index: i})
			} else if value[0] == '=' {
				found = append(found, occurrence{i, value[1:], true})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b occurrence) int { return a.index - b.index })
	return found
}

// valueWords tells which of c's words are values of the option in the word before.
func valueWords(c *schema.Command) map[int]bool {
	words := map[int]bool{}
	for _, o := range c.Options {
		next := o.Index + 1
		if o.Value == "" || o.Index < 0 || next >= len(c.Args) {
			continue
		}
		word := c.Args[o.Index]
		holdsValue := word != o.Name && strings.HasSuffix(word, o.Value)
		if !holdsValue && c.Args[next] == o.Value {
			words[next] = true
		}
	}
	return words
}

// optionValuesOf returns the values of the option name, one for each time it is given.
func optionValuesOf(c *schema.Command, name string) []string {
	var values []string
	for _, o := range occurrences(c, name) {
		value := o.value
		if next := o.index + 1; !o.complete && next > 0 && next < len(c.Args) && !isOption(c.Args[next]) && c.Args[next] != "--" {
			value = c.Args[next]
		}
		values = append(values, value)
	}
	return values
}

// isOption reports whether word has the form of an option; "-" and "--" have not.
func isOption(word string) bool { return len(word) > 1 && word[0] == '-' && word != "--" }
