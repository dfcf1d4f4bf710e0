package config

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/claudewatch/claudewatch/internal/suggest"
	"github.com/claudewatch/claudewatch/policy"
	"gopkg.in/yaml.v3"
)

// read takes over the entries of a mapping at the top level.
func (s *Settings) read(root *yaml.Node) {
	for _, e := range s.Mapping(root, "the settings") {
		s.readKey(e)
	}
}

func (s *Settings) readKey(e Entry) {
	names := make([]string, len(settingsKeys))
	for i, key := range settingsKeys {
		names[i] = key.name
		if key.name == e.Key.Value {
			if !IsNull(e.Value) {
				key.read(s, e.Value)
			}
			return
		}
	}
	s.Report(e.Key, CodeKey, fmt.Sprintf("unknown key '%s' in the settings%s", e.Key.Value, suggest.Hint(e.Key.Value, names)))
}

// names reads a list of set names; a single name is a list of one.
func (s *Settings) names(key string, value *yaml.Node) []Name {
	items := []*yaml.Node{value}
	if value.Kind == yaml.SequenceNode {
		items = value.Content
	}
	var names []Name
	for _, item := range items {
		item = Resolve(item)
		if item.Kind != yaml.ScalarNode || IsNull(item) || strings.TrimSpace(item.Value) == "" {
			s.Report(item, CodeValue, fmt.Sprintf("'%s' takes names of sets, not %s", key, Describe(item)))
			continue
		}
		names = append(names, Name{policy.Position{Line: item.Line, Column: item.Column}, strings.TrimSpace(item.Value)})
	}
	return names
}

var ruleActions = map[string]policy.Action{"block": policy.Block, "ask": policy.Ask, "off": policy.Off}

func (s *Settings) readRules(value *yaml.Node) {
	if value.Kind != yaml.MappingNode {
		s.Report(value, CodeValue, "'rules' must be a mapping of SET/RULE to block, ask or off, not "+Describe(value))
		return
	}
	for _, e := range s.Entries(value, "'rules'") {
		set, rule, ok := strings.Cut(e.Key.Value, "/")
		if !ok || set == "" || rule == "" {
			s.Report(e.Key, CodeValue, fmt.Sprintf("'%s' must name a rule as SET/RULE", e.Key.Value))
			continue
		}
		action := ruleActions[s.Choice(e.Key.Value, e.Value, "block", "ask", "off")]
		if action == policy.Keep {
			continue
		}
		s.Rules = append(s.Rules, RuleSetting{
			Position: policy.Position{Line: e.Key.Line, Column: e.Key.Column},
			Set:      set, Rule: rule, Action: action,
		})
	}
}

func (s *Settings) readWrappers(value *yaml.Node) {
	if value.Kind != yaml.MappingNode {
		s.Report(value, CodeValue, "'wrappers' must be a mapping of a program to its number of operands, not "+Describe(value))
		return
	}
	for _, e := range s.Entries(value, "'wrappers'") {
		program := e.Key.Value
		if program == "" || strings.ContainsAny(program, " \t\n/\\") {
			s.Report(e.Key, CodeValue, fmt.Sprintf("'%s' must be the name of a program, without a directory", program))
			continue
		}
		operands, err := strconv.Atoi(e.Value.Value)
		if e.Value.Kind != yaml.ScalarNode || err != nil || operands < 0 || operands > maxOperands {
			s.Report(e.Value, CodeValue, fmt.Sprintf("'%s' must be the number of operands that come before the command, 0 to %d, not %s", program, maxOperands, Describe(e.Value)))
			continue
		}
		if s.Wrappers == nil {
			s.Wrappers = make(map[string]int)
		}
		s.Wrappers[program] = operands
		s.wrapperKeys = append(s.wrapperKeys, e.Key)
	}
}

// RefuseWrappers leaves out the wrappers that are known to do something themselves, and
// reports them: the rules about such a program would fall silent with it. What a program
// is known for is nothing that this package could tell.
func (s *Settings) RefuseWrappers(known func(program string) bool) {
	for _, key := range s.wrapperKeys {
		if known(key.Value) {
			delete(s.Wrappers, key.Value)
			s.Report(key, CodeValue, fmt.Sprintf("'%s' is known for what it does itself and can be no wrapper: rules about it would never match again", key.Value))
		}
	}
}
