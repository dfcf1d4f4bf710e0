// Package learn reads the decision log and proposes what a person would write from
// it: permission rules for what is used all the time and never stopped, exemptions for
// what was asked about and always approved; and it names the rules that block often.
//
// The log says what claudewatch decided, not what became of an ask. That stands in the
// change records, which have one for a call that ran, and in the transcripts, which
// have the answer; they are joined by the call's tool_use_id.
//
// A study holds counts and no records. It keeps them within bounds, whatever the log
// is like: what is rare is dropped when there is too much of it.
package learn

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/claudewatch/claudewatch/internal/decisionlog"
)

// Options are the bounds from which on something is proposed.
type Options struct {
	// Since leaves out what was decided before.
	Since time.Time
	// MinCalls is how often a shape is used, MinApproved how often an ask was approved,
	// MinBlocks how often a rule has blocked.
	MinCalls, MinApproved, MinBlocks int
	// MinSessions and MinDays are in how many sessions and on how many days.
	MinSessions, MinDays int
	// Location is where a day begins and ends.
	Location *time.Location
}

// DefaultOptions are bounds that a few days of work reach.
func DefaultOptions() Options {
	return Options{MinCalls: 20, MinApproved: 10, MinBlocks: 5, MinSessions: 2, MinDays: 2, Location: time.Local}
}

// Bounds of what a study holds.
const (
	maxKeys = 4_000  // shapes, rules, and asks by what was asked about
	maxAsks = 50_000 // asks whose answers are looked for

	// maxUnnamed bounds those of a session that have no tool_use_id.
	maxUnnamed = 2_000
)

// again is the time within which a rule that has blocked blocks the same session
// another time: whoever was blocked has tried again.
const again = 10 * time.Minute

// Study counts the records of a log.
type Study struct {
	options Options

	calls, allowed, asked, denied int
	first, last                   time.Time
	sessions, days                distinct

	shapes map[string]*usage
	rules  map[string]*ruleUsage
	asks   map[askKey]*askUsage

	// pending are asks by the hash of their tool_use_id, which is unique among sessions.
	pending map[uint64]*ask
	// unnamed are asks of records that have no tool_use_id, by their session.
	unnamed map[string][]*ask
	// waiting counts the asks of each session, wanted all of them.
	waiting map[string]int
	wanted  int
}

// NewStudy returns a study of no records.
func NewStudy(o Options) *Study {
	return &Study{
		options: o, shapes: map[string]*usage{}, rules: map[string]*ruleUsage{}, asks: map[askKey]*askUsage{},
		pending: map[uint64]*ask{}, unnamed: map[string][]*ask{}, waiting: map[string]int{},
	}
}

// usage is how often something was seen.
type usage struct {
	calls          int
	sessions, days distinct
	// stopped is how often it was asked about or denied.
	stopped int
}

// ruleUsage is how often a rule has denied calls.
type ruleUsage struct {
	usage
	// again is how often it has done so within some minutes of the last time.
	again  int
	last   map[uint64]time.Time // by session, at most maxLast
	shapes map[string]int       // at most maxNoisyShapes
}

const (
	maxLast        = 64
	maxNoisyShapes = 200
)

// askKey is a rule and what it asked about: the shape of a command, or the directory
// of a file.
type askKey struct{ rule, what string }

// askUsage is how often a rule asked about something, and what was answered.
type askUsage struct {
	usage
	file              bool // what is a directory
	approved, refused int
}

// ask is a call whose answer is looked for.
type ask struct {
	usages []*askUsage
	answer Answer
	// Of a call without a tool_use_id: when it was, of which tool, and its shape or path.
	time       time.Time
	tool, what string
}

// Add counts a record.
func (s *Study) Add(r *decisionlog.Record) {
	if r.Time.Before(s.options.Since) {
		return
	}
	session, day := hash(r.Session), dayOf(r.Time, s.options.Location)
	s.calls++
	s.sessions.add(session)
	s.days.add(day)
	if s.first.IsZero() || r.Time.Before(s.first) {
		s.first = r.Time
	}
	if r.Time.After(s.last) {
		s.last = r.Time
	}
	switch r.Decision {
	case "allow":
		s.allowed++
	case "ask":
		s.asked++
		s.addAsk(r, session, day)
	case "deny":
		s.denied++
		for _, name := range r.Matched {
			s.addBlock(r, name, session, day)
		}
	}
	s.addShapes(r, session, day)
}

// addShapes counts the commands of a call. A list of commands is stopped for one of
// them, and which one the log does not tell.
func (s *Study) addShapes(r *decisionlog.Record, session, day uint64) {
	if r.CommandShape == "" {
		return
	}
	commands := commandsOf(r.CommandShape)
	for i, command := range commands {
		if slices.Contains(commands[:i], command) {
			continue
		}
		u := s.shapes[command]
		if u == nil {
			prune(s.shapes, func(u *usage) int { return u.calls })
			u = &usage{}
			s.shapes[strings.Clone(command)] = u // and not the line that it is a part of
		}
		switch {
		case len(r.Muted) > 0: // allowed, and not by the rules
		case r.Decision == "allow":
			u.add(session, day)
		case len(commands) == 1:
			u.stopped++
		}
	}
}

func (u *usage) add(session, day uint64) {
	u.calls++
	u.sessions.add(session)
	u.days.add(day)
}

// addBlock counts a rule that has denied a call.
func (s *Study) addBlock(r *decisionlog.Record, name string, session, day uint64) {
	u := s.rules[name]
	if u == nil {
		prune(s.rules, func(u *ruleUsage) int { return u.calls })
		u = &ruleUsage{last: map[uint64]time.Time{}, shapes: map[string]int{}}
		s.rules[strings.Clone(name)] = u
	}
	u.add(session, day)
	if last, ok := u.last[session]; ok && r.Time.Sub(last) < again {
		u.again++
	}
	if _, ok := u.last[session]; !ok && len(u.last) >= maxLast {
		clear(u.last)
	}
	u.last[session] = r.Time
	what := r.CommandShape
	if what == "" {
		what = r.Tool
	}
	if _, ok := u.shapes[what]; ok || len(u.shapes) < maxNoisyShapes {
		u.shapes[strings.Clone(what)]++
	}
}

// addAsk counts an ask, and notes that its answer is wanted.
func (s *Study) addAsk(r *decisionlog.Record, session, day uint64) {
	id := hash(r.ToolUseID)
	if r.ToolUseID != "" && s.pending[id] != nil {
		return // two hooks have judged one call
	}
	a := &ask{}
	what, file := r.CommandShape, false
	if r.Path != "" {
		what, file = filepath.Dir(r.Path), true
	}
	for _, rule := range r.Matched {
		if slices.Contains(r.Muted, rule) {
			continue
		}
		key := askKey{rule, what}
		u := s.asks[key]
		if u == nil {
			prune(s.asks, func(u *askUsage) int { return u.calls })
			u = &askUsage{file: file}
			s.asks[askKey{strings.Clone(rule), strings.Clone(what)}] = u
		}
		u.add(session, day)
		a.usages = append(a.usages, u)
	}
	if s.wanted++; s.wanted > maxAsks || r.Session == "" {
		return // the answer stays unknown
	}
	name := strings.Clone(r.Session)
	s.waiting[name]++
	if r.ToolUseID != "" {
		s.pending[id] = a
		return
	}
	a.time, a.tool, a.what = r.Time, strings.Clone(r.Tool), strings.Clone(r.CommandShape)
	if file {
		a.what = strings.Clone(r.Path)
	}
	if len(s.unnamed[name]) < maxUnnamed {
		s.unnamed[name] = append(s.unnamed[name], a)
	}
}

// commandsOf returns the commands of a shape; see predicates.Shape.
func commandsOf(shape string) []string {
	var commands []string
	for list := range strings.SplitSeq(shape, " ; ") {
		for command := range strings.SplitSeq(list, " | ") {
			commands = append(commands, command)
		}
	}
	return commands
}
