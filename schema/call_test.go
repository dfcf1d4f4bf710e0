package schema_test

import (
	"testing"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/go-cmp/cmp"
)

// newScript returns a script with calls of these names, which counts how often its
// calls are read.
func newScript(content string, reads *int, names ...string) *schema.Script {
	return &schema.Script{Language: "python", Content: content, ReadCalls: func() []*schema.Call {
		*reads++
		var calls []*schema.Call
		for i, name := range names {
			calls = append(calls, &schema.Call{
				Name: name,
				ReadGiven: func() *schema.Given {
					return &schema.Given{Args: []string{"a", "b"}[:i%3], Keywords: map[string]string{"mode": "w"}, Literal: true, Receiver: "r"}
				},
				ReadKeywords: func() []string { return []string{"mode", "shell"}[:1+i%2] },
			})
		}
		return calls
	}}
}

func namesOf(calls []*schema.Call) []string {
	var names []string
	for _, c := range calls {
		names = append(names, c.Name)
	}
	return names
}

func TestCallsAreFoundByNameAndMethod(t *testing.T) {
	reads := 0
	s := newScript("os.unlink f.unlink new Function model.eval shell=1", &reads, "os.unlink", ".unlink", "unlink", "new Function", "os.unlink", "model.eval")
	for _, row := range []struct{ names, want []string }{
		{[]string{"os.unlink"}, []string{"os.unlink", "os.unlink"}},
		{[]string{".unlink"}, []string{"os.unlink", ".unlink", "os.unlink"}},
		{[]string{"unlink"}, []string{"unlink"}},
		{[]string{"new Function", "os.unlink", ".unlink"}, []string{"os.unlink", ".unlink", "new Function", "os.unlink"}},
		{[]string{".eval", "eval"}, []string{"model.eval"}},
		{[]string{"os.remove"}, nil},
		{nil, nil},
	} {
		if diff := cmp.Diff(row.want, namesOf(s.CallsTo(row.names...))); diff != "" {
			t.Errorf("%q\n%s", row.names, diff)
		}
	}
	if diff := cmp.Diff([]string{".unlink", "new Function", "model.eval"}, namesOf(s.CallsWith("shell"))); diff != "" {
		t.Error(diff)
	}
	if reads != 1 {
		t.Errorf("the calls were read %d times", reads)
	}
}

func TestCodeThatHoldsNoneOfTheNamesIsNotRead(t *testing.T) {
	reads := 0
	s := newScript("print(1)", &reads, "print")
	if s.CallsTo("os.unlink", ".rmtree") != nil || s.CallsWith("shell") != nil || reads != 0 {
		t.Errorf("read %d times", reads)
	}
	s = newScript("print(%x(ls))", &reads, "print")
	if len(s.CallsTo("`")) != 0 || reads != 1 {
		t.Error("a command has other forms than backticks")
	}
}

func TestCodeThatGivesNoKeywordIsNotRead(t *testing.T) {
	for code, want := range map[string]int{
		"a shell in prose": 0, "shell": 0, "shell()": 0, "run(shell=True)": 1, "run({'shell' : true})": 1, "run :shell => 1": 1, "shell\n= x": 1, "the shell. shell: x": 1,
	} {
		reads := 0
		newScript(code, &reads, "run").CallsWith("shell")
		if reads != want {
			t.Errorf("%q: read %d times, want %d", code, reads, want)
		}
	}
	if (&schema.Script{Content: "=:"}).CallsWith("") != nil {
		t.Error("calls with an empty keyword")
	}
}

func TestImportsAreFoundByTheirNames(t *testing.T) {
	s := &schema.Script{Language: "python", Content: "from os import system", ReadImports: func() []string { return []string{"os", "os.system"} }}
	for name, want := range map[string]bool{"os": true, "os.system": true, "system": false, "os.popen": false, "sys": false} {
		if s.HasImport("x", name) != want {
			t.Errorf("%s: want %v", name, want)
		}
	}
}

func TestFieldsOfACall(t *testing.T) {
	reads := 0
	in := &schema.Input{ReadEffects: func() *schema.Effects {
		return &schema.Effects{Scripts: []*schema.Script{newScript("", &reads, "x", "y", "os.remove")}}
	}}
	for _, expr := range []string{
		`input.scripts[0].calls.size() == 3`,
		`input.scripts[0].calls[2].name == "os.remove"`,
		`input.scripts[0].calls[2].args == ["a", "b"]`,
		`input.scripts[0].calls[1].keywords["mode"] == "w" && !("x" in input.scripts[0].calls[1].keywords)`,
		`input.scripts[0].calls.all(c, c.literal && c.receiver == "r")`,
		`input.scripts[0].imports.size() == 0`,
	} {
		if v := eval(t, expr, in); v.Value() != true {
			t.Errorf("%s: %v", expr, v)
		}
	}
	if calls := (&schema.Script{}).Calls(); len(calls) != 0 {
		t.Errorf("a script without code has calls: %v", namesOf(calls))
	}
	if given := (&schema.Call{}).Given(); given == nil {
		t.Error("a call is given nil")
	}
}
