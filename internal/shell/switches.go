package shell

import (
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/schema"
	"mvdan.cc/sh/v3/syntax"
)

// keepSwitches takes over the branch switches of an environment that was forked
// from e for another process. A repository's branch stays switched when the process
// is over, unlike a directory and variables.
func (e *environment) keepSwitches(inner *environment) { e.switches = inner.switches }

// maxSwitches bounds how many branch switches are kept, since merging environments
// takes time for each.
const maxSwitches = 64

// addSwitch records that a branch is switched.
func (w *walk) addSwitch(e *environment, s schema.BranchSwitch) {
	if len(e.switches) >= maxSwitches {
		w.effects.Parsed = false
		return
	}
	e.switches = append(e.switches[:len(e.switches):len(e.switches)], s)
}

// commonSwitches returns the branch switches after one of several lists of them was
// made, without knowing which: where they do not agree the branch is unknown.
func commonSwitches(a, b []schema.BranchSwitch) []schema.BranchSwitch {
	if len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) {
		return a
	}
	shared := 0
	for shared < len(a) && shared < len(b) && a[shared] == b[shared] {
		shared++
	}
	if shared == len(a) && shared == len(b) {
		return a
	}
	out := slices.Clone(a[:shared])
	seen := map[string]bool{}
	for _, s := range slices.Concat(a[shared:], b[shared:]) {
		if seen[s.Dir] {
			continue
		}
		seen[s.Dir] = true
		state, switched := lastSwitch(a, s.Dir)
		if other, ok := lastSwitch(b, s.Dir); !switched || !ok || other != state {
			state = schema.BranchSwitch{Dir: s.Dir}
		}
		out = append(out, state)
	}
	return out
}

// lastSwitch returns the last switch in a directory.
func lastSwitch(list []schema.BranchSwitch, dir string) (schema.BranchSwitch, bool) {
	for _, s := range slices.Backward(list) {
		if s.Dir == dir {
			return s, true
		}
	}
	return schema.BranchSwitch{}, false
}

// isBranchSwitch reports whether a command switches branches by the look of its
// words, so that a list behind it counts on its success: git switch -c x && …
func isBranchSwitch(cmd *syntax.CallExpr) bool {
	if cmd.Args[0].Lit() != "git" {
		return false
	}
	for i := 1; i < len(cmd.Args); i++ {
		switch word := cmd.Args[i].Lit(); {
		case word == "-C" || word == "-c":
			i++
		case strings.HasPrefix(word, "-"):
		default:
			return word == "switch" || word == "checkout"
		}
	}
	return false
}

// switchOf returns the branch switch that a git command makes. That of git rebase
// comes in front of what it does.
func (g *gitCommand) switchOf() (schema.BranchSwitch, bool) {
	switch g.verb {
	case "switch":
		return g.switchTo("-c", "-C", "--create", "--force-create", "--orphan")
	case "checkout":
		if !g.isOfPaths() {
			return g.switchTo("-b", "-B", "--orphan")
		}
	case "rebase":
		operands := append(g.operands, g.paths...)
		if !g.has("--root") && len(operands) > 0 {
			operands = operands[1:] // the upstream
		}
		if len(operands) > 0 {
			return g.switchedTo(operands[0])
		}
	case "symbolic-ref":
		if len(g.operands) == 2 && g.operands[0].text == "HEAD" {
			return schema.BranchSwitch{Dir: g.dir, Branch: branchName(g.operands[1])}, true
		}
	}
	return schema.BranchSwitch{}, false
}

// switchTo returns the branch switch of git switch, or of git checkout when it is not
// about paths. The options are those that make a branch.
func (g *gitCommand) switchTo(creating ...string) (schema.BranchSwitch, bool) {
	s := schema.BranchSwitch{Dir: g.dir}
	if f, ok := g.value(creating...); ok {
		s.Branch = branchName(f)
		return s, true
	}
	if g.has("-d", "--detach") {
		s.Detached = true
		return s, true
	}
	if g.has(creating...) || g.has("-h", "--help") || len(g.operands) == 0 {
		return s, false
	}
	return g.switchedTo(g.operands[0])
}

// switchedTo returns the switch to what an operand names.
func (g *gitCommand) switchedTo(f field) (schema.BranchSwitch, bool) {
	s := schema.BranchSwitch{Dir: g.dir}
	name := branchName(f)
	switch {
	case f.text == "HEAD" || f.text == "@":
		return s, false
	case g.has("-t", "--track"):
		if _, name, ok := strings.Cut(strings.TrimPrefix(name, "refs/remotes/"), "/"); ok {
			s.Branch = name
		}
	case name == "" || name == "-" || strings.HasPrefix(name, "@{-") || isVersion(name):
	case g.verb != "switch" && isCommit(name):
		s.Detached = true
	default:
		s.Branch = name
	}
	return s, true
}

// branchName returns the branch that a word names, "" when it cannot be known.
func branchName(f field) string {
	if !f.known || !f.literal || !f.located {
		return ""
	}
	return strings.TrimPrefix(f.text, "refs/heads/")
}

// isVersion reports whether a name is as likely that of a tag as of a branch: v1.2.3.
func isVersion(name string) bool {
	digits := strings.TrimPrefix(name, "v")
	return strings.Contains(digits, ".") && strings.Trim(digits, "0123456789.") == ""
}

// isCommit reports whether a name checks out a commit and no branch: a hash, a name
// with an operator of git's revisions, a tag or a branch of another repository.
func isCommit(name string) bool {
	if strings.ContainsAny(name, "~^:") || strings.Contains(name, "@{") {
		return true
	}
	for _, prefix := range []string{"refs/", "tags/", "remotes/", "origin/", "upstream/"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return len(name) >= 7 && len(name) <= 64 && strings.Trim(name, "0123456789abcdef") == "" && strings.ContainsAny(name, "0123456789")
}
