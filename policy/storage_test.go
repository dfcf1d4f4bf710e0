package policy

import (
	"testing"

	"github.com/claudewatch/claudewatch/schema"
	"github.com/google/cel-go/common/ast"
)

// A checked rule is what a cache keeps: the typed expression as protobuf. What is
// planned from it must say the same, and place its errors the same.
func TestACheckedRuleSurvivesStorage(t *testing.T) {
	p := mustCompile(t, example)
	failing := mustCompile(t, "name: f\nrules:\n  block:\n    - {name: r, when: 'input.compound || input.args[\"x\"] == 1', reason: r}\n")
	calls := []*schema.Input{bash("git push -f", words("git push -f")), bash("git rm -r /tmp/x", words("git rm -r /tmp/x")), bash("git rm -r x", words("git rm -r x")), writes("a.sh", "rm -rf /")}
	for _, set := range append(p.Sets, failing.Sets...) {
		for _, rule := range set.Compiled() {
			stored, err := ast.ToProto(rule.Checked.AST)
			if err != nil {
				t.Fatal(err)
			}
			tree, err := ast.ToAST(stored)
			if err != nil {
				t.Fatal(err)
			}
			restored := &Checked{AST: tree, Lowered: rule.Checked.Lowered}
			for _, in := range calls {
				a := &activation{input: schema.InputValue(in), set: set}
				want, _, wantErr := a.evaluate(&planned{}, rule.Checked, false)
				got, _, gotErr := a.evaluate(&planned{}, restored, false)
				if got != want || (gotErr == nil) != (wantErr == nil) || gotErr != nil && gotErr.Error() != wantErr.Error() {
					t.Errorf("%s: %v %v, want %v %v", rule.Name, got, gotErr, want, wantErr)
				}
			}
		}
	}
}

func TestVerbatimPartsAreTheTextOfTheFile(t *testing.T) {
	p := mustCompile(t, example)
	for _, rule := range p.Sets[0].Compiled() {
		text := []rune(rule.Expression)
		last := 0
		for _, part := range rule.Checked.Lowered.Parts {
			if part.Start < last || part.End <= part.Start || part.End > len(text) {
				t.Fatalf("%s: part %+v", rule.Name, part)
			}
			last = part.End
			if piece := string(text[part.Start:part.End]); part.Verbatim && piece != part.Scalar.Text {
				t.Errorf("%s: %q is not %q", rule.Name, piece, part.Scalar.Text)
			}
		}
		if len(partRoots(rule.Checked)) != len(rule.Checked.Lowered.Parts) {
			t.Errorf("%s: not every part has an expression", rule.Name)
		}
	}
}
