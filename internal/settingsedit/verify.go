package settingsedit

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/policy"
)

// verify returns an error unless content says what source says but for the edits.
func verify(path string, source, content []byte, edits []Edit) error {
	want, got := factsOf(read(path, source)), factsOf(read(path, content))
	for _, e := range edits {
		want.apply(e, got)
	}
	for _, message := range got.problems {
		if !slices.Contains(want.problems, message) {
			return fmt.Errorf("%s: the edit would lead to %q; edit the file by hand. Nothing was changed", path, message)
		}
	}
	want.problems, got.problems = nil, nil
	for _, key := range []string{keyEnable, keyDisable} { // their order means nothing
		slices.Sort(want.lists[key])
		slices.Sort(got.lists[key])
	}
	if !reflect.DeepEqual(want, got) {
		return fmt.Errorf("%s: written in a form in which '%s' cannot be changed without changing more; edit the file by hand. Nothing was changed", path, edits[0].name)
	}
	return nil
}

// facts are what settings say, without where they say it.
type facts struct {
	lists    map[string][]string
	rules    map[string]policy.Action
	wrappers map[string]int
	rest     [4]any
	changes  string
	problems []string
}

func factsOf(s *config.Settings) facts {
	f := facts{
		lists:    map[string][]string{keyEnable: namesOf(s.Enable), keyDisable: namesOf(s.Disable)},
		rules:    map[string]policy.Action{},
		wrappers: maps.Clone(s.Wrappers),
		rest:     [4]any{s.CompoundAsk, s.DenyExit, s.ProjectWatches, s.Log},
	}
	for _, r := range s.Rules {
		f.rules[r.Set+"/"+r.Rule] = r.Action
	}
	if s.Changes != nil {
		f.changes = flowOf(s.Changes)
	}
	for _, d := range s.Diagnostics {
		f.problems = append(f.problems, d.Message)
	}
	return f
}

func namesOf(names []config.Name) []string {
	list := []string{}
	for _, n := range names {
		list = append(list, n.Name)
	}
	return list
}

// apply makes an edit to the facts. What an edit may do one way or the other is taken
// from got.
func (f *facts) apply(e Edit, got facts) {
	list := f.lists[e.key]
	switch {
	case e.key == keyRules && e.take:
		delete(f.rules, e.name)
	case e.key == keyRules && e.usual:
		delete(f.rules, e.name)
		if action, ok := got.rules[e.name]; ok && action == e.value {
			f.rules[e.name] = action
		}
	case e.key == keyRules:
		f.rules[e.name] = e.value
	case e.take:
		f.lists[e.key] = slices.DeleteFunc(list, func(name string) bool { return name == e.name })
	case !slices.Contains(list, e.name):
		f.lists[e.key] = append(list, e.name)
	}
}
