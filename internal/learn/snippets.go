package learn

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/lazyregexp"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/claudewatch/claudewatch/watches"
	"gopkg.in/yaml.v3"
)

// Snippet is text to write into a file. It is YAML; for a JSON file it is JSON as well.
type Snippet struct {
	File string `json:"file"`
	// Place says where in the file it goes.
	Place string `json:"place"`
	Text  string `json:"text"`
}

// snippets returns what to write for the proposals of a report.
func snippets(r *Report, k Known) []Snippet {
	all := []Snippet{}
	if len(r.Allow) > 0 {
		var patterns []string
		for _, a := range r.Allow {
			patterns = append(patterns, strconv.Quote(a.Pattern))
		}
		all = append(all, Snippet{k.ClaudeSettings, "add to permissions.allow", `{"permissions": {"allow": [` + strings.Join(patterns, ", ") + `]}}` + "\n"})
	}
	var off []string
	parts := map[*policy.Set][]Exemption{}
	var sets []*policy.Set
	for _, e := range r.Exemptions {
		if e.Kind == "rule" {
			off = append(off, e.Rule)
			continue
		}
		if parts[e.set] == nil {
			sets = append(sets, e.set)
		}
		parts[e.set] = append(parts[e.set], e)
	}
	for _, set := range sets {
		if set.Scope != policy.Shipped {
			all = append(all, ownSnippets(parts[set])...)
			continue
		}
		replacement, err := replacementOf(set, parts[set])
		if err != nil {
			continue // a set that cannot be copied has no proposal
		}
		all = append(all, Snippet{filepath.Join(k.Watches, replacementName(set)+".yml"), "a new file, in the place of rules that are shipped", replacement})
		for _, e := range parts[set] {
			if !slices.Contains(off, e.Rule) {
				off = append(off, e.Rule)
			}
		}
	}
	if len(off) > 0 {
		all = append(all, Snippet{k.Settings, "add to rules; or let `claudewatch set 'SET/RULE' off` do it", rulesText(off)})
	}
	return all
}

func rulesText(off []string) string {
	text := "rules:\n"
	for _, name := range off {
		text += "  " + strings.TrimSpace(encode(scalarNode(name))) + ": off\n"
	}
	return text
}

// ownSnippets are exemptions to add to rules of the user or of a project.
func ownSnippets(exemptions []Exemption) []Snippet {
	var all []Snippet
	for _, e := range exemptions {
		list := &yaml.Node{Kind: yaml.SequenceNode}
		list.Content = append(list.Content, scalarNode(e.Condition))
		n := mappingNode()
		addPair(n, "unless", list)
		place := fmt.Sprintf("line %d: add to the rule '%s'; when it has an unless, to that", e.rule.Position.Line, e.rule.Name)
		all = append(all, Snippet{e.set.Path, place, encode(n)})
	}
	return all
}

// conditionOf is the CEL condition that is true of what an ask was about, and of nothing
// else; "" when what is known is not enough.
func conditionOf(a Asked) string {
	switch {
	case a.What == "" || strings.ContainsAny(a.What, "?…"):
		return ""
	case a.file && (a.What == "/" || a.What == "." || strings.ContainsAny(a.What, `*?[]{}\`)):
		return ""
	case a.file:
		return "input.path != \"\" && glob(input.path, " + strconv.Quote(a.What+"/*") + ")"
	}
	return "shape(input.commands) == " + strconv.Quote(a.What)
}

func replacementName(set *policy.Set) string { return "learned-" + set.Name }

// replacementOf is a rule file with copies of shipped rules that have the exemptions.
func replacementOf(set *policy.Set, exemptions []Exemption) (string, error) {
	source, err := fs.ReadFile(watches.FS, path.Base(set.Path))
	if err != nil {
		return "", err
	}
	var document yaml.Node
	if err := yaml.Unmarshal(source, &document); err != nil || len(document.Content) == 0 {
		return "", fmt.Errorf("%s: no rule set: %w", set.Path, err)
	}
	root := document.Content[0]
	conditions := map[string][]string{}
	for _, e := range exemptions {
		conditions[e.rule.Name] = append(conditions[e.rule.Name], e.Condition)
	}
	asks := &yaml.Node{Kind: yaml.SequenceNode}
	text := ""
	for _, rule := range valueOf(valueOf(root, "rules"), "ask").Content {
		if added := conditions[valueOf(rule, "name").Value]; added != nil {
			addExemptions(rule, added)
			asks.Content = append(asks.Content, rule)
			text += encode(rule)
		}
	}
	n := mappingNode()
	addPair(n, "name", scalarNode(replacementName(set)))
	addPair(n, "description", scalarNode("rules of "+set.Name+" with exemptions for what was always approved"))
	for _, key := range []string{"filter", "extensions"} {
		if v := valueOf(root, key); v.Kind != 0 {
			addPair(n, key, v)
			text += v.Value
		}
	}
	if variables := used(valueOf(root, "variables"), text); len(variables.Content) > 0 {
		addPair(n, "variables", variables)
	}
	rules := mappingNode()
	addPair(rules, "ask", asks)
	addPair(n, "rules", rules)
	return encode(n), nil
}

// addExemptions adds conditions to the unless of a rule.
func addExemptions(rule *yaml.Node, conditions []string) {
	unless := valueOf(rule, "unless")
	switch {
	case unless.Kind == 0:
		unless = &yaml.Node{Kind: yaml.SequenceNode}
		addPair(rule, "unless", unless)
	case unless.Kind == yaml.ScalarNode: // one condition
		*unless = yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{scalarNode(unless.Value)}}
	}
	for _, c := range conditions {
		unless.Content = append(unless.Content, scalarNode(c))
	}
}

var variableName = lazyregexp.New(`variables\.(\w+)`)

// used returns the variables that a text uses, and those that these use.
func used(variables *yaml.Node, text string) *yaml.Node {
	wanted := map[string]bool{}
	for more := text; more != ""; {
		found := variableName().FindAllStringSubmatch(more, -1)
		more = ""
		for _, f := range found {
			if !wanted[f[1]] {
				wanted[f[1]] = true
				more += valueOf(variables, f[1]).Value + "\n"
			}
		}
	}
	n := mappingNode()
	for i := 0; i+1 < len(variables.Content); i += 2 {
		if wanted[variables.Content[i].Value] {
			n.Content = append(n.Content, variables.Content[i], variables.Content[i+1])
		}
	}
	return n
}

// valueOf returns the value of a key, a node of no kind when there is none.
func valueOf(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content) && mapping.Kind == yaml.MappingNode; i += 2 {
		if mapping.Content[i].Value == key {
			return config.Resolve(mapping.Content[i+1])
		}
	}
	return &yaml.Node{}
}

func mappingNode() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode} }

func scalarNode(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
}

func addPair(mapping *yaml.Node, key string, value *yaml.Node) {
	mapping.Content = append(mapping.Content, scalarNode(key), value)
}

// encode writes a node as YAML.
func encode(n *yaml.Node) string {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(n); err != nil {
		return ""
	}
	return b.String()
}
