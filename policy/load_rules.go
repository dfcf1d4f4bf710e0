package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/suggest"
	"gopkg.in/yaml.v3"
)

var (
	setKeys  = []string{"name", "description", "default", "filter", "extensions", "variables", "rules", "tests"}
	listKeys = []string{"block", "ask"}
	ruleKeys = []string{"name", "on", "pattern", "when", "target", "except", "unless", "unless_condition", "unless_regex", "reason", "message", "suggest", "ref"}
)

// ruleSet reads the root of a rule file.
func (l *loader) ruleSet(root *yaml.Node) {
	entries, ok := l.mapping(root, "a rule set", Fault, setKeys...)
	if !ok {
		return
	}
	set, named, ruled, misplaced := l.set, false, false, false
	for _, e := range entries {
		switch e.name {
		case "name":
			named = true
			l.setName(e)
		case "description":
			set.Description, _ = l.text(e, Fault)
		case "default":
			l.setDefault(e)
		case "filter":
			set.Filter = l.scalar(e.value, "'filter'")
		case "extensions":
			l.extensions(e)
		case "variables":
			l.variables(e)
		case "rules":
			ruled = true
			l.rules(e)
		case "tests":
			l.tests(e)
		case "block", "ask":
			misplaced = true
			l.reportNode(Fault, codeKey, e.key, fmt.Sprintf("'%s' belongs to 'rules': write 'rules:' and, indented below it, '%s:'", e.name, e.name))
		default:
			l.unknownKey(Error, e, "a rule set", setKeys)
		}
	}
	start := l.source.shown(root.Line, root.Column)
	if !named {
		l.report(Error, codeName, start, 1, fmt.Sprintf("the rule set has no name: add 'name: %s'", set.Name))
	}
	if !ruled && !misplaced {
		// A misspelt "rules" must not become a set that never fires.
		l.report(Fault, codeType, start, 1, "the rule set has no rules: add 'rules:' with lists 'block' and 'ask'")
	}
	l.testedRules()
	for _, name := range set.repeatedNames() {
		l.report(Error, codeName, name.Position, runeCount(name.Name), fmt.Sprintf("the set has another rule '%s': the first one counts", name.Name))
	}
}

func (l *loader) setName(e entry) {
	l.set.NamePosition = l.source.shown(e.value.Line, e.value.Column)
	name, ok := l.text(e, Fault)
	switch {
	case ok && strings.TrimSpace(name) == "":
		l.reportNode(Error, codeName, e.value, fmt.Sprintf("the rule set's name is empty: '%s' serves", l.set.Name))
	case ok:
		l.set.Name = name
	}
}

func (l *loader) setDefault(e entry) {
	switch value := strings.ToLower(e.value.Value); {
	case e.value.Kind != yaml.ScalarNode:
		l.reportType(Fault, e.value, "'default'", "on or off")
	case value == "on" || value == "true":
		l.set.DefaultOn = true
	case value == "off" || value == "false":
		l.set.DefaultOn = false
	default:
		l.reportNode(Fault, codeType, e.value, fmt.Sprintf("'default' must be on or off, not '%s'", e.value.Value))
	}
}

func (l *loader) extensions(e entry) {
	for _, s := range l.scalars(e) {
		extension := strings.ToLower(strings.TrimSpace(s.Text))
		if !strings.HasPrefix(extension, ".") {
			l.report(Warning, codeExtension, s.Position, runeCount(s.Text), fmt.Sprintf("the extension '%s' has no dot: write '.%s'", s.Text, extension))
			extension = "." + extension
		}
		l.set.Extensions = append(l.set.Extensions, extension)
	}
}

func (l *loader) variables(e entry) {
	entries, ok := l.mapping(e.value, "'variables'", Fault)
	if !ok {
		return
	}
	for _, v := range entries {
		if !isIdentifier(v.name) {
			l.reportNode(Fault, codeName, v.key, fmt.Sprintf("a variable cannot be named '%s': take letters, digits and _, and no word of CEL", v.name))
			continue
		}
		if s := l.scalar(v.value, "the variable '"+v.name+"'"); s != nil {
			l.set.Variables = append(l.set.Variables, Variable{v.name, l.source.shown(v.key.Line, v.key.Column), s})
		} else if isString(v.value) {
			l.reportNode(Fault, codeType, v.value, fmt.Sprintf("the variable '%s' is empty", v.name))
		}
	}
}

// rules reads both lists, block rules first.
func (l *loader) rules(e entry) {
	if resolve(e.value).Kind == yaml.SequenceNode {
		l.reportNode(Fault, codeType, e.value, "'rules' must be a mapping, not a list: write 'block:' or 'ask:' below 'rules:', and the list below that")
		return
	}
	entries, ok := l.mapping(e.value, "'rules'", Fault, listKeys...)
	if !ok {
		return
	}
	for _, list := range []Action{Block, Ask} {
		for _, e := range entries {
			if e.name == list.String() {
				l.ruleList(e, list)
			}
		}
	}
	for _, e := range entries {
		if e.name != "block" && e.name != "ask" {
			// The rules under a misspelt list would never fire.
			l.reportNode(Fault, codeKey, e.key, fmt.Sprintf("unknown key '%s' in 'rules'%s: the rules stand in 'block' or 'ask'", e.name, suggest.Hint(e.name, listKeys)))
		}
	}
}

func (l *loader) ruleList(e entry, list Action) {
	if e.value.Kind != yaml.SequenceNode {
		l.reportType(Fault, e.value, "'"+e.name+"'", "a list of rules")
		return
	}
	for i, n := range e.value.Content {
		l.set.Rules = append(l.set.Rules, l.rule(resolve(n), list, i+1))
	}
}

// rule reads one rule. number is its place in the list and names it when it has no name.
func (l *loader) rule(n *yaml.Node, list Action, number int) *Rule {
	r := &Rule{Name: fmt.Sprintf("%s rule %d", list, number), Position: l.source.shown(n.Line, n.Column), Listed: list, Target: TargetEverything}
	before, earlier := l.faults, l.errors
	defer func() { r.faulty, r.flawed = l.faults > before, l.errors > earlier }()
	entries, ok := l.mapping(n, "a rule", Fault, ruleKeys...)
	if !ok {
		return r
	}
	given := map[string]bool{}
	for _, e := range entries {
		given[e.name] = true
		l.ruleKey(r, e)
	}
	if !given["target"] && r.Pattern != nil {
		r.Target = TargetBash
	}
	if !given["name"] {
		l.report(Error, codeName, r.Position, 1, "the rule has no name: add 'name:'")
	}
	if r.Pattern == nil && r.When == nil && l.faults == before {
		l.report(Fault, codePattern, r.Position, runeCount(r.Name), fmt.Sprintf("the rule '%s' has neither a pattern nor a condition: add 'pattern:' or 'when:'", r.Name))
	}
	if r.Reason == "" && r.Message == nil && l.faults == before {
		l.report(Error, codeReason, r.Position, runeCount(r.Name), fmt.Sprintf("the rule '%s' has no reason: add 'reason:'", r.Name))
	}
	return r
}

// ruleKey reads one key of a rule.
func (l *loader) ruleKey(r *Rule, e entry) {
	switch e.name {
	case "name":
		name, ok := l.text(e, Fault)
		r.Position = l.source.shown(e.value.Line, e.value.Column)
		if ok && strings.TrimSpace(name) == "" {
			l.reportNode(Error, codeName, e.value, "the rule's name is empty")
		} else if ok {
			r.Name = name
		}
	case "on":
		l.on(r, e)
	case "pattern":
		r.Pattern = l.scalar(e.value, "'pattern'")
	case "when":
		r.When = l.expression(e)
	case "target":
		l.target(r, e)
	case "except", "unless", "unless_condition", "unless_regex":
		l.exemption(r, e)
	case "reason":
		r.Reason, _ = l.text(e, Fault)
	case "message":
		r.Message = l.expression(e)
	case "suggest":
		r.Suggest, _ = l.text(e, Fault)
	case "ref":
		r.Ref, _ = l.text(e, Fault)
	default:
		l.unknownKey(Error, e, "a rule", ruleKeys)
	}
}

// expression reads CEL; blanks alone are as good as nothing.
func (l *loader) expression(e entry) *Scalar {
	s := l.scalar(e.value, "'"+e.name+"'")
	if s != nil && strings.TrimSpace(s.Text) == "" {
		return nil
	}
	return s
}

func (l *loader) target(r *Rule, e entry) {
	name, ok := l.text(e, Fault)
	switch {
	case !ok:
	case name == "bash":
		r.Target = TargetBash
	case name == "file-content":
		r.Target = TargetFileContent
	default:
		l.reportNode(Fault, codeTarget, e.value, fmt.Sprintf("unknown target '%s'%s: a target is bash or file-content", name, suggest.Hint(name, []string{"bash", "file-content"})))
	}
}

func (l *loader) exemption(r *Rule, e entry) {
	if r.Listed == Block {
		l.reportNode(Error, codeExemption, e.key, fmt.Sprintf("'%s' has no effect on a block rule: move the rule to 'ask', or narrow its pattern or 'when'", e.name))
		return
	}
	switch e.name {
	case "except":
		r.Except = l.scalar(e.value, "'except'")
	case "unless_regex":
		r.UnlessRegex = append(r.UnlessRegex, l.scalars(e)...)
	default:
		for _, s := range l.scalars(e) {
			r.Unless = append(r.Unless, Exemption{s, e.name == "unless_condition"})
		}
	}
}

// repeatedNames returns the rules whose name an earlier rule of the set has, and
// removes them from the set.
func (s *RuleSet) repeatedNames() []*Rule {
	var repeated []*Rule
	seen := make(map[string]bool, len(s.Rules))
	kept := s.Rules[:0]
	for _, r := range s.Rules {
		if seen[r.Name] {
			repeated = append(repeated, r)
			continue
		}
		seen[r.Name] = true
		kept = append(kept, r)
	}
	s.Rules = kept
	return repeated
}

// celReserved are the words that CEL's grammar keeps for itself.
// https://github.com/google/cel-spec/blob/master/doc/langdef.md#syntax
var celReserved = []string{
	"false", "in", "null", "true", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let",
	"loop", "package", "namespace", "return", "var", "void", "while",
}

// isIdentifier reports whether a name can stand as variables.NAME.
func isIdentifier(name string) bool {
	for i, r := range name {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != "" && !slices.Contains(celReserved, name)
}
