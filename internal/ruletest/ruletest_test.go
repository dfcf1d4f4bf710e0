package ruletest_test

import (
	"testing"

	"github.com/claudewatch/claudewatch/internal/ruletest"
	"github.com/claudewatch/claudewatch/policy"
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
