package settingsedit

import (
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/policy"
	"gopkg.in/yaml.v3"
)

// setRule makes an edit of rules, which is there.
func (d *document) setRule(e entry, edit Edit) error {
	value := config.Resolve(e.value)
	if value.Kind != yaml.MappingNode {
		switch {
		case !config.IsNull(value):
			return d.refuse(e.value, "'rules' takes rules with their actions, and there is "+config.Describe(value))
		case edit.takesOut():
			return nil
		}
		return d.fillRules(e, edit)
	}
	same := entries(value, edit.name)
	switch {
	case edit.take && len(same) == 0, edit.usual && len(same) == 0:
		return nil
	case e.value.Kind == yaml.AliasNode:
		return d.rewriteRules(e.value, value, edit)
	case edit.take:
		return d.takePair(e.value, value, same[0])
	case len(same) == 0:
		return d.addPair(e.value, value, edit)
	case edit.usual && (isFlow(value) || !d.isAbout(same[0])):
		return d.takePair(e.value, value, same[0])
	}
	return d.setValue(e.value, same[0], edit.value)
}

// isAbout reports whether a comment is about an entry: it stands behind it, or above.
func (d *document) isAbout(e entry) bool {
	start := d.offset(e.key.Line, e.key.Column)
	_, end, ok := d.span(e.value)
	return ok && isComment(d.after(end)) || d.commented(start)
}

// setValue replaces the action of a rule. The quotes around one are kept.
func (d *document) setValue(rules node, e entry, action policy.Action) error {
	value := config.Resolve(e.value)
	if strings.EqualFold(value.Value, action.String()) && value.Kind == yaml.ScalarNode {
		return nil
	}
	if value.Kind != yaml.ScalarNode {
		return d.refuse(e.value, "'"+e.key.Value+"' takes block, ask or off, and there is "+config.Describe(value))
	}
	d.freeAliases(e.value, rules)
	if config.IsNull(e.value) {
		return d.fill(e.value, action.String())
	}
	start, end, ok := d.span(e.value)
	if !ok {
		return d.refuse(e.value, "an action that goes over several lines")
	}
	if e.value.Kind == yaml.ScalarNode && e.value.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		start, end = start+1, end-1
	}
	d.replace(start, end, action.String())
	return nil
}

// addPair adds a rule to rules.
func (d *document) addPair(written, value node, edit Edit) error {
	d.freeAliases(nil, written)
	if isFlow(value) {
		return d.addItem(value, edit.pair())
	}
	return d.addLine(value, "", edit.pair())
}

// takePair takes a rule out of rules.
func (d *document) takePair(written, value node, e entry) error {
	d.freeAliases(e.key, written)
	d.freeAliases(e.value, nil)
	if isFlow(value) {
		return d.takeItem(value, slices.Index(value.Content, e.key)/2)
	}
	return d.takeLine(e.key, e.value, "")
}

// rewriteRules writes rules that are an alias out, with the edit.
func (d *document) rewriteRules(alias, value node, edit Edit) error {
	var pairs []string
	done := edit.takesOut()
	for i := 0; i+1 < len(value.Content); i += 2 {
		key, action := value.Content[i], value.Content[i+1]
		text := flowOf(action)
		if config.Resolve(key).Value == edit.name {
			if edit.takesOut() {
				continue
			}
			text, done = edit.value.String(), true
		}
		pairs = append(pairs, flowOf(key)+": "+text)
	}
	if !done {
		pairs = append(pairs, edit.pair())
	}
	text := "{" + strings.Join(pairs, ", ") + "}"
	if text == flowOf(value) {
		return nil
	}
	return d.rewrite(alias, text)
}

// fillRules gives rules, which has no entry, its first one.
func (d *document) fillRules(e entry, edit Edit) error {
	d.freeAliases(nil, e.value)
	start, end, ok := d.span(e.value)
	rest := ""
	if ok {
		rest = d.after(end)
	}
	if !ok || start != end || isFlow(d.root) || e.value.Kind == yaml.AliasNode || !isBlank(rest) && !isComment(rest) {
		return d.fill(e.value, "{"+edit.pair()+"}")
	}
	d.insertLine(start, strings.Repeat(" ", e.key.Column-1+indentation)+edit.pair())
	return nil
}

// indentation is how many spaces a new mapping within another is indented by.
const indentation = 2

// addKey adds a key to the top of the document. value is what it gets in the same
// line; with a line, that stands in a line of its own instead.
func (d *document) addKey(key, value, line string) error {
	if d.root != nil && isFlow(d.root) && d.root.Kind == yaml.MappingNode {
		return d.addItem(d.root, key+": "+value)
	}
	if d.root != nil && !isEmpty(d.root) && d.root.Kind == yaml.ScalarNode {
		return d.rewrite(d.root, "{"+key+": "+value+"}") // a null that is written
	}
	column := 0
	if d.root != nil && d.root.Kind == yaml.MappingNode {
		column = d.root.Content[0].Column - 1
	}
	margin := strings.Repeat(" ", column)
	text := margin + key + ": " + value
	if line != "" {
		text = margin + key + ":" + d.newline() + margin + strings.Repeat(" ", indentation) + line
	}
	at, ok := d.lastLine()
	if !ok {
		d.insert(d.lines[0], text+d.newline())
		return nil
	}
	d.insertLine(at, text)
	return nil
}

// lastLine returns an offset on the last line of the document that is not blank, ok is
// false when there is none. A line that ends the document is not part of it.
func (d *document) lastLine() (offset int, ok bool) {
	last := len(d.lines)
	begun := false
	for i, start := range d.lines {
		line := string(d.text[start:d.nextLine(start)])
		if strings.HasPrefix(line, "...") && begun && strings.TrimSpace(strings.TrimPrefix(line, "...")) == "" {
			last = i
			break
		}
		begun = begun || !isBlank(strings.TrimSpace(line))
	}
	for i := last - 1; i >= 0; i-- {
		if start := d.lines[i]; strings.TrimSpace(string(d.text[start:d.nextLine(start)])) != "" {
			return start, true
		}
	}
	return 0, false
}

// tidy takes a key out that an edit has left without a value, when nothing else stands
// on its line and no comment is about it.
func tidy(path string, content []byte, key string) ([]byte, error) {
	d, err := open(path, content)
	if err != nil {
		return nil, err
	}
	e, ok := d.entry(key)
	if !ok || !e.alone || isFlow(d.root) || hasProperties(e.value) || e.value.Kind == yaml.AliasNode || len(e.value.Content) > 0 || !config.IsNull(e.value) && e.value.Kind == yaml.ScalarNode {
		return content, nil
	}
	start := d.offset(e.key.Line, e.key.Column)
	_, end, ok := d.span(e.value)
	if !ok || !isBlank(d.before(start)) || !isBlank(d.after(end)) || d.lineOf(start) != d.lineOf(end) || d.commented(start) {
		return content, nil
	}
	if next := d.nextLine(start); next < len(d.text) {
		below := string(d.text[next:d.nextLine(next)])
		if isComment(below) && len(below)-len(strings.TrimLeft(below, " ")) >= e.key.Column {
			return content, nil // it is about what may stand there
		}
	}
	d.removeLines(start, end)
	return d.spliced(), nil
}
