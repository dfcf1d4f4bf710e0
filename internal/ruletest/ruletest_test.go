package ruletest_test

import (
	"testing"

	"github.com/claudewatch/claudewatch/internal/ruletest"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/google/go-cmp/cmp"
)

const repositories = `
name: s
rules:
  ask:
    - name: main
      when: input.writes.exists(t, t.repo.branch == "main")
      reason: r
    - name: on a commit
      when: input.git.exists(g, g.mutates && g.repo.detached)
      reason: r
    - name: planned
      when: input.writes.exists(t, t.repo.root != "" && t.repo.read("plans/1.md") == "one" && t.repo.files("plans").size() == 1)
      reason: r
tests:
  - {command: echo > f, repo: {branch: main}, expect: ask, rule: main}
  - {command: echo > sub/f, repo: {root: sub, branch: main}, expect: ask, rule: main}
  - {command: cd sub && echo > f, repo: {root: /home/dev/project/sub/, branch: main}, expect: ask, rule: main}
  - {command: echo > f, cwd: /srv, repo: {branch: main}, expect: ask, rule: main}
  - {write: {path: f, content: ''}, repo: {branch: main}, expect: ask, rule: main}
  - {command: git commit -m x, repo: {detached: true}, expect: ask, rule: on a commit}
  - {command: git switch -c b && echo > f, repo: {branch: main}, expect: allow}
  - {command: git switch main && echo > f, repo: {branch: b}, expect: ask, rule: main}
  - {command: echo > f, repo: {branch: b, files: {plans/1.md: one}}, expect: ask, rule: planned}
  - {command: echo > f, repo: {branch: b, files: {plans/1.md: one, plans/2.md: two}}, expect: allow}
  - {command: echo > ../f, repo: {branch: main}, expect: allow}
  - {command: echo > subway/f, repo: {root: sub, branch: main}, expect: allow}
  - {command: echo > f, expect: allow}
`

func TestATestMayBringARepository(t *testing.T) {
	p := policy.Compile([]policy.File{{Path: "s.yml", Scope: policy.Given, Source: []byte(repositories)}}, policy.Options{})
	for _, d := range p.Diagnostics {
		t.Error(d)
	}
	for _, set := range p.Sets {
		for _, test := range set.Tests {
			if r := ruletest.Run(p, set.RuleSet, test, nil); !r.Passed() {
				t.Errorf("line %d: %s: %s", test.Position.Line, test.Name, r.Problem)
			}
		}
	}
}

func TestATestIsJudgedByItsOwnSetAndShowsWhyItFails(t *testing.T) {
	const other = `
name: other
rules:
  block:
    - {name: all, when: input.command != "", reason: r}
`
	const source = `
name: s
rules:
  ask:
    - {name: push, when: 'input.commands.exists(c, c.runs("git push"))', reason: r}
    - {name: pull, when: 'input.commands.exists(c, c.runs("git pull"))', reason: r}
tests:
  - {command: git push, expect: ask, rule: push}
  - {command: git push, expect: allow}
`
	p := policy.Compile([]policy.File{
		{Path: "other.yml", Scope: policy.Given, Source: []byte(other)}, {Path: "s.yml", Scope: policy.Given, Source: []byte(source)},
	}, policy.Options{})
	set := p.Sets[1].RuleSet
	if r := ruletest.Run(p, set, set.Tests[0], nil); !r.Passed() || len(r.Trace) > 0 {
		t.Errorf("%s, %d rules in the trace", r.Problem, len(r.Trace))
	}
	r := ruletest.Run(p, set, set.Tests[1], nil)
	if r.Problem != "want allow, got ask (matched: push)" {
		t.Errorf("the problem is %q", r.Problem)
	}
	var traced []string
	for _, rule := range r.Trace {
		traced = append(traced, rule.Set+"/"+rule.Rule)
	}
	if diff := cmp.Diff([]string{"s/push", "s/pull"}, traced); diff != "" {
		t.Errorf("(-want +traced)\n%s", diff)
	}
}
