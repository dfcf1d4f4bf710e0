package settingsedit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/settingsedit"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/google/go-cmp/cmp"
)

const path = "settings.yaml"

func apply(t *testing.T, before string, edits ...settingsedit.Edit) string {
	t.Helper()
	after, err := settingsedit.Apply(path, []byte(before), edits...)
	if err != nil {
		t.Fatalf("%v\nin %q", err, before)
	}
	return string(after)
}

func TestANameIsPutIntoAList(t *testing.T) {
	for name, c := range map[string]struct{ before, after string }{
		"no file":                    {"", "enable: [x]\n"},
		"only comments":              {"# mine\n", "# mine\nenable: [x]\n"},
		"no final line break":        {"log: on", "log: on\nenable: [x]"},
		"other keys":                 {"log: on   # yes\n\n# end\n", "log: on   # yes\n\n# end\nenable: [x]\n"},
		"blank lines at the end":     {"log: on\n\n\n", "log: on\nenable: [x]\n\n\n"},
		"CRLF":                       {"log: on\r\ndeny_exit: 2\r\n", "log: on\r\ndeny_exit: 2\r\nenable: [x]\r\n"},
		"a byte order mark":          {"\ufefflog: on\n", "\ufefflog: on\nenable: [x]\n"},
		"a byte order mark alone":    {"\ufeff", "\ufeffenable: [x]\n"},
		"document marks":             {"%YAML 1.1\n---\nlog: on\n...\n# end\n", "%YAML 1.1\n---\nlog: on\nenable: [x]\n...\n# end\n"},
		"an empty document":          {"---\n", "---\nenable: [x]\n"},
		"a null":                     {"~ # nothing\n", "{enable: [x]} # nothing\n"},
		"an indented document":       {"  log: on\n", "  log: on\n  enable: [x]\n"},
		"a document in brackets":     {"{log: on} # all\n", "{log: on, enable: [x]} # all\n"},
		"empty brackets":             {"{}\n", "{enable: [x]}\n"},
		"a list in brackets":         {"enable: [a, 'b'] # why\n", "enable: [a, 'b', x] # why\n"},
		"an empty list":              {"enable: [ ] # why\n", "enable: [x] # why\n"},
		"a list with only a comment": {"enable: [ # none\n]\n", "enable: [x  # none\n]\n"},
		"a comma at the end":         {"enable: [a, ]\n", "enable: [a, x, ]\n"},
		"a list over two lines":      {"enable: [a,\n  b]\n", "enable: [a,\n  b,\n  x]\n"},
		"one item a line":            {"enable: [\n  a,   # why a\n  b    # why b\n]\n", "enable: [\n  a,   # why a\n  b,    # why b\n  x\n]\n"},
		"one item a line with commas at all": {
			"enable: [\n\ta,\n\tb, # why b\n]\n", "enable: [\n\ta,\n\tb, # why b\n\tx,\n]\n",
		},
		"brackets with brackets in comments": {"enable: [ # ]\n  a, # , ]\n  \"b # ]\" ]\n", "enable: [ # ]\n  a, # , ]\n  \"b # ]\",\n  x ]\n"},
		"a list in lines":                    {"enable:\n  - a # why\n  # and\n  -   b\nlog: on\n", "enable:\n  - a # why\n  # and\n  -   b\n  -   x\nlog: on\n"},
		"a list that is not indented":        {"enable:\n- a\nlog: on\n", "enable:\n- a\n- x\nlog: on\n"},
		"a list at the end of the file":      {"enable:\n  - a", "enable:\n  - a\n  - x"},
		"a list in lines with CRLF":          {"enable:\r\n  - a # why\r\nlog: on\r\n", "enable:\r\n  - a # why\r\n  - x\r\nlog: on\r\n"},
		"a tab before a comment":             {"enable:\n - a\t# why\n", "enable:\n - a\t# why\n - x\n"},
		"a last item over two lines":         {"enable:\n  - a\n  - b\n    c\n", "enable:\n  - a\n  - x\n  - b\n    c\n"},
		"a last item that is text in lines":  {"enable:\n  - |-\n    a\nlog: on\n", "enable:\n  - x\n  - |-\n    a\nlog: on\n"},
		"no value":                           {"enable:   # sets\nlog: on\n", "enable: [x]   # sets\nlog: on\n"},
		"no value and a tab":                 {"enable:\t# sets\n", "enable: [x]\t# sets\n"},
		"no value, and comments below":       {"enable:\n  # - a\n  # - b\nlog: on\n", "enable: [x]\n  # - a\n  # - b\nlog: on\n"},
		"a null value":                       {"enable: ~ # none\n", "enable: [x] # none\n"},
		"an anchor without a value":          {"enable: &e\nlog: on\n", "enable: &e [x]\nlog: on\n"},
		"no value in brackets":               {"{enable: , log: on}\n", "{enable: [x], log: on}\n"},
		"one name":                           {"enable: a # why\n", "enable: [a, x] # why\n"},
		"one name in quotes":                 {"enable: \"a\"   # why\n", "enable: [\"a\", x]   # why\n"},
		"one name with brackets in it":       {"enable: a,[b]\n", "enable: ['a,[b]', x]\n"},
		"a quoted key":                       {"\"enable\":  ['a']\n", "\"enable\":  ['a', x]\n"},
		"an anchored list":                   {"enable: &e [a]\n", "enable: &e [a, x]\n"},
		"a list that disable shares":         {"enable: &e [a]\ndisable: *e # the same\n", "enable: &e [a, x]\ndisable: [a] # the same\n"},
		"an alias":                           {"disable: &e [a, 'b']\nenable: *e # the same\n", "disable: &e [a, 'b']\nenable: [a, b, x] # the same\n"},
		"a tagged list":                      {"enable: !!seq [a]\n", "enable: !!seq [a, x]\n"},
		"it is there":                        {"enable: [a, \"x\", b]", "enable: [a, \"x\", b]"},
		"it is the one name":                 {"enable: x", "enable: x"},
		"bad entries":                        {"enabel: [a]\ndeny_exit: 7\n", "enabel: [a]\ndeny_exit: 7\nenable: [x]\n"},
		"bytes that are not UTF-8":           {"# caf\xe9\nenable: [a] # \xff\n", "# caf\xe9\nenable: [a, x] # \xff\n"},
		"wide characters":                    {"\"enable\": [ä, 好] # 好\n", "\"enable\": [ä, 好, x] # 好\n"},
		"old line breaks":                    {"log: on\renable: [a]\r", "log: on\renable: [a, x]\r"},
		"the key twice":                      {"enable: [a]\nenable: [b]\n", "enable: [a, x]\nenable: [b]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.after, apply(t, c.before, settingsedit.AddEnable("x"))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestANameIsTakenOutOfAList(t *testing.T) {
	for name, c := range map[string]struct{ before, after string }{
		"no file":                         {"", ""},
		"it is not there":                 {"enable: [a]\n", "enable: [a]\n"},
		"first in brackets":               {"enable: [x, a] # why\n", "enable: [a] # why\n"},
		"between others":                  {"enable: [a, x, b]\n", "enable: [a, b]\n"},
		"last in brackets":                {"enable: [a, \"x\"]\n", "enable: [a]\n"},
		"last with a comma":               {"enable: [a, x, ]\n", "enable: [a, ]\n"},
		"all of several":                  {"enable: [x, a, 'x', x]\n", "enable: [a]\n"},
		"the only one":                    {"log: on\nenable: [x]\ndeny_exit: 2\n", "log: on\ndeny_exit: 2\n"},
		"the only one, with a comment":    {"enable: [ x ] # why\n", "enable: [] # why\n"},
		"the only one, under a comment":   {"# sets\nenable: [x]\n", "# sets\nenable: []\n"},
		"the only one of two keys":        {"enable: [x]\nenable: [b]\n", "enable: []\nenable: [b]\n"},
		"the only line":                   {"enable: [x]", ""},
		"the last line":                   {"log: on\nenable: [x]", "log: on"},
		"one name":                        {"enable: x\nlog: on\n", "log: on\n"},
		"one name with a comment":         {"enable: x # why\nlog: on\n", "enable: [] # why\nlog: on\n"},
		"a line":                          {"enable:\n  - a\n  - x\n  - b\n", "enable:\n  - a\n  - b\n"},
		"the last line of the file":       {"enable:\n  - a\n  - x", "enable:\n  - a"},
		"the only line of the list":       {"log: on\nenable:\n  - x\ndeny_exit: 2\n", "log: on\ndeny_exit: 2\n"},
		"a line with a comment":           {"enable:\n  - a\n  - x   # why x\n  - b\n", "enable:\n  - a\n  # - x   # why x\n  - b\n"},
		"a line under a comment":          {"enable:\n  # why x\n  - x\n  - b\n", "enable:\n  # why x\n  # - x\n  - b\n"},
		"the only line, with a comment":   {"enable:\n  - x # why\nlog: on\n", "enable:\n  # - x # why\nlog: on\n"},
		"the only line, and more below":   {"enable:\n  - x\n  # - y\nlog: on\n", "enable:\n  # - y\nlog: on\n"},
		"CRLF":                            {"enable:\r\n  - x\r\n  - b\r\n", "enable:\r\n  - b\r\n"},
		"a line of brackets":              {"enable: [\n  a,\n  x,\n  b\n]\n", "enable: [\n  a,\n  b\n]\n"},
		"a commented line of brackets":    {"enable: [\n  a, # why a\n  x, # why x\n  b\n]\n", "enable: [\n  a, # why a\n  # x, # why x\n  b\n]\n"},
		"the last line of brackets":       {"enable: [\n  a,\n  x\n]\n", "enable: [\n  a,\n]\n"},
		"a comment behind the comma":      {"enable: [x, # first\n  a]\n", "enable: [ # first\n  a]\n"},
		"a document in brackets":          {"{enable: [x], log: on}\n", "{enable: [], log: on}\n"},
		"an alias":                        {"disable: &e [a, x]\nenable: *e\n", "disable: &e [a, x]\nenable: [a]\n"},
		"a list that disable shares":      {"enable: &e [a, x]\ndisable: *e\n", "enable: &e [a]\ndisable: [a, x]\n"},
		"an item that disable shares":     {"enable: [a, &e x]\ndisable: [*e]\n", "enable: [a]\ndisable: [x]\n"},
		"an item that is an alias":        {"disable: [&e x]\nenable: [*e, a]\n", "disable: [&e x]\nenable: [a]\n"},
		"a line that disable shares":      {"enable:\n  - &e x\n  - a\ndisable: *e\n", "enable:\n  - a\ndisable: x\n"},
		"quotes over two lines":           {"enable:\n  - \"\n    x\"\n  - a\n", "enable:\n  - a\n"},
		"quotes over two lines, comment":  {"enable:\n  - \"\n    x\" # why\n  - a\n", "enable:\n  # - \"\n#     x\" # why\n  - a\n"},
		"a blank line above":              {"enable:\n  # sets\n\n  - x\n  - a\n", "enable:\n  # sets\n\n  - a\n"},
		"bytes that are not UTF-8 before": {"# \xe9\nenable: [x, a]\n", "# \xe9\nenable: [a]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.after, apply(t, c.before, settingsedit.TakeEnable("x"))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestARuleIsSet(t *testing.T) {
	rule := "watch-git/git push --force"
	for name, c := range map[string]struct{ before, after string }{
		"no file":                  {"", "rules:\n  watch-git/git push --force: ask\n"},
		"no rules":                 {"log: on\r\n", "log: on\r\nrules:\r\n  watch-git/git push --force: ask\r\n"},
		"an indented document":     {" log: on\n", " log: on\n rules:\n   watch-git/git push --force: ask\n"},
		"no value":                 {"rules:   # mine\n  # watch-x/y: off\nlog: on\n", "rules:   # mine\n  watch-git/git push --force: ask\n  # watch-x/y: off\nlog: on\n"},
		"a null":                   {"rules: ~ # mine\n", "rules: {watch-git/git push --force: ask} # mine\n"},
		"empty brackets":           {"rules: {} # mine\n", "rules: {watch-git/git push --force: ask} # mine\n"},
		"brackets":                 {"rules: {a/b: off} # mine\n", "rules: {a/b: off, watch-git/git push --force: ask} # mine\n"},
		"a document in brackets":   {"{log: on}\n", "{log: on, rules: {watch-git/git push --force: ask}}\n"},
		"other rules":              {"rules:\n    a/b: off   # why\n    # end\nlog: on\n", "rules:\n    a/b: off   # why\n    watch-git/git push --force: ask\n    # end\nlog: on\n"},
		"another action":           {"rules:\n  watch-git/git push --force: off  # why\n", "rules:\n  watch-git/git push --force: ask  # why\n"},
		"another action in quotes": {"rules:\n  'watch-git/git push --force': \"off\"  # why\n", "rules:\n  'watch-git/git push --force': \"ask\"  # why\n"},
		"another action in brackets": {
			"rules: {\"watch-git/git push --force\": 'off', a/b: off}\n", "rules: {\"watch-git/git push --force\": 'ask', a/b: off}\n",
		},
		"no action":                {"rules:\n  watch-git/git push --force:   # why\n  a/b: off\n", "rules:\n  watch-git/git push --force: ask   # why\n  a/b: off\n"},
		"a bad action":             {"rules:\n  watch-git/git push --force: perhaps\n", "rules:\n  watch-git/git push --force: ask\n"},
		"it is set":                {"rules:\n  watch-git/git push --force: Ask\n", "rules:\n  watch-git/git push --force: Ask\n"},
		"an action that is shared": {"rules:\n  watch-git/git push --force: &o off\n  a/b: *o\n", "rules:\n  watch-git/git push --force: &o ask\n  a/b: off\n"},
		"an alias":                 {"rules:\n  a/b: &o off\n  watch-git/git push --force: *o # too\n", "rules:\n  a/b: &o off\n  watch-git/git push --force: ask # too\n"},
		"a last entry over lines":  {"rules:\n  a/b: off\n  c/d:\n    off\nlog: on\n", "rules:\n  a/b: off\n  watch-git/git push --force: ask\n  c/d:\n    off\nlog: on\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.after, apply(t, c.before, settingsedit.SetRule(rule, policy.Ask, false))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestARuleThatGetsItsOwnActionLosesItsEntry(t *testing.T) {
	for name, c := range map[string]struct{ before, after string }{
		"no entry":                {"log: on\n", "log: on\n"},
		"an entry":                {"rules:\n  a/b: off\n  c/d: off\n", "rules:\n  c/d: off\n"},
		"the only entry":          {"log: on\nrules:\n  a/b: off\n", "log: on\n"},
		"in brackets":             {"rules: {c/d: off, a/b: off} # mine\n", "rules: {c/d: off} # mine\n"},
		"a comment behind it":     {"rules:\n  a/b: off # why\n  c/d: off\n", "rules:\n  a/b: ask # why\n  c/d: off\n"},
		"a comment above it":      {"rules:\n  # why\n  a/b: 'off'\n  c/d: off\n", "rules:\n  # why\n  a/b: 'ask'\n  c/d: off\n"},
		"the entry twice":         {"rules:\n  a/b: off\n  c/d: off\n  a/b: block\n", "rules:\n  c/d: off\n"},
		"rules that are an alias": {"changes: &r {a/b: off, c/d: off}\nrules: *r\n", "changes: &r {a/b: off, c/d: off}\nrules: {c/d: off}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.after, apply(t, c.before, settingsedit.SetRule("a/b", policy.Ask, true))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheEntryOfARuleIsTakenOut(t *testing.T) {
	for name, c := range map[string]struct{ before, after string }{
		"no entry":               {"rules: {c/d: off}\n", "rules: {c/d: off}\n"},
		"an entry":               {"rules:\n  c/d: off\n  a/b: off\nlog: on\n", "rules:\n  c/d: off\nlog: on\n"},
		"a comment behind it":    {"rules:\n  a/b: off # why\n  c/d: off\n", "rules:\n  # a/b: off # why\n  c/d: off\n"},
		"the only one":           {"rules:\n  a/b: off\n", ""},
		"in brackets over lines": {"rules: {\n  a/b: off, # why\n  c/d: off }\n", "rules: {\n  # a/b: off, # why\n  c/d: off }\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.after, apply(t, c.before, settingsedit.TakeRule("a/b"))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestANameThatIsNoPlainTextIsQuoted(t *testing.T) {
	for name, quoted := range map[string]string{
		"a: b": "'a: b'", "it's": "'it''s'", "- x": "'- x'", "true": "'true'", "12": "'12'", "a, b": "'a, b'", "watch-git": "watch-git",
		"x #y": "'x #y'", "*.sh": "'*.sh'", "a\x07b": `"a\ab"`, "null": "'null'", "a:": "'a:'", "?": "'?'", "{}": "'{}'",
	} {
		after := apply(t, "", settingsedit.AddEnable(name))
		if want := "enable: [" + quoted + "]\n"; after != want {
			t.Errorf("%q: got %q, want %q", name, after, want)
		}
	}
}

func TestWhatCannotBeEditedIsRefusedWithItsPlace(t *testing.T) {
	for name, c := range map[string]struct {
		before string
		edit   settingsedit.Edit
		want   string
	}{
		"not YAML":            {"log: on\nenable: [a\n", settingsedit.AddEnable("x"), "settings.yaml:2:"},
		"a tab":               {"rules:\n\ta/b: off\n", settingsedit.AddEnable("x"), "settings.yaml:2:1: not YAML: a tab"},
		"two documents":       {"log: on\n---\nlog: off\n", settingsedit.AddEnable("x"), "settings.yaml:"},
		"a list at the top":   {"- a\n", settingsedit.AddEnable("x"), "settings.yaml:1:1: settings must be a mapping"},
		"a mapping of sets":   {"log: on\nenable: {a: b}\n", settingsedit.AddEnable("x"), "settings.yaml:2:9: 'enable' takes names of sets"},
		"rules in a list":     {"rules: [a/b]\n", settingsedit.SetRule("a/b", policy.Off, false), "settings.yaml:1:8: 'rules' takes rules with their actions"},
		"an action of a list": {"rules:\n  a/b: [off]\n", settingsedit.SetRule("a/b", policy.Off, false), "settings.yaml:2:8: 'a/b' takes block, ask or off"},
		"an alias of itself":  {"enable: &x\n- A: *x\n", settingsedit.AddEnable("x"), "settings.yaml: its aliases stand for themselves"},
		"many aliases":        {bomb, settingsedit.AddEnable("x"), "settings.yaml: its aliases stand for themselves"},
		"a key with a mark":   {"? rules\n: a/b: off\n", settingsedit.TakeRule("a/b"), "settings.yaml:2:3: an entry in a form"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := settingsedit.Apply(path, []byte(c.before), c.edit)
			if err == nil || !strings.HasPrefix(err.Error(), c.want) || !strings.HasSuffix(err.Error(), "Nothing was changed") {
				t.Errorf("got %q, error %v, want an error that begins with %q", got, err, c.want)
			}
		})
	}
}

// bomb is a file whose aliases stand for three billion values.
var bomb = func() string {
	text := "changes:\n  a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for n := 1; n < 10; n++ {
		text += fmt.Sprintf("  a%d: &a%d [%s]\n", n, n, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", n-1), 9), ", "))
	}
	return text
}()

func TestTwoEditsAreOneChange(t *testing.T) {
	got := apply(t, "enable: [a, x]\n", settingsedit.TakeEnable("x"), settingsedit.AddDisable("x"))
	if want := "enable: [a]\ndisable: [x]\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if back := apply(t, got, settingsedit.TakeDisable("x"), settingsedit.AddEnable("x")); back != "enable: [a, x]\n" {
		t.Errorf("and back: %q", back)
	}
}
