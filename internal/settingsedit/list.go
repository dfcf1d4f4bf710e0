package settingsedit

import (
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/config"
	"gopkg.in/yaml.v3"
)

// isName reports whether an item of enable or disable names a set, as the settings
// are read.
func isName(item node, name string) bool {
	item = config.Resolve(item)
	return item.Kind == yaml.ScalarNode && !config.IsNull(item) && strings.TrimSpace(item.Value) == name
}

// addName puts a name into the list of an entry; one name alone is a list, too.
func (d *document) addName(e entry, name string) error {
	value := config.Resolve(e.value)
	if isName(value, name) || value.Kind == yaml.SequenceNode && slices.ContainsFunc(value.Content, func(item node) bool { return isName(item, name) }) {
		return nil
	}
	if value.Kind == yaml.MappingNode {
		return d.refuse(e.value, "'"+e.key.Value+"' takes names of sets, and there is a mapping")
	}
	d.freeAliases(nil, e.value)
	text := scalarText(name)
	switch {
	case e.value.Kind == yaml.AliasNode:
		return d.rewrite(e.value, listText(append(itemsOf(value), &yaml.Node{Kind: yaml.ScalarNode, Value: name})))
	case config.IsNull(value):
		return d.fill(e.value, "["+text+"]")
	case value.Kind == yaml.ScalarNode:
		start, end, ok := d.span(value)
		if !ok {
			return d.refuse(value, "the name of a set goes over several lines")
		}
		d.replace(start, end, "["+flowText(value, string(d.text[start:end]))+", "+text+"]")
		return nil
	case isFlow(value):
		return d.addItem(value, text)
	}
	return d.addLine(value, "- ", text)
}

// itemsOf returns the items of a list, or the one value that stands for a list.
func itemsOf(value node) []node {
	switch {
	case config.IsNull(value):
		return nil
	case value.Kind == yaml.SequenceNode:
		return slices.Clone(value.Content)
	}
	return []node{value}
}

// fill gives a value to a key that has none, or a null.
func (d *document) fill(n node, text string) error {
	start, end, ok := d.span(n)
	if !ok {
		return d.refuse(n, "a value that cannot be replaced")
	}
	if start == end {
		before := d.before(start)
		if !hasProperties(n) && !strings.HasSuffix(strings.TrimRight(before, " \t"), ":") {
			return d.refuse(n, "a key without a colon")
		}
		if !strings.HasSuffix(before, " ") {
			text = " " + text
		}
	}
	d.replace(start, end, text)
	return nil
}

func hasProperties(n node) bool { return n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 }

// rewrite puts another text in the place of a node.
func (d *document) rewrite(n node, text string) error {
	start, end, ok := d.span(n)
	if !ok {
		return d.refuse(n, "a value that cannot be replaced")
	}
	d.replace(start, end, text)
	return nil
}

// addItem puts text behind the last item of a list or mapping in brackets.
func (d *document) addItem(n node, text string) error {
	f, ok := d.flow(d.content(n))
	if !ok {
		return d.refuse(n, "brackets whose end is not found")
	}
	if len(f.items) == 0 {
		if inner := string(d.text[f.open+1 : f.close]); isBlank(inner) {
			d.replace(f.open+1, f.close, text)
		} else {
			d.insert(f.open+1, text+" ") // before a comment
		}
		return nil
	}
	last := f.items[len(f.items)-1]
	behind := max(last.end, last.comma+1)
	indentation := d.before(last.start)
	if !isBlank(indentation) || d.lineOf(last.start) == d.lineOf(f.open) {
		d.insert(last.end, ", "+text)
		return nil
	}
	// One item a line: so is the new one.
	if last.comma < 0 {
		d.insert(last.end, ",")
	} else {
		text += ","
	}
	if rest := d.after(behind); isBlank(rest) || isComment(rest) {
		d.insertLine(behind, indentation+text)
	} else {
		d.insert(behind, d.newline()+indentation+text)
	}
	return nil
}

// addLine puts a line behind the last entry of a list or mapping that is written in
// lines. mark is what its lines begin with.
func (d *document) addLine(n node, mark, text string) error {
	step := 1
	if n.Kind == yaml.MappingNode {
		step = 2
	}
	for i := len(n.Content) - 1; i >= 0; i -= step {
		begin := n.Content[i-step+1]
		start := d.offset(begin.Line, begin.Column)
		_, end, ok := d.span(n.Content[i])
		prefix := d.before(start)
		if !ok || d.lineOf(start) != d.lineOf(end) || strings.TrimSpace(prefix) != strings.TrimSpace(mark) {
			continue // its end is not seen: behind the entry before it there is room, too
		}
		// The indentation, and what stands between a dash and its item, is the neighbour's.
		d.insertLine(end, prefix+text)
		return nil
	}
	first := d.offset(n.Line, n.Column)
	if len(n.Content) == 0 || !isBlank(d.before(first)) || hasProperties(n) {
		return d.refuse(n, "entries in a form that cannot be added to")
	}
	d.insert(d.lineStart(first), d.before(first)+mark+text+d.newline())
	return nil
}

// takeName takes one occurrence of a name out of the list of an entry.
func (d *document) takeName(e entry, name string) error {
	value := config.Resolve(e.value)
	items := itemsOf(value)
	at := slices.IndexFunc(items, func(item node) bool { return isName(item, name) })
	switch {
	case at < 0:
		return nil
	case e.value.Kind == yaml.AliasNode:
		return d.rewrite(e.value, listText(slices.Delete(items, at, at+1)))
	case value.Kind == yaml.ScalarNode:
		d.freeAliases(nil, e.value)
		return d.rewrite(value, "[]")
	}
	d.freeAliases(items[at], e.value)
	if isFlow(value) {
		return d.takeItem(value, at)
	}
	return d.takeLine(items[at], items[at], "- ")
}

// takeItem takes an item out of a list or mapping in brackets.
func (d *document) takeItem(n node, at int) error {
	f, ok := d.flow(d.content(n))
	size := len(n.Content)
	if n.Kind == yaml.MappingNode {
		size /= 2
	}
	if !ok || len(f.items) != size {
		return d.refuse(n, "brackets whose entries are not told apart")
	}
	i := f.items[at]
	behind := max(i.end, i.comma+1)
	switch rest := d.after(behind); {
	case isBlank(d.before(i.start)) && isBlank(rest) && d.lineOf(i.start) == d.lineOf(behind) && !d.commented(i.start):
		d.removeLines(i.start, behind)
	case isBlank(d.before(i.start)) && (isBlank(rest) || isComment(rest)) && d.lineOf(i.start) == d.lineOf(behind):
		d.insert(i.start, "# ")
	case at+1 < len(f.items) && isBlank(string(d.text[behind:f.items[at+1].start])):
		d.remove(i.start, f.items[at+1].start)
	case i.comma < 0 && at > 0 && isBlank(string(d.text[f.items[at-1].comma+1:i.start])):
		d.remove(f.items[at-1].comma, i.end)
	case at > 0 && isBlank(string(d.text[f.items[at-1].comma+1:i.start])):
		d.remove(f.items[at-1].comma+1, behind)
	case len(f.items) == 1 && isBlank(string(d.text[f.open+1:i.start])+string(d.text[behind:f.close])):
		d.remove(f.open+1, f.close)
	default:
		d.remove(i.start, behind)
	}
	return nil
}

// takeLine takes the line of an entry out, from its first node to its last; the line
// becomes a comment when a comment is about it, which would otherwise seem to be about
// the next.
func (d *document) takeLine(first, last node, mark string) error {
	start := d.offset(first.Line, first.Column)
	begin := d.lineStart(start) + len(d.before(start)) - len(strings.TrimLeft(d.before(start), " \t"))
	_, end, ok := d.span(last)
	if !ok || strings.TrimSpace(d.before(start)) != strings.TrimSpace(mark) {
		return d.refuse(first, "an entry in a form that cannot be taken out")
	}
	rest := d.after(end)
	switch {
	case !isBlank(rest) && !isComment(rest):
		return d.refuse(first, "an entry in a form that cannot be taken out")
	case !isComment(rest) && !d.commented(begin):
		d.removeLines(begin, end)
	case d.lineOf(begin) == d.lineOf(end):
		d.insert(begin, "# ")
	default:
		for line := d.lineOf(begin); line <= d.lineOf(end); line++ {
			d.insert(max(begin, d.lines[line]), "# ")
		}
	}
	return nil
}

// commented reports whether the line above that of an offset is a comment.
func (d *document) commented(offset int) bool {
	line := d.lineOf(offset)
	return line > 0 && isComment(string(d.text[d.lines[line-1]:d.lines[line]]))
}
