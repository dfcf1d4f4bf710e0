package settingsedit

import (
	"strings"

	"github.com/claudewatch/claudewatch/internal/config"
	"gopkg.in/yaml.v3"
)

// scalarText returns text as a scalar of YAML that can stand anywhere: plain when it
// reads back as that very text, else quoted.
func scalarText(text string) string {
	if isPlain(text) {
		return text
	}
	if !strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' || r == '\u007f' || r == '\u0085' || r == '\u2028' || r == '\u2029' || r == '\uFEFF'
	}) {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	n := yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Style: yaml.DoubleQuotedStyle}
	quoted, err := yaml.Marshal(&n)
	if err != nil {
		return "''"
	}
	return strings.TrimSpace(string(quoted))
}

// isPlain reports whether text can be written without quotes, in brackets too.
func isPlain(text string) bool {
	if text == "" || strings.ContainsAny(text, ",[]{}\"'`\n\t") || strings.Contains(text, ": ") || strings.Contains(text, " #") || strings.HasSuffix(text, ":") {
		return false
	}
	var n yaml.Node
	if err := yaml.Unmarshal([]byte("- "+text), &n); err != nil || len(n.Content) != 1 || n.Content[0].Kind != yaml.SequenceNode {
		return false
	}
	item := n.Content[0].Content[0]
	return item.Kind == yaml.ScalarNode && item.Value == text && item.ShortTag() == "!!str" && item.Anchor == ""
}

// flowText is the text of a scalar as it is written, or quoted where that cannot
// stand in brackets.
func flowText(n node, written string) string {
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) == 0 && strings.ContainsAny(written, ",[]{}") {
		return scalarText(n.Value)
	}
	return written
}

// flowOf writes a value out in brackets, aliases followed.
func flowOf(n node) string {
	n = config.Resolve(n)
	var parts []string
	switch n.Kind {
	case yaml.SequenceNode:
		return listText(n.Content)
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			parts = append(parts, flowOf(n.Content[i])+": "+flowOf(n.Content[i+1]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case yaml.ScalarNode:
		if n.ShortTag() != "!!str" && n.Value != "" && n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) == 0 {
			return n.Value // a number, a bool
		}
		if config.IsNull(n) {
			return "null"
		}
		return scalarText(n.Value)
	}
	return "null"
}

func listText(items []node) string {
	var parts []string
	for _, item := range items {
		parts = append(parts, flowOf(item))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// freeAliases writes the aliases out that stand for what is about to change: removed,
// which is taken out with all in it, and changed, of which a part is. Either may be
// nil. What they are aliases of is then no longer shared.
func (d *document) freeAliases(removed, changed node) {
	if d.root == nil {
		return
	}
	gone := map[node]bool{}
	within(removed, func(n node) { gone[n] = true })
	within(d.root, func(n node) {
		if n.Kind == yaml.AliasNode && (n.Alias == changed || gone[n.Alias]) && !gone[n] {
			if start, end, ok := d.span(n); ok {
				d.replace(start, end, flowOf(n.Alias))
			}
		}
	})
}

// within calls each for a node and those beneath it; aliases are not followed.
func within(n node, each func(node)) {
	if n == nil {
		return
	}
	each(n)
	for _, c := range n.Content {
		within(c, each)
	}
}
