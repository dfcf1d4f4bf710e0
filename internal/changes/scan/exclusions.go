package scan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Exclusions are the directories of a root that are not observed. The zero value
// and nil exclude nothing.
type Exclusions struct {
	rules []exclusionRule
	// byLast are the rules by the last segment of their names, where that is no pattern;
	// patterns are the others.
	byLast   map[string][]*exclusionRule
	patterns []*exclusionRule
	// byFirst are the conditional rules of several segments by the first of them.
	byFirst map[string][]*exclusionRule
}

// An exclusionRule is one name of a directory, which may reach over several
// directories: Carthage/Build.
type exclusionRule struct {
	segments []string // of the name, at least one, "**" is none of them at either end
	anchored bool     // the name counts from the root
	spans    bool     // some segment is "**"
	beside   []string // names of files, one of which must stand beside the first segment; nil for no condition
}

// NewExclusions returns the rules of a set, StandardV1 or "none", without those that
// remove names, and with those of add. A name may begin with "/", which anchors it at
// the root, or with "**/", which says nothing, and may end in "/"; its segments may
// hold the patterns of doublestar. A name in remove takes conditional rules of that
// name away as well. What cannot be used is left out, and there is an error for each.
func NewExclusions(defaults string, add, remove []string) (*Exclusions, []error) {
	x := &Exclusions{byLast: map[string][]*exclusionRule{}, byFirst: map[string][]*exclusionRule{}}
	var problems []error
	switch defaults {
	case StandardV1, "":
		for _, name := range standardV1 {
			x.rules = append(x.rules, newRule(name, nil))
		}
		for _, c := range conditionalV1 {
			x.rules = append(x.rules, newRule(c.name, c.beside))
		}
	case "none":
	default:
		problems = append(problems, fmt.Errorf("exclusions %q: no such set; use %s or none", defaults, StandardV1))
	}
	for _, name := range remove {
		rule, err := parseRule(name)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		count := len(x.rules)
		x.rules = slices.DeleteFunc(x.rules, func(r exclusionRule) bool { return r.name() == rule.name() })
		if len(x.rules) == count {
			problems = append(problems, fmt.Errorf("exclusion %q: no rule of %s has that name; take it out of remove", name, defaults))
		}
	}
	for _, name := range add {
		rule, err := parseRule(name)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		x.rules = slices.DeleteFunc(x.rules, func(r exclusionRule) bool { return r.name() == rule.name() })
		x.rules = append(x.rules, rule)
	}
	for i := range x.rules {
		r := &x.rules[i]
		if last := r.segments[len(r.segments)-1]; isPattern(last) || r.spans {
			x.patterns = append(x.patterns, r)
		} else {
			x.byLast[last] = append(x.byLast[last], r)
		}
		if r.beside != nil && len(r.segments) > 1 {
			x.byFirst[r.segments[0]] = append(x.byFirst[r.segments[0]], r)
		}
	}
	return x, problems
}

// Expanded returns the rules in force as people write them, sorted; a conditional one
// is "build (beside pom.xml, build.gradle)".
func (x *Exclusions) Expanded() []string {
	expanded := []string{}
	if x == nil {
		return expanded
	}
	for _, r := range x.rules {
		text := r.name()
		if r.beside != nil {
			text += " (beside " + strings.Join(r.beside, ", ") + ")"
		}
		expanded = append(expanded, text)
	}
	slices.Sort(expanded)
	return expanded
}

// maxBraces bounds the alternatives of a pattern: the time that matching takes is
// multiplied by each.
const maxBraces = 4

var errNoName = errors.New("no name of a directory; write a name such as node_modules, /data or vendor/bundle")

// parseRule reads a rule as people write it.
func parseRule(text string) (exclusionRule, error) {
	problem := func(err error) (exclusionRule, error) {
		return exclusionRule{}, fmt.Errorf("exclusion %q: %w", text, err)
	}
	name := strings.TrimRight(text, "/")
	for strings.HasPrefix(name, "**/") {
		name = strings.TrimPrefix(name, "**/")
	}
	rule := newRule(strings.TrimPrefix(name, "/"), nil)
	rule.anchored = strings.HasPrefix(name, "/")
	for _, segment := range rule.segments {
		if segment == "" || segment == "." || segment == ".." {
			return problem(errNoName)
		}
	}
	if rule.segments[len(rule.segments)-1] == "**" {
		return problem(errNoName)
	}
	if !doublestar.ValidatePattern(rule.pattern()) {
		return problem(errors.New("the pattern is broken; close its brackets and braces"))
	}
	if strings.Count(name, "{") > maxBraces {
		return problem(fmt.Errorf("the pattern takes too long to match; write at most %d pairs of braces", maxBraces))
	}
	return rule, nil
}

func newRule(name string, beside []string) exclusionRule {
	segments := strings.Split(name, "/")
	return exclusionRule{segments: segments, spans: slices.Contains(segments, "**"), beside: beside}
}

// name is the rule without its condition.
func (r *exclusionRule) name() string {
	if r.anchored {
		return "/" + strings.Join(r.segments, "/")
	}
	return strings.Join(r.segments, "/")
}

// pattern is what doublestar matches a path from the root with.
func (r *exclusionRule) pattern() string {
	if r.anchored {
		return strings.Join(r.segments, "/")
	}
	return "**/" + strings.Join(r.segments, "/")
}

// A place is a directory on the way from the root to one that might be excluded.
type place interface {
	// up returns the directory that holds this one, nil for the root.
	up() place
	// name is the last segment of the path.
	name() string
	// holds reports whether a file, no directory, with a name that fits is in here.
	holds(fits func(name string) bool) bool
}

// excludes reports whether the directory name in parent is not to be observed.
func (x *Exclusions) excludes(parent place, name string) bool {
	if x == nil {
		return false
	}
	for _, r := range x.byLast[name] {
		if r.matches(parent, name) {
			return true
		}
	}
	for _, r := range x.patterns {
		if r.matches(parent, name) {
			return true
		}
	}
	return false
}

// distant returns the rules whose condition is about the directory that name is in,
// while what they exclude is further down.
func (x *Exclusions) distant(name string) []*exclusionRule {
	if x == nil {
		return nil
	}
	return x.byFirst[name]
}

func (r *exclusionRule) matches(parent place, name string) bool {
	if r.spans {
		matches, _ := doublestar.Match(r.pattern(), pathOf(parent, name)) // the pattern is valid
		return matches
	}
	last := len(r.segments) - 1
	if !fits(r.segments[last], name) {
		return false
	}
	for i := last - 1; i >= 0; i-- {
		if parent.up() == nil || !fits(r.segments[i], parent.name()) {
			return false
		}
		parent = parent.up()
	}
	if r.anchored && parent.up() != nil {
		return false
	}
	return r.beside == nil || parent.holds(func(file string) bool {
		return slices.ContainsFunc(r.beside, func(pattern string) bool { return fits(pattern, file) })
	})
}

// pathOf returns the path of a name in a directory from the root, with slashes.
func pathOf(parent place, name string) string {
	segments := []string{name}
	for ; parent.up() != nil; parent = parent.up() {
		segments = append(segments, parent.name())
	}
	slices.Reverse(segments)
	return strings.Join(segments, "/")
}

func isPattern(segment string) bool { return strings.ContainsAny(segment, `*?[{\`) }

// fits reports whether a name is what a segment says. A single star is what patterns
// mostly are.
func fits(segment, name string) bool {
	if !isPattern(segment) {
		return segment == name
	}
	if before, after, _ := strings.Cut(segment, "*"); !isPattern(before) && !isPattern(after) {
		return len(name) >= len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after)
	}
	matches, _ := doublestar.Match(segment, name) // the pattern is valid
	return matches
}
