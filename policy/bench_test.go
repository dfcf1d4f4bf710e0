package policy

import (
	"fmt"
	"strings"
	"testing"
)

// manyRules is a rule file with n rules: patterns and conditions by turns.
func manyRules(n int) string {
	var b strings.Builder
	b.WriteString("name: many\nfilter: 'x'\nvariables:\n  pushes: input.commands.filter(c, c.runs('git push'))\nrules:\n  ask:\n")
	for i := range n {
		if i%2 == 0 {
			fmt.Fprintf(&b, "    - {name: p%d, pattern: '\\bprog%d\\s+(?:-\\S+\\s+)*--force(?=\\s|$)', except: '/tmp/', reason: r, ref: x}\n", i, i)
		} else {
			fmt.Fprintf(&b, "    - {name: w%d, when: 'input.commands.exists(c, c.runs(\"prog%d push\") && c.has_flag(\"--force\", \"-f\"))', unless: [is_in_project_tree], reason: r, ref: x}\n", i, i)
		}
	}
	return b.String()
}

func BenchmarkCompile200Rules(b *testing.B) {
	files := []File{{Path: "many.yml", Source: []byte(manyRules(200))}}
	b.ReportAllocs()
	for b.Loop() {
		if p := Compile(files, Options{}); len(p.Diagnostics) != 0 {
			b.Fatal(p.Diagnostics)
		}
	}
}

func BenchmarkLoad200Rules(b *testing.B) {
	source := []byte(manyRules(200))
	b.ReportAllocs()
	for b.Loop() {
		Load("many.yml", source)
	}
}

func BenchmarkEvaluate200RulesWithoutAMatch(b *testing.B) {
	p := mustCompile(b, manyRules(200))
	in := bash("git status x", words("git status x"))
	b.ReportAllocs()
	for b.Loop() {
		if o := p.Evaluate(in, EvaluateOptions{}); len(o.Asks) != 0 {
			b.Fatal(o.Asks)
		}
	}
}

func BenchmarkFirstEvaluationOf200Rules(b *testing.B) {
	in := bash("git status x", words("git status x"))
	for b.Loop() {
		b.StopTimer()
		p := mustCompile(b, manyRules(200))
		b.StartTimer()
		p.Evaluate(in, EvaluateOptions{})
	}
}

func BenchmarkRewriteRegex(b *testing.B) {
	for b.Loop() {
		if _, err := rewriteRegex(`\brm\s+(?=-[a-zA-Z]*r)(?=-[a-zA-Z]*f)-[a-zA-Z]+`, false); err != nil {
			b.Fatal(err)
		}
	}
}
