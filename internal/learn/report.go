package learn

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/policy"
)

// Report is what a study comes to.
type Report struct {
	Log Summary `json:"log"`
	// Allow are permission rules for shapes that are used all the time.
	Allow []AllowPattern `json:"allow"`
	// Exemptions are rules, or what they ask about, that were always approved.
	Exemptions []Exemption `json:"exemptions"`
	// Noisy are rules that often deny.
	Noisy []NoisyRule `json:"noisy"`
	// Unanswered are rules that often ask, and nothing tells what was answered.
	Unanswered []Asked `json:"unanswered"`
	// Snippets are what to write where, for all the above.
	Snippets []Snippet `json:"snippets"`
}

// Summary is what the log holds.
type Summary struct {
	Calls    int       `json:"calls"`
	Sessions int       `json:"sessions"`
	Days     int       `json:"days"`
	First    time.Time `json:"first"`
	Last     time.Time `json:"last"`
	Allowed  int       `json:"allowed"`
	Asked    int       `json:"asked"`
	Denied   int       `json:"denied"`
	Approved int       `json:"approved"`
	Refused  int       `json:"refused"`
}

// Evidence is on what a proposal rests. Sessions and days are counted up to 500.
type Evidence struct {
	Calls    int `json:"calls"`
	Sessions int `json:"sessions"`
	Days     int `json:"days"`
}

// AllowPattern is a permission rule of Claude Code.
type AllowPattern struct {
	Pattern string `json:"pattern"`
	Shape   string `json:"shape"`
	Evidence
}

// Asked is a rule that asks, or what it asks about.
type Asked struct {
	Rule string `json:"rule"`
	// What is the shape of the commands or the directory of the files; "" for all that
	// the rule asks about.
	What string `json:"what,omitempty"`
	Evidence
	Approved int `json:"approved"`
	Refused  int `json:"refused"`
	Unknown  int `json:"unknown"`

	file bool
}

// Exemption is an ask that was always approved.
type Exemption struct {
	Asked
	// Kind is "rule" when all that the rule asks about was approved, "what" when only
	// What was.
	Kind string `json:"kind"`
	// Condition exempts What, in CEL; "" for a whole rule.
	Condition string `json:"condition,omitempty"`

	set  *policy.Set
	rule *policy.CompiledRule
}

// NoisyRule is a rule that often denies.
type NoisyRule struct {
	Rule string `json:"rule"`
	Evidence
	// Again is how often it denied within ten minutes of the last time in the session.
	Again int `json:"again"`
	// Compound says that the rule asks, and denies commands that run more than one.
	Compound bool `json:"compound,omitempty"`
	// Shapes are the most frequent ones.
	Shapes []string `json:"shapes"`
}

// most is how many proposals of a kind are made.
const most = 15

// Known is what is set up already: nothing of it is proposed again.
type Known struct {
	// Sets are the rule sets in force.
	Sets []*policy.Set
	// Permissions are the permission rules of Claude Code that allow.
	Permissions []string
	// Settings, Watches and ClaudeSettings are the files and the folder to write to.
	Settings, Watches, ClaudeSettings string
}

// Report draws the conclusions.
func (s *Study) Report(k Known) *Report {
	r := &Report{
		Log: Summary{
			Calls: s.calls, Sessions: s.sessions.count(), Days: s.days.count(), First: s.first, Last: s.last,
			Allowed: s.allowed, Asked: s.asked, Denied: s.denied,
		},
		Allow: s.allowPatterns(k), Noisy: s.noisyRules(k), Exemptions: []Exemption{}, Unanswered: []Asked{},
	}
	for _, a := range s.pending {
		r.Log.count(a)
	}
	for _, asks := range s.unnamed {
		for _, a := range asks {
			r.Log.count(a)
		}
	}
	s.exemptions(k, r)
	r.Snippets = snippets(r, k)
	return r
}

func (s *Summary) count(a *ask) {
	switch a.answer {
	case Approved:
		s.Approved++
	case Refused:
		s.Refused++
	}
}

func (u *usage) evidence() Evidence { return Evidence{u.calls, u.sessions.count(), u.days.count()} }

// broad reports whether something was seen in enough sessions and on enough days.
func (s *Study) broad(e Evidence) bool {
	return e.Sessions >= s.options.MinSessions && e.Days >= s.options.MinDays
}

func (s *Study) allowPatterns(k Known) []AllowPattern {
	patterns := []AllowPattern{}
	for shape, u := range s.shapes {
		e := u.evidence()
		if u.stopped == 0 && e.Calls >= s.options.MinCalls && s.broad(e) && isProposable(shape) && !isAllowed(k.Permissions, shape) {
			patterns = append(patterns, AllowPattern{permission(shape), shape, e})
		}
	}
	slices.SortFunc(patterns, func(a, b AllowPattern) int { return cmp.Or(b.Calls-a.Calls, strings.Compare(a.Shape, b.Shape)) })
	return patterns[:min(len(patterns), most)]
}

// isAllowed reports whether permission rules allow a shape already.
func isAllowed(permissions []string, shape string) bool {
	return slices.ContainsFunc(permissions, func(p string) bool {
		if p == "Bash" || p == "Bash(*)" {
			return true
		}
		prefix, ok := strings.CutPrefix(p, "Bash(")
		if !ok {
			return false
		}
		for _, suffix := range []string{":*)", " *)", "*)"} {
			if words, ok := strings.CutSuffix(prefix, suffix); ok {
				return shape == words || strings.HasPrefix(shape, words+" ")
			}
		}
		return false
	})
}

// rule returns a rule in force by its name.
func (k Known) rule(name string) (*policy.Set, *policy.CompiledRule) {
	setName, ruleName, _ := strings.Cut(name, "/")
	for _, set := range k.Sets {
		if set.Name != setName {
			continue
		}
		for _, rule := range set.Compiled() {
			if rule.Name == ruleName && rule.Runs() {
				return set, rule
			}
		}
		break // of two sets of a name the first counts
	}
	return nil, nil
}

func (s *Study) noisyRules(k Known) []NoisyRule {
	noisy := []NoisyRule{}
	for name, u := range s.rules {
		_, rule := k.rule(name)
		e := u.evidence()
		if rule == nil || e.Calls < s.options.MinBlocks || e.Sessions < s.options.MinSessions {
			continue
		}
		n := NoisyRule{Rule: name, Evidence: e, Again: u.again, Compound: rule.Action == policy.Ask, Shapes: []string{}}
		for shape := range u.shapes {
			n.Shapes = append(n.Shapes, shape)
		}
		slices.SortFunc(n.Shapes, func(a, b string) int { return cmp.Or(u.shapes[b]-u.shapes[a], strings.Compare(a, b)) })
		n.Shapes = n.Shapes[:min(len(n.Shapes), 3)]
		noisy = append(noisy, n)
	}
	slices.SortFunc(noisy, func(a, b NoisyRule) int { return cmp.Or(b.Calls-a.Calls, strings.Compare(a.Rule, b.Rule)) })
	return noisy[:min(len(noisy), most)]
}

// exemptions fills in Exemptions and Unanswered.
func (s *Study) exemptions(k Known, r *Report) {
	byRule := map[string][]askKey{}
	for key := range s.asks {
		byRule[key.rule] = append(byRule[key.rule], key)
	}
	for name, keys := range byRule {
		set, rule := k.rule(name)
		if rule == nil || rule.Action != policy.Ask {
			continue // it asks no more
		}
		whole := s.whole(name, keys)
		switch {
		case s.isApproved(whole):
			r.Exemptions = append(r.Exemptions, Exemption{Asked: whole, Kind: "rule", set: set, rule: rule})
		case whole.Refused > 0:
			for _, key := range keys {
				part := partOf(key, s.asks[key])
				if condition := conditionOf(part); condition != "" && s.isApproved(part) {
					r.Exemptions = append(r.Exemptions, Exemption{Asked: part, Kind: "what", Condition: condition, set: set, rule: rule})
				}
			}
		case whole.Calls >= s.options.MinApproved && whole.Unknown > whole.Approved && s.broad(whole.Evidence):
			r.Unanswered = append(r.Unanswered, whole)
		}
	}
	slices.SortFunc(r.Exemptions, func(a, b Exemption) int { return compareAsked(a.Asked, b.Asked) })
	slices.SortFunc(r.Unanswered, compareAsked)
	r.Exemptions = r.Exemptions[:min(len(r.Exemptions), most)]
	r.Unanswered = r.Unanswered[:min(len(r.Unanswered), most)]
}

func compareAsked(a, b Asked) int {
	return cmp.Or(b.Approved-a.Approved, b.Calls-a.Calls, strings.Compare(a.Rule, b.Rule), strings.Compare(a.What, b.What))
}

// isApproved reports whether an ask was approved often enough and never refused, and
// whether most of the answers are known.
func (s *Study) isApproved(a Asked) bool {
	return a.Approved >= s.options.MinApproved && a.Refused == 0 && a.Unknown <= a.Approved && s.broad(a.Evidence)
}

func partOf(key askKey, u *askUsage) Asked {
	return Asked{
		Rule: key.rule, What: key.what, Evidence: u.evidence(), Approved: u.approved, Refused: u.refused,
		Unknown: max(0, u.calls-u.approved-u.refused), file: u.file,
	}
}

// whole sums up what a rule asked about.
func (s *Study) whole(name string, keys []askKey) Asked {
	sum := Asked{Rule: name}
	var all usage
	for _, key := range keys {
		u := s.asks[key]
		all.calls += u.calls
		all.sessions.merge(&u.sessions)
		all.days.merge(&u.days)
		sum.Approved += u.approved
		sum.Refused += u.refused
	}
	sum.Evidence = all.evidence()
	sum.Unknown = max(0, sum.Calls-sum.Approved-sum.Refused)
	return sum
}
