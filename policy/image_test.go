package policy

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// stored puts a rule file through an image. damage changes the bodies.
func stored(t testing.TB, source string, damage func([]byte)) []*Unit {
	t.Helper()
	file := File{Path: "mine.yml", Source: []byte(source)}
	index, bodies := encoded(t, CompileUnit(file))
	return decoded(t, file, index, bodies, damage)
}

func encoded(t testing.TB, u *Unit) (index, bodies []byte) {
	t.Helper()
	index, bodies, err := EncodeUnits([]*Unit{u})
	if err != nil {
		t.Fatal(err)
	}
	return index, bodies
}

func decoded(t testing.TB, file File, index, bodies []byte, damage func([]byte)) []*Unit {
	t.Helper()
	if damage != nil {
		damage(bodies)
	}
	units, err := DecodeUnits(string(index), &Image{
		Body: func(offset, length int) (string, error) {
			if offset+length > len(bodies) {
				return "", errImage
			}
			return string(bodies[offset : offset+length]), nil
		},
		Source: func(path string) ([]byte, error) {
			if path != file.Path {
				return nil, errors.New("another path")
			}
			return file.Source, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return units
}

const failing = "name: f\nvariables: {bad: 'input.args[\"y\"] == 2'}\nrules:\n  block:\n" +
	"    - {name: r, when: 'input.compound || input.args[\"x\"] == 1', reason: r}\n" +
	"    - {name: v, when: 'variables.bad', reason: r}\n" +
	"    - {name: m, when: 'input.tool == \"Bash\"', message: 'input.args[\"z\"]', reason: r}\n"

func TestAStoredPolicySaysTheSame(t *testing.T) {
	calls := []*schema.Input{
		bash("git push -f", words("git push -f")), bash("git rm -r /tmp/x", words("git rm -r /tmp/x")),
		bash("git rm -r x", words("git rm -r x")), writes("a.sh", "rm -rf /"), {Tool: "Read"},
	}
	faulty := "name: b\nrules:\n  block:\n    - {name: r, when: 'input.nothing', reason: r}\n    - {name: ok, when: 'input.tool == \"Read\"', reason: r}\n"
	for _, source := range []string{example, failing, faulty, manyRules(20), "name: [\n"} {
		compiled := Compile([]File{{Path: "mine.yml", Source: []byte(source)}}, Options{})
		for name, damage := range map[string]func([]byte){"whole": nil, "damaged": func(b []byte) {
			for i := range b {
				b[i] ^= 0x55
			}
		}} {
			linked := Link(stored(t, source, damage), Options{})
			if diff := cmp.Diff(compiled.Diagnostics, linked.Diagnostics); diff != "" {
				t.Error(diff)
			}
			for _, in := range calls {
				for _, trace := range []bool{false, true} {
					want, got := compiled.Evaluate(in, EvaluateOptions{Trace: trace}), linked.Evaluate(in, EvaluateOptions{Trace: trace})
					if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmp.Transformer("error", func(err error) string { return fmt.Sprint(err) })); diff != "" {
						t.Errorf("%s: %s", name, diff)
					}
				}
			}
		}
	}
}

func TestSettingsApplyToStoredUnits(t *testing.T) {
	units := stored(t, example, nil)
	off := Link(units, Options{Enabled: func(*RuleSet, Scope) bool { return false }})
	on := Link(units, Options{Action: func(set, rule string) Action { return Ask }})
	in := bash("git push -f", words("git push -f"))
	if o := off.Evaluate(in, EvaluateOptions{}); len(o.Blocks)+len(o.Asks) != 0 {
		t.Errorf("%+v", o)
	}
	if o := on.Evaluate(in, EvaluateOptions{}); len(o.Blocks) != 0 || len(o.Asks) == 0 {
		t.Errorf("%+v", o)
	}
}

func TestAnImageIsTheSameEachTime(t *testing.T) {
	encode := func() string {
		index, bodies, err := EncodeUnits([]*Unit{CompileUnit(File{Path: "x.yml", Source: []byte(example)})})
		if err != nil {
			t.Fatal(err)
		}
		return string(index) + string(bodies)
	}
	first := encode()
	for range 5 {
		if encode() != first {
			t.Fatal("other bytes")
		}
	}
}

func TestWhatCannotBeReadIsNotStored(t *testing.T) {
	if _, _, err := EncodeUnits([]*Unit{CompileUnit(File{Path: "x.yml", Err: errors.New("no")})}); err == nil {
		t.Error("stored")
	}
}

func TestADamagedRuleOfAnImageMatches(t *testing.T) {
	in := bash("git push -f", words("git push -f"))
	for name, damage := range map[string]func(body string) (string, error){
		"cut off":     func(body string) (string, error) { return body[:len(body)-1], nil },
		"nothing":     func(string) (string, error) { return "", nil },
		"not read":    func(string) (string, error) { return "", errImage },
		"other bytes": func(body string) (string, error) { return strings.Repeat("x", len(body)), nil },
	} {
		unit := stored(t, "name: s\nvariables: {v: input.tool == 'Bash'}\nrules:\n  block:\n    - {name: r, when: variables.v, reason: r}\n", nil)[0]
		whole := unit.image.image.Body
		unit.image.image.Source = func(string) ([]byte, error) { return nil, errImage }
		unit.image.image.Body = func(offset, length int) (string, error) {
			body, err := whole(offset, length)
			if err != nil {
				return "", err
			}
			return damage(body)
		}
		blocks := Link([]*Unit{unit}, Options{}).Evaluate(in, EvaluateOptions{}).Blocks
		if len(blocks) != 1 || blocks[0].Rule != "r" || blocks[0].Err == nil {
			t.Errorf("%s: %+v", name, blocks)
		}
	}
}

// Heads are not read before a call is judged. Of those that are damaged every rule
// matches, unless the rule file can be compiled in their place.
func TestDamagedHeadsMatch(t *testing.T) {
	for name, heads := range map[string]string{"cut off": "", "other bytes": strings.Repeat("\xff", 100), "half": "half"} {
		unit := stored(t, example, nil)[0]
		if heads == "half" {
			heads = unit.image.rules[:len(unit.image.rules)/2]
		}
		unit.image.rules = heads
		unit.image.image.Source = func(string) ([]byte, error) { return nil, errImage }
		blocks := Link([]*Unit{unit}, Options{}).Evaluate(&schema.Input{Tool: "Read"}, EvaluateOptions{}).Blocks
		if len(blocks) == 0 || blocks[len(blocks)-1].Err == nil {
			t.Errorf("%s: %+v", name, blocks)
		}
	}
}

func FuzzDecodeUnits(f *testing.F) {
	for _, source := range []string{failing, bothEvents} {
		index, _, err := EncodeUnits([]*Unit{CompileUnit(File{Path: "x.yml", Source: []byte(source)})})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(index))
	}
	f.Fuzz(func(t *testing.T, index string) {
		none := &Image{Body: func(int, int) (string, error) { return "", errImage }, Source: func(string) ([]byte, error) { return nil, errImage }}
		units, err := DecodeUnits(index, none)
		if err != nil {
			return
		}
		// With no bodies and no rule file every rule that is evaluated fails, and so matches.
		for _, m := range Link(units, Options{}).Evaluate(&schema.Input{Tool: "Bash"}, EvaluateOptions{}).Blocks {
			if m.Err == nil {
				t.Errorf("%+v", m)
			}
		}
	})
}

func FuzzDecodeExpression(f *testing.F) {
	for _, rule := range CompileUnit(File{Path: "x.yml", Source: []byte(example)}).rules {
		encoded, err := encodeAST(rule.checked.AST)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(encoded))
	}
	environment, err := baseEnvironment()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, encoded string) {
		x, err := decodeAST(encoded)
		if err != nil {
			return
		}
		if again, err := encodeAST(x.Tree); err == nil {
			if _, err := decodeAST(string(again)); err != nil {
				t.Errorf("%q: %v", again, err)
			}
		}
		// What is planned of it may be an error, and not a panic.
		_, _ = (&planned{}).get(environment, &Checked{stored: &storedExpression{unit: &Unit{image: &storedUnit{image: &Image{
			Body:   func(int, int) (string, error) { return encoded, nil },
			Source: func(string) ([]byte, error) { return nil, errImage },
		}}}, at: place{length: len(encoded), sum: checksum(encoded) >> 1}}}, false)
	})
}

func BenchmarkDecodeExpression(b *testing.B) {
	var all []string
	size := 0
	for _, rule := range CompileUnit(File{Path: "x.yml", Source: []byte(manyRules(100))}).rules {
		encoded, err := encodeAST(rule.checked.AST)
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, string(encoded))
		size += len(encoded)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, encoded := range all {
			if _, err := decodeAST(encoded); err != nil {
				b.Fatal(err)
			}
		}
	}
}
