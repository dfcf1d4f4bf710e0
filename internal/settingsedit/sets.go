package settingsedit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/suggest"
	"github.com/claudewatch/claudewatch/policy"
)

// File is a settings file to edit, with the rule sets that it is about: those that
// were loaded, on or off.
type File struct {
	Path string
	Sets []*policy.Set
	// Dry says that nothing is written.
	Dry bool
}

// Outcome is what became of the file, and a sentence about each name.
type Outcome struct {
	Result
	Said []string
}

// UnknownError is the error of a name that no set or rule has.
type UnknownError string

// Error implements error.
func (e UnknownError) Error() string { return string(e) }

// UsageError is the error of an action that there is not.
type UsageError string

// Error implements error.
func (e UsageError) Error() string { return string(e) }

// Enable switches sets on: it takes them out of disable, and puts those into enable
// that are off by default.
func (f File) Enable(names []string) (Outcome, error) { return f.switchSets(names, true) }

// Disable switches sets off: it takes them out of enable, and puts those into disable
// that are on by default.
func (f File) Disable(names []string) (Outcome, error) { return f.switchSets(names, false) }

func (f File) switchSets(names []string, on bool) (Outcome, error) {
	return f.update(func(s *config.Settings) (edits []Edit, said func(*config.Settings) []string, err error) {
		var sentences []string
		for _, name := range names {
			more, sentence, err := f.switchSet(s, name, on)
			if err != nil {
				return nil, nil, err
			}
			edits = append(edits, more...)
			sentences = append(sentences, sentence)
		}
		return edits, func(*config.Settings) []string { return sentences }, nil
	})
}

// update makes the edits that plan returns for the settings as they are. said is asked
// about the settings as they then are.
func (f File) update(plan func(*config.Settings) (edits []Edit, said func(*config.Settings) []string, err error)) (Outcome, error) {
	var outcome Outcome
	var err error
	outcome.Result, err = Update(f.Path, f.Dry, func(before []byte) ([]byte, error) {
		edits, said, err := plan(read(f.Path, before))
		if err != nil {
			return nil, err
		}
		after, err := Apply(f.Path, before, edits...)
		if err == nil {
			outcome.Said = said(read(f.Path, after))
		}
		return after, err
	})
	return outcome, err
}

// switchSet returns the edits that switch one set, and what there is to say.
func (f File) switchSet(s *config.Settings, name string, on bool) ([]Edit, string, error) {
	words := map[bool]string{true: "on", false: "off"}
	list, other, add, take := keyEnable, keyDisable, AddEnable(name), TakeDisable(name)
	listed, against := has(s.Enable, name), has(s.Disable, name)
	if !on {
		list, other, add, take = keyDisable, keyEnable, AddDisable(name), TakeEnable(name)
		listed, against = against, listed
	}
	taken := ""
	if against {
		taken = "; it was in " + other + " and no longer is"
	}
	set := f.set(name)
	switch {
	case set == nil && against: // of another project, or gone
		return []Edit{take}, fmt.Sprintf("%s: taken out of %s; no set of that name is read here", name, other), nil
	case set == nil:
		return nil, "", f.unknownSet(name, on)
	case set.DefaultOn == on && !listed:
		if taken == "" {
			return nil, fmt.Sprintf("%s: %s already, by default", name, words[on]), nil
		}
		return []Edit{take}, fmt.Sprintf("%s: %s, as it is by default%s", name, words[on], taken), nil
	case listed && taken == "":
		return nil, fmt.Sprintf("%s: %s already, by %s", name, words[on], list), nil
	}
	return []Edit{take, add}, fmt.Sprintf("%s: %s, by %s%s", name, words[on], list, taken), nil
}

func has(names []config.Name, name string) bool {
	return slices.ContainsFunc(names, func(n config.Name) bool { return n.Name == name })
}

// set returns the set of a name; of two the first counts.
func (f File) set(name string) *policy.Set {
	for _, s := range f.Sets {
		if s.Name == name {
			return s
		}
	}
	return nil
}

func (f File) unknownSet(name string, on bool) error {
	if set, rule, ok := strings.Cut(name, "/"); ok && f.set(set) != nil {
		verb := map[bool]string{true: "default", false: "off"}[on]
		return UnknownError(fmt.Sprintf("'%s' is a rule and not a set: claudewatch set '%s/%s' %s", name, set, rule, verb))
	}
	return UnknownError(fmt.Sprintf("there is no rule set '%s'%s; claudewatch list prints them", name, suggest.Hint(name, f.names())))
}

func (f File) names() []string {
	var names []string
	for _, s := range f.Sets {
		names = append(names, s.Name)
	}
	return names
}

// Rule returns a rule by its name SET/RULE, or an UnknownError.
func (f File) Rule(name string) (*policy.Set, *policy.CompiledRule, error) {
	setName, ruleName, ok := strings.Cut(name, "/")
	set := f.set(setName)
	switch {
	case !ok && set != nil:
		return nil, nil, UnknownError(fmt.Sprintf("'%s' is a set; name one of its rules as SET/RULE, in quotes; claudewatch show %s prints them", name, name))
	case set == nil:
		return nil, nil, f.unknownSet(setName, true)
	}
	var names []string
	for _, r := range set.Compiled() {
		if r.Name == ruleName {
			return set, r, nil
		}
		names = append(names, r.Name)
	}
	return nil, nil, UnknownError(fmt.Sprintf("the set '%s' has no rule '%s'%s; claudewatch show %s prints them", setName, ruleName, suggest.Hint(ruleName, names), setName))
}

// Actions are what a rule can be set to: "default" is what its file says.
var Actions = []string{"block", "ask", "off", "default"}

// actionOf returns the action of a name, Keep for "default".
func actionOf(name string) (action policy.Action, ok bool) {
	for _, action := range []policy.Action{policy.Block, policy.Ask, policy.Off} {
		if action.String() == name {
			return action, true
		}
	}
	return policy.Keep, name == "default"
}

// SetRule sets what a rule does to one of Actions. When that is what its file says, an
// entry that it has is taken out.
func (f File) SetRule(name, action string) (Outcome, error) {
	wanted, ok := actionOf(action)
	if !ok {
		return Outcome{}, UsageError(fmt.Sprintf("a rule is set to block, ask, off or default, not to '%s'%s", action, suggest.Hint(action, Actions)))
	}
	return f.update(func(s *config.Settings) ([]Edit, func(*config.Settings) []string, error) {
		before, there := entryOf(s, name)
		set, rule, err := f.Rule(name)
		switch {
		case err != nil && wanted == policy.Keep && there: // of another project, or gone
			return []Edit{TakeRule(name)}, sentence("%s: taken out of rules; no rule of that name is read here", name), nil
		case err != nil:
			return nil, nil, err
		}
		if wanted == policy.Keep {
			wanted = rule.Listed
		}
		edit := SetRule(name, wanted, wanted == rule.Listed)
		if action == "default" {
			edit = TakeRule(name)
		}
		return []Edit{edit}, func(now *config.Settings) []string {
			text := ruleSentence(now, name, wanted, rule.Listed, before, there)
			if !set.Enabled && wanted != policy.Off {
				text += fmt.Sprintf("; the set is off: claudewatch enable %s", set.Name)
			}
			return []string{text}
		}, nil
	})
}

// ruleSentence says what became of a rule.
func ruleSentence(now *config.Settings, name string, wanted, listed, before policy.Action, there bool) string {
	_, kept := entryOf(now, name)
	switch {
	case wanted != listed && there && before == wanted:
		return fmt.Sprintf("%s: %s already, by rules", name, wanted)
	case wanted != listed:
		return fmt.Sprintf("%s: %s; its file says %s", name, wanted, listed)
	case !there:
		return fmt.Sprintf("%s: %s already, as its file says", name, wanted)
	case kept && before == wanted:
		return fmt.Sprintf("%s: %s already, as its file says too", name, wanted)
	case kept:
		return fmt.Sprintf("%s: %s, as its file says; the entry stays for the comment about it", name, wanted)
	}
	return fmt.Sprintf("%s: %s, as its file says; its entry in rules was taken out", name, wanted)
}

func sentence(format string, args ...any) func(*config.Settings) []string {
	return func(*config.Settings) []string { return []string{fmt.Sprintf(format, args...)} }
}

// entryOf returns what settings make of a rule.
func entryOf(s *config.Settings, name string) (policy.Action, bool) {
	for _, r := range s.Rules {
		if r.Set+"/"+r.Rule == name {
			return r.Action, true
		}
	}
	return policy.Keep, false
}
