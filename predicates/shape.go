package predicates

import (
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

var shape = declaration{
	name:    "shape",
	doc:     "The program and its subcommand words, free of values: \"git push\" for FOO=1 sudo /usr/bin/git -C dir push origin main. For a list of commands the shapes in order, joined by | where one is piped to the next and by ; elsewhere. It is what the decision log records.",
	example: `input.commands.all(c, shape(c) in ["git status", "git diff", "ls"]) || shape(input.commands) == "cat | wc"`,
	overloads: []overload{
		{
			id:         "shape_command",
			parameters: []*types.Type{schema.CommandType},
			result:     types.StringType,
			bind: func(args ...ref.Val) ref.Val {
				c, ok := schema.CommandOf(args[0])
				if !ok {
					return types.MaybeNoSuchOverloadErr(args[0])
				}
				return types.String(Shape([]*schema.Command{c}))
			},
		},
		{
			id:         "shape_list_command",
			parameters: []*types.Type{types.NewListType(schema.CommandType)},
			result:     types.StringType,
			bind: func(args ...ref.Val) ref.Val {
				list, ok := args[0].(traits.Lister)
				if !ok {
					return types.MaybeNoSuchOverloadErr(args[0])
				}
				var commands []*schema.Command
				for it := list.Iterator(); it.HasNext() == types.True; {
					element := it.Next()
					c, ok := schema.CommandOf(element)
					if !ok {
						return types.MaybeNoSuchOverloadErr(element)
					}
					commands = append(commands, c)
				}
				return types.String(Shape(commands))
			},
		},
	},
}

// maxShapes is how many commands Shape tells one by one.
const maxShapes = 8

// Shape returns the programs and subcommand words of commands and nothing else of
// them: no assignment, wrapper, option, path or value. A word that does not look
// like the name of a program or subcommand is "?", so that no value slips in where
// one is expected. Commands that are piped to the next are joined by " | ", others
// by " ; "; beyond eight commands the rest is "…". It is "" for no commands.
func Shape(commands []*schema.Command) string {
	var b strings.Builder
	for i, c := range commands {
		if i > 0 {
			previous := commands[i-1]
			if c.Program != "" && previous.PipedTo == c.Program && c.PipedFrom == previous.Program {
				b.WriteString(" | ")
			} else {
				b.WriteString(" ; ")
			}
		}
		if i == maxShapes {
			b.WriteString("…")
			break
		}
		b.WriteString(shapeOf(c))
	}
	return b.String()
}

// maxName is the length of the longest name of a program or subcommand, in bytes.
// Longer words are tokens or data.
const maxName = 32

// isName reports whether word looks like the name of a program or of a subcommand:
// not a path, an address, a variable or a token.
func isName(word string) bool {
	for i, r := range word {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_':
		case i == 0 && r == '[': // a program, too
		case i > 0 && strings.ContainsRune("-.:+", r):
		default:
			return false
		}
	}
	return word != "" && len(word) <= maxName
}

func shapeOf(c *schema.Command) string {
	if !isName(c.Program) {
		return "?"
	}
	if c.Subcommand == "" {
		return c.Program
	}
	words := []string{c.Program}
	have := subcommandWords(c)
	for i := 0; i < min(len(have), subcommandDepth(c)); i++ {
		if !isName(have[i]) {
			words = append(words, "?")
			break
		}
		words = append(words, have[i])
	}
	return strings.Join(words, " ")
}

// subcommandDepth returns how many words name c's subcommand: 1, or 2 where the
// first is a group.
func subcommandDepth(c *schema.Command) int {
	groups := subcommandGroups[c.Program]
	if slices.Contains(groups, c.Subcommand) || slices.Contains(groups, "*") {
		return 2
	}
	return 1
}

// subcommandGroups lists, by program, the subcommands whose next operand is a
// subcommand again and never a value; "*" stands for all of them.
var subcommandGroups = map[string][]string{
	"aws":       {"*"}, // service and operation
	"docker":    {"builder", "buildx", "compose", "container", "context", "image", "manifest", "network", "plugin", "swarm", "system", "volume"},
	"gh":        {"auth", "cache", "gist", "issue", "label", "pr", "project", "release", "repo", "run", "secret", "variable", "workflow"},
	"go":        {"mod", "work"},
	"helm":      {"dependency", "plugin", "registry", "repo"},
	"kubectl":   {"auth", "config", "rollout"},
	"podman":    {"container", "image", "machine", "network", "pod", "secret", "system", "volume"},
	"terraform": {"providers", "state", "workspace"},
	"tofu":      {"providers", "state", "workspace"},
	"uv":        {"cache", "pip", "python", "tool"},
	"git":       {"bisect", "reflog", "remote", "stash", "submodule", "worktree"},
}
