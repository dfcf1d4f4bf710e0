package settingsedit_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/engine"
	"github.com/claudewatch/claudewatch/internal/settingsedit"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/google/go-cmp/cmp"
)

// file returns a settings file with two sets: watch is on by default, guard is off.
func file(t *testing.T, content string) settingsedit.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "settings.yaml")
	if content != "" {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sets := policy.Compile([]policy.File{
		{Path: "watch.yml", Source: []byte("name: watch\nrules:\n  ask:\n    - {name: push it, pattern: push, reason: r}\n  block:\n    - {name: force, pattern: force, reason: r}\n")},
		{Path: "guard.yml", Source: []byte("name: guard\ndefault: off\nrules:\n  block:\n    - {name: main, pattern: main, reason: r}\n")},
	}, policy.Options{Enabled: func(s *policy.RuleSet, _ policy.Scope) bool { return s.DefaultOn }}).Sets
	return settingsedit.File{Path: path, Sets: sets}
}

func TestSetsAreSwitched(t *testing.T) {
	on, off := settingsedit.File.Enable, settingsedit.File.Disable
	for name, c := range map[string]struct {
		before string
		change func(settingsedit.File, []string) (settingsedit.Outcome, error)
		set    string
		after  string
		said   string
	}{
		"on, off by default":            {"", on, "guard", "enable: [guard]\n", "guard: on, by enable"},
		"on, on by default":             {"", on, "watch", "", "watch: on already, by default"},
		"on, was disabled":              {"disable: [watch]\n", on, "watch", "", "watch: on, as it is by default; it was in disable and no longer is"},
		"on, was disabled, off anyway":  {"disable: guard\n", on, "guard", "enable: [guard]\n", "guard: on, by enable; it was in disable and no longer is"},
		"on, already":                   {"enable: guard", on, "guard", "enable: guard", "guard: on already, by enable"},
		"on, in both":                   {"enable: guard\ndisable: [guard]\n", on, "guard", "enable: guard\n", "guard: on, by enable; it was in disable and no longer is"},
		"on, on by default and enabled": {"enable: watch", on, "watch", "enable: watch", "watch: on already, by enable"},
		"off, on by default":            {"", off, "watch", "disable: [watch]\n", "watch: off, by disable"},
		"off, off by default":           {"", off, "guard", "", "guard: off already, by default"},
		"off, was enabled":              {"enable: [guard, other]\n", off, "guard", "enable: [other]\n", "guard: off, as it is by default; it was in enable and no longer is"},
		"off, was enabled, on anyway":   {"enable: [watch]\n", off, "watch", "disable: [watch]\n", "watch: off, by disable; it was in enable and no longer is"},
		"off, already":                  {"disable: [watch]\n", off, "watch", "disable: [watch]\n", "watch: off already, by disable"},
		"a set that is gone, on":        {"disable: [gone, watch]\n", on, "gone", "disable: [watch]\n", "gone: taken out of disable; no set of that name is read here"},
		"a set that is gone, off":       {"enable: [gone, guard]\n", off, "gone", "enable: [guard]\n", "gone: taken out of enable; no set of that name is read here"},
	} {
		t.Run(name, func(t *testing.T) {
			f := file(t, c.before)
			outcome, err := c.change(f, []string{c.set})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{c.said}, outcome.Said); diff != "" {
				t.Error(diff)
			}
			if got := string(outcome.After); got != c.after {
				t.Errorf("got %q, want %q", got, c.after)
			}
			again, err := c.change(f, []string{c.set})
			if c.set != "gone" && (err != nil || again.Changed()) || readFileOr(f.Path) != c.after {
				t.Errorf("again: %q, %v", again.After, err)
			}
		})
	}
}

// readFileOr returns the content of a file, "" for none.
func readFileOr(path string) string {
	content, _ := os.ReadFile(path)
	return string(content)
}

func TestSeveralSetsAreOneChange(t *testing.T) {
	f := file(t, "")
	outcome, err := f.Disable([]string{"watch", "guard"})
	if err != nil || string(outcome.After) != "disable: [watch]\n" || len(outcome.Said) != 2 {
		t.Errorf("%q %q %v", outcome.After, outcome.Said, err)
	}
	_, err = f.Enable([]string{"watch", "gaurd"})
	if got := readFile(t, f.Path); got != "disable: [watch]\n" {
		t.Errorf("after the error %v the file is %q", err, got)
	}
}

func TestRulesAreSet(t *testing.T) {
	for name, c := range map[string]struct {
		before, rule, action string
		after, said          string
	}{
		"off":                     {"", "watch/push it", "off", "rules:\n  watch/push it: off\n", "watch/push it: off; its file says ask"},
		"off again":               {"rules: {watch/push it: OFF}\n", "watch/push it", "off", "rules: {watch/push it: OFF}\n", "watch/push it: off already, by rules"},
		"stricter":                {"", "watch/push it", "block", "rules:\n  watch/push it: block\n", "watch/push it: block; its file says ask"},
		"what its file says":      {"", "watch/force", "block", "", "watch/force: block already, as its file says"},
		"back":                    {"rules:\n  watch/force: ask\n", "watch/force", "block", "", "watch/force: block, as its file says; its entry in rules was taken out"},
		"back, with a comment":    {"rules:\n  watch/force: ask # why\n", "watch/force", "block", "rules:\n  watch/force: block # why\n", "watch/force: block, as its file says; the entry stays for the comment about it"},
		"default":                 {"rules:\n  watch/force: ask # why\n", "watch/force", "default", "rules:\n  # watch/force: ask # why\n", "watch/force: block, as its file says; its entry in rules was taken out"},
		"of a set that is off":    {"", "guard/main", "ask", "rules:\n  guard/main: ask\n", "guard/main: ask; its file says block; the set is off: claudewatch enable guard"},
		"a rule that is not read": {"rules: {gone/x: off}\n", "gone/x", "default", "", "gone/x: taken out of rules; no rule of that name is read here"},
	} {
		t.Run(name, func(t *testing.T) {
			outcome, err := file(t, c.before).SetRule(c.rule, c.action)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{c.said}, outcome.Said); diff != "" {
				t.Error(diff)
			}
			if got := string(outcome.After); got != c.after {
				t.Errorf("got %q, want %q", got, c.after)
			}
		})
	}
}

func TestEveryShippedRuleCanBeSet(t *testing.T) {
	sets := engine.Open(config.Environment{}, engine.Selection{Stored: true}).Policy.Sets
	for _, before := range []string{"", "rules: {}\n"} {
		f := file(t, before)
		f.Sets, f.Dry = sets, true
		count := 0
		for _, set := range sets {
			for _, rule := range set.Compiled() {
				name := set.Name + "/" + rule.Name
				outcome, err := f.SetRule(name, "off")
				if err != nil {
					t.Fatal(err)
				}
				if got := stateOf(string(outcome.After)); got.Rules[name] != policy.Off || got.Problems > 0 {
					t.Errorf("%s: %q", name, outcome.After)
				}
				count++
			}
		}
		if count < 100 {
			t.Errorf("%d rules", count)
		}
	}
}

func TestANameThatNothingHasIsRefusedWithASuggestion(t *testing.T) {
	f := file(t, "log: on\n")
	set := func(name string) error { _, err := f.SetRule(name, "off"); return err }
	enable := func(name string) error { _, err := f.Enable([]string{name}); return err }
	for _, c := range []struct {
		do   func(string) error
		name string
		want string
	}{
		{enable, "gaurd", "there is no rule set 'gaurd' (did you mean 'guard'?); claudewatch list prints them"},
		{enable, "watch/force", "'watch/force' is a rule and not a set: claudewatch set 'watch/force' default"},
		{set, "wacth/force", "there is no rule set 'wacth' (did you mean 'watch'?); claudewatch list prints them"},
		{set, "watch/froce", "the set 'watch' has no rule 'froce' (did you mean 'force'?); claudewatch show watch prints them"},
		{set, "watch", "'watch' is a set; name one of its rules as SET/RULE, in quotes; claudewatch show watch prints them"},
	} {
		err := c.do(c.name)
		if !errors.As(err, new(settingsedit.UnknownError)) || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
	if _, err := f.SetRule("watch/force", "of"); err == nil || err.Error() != "a rule is set to block, ask, off or default, not to 'of' (did you mean 'off'?)" {
		t.Errorf("got %v", err)
	}
	if got := readFile(t, f.Path); got != "log: on\n" {
		t.Errorf("the file became %q", got)
	}
}
