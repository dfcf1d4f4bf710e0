package compiled_test

import (
	"testing"
	"testing/fstest"

	"github.com/claudewatch/claudewatch/internal/compiled"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/claudewatch/claudewatch/schema"
)

func rules(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{"other.txt": {Data: []byte("no rule file")}}
	for name, content := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(content)}
	}
	return fsys
}

func TestACompiledPolicyFitsItsRuleFilesOnly(t *testing.T) {
	fsys := rules(map[string]string{"a.yml": denying("a", "A"), "b.yml": denying("b", "B")})
	packed, err := compiled.Pack(fsys)
	if err != nil {
		t.Fatal(err)
	}
	units, err := compiled.Open(string(packed), fsys)
	if err != nil {
		t.Fatal(err)
	}
	o := policy.Link(units, policy.Options{}).Evaluate(&schema.Input{Tool: "A"}, policy.EvaluateOptions{})
	if len(o.Blocks) != 1 || o.Blocks[0].Reason != "not A" || o.Blocks[0].Path != "watches/a.yml" {
		t.Errorf("%+v", o.Blocks)
	}
	for name, files := range map[string]map[string]string{
		"one more":      {"a.yml": denying("a", "A"), "b.yml": denying("b", "B"), "c.yml": denying("c", "C")},
		"one less":      {"a.yml": denying("a", "A")},
		"another name":  {"a.yml": denying("a", "A"), "c.yml": denying("b", "B")},
		"a longer file": {"a.yml": denying("a", "A"), "b.yml": denying("b", "BB")},
	} {
		if _, err := compiled.Open(string(packed), rules(files)); err == nil {
			t.Errorf("%s: opened", name)
		}
	}
	for _, container := range []string{"", "cwpolicy", string(packed[:len(packed)/2]), "x" + string(packed[1:])} {
		if units, err := compiled.Open(container, fsys); err == nil {
			// Bodies that are cut off are compiled when they are asked for.
			o := policy.Link(units, policy.Options{}).Evaluate(&schema.Input{Tool: "A"}, policy.EvaluateOptions{})
			if len(o.Blocks) != 1 || o.Blocks[0].Reason != "not A" {
				t.Errorf("%d bytes: %+v", len(container), o.Blocks)
			}
		}
	}
}

// FuzzOpen: whatever the bytes, there are units or an error.
func FuzzOpen(f *testing.F) {
	fsys := rules(map[string]string{"a.yml": denying("a", "A")})
	packed, err := compiled.Pack(fsys)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(packed))
	f.Add("cwpolicy")
	f.Fuzz(func(t *testing.T, container string) {
		if units, err := compiled.Open(container, fsys); err == nil {
			policy.Link(units, policy.Options{}).Evaluate(&schema.Input{Tool: "A"}, policy.EvaluateOptions{})
		}
	})
}
