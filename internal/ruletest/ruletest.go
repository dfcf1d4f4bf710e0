// Package ruletest runs the tests: of rule sets.
//
// A test is judged on the rules of its own set, before an ask on a compound
// command becomes a deny: what it expects is the strongest action that matched. One
// that says what its call has changed is judged on the rules about calls that are over.
package ruletest

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/call"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/claudewatch/claudewatch/schema"
)

// Where a test's call happens when the entry does not say: a project of a user
// whose folders exist on no machine, so that a test does not depend on one.
const (
	DefaultHome = "/home/dev"
	DefaultCwd  = "/home/dev/project"
)

// Result is how one test came out.
type Result struct {
	// Set is the name of the test's rule set, Path its file.
	Set, Path string
	Test      policy.Test
	// Got is the strongest action of the rules that matched.
	Got policy.Expectation
	// Matched names the rules that matched, blocks first.
	Matched []string
	// Problem says in a sentence why the test failed; "" when it passed.
	Problem string
	// Trace holds the rules of the set that were evaluated, of a test that failed.
	Trace []policy.RuleTrace
}

// Passed reports whether the test came out as expected.
func (r Result) Passed() bool { return r.Problem == "" }

// Run runs one test of the set with that name. The policy holds the set; rules
// of other sets do not count.
func Run(p *policy.Policy, set *policy.RuleSet, test policy.Test, wrappers map[string]int) Result {
	in := callOf(test, wrappers).Input()
	outcome := p.Evaluate(in, policy.EvaluateOptions{Unfiltered: true, Set: set.Name})
	r := Result{Set: set.Name, Path: set.Path, Test: test, Got: policy.ExpectAllow}
	for _, m := range slices.Concat(outcome.Blocks, outcome.Asks) {
		if m.Action == policy.Block {
			r.Got = policy.ExpectBlock
		} else if r.Got == policy.ExpectAllow {
			r.Got = policy.ExpectAsk
		}
		r.Matched = append(r.Matched, m.Rule)
		if m.Err != nil && r.Problem == "" {
			r.Problem = fmt.Sprintf("rule %q: %v", m.Rule, m.Err)
		}
	}
	switch {
	case r.Problem != "":
	case r.Got != test.Expect:
		r.Problem = fmt.Sprintf("want %s, got %s%s", test.Expect, r.Got, by(r.Matched))
	case test.Rule != "" && !slices.Contains(r.Matched, test.Rule):
		r.Problem = fmt.Sprintf("rule %q did not match%s", test.Rule, by(r.Matched))
	}
	if !r.Passed() {
		r.Trace = p.Evaluate(in, policy.EvaluateOptions{Trace: true, Set: set.Name}).Trace
	}
	return r
}

func by(rules []string) string {
	if len(rules) == 0 {
		return ""
	}
	return " (matched: " + strings.Join(rules, ", ") + ")"
}

// callOf turns a test into the tool call it describes. No file is read: an edit
// sees the content that the test gives as "before".
func callOf(test policy.Test, wrappers map[string]int) call.Call {
	c := call.Call{
		Event: test.On.String(), Tool: test.Tool, Args: test.Args, Wrappers: wrappers,
		Cwd: DefaultCwd, ProjectDir: DefaultCwd, Home: DefaultHome,
		SessionID: "test",
		ReadFile: func(name string) ([]byte, error) {
			if test.Before == nil {
				return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
			}
			return []byte(*test.Before), nil
		},
	}
	set(&c.Cwd, test.Cwd)
	set(&c.ProjectDir, test.ProjectDir)
	set(&c.Home, test.Home)
	for _, change := range test.Changes {
		path := change.Path
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.Cwd, path)
		}
		c.Changes = append(c.Changes, schema.Change{Path: filepath.Clean(path), Operation: change.Operation, Attribution: change.Attribution})
	}
	if test.Repo != nil {
		c.Repository = repository(test.Repo, c.Cwd)
	}
	return c
}

// repository finds the repository of a test, and no other one.
func repository(r *policy.TestRepo, cwd string) func(path string) *schema.Repo {
	root := filepath.Clean(r.Root)
	if !filepath.IsAbs(root) {
		root = filepath.Join(cwd, r.Root)
	}
	within := &schema.Repo{Root: root, Branch: r.Branch, Detached: r.Branch == "", Known: true, Files: files(r.Files)}
	outside := &schema.Repo{Known: true}
	return func(path string) *schema.Repo {
		if path == root || strings.HasPrefix(path, strings.TrimSuffix(root, "/")+"/") {
			return within
		}
		return outside
	}
}

func set(field, value *string) {
	if value != nil {
		*field = *value
	}
}
